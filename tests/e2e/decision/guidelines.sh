#!/bin/sh
# Guidelines over a simulated sweep: the broadcast that Open MPI 4.1 picks from 128 ranks on for 16 KB is linear, a cliff
# beside 127 ranks that tutti guidelines finds, with its cost and what to run instead; over the best methods it is gone.
#
# usage: guidelines.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need python3 python3

cat >cliff.xml <<'XML'
<experiment name="cliff"><platform name="fast_ethernet"/><measure scheme="window"/>
  <sweep collective="bcast"><ranks>2 127 128 129</ranks><sizes>8KB 16KB 32KB</sizes>
    <method algorithm="binomial"/><method algorithm="split-binary" segments="8KB"/>
    <decision name="library:openmpi-4.1"/></sweep>
  <sweep collective="scatter"><ranks>128</ranks><sizes>128</sizes><decision name="library:openmpi-4.1"/></sweep>
  <sweep collective="allgather"><ranks>128</ranks><sizes>128</sizes><decision name="library:openmpi-4.1"/></sweep>
</experiment>
XML
run 0 bench cliff.xml --db cliff.db --quiet

run 1 guidelines --db cliff.db --platform fast_ethernet --decision library:openmpi-4.1
expect '^ +[0-9.]+ +[0-9.]+ +128 +16KB .* bcast\(P, m\) <= \(1\+2/k\) bcast\(2\^k beside P, m\)$'
expect '^ +runs bcast/linear; instead as bcast/k-nomial on 127 ranks$'
expect '^ +[0-9.]+ +[0-9.]+ +128 +16KB .* bcast\(m\) <= scatter\(m/P\) \+ allgather\(m/P\)$'
expect '^ +runs bcast/linear; instead scatter/[a-z-]+ of 128B then allgather/[a-z-]+ of 128B$'
expect '^ +0 +0 +1  scatter\(m\) <= scatterv\(m\)  not measured: scatterv$'
expect '^  [0-9]+ checks not made: the right side was not measured there$'
awk '$3 == 128 || $3 == 129 { if (seen++ && $1 > last) bad = 1; last = $1 } END { exit bad || seen < 5 }' out ||
  die "not sorted by cost: $(cat out)"

# The same in JSON: costs are left minus right, and the right side is the sum of its calls.
run 1 guidelines bcast --db cliff.db --platform fast_ethernet --decision library:openmpi-4.1 --json --top 1000
python3 - <<'PYTHON' || die "the JSON does not add up: $(cat out)"
import json
report = json.load(open("out"))
found = report["violations"]
assert report["violations_in_all"] == len(found) > 3
assert sum(g["violated"] for g in report["guidelines"]) == len(found)
worst = {}
for v in found:
    assert v["collective"] == "bcast" and v["left_s"] > 1.05 * v["right_s"]
    assert abs(v["lost_s"] - (v["left_s"] - v["right_s"])) < 1e-9
    sum_of_calls = sum(c["times"] * c["time_s"] for c in v["instead"])
    cliff = "1+2/k" in v["guideline"]
    assert abs(v["right_s"] - sum_of_calls * (1 + 2 / 7 if cliff else 1)) < 1e-9, v
    point = v["ranks"], v["size_B"]
    mock_up = not cliff and "P' > P" not in v["guideline"]
    worst[point] = max(worst.get(point, 0), v["lost_s"] if mock_up else 0)
assert report["points_violating"] == len(worst) and abs(report["lost_in_all_s"] - sum(worst.values())) < 1e-9
PYTHON

# Over the best methods there is no cliff, and with a tolerance wide enough nothing at all.
run 1 guidelines --db cliff.db --platform fast_ethernet
grep -q '^ .*128 .*beside P' out && die "the best methods have a cliff: $(cat out)"
run 0 guidelines --db cliff.db --platform fast_ethernet --tolerance 1000
expect '^  0 of [0-9]+ checks violated by more than 1000 %, at 0 of 14 points$'
cp out once
run 0 guidelines --db cliff.db --platform fast_ethernet --tolerance 1000
cmp once out || die "not the same bytes"

# Native measurements, a rule file, and bad input.
echo 'bcast/binomial' >rules.txt
run 0 guidelines --db cliff.db --platform fast_ethernet --decision rules.txt bcast --tolerance 300
run 2 guidelines --db cliff.db --platform fast_ethernet --decision native
expect 'cliff.db: nothing that the decision picks was measured on platform fast_ethernet'
run 2 guidelines --db cliff.db --platform fast_ethernet --decision library:openmpi-9
expect 'library:openmpi-9'
run 2 guidelines --db cliff.db --platform elsewhere
expect 'no measurement on platform elsewhere matches; this makes some:$'
expect '^  tutti bench bcast,scatter,gather,allgather,reduce,allreduce --platform elsewhere '
run 2 guidelines --db cliff.db --platform fast_etherent
expect "cliff.db: the store has no platform 'fast_etherent' \(did you mean 'fast_ethernet'\?\)"
run 2 guidelines --db cliff.db --platform fast_ethernet broadcast
expect "broadcast"
run 2 guidelines --db cliff.db --platform fast_ethernet --tolerance much
run 2 guidelines --db none.db --platform fast_ethernet
[ ! -e none.db ] || die "reading made a store"
run 2 guidelines
run 0 guidelines --list bcast
expect 'bcast\(m\) <= scatter\(m/P\) \+ allgather\(m/P\)'
grep -q 'gatherv(m) <=' out && die "guidelines of others are listed: $(cat out)"
echo "a cliff at 128 ranks, and its cost"
