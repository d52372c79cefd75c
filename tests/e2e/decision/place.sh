#!/bin/sh
# tutti place: an algorithm is proven, measured against the others, and put in its place; the sentence, the tables and the
# figures say the same as the times that are stored, and what is stored is not measured again.
#
# usage: place.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need python3 python3-minimal
need gnuplot gnuplot-nox
need cc gcc
CFLAGS="-O1 -Wall -Wextra -Werror"
export CFLAGS
grig='--platform grig_mx -P 4,8 -s 8,1KB,64KB -q'

# ---- a method of the catalogue ----

run 0 place bcast/split-binary $grig
sed q out >verdict
grep -qE '^bcast/split-binary is the fastest at [1-6] of 6 points, by up to [0-9.]+ % over bcast/[^ ]+ \((4|8) ranks, [0-9A-Z]+\).*; in the mean it is [0-9]+(st|nd|rd|th) of [0-9]+ methods, [0-9.]+ % behind the fastest of each point' verdict ||
  die "the verdict: $(cat verdict)"
[ "$(wc -l <err)" = 0 ] || die "it says: $(cat err)"
for file in .csv -methods.csv .tex -points.tex .pdf -map.pdf .db; do
  [ -s "place-bcast-split-binary$file" ] || die "no place-bcast-split-binary$file: $(ls)"
done
for page in place-bcast-split-binary.pdf place-bcast-split-binary-map.pdf; do
  grep -aqE '/MediaBox \[ 0 0 238(\.[0-9]+)? ' $page || die "$page is not 8.4 cm wide: $(grep -a MediaBox $page)"
done

# Its tables say what the times of the store say: they are computed here once more.
run 0 place bcast/split-binary $grig --json
cp out place.json
run 0 map bcast --platform grig_mx --db place-bcast-split-binary.db --times --csv
python3 - out place.json verdict place-bcast-split-binary.csv <<'PYTHON' || die "the tables: $(cat place.json)"
import csv, json, statistics, sys
times = {}
for row in csv.DictReader(open(sys.argv[1], newline="")):
    times.setdefault((int(row["ranks"]), int(row["size_B"])), {})[row["method"]] = float(row["median_s"])
place = json.load(open(sys.argv[2]))
assert place["platform"] == "grig_mx" and place["flavor"] == "fast", place
(mine,) = place["summary"]
assert mine["verified"] is True and mine["reason"] is None and mine["max_ranks"] == 33 and mine["scheme"] == "occ", mine
assert open(sys.argv[3]).read() == mine["verdict"] + ".\n"
near = lambda a, b: abs(a - b) < 1e-6 * max(1, abs(b))
won, gains = 0, []
assert len(place["standings"]) == len(times) == 6
for row in place["standings"]:
    there = times[row["ranks"], row["size_B"]]
    own = min(time for method, time in there.items() if method.split("/")[1] == "split-binary")
    other = min(time for method, time in there.items() if method.split("/")[1] != "split-binary")
    assert near(row["time_s"], own) and near(row["runner_up_median_s"], other) and near(there[row["runner_up"]], other), row
    assert near(row["penalty_percent"], 100 * (own / min(own, other) - 1)), row
    assert row["rank"] == 1 + sum(time < own * (1 - 1e-9) for time in there.values()), row
    if own < other * (1 - 1e-9):
        won, gains = won + 1, gains + [100 * (other / own - 1)]
        assert near(row["gain_percent"], gains[-1]), row
    else:
        assert row["gain_percent"] is None, row
assert won == mine["won"] and near(max(gains), mine["gain_percent"]), (won, gains, mine)
means = {}
for row in place["methods"]:
    percents = [100 * (there[row["method"]] / min(there.values()) - 1) for there in times.values() if row["method"] in there]
    if len(percents) == 6:
        assert near(row["mean_percent"], statistics.mean(percents)) and near(row["median_percent"], statistics.median(percents)), row
        assert near(row["max_percent"], max(percents)), row
    means[row["method"]] = row["mean_percent"]
    assert row["placed"] == (row["method"].split("/")[1] == "split-binary"), row
best = min(mean for method, mean in means.items() if "split-binary" in method)
assert near(mine["mean_percent"], best) and mine["count"] == len(place["methods"]), mine
assert mine["rank"] == 1 + sum(mean < best * (1 - 1e-9) for mean in means.values()), (mine, best)
rows = list(csv.DictReader(open(sys.argv[4], newline="")))
assert [(int(row["ranks"]), int(row["size_B"]), int(row["rank"])) for row in rows] == [
    (row["ranks"], row["size_B"], row["rank"]) for row in place["standings"]]
PYTHON
run 0 place bcast/split-binary $grig --csv
[ "$(grep -c '^.$' out)" = 2 ] || die "not three tables: $(cat out)"

# ---- LaTeX ----

run 0 place bcast/split-binary $grig --latex
[ "$(grep -c '^\\begin{tabular}{[lr]*}$' out)" = 3 ] || die "not three tabulars: $(cat out)"
python3 - out place-bcast-split-binary.tex place-bcast-split-binary-points.tex <<'PYTHON' || die "no LaTeX: $(cat out)"
import re, sys
for path in sys.argv[1:]:
    columns = 0
    for line in open(path):
        begin = re.match(r"\\begin\{tabular\}\{([lr]+)\}$", line)
        columns = len(begin[1]) if begin else columns
        if line == "\n":
            continue
        if line.startswith("\\"):
            assert begin or line in ("\\hline\n", "\\end{tabular}\n"), line
            continue
        assert line.endswith(" \\\\\n") and len(re.findall(r"(?<!\\)&", line)) == columns - 1, line
        assert not re.search(r"(?<!\\)[#$%_{}]", line[:-4]), line
PYTHON

# ---- what is stored is not measured again, and the same command writes the same bytes ----

mkdir before
cp place-* before
run 0 place bcast/split-binary --platform grig_mx -P 4,8 -s 8,1KB,64KB
cp out again
run 0 place bcast/split-binary $grig
cmp out again || die "another output with progress"
for file in .csv -methods.csv .tex -points.tex .pdf -map.pdf .db; do
  cmp "place-bcast-split-binary$file" "before/place-bcast-split-binary$file" || die "other bytes of $file"
done
# A store that lacks some of it gets that, and keeps the rest, which is changed here to be known again.
python3 - place-bcast-split-binary.db <<'PYTHON' || die "the store cannot be changed"
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
gone = store.execute("DELETE FROM measurement WHERE ranks = 4").rowcount
kept = store.execute("UPDATE measurement SET minimum_s = 1e-9, median_s = 1e-9 WHERE rank_B = 8 AND method ="
                     " (SELECT id FROM method WHERE name = 'bcast/chain')").rowcount
store.commit()
assert gone > 40 and kept == 1, (gone, kept)
PYTHON
run 0 place bcast/split-binary $grig --csv
grep -qE '^bcast/split-binary,8,8,[^,]*,[^,]*,[^,]*,bcast/chain,1e-09,' place-bcast-split-binary.csv ||
  die "what was there is measured again: $(cat place-bcast-split-binary.csv)"
[ "$(grep -c '^bcast/split-binary,4,' place-bcast-split-binary.csv)" = 3 ] || die "what is missing is not measured"
# More ranks: only these are measured, and fewer are placed although the store has more.
run 0 place bcast/split-binary --platform grig_mx -P 4,8,16 -s 8,1KB,64KB
run 0 place bcast/split-binary --platform grig_mx -P 8 -s 1KB --json -o other --db place-bcast-split-binary.db
expect '"points": 1, '
[ -s other.tex ] && [ ! -e other.db ] || die "not the files of -o: $(ls)"

mkdir folder
run 0 place bcast/split-binary --platform grig_mx -P 8 -s 8,1KB -q -o folder --db place-bcast-split-binary.db
[ -s folder/place-bcast-split-binary.csv ] || die "not in the folder: $(ls folder)"

# ---- one form of it; the ranks and sizes that make sense; a barrier, which has no sizes ----

run 0 place bcast/chain/8KB/k=2 $grig --methods linear
expect '^bcast/chain/8KB/k=2 is .* of 6 points'
expect '2 methods, 2 numbers of ranks, 3 sizes$'
[ -s place-bcast-chain-8KB-k-2.csv ] || die "which name has the table? $(ls)"
"$tutti" platform new cluster 12 --latency 2us --bandwidth 10GBps -o twelve.xml >out 2>err || die "no machine: $(cat err)"
run 0 place bcast/binomial --platform twelve.xml --methods linear -q
expect '4 methods, 3 numbers of ranks, 12 sizes$'
expect ' size  4 +8 +12$'
expect '^ *1MB '
run 0 place barrier/linear --platform grig_mx -P 4,8 -q
expect '^barrier/linear is .* of 2 points'
[ -s place-barrier-linear-map.pdf ] && [ ! -e place-barrier-linear.pdf ] || die "a barrier has no curves: $(ls)"

# ---- a source: it wins over a method that is slower ----

run 0 new algorithm mine --collective bcast
run 0 place mine/mine.c $grig --methods chain
expect '^bcast/mine is the fastest at [1-6] of 6 points'
[ -s mine/mine.so ] && [ -s place-bcast-mine.pdf ] || die "not compiled, or not drawn: $(ls . mine)"
run 0 place mine/mine.so $grig --methods chain --json
expect '"verified": true'

# Of several algorithms each has its place and its files.
sed '/^    {.collective/{p;s/"mine"/"other"/;}' mine/mine.c >two.c
run 0 place ./two.c $grig --methods chain -o two
sed 2q out | grep -cE '^bcast/(mine|other) is nowhere the fastest of 6 points, and as fast as the fastest at 4;' | grep -qx 2 || die "not two verdicts first: $(cat out)"
for file in two-bcast-mine.csv two-bcast-other.csv two-bcast-other.pdf two.db; do
  [ -s $file ] || die "no $file: $(ls)"
done

# It changes, and takes no segments any more: its times of before are left out, and it is measured anew, alone.
cp mine/mine.c form.c
run 0 place form.c $grig --methods linear --json
expect '"method": "bcast/mine/8KB"'
sed 's/\.parameters = TUTTI_TAKES_SEGMENT, //' mine/mine.c >form.c
! grep -q 'parameters = ' form.c || die "it takes segments: $(cat form.c)"
run 0 place form.c $grig --methods linear --json
expect 'note: place-bcast-mine.db: [0-9]+ measurements of plug-ins as they were before they changed are left out'
grep -q 'bcast/mine/8KB' out && die "a form of before is placed: $(cat out)"

# ---- a wrong one is not measured ----

sed 's/if (peer != call->root)/if (peer != call->root \&\& peer != 2)/' mine/mine.c >wrong.c
run 1 place wrong.c $grig
[ "$(sed q out)" = "$(cat out)" ] && expect '^bcast/mine is wrong: 3 ranks, root 0, 1 element: rank 2'
[ ! -e place-bcast-mine.db.work ] && run 1 place wrong.c $grig --json -o wrong
expect '"verified": false, "reason": "bcast/mine, 3 ranks'
[ ! -e wrong.db ] && [ ! -e wrong.csv ] || die "a wrong algorithm was measured: $(ls)"
sed 's/tutti_block segment = /*(volatile int *)0 = 1; tutti_block segment = /' mine/mine.c >crash.c
(CFLAGS=-O1 && export CFLAGS && run 1 place crash.c $grig) || exit 1
expect '^bcast/mine is wrong: 1 rank, root 0, 1 element: build\(\) crashed \(segmentation fault\)'

# ---- bad input ----

refused() { # MESSAGE ARGUMENTS...
  message=$1
  shift
  run 2 place "$@"
  grep -qF -e "$message" err || die "$*: no '$message' in $(cat err)"
  [ ! -s out ] || die "$*: it prints $(cat out)"
}
refused 'on which machine? --platform' bcast/linear
refused 'which method' --platform grig_mx
refused "'mine' is none of FILE.c, FILE.so, FILE.xml and COLLECTIVE/ALGORITHM" mine --platform grig_mx
refused "'/dev/null' is none of FILE.c" /dev/null --platform grig_mx
refused 'absent.c: there is no such file' absent.c --platform grig_mx
refused 'absent.so: there is no such plug-in' absent.so --platform grig_mx
refused "unknown bcast algorithm 'magic'" bcast/magic --platform grig_mx
refused 'is code of a library' bcast/native --platform grig_mx
refused 'is code of a library' bcast/binomial@openmpi --platform grig_mx
refused "platform 'absent' not found" bcast/linear --platform absent
refused "unknown bcast algorithm 'magic'" bcast/linear --platform grig_mx -P 4 -s 8 --methods magic
refused 'take hours to simulate' alltoall/linear --platform supermuc -P 4096
refused 'output: absent/: No such file' bcast/linear --platform grig_mx -o absent/x
echo 'this is no store' >text.db
refused 'text.db' bcast/linear --platform grig_mx --db text.db
echo 'int broken = ;' >broken.c
refused 'broken.c: cc does not compile it' broken.c --platform grig_mx
(CC='cc -v-is-no-option' && export CC && refused 'wrong.c: cc does not compile it' wrong.c --platform grig_mx) || exit 1
(CC='absent-compiler' && export CC && refused 'absent-compiler' wrong.c --platform grig_mx) || exit 1
(CC=' ' && export CC && refused 'CC names no compiler' wrong.c --platform grig_mx) || exit 1
echo 'int empty;' >empty.c
refused 'is no plug-in of Tutti' empty.c --platform grig_mx
cp mine/mine.c ./-o.c
run 0 place $grig --methods chain -o dash -- -o.c
[ -s ./-o.so ] || die "a source whose name begins with '-': $(ls)"

# Without gnuplot there is everything else.
mkdir few
for program in cc as ld sh; do ln -s "$(command -v $program)" few/$program; done
(PATH=$place/few && export PATH && run 0 place bcast/linear $grig -o bare --db place-bcast-split-binary.db) || exit 1
expect 'note: no figures: they need the program gnuplot'
[ -s bare.csv ] && [ -s bare.tex ] && [ ! -e bare.pdf ] || die "not the tables alone: $(ls)"
echo "placed: the sentence, tables and figures say what the store says"
