#!/bin/sh
# A library's own algorithms as methods (bcast/binomial@openmpi): measured, kept apart from ours, and never claimed of a
# library that was not told.
#
# usage: library_methods.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun libsimgrid-dev
need sqlite3 sqlite3

cat >own.xml <<'END'
<experiment name="own">
  <platform name="grig_mx"/>
  <sweep collective="bcast"><ranks>8</ranks><sizes>8 64KB</sizes>
    <method implementation="smpi" segments="none 8KB"/>
    <method name="bcast/linear"/><method name="bcast/in-order-binomial"/></sweep>
</experiment>
END
run 0 bench own.xml --db own.db
expect 'own: 10 points measured'
rows() { # METHOD: sizes and times
  sqlite3 own.db "SELECT rank_B, median_s FROM measurement JOIN method ON id = method WHERE name = '$1' ORDER BY rank_B"
}
# The simulator knows no cost of code, so that the same messages take the same time.
[ -n "$(rows bcast/in-order-binomial)" ] || die 'our tree was not measured'
[ "$(rows bcast/in-order-binomial)" = "$(rows bcast/in-order-binomial@smpi)" ] || die 'the trees differ'
[ "$(rows bcast/linear@smpi | wc -l)" -eq 2 ] || die 'a method of SMPI was not measured'
run 0 bench own.xml --db own.db
expect '10 there already'

sed 's/bcast.linear/bcast\/linear@openmpi/' own.xml >other.xml
run 2 bench other.xml --db own.db
expect 'bcast/linear@openmpi on 8 ranks: methods of openmpi are measured with its flavor, not with smpi: on a real machine, by --flavor openmpi$'

# By hand: only a simulator, or a library, that was told runs such a method.
run 0 platform hostfile grig_mx --ranks 4 -o hosts
smpi() {
  smpirun -np 4 -platform "$source/platforms/grig_mx.xml" -hostfile hosts "$@" "$build/smpi/tutti-bench" \
    --method ${methods:-bcast/linear@smpi} >out 2>err
}
smpi && die "it was not told: $(cat out)"
grep -q 'bcast/linear@smpi: SMPI runs it if smpirun is given --cfg=smpi/bcast:flattree' err || die "$(cat err)"
smpi --cfg=smpi/bcast:flattree || die "$(cat err)"
grep -q '^tutti-measurement .*bcast/linear@smpi' out || die "$(cat out)"
methods=bcast/linear@smpi,allgather/ring@smpi
smpi && die "it was not told: $(cat out)"
grep -q 'bcast/linear@smpi: SMPI runs it if smpirun is given --cfg=smpi/bcast:flattree --cfg=smpi/allgather:NTSLR$' err ||
  die "$(cat err)"

for flavor in openmpi mpich; do
  [ -x "$build/$flavor/tutti-bench" ] && command -v mpiexec.$flavor >/dev/null || continue
  sed "s/<platform.*/<platform kind=\"real\" name=\"here\" flavor=\"$flavor\"\/>/; s/>8</>2</
    s/implementation=.*/implementation=\"$flavor\"\/>/
    s/^<.experiment>/<sweep collective=\"barrier\"><ranks>2<\/ranks><method name=\"barrier\/bruck@$flavor\"\/><\/sweep>&/
    " own.xml >$flavor.xml
  run 0 bench $flavor.xml --oversubscribe --db $flavor.db
  count=$(sqlite3 $flavor.db "SELECT count(*) FROM measurement JOIN method ON id = method WHERE name LIKE 'bcast/%@$flavor'")
  [ "$count" -ge 4 ] || die "$flavor: $count measurements of its own methods"
  # MPICH has another name for it from 4.1 on.
  [ "$(sqlite3 $flavor.db "SELECT count(*) FROM measurement JOIN method ON id = method WHERE name = 'barrier/bruck@$flavor'")" -eq 1 ] ||
    die "$flavor: its barrier was not measured"
done
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
if [ -x "$build/openmpi/tutti-bench" ]; then
  # A call of the library that fails is named, and why in the library's words.
  printf '1\n3\n1\n2\n1\n0 99 0 0\n' >wrong.rules # no such algorithm of alltoall
  failing() {
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/wrong.rules \
      timeout $PATIENCE mpiexec.openmpi --oversubscribe -np 2 "$build/openmpi/tutti-bench" --method alltoall/native \
      >out 2>err && die "an algorithm that does not exist has run: $(cat out)"
    grep -Eq "alltoall/native: the library's call failed with code [0-9]+: MPI_ERR_[A-Z]+: " err
  }
  retry 20 "mpiexec lost the error message" failing || die "the reason is missing: $(cat err)"
  openmpi() {
    timeout $PATIENCE mpiexec.openmpi --oversubscribe -np 2 "$build/openmpi/tutti-bench" --repetitions=3 "$@" >out 2>err
  }
  both=bcast/binomial/8KB@openmpi,reduce/linear@openmpi
  openmpi --method $both && die "Open MPI was not told: $(cat out)"
  [ "$(grep -c 'bcast/binomial/8KB@openmpi: the library runs it if all ranks are started after: export ' err)" -eq 1 ] ||
    die "not said once: $(cat err)"
  # What is missing is a line to be pasted, and the next one says nothing of what is there.
  eval "$(sed -n 's/.*started after: \(export .*\)/\1/p' err)"
  openmpi --method $both || die "told all that was missing: $(cat err)"
  [ "$(grep -c '^tutti-measurement ' out)" -eq 2 ] || die "$(cat out)"
  OMPI_MCA_coll_tuned_bcast_algorithm=1 openmpi --method $both && die "Open MPI was told something else: $(cat out)"
  grep -q 'started after: export OMPI_MCA_coll_tuned_bcast_algorithm=6$' err || die "$(cat err)"
  # A script tells the ranks apart: given two programs mpiexec of 5.0.7 dies itself.
  cat >all_but_one <<'END'
[ "$OMPI_COMM_WORLD_RANK" != 1 ] || unset OMPI_MCA_coll_tuned_priority
exec "$@"
END
  differing() {
    timeout $PATIENCE mpiexec.openmpi --oversubscribe -np 2 sh all_but_one "$build/openmpi/tutti-bench" --method $both \
      >out 2>err && die "rank 1 was not told: $(cat out)"
    grep -q 'all ranks are started after: export OMPI_MCA_coll_tuned_priority=100$' err
  }
  retry 20 "mpiexec lost the error message" differing || die "the reason is missing: $(cat err)"
  openmpi --method bcast/linear@openmpi,bcast/binomial@openmpi && die "two algorithms in one launch: $(cat out)"
  grep -q 'bcast/linear@openmpi, bcast/binomial@openmpi: in one launch a library runs one' err || die "$(cat err)"
fi
echo '1 passed, 0 failed'
