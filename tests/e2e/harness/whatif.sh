#!/bin/sh
# What if: the changed platform is simulated beside the old one, both are kept apart in the store, and what is printed
# follows from what both measured.
#
# usage: whatif.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3
need python3 python3-minimal

holds() { # EXPRESSION about d, the JSON in out
  python3 -c "import json, sys
d = json.load(open('out'))
m = d['maps'][0] if 'maps' in d else None
sys.exit(0 if ($1) else 1)" || die "JSON, not '$1': $(cat out)"
}

cat >e.xml <<XML
<experiment name="e"><platform name="bgp"/>
  <sweep collective="bcast"><ranks>2 8 100</ranks><sizes>1 16KB</sizes><method algorithm="linear"/><method
  algorithm="binomial"/><method algorithm="pipeline" segments="1KB"/></sweep></experiment>
XML

seconds() { # PLATFORM METHOD RANKS BYTES: in the store
  sqlite3 results.db "SELECT m.median_s FROM measurement m JOIN method d ON d.id = m.method
    JOIN environment e ON e.id = m.environment WHERE e.platform = '$1' AND d.name = '$2' AND ranks = $3
    AND rank_B = $4"
}

# --- half the time for everything: latency, and bandwidth twice; no overhead on this machine ---

run 0 whatif grig_fast_ethernet --set 'latency=*0.5' --set 'bandwidth=*2' e.xml --quiet
expect '^grig_fast_ethernet -> grig_fast_ethernet\+latency=x0.5\+bandwidth=x2: latency=\*0.5, bandwidth=\*2$'
expect '^  cluster cluster lat +54.6442us +27.3221us$'
expect '^  prop tutti/published-alpha +110.65e-6 +-$'
expect '^  Numbers of ranks above 64, up to 100, are left out'
expect 'Best methods: speed-up 2.000 .geometric mean of 4 points., least 2.000'
expect 'Another method is best at 0 of 4 points'
[ "$(sqlite3 results.db 'SELECT count(*) FROM measurement')" -eq 24 ] || die "not 2 x 12 points in the store"
cp out first
run 0 whatif grig_fast_ethernet --set 'latency=*0.5' --set 'bandwidth=*2' e.xml --quiet
cmp out first || die "the same command says something else: $(cat out)"
[ "$(sqlite3 results.db 'SELECT count(*) FROM measurement')" -eq 24 ] || die "points were measured again"
[ ! -e results.db.work ] || die "the work directory stays: $(ls results.db.work)"

before=$(seconds grig_fast_ethernet bcast/binomial 8 16384)
after=$(seconds grig_fast_ethernet+latency=x0.5+bandwidth=x2 bcast/binomial 8 16384)
awk -v a="$before" -v b="$after" 'BEGIN { exit !(b > 0 && a / b > 1.999 && a / b < 2.001) }' ||
  die "not twice as fast: $before, $after"

# --- JSON, all methods, another network ---

run 0 whatif grig_fast_ethernet --set network=cisco_infiniband e.xml --ranks 2..8*2 --size 1,64KB --json --all --quiet
holds 'd["points"] == 18 and d["only_before"] == 0 and d["left_out_above_ranks"] is None and len(d["maps"]) == 1'
holds 'm["points"] == 6 and len(m["cells"]) == 6 and len(m["cells"][0]["methods"]) == 3 and len(m["crossovers"]) == 3'
holds 'm["speedup_of_best"]["min"] > 1'
# What staying costs, and where the best method is another one, follow from the times of the cells.
holds 'abs(sum(100 * (c["staying_s"] / c["after"]["time_s"] - 1) for c in m["cells"]) / 6
  - m["staying"]["mean_percent"]) < 1e-6'
holds 'sum(c["before"]["method"] != c["after"]["method"] for c in m["cells"]) == m["changed"]'

# --- topologies are simulated: each has times of its own ---

for topology in torus:2x2x2 fat-tree:4x2 dragonfly:2x1x2x2; do
  run 0 whatif grig_fast_ethernet --set "topology=$topology" e.xml --ranks 8 --size 16KB --quiet --json
  sed -n 's/.*"after": {"method": [^,]*, "time_s": \([0-9.e-]*\)}.*/\1/p' out
done >times
[ "$(sort -u times | grep -c '^[0-9.e-]*$')" -eq 3 ] || die "three topologies, these times: $(cat times)"

# --- the platform is kept if it is asked for, and is a platform ---

run 0 whatif bgp --set 'latency=*0.5' --set topology=fat-tree:32x32x32 -o tree.xml
expect '^  cluster torus topo_parameters +32,32,32 +3;32,32,32;1,32,32;1,1,1$'
run 0 platform check tree.xml
expect 'valid, 32768 hosts'
cp tree.xml again.xml
run 0 whatif bgp --set 'latency=*0.5' --set topology=fat-tree:32x32x32 -o tree.xml
cmp tree.xml again.xml || die "the same edits, other bytes"
run 0 whatif bgp --set topology=torus:4x2x2 -o small.xml
run 0 whatif small.xml --set latency=1us e.xml --ranks 8 --quiet
expect '^1\.[0-9]+ times as (fast|slow): geometric mean of .* between 1\.[0-9]+ and [1-9]'
expect '^small -> small\+latency=1us: '

# --- groups and sorts ---

cat >g.xml <<XML
<experiment name="g"><platform name="bgp"/><group><ranks>64</ranks><fractions>0.5</fractions><builder
  name="centralized"/><builder name="shrink-hash/no-filler"/></group></experiment>
XML
run 0 whatif small.xml --set 'overhead=*0.5' --set 'actor=*0.5' g.xml --quiet
expect '^  shrink-hash/no-filler fraction=0.5 .* +64 +[0-9.]+ +[0-9.]+ +1\.[0-9]+ '
expect '^  Speed-up [12]\.[0-9]+ .geometric mean of 2 points.'
if [ -r "$build/smpi/tutti-range" ]; then
  cat >r.xml <<XML
<experiment name="r"><platform name="bgp"/><range operation="create" way="ranges split/mpich" ranks="8"
  size="ranks/2"/></experiment>
XML
  run 0 whatif small.xml --set 'overhead=*2' r.xml --quiet --json
  holds 'd["points"] == 2 and [r["speedup"] < 1 for r in d["results"] if "split/mpich" in r["point"]] == [True]'
fi

# --- what cannot be done ---

rm -f results.db*
run 2 whatif grig_fast_ethernet --set latency=5 e.xml
expect "edit 'latency=5': <cluster> lat: has no unit"
run 2 whatif grig_fast_ethernet --set '//link/@latency=*2' e.xml
expect 'XPath //link/@latency matches nothing in .*grig_fast_ethernet.xml'
run 2 whatif grig_fast_ethernet e.xml
expect 'which change\? --set EDIT'
run 2 whatif grig_fast_ethernet --set latency=1us
expect 'name an experiment or a --trace, or use --output FILE'
mkdir results.db.work
flock results.db.work/lock "$tutti" whatif grig_fast_ethernet --set latency=1us e.xml >out 2>err && die "runs twice"
expect 'results.db.work is in use by another run'
[ "$(wc -l <err)" -eq 1 ] || die "says what was measured before anything was: $(cat err)"
rm -r results.db*
run 2 whatif nowhere --set latency=1us e.xml
expect "platform 'nowhere' not found"
run 2 whatif grig_fast_ethernet --set latency=1us e.xml --ranks 100
expect '100 ranks are asked for: the platform has room for 64'
run 0 whatif grig_fast_ethernet --set 'latency=*2' whatif_grig --engine fast --db named.db -q # an experiment by name
expect '^bcast from root 0 in whatif_grig, '
run 2 whatif grig_fast_ethernet --set 'hosts=*2' absent.xml
expect 'absent.xml: '
run 2 whatif tree.xml --set latency=2us -o tree.xml
expect 'tree.xml: would be replaced, and is the file of PLATFORM'
cmp tree.xml again.xml || die "the platform was overwritten"
run 2 whatif small.xml --set 'overhead=*2' g.xml --size 8
expect '^tutti: --size: g.xml has no <sweep> that takes sizes'
[ ! -e results.db ] || die "a store was made of nothing"
[ ! -e results.db.work ] || die "a work directory stays: $(ls results.db.work)"

# --- a sweep that the options say, as for tutti bench; a folder of that name is none ---

mkdir allreduce
run 0 whatif grig_fast_ethernet --set 'bandwidth=*2' allreduce -P 4,8 -s 8,8KB --methods ring,recursive-doubling --engine fast --db sweep.db -q
expect '^allreduce in allreduce, .*methods: 2, communicator sizes: 2, message sizes: 2'
run 0 whatif grig_fast_ethernet --set 'bandwidth=*2' allreduce -P 4 -s 64KB --segments none,8KB --scheme window --engine fast --db sweep.db -q --all
expect ', scheme window '
expect 'allreduce/ring-segmented/8KB'
run 0 whatif grig_fast_ethernet --set 'bandwidth=*2' e.xml -P 4 -s 8 --db sweep.db -q
for option in --segments=none --scheme=window; do
  run 2 whatif grig_fast_ethernet --set 'bandwidth=*2' e.xml "$option" --db sweep.db -q
  expect '^tutti: --methods, --segments and --scheme go with collectives'
done
run 2 whatif grig_fast_ethernet --set 'bandwidth=*2' e.xml --methods ring --db sweep.db -q
expect '^tutti: --methods, --segments and --scheme go with collectives'
