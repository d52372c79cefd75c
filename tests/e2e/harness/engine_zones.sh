#!/bin/sh
# The fast engine on platform files of any form: zones within zones, drawn at random by a seed (zones.awk). Its times
# are those of SMPI, digit by digit: of collectives, and of groups, which are built with one message at a time on a link.
#
# usage: engine_zones.sh BUILD_DIR SOURCE_DIR
#   ENGINE_SEED, ENGINE_ZONES, ENGINE_RANKS: the first platform, how many, and the ranks, to compare more.
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3

methods=bcast/linear,allreduce/recursive-doubling,alltoall/pairwise
compare() { # PLATFORM RANKS STORE
  for engine in "fast" "smpi --chunk 1"; do
    # shellcheck disable=SC2086
    run 0 bench bcast,allreduce,alltoall --platform "$1" -P "$2" -s 8,3000,100KB --methods $methods --engine $engine \
      --db "$3" -q
    echo "<experiment name='g'><platform name='$1'/><group><ranks>$2</ranks><fractions>0.6</fractions></group></experiment>" >group.xml
    # shellcheck disable=SC2086
    run 0 bench group.xml --engine $engine --db "$3" -q
  done
  equal "$3"
}
equal() {
  sqlite3 "$1" "
    WITH of AS (SELECT flavor, method, ranks, count, median_s FROM measurement m JOIN environment e ON e.id = m.environment
      UNION ALL SELECT flavor, builder, ranks, exact, median_s FROM group_build g JOIN environment e ON e.id = g.environment)
    SELECT count(*) || ' ' || coalesce(sum(f.median_s = s.median_s), 0) FROM of f JOIN of s
    USING (method, ranks, count) WHERE f.flavor = 'fast' AND s.flavor = 'smpi'"
}

# SimGrid 4 has other defaults, and breaks some ties otherwise (docs/how-to/other-systems.md).
smpirun --version | grep -q 'SimGrid version 3\.32' || { echo "skipped: another SimGrid than 3.32" && exit 77; }
first=${ENGINE_SEED:-1} all=0
for seed in $(seq "$first" $((first + ${ENGINE_ZONES:-6} - 1))); do
  awk -v seed="$seed" -f "$source/tests/e2e/harness/zones.awk" >"zones$seed.xml"
  run 0 platform check "./zones$seed.xml"
  ranks=${ENGINE_RANKS:-7}
  hosts=$(sed -n 's/.*: valid, \([0-9]*\) hosts.*/\1/p' out)
  [ "$hosts" -ge "$ranks" ] || ranks=$hosts
  found=$(compare "./zones$seed.xml" "$ranks" "zones$seed.db")
  [ "${found% *}" -gt 4 ] && [ "${found% *}" = "${found#* }" ] || die "zones$seed.xml: compared and equal: $found"
  all=$((all + ${found% *}))
done
echo "all of $all points are equal"

# What it does not know, with its line.
cat >vivaldi.xml <<EOF
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="peers" routing="Vivaldi">
    <peer id="one" coordinates="0 1 2" speed="1Gf" bw_in="1Gbps" bw_out="1Gbps"/>
    <peer id="two" coordinates="3 1 2" speed="1Gf" bw_in="1Gbps" bw_out="1Gbps"/>
  </zone>
</platform>
EOF
run 2 bench bcast --platform ./vivaldi.xml -P 2 -s 8 --engine fast --db none.db -q
expect '^tutti: [^ ]*/vivaldi.xml:4: the engine does not know zones of routing Vivaldi; --engine smpi simulates it$'

# What changes over time, by a file that is named.
echo "0 1000" >profile
for changing in '2:host id="a" speed="1Gf" speed_file' '2:host id="a" speed="1Gf" state_file' \
  '4:link id="l" bandwidth="1GBps" latency="1us" bandwidth_file' '4:link id="l" bandwidth="1GBps" latency="1us" latency_file' \
  '4:link id="l" bandwidth="1GBps" latency="1us" state_file'; do
  line=${changing%%:*}
  printf '%s\n' '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1"><zone id="z" routing="Full">' \
    '<host id="a" speed="1Gf"/>' '<host id="b" speed="1Gf"/>' '<link id="l" bandwidth="1GBps" latency="1us"/>' \
    '<route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>' |
    sed "$line"'s|.*|<'"${changing#*:}"'="profile"/>|' >changing.xml
  for engine in fast flow; do
    run 2 bench bcast --platform ./changing.xml -P 2 -s 8 --engine $engine --db none.db -q
    expect "changing.xml:$line: .* does not know ${changing##* }=\"profile\": what changes"
  done
done

# A host of speed 0 sends and receives as any other, for both; who computes there never ends.
cat >stopped.xml <<EOF
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
    <cluster id="some" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="1us" router_id="switch"/>
    <zone id="store" routing="Full"><host id="disk" speed="0f"/></zone>
    <link id="cable" bandwidth="2GBps" latency="2us"/>
    <zoneRoute src="some" dst="store" gw_src="switch" gw_dst="disk"><link_ctn id="cable"/></zoneRoute>
  </zone>
</platform>
EOF
for engine in "fast" "smpi --chunk 1"; do
  # shellcheck disable=SC2086
  run 0 bench bcast,gather --platform ./stopped.xml -P 2,3 -s 8,3000 --engine $engine --db stopped.db -q
  # shellcheck disable=SC2086
  run 2 bench allreduce --platform ./stopped.xml -P 3 -s 3000 --methods ring --engine $engine --db none.db -q
  expect ' computes on a host of speed 0'
done
found=$(equal stopped.db)
[ "${found% *}" -gt 20 ] && [ "${found% *}" = "${found#* }" ] || die "speed 0: compared and equal: $found"

# Of more than 512 hosts not all pairs are looked at before: here all have a route to the first one only.
{
  echo '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
  echo '<zone id="hub" routing="Full">'
  seq 0 513 | sed 's|.*|<host id="h&" speed="1Gf"/>|'
  echo '<link id="l" bandwidth="1GBps" latency="1us"/>'
  seq 1 513 | sed 's|.*|<route src="h0" dst="h&"><link_ctn id="l"/></route>|'
  echo '</zone></platform>'
} >hub.xml
run 2 bench barrier --platform ./hub.xml -P 7 --methods barrier/bruck --engine fast --db none.db -q
expect "hub.xml: SimGrid ends with the first message from host 'h[1-6]' to host 'h[1-6]': there is no route between them"
