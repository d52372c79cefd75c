#!/bin/sh
# synthesize.sh BUILD_DIR [RANKS...]: tutti synthesize on a torus, a dragonfly, a fat tree with half the cables upwards,
# and a torus with a broken cable around which routes are the shortest ones. Of each the line of bench-synthesize, and a
# line for each collective: processor seconds to find one schedule (where bench-synthesize has it) and of the whole command,
# the time of what was kept beside the best method of the catalogue and the lower bound of any method, and how much more
# than the bound both take. RANKS: powers of two.
# Beyond 64 ranks without alltoall, beyond 256 with a budget of 20 s. About 20 minutes on a core.
#   BUDGET=10s ENGINE=flow BLOCK=16KB MESSAGE=1MB COLLECTIVES="allgather ...": what else
set -eu
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- 16 64 256 1024
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

rows() { # of so many nodes, a power of two: as many as columns, or half as many
  awk -v n="$1" 'BEGIN { for (rows = 1; 4 * rows * rows <= n; rows *= 2); print rows }'
}
wires="--latency 1us --bandwidth 25GBps"

# A torus of hosts and cables, without the one between hosts 0 and 1.
broken_torus() { # ROWS COLUMNS
  awk -v rows="$1" -v n="$2" 'BEGIN {
    hosts = rows * n
    print "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">"
    while ((getline line < "torus.xml") > 0)
      if (line ~ /<config>/) inside = 1
      else if (line ~ /<\/config>/) { print "  <config>\n" config "  </config>"; inside = 0 }
      else if (inside) config = config line "\n"
    print "  <zone id=\"world\" routing=\"" (hosts > 1024 ? "Dijkstra" : "Floyd") "\">"
    for (i = 0; i < hosts; i++)
      print "    <host id=\"n" i "\" speed=\"10Gf\" core=\"1\"/>"
    for (i = 0; i < hosts; i++)
      for (d = 0; d < 2; d++) {
        to[i, d] = d ? (i + n) % hosts : i - i % n + (i + 1) % n
        if (i + d > 0)
          print "    <link id=\"l" i "_" d "\" bandwidth=\"25GBps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>"
      }
    for (i = 0; i < hosts; i++)
      for (d = 0; d < 2; d++)
        if (i + d > 0)
          print "    <route src=\"n" i "\" dst=\"n" to[i, d] "\"><link_ctn id=\"l" i "_" d "\" direction=\"UP\"/></route>"
    print "  </zone>\n</platform>"
  }' >broken.xml
}

platforms() { # RANKS
  rows=$(rows "$1")
  columns=$(($1 / rows))
  "$build/tutti" platform new torus "${columns}x$rows" $wires -o torus.xml >/dev/null
  "$build/tutti" platform new dragonfly "$((rows / 2))x$((columns / 2))x4" $wires -o dragonfly.xml >/dev/null
  "$build/tutti" platform new fat-tree "${columns}x$rows/2" $wires -o fat-tree.xml >/dev/null
  broken_torus "$rows" "$columns"
}

key() { # NAME [SCALE]: a number of the JSON in out
  sed -n "1s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" out | awk -v scale="${2:-1}" '{ print scale * $1 }'
}

found() { # allgather|alltoall: seconds, of the line of bench-synthesize
  case $1 in allgather) sed -n 's/.*allgather of [0-9]* moves in \([0-9.]*\) s.*/\1/p' one ;; alltoall) sed -n 's/.*alltoall of [0-9]* in \([0-9.]*\) s.*/\1/p' one ;; *) echo - ;; esac
}

choose() { # RANKS: the collectives and the work
  collectives=${COLLECTIVES:-allgather reduce_scatter_block allreduce bcast reduce alltoall}
  budget=${BUDGET:-3s}
  [ "$1" -le 64 ] || collectives=${COLLECTIVES:-allgather reduce_scatter_block allreduce bcast reduce}
  [ "$1" -le 256 ] || budget=${BUDGET:-20s}
}

printf '%-9s %5s %-20s %5s %8s %9s %11s %11s %7s %11s %-11s %6s %6s\n' fabric ranks collective size 'find [s]' 'whole [s]' 'kept [us]' \
  'best [us]' speedup 'bound [us]' by 'gap [%]' 'best [%]'
for ranks in "$@"; do
  platforms "$ranks"
  choose "$ranks"
  for platform in torus dragonfly fat-tree broken; do
    "$build/bench-synthesize" "$platform.xml" "$ranks" 65536 >one
    sed "s/^/$platform $ranks, blocks of 64 KB: /" one
    for collective in $collectives; do
      case $collective in bcast | reduce | allreduce) size=${MESSAGE:-1MB} ;; *) size=${BLOCK:-16KB} ;; esac
      /usr/bin/env time -f '%U' -o seconds "$build/tutti" synthesize "$collective" --platform "./$platform.xml" \
        -P "$ranks" -s "$size" --engine "${ENGINE:-flow}" --budget "$budget" -q -o found.xml --json >out 2>err ||
        { echo "$platform $ranks $collective $size: $(head -n 1 err)" && continue; }
      printf '%-9s %5d %-20s %5s %8s %9s %11.1f %11.1f %7.2f %11.1f %-11s %6.0f %6.0f\n' "$platform" "$ranks" "$collective" "$size" \
        "$(found "$collective")" "$(tail -n 1 seconds)" "$(key time_s 1e6)" "$(key best_s 1e6)" "$(key speedup)" "$(key bound_s 1e6)" \
        "$(sed -n '1s/.*"bound_by": "\([a-z]*\)".*/\1/p' out)" "$(key gap_percent)" "$(key best_gap_percent)"
    done
  done
done
