#!/bin/sh
# An unchanged MPI program with the interposer and without: run.sh FLAVOR COMPILER LIBRARY SOURCE_DIR [ABI]
# ABI is the libmpi_abi of MPICH or Open MPI: then the interposer and the compiler are those of the flavor abi, and
# FLAVOR says which of the two runs.
flavor=$1 compiler=$2 library=$3 source=$4 abi=${5:-}
yield=$(dirname "$library")/libtest-yield.so idle=$(dirname "$(dirname "$library")")/libtest-idle.so # more ranks than cores
[ -e "$yield" ] || yield=
. "$source/tests/patient.sh"
place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 2

die() {
  echo "interpose.$own_flavor${abi:+.$flavor}: $*" >&2
  [ ! -s err ] || sed 's/^/  /' err >&2
  exit 1
}

own_flavor=$flavor
if [ -n "$abi" ]; then
  own_flavor=abi
  mkdir abi || exit 2
  ln -s "$abi" abi/libmpi_abi.so.1
  export LD_LIBRARY_PATH="$PWD/abi"
fi

# ---- compiled as a user would ----

if [ "$flavor" = smpi ]; then
  # Up to 4.0 SimGrid opens programs (RTLD_DEEPBIND) so that LD_PRELOAD has no effect, and the library comes first in the
  # program; from 4.1 on so that only LD_PRELOAD has one.
  case $(smpirun -version) in
  "SimGrid version 3."* | "SimGrid version 4.0"*)
    wrapper= linked=1
    ;;
  *) wrapper="env LD_PRELOAD=$library" linked= ;;
  esac
  for i in 0 1 2 3 4; do echo "n$i"; done >hosts
fi

compile() { # NAME: programs `plain` and, in a simulation, `interposed`
  "$compiler" -g -pthread -o plain "$source/tests/interpose/$1.c" || die "$1.c does not compile"
  [ "$flavor" = smpi ] || return 0
  cp plain interposed
  [ -z "$linked" ] || "$compiler" -g -o interposed "$source/tests/interpose/$1.c" -Wl,--no-as-needed "$library" \
    -Wl,-rpath,"$(dirname "$library")" || die "$1.c does not link"
}

compile program

# ---- launchers ----

launch() { # plain|interposed RANKS [ARGUMENT]: standard output in `out`, errors in `err`
  how=$1 ranks=$2
  shift 2
  preload= wrap=
  [ "$how" = plain ] || preload=$library wrap=$wrapper
  case $flavor in
  smpi)
    timeout $PATIENCE smpirun ${wrap:+-wrapper "$wrap"} -np "$ranks" -platform "$source/platforms/fast_ethernet.xml" \
      -hostfile hosts --log=root.thres:critical "./$how" "${1:-},intercommunicators" >out 2>err
    ;;
  mpich)
    timeout $PATIENCE mpiexec.mpich -n "$ranks" env LD_PRELOAD="$preload $idle $yield" ./plain "$@" >out 2>err
    ;;
  openmpi)
    OMPI_MCA_op=^avx OMPI_MCA_btl_base_warn_component_unused=0 OMPI_ALLOW_RUN_AS_ROOT=1 \
      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 timeout $PATIENCE \
      mpiexec.openmpi --oversubscribe -n "$ranks" env LD_PRELOAD="$preload $idle" ./plain "$@" >out 2>err
    ;;
  esac
}

named() { # FLAVOR
  case $1 in
  openmpi) echo 'Open MPI' ;;
  abi) echo 'the standard ABI of MPI' ;;
  *) echo "$1" | tr '[:lower:]' '[:upper:]' ;;
  esac
}

passes() { # WHAT: the last launch
  grep -Eq '^[1-9][0-9]* passed, 0 failed$' out || die "$1: $(cat out)"
  [ "$flavor" = smpi ] || grep -q '^the end is right$' out || die "$1: collectives at the end: $(cat out)"
}

reports() { # PATTERN: the last report has such a line, in which the launcher may have put what another rank said
  grep -Eq "^(tutti: )?$1" err || die "the report has no line '$1'"
}

is_refused() { # MESSAGE: the last launch ended with it, said once and before the program did anything
  [ "$(grep -c "^tutti: .*$1" err)" -eq 1 ] || die "not refused once with '$1'"
  [ ! -s out ] || die "refused with '$1', and yet it went on: $(cat out)"
}

# ---- the library alone, but for what it does wrong itself ----

case $flavor in
smpi) wrong=scan-order,unequal-lengths ;; # SMPI 3.32 takes every operation for commutative in a scan
mpich) wrong=reduce-in-place ;; # MPICH 4.0.2 reads at MPI_IN_PLACE
openmpi) wrong=bcast-of-types,unequal-lengths ;; # Open MPI 4.1 waits for ever where datatypes differ
esac
ranks=3
[ "$flavor" = smpi ] && ranks=5
launch plain $ranks "$wrong"
passes "without the interposer"
grep -q tutti err && die "speaks of tutti without the interposer"

# ---- silent, and with the built-in rules ----

launch interposed 2
passes "silent"
grep -q tutti err && die "speaks without TUTTI_VERBOSE"

export TUTTI_VERBOSE=1
launch interposed $ranks
passes "built-in rules"
reports "$ranks ranks, built-in rules"
[ -z "$abi" ] || reports "$(named "$flavor" | tr -d ' ')-[1-9].*, by the standard ABI\$"
for collective in bcast barrier scatter scatterv gather gatherv allgather allgatherv alltoall alltoallv alltoallw \
  reduce reduce_scatter_block reduce_scatter allreduce scan exscan; do
  bytes='[0-9.KMB]+'
  case $collective in scatterv | gatherv | alltoallv | alltoallw) bytes=- ;; esac # a rank knows its own counts only
  reports " +[1-9][0-9]* +$bytes +[0-9.]+ +[0-9.]+  $collective/[a-z]"
done
reports "all ranks: calls +bytes a rank +all ranks \[s\] +slowest \[s\]  method"
reports " +[1-9][0-9]* +- +[0-9.]+ +[0-9.]+  all collectives"
reports " +- +- +[0-9.]+ +[0-9.]+  the program, from MPI_Init to MPI_Finalize"
reports "the calls that took longest, as points of tutti compare:"
reports "  --collective [a-z_]+ -P $ranks -s [0-9.KMB]+(,[0-9.KMB]+)*\$"
grep -q 'collective \(scatterv\|gatherv\|alltoall[vw]\)' err && die "sizes that only some ranks know"
reports ".* bcast passed through: arguments"
reports ".* allreduce passed through: a single rank"
[ "$flavor" = smpi ] || reports ".* allreduce passed through: intercommunicator"

# ---- variables ----

(
  export TUTTI_BCAST=chain/1KB/k=2 TUTTI_ALLREDUCE=native TUTTI_SCAN=
  launch interposed 2
)
passes "variables"
reports ".*, TUTTI_BCAST=chain/1KB/k=2, TUTTI_ALLREDUCE=native"
reports ".* bcast/chain/1KB/k=2"
reports " +[1-9][0-9]* +[0-9.KMB]+ .* allreduce passed through: by its variable"
reports "  --collective [a-z_]+ -P 2 -s [1-9]" # which of them took longest is not known
grep -q 'allreduce/\|bcast/[^c]' err && die "a variable is not obeyed"

# ---- an error reaches the ranks behind ----

if [ "$flavor" != smpi ]; then
  (
    export TUTTI_BCAST=pipeline
    launch interposed 4 pipeline
  )
  passes "errors in a pipeline"
fi

# ---- calls that pass by: by a handle of the library, as bindings of other languages do, and by PMPI_ names ----

if [ "$flavor" != smpi ]; then
  compile beside
  launch interposed 2
  grep -q "^sum is right$" out || die "calls that pass by: $(cat out)"
  reports " +20 +4B .* allreduce/"
  grep -q 'not served\|nothing was served' err && die "served calls are told of as others"
  launch interposed 2 begin call end
  grep -q "^sum is right$" out || die "calls that pass by: $(cat out)"
  is_told_once() { # PATTERN
    [ "$(grep -c "^tutti: .*$1" err)" -eq 1 ] || die "not told once: '$1'"
  }
  is_told_once "nothing was served or recorded: the program found MPI_Init in /.*/libmpi.*so.* (dlsym), .*: let it open /.*libtutti_mpi.so in"
  (
    unset TUTTI_VERBOSE
    TUTTI_PROFILE=beside.profile launch interposed 2 begin call end
  )
  is_told_once "nothing was served or recorded"
  (
    unset TUTTI_VERBOSE
    launch interposed 2 begin call end
  )
  grep -q tutti err && die "speaks of calls by a handle without being asked"
  launch interposed 2 end
  reports " +20 +4B .* allreduce/" # MPI_Finalize() is seen all the same
  launch interposed 2 call
  is_told_once "nothing was served: no collective came by its name"
  launch interposed 2 pbegin pcall pend
  is_told_once "not served: 20 calls by PMPI_ names"
  launch interposed 2 pcall
  is_told_once "not served: 20 calls by PMPI_ names"
  (
    unset TUTTI_VERBOSE
    TUTTI_TRACE=beside.trace launch interposed 2 pcall
  )
  is_told_once "not served: 20 calls by PMPI_ names"
  (
    export LIBRARY=$library
    launch plain 2 begin call end # what the sentence advises
  )
  grep -q "^sum is right$" out || die "calls that pass by: $(cat out)"
  reports " +20 +4B .* allreduce/"
  compile program
fi

# ---- a decision file: nodes to be found, domains to be left ----

cat >rules <<END
bcast/two-level              bytes=..1KB
bcast/split-binary/1KB       bytes=1KB..
reduce/rabenseifner
reduce_scatter/recursive-halving
allgather/recursive-doubling
barrier/two-level
scatter/native
END
(
  export TUTTI_DECISION=rules
  launch interposed $ranks
)
passes "a decision file"
reports "$ranks ranks, rules of rules"
for method in bcast/two-level bcast/split-binary/1KB reduce/rabenseifner barrier/two-level alltoall/linear; do
  reports ".*  $method\$"
done
reports ".* scatter passed through: no method"
grep -q 'scatter passed through: a new communicator' err && die "ranks agree on a tag for what no method serves"

# ---- levels of the machine: nodes n0, n1 ..., one a rank ----

cat >names.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int PMPI_Get_processor_name(char *name, int *length)
{
  const char *rank = getenv("PMI_RANK");
  *length = sprintf(name, "n%s.cluster7", rank ? rank : getenv("OMPI_COMM_WORLD_RANK"));
  return MPI_SUCCESS;
}
END
[ "$flavor" = smpi ] || "$compiler" -shared -fPIC -o names.so names.c || die "names.c does not compile"
compile repeat
many=8
[ "$flavor" = smpi ] && many=5
launch_on_levels() { # LAST_NODE
  printf 'first_node\tlast_node\tswitch\tcell\n0\t1\t7\t3\n2\t3\t8\t3\n4\t%s\t7\t4\n' "$1" >levels
  (
    [ "$flavor" = smpi ] || library="$library $PWD/names.so"
    export TUTTI_LEVELS=levels TUTTI_BCAST=multi-level TUTTI_ALLREDUCE=multi-level/2/allreduce=ring
    launch interposed $many 20
  )
  passes "levels up to node $1"
  reports ".*  bcast/multi-level\$"
  reports ".*  allreduce/multi-level/2B/allreduce=ring\$"
}
launch_on_levels 7
grep -q TUTTI_LEVELS err && die "all nodes are in the table, and yet: $(cat err)"
launch_on_levels 4
if [ "$flavor" != smpi ]; then
  [ "$(grep -c TUTTI_LEVELS err)" -eq 1 ] || die "no word, or many, about the nodes that are in no line"
  grep -q "^tutti: TUTTI_LEVELS: the node 'n5.cluster7', of rank 5, is not in levels" err || die "another node than the fifth"
fi
compile program

# ---- what must be refused ----

echo "bcast/nonsense" >>rules
TUTTI_DECISION=rules launch interposed 2
is_refused 'TUTTI_DECISION: rules:8: .*nonsense'
TUTTI_DECISION=absent launch interposed 2
is_refused 'TUTTI_DECISION: absent: '
TUTTI_BCAST=nonsense launch interposed 2
is_refused 'TUTTI_BCAST=nonsense: .*native'
printf 'first_node\tlast_node\tswitch\n0\t1\tleft\n' >levels
TUTTI_LEVELS=levels launch interposed 2
is_refused 'TUTTI_LEVELS: levels:2: switch: not a whole number'
TUTTI_VERBOSE=loud launch interposed 2
is_refused 'TUTTI_VERBOSE=loud: '

TUTTI_BCST=binomial TUTTI_DECISIONS=rules TUTTI_BUILD=build launch interposed 2
is_refused 'TUTTI_BCST (TUTTI_BCAST?)'
is_refused 'TUTTI_DECISIONS (TUTTI_DECISION?)'
grep -q TUTTI_BUILD err && die "TUTTI_BUILD is none of the interposer's variables: it must be left alone"

# The interposers of other MPI libraries, as far as they are built.
for other in mpich openmpi smpi abi; do
  others=$(dirname "$(dirname "$library")")/$other/libtutti_mpi.so
  [ "$flavor" != smpi ] && [ "$other" != "$own_flavor" ] && [ -e "$others" ] || continue
  (
    own=$library library=$others
    launch interposed 2
    is_refused "$others was built for $(named $other), and this program runs with $(named "$own_flavor"): load $own\$"
  ) || exit 1
done

# Ranks that decide differently would wait for each other. A script tells them apart: given two programs mpiexec of Open
# MPI 5.0.7 dies itself.
cat >differ <<'END'
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" != 1 ] || export TUTTI_BCAST=linear
exec env LD_PRELOAD="$1" ./plain
END
case $flavor in
mpich) timeout $PATIENCE mpiexec.mpich -n 2 sh differ "$library $idle $yield" >out 2>err ;;
openmpi)
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout $PATIENCE mpiexec.openmpi --oversubscribe -n 2 sh differ \
    "$library" >out 2>err
  ;;
esac
[ "$flavor" = smpi ] || is_refused 'not the same on all ranks'

# ---- other programs ----

launch_other() { # PROGRAM RANKS [ARGUMENT]
  compile "$1"
  shift
  launch interposed "$@"
}

calls_of() { # PROFILE WORD...: of all ranks, in the lines that have these words
  awk -v words="$(shift; echo "$*")" '
    BEGIN { count = split(words, word, " ") }
    { for (i = 1; i <= count; i++) if (!index(" " $0 " ", " " word[i] " ")) next }
    match($0, /calls=[0-9]+/) { sum += substr($0, RSTART + 6, RLENGTH - 6) }
    END { print sum + 0 }' "$1"
}

recorded() { # PROFILE CALLS WORD...
  profile=$1 expected=$2
  shift 2
  [ "$(calls_of "$profile" tutti-call "$@")" -eq "$expected" ] ||
    die "$(calls_of "$profile" tutti-call "$@") calls of $*, $expected expected: $(cat "$profile")"
}

# ---- calls from one place, again and again: most of them are not timed ----

for served in "" native; do
  (
    unset TUTTI_VERBOSE
    TUTTI_PROFILE=repeat.profile TUTTI_ALLREDUCE=$served launch_other repeat 2 5000
  ) || exit 1
  passes "a place that calls often"
  recorded repeat.profile 10000 collective=bcast
  recorded repeat.profile 10000 collective=allreduce
  [ -z "$served" ] || recorded repeat.profile 10000 collective=allreduce ran=native
  [ "$flavor" = smpi ] || awk '
    FNR == NR && /^elapsed / { elapsed = $2 }
    / collective=(allreduce|bcast) / && match($0, /total_s=[^ ]+/) { total += substr($0, RSTART + 8, RLENGTH - 8) }
    END { exit !(total > 0 && total < 1.1 * elapsed) }' out repeat.profile || die "seconds: $(cat out repeat.profile)"
done

# What Tutti does in MPI_Init() and MPI_Finalize() is no time of the program; on a real machine the system may stop it.
if [ "$flavor" = smpi ]; then
  (unset TUTTI_VERBOSE && TUTTI_PROFILE=short.profile TUTTI_TRACE=short.trace launch_other repeat 2 5) || exit 1
  awk 'FNR == NR && /^whole / { whole = $2 }
    match($0, / elapsed_s=[^ ]+/) { elapsed = substr($0, RSTART + 11, RLENGTH - 11) }
    END { exit !(whole > 0 && elapsed > 0.99 * whole && elapsed < 1.01 * whole) }' out short.profile || die "the time of the program: $(cat out short.profile)"
fi

# ---- ranks that place their data each in its own way: the same messages for all ----

for method in "" neighbor-exchange; do
  (
    export TUTTI_ALLGATHERV=$method
    launch_other apart 4
  ) || exit 1
  passes "data placed apart${method:+, $method}"
  reports " +[1-9][0-9]* .*  allgatherv/${method:-[a-z]}"
done

# ---- nonblocking, persistent and neighborhood collectives, and those with large counts ----

TUTTI_PROFILE=forms.profile launch_other forms 3
passes "other forms"
words='nonblocking'
reports " +3 +20B .*  bcast passed through: nonblocking"
reports " +6 +20B .*  allreduce passed through: nonblocking"
[ "$flavor" = smpi ] || {
  words='nonblocking persistent neighborhood_of_2 neighborhood_of_2,_nonblocking' # of a ring
  reports " +3 +20B .*  bcast passed through: persistent"
  reports " +3 +20B .*  allgather passed through: neighborhood"
  reports " +3 +- .*  alltoallv passed through: neighborhood, nonblocking"
}
for word in $words; do
  grep -q "^tutti-call .* ran=$word " forms.profile || die "no calls of the form $word in the profile"
done
if [ "$flavor" = mpich ] || [ -n "$abi" ]; then # has MPI 4
  for collective in bcast allreduce allgather allgatherv gatherv scatterv alltoallw reduce_scatter; do
    reports " +[1-9][0-9]* .*  $collective/[a-z]"
  done
fi

# ---- nonblocking and persistent ones that are served: 3 ranks, and a chain, which rank 1 has to forward ----

if [ "$flavor" = smpi ]; then
  TUTTI_NONBLOCKING=1 launch interposed 3
  passes "no other forms in a simulation"
  reports ".* bcast passed through: nonblocking, no access to the library's progress"
else
  TUTTI_NONBLOCKING=1 TUTTI_BCAST=chain/k=1 TUTTI_PROFILE=started.profile launch_other started 3
  passes "nonblocking and persistent"
  for collective in bcast barrier scatter scatterv gather gatherv allgather allgatherv alltoall alltoallv alltoallw \
    reduce reduce_scatter_block reduce_scatter allreduce scan exscan; do
    for form in nonblocking persistent; do
      reports " +[1-9][0-9]* .*  $collective/[^ ]*, $form\$"
    done
  done
  grep -q 'passed through: \(nonblocking\|persistent\)' err && die "a call of another form is not served"
  [ "$(grep -c 'a message of 4 bytes from rank 1 where 8 are expected' err)" -eq 1 ] || die "no word about the error"
  recorded started.profile 240 collective=barrier ran=persistent,_barrier/bruck
  TUTTI_NONBLOCKING=1 launch_other threads 2 # has MPI_THREAD_MULTIPLE
  passes "threads, nonblocking"
  reports ".* bcast passed through: nonblocking, MPI_THREAD_MULTIPLE"
fi
TUTTI_NONBLOCKING=yes launch interposed 2
is_refused 'TUTTI_NONBLOCKING=yes: '

# ---- neighborhood collectives: sides of 2 and 1, where both neighbors are one rank, and a torus of 3 x 3 ----

[ "$flavor" = smpi ] || for ranks in 2 6 9; do
  TUTTI_NEIGHBORS=combining TUTTI_NONBLOCKING=1 TUTTI_ALLGATHER=bucket TUTTI_PROFILE=near.profile launch_other near $ranks
  passes "neighbors, $ranks ranks"
  method=neighbor-linear
  [ $ranks -lt 9 ] || method=neighbor-combining
  for form in '' ', nonblocking'; do
    reports " +[1-9][0-9]* .*  alltoall/$method, neighborhood$form\$"
  done
  reports " +[1-9][0-9]* .*  alltoallv/neighbor-linear, neighborhood, persistent\$"
  reports " +[1-9][0-9]* .*  allgather/$method, neighborhood\$"
  [ $ranks -lt 9 ] || reports " +[1-9][0-9]* .*  allgather/bucket/torus=3x3\$"
  grep -q 'passed through: neighborhood' err && die "a neighborhood collective is not served"
  for neighbors in 4 8; do
    [ "$(calls_of near.profile collective=allgather ran=neighborhood_of_$neighbors,_allgather/$method)" -gt 0 ] ||
      die "$ranks ranks: no row for $neighbors neighbors: $(cat near.profile)"
  done
done
if [ "$flavor" != smpi ]; then
  TUTTI_NEIGHBORS=linear launch_other near 3 skips && die "a call that rank 0 does not make ends: $(cat out)"
  reports 'ranks wait for each other, .* has called neighbor_alltoall, and rank 0 MPI_Finalize$'
  compile program
fi
TUTTI_NEIGHBORS=1 launch interposed 2
is_refused 'TUTTI_NEIGHBORS=1: neither linear nor combining nor native'

# ---- candidates that are tried while a program runs ----

some=3 calls=400 # ranks that wait for a processor, in MPICH by looking again and again, take milliseconds a call
[ "$flavor" = smpi ] && some=5 calls=
compile program
TUTTI_ADAPT=adapted launch interposed $some "$wrong" # the library is a candidate, too
passes "candidates of every collective"
grep -q '^# found by TUTTI_ADAPT: decided for [0-9]* of [1-9][0-9]* classes of calls$' adapted ||
  die "nothing found: $(cat adapted)"
TUTTI_ADAPT=found launch_other adapt $some $calls
passes "candidates"
reports ".* allreduce passed through: a candidate"
reports ".*  allreduce/[a-z]"
for rule in "allreduce/[^ ]* ranks=$some bytes=8\.\.[13]" "bcast/[^ ]* ranks=$some bytes=32768\.\.65535" \
  "allreduce/[^ ]* ranks=2 bytes=8\.\.15" "# not decided after 1 call: reduce/[^ ]* ranks=$some"; do
  [ "$flavor" = smpi ] || rule="(# not decided after [0-9]+ calls: )?$rule" # how soon, times say
  grep -Eq "^$rule" found || die "no rule '$rule': $(cat found)"
done
if [ "$flavor" = smpi ]; then
  TUTTI_ADAPT=again launch interposed $some $calls
  cmp found again || die "another decision the second time"
fi
TUTTI_DECISION=found launch interposed $some $calls
passes "what was found"
reports "$some ranks, rules of found"
printf 'allreduce/recursive-doubling\nallreduce/ring bytes=8..31\n' >candidates
TUTTI_ADAPT=1 TUTTI_CANDIDATES=candidates launch interposed $some $calls
passes "a file of candidates"
reports ".*  allreduce/ring"
grep -q 'bcast passed through: a candidate' err && die "a collective without candidates"
for variable in TUTTI_ADAPT TUTTI_PROFILE TUTTI_TRACE; do # what lies there, a link perhaps, is not written through
  echo kept >victim
  rm -f written && ln -s victim written
  export $variable=written
  launch interposed 2
  [ "$(cat victim)" = kept ] && [ -s written ] && [ ! -h written ] || die "$variable: a link is followed"
  unset $variable
  rm -f written
done
for variable in TUTTI_ADAPT TUTTI_PROFILE TUTTI_TRACE; do
  export $variable=none/found
  launch interposed 2
  is_refused "$variable: none/found: No such file"
  unset $variable
done
TUTTI_CANDIDATES=candidates launch interposed 2
is_refused 'TUTTI_CANDIDATES without TUTTI_ADAPT'
mkfifo pipe && truncate -s 3G sparse
for variable in TUTTI_DECISION TUTTI_CANDIDATES TUTTI_LEVELS; do
  export $variable=pipe
  launch interposed 2
  is_refused "pipe: not a regular file"
  export $variable=sparse
  launch interposed 2
  is_refused "sparse: "
  export $variable=/dev/fd/0
  launch interposed 2
  is_refused "/dev/fd/0: is opened by its name elsewhere"
  unset $variable
done
rm pipe sparse

# ---- sums that round: methods whose ranks would get other bits serve none of them ----

if [ "$flavor" = smpi ]; then
  for method in swing-latency census; do
    TUTTI_ALLREDUCE=$method launch_other bits 16
    passes "$method"
    reports " +320 +8B .*  allreduce/recursive-doubling\$"
    reports " +640 +8B .*  allreduce/$method\$"
  done
  TUTTI_ALLREDUCE=ring TUTTI_REPRODUCIBLE=aligned launch_other bits 16
  passes "the aligned tree"
  reports " +320 +8B .*  allreduce/reduce-bcast\$"
  reports " +640 +8B .*  allreduce/ring\$"
  TUTTI_NATIVE=1 TUTTI_REPRODUCIBLE=aligned launch_other bits 16
  passes "the aligned tree in place of the library"
  reports " +960 +8B .*  allreduce/reduce-bcast\$"
  printf 'allreduce/swing-latency\nallreduce/reduce-bcast\n' >candidates
  TUTTI_ADAPT=1 TUTTI_CANDIDATES=candidates TUTTI_DECISION=candidates launch interposed 16
  passes "candidates whose ranks get other bits"
  reports " +[1-9][0-9]* +8B .*  allreduce/swing-latency"
  reports " +[1-9][0-9]* +8B .*  allreduce/recursive-doubling"
else
  TUTTI_REPRODUCIBLE=aligned launch_other bits 3 forms
  passes "a nonblocking sum has the bits of a blocking one"
  reports " +60 +8B .*  allreduce/reduce-bcast, nonblocking\$"
  (unset TUTTI_VERBOSE && TUTTI_REPRODUCIBLE=aligned launch_other bits 2 forms)
  [ "$(grep tutti err)" = "tutti: TUTTI_REPRODUCIBLE: not served, so that their sums are the MPI library's: allreduce; \
TUTTI_VERBOSE=1 says why" ] || die "no word about what is left to the library"
fi

# ---- Fortran, whose bindings may go around the functions of C ----

launch_fortran() { # BINDINGS
  "$fortran" -fallow-argument-mismatch -DTUTTI_"$1" -o plain "$source/tests/interpose/fortran.F90" 2>fortran.err ||
    die "fortran.F90 does not compile: $(cat fortran.err)"
  launch plain 3
  grep -q '^[1-9][0-9]* passed, 0 failed$' out || return 1
  launch interposed 3
}

fortran=mpif90.$flavor
if [ "$flavor" != smpi ] && [ -z "$abi" ] && command -v "$fortran" >/dev/null; then
  for bindings in HEADER MODULE F08; do
    if ! launch_fortran $bindings; then # as mpi_f08 of Open MPI 6.0.0rc2
      echo "left out: Fortran, $bindings, which fails without the interposer"
      continue
    fi
    passes "Fortran, $bindings"
    for collective in bcast barrier scatter gather allgather allgatherv alltoall alltoallv alltoallw reduce \
      reduce_scatter_block reduce_scatter allreduce scan exscan; do
      reports " +[1-9][0-9]* .*  $collective/[a-z]"
    done
    reports ".*  bcast passed through: nonblocking"
    reports ".*  bcast passed through: intercommunicator"
    TUTTI_NONBLOCKING=1 TUTTI_PROFILE=fortran.profile launch interposed 3
    passes "Fortran, $bindings, nonblocking"
    grep -Eq ' site=lib(m|tutti)' fortran.profile && die "places in the bindings: $(grep -E ' site=lib(m|tutti)' fortran.profile)"
    [ "$(grep -o ' site=plain+0x[0-9a-f]*' fortran.profile | sort -u | wc -l)" -ge 15 ] || die "not its places: $(cat fortran.profile)"
    reports ".*  bcast/[^ ]*, nonblocking"
  done
fi

# ---- wrong programs: ranks whose calls do not fit each other ----

returns() { # CASE WHAT RANK...: what these ranks got in the last launch, "success" or "error"
  case=$1 what=$2
  shift 2
  for rank; do
    if grep -q "^$case rank=$rank success\$" out; then got=success; else got=error; fi
    grep -q "^$case rank=$rank " out && [ $got = "$what" ] || die "$case: rank $rank, $what expected: $(cat out)"
  done
}

ends() { # FORM CASE MESSAGE: it ends the program, which says why
  unset TUTTI_VERBOSE
  launch interposed 3 "fatal,$1" "$2" && die "$1 $2: no error: $(cat out)"
  grep -q 'stuck' out && die "$1 $2: ranks wait for each other: $(cat out)"
  grep -Eq "^tutti: .*$3" err || die "$1 $2: not said: $3"
}

if [ "$flavor" != smpi ]; then
  compile wrong
  export OMPI_MCA_btl_vader_single_copy_mechanism=none # Open MPI 4.1 itself writes after a buffer that is too short
  launch interposed 3 blocking gather:send-more:0:300 gather:send-less:0:300 gatherv:send-less:0:50000 \
    scatter:send-more:0:300 scatter:receive-more:0:300 scatterv:receive-more:0:300 allgather:send-more:1:300 \
    allgather:send-less:1:50000 allgatherv:receive-more:1:300 alltoall:send-less:1:300 alltoall:receive-more:1:300 \
    allgather:type:1:50000 bcast:more:0:300 reduce:less:1:300 allreduce:late:1:50000 alltoallv:late:1:300 ||
    die "errors that are returned: $(cat out)"
  for case in gather:send-more:0:300 gather:send-less:0:300 gatherv:send-less:0:50000; do
    returns $case error 0
    returns $case success 1 2
  done
  for case in scatter:send-more:0:300 scatter:receive-more:0:300 scatterv:receive-more:0:300; do
    returns $case error 0 1 2
  done
  for case in allgather:send-more:1:300 allgather:send-less:1:50000 allgatherv:receive-more:1:300 \
    alltoall:send-less:1:300 alltoall:receive-more:1:300; do
    returns $case error 1
  done
  returns bcast:more:0:300 error 1 2
  returns reduce:less:1:300 error 0
  returns allreduce:late:1:50000 success 0 1 2
  returns alltoallv:late:1:300 success 0 1 2
  ends blocking gather:send-more:0:300 'gather: rank 0: it sends 2400 bytes to itself and receives 1200'
  export TUTTI_NONBLOCKING=1
  for form in nonblocking persistent; do # to the handler of the communicator, not to that of the world
    launch interposed 3 $form allgather:send-more:1:300 alltoall:receive-more:1:300 bcast:more:0:300 reduce:less:1:300 ||
      die "$form: errors that are returned: $(cat out)"
    returns allgather:send-more:1:300 error 0 2
    returns bcast:more:0:300 error 1 2
    returns reduce:less:1:300 error 0
  done
  for form in blocking nonblocking persistent; do
    ends $form allreduce:more:1:50000 'allreduce of 400000 bytes, and rank [02] allreduce of 200000 bytes|allreduce of 200000 bytes, and rank 1 allreduce of 400000 bytes'
  done
  ends blocking alltoallv:none-and-next:1:300 'rank [02] of MPI_COMM_WORLD waits for a message with rank 1 in alltoallv, which that rank has left'
  unset TUTTI_NONBLOCKING
  ends blocking reduce_scatter_block:more:0:50000 'reduce_scatter_block'
  ends blocking bcast:other:1:300 'their calls on a communicator differ: .* has called barrier, and rank [02] bcast of 1200 bytes'
  ends blocking bcast:skips:0:300 'rank [12] of MPI_COMM_WORLD has called bcast of 1200 bytes with root 0, and rank 0 MPI_Finalize'
  ends blocking allreduce:skips-world:1:1 'has called allreduce of 4 bytes, and rank 1 MPI_Finalize'
  ends blocking bcast:skips-new:0:1 'has called bcast with arguments that are left to the MPI library, and rank 0 MPI_Finalize'
  ends blocking allgather:skips-new:2:50000 'has called allgather .*, and rank 2 MPI_Finalize'
  ends blocking alltoallv:none:1:300 'rank [02] of MPI_COMM_WORLD waits for a message with rank 1 in alltoallv, which that rank has left'
  unset OMPI_MCA_btl_vader_single_copy_mechanism
  export TUTTI_VERBOSE=1
fi

# ---- more communicators than there are tags: calls on the last ones are left to the library, and recorded ----

(
  unset TUTTI_VERBOSE
  TUTTI_PROFILE=communicators.profile TUTTI_ALLREDUCE=recursive-doubling launch_other communicators 2
) || exit 1
passes "many communicators"
recorded communicators.profile 1040 collective=allreduce
grep -q '^tutti-call .* collective=allreduce ran=native' communicators.profile || die "all are served: $(cat communicators.profile)"

# ---- threads, and sessions, which have no MPI_COMM_WORLD ----

if [ "$flavor" != smpi ]; then
  TUTTI_PROFILE=threads.profile launch_other threads 2
  passes "threads"
  reports ".*  allreduce/[a-z]"
  recorded threads.profile 960 collective=allreduce
fi

if [ "$flavor" = mpich ] || [ -n "$abi" ]; then
  launch_other session 3
  passes "sessions"
  [ "$(grep -Ec '^tutti: this process, built-in rules' err)" -eq 3 ] || die "no report of each process"
  reports " +[1-9][0-9]* +4B +[0-9.]+ +[0-9.]+  bcast/[a-z]"
  case $flavor in
  mpich) reports " +[1-9][0-9]* +4B +[0-9.]+ +[0-9.]+  allreduce/[a-z]" ;;
  *) reports ".*  allreduce passed through: no MPI_COMM_WORLD" ;; # see serve.c
  esac
  (
    export TUTTI_ALLREDUCE=nonsense
    launch_other session 3
  )
  is_refused 'TUTTI_ALLREDUCE=nonsense: .*native'
fi
echo "interpose.$own_flavor${abi:+.$flavor}: passed"
