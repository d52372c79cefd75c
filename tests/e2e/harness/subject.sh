#!/bin/sh
# Any MPI program in the regression gate: run under SMPI with globals of its own for each rank, by the times that it
# prints; a slow-down is found; a baseline alone starts no program.
#
# usage: subject.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need smpicc libsimgrid-dev

cat >halo.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef TIMES
#define TIMES 1
#endif
#ifndef FORMAT
#define FORMAT "tutti-time %s %.9f\n"
#define UNIT   1
#endif
static int own = -1; /* of each rank, if globals are kept apart */

static void bcast(char *message, int bytes)
{
  for (int i = 0; i < TIMES; i++)
    MPI_Bcast(message, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
  static char message[1 << 20];
  int bytes = argc > 1 ? atoi(argv[1]) : 1000;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  for (int i = 0; i < 3; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    bcast(message, bytes << i);
    MPI_Barrier(MPI_COMM_WORLD);
    if (own == 0)
      printf(FORMAT, "bcast", UNIT * (MPI_Wtime() - begin));
  }
  double begin = MPI_Wtime();
  MPI_Allreduce(MPI_IN_PLACE, message, bytes, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
  if (own == 0)
    printf(FORMAT, "allreduce", UNIT * (MPI_Wtime() - begin));
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  return own != rank;
}
C
build_halo() { # NAME FLAGS...
  program=$1
  shift
  smpicc -O1 -o "$program" halo.c "$@" 2>log || die "smpicc: $(cat log)"
}
build_halo halo
update() { # BASELINE SUBJECT ARGUMENTS...
  baseline=$1 subject=$2
  shift 2
  run 0 check --update --baseline "$baseline" --subject "$subject" --platform fast_ethernet -P 4,7 -q "$@"
}

# ---- a baseline, and the same again ----

update halo.baseline 'halo=./halo 2000'
expect '^halo.baseline: 0 points, 4 new$'
grep -qx 'program halo fast_ethernet' halo.baseline || die "no program: $(cat halo.baseline)"
grep -qx 'arguments 2000' halo.baseline || die "no arguments: $(cat halo.baseline)"
grep -q '^time bcast ranks=7 time_s=0.00[0-9]*$' halo.baseline || die "no time: $(cat halo.baseline)"
run 0 check --strict --baseline halo.baseline --subject 'halo=./halo  2000' --tolerance 0 -q --junit halo.junit
[ "$(cat out)" = "halo.baseline: 4 points, all equal to the baseline" ] || die "not the same: $(cat out)"
grep -q 'classname="time.bcast" name="time bcast ranks=4"' halo.junit || die "JUnit: $(cat halo.junit)"
cp halo.baseline before
run 0 check --update --baseline halo.baseline --subject 'halo=./halo 2000' -q
cmp before halo.baseline || die "an update without a change changed the file"

# The median of the times of a name counts: of 1000, 2000 and 4000 bytes that of 2000, as of three times 2000.
sed 's/bytes << i/bytes/' halo.c >equal.c
smpicc -O1 -o equal equal.c || die "smpicc"
update median.baseline 'halo=./halo 1000'
update equal.baseline 'halo=./equal 2000'
time_of() { # BASELINE
  sed -n 's/^time bcast ranks=4 time_s=//p' "$1"
}
[ "$(time_of median.baseline)" = "$(time_of equal.baseline)" ] || die "no median: $(cat median.baseline equal.baseline)"

# ---- slower, missing, other arguments, no program ----

build_halo slow -DTIMES=2
run 1 check --baseline halo.baseline --subject 'halo=./slow 2000' -q --format github
expect '^::error file=halo.baseline,line=[0-9]+,title=worse than the baseline::halo: time bcast: 2 of 2 points; time bcast ranks=[47]: time '
sed 's/"allreduce"/"sum"/' halo.c >other.c
smpicc -O1 -o other other.c || die "smpicc"
run 2 check --strict --baseline halo.baseline --subject 'halo=./other 2000' -q
expect '^tutti: halo.baseline: halo: 2 of 4 points of the baseline are not measured any more, the first is time allreduce ranks=4'
run 2 check --baseline halo.baseline --subject 'halo=./halo 3000' -q
expect "halo.baseline:[0-9]+: the baseline is of 'halo 2000', not of 'halo 3000': --subject with the arguments of .*--update"
run 2 check --baseline halo.baseline --subject 'halo=./halo' -q
expect "the baseline is of 'halo 2000', not of 'halo':"
run 2 check --baseline halo.baseline -q
expect "halo.baseline:[0-9]+: which program is 'halo'\\? A baseline starts none: --subject 'halo=PATH ARGUMENTS'"
run 2 check --baseline halo.baseline --subject halo=./none -q
expect "halo: there is no program './none' that can be read"
[ ! -s out ] || die "annotations without --format github: $(cat out)"
run 2 check --baseline halo.baseline --subject halo=./none -q --format github
expect "^::error title=nothing was compared::halo: there is no program './none' that can be read$"
run 2 check --baseline halo.baseline --subject halo=./none -q --format github --plugin ./none.so
expect "^::error title=nothing was compared::.*none.so"
run 2 check --baseline halo.baseline --subject ./halo -q
expect "'./halo' is not NAME=PATH ARGUMENTS"
run 2 check --baseline halo.baseline --subject 'halo=./halo $(id)' -q
expect 'smpirun would change the argument'
run 2 check --baseline halo.baseline --subject 'halo=./halo --cfg=smpi/np' -q
expect "smpirun would change the argument '--cfg=smpi/np'"
run 2 check --baseline halo.baseline --subject 'halo=./halo.c 2000' -q
expect '^tutti: halo on 4 ranks: smpirun ended with status'
echo 'int main(void) { return 0; }' >plain.c
cc -o plain plain.c || die "cc" # as mpicc does
run 2 check --baseline halo.baseline --subject 'halo=./plain 2000' -q
expect '^tutti: halo on 4 ranks: smpirun ended with status .*: is it compiled with smpicc\?$'
cat >failing.c <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
  fputs("hello\nfatal: cannot open input\n", stderr);
  return argc > 2 ? 4 : 0; /* an end, or no line with a time */
}
C
smpicc -o failing failing.c || die "smpicc"
update_fails() { run 2 check --update --baseline f.baseline --subject "f=./failing $1" --platform fast_ethernet -P 2 -q; }
update_fails '1 2'
expect '^tutti: f on 2 ranks: smpirun ended with status 4: hello \| fatal: cannot open input$'
update_fails 1
expect 'prints no line with a time, .*; its last lines: hello \| fatal: cannot open input$'
run 2 check --baseline halo.baseline --subject 'halo=./halo 2000' --platform fast_ethernet -q
expect 'with --update --subject'

# ---- whose collectives: they are part of the baseline ----

selected() { # BASELINE
  sed -n 's/^selector //p' "$1"
}
[ "$(selected halo.baseline)" = default ] || die "no selector: $(cat halo.baseline)"
update mpich.baseline 'halo=./halo 2000' --selector mpich
[ "$(selected mpich.baseline)" = mpich ] && [ ! -s err ] || die "another selector: $(cat mpich.baseline err)"
grep '^time bcast' mpich.baseline >a && grep '^time bcast' halo.baseline >b
cmp -s a b && die "mpich's collectives take the same time: $(cat a)"
run 0 check --strict --baseline mpich.baseline --subject 'halo=./halo 2000' -q # under that of the baseline
expect '^mpich.baseline: 4 points, all equal to the baseline$'
run 2 check --baseline mpich.baseline --subject 'halo=./halo 2000' --selector ompi -q
expect "^tutti: mpich.baseline:[0-9]+: the baseline of halo ran under SMPI's collectives 'mpich', not 'ompi'"
run 0 check --update --baseline mpich.baseline --subject 'halo=./halo 2000' -q
[ "$(selected mpich.baseline)" = mpich ] || die "an update changed the selector"
run 0 check --update --baseline mpich.baseline --subject 'halo=./halo 2000' --selector ompi -q
expect "^tutti: note: mpich.baseline: halo: ran under SMPI's collectives 'ompi', the baseline was of 'mpich'$"
run 0 check --update --baseline mpich.baseline --subject 'halo=./halo 2000' --selector mpich -q
update note.baseline 'halo=./halo 2000'
expect '^tutti: note: note.baseline: halo: collectives of the program, .*--selector'
sed '/^selector/d; /^end/d; s/^tutti-baseline 2/tutti-baseline 1/' mpich.baseline >older.baseline # compares with what runs today
run 1 check --baseline older.baseline --subject 'halo=./halo 2000' -q
run 2 check --baseline mpich.baseline --selector mpich -q
expect 'selector: of which program'
sed 's/<config>/&<prop id="smpi\/coll-selector" value="mpich"\/>/' "$TUTTI_PLATFORM_PATH/fast_ethernet.xml" >mpich.xml
grep -q coll-selector mpich.xml || die "the platform has no <config>"
run 0 check --update --baseline said.baseline --subject 'halo=./halo 2000' --platform ./mpich.xml -P 4,7 -q
[ "$(selected said.baseline)" = mpich ] || die "not that of the platform: $(cat said.baseline)"
grep '^time bcast' said.baseline | cmp -s a || die "other times than under --selector mpich: $(cat said.baseline a)"

# ---- platforms that SimGrid cannot take ----

sed 's/<config>/&<prop id="smpi\/simulate-computation" value="yes"\/>/; /simulate-computation" value="no"/d' \
  "$TUTTI_PLATFORM_PATH/fast_ethernet.xml" >computing.xml
run 0 check --update --baseline warned.baseline --subject 'halo=./halo 2000' --platform ./computing.xml -P 4 -q
expect '^tutti: warning: .*computing.xml:'

# ---- times as the program prints them ----

build_halo micro -DFORMAT='"%s took %.3f us on rank 0\n"' -DUNIT=1e6
update micro.baseline 'halo=./micro 2000' --times '^([a-z]+) took ([0-9.]+) us' --unit us
grep -qx 'times ^(\[a-z\]+) took (\[0-9.\]+) us' micro.baseline || die "no expression: $(cat micro.baseline)"
grep -qx 'unit us' micro.baseline || die "no unit: $(cat micro.baseline)"
run 0 check --baseline micro.baseline --subject 'halo=./micro 2000' -q
close() { # two baselines have the same times but for the digits that are printed
  paste "$1" "$2" | awk '$1 == "time" { split($4, a, "="); split($8, b, "="); n++; if (a[2] / b[2] > 1.0001 || b[2] / a[2] > 1.0001) exit 1 } END { exit n < 4 }'
}
grep '^time ' halo.baseline >a && grep '^time ' micro.baseline >b
close a b || die "other times: $(cat a b)"
update sum.baseline 'halo=./micro 2000' --times '^bcast took ([0-9.]+)' --unit us
grep -q '^time time ranks=4 time_s=' sum.baseline || die "an expression of the number alone: $(cat sum.baseline)"
run 2 check --update --baseline x.baseline --subject 'halo=./micro' --platform fast_ethernet -P 1 -q
expect '^tutti: halo on 1 rank: prints no line with a time, .*--times REGEX'
cat >two.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    printf("tutti-time good 0.5\ntutti-time: not good 0.5\n");
  MPI_Finalize();
  return 0;
}
C
smpicc -O1 -o two two.c || die "smpicc"
run 2 check --update --baseline x.baseline --subject 'two=./two' --platform fast_ethernet -P 2 -q
expect "^tutti: two on 2 ranks: prints 'tutti-time: not good 0.5', which is not 'tutti-time NAME SECONDS'"
run 2 check --update --baseline x.baseline --subject 'halo=./micro' --platform fast_ethernet -P 2 -q --times '([a-z]+) took'
expect "prints a time that is no number: 'bcast took"
run 2 check --update --baseline x.baseline --subject 'halo=./micro' --platform fast_ethernet -P 2 -q --times '(('
expect "'\\(\\(' is no regular expression"
run 2 check --update --baseline x.baseline --subject 'halo=./micro' --platform fast_ethernet -P 2 -q --times took
expect "'took' needs a group"
run 2 check --update --baseline x.baseline --subject 'halo=./micro' --platform fast_ethernet -q
expect 'halo: on how many ranks\? --ranks LIST'
[ ! -e x.baseline ] || die "a failed update left a file"

# A second program: what is said is said of it alone; of one that is there, where all are.
build_halo second
run 0 check --update --baseline halo.baseline --subject 'halo=./halo 2000' --subject 'second=./second' --platform bgp -P 2 -q
grep -qx 'program second bgp' halo.baseline || die "no second program: $(cat halo.baseline)"
[ "$(grep -c '^program halo' halo.baseline)" -eq 1 ] || die "the first program is on another platform: $(cat halo.baseline)"
[ "$(grep -c '^time bcast ranks=2 ' halo.baseline)" -eq 1 ] || die "the first program has other ranks: $(cat halo.baseline)"
run 0 check --update --baseline halo.baseline --subject 'halo=./halo 2000' --subject 'second=./second' --platform bgp -P 2,4 -q
[ "$(grep -c '^time bcast ranks=4 ' halo.baseline)" -eq 3 ] || die "ranks are not added: $(cat halo.baseline)"

# Too few digits: none at all are refused, too few for the tolerance are a warning.
build_halo coarse -DFORMAT='"tutti-time %s %.2f\n"' -DUNIT=1
run 2 check --update --baseline x.baseline --subject 'halo=./coarse 2000' --platform fast_ethernet -P 2 -q
expect "halo on 2 ranks: prints a time of 0, .*'tutti-time bcast 0.00': print more digits, or a smaller unit \\(--unit\\)"
build_halo coarse -DFORMAT='"%s took %.0f us\n"' -DUNIT=1e6
update coarse.baseline 'halo=./coarse 2000' --times '^([a-z]+) took ([0-9.]+) us' --unit us --tolerance 0.001
expect '^tutti: warning: coarse.baseline: halo: time (bcast|allreduce) ranks=4: the last digit .* and the tolerance 0.001 %: print more'
run 0 check --baseline coarse.baseline --subject 'halo=./coarse 2000' -q
[ ! -s err ] || die "warned though the digits are enough: $(cat err)"

build_halo negative -DFORMAT='"tutti-time %s %.9f\n"' -DUNIT=-1
run 2 check --update --baseline x.baseline --subject 'halo=./negative' --platform fast_ethernet -P 2 -q
expect "^tutti: halo on 2 ranks: prints a time that is negative: 'tutti-time bcast -"
run 2 check --update --baseline x.baseline --subject 'halo=./halo "a b"' --platform fast_ethernet -P 2 -q
expect 'its arguments cannot be quoted'

# Two programs print times of the same name.
run 0 check --update --baseline two.baseline --subject 'halo=./halo' --subject second=./second --platform fast_ethernet -P 4,7 -q
run 1 check --baseline two.baseline --subject 'halo=./slow' --subject second=./slow -q
expect '^  worse: halo: time bcast, 2 of 2 points$'
expect '^  worse: second: time bcast, 2 of 2 points$'

# A platform of one's own: as seen from the baseline.
mkdir own
sed 's/fast_ethernet/my_own/' "$TUTTI_PLATFORM_PATH/fast_ethernet.xml" >own/my.xml
mkdir perf
run 0 check --update --baseline perf/own.baseline --subject 'halo=./halo 2000' --platform own/my.xml -P 4 -q
grep -qx 'program halo ../own/my.xml' perf/own.baseline || die "another platform: $(cat perf/own.baseline)"
run 0 check --strict --baseline perf/own.baseline --subject 'halo=./halo 2000' -q
run 2 check --update --baseline perf/own.baseline --subject 'halo=./halo' --platform none/my.xml -P 4 -q
expect 'none/my.xml: '

# ---- one that hangs: on a terminal it is said that it still runs ----

cat >hangs.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  for (volatile int more = 1; more;)
    ;
  MPI_Finalize();
  return 0;
}
C
smpicc -O1 -o hangs hangs.c || die "smpicc"
if command -v script >/dev/null; then
  script -qc "'$tutti' check --update --baseline x.baseline --subject hangs=./hangs --platform fast_ethernet -P 2 --job-timeout 5s" /dev/null </dev/null >out
  expect 'tutti check: still at work after 2 s'
  expect '^tutti: hangs on 2 ranks: smpirun did not end within 5 s'
fi

# ---- files ----

refuse() { # LINES WORDS
  printf "tutti-baseline 2\n$1" >bad.baseline
  run 2 check --baseline bad.baseline -q
  expect "^tutti: bad.baseline:$2"
}
refuse 'program halo\n' "2: a program is 'program NAME PLATFORM'"
refuse 'program halo bgp\nprogram halo bgp\n' '3: this section is there already'
refuse 'program halo bgp\nselector lam\n' '3: a selector of collectives is default, ompi, mpich, mvapich2 or impi'
refuse 'program halo bgp\nunit min\n' '3: a unit of times is s, ms, us or ns'
refuse 'program halo bgp\nbcast/linear ranks=2 root=0 bytes=8B\n' "3: a section 'program' has lines 'time NAME ranks=N'"
refuse 'points bgp\ntime x ranks=2\n' "3: a section 'program' has lines"
refuse 'program halo bgp\ntime x\n' "3: a time of a program is 'time NAME ranks=N'"
echo "4 times of a program compared; a slow-down found"
