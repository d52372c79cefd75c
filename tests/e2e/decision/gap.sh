#!/bin/sh
# How far the best methods are from lower bounds: tutti map --gap as text, JSON, CSV and picture; in place and report; what
# has no bound.
#
# usage: gap.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need python3 python3
grig='--platform grig_mx --db gap.db'
for scheme in window occ; do
  run 0 bench bcast,allreduce $grig --engine fast -P 2,3,8,16 -s 1B,1KB,1MB --scheme $scheme -q
done

run 0 map bcast $grig --scheme window --gap
expect '^  How much more time the best method takes than the lower bound of any method, by size and ranks$'
expect '^ +1B  +[rdi] \+0\.[0-9]%\*'
expect '^    \*  proven optimal at [0-9]+ points?: no method can be faster by more than 1 %$'
expect 'All methods were measured without segments'
expect '^    [rdi]  (rounds|distance|injection) +the largest lower bound at [0-9]+ points?$'
tr '\n' ' ' <out | grep -Eq 'lower bound: +in the median [0-9.]+ %, +at +most +[0-9.]+ % ' || die "no sum: $(cat out)"
for scheme in window occ; do
  for collective in bcast allreduce; do
    run 0 map $collective $grig --scheme $scheme --gap --json
    cp out $collective.$scheme
    run 0 map $collective $grig --scheme $scheme --gap --csv
    [ "$(wc -l <out)" = 13 ] || die "not 12 points: $(cat out)"
  done
done
python3 - bcast.window allreduce.window bcast.occ allreduce.occ <<'PYTHON' || die "the bounds: $(cat bcast.window)"
import json, statistics, sys
bounds = {}
for path in sys.argv[1:]:
    gap = json.load(open(path))["gap"]
    assert len(gap["bounds"]) == gap["points"] == 12, gap
    percents = []
    for row in gap["bounds"]:
        assert 0 < row["bound_s"] <= row["time_s"], row
        assert row["bound_by"] in ("rounds", "distance", "processor", "injection", "ejection", "bisection", "computation"), row
        percents.append(100 * (row["time_s"] / row["bound_s"] - 1))
        assert abs(percents[-1] - row["gap_percent"]) < 1e-6 * max(1, percents[-1]), row
        bounds.setdefault((path.split(".")[0], row["ranks"], row["size_B"]), []).append(row["bound_s"])
    assert abs(gap["median_percent"] - statistics.median(percents)) < 1e-6 and abs(gap["max_percent"] - max(percents)) < 1e-6
    assert gap["optimal"] == sum(percent <= 1 for percent in percents) > 0, gap
    proven = [row["proven"] for row in gap["bounds"]]
    assert [word == "bound" for word in proven] == [percent <= 1 for percent in percents], gap
    assert gap["optimal_in_model"] == proven.count("model"), gap
    worst = percents.index(max(percents))
    assert (gap["worst_ranks"], gap["worst_size_B"]) == (gap["bounds"][worst]["ranks"], gap["bounds"][worst]["size_B"])
for (_, ranks, _), (window, occ) in bounds.items():
    assert 0.9 * window < occ <= window, (ranks, window, occ) # of the barrier nothing can be done before
PYTHON

# ---- what has none ----

run 2 map bcast $grig --scheme window --gap --mine binomial
expect '^tutti map: --gap shows the best times beside their bounds, without --decision, --mine, --curves and --times$'
sed 's/bw="/&1/' "$source/platforms/grig_mx.xml" >grig_mx.xml
TUTTI_PLATFORM_PATH=. run 2 map bcast $grig --scheme window --gap
expect 'grig_mx.xml is not the file that was measured on'
run 0 bench bcast $grig --engine fast -P 4 -s 1KB --methods binomial,linear --arrival straggler/1ms -q
run 2 map bcast $grig --scheme occ --arrival straggler/1ms --gap
expect '^tutti: --gap: bounds are of operations that all ranks begin together: without --arrival and --noise$'
printf 'tutti-run v=1 tutti=0.1.0 flavor=openmpi library=Library-1 ranks=4 ranks_per_node=1\n' >real
for method in linear binomial; do
  echo "tutti-measurement v=1 method=bcast/$method scheme=window ranks=4 root=0 count=8 type_B=1 repetitions=9" \
    "minimum_s=1e-6 median_s=1e-6 mean_s=1e-6 maximum_s=1e-6"
done >>real
echo 'tutti-end v=1 measurements=2' >>real
run 0 import --format tutti real --db real.db --platform cluster
run 2 map bcast --db real.db --platform cluster --gap
expect '^tutti: --gap: bounds are those of a simulated platform'

# ---- report and place ----

cp "$source/platforms/grig_mx.xml" elsewhere.xml
sed -i 's/grig_mx/elsewhere/' elsewhere.xml
run 0 bench bcast --platform ./elsewhere.xml --db else.db --engine fast -P 8 -s 1B,64KB --methods binomial,linear -q
run 0 report --db else.db -o page.html
grep -q '<p>How far from optimal is not known: .*elsewhere' page.html || die "no word why there are no gaps"
run 0 report --db else.db --platform ./elsewhere.xml -o page.html
grep -q '<summary>How far from optimal: ' page.html || die "no gaps by the file that was given"
run 0 report --db gap.db -o page.html
[ "$(grep -c '<summary>How far from optimal: in the median' page.html)" = 4 ] || die "not four maps with bounds"
if command -v gnuplot >/dev/null; then
  run 0 map bcast $grig --scheme window --gap --plot gap.svg
  grep -q 'proven optimal to 1 %' gap.svg || die "the picture marks nothing"
  grep -q 'time of the fastest above the lower bound' gap.svg || die "the picture is another one"
  run 0 place bcast/binomial --platform grig_mx -P 2,8 -s 1B,1MB --methods linear,binomial --json
  python3 -c 'import json, sys
rows = json.load(open("out"))["standings"]
assert len(rows) == 4 and all(abs(row["gap_percent"] - 100 * (row["time_s"] / row["bound_s"] - 1)) < 1e-3 for row in rows)
assert rows[0]["gap_percent"] < 1, rows' || die "place: $(cat out)"
  run 0 place bcast/binomial --platform grig_mx -P 2,8 -s 1B,1MB --methods linear --scheme window --db window.db
  expect 'no method can be faster by more than 1 % .*\(scheme window\)'
fi
echo "bounds of 48 points, below all times"
