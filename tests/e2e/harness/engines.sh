#!/bin/sh
# tutti check --engines compares two engines and finds what differs; whatif, check and report run, and show, one of them.
#
# usage: engines.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

# ---- equal: all methods of ours, with patterns; what SMPI alone can run is counted ----

run 0 bench bcast,reduce --platform grig_mx -P 4,7 -s 8,4KB --arrival "none straggler/50us/seed=3" \
  --methods binomial,chain,native --write small.xml
run 0 check --engines small.xml -q --output-db both.db
expect '^SimGrid-.* and Engine-1: share of the points whose times are equal to$'
expect '^  bcast\+reduce +grig_mx +32 +100\.00 % +100\.00 % +100\.00 % +100\.00 % +0 %  bcast/binomial '
expect '^  bcast\+reduce: 16 points of methods of the library, which SMPI alone can run, are not compared'
run 0 check --engines small.xml -q --json
python3 - <<'PYTHON' || die "not the document: $(cat out)"
import json
document = json.load(open("out"))
row, = document["experiments"]
assert document["differences"] == [] and document["tolerance_percent"] == 1e-4, document
assert row["points"] == 32 and row["only_before"] == 16 and row["only_after"] == 0, row
assert row["within_1e_12_share"] == 1 and row["differing"] == 0 and row["max_percent"] == 0, row
PYTHON

run 0 check --engines bcast --platform grig_mx -P 4,7 -s 8 --methods binomial,chain --scheme window -q
expect '^  bcast +grig_mx +4 +100\.00 %'
run 2 check --engines bcast --platform grig_mx -P 4 -q
expect 'of which sizes\?'
run 2 check --baseline none --size 8
expect '--size, --methods and --scheme say a sweep for --engines'

# ---- different: a measuring program that is slower by a millionth at one point ----

mkdir -p slow/fast slow/smpi
ln -s "$build/smpi/tutti-bench" slow/smpi/tutti-bench
cat >slow/fast/tutti-bench <<EOF
#!/bin/sh
"$build/fast/tutti-bench" "\$@" | awk '/^tutti-measurement .*bcast.chain.* ranks=7 .*count=8 / && !/arrival/ {
  for (i = 1; i <= NF; i++)
    if (\$i ~ /^(minimum|median|mean|maximum)_s=/) { split(\$i, part, "="); \$i = part[1] sprintf("=%.17g", part[2] * 1.00001) }
  } { print }'
EOF
chmod +x slow/fast/tutti-bench
run 1 check --engines small.xml -q --build-dir slow
expect '^  bcast\+reduce +grig_mx +32 +96\.88 % +96\.88 % +96\.88 % +100\.00 % +0\.001 %  bcast/chain .*ranks=7$'
expect '^  Differ by more than 0\.0001 %:$'
expect '\+?0\.001 %  bcast/chain .*count=8 .*ranks=7$'
run 0 check --engines small.xml -q --build-dir slow --tolerance 0.01
run 1 check --engines small.xml -q --build-dir slow --tolerance time=0.0001% --csv
expect '^0.0001,bcast\+reduce,.*bcast/chain'

# ---- within a tolerance: stored apart, and near where many messages meet ----

run 0 check --engines alltoall --platform torus -P 32 -s 4KB --methods linear-sync,pairwise --scheme window --engine flow -q \
  --output-db flow.db
expect '^Engine-1 and Engine-1\+-1e-6: share of the points whose times are equal to$'
expect '^  alltoall +torus +2 .* 100\.00 % '
sqlite3 flow.db "SELECT flavor, library, count(*) FROM measurement m JOIN environment e ON e.id = m.environment
  GROUP BY 1, 2" >out
printf 'fast|Engine-1|2\nflow|Engine-1+-1e-6|2\n' | cmp - out || die "rows of two engines: $(cat out)"
run 2 map alltoall --db flow.db
expect '--engine flow'
run 0 bench bcast --platform grig_mx -P 4 -s 8 --methods binomial --engine flow --scheme window --db flow.db -q
run 0 bench alltoall --platform torus --groups 2x8 -s 1KB --methods linear --engine flow
expect 'simulated by the engine flow\.'
run 2 check --engines small.xml --engine smpi
expect '--engines compares smpi and fast; with --engine flow, fast and flow'

# ---- faults ----

run 2 check --engines
expect '--engines: which experiment\?'
run 2 check --engines small.xml --update
expect '--engines compares two engines, and has neither a baseline'
run 2 check --engines "$source/experiments/axtmann_figure_4.xml" -q
expect 'the engine fast measures collectives, groups, and ranges'

# ---- one engine in other commands ----

sed 's/ arrival="[^"]*"//; /native/d; s/name="bcast+reduce"/& engine="fast"/' small.xml >fast.xml
run 0 whatif grig_mx --set latency='*2' fast.xml --db whatif.db -q --json
mv out fast.json
run 0 whatif grig_mx --set latency='*2' fast.xml --engine smpi --chunk 1 --db whatif.db -q --json
cmp out fast.json || die "whatif by SMPI and by the fast engine: $(diff out fast.json)"
run 0 whatif grig_mx --set latency='*2' fast.xml --orders 3 --db whatif.db -q
run 2 whatif grig_mx --set latency='*2' fast.xml --engine smpi --orders 3 --db whatif.db -q
expect 'only the engines fast and flow start the ranks in several orders'

run 0 check --update --baseline engine.baseline fast.xml -q
grep -q '^library Engine-1$' engine.baseline || die "another engine: $(cat engine.baseline)"
run 0 check --baseline engine.baseline -q --strict
run 2 check --baseline engine.baseline -q --strict --engine smpi
expect 'Engine-1'

run 0 report --db both.db --json --engine fast
grep -q '"library": "Engine-1"' out || die "no rows of the engine: $(cat out)"
! grep -q '"library": "SimGrid' out || die "rows of SMPI: $(cat out)"
run 0 guidelines --platform grig_mx --db whatif.db --engine fast
run 2 guidelines --platform grig_mx --db whatif.db
expect "^  --engine fast  # fast, library 'Engine-1'"
