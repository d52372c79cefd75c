#!/bin/sh
# The regression gate finds a slow-down of 3 %, a message and a byte of memory that are added to one algorithm, and nothing
# else; decisions, missing points, other platforms and simulators; faults of a baseline; a killed update keeps the old file.
#
# usage: check.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need xmllint libxml2-utils
TMPDIR=$place/tmp
export TMPDIR
mkdir "$TMPDIR"
cp "$source"/tests/gate/*.xml "$source/tests/gate/alltoall.rules" .
# One point of each algorithm of the collectives that no fault is planted in; the test `gate` measures all.
awk '/<sweep/ { few = /"(scatterv|gatherv|allgatherv|alltoallv|alltoallw|reduce_scatter|reduce_scatter_block|exscan|gather|allgather)"/ }
  few { sub(/8B 10000B/, "8B"); sub(/<ranks>[ 0-9]*</, "<ranks>12<") } 1' "$source/tests/gate/collectives.xml" >collectives.xml

lines() { # the rows of the table of what got worse: PERCENT VALUE POINT
  sed -n '/^  Worse/,/^$/{s/^ *\([+-][0-9.e-]*\) \(%\|points\)  \([a-z ]*[a-z]\)  .*[0-9]\( us\| B\| %\|\)  \([a-z].*\)$/\1 \3: \5/p;}' out
}

older() { # lines of baselines that were changed, without the number of points and the digest
  sed '1s/2$/1/; /^end /d'
}

thousands() { # NUMBER: with the comma that the command prints
  echo "$1" | sed 's/\(.\)\(...\)$/\1,\2/'
}

planted() { # NAME SUBCOMMAND ARGUMENTS...: the command with planted faults, which leaves out and err
  variant=$build/planted/$1
  shift
  "$variant/tutti" "$@" >out 2>err
  code=$?
}

made_of() { # COLLECTIVE ALGORITHM: it, and the algorithms that have it as a part, as the catalogue says
  echo "$1/$2"
  "$tutti" algorithms | awk -v part="($1, usually $2)" '/^[a-z]/ { name = $1 } index($0, part) { print name }'
}

part() { # COLLECTIVE: its sweep alone in COLLECTIVE.xml, with COLLECTIVE.baseline
  awk -v wanted="\"$1\"" '/<sweep/ { other = !index($0, wanted) } !other || /<.experiment>/' collectives.xml >"$1.xml"
  run 0 check --update --baseline "$1.baseline" "$1.xml" -q
}

# The programs of a build with planted faults; the others are the normal ones.
for variant in scan allreduce costs; do
  mkdir -p $variant/smpi
  cp "$build/planted/$variant/smpi/tutti-bench" $variant/smpi/ || die "no planted tutti-bench"
  for program in group sort range; do
    ln -s "$build/smpi/tutti-$program" $variant/smpi/
  done
done

# ---- a baseline, and the same again ----

run 0 check --update --baseline gate.baseline collectives.xml groups.xml sorts.xml ranges.xml -q
expect '^gate.baseline: 0 points, [1-9][0-9,]* new$'
points=$(sed -n 's/^gate.baseline: 0 points, \([0-9,]*\) new$/\1/p' out | tr -d ,)
shown=$(thousands "$points")
sed -i 's/^experiment groups.xml/decision library:openmpi-4.1 collective=bcast\ndecision alltoall.rules collective=alltoall\n&/
  s/^bcast\/linear ranks=8 root=1 bytes=8B/# Kept by updates.\n&/' gate.baseline
run 0 check --baseline gate.baseline -q
expect "^gate.baseline: $shown points, 2 new\$"
points=$((points + 2))
shown=$(thousands $points)
expect '^  decision alltoall.rules collective=alltoall '
run 0 check --update --baseline gate.baseline -q
grep -q '^decision alltoall.rules collective=alltoall mean_percent=[0-9.]* worst_percent=[0-9.]* points=8$' gate.baseline ||
  die "the decision has no penalty"
[ "$(grep -A 1 'Kept by updates' gate.baseline | cut -c 1-12 | tail -n 1)" = "bcast/linear" ] || die "the comment is lost"
cp gate.baseline before
run 0 check --update --baseline gate.baseline -q -j 1
cmp before gate.baseline || die "an update without a change changed the file"
run 0 check --baseline gate.baseline --tolerance 0 -q -j 4 --junit same.xml --keep-db kept.db
[ "$(cat out)" = "gate.baseline: $shown points, all equal to the baseline" ] || die "not the same: $(cat out)"
xmllint --noout same.xml || die "JUnit is not well-formed"
[ "$(xmllint --xpath 'count(//testcase)' same.xml)" = "$points" ] || die "JUnit has another number of points"
[ "$(xmllint --xpath 'count(//failure)+count(//skipped)' same.xml)" = 0 ] || die "JUnit has failures"
run 0 map bcast --platform fast_ethernet --db kept.db --scheme window
run 2 check --baseline gate.baseline -q --keep-db kept.db
expect 'kept.db: is there already'

# ---- 3 % slower: one algorithm, all of its points, nothing else ----

planted scan schedule scan/binomial -P 13
[ $code -eq 0 ] || die "what is planted is not correct: $(cat out err)"
planted scan check --baseline gate.baseline --build-dir scan -q --junit scan.junit
[ $code -eq 1 ] || die "3 % slower: status $code: $(cat out err)"
expect "^gate.baseline: $shown points, 6 values of 6 points worse\$"
grep '^scan/binomial ' gate.baseline | sed 's/ time_s.*//' | sort >wanted
lines | sed 's/.* time: \(.*\)  .*/\1/' | sort >found
cmp wanted found || die "other points than those of the algorithm: $(cat out)"
lines | awk '$1 < 2.9 || $1 > 3.1 { exit 1 }' || die "not 3 %: $(cat out)"
xmllint --noout scan.junit || die "JUnit is not well-formed"
xmllint --xpath '//testcase[failure]/@name' scan.junit | sed 's/^ *name="\(.*\)"$/\1/' | sort >found
cmp wanted found || die "other failures in JUnit: $(cat found)"
[ "$(xmllint --xpath 'sum(//testsuite/@failures)' scan.junit)" = 6 ] || die "JUnit adds up to another number"

# As annotations and a summary: printed, or appended to the file of the run; paths are those of the repository.
planted scan check --baseline gate.baseline --build-dir scan -q --format github
[ $code -eq 1 ] || die "GitHub: status $code: $(cat out err)"
[ "$(grep -c '^::' out)" -eq 1 ] || die "more than an annotation for each algorithm: $(cat out)"
line=$(grep -n '^scan/binomial ranks=8 bytes=8B ' gate.baseline | cut -d : -f 1)
grep -q "^::error file=gate.baseline,line=$line,title=worse than the baseline::scan/binomial: 6 of 6 points; scan/binomial ranks=8 bytes=8B: time 295.[0-9]* us instead of 287.[0-9]* us, +[0-9.]* %25\$" out || die "no annotation: $(cat out)"
expect '^\| [+]3.[0-9]+ % \| time \| 287.[0-9]+ us \| 295.[0-9]+ us \| scan/binomial ranks=8 bytes=8B'
echo 'of another step' >summary
part scan
GITHUB_STEP_SUMMARY=$place/summary GITHUB_WORKSPACE=$place/..
export GITHUB_STEP_SUMMARY GITHUB_WORKSPACE
planted scan check --baseline scan.baseline --build-dir scan -q --format github
unset GITHUB_STEP_SUMMARY GITHUB_WORKSPACE
expect "^::error file=$(basename "$place")/scan.baseline,"
expect "^scan.baseline: $(grep -c '^scan/' scan.baseline) points, 6 values of 6 points worse\$"
head -n 1 summary | grep -qx 'of another step' || die "the summary of another step is lost"
grep -qx '| change | value | baseline | now | point |' summary || die "no table in the summary: $(cat summary)"
[ "$(grep -c '^| +[23]\..* | scan/binomial' summary)" -eq 6 ] || die "other rows in the summary: $(cat summary)"

# The same of a few points: in the same words again, with a tolerance, as JSON.
printf 'tutti-baseline 1\npoints fast_ethernet\nscan/binomial ranks=8 bytes=8B\nscan/binary ranks=8 bytes=8B\n' >small.baseline
run 0 check --update --baseline small.baseline -q
planted scan check --baseline small.baseline --build-dir scan -q
expect '^small.baseline: 2 points, 1 value of 1 point worse$'
mv out first
planted scan check --baseline small.baseline --build-dir scan -q -j 1
cmp first out || die "the same check says something else"
planted scan check --baseline small.baseline --build-dir scan -q --tolerance time=3.5
[ $code -eq 0 ] || die "3 % within a tolerance of 3.5 %: status $code: $(cat out err)"
expect '^small.baseline: 2 points, 1 value worse within the tolerance, time \+3\.[0-9]* %$'
planted scan check --baseline small.baseline --build-dir scan -q --json
[ $code -eq 1 ] || die "JSON: status $code: $(cat out err)"
grep -q '"point": "scan/binomial ranks=8 bytes=8B", "section": "fast_ethernet", "value": "time_s", "baseline": 0' out ||
  die "JSON: $(cat out)"

# An algorithm that others are made of: those are named, too, if they become slower by more than the tolerance.
planted allreduce check --baseline gate.baseline --build-dir allreduce -q
[ $code -eq 1 ] || die "3 % slower: status $code: $(cat out err)"
expect '^  worse: allreduce/recursive-doubling, 6 of 6 points$'
expect '^  worse: allreduce/two-level, 2 of 6 points$'
made_of allreduce recursive-doubling | sort >wanted
sed -n 's/^  worse: \(.*\), [0-9]* of [0-9]* points$/\1/p' out | sort >found
cmp wanted found || die "others are worse: $(cat out)"

# In the other direction it is faster.
cp gate.baseline slow.baseline
planted scan check --update --baseline slow.baseline --build-dir scan -q
[ $code -eq 0 ] || die "update: status $code: $(cat out err)"
expect "^slow.baseline: $shown points, 6 values of 6 points worse, 6 values rewritten\$"
[ "$(diff gate.baseline slow.baseline | grep -v '^> end ' | grep -c '^>')" -eq 6 ] || die "an update changed other lines: $(diff gate.baseline slow.baseline)"
run 0 check --baseline slow.baseline -q
expect "^slow.baseline: $shown points, 6 values of 6 points better\$"
expect 'Better \(--update keeps it so\):'

# ---- a message and a byte more ----

planted costs check --baseline gate.baseline --build-dir costs -q
[ $code -eq 1 ] || die "more messages: status $code: $(cat out err)"
lines | sed 's/^[^ ]* \([a-z]*\): \([^ /]*.[^ /]*\).*/\1 \2/' | sort | uniq -c | sed 's/^ *//' >found
for line in '4 messages barrier/double-ring' '4 time barrier/double-ring' '6 memory scatter/binomial'; do
  grep -qx "$line" found || die "a message and a byte more, and no '$line': $(cat out)"
done
{
  made_of scatter binomial | sed 's/^/memory /'
  printf '%s barrier/double-ring\n' messages time
} | sort >wanted
sed 's/^[0-9]* //' found | sort | cmp - wanted || die "a message and a byte more: $(cat out)"

# ---- a decision function that got worse ----

printf 'alltoall/bruck\n' >alltoall.rules
run 1 check --baseline gate.baseline -q
expect '^  worse: decision alltoall.rules, 1 of 1 points$'
[ "$(grep -c '^  worse:' out)" -eq 1 ] || die "others are worse: $(cat out)"
cp "$source/tests/gate/alltoall.rules" .

# ---- missing, new ----

part barrier
cp collectives.xml whole.xml
sed -i 's/<ranks>8 12 13</<ranks>8 12 14</' groups.xml
sed -i '0,/<sweep collective="barrier">/s//<sweep collective="barrier"><method algorithm="linear"\/>/' collectives.xml barrier.xml
run 1 check --baseline gate.baseline -q --junit missing.junit
expect "^gate.baseline: $shown points, 25 missing\$"
expect '^  barrier/bruck ranks=12 '
[ "$(xmllint --xpath 'count(//failure[@type="missing"])' missing.junit)" = 25 ] || die "JUnit misses other points"
strict() { # ARGUMENTS: what was compared with a gap, where all that is promised must be compared
  run 2 check --strict -q "$@"
  CI=true && export CI
  run 2 check -q "$@"
  CI=false
  "$tutti" check -q "$@" >out 2>&1
  [ $? -lt 2 ] || die "strict without CI: $(cat out)"
  CI=true
  "$tutti" check --no-strict -q "$@" >out 2>&1
  [ $? -lt 2 ] || die "strict with --no-strict: $(cat out)"
  run 2 check -q "$@"
  unset CI
}
strict --baseline barrier.baseline
expect '^tutti: barrier.baseline: barrier.xml: 25 of [0-9]+ points of the baseline are not measured any more, the first is barrier/tree ranks=2: put them back into barrier.xml, or leave them out '
run 1 check --baseline barrier.baseline -q --format github
line=$(grep -n '^experiment barrier.xml' barrier.baseline | cut -d : -f 1)
expect "^::error file=barrier.baseline,line=$line,title=points are missing::barrier.xml: 25 of "
run 1 check --baseline barrier.baseline -q --json
expect '"not_compared": \['
mv whole.xml collectives.xml
CI=true && export CI
run 0 check --baseline gate.baseline -q
unset CI

# ---- inline points; another platform; another simulator ----

cat >points.baseline <<'END'
tutti-baseline 1
points fast_ethernet
allreduce/ring ranks=4 bytes=1KB
# the same, in another way
bcast/binomial ranks=4 root=1 bytes=1024
decision bcast/binomial collective=bcast
END
run 0 check --update --baseline points.baseline -q
expect '^points.baseline: 0 points, 3 new$'
grep -q '^allreduce/ring ranks=4 bytes=1KB time_s=0.000[0-9]* messages=24 sent_B=6144 memory_B=0$' points.baseline ||
  die "inline points: $(cat points.baseline)"
run 0 check --baseline points.baseline -q
sed 's/^allreduce\/ring.*messages=/&2/' points.baseline | older >other.baseline
sed -i 's/^\(platform fast_ethernet \)..../\10000/' other.baseline
run 0 check --baseline other.baseline -q
expect 'the platform is not that of the baseline, times may differ for that reason: fast_ethernet '
expect '^ +-89.29 %  messages '
strict --baseline other.baseline
expect '^tutti: other.baseline: fast_ethernet: the platform is not .*: restore the platform file, or write .* --update '
run 0 check --baseline other.baseline -q --format github
expect '^::warning file=other.baseline,line=3,title=another platform::'
run 2 check --strict --baseline other.baseline -q --format github
expect '^::error file=other.baseline,line=3,title=another platform::'
sed 's/^library .*/library SimGrid-0.1/; s/time_s=0.000/time_s=0.0000/; s/messages=24/messages=23/' points.baseline |
  older >other.baseline
run 1 check --baseline other.baseline -q --junit other.junit
expect "times are not compared, only what schedules count: simulated by SimGrid-[0-9.]*, the baseline by SimGrid-0.1"
[ "$(lines)" = "+4.35 messages: allreduce/ring ranks=4 bytes=1KB" ] || die "another simulator: $(cat out)"
strict --baseline other.baseline
expect '^tutti: other.baseline: fast_ethernet: times are not compared, .*: check with SimGrid-0.1, or write the values '
[ "$(xmllint --xpath 'count(//skipped)' other.junit)" = 2 ] || die "not skipped in JUnit: $(cat other.junit)"

# ---- cut, edited, without times, older ----

refused() { # WORDS: bad.baseline, but an update reads it
  run 2 check --baseline bad.baseline -q
  expect "^tutti: bad.baseline:[0-9]+: .*$1"
  cp bad.baseline update.baseline
  run 0 check --update --baseline update.baseline -q
  run 0 check --baseline update.baseline --tolerance 0 -q
  expect '^update.baseline: 3 points, all equal to the baseline$'
}
sed '/^end /d' points.baseline >bad.baseline
refused "the file is cut: its last line, 'end', is missing"
sed '/^allreduce\/ring /s/ time_s=.*//' points.baseline >bad.baseline
refused 'the file has 2 points with values, but was written with 3: lines are missing'
sed 's/messages=24/messages=25/' points.baseline >bad.baseline
refused 'the file is not as it was written'
head -n 1 points.baseline >bad.baseline
run 2 check --baseline bad.baseline -q
expect "^tutti: bad.baseline:1: the file is cut"
older <points.baseline | sed 's/ time_s=[^ ]*//' >bad.baseline
run 2 check --baseline bad.baseline -q
expect '^tutti: bad.baseline: no point has a time, so nothing that was measured can be compared; --update writes'
older <points.baseline >bad.baseline
run 0 check --baseline bad.baseline -q
expect '^bad.baseline: 3 points, all equal to the baseline$'
grep -q '^tutti: warning: bad.baseline: .*--update' err || die "no warning about an older baseline: $(cat err)"
run 0 check --update --baseline bad.baseline -q
[ ! -s err ] || die "an update warns: $(cat err)"
cmp points.baseline bad.baseline || die "an update of an older baseline is another one"

# ---- faults ----

refuse() { # LINES WORDS: a baseline of these lines
  printf "$1" >bad.baseline
  run 2 check --baseline bad.baseline -q
  expect "^tutti: bad.baseline:$2"
}
head='tutti-baseline 1\npoints fast_ethernet\n'
refuse '' '1: not a baseline'
refuse 'tutti-baseline 3\n' '1: this version of Tutti reads baselines of versions 1 and 2'
refuse 'tutti-baseline 2\n' "1: the file is cut"
refuse 'tutti-baseline 2\nend points=no\n' "2: 'end' needs points="
refuse 'tutti-baseline 1\nbcast/linear ranks=2 root=0 bytes=8B\n' '2: a point stands in a section'
refuse 'tutti-baseline 1\nexperiment\n' "2: 'experiment' needs the name of a file"
refuse "${head}points fast_ethernet\n" '3: this section is there already'
refuse "${head}platform fast_ethernet 12\n" '3: a platform is its name and 64 hexadecimal digits'
refuse "${head}library A\nlibrary B\n" '4: this section has said that already'
refuse "${head}bcast/linar ranks=2 root=0 bytes=8B\n" "3: .*linar"
refuse "${head}bcast/linear ranks=2 root=0\n" "3: 'bcast/linear' needs bytes="
refuse "${head}bcast/linear ranks=two root=0 bytes=8B\n" "3: cannot use 'ranks=two'"
refuse "${head}barrier/linear ranks=2 bytes=8B\n" "3: cannot use 'bytes=8B'"
refuse "${head}barrier/linear ranks=2 time_s=1s\n" "3: cannot use the value 'time_s=1s'"
refuse "${head}barrier/linear ranks=2 messages=1.5\n" "3: cannot use the value 'messages=1.5'"
refuse "${head}barrier/linear ranks=2 points=1\n" '3: such a line has no points='
refuse "${head}barrier/linear ranks=2\n\nbarrier/linear  ranks=2 messages=2\n" '5: this point is there already'
refuse "${head}sort janus ranks=2 count=1\n" '3: groups, sorts and ranges are those of an experiment'
refuse "${head}barrier/linear ranks=2\ndecision none.rules collective=barrier\n" '4: .*none.rules'
refuse "${head}barrier/linear ranks=2\ndecision barrier/linear collective=bcast\n" '4: '
refuse_words() { # WORDS ARGUMENTS...
  words=$1
  shift
  run 2 check "$@" -q
  expect "$words"
}
printf 'tutti-baseline 1\npoints nowhere\nbarrier/linear ranks=2\n' >bad.baseline
refuse_words 'nowhere' --baseline bad.baseline
refuse_words 'none.baseline: is not there: restore it .*: tutti check --update --baseline none.baseline EXP' --baseline none.baseline
refuse_words 'strict or --no-strict' --baseline gate.baseline --strict --no-strict
refuse_words 'neither --json nor --csv' --baseline gate.baseline --format github --json
refuse_words 'is not there: restore it .*: tutti check --update .*EXP' --baseline none.baseline --update
refuse_words 'which baseline'
refuse_words "experiments are named in the baseline" --baseline gate.baseline groups.xml
refuse_words 'no number of percent|is not a number of percent' --baseline gate.baseline --tolerance time=-1
refuse_words 'tolerances are those of time' --baseline gate.baseline --tolerance speed=1
refuse_words 'none/gate.baseline: ' --baseline none/gate.baseline --update groups.xml
mkdir folder.baseline
refuse_words 'folder.baseline: ' --baseline folder.baseline --update groups.xml
refuse_words 'none/x.xml: ' --baseline gate.baseline --junit none/x.xml
cat >real.xml <<'END'
<experiment name="real"><platform kind="real" name="here" flavor="mpich"/>
  <sweep collective="barrier"><ranks>2</ranks></sweep></experiment>
END
refuse_words 'a baseline is of simulated hardware' --baseline real.baseline --update real.xml
[ ! -e real.baseline ] || die "a failed update left a file"

# ---- killed: the old file or the new one, whole ----

kills=0
for tenths in 1 4 7 10 13; do
  cp gate.baseline killed.baseline
  "$build/planted/scan/tutti" check --update --baseline killed.baseline --build-dir scan -q >out 2>err &
  process=$!
  sleep "$((tenths / 10)).$((tenths % 10))"
  kill -KILL $process 2>/dev/null && kills=$((kills + 1))
  wait $process 2>/dev/null
  cmp -s gate.baseline killed.baseline || cmp -s slow.baseline killed.baseline || die "a killed update left half a file"
done
[ $kills -gt 0 ] || die "no update could be killed in time"
rm -rf "$TMPDIR"/*
cp gate.baseline killed.baseline
for moment in 0.02 0.05 0.1 0.2 0.3 0.4 0.5; do # while it begins, too, and between its launches
  "$build/planted/scan/tutti" check --update --baseline killed.baseline --build-dir scan -q >out 2>err &
  process=$!
  sleep $moment
  kill -TERM $process
  wait $process
  [ $? -eq 143 ] || die "ended by SIGTERM, but: $(cat out err)"
  ! grep -q 'is stored' err || die "nothing is stored: $(cat err)"
  cmp gate.baseline killed.baseline || die "an update that was ended changed the file"
  [ -z "$(ls "$TMPDIR")" ] || die "left behind after $moment s: $(ls "$TMPDIR")"
done
# ---- the recipe of docs/how-to/check.md ----

mkdir recipe
cd recipe || exit 1
ln -s "$build" build
ln -s "$source/tests" "$source/platforms" .
unset TUTTI_PLATFORM_PATH
sed -n 's/^ *run: \(.*tutti check .*\)/\1/p' "$source/docs/how-to/check.md" >recipe.sh
grep -q 'tutti check .*--junit gate.xml' recipe.sh || die "no recipe in docs/how-to/check.md"
# Another SimGrid than that of the baseline is not compared in silence.
if ! smpirun --version | grep -q 'SimGrid version 3\.32'; then
  CI=true sh -e recipe.sh >out 2>&1
  [ $? -eq 2 ] && grep -q '^::error .*title=another simulator' out || die "compared with another SimGrid: $(cat out)"
  sed -i 's/tutti check /&--no-strict /' recipe.sh
fi
CI=true GITHUB_STEP_SUMMARY=summary sh -e recipe.sh >out 2>&1 || die "the recipe fails: $(cat out)"
grep -q '^\*\*tests/gate/gate.baseline\*\*: [0-9,]* points' summary || die "the recipe says nothing: $(cat summary)"
xmllint --noout gate.xml || die "the recipe writes no JUnit"
echo "$points points; planted: 3 % in 6 points of one algorithm, 3 messages, 6 bytes; $kills updates killed"
