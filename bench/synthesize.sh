#!/bin/sh
# synthesize.sh BUILD_DIR [RANKS...]: tutti synthesize on a torus, a dragonfly, a fat tree with half the cables upwards,
# and a torus with a broken cable around which routes are the shortest ones. For each the time of finding one schedule
# (bench-synthesize), then for each collective the processor time of the whole command and what it found beside the best
# method of the catalogue.
#   BUDGET=10s ENGINE=flow SIZES="16KB 1MB" COLLECTIVES="allgather ...": what else
set -eu
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- 16 64 256
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

side() { # of a square of so many nodes
  awk -v n="$1" 'BEGIN { print int(sqrt(n) + 0.5) }'
}
wires="--latency 1us --bandwidth 25GBps"

# A torus of hosts and cables, without the one between hosts 0 and 1.
broken_torus() { # SIDE
  awk -v n="$1" 'BEGIN {
    print "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">"
    while ((getline line < "torus.xml") > 0)
      if (line ~ /<config>/) inside = 1
      else if (line ~ /<\/config>/) { print "  <config>\n" config "  </config>"; inside = 0 }
      else if (inside) config = config line "\n"
    print "  <zone id=\"world\" routing=\"" (n * n > 1024 ? "Dijkstra" : "Floyd") "\">"
    for (i = 0; i < n * n; i++)
      print "    <host id=\"n" i "\" speed=\"10Gf\" core=\"1\"/>"
    for (i = 0; i < n * n; i++)
      for (d = 0; d < 2; d++) {
        to[i, d] = d ? (i + n) % (n * n) : i - i % n + (i + 1) % n
        if (i + d > 0)
          print "    <link id=\"l" i "_" d "\" bandwidth=\"25GBps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>"
      }
    for (i = 0; i < n * n; i++)
      for (d = 0; d < 2; d++)
        if (i + d > 0)
          print "    <route src=\"n" i "\" dst=\"n" to[i, d] "\"><link_ctn id=\"l" i "_" d "\" direction=\"UP\"/></route>"
    print "  </zone>\n</platform>"
  }' >broken.xml
}

platforms() { # RANKS
  n=$(side "$1")
  "$build/tutti" platform new torus "${n}x$n" $wires -o torus.xml >/dev/null
  "$build/tutti" platform new dragonfly "$((n / 2))x$((n / 2))x4" $wires -o dragonfly.xml >/dev/null
  "$build/tutti" platform new fat-tree "${n}x$n/2" $wires -o fat-tree.xml >/dev/null
  broken_torus "$n"
}

key() { # NAME: a number of the JSON in out
  sed -n "1s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" out
}

for ranks in "$@"; do
  platforms "$ranks"
  for platform in torus dragonfly fat-tree broken; do
    echo "$platform, $ranks ranks: $("$build/bench-synthesize" "$platform.xml" "$ranks" 65536)"
    for collective in ${COLLECTIVES:-allgather reduce_scatter_block allreduce bcast alltoall}; do
      for size in ${SIZES:-16KB 1MB}; do
        /usr/bin/env time -f '%U' -o seconds "$build/tutti" synthesize "$collective" --platform "./$platform.xml" \
          -P "$ranks" -s "$size" --engine "${ENGINE:-flow}" --budget "${BUDGET:-10s}" -q -o found.xml --json >out 2>err ||
          { echo "  $collective $size: $(head -n 1 err)" && continue; }
        printf '  %-20s %5s %8.1f s %11.1f us, the best method %11.1f us: %.2f\n' "$collective" "$size" "$(cat seconds)" \
          "$(key time_s | awk '{ print 1e6 * $1 }')" "$(key best_s | awk '{ print 1e6 * $1 }')" "$(key speedup)"
      done
    done
  done
done
