#!/bin/sh
# Schedules of MSCCL: written as in the golden file, read as methods, proven, priced, measured, run on MPI with the results
# of the library; what does not fit, and what is wrong in a file, is said.
#
# usage: msccl.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

set -- reduce/binomial -P 4 -n 20 --root 1
run 0 schedule "$@" --msccl small.xml
[ "${TUTTI_GOLDEN:-}" != write ] || cp small.xml "$source/tests/golden/small.msccl"
diff "$source/tests/golden/small.msccl" small.xml || die "small.xml is not tests/golden/small.msccl"
run 0 schedule "$@" --no-verify --msccl again.xml
cmp small.xml again.xml || die "another file"
run 0 schedule small.xml --json
expect '"reduce/msccl-small"'
expect '"root": 1'
expect '"verified": true'
run 2 schedule small.xml -P 5
expect 'serves 4 ranks, root 1 and multiples of 1 element; called with 5, 1 and'
run 0 schedule reduce/rabenseifner -P 4 -n 20 --root 1 --msccl halves.xml # every rank sends and receives
run 0 schedule halves.xml
expect '^reduce/msccl-halves on 4 ranks, .*: verified$'

# ---- the page ----

block how-to/plug-in.md 'sh msccl' >commands
mkdir bin && ln -s "$tutti" bin/tutti
PATH=$place/bin:$PATH sh -eu commands >out 2>err || die "the commands of the page: $(cat out err)"
expect '^allreduce/msccl-ring on 4 ranks'
expect 'msccl-ring'

run 0 schedule ring.xml
grep -q 'last bits' out && die "all ranks of a ring get the same sums: $(cat out)"
for method in rabenseifner circulant-halving allgather-reduce swing-latency census; do # as of the method itself
  run 0 schedule allreduce/$method -P 8 -n 64 --msccl $method.xml
  grep 'last bits' out >apart
  run 0 schedule $method.xml
  grep 'last bits' out | cmp - apart || die "$method: $(cat out)"
done
[ -s apart ] || die "no method of which ranks get other sums"
run 0 --plugin ring.xml export allreduce/msccl-ring --format tutti
grep -q 'warning: allreduce/msccl-ring is of a plug-in, and the interposer loads none' err || die "no warning: $(cat err)"
run 2 schedule allreduce/msccl-ring
expect "unknown allreduce algorithm 'msccl-ring'.* --plugin FILE.xml"

# ---- what does not fit ----

refused() { # NAMED ARGUMENTS...
  named=$1
  shift
  run 2 schedule "$@" --msccl refused.xml
  expect "$named"
  [ ! -e refused.xml ] || die "$*: a file"
}
refused 'MSCCL has no barrier' barrier/bruck -P 4
refused 'MSCCL has no scan' scan/linear -P 4
refused 'rank 0 needs more than the 32 channels of MSCCL' bcast/pipeline/1KB -P 4 -n 1025KB
run 0 schedule bcast/pipeline/1KB -P 3 -n 1MB --msccl pipeline.xml
run 0 schedule pipeline.xml
expect '^bcast/msccl-pipeline on 3 ranks, .*: verified$'
refused 'chunks of 1 element only, 1000003 of them, .*multiple of the 6 ranks' allreduce/ring -P 6 -n 1000003
refused 'readers of MSCCL take 1024 ranks at most, not 1025' bcast/binomial -P 1025

# ---- files of others ----

cp "$source/tests/fuzz/seeds/pairs.msccl" pairs.xml
cp "$source/tests/fuzz/seeds/ring.msccl" ring4.xml
run 0 schedule pairs.xml
expect '^allreduce/msccl-pairs on 3 ranks, .*: verified$'
sed 's/deps="1" hasdep="0"/deps="9" hasdep="0"/' pairs.xml >bad.xml
run 2 schedule bad.xml
expect 'bad.xml: gpu 0, thread block 0, step 0: waits for step 9 of thread block 2, which there is not'
sed '3s/send="1"/send="7"/; 4s/send="1"/send="7"/; 5s/send="1"/send="7"/' ring4.xml >bad.xml
run 2 schedule bad.xml
expect 'bad.xml:3: send="7" is no number from -1 to 3'
sed 's/type="rrs"/type="rcs"/' ring4.xml >wrong.xml
run 1 schedule wrong.xml
expect 'allreduce/msccl-wrong, 4 ranks'
run 0 lint --help
run 2 place "$source" --platform grig_mx

# ---- on MPI: as the library itself ----

for method in allgather/bruck allgather/pat reduce_scatter_block/ring alltoall/bruck; do
  run 0 schedule $method -P 4 -n 8 --msccl "$(echo $method | tr / -).xml"
done
list=$(ls "$PWD"/all*-*.xml "$PWD"/reduce*-*.xml "$PWD/ring4.xml" | tr '\n' ':')
ran=0
for flavor in openmpi mpich; do
  [ -x "$build/$flavor/test-every" ] && command -v mpiexec.$flavor >/dev/null || continue
  [ $flavor = openmpi ] && more=--oversubscribe || more=
  # shellcheck disable=SC2086
  TUTTI_PLUGINS=$list mpiexec.$flavor $more -n 4 "$build/$flavor/test-every" allgather reduce_scatter_block alltoall \
    allreduce >out 2>err || die "$flavor: $(tail -n 5 out err)"
  ran=$((ran + 1))
done
echo "schedules of MSCCL written, read, proven; run on $ran MPI libraries"
