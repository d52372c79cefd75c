#!/bin/sh
# What a gate did not compare, and why nothing was compared, is said the same everywhere: exit status, JSON, JUnit, annotations
# and the Markdown summary.
#
# usage: gate_gaps.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need smpicc libsimgrid-dev
need xmllint libxml2-utils

count() { # XPATH of gate.xml
  xmllint --xpath "count($1)" gate.xml
}

failed() { # BASELINE WORDS [ARGUMENTS]: not compared under --strict, in all outputs; else it is no failure
  baseline=$1 words=$2
  shift 2
  run 2 check --strict --baseline "$baseline" --junit gate.xml -q "$@" --json
  expect "^tutti: $baseline: .*$words"
  expect '"failed": true'
  [ "$(count //error)" -ge 1 ] && [ "$(count //error)" = "$(xmllint --xpath 'sum(//testsuite/@errors)' gate.xml)" ] ||
    die "errors in JUnit: $(cat gate.xml)"
  [ "$(count //testcase)" = "$(xmllint --xpath 'sum(//testsuite/@tests)' gate.xml)" ] || die "tests: $(cat gate.xml)"
  xmllint --xpath 'string(//error/@message)' gate.xml | grep -Eq "$words" || die "JUnit: $(cat gate.xml)"
  run 2 check --strict --baseline "$baseline" -q "$@" --format github
  expect "^::error file=$baseline,line=[0-9]+,title=.*$words"
  run 0 check --baseline "$baseline" --junit gate.xml -q "$@" --json
  expect '"failed": false'
  [ "$(count //error)" = 0 ] || die "errors without --strict: $(cat gate.xml)"
}

nothing() { # WORDS ARGUMENTS: nothing was compared, which is said in JUnit, an annotation and the summary, too
  words=$1
  shift
  : >summary
  GITHUB_STEP_SUMMARY=$place/summary
  export GITHUB_STEP_SUMMARY
  run 2 check -q --junit gate.xml --format github "$@"
  unset GITHUB_STEP_SUMMARY
  expect "^tutti( check)?: .*$words"
  expect "^::error .*title=nothing was compared::.*$words"
  [ "$(count //error)" = 1 ] && [ "$(xmllint --xpath 'sum(//testsuite/@errors)' gate.xml)" = 1 ] || die "JUnit: $(cat gate.xml)"
  xmllint --xpath 'string(//error/@message)' gate.xml | grep -Eq "$words" || die "JUnit: $(cat gate.xml)"
  grep -Eq "^Nothing was compared: .*$words" summary || die "summary: $(cat summary)"
}

# ---- points without values; another simulator ----

printf 'tutti-baseline 2\npoints fast_ethernet\nbcast/linear ranks=4 root=0 bytes=8B\nbcast/linear ranks=8 root=0 bytes=8B\n' >x.baseline
run 0 check --update --baseline x.baseline -q
sed '/^end /d; s/^tutti-baseline 2/tutti-baseline 1/; s/^library .*/library SimGrid-0.1/' x.baseline >other.baseline
failed other.baseline 'times are not compared, .*check with SimGrid-0.1'
sed -i 's/^end /bcast\/linear ranks=2 root=0 bytes=8B\n&/' x.baseline
failed x.baseline '1 of 3 points have no values in the baseline, the first is bcast/linear ranks=2 .* --update --baseline x.baseline'
run 0 check --update --strict --baseline x.baseline -q
run 0 check --strict --baseline x.baseline -q --junit gate.xml
[ "$(count //error)" = 0 ] || die "errors where all was compared: $(cat gate.xml)"

# ---- relabelled as an older one, which has no digest: with fewer points, and another time ----

sed '/^end /d; /ranks=8 /d; s/time_s=0/time_s=1/; s/^tutti-baseline 2/tutti-baseline 1/' x.baseline >older.baseline
failed older.baseline 'version 1.* a cut or edited one is not found: .*version 2 with --update --baseline older.baseline'
run 2 check --strict --baseline older.baseline -q
! grep -q 'tutti: warning' err || die "an error and a warning: $(cat err)"
: >summary
GITHUB_STEP_SUMMARY=$place/summary "$tutti" check --baseline older.baseline -q --format github >out 2>err || die "$(cat out err)"
expect '^::warning file=older.baseline,line=1,title=an older baseline::.*version 1'
expect '^tutti: warning: older.baseline: '
grep -q '^- .*version 1' summary || die "summary: $(cat summary)"

# ---- the engine is remembered; the way back to it is named ----

sed 's/ time_s=.*//; /^end /d; /^library /d; /^platform /d' x.baseline >fast.baseline
run 0 check --update --baseline fast.baseline --engine fast -q
grep -qx 'engine fast' fast.baseline && grep -q '^library Engine-' fast.baseline || die "no engine: $(cat fast.baseline)"
run 0 check --strict --baseline fast.baseline -q
cp fast.baseline before
run 0 check --update --baseline fast.baseline -q
cmp before fast.baseline || die "an update has another engine: $(cat fast.baseline)"
failed_engine() { # ARGUMENTS
  run 2 check --strict -q "$@"
  expect 'times are not compared, .*: check with --engine fast, or write the values of SimGrid-.* --engine smpi'
}
failed_engine --baseline fast.baseline --engine smpi
printf '#!/bin/sh\nexit 3\n' >fails
chmod +x fails
run 2 check --baseline fast.baseline --program ./fails -q
expect '^tutti: fast.baseline: .* ended with status 3'
! grep -q 'see ' err || die "a file is named that is removed: $(cat err)"
sed '/^end /d; /^engine /d; s/^tutti-baseline 2/tutti-baseline 1/' fast.baseline >silent.baseline
failed_engine --baseline silent.baseline
sed 's/^engine fast/engine slow/' fast.baseline >bad.baseline
run 2 check --baseline bad.baseline -q
expect '^tutti: bad.baseline:[0-9]+: an engine is smpi, fast or flow'

# ---- programs ----

cat >halo.c <<'C'
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1)
    printf("tutti-time a 0.5\n");
  if (argc > 2)
    printf("tutti-time b 0.25\n");
  MPI_Finalize();
  return 0;
}
C
smpicc -O1 -o halo halo.c || die "smpicc"
run 0 check --update --baseline halo.baseline --subject 'halo=./halo 1' --platform fast_ethernet -P 2,4 -q
cat >twice.c <<'C'
#define main other
#include "halo.c"
#undef main
int main(void)
{
  char *arguments[] = {"", "1", "2"}, **words = arguments;
  return other(3, words);
}
C
smpicc -O1 -o twice twice.c || die "smpicc"
run 0 check --strict --baseline halo.baseline --subject 'halo=./twice 1' -q --format github
expect '^::warning file=halo.baseline,line=[0-9]+,title=not in the baseline::halo: 2 points are measured and not in the baseline, the first is time b ranks=2'
run 0 check --strict --baseline halo.baseline --subject 'halo=./halo 1' -q --format github
! grep -q '^::' out || die "an annotation of nothing: $(cat out)"
for fault in 'MPI_Recv(\&end, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE):deadlock' \
  'MPI_Comm_rank(MPI_COMM_WORLD, \&end); if (end == 1) return 3; MPI_Barrier(MPI_COMM_WORLD):rank 1 ended with status 3, and others wait for it' \
  'MPI_Abort(MPI_COMM_WORLD, 3):MPI_Abort'; do # after its time; smpirun ends with status 0
  sed "s/ *MPI_Finalize/  int end; (void)end; fflush(stdout); ${fault%:*}; &/" halo.c >fault.c
  smpicc -O1 -o fault fault.c || die "smpicc"
  nothing "halo on 2 ranks: .*${fault##*:}" --baseline halo.baseline --subject 'halo=./fault 1'
  cp halo.baseline before
  run 2 check --update --baseline halo.baseline --subject 'halo=./fault 1' -q
  expect "^tutti: halo on 2 ranks: .*${fault##*:}"
  cmp before halo.baseline || die "an update with a ${fault##*:} was written"
done
nothing "'ring' is no program of halo.baseline, .*--update --platform" --baseline halo.baseline --subject 'halo=./halo 1' --subject ring=./halo
nothing "'ring' is no program of these baselines" --baseline halo.baseline --baseline x.baseline \
  --subject 'halo=./halo 1' --subject ring=./halo
run 2 check --baseline halo.baseline --subject 'halo=./halo 1' --subject halo=./twice -q
expect "--subject: 'halo' is named twice"
run 2 check --update --baseline halo.baseline --subject 'halo=./halo 1' --subject ring=./halo -q
expect "'ring' is no program of halo.baseline"

# ---- nothing can be compared ----

nothing 'none.so: there is no such plug-in' --baseline x.baseline --plugin ./none.so
TUTTI_PLUGINS=$place/none.so
export TUTTI_PLUGINS
nothing 'none.so: there is no such plug-in' --baseline x.baseline
unset TUTTI_PLUGINS
nothing 'which FILE.so' --baseline x.baseline --plugin
nothing 'which baseline' --no-strict
nothing "'40': there is another" --baseline x.baseline --tolerance 3,40
nothing "unrecognized option '--basline'" --basline=x.baseline
run 2 check --baseline x.baseline --junit gate.xml --jobs
expect "^tutti check: option '--jobs' requires an argument"
[ "$(xmllint --xpath 'string(//error/@message)' gate.xml)" = 'the command line is wrong: standard error says how' ] || die "$(cat gate.xml)"
run 2 check --junit none/x.xml --format github
expect '^tutti: none/x.xml: No such file'
run 2 check
! grep -q '^::' out || die "annotations without --format github: $(cat out)"
nothing "none.baseline: is not there: restore it from version control, or begin it with: tutti check .* --platform NAME" \
  --baseline none.baseline --subject 'halo=./halo 1' --selector mpich --engine smpi
sed -n 's/^tutti: .*begin it with: tutti/"$tutti"/; s/NAME/fast_ethernet -q/; s/LIST/2/; s/^"/&/p' err >command
. ./command >out 2>err || die "the command that is named: $(cat command out err)"
expect '^none.baseline: 0 points, 1 new$'
rm none.baseline
nothing "which program is 'halo'" --baseline halo.baseline
nothing "halo: there is no program './none'" --baseline halo.baseline --subject halo=./none
expect '^::error title='
nothing 'halo.baseline:[0-9]+: which program' --baseline halo.baseline
expect '^::error file=halo.baseline,line=[0-9]+,title=nothing was compared::'

# ---- files that are gone; experiments that a baseline cannot have, and those with names ----

cat >mine.xml <<'END'
<experiment name="mine"><platform name="fast_ethernet"/><measure scheme="window"/>
  <sweep collective="barrier"><ranks>2</ranks><method algorithm="linear"/></sweep></experiment>
END
run 0 check --update --baseline mine.baseline mine.xml -q
sed -i 's/<ranks>2</<ranks>2 3 4</' mine.xml
failed mine.baseline '2 points are measured and not in the baseline, the first is barrier/linear ranks=3: add what is new with --update --baseline mine.baseline'
GITHUB_STEP_SUMMARY=$place/page
export GITHUB_STEP_SUMMARY
run 2 check --strict --baseline mine.baseline -q --format github
unset GITHUB_STEP_SUMMARY
grep -q '^- mine.xml: 2 points are measured .* --update --baseline mine.baseline$' page || die "what to do: $(cat page)"
[ "$(grep -c '^::' out)" -eq 1 ] || die "annotated twice: $(cat out)"
sed -i 's/<ranks>2 3 4</<ranks>2</' mine.xml
sed 's/<sweep /<sweep arrival="none uniform\/10us\/seed=1" /' mine.xml >late.xml
run 2 check --update --baseline late.baseline late.xml -q
expect '^tutti: late.xml: has arrival= or noise=, under which a baseline has no points'
sed -i 's/arrival="[^"]*"/arrival="none"/' late.xml
run 0 check --update --baseline late.baseline late.xml -q
rm mine.xml
nothing 'mine.baseline:[0-9]+: its experiment mine.xml is not there: restore it, or take its section out' --baseline mine.baseline
expect '^::error file=mine.baseline,line=[0-9]+,title=nothing was compared::'
run 2 check --update --baseline new.baseline none.xml -q
expect '^tutti: none.xml: No such file, and no experiment'
printf 'tutti-baseline 1\npoints none\nbarrier/linear ranks=2\n' >none.baseline
nothing 'none.baseline:2: its platform: ' --baseline none.baseline
for name in '<img/src=x>' '[x](//y)' '`x' '&lt;' '|b' '*b*'; do # is text on the page, too
  printf 'tutti-baseline 1\npoints %s\nbarrier/linear ranks=2\n' "$name" >none.baseline
  nothing 'none.baseline:2: its platform: ' --baseline none.baseline
  ! grep -qF ": $name" summary || die "not escaped: $(cat summary)"
done
rm none.baseline
cp late.xml '<i>.xml'
run 0 check --update --baseline '<b>.baseline' '<i>.xml' -q
sed -i 's/<ranks>2</<ranks>2 3 4</' '<i>.xml'
GITHUB_STEP_SUMMARY=$place/page
export GITHUB_STEP_SUMMARY
: >page
run 2 check --strict --baseline '<b>.baseline' -q --format github
unset GITHUB_STEP_SUMMARY
grep -q '^\*\*&lt;b>.baseline\*\*: 1 point' page && grep -q '^- &lt;i>.xml: 2 points' page || die "not escaped: $(cat page)"
TUTTI_EXPERIMENTS=$place/named
export TUTTI_EXPERIMENTS
mkdir named && mv late.xml named/late.xml
run 0 check --update --baseline named.baseline late -q
grep -qx 'experiment late' named.baseline || die "no name: $(cat named.baseline)"
run 0 check --strict --baseline named.baseline -q

# ---- tolerances ----

run 2 check --baseline x.baseline --tolerance '3%,40%' -q
expect "'40%': there is another tolerance of time"
run 0 check --baseline x.baseline --tolerance 1000 -q
expect '^tutti: warning: --tolerance 1000: time is worse from 11 times the baseline on'
run 0 check --baseline x.baseline --tolerance messages=100 -q
expect '^tutti: warning: --tolerance messages=100: messages are worse from 2 times the baseline on'
echo "gaps are errors everywhere"
