#!/bin/sh
# One command for the architect: where the time of a recorded program goes, and what edits, methods and ranks bring; it
# warns where the answer cannot depend on what was changed. Hopeless methods are left out of experiments, by name.
#
# usage: forecast.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need python3 python3-minimal

trace=$source/tests/fuzz/seeds/small.workload # 4 ranks, one a node

holds() { # EXPRESSION about d, the JSON in out; t(SCENARIO, PART) is a time, w that of program
  python3 -c "import json, sys
d = json.load(open('out'))
times = {(r['scenario'], r['part']): r['time_s'] for r in d.get('scenarios', [])}
names = list(dict.fromkeys(name for name, _ in times))
t = lambda s, p='program': times[s, p]
sys.exit(0 if ($1) else 1)" || die "JSON, not '$1': $(cat out)"
}
value() { # KEY: of a document in out
  sed -n 's/.*"'"$1"'": \([^,]*\),.*/\1/p' out | head -1
}

# ---- a trace: parts add up in each scenario, and the times are those of replay and whatif ----

run 0 forecast "$trace" --platform grig_mx --set latency=/2 --set 'bandwidth=*2' -o app.rules --json
holds 'names == ["as it is", "latency=/2", "bandwidth=*2", "all edits", "best methods", "both", "8 ranks"]'
holds 'all(abs(sum(v for (s, p), v in times.items() if s == n and p != "program") / t(n) - 1) < 1e-9 for n in names)'
holds 't("as it is") > t("latency=/2") > t("all edits") > t("both") and t("as it is") > t("best methods")'
holds 't("8 ranks", "computation") == t("as it is", "computation") and t("8 ranks", "bcast") > t("as it is", "bcast")'
cp out forecast.json
run 0 replay "$trace" --platform grig_mx --json
[ "$(value program_s)" = "$(sed -n 's/.*"program_s": \([^,]*\),.*/\1/p' forecast.json)" ] || die "not that of replay: $(cat out)"
# In the table of replay the rows are the whole, too.
python3 -c "import json, sys
d = json.load(open('out'))
rows = {r['collective']: r['time_s'] for r in d['replayed']}
parts = sum(v for n, v in rows.items() if n not in ('all', 'program'))
sys.exit(abs(parts / d['program_s'] - 1) > 1e-9 or rows['program'] != d['program_s'] or d['rest_s'] < 0)" ||
  die "parts of a replay: $(cat out)"
run 0 whatif grig_mx --set latency=/2 --set 'bandwidth=*2' --trace "$trace" --db none.db --json
after=$(sed -n 's/.*"all of it".*"after_s": \([^,]*\),.*/\1/p' out)
cp forecast.json out
holds "abs(t('all edits') / $after - 1) < 1e-9"
run 0 replay "$trace" --platform grig_mx --decision app.rules --json
took=$(value program_s)
cp forecast.json out
holds "abs(t('best methods') / $took - 1) < 1e-9"
run 0 forecast "$trace" --platform grig_mx --set latency=/2
sed -n 1p out | grep -q '4 ranks on 4 nodes: 2066 us (2078 us as recorded).*latency=/2: 1\.[0-9]* times as fast, best methods' ||
  die "no verdict in the first line: $(cat out)"
expect '^program +100.0 '
expect '4 ranks use 4 of the 64 nodes'
expect 'cannot be replayed on more'
cp out first
run 0 forecast "$trace" --platform grig_mx --set latency=/2
cmp out first || die "the same command says something else"
expect ' 8 ranks: 1\.[0-9]* times as slow'
expect '^times as fast \(below 1: slower\) .* 0\.[0-9]+$'

# Beside times that fill the digits of a number the small ones are none, and not below 0.
run 0 forecast "$trace" --platform grig_mx --set 'speed=*1e-300' --set 'latency=*1e290' --json
holds 'all(v >= 0 for v in times.values())'
holds 'all(abs(sum(v for (s, p), v in times.items() if s == n and p != "program") / t(n) - 1) < 1e-9 for n in names)'

# ---- all ranks on one node: three commands say so, and the line that they print spreads the ranks ----

run 0 forecast "$trace" --platform hdr_fat_tree --set latency=/2
expect 'all 4 ranks are on one node of hdr_fat_tree, which has 16 a node: no message crosses the network'
expect 'latency=/2 changes no time of this program, to the last digit: no message leaves a node'
line=$(grep '^  tutti forecast .* --ranks-per-node 1$' out) || die "no line to paste: $(cat out)"
eval "run 0 ${line#  tutti }"
expect '4 ranks on 4 nodes.*latency=/2: 1\.[0-9]*[1-9][0-9]* times'
! grep -q 'warning: all\|changes no time' out || die "still warned: $(cat out)"
run 0 whatif hdr_fat_tree --set latency=/2 --trace "$trace" --db none.db
sed -n 1p out | grep -q 'instead of .* [mu]s: 1.000 times as fast' || die "no verdict in the first line: $(cat out)"
expect 'all 4 ranks are on one node'
line=$(grep '^  tutti whatif .* --ranks-per-node 1$' out) || die "no line to paste: $(cat out)"
eval "run 0 ${line#  tutti} --db none.db"
! grep -q 'warning: all\|changes no time' out || die "still warned: $(cat out)"
run 0 replay "$trace" --platform hdr_fat_tree
expect 'all 4 ranks are on one node'
run 0 replay "$trace" --platform hdr_fat_tree --ranks-per-node 1 --json
holds 'd["notes"] == []'
run 2 replay "$trace" --platform grig_mx --ranks-per-node 2
expect 'grig_mx has 1 rank a node; more are another machine: --set ranks_per_node=2'

# ---- an edit that nothing uses ----

printf '0 init\n1 init\n0 send 1 0 8\n1 recv 0 0 8\n0 finalize\n1 finalize\n' >idle.ti
run 0 forecast idle.ti --platform grig_mx --set 'speed=*2'
expect 'speed=\*2 changes no time of this program, to the last digit: the trace has no computation'
expect '^messages +100.0 '

# ---- waiting: rank 0 waits in the barrier for as long as rank 1 computes ----

printf '0 init\n1 init\n1 compute 1e6\n0 barrier\n1 barrier\n0 finalize\n1 finalize\n' >late.ti
run 0 forecast late.ti --platform grig_mx --json
holds 't("as it is", "computation") > 0 and abs(t("as it is", "waiting") / t("as it is", "computation") - 1) < 1e-9'

# ---- replay takes edits, too, and warns ----

run 0 replay "$trace" --platform grig_mx --set latency=/2 --set 'bandwidth=*2' --json
holds "d['notes'] == [] and d['platform'] == 'grig_mx+latency=%2+bandwidth=x2' and abs(d['program_s'] / $after - 1) < 1e-9"
run 0 replay "$trace" --platform hdr_fat_tree --set latency=/2
expect 'latency=/2 changes no time of this program, to the last digit: no message leaves a node'
if command -v smpirun >/dev/null; then
  run 0 replay "$trace" --platform grig_mx --set latency=/2 --json
  cp out fast
  run 0 replay "$trace" --platform grig_mx --set latency=/2 --engine smpi --json
  cmp fast out || die "SMPI on an edited platform: $(diff fast out)"
fi

# ---- a profile: its calls are priced, and the price is what bench measures ----

call() { # COLLECTIVE RAN BYTES CALLS TOTAL WAITING
  echo "tutti-call v=1 program=app site=app.c:7 communicator=MPI_COMM_WORLD comm_ranks=8 comm_nodes=8 collective=$1 ran=$2 size_B=$3 type=MPI_INT type_B=4 operation=MPI_SUM root_least=0 root_most=0 calls=$4 total_s=$5 slowest_s=0.5 minimum_s=1e-6 maximum_s=0.1 between_s=1 waiting_s=$6 spread_s=0 last_rank=0 samples=9"
}
{ echo 'tutti-run v=1 tutti=0.1.0 flavor=smpi library=SimGrid-3.32 ranks=8 ranks_per_node=1'
  echo 'tutti-program v=1 program=app ranks=8 elapsed_s=1 collectives_s=2 calls=16 left_out=0'
  call allreduce allreduce/ring 1024 8000 1.5 0.4
  call bcast nobody 1024 80 0.5 0
  echo 'tutti-end v=1 measurements=3'; } >app.profile
run 0 forecast app.profile --platform grig_mx --set latency=/2 --json
holds 'names == ["as it is", "latency=/2", "best methods", "both", "16 ranks"] and d["program_recorded_s"] == 1'
holds 'abs(t("as it is", "computation") - 0.75) < 1e-12 and abs(t("as it is", "waiting") - 0.05) < 1e-12'
holds 'abs(t("as it is", "bcast") - 0.0625) < 1e-12 and t("best methods", "allreduce") < t("as it is", "allreduce")'
holds 'all(abs(sum(v for (s, p), v in times.items() if s == n and p != "program") / t(n) - 1) < 1e-9 for n in names)'
expect 'are not priced, and stays'
priced=$(sed -n 's/.*"collective": "allreduce".*"before_s": \([^,]*\),.*/\1/p' out)
run 0 bench allreduce --platform grig_mx -P 8 -s 1KB --methods ring --engine fast --scheme window --db one.db -q
run 0 map allreduce --platform grig_mx --scheme window --db one.db --times --json
grep -q "\[\[$priced\]\]" out || die "a call is priced at $priced s, and bench measures: $(cat out)"
# Ranks that took turns: SMPI gives each a core of its own, but has no collectives of neighbors.
sed 's/ranks_per_node=1/ranks_per_node=8 cores=2/' app.profile >turns.profile
run 0 forecast turns.profile --platform grig_mx
expect 'or under SMPI, where each rank has a core'
sed 's/ran=nobody/ran=neighborhood_of_4/' turns.profile >near.profile
run 0 forecast near.profile --platform grig_mx
expect 'record at most 2 a node\.$'
grep 'SMPI' out err && die "a program with collectives of neighbors is sent to SMPI"
run 2 forecast app.profile --platform grig_mx --decision allreduce/ring
expect 'decision goes with a trace'
sed 's/size_B=1024/size_B=x/' app.profile >bad.profile
run 2 forecast bad.profile --platform grig_mx
expect 'bad.profile:3'
run 0 whatif grig_mx --set hosts=4 -o four.xml
run 0 forecast "$trace" --platform four.xml
expect 'On twice the ranks nothing is said: four has room for 4'
run 0 forecast "$trace" --platform grig_mx --most-messages 20
expect 'On twice the ranks nothing is said: a method that runs has more than 20 messages'
run 2 forecast app.profile --platform four.xml
expect '8 ranks'
# What SimGrid crashes on is refused, as tutti bench does, by all that the fast engine simulates.
sed 's/<cluster [^>]*>/<cluster id="c" prefix="n" suffix="" radical="0-17" speed="1Gf" bw="1GBps" lat="1us" topology="DRAGONFLY" topo_parameters="3,2;2,1;1,1;3"\/>/' \
  "$source/platforms/fast_ethernet.xml" >crash.xml
for words in "forecast $trace" 'schedule bcast/binomial -P 17' "replay $trace --engine fast"; do
  run 2 $words --platform ./crash.xml
  expect 'crash.xml:[0-9]+: a dragonfly of 3 groups with 1 routers a chassis'
done
run 2 forecast "$trace"
expect 'on which platform\? --platform'
run 2 forecast "$trace" --platform grig_mx --engine smpi
expect 'a forecast is simulated by fast or flow'
run 2 forecast nothing.here --platform grig_mx
expect 'nothing.here'

# ---- experiments: what has too many messages is left out by name, before anything is simulated ----

run 0 bench bcast --platform bgp -P 1024 -s 1MB --methods binomial,scatter-ring --engine fast --most-messages 100000 --db large.db -q
expect '1 point measured, .*1 with too many messages'
expect 'left out: bcast/scatter-ring on 1024 ranks .about 1(\.0)?e\+06 messages, '
expect 'most-messages 0'
run 2 bench bcast --platform bgp -P 131072 -s 1MB --methods scatter-ring --engine fast --db none.db -q
expect 'nothing is left to simulate, because all points have more than 1e\+09 messages: bcast/scatter-ring on 131072 ranks .about 1.7e\+10 messages, 7.2 h or more'
[ ! -e none.db ] || die "a store was made of nothing"
run 2 bench bcast --platform bgp -P 131072 -s 1MB --methods scatter-ring --db none.db -q
expect 'more than 2e\+07 messages.*, 4.1e\+02 h'
run 0 whatif bgp --set latency=/2 bcast -P 256 -s 1MB --methods binomial,scatter-ring --engine fast --most-messages 10000 --db large.db -q
sed -n 1p out | grep -q 'times as fast: geometric mean of 1 point' || die "no verdict: $(cat out)"
expect 'Left out on bgp, because they have too many messages: bcast/scatter-ring on 256 ranks'
run 0 whatif bgp --set latency=/2 bcast -P 256 -s 1MB --methods binomial,scatter-ring --engine fast --most-messages 0 --db large.db -q
! grep -q 'Left out' out || die "left out: $(cat out)"
