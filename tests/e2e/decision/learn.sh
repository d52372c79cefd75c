#!/bin/sh
# A small sweep, every learner on it, decision files that read back, tests on unseen points, cases as files, pictures
# of what is decided, and an unchanged program under a learned tree.
#
# usage: learn.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

cat >small.xml <<'XML'
<experiment name="small">
  <platform name="grig_fast_ethernet"/>
  <sweep collective="bcast" root="0">
    <ranks>2 3 4 6 8 12 16</ranks>
    <sizes>1 16 256 1KB 2KB 4KB 16KB 64KB 256KB</sizes>
    <method algorithm="linear"/>
    <method algorithm="binomial"/>
    <method algorithm="split-binary" segments="none 1KB"/>
    <method algorithm="pipeline" segments="1KB"/>
  </sweep>
  <sweep collective="reduce" root="0">
    <ranks>2 3 4 6 8 12 16</ranks>
    <sizes>1 16 256 1KB 2KB 4KB 16KB 64KB 256KB</sizes>
    <method algorithm="linear"/>
    <method algorithm="binomial"/>
    <method algorithm="pipeline" segments="1KB"/>
  </sweep>
  <sweep collective="allgather">
    <ranks>2..16</ranks>
    <sizes>1 16 256 4KB 64KB</sizes>
    <method algorithm="bruck"/>
    <method algorithm="ring"/>
    <method algorithm="recursive-doubling"/>
    <method algorithm="neighbor-exchange"/>
  </sweep>
</experiment>
XML
run 0 bench small.xml --db small.db --quiet
measured="--platform grig_fast_ethernet --db small.db"

mean() { # of the first line of a table of penalties in out: the fourth column
  awk '$1 == "decision" { found = 1; next } found { print $4; exit }' out
}

below() { # NUMBER LIMIT
  awk -v number="$1" -v limit="$2" 'BEGIN { exit !(number != "" && number + 0 <= limit) }' ||
    die "a penalty of '$1' %, more than $2: $(cat out)"
}

# Every learner makes a file, the same twice, whose penalty is what it said.
for learner in 'c45 -m 1' 'quadtree' 'penalty --leaves 12' 'optimal --leaves 12'; do
  kind=${learner%% *}
  # shellcheck disable=SC2086
  run 0 learn $learner bcast $measured -o $kind.tree
  learnt=$(mean)
  below "$learnt" 3
  # shellcheck disable=SC2086
  run 0 learn $learner bcast $measured -o again.tree
  cmp $kind.tree again.tree || die "$learner: another tree the second time"
  # shellcheck disable=SC2086
  run 0 penalty $kind.tree $measured
  [ "$(mean)" = "$learnt" ] || die "$kind.tree: penalty $(mean) instead of $learnt"
done
run 0 penalty quadtree.tree $measured
[ "$(mean)" = 0.00 ] || die "an exact quadtree has a penalty of $(mean)"

# A tree that minimizes the penalty loses no more than C4.5 of the same size.
run 0 learn c45 bcast $measured -m 6 -c 5 -o small.tree
leaves=$(awk '/^c45 bcast / { print $5 }' out)
c45=$(mean)
for learner in penalty optimal; do
  run 0 learn $learner bcast $measured --leaves "$leaves" -o other.tree
  below "$(mean)" "$c45"
done

# A combined tree answers for both, composite attributes make a smaller one, and unseen points cost more than seen ones.
run 0 learn c45 bcast reduce $measured -m 1 -o both.tree
expect '^c45 bcast reduce +126 '
cp both.tree listed.tree
run 0 learn c45 bcast,reduce $measured -m 1 -o both.tree
cmp both.tree listed.tree || die "a list with commas is something else: $(cat both.tree)"
grep -q '^tree bcast reduce$' both.tree || die "no combined tree: $(cat both.tree)"
run 0 penalty both.tree $measured --collective reduce
below "$(mean)" 3
run 0 learn c45 allgather $measured -m 1 --json
plain=$(sed -n 's/.*"leaves": \([0-9]*\),.*/\1/p' out | head -1)
run 0 learn c45 allgather $measured -m 1 -a ranks -a bytes -a 'pow2=pow2(ranks)' -a 'even = even(ranks)' --json
composite=$(sed -n 's/.*"leaves": \([0-9]*\),.*/\1/p' out | head -1)
[ "$composite" -lt "$plain" ] || die "composite attributes: $composite leaves instead of less than $plain"
# A penalty that was stored is a line of text, and nothing in JSON.
cp small.db stored.db
run 0 learn c45 bcast $measured --db stored.db --store-as
expect '^Penalty of c45.*, stored in stored[.]db$'
run 0 learn c45 bcast reduce $measured --db stored.db --store-as=both
expect '^Penalties of both, stored in stored[.]db$'
run 0 learn c45 bcast $measured --db stored.db --store-as=again --json
grep -q '^ ]}$' out && ! grep -q 'stored in' out || die "JSON: $(cat out)"
run 0 penalty bcast/linear $measured --db stored.db --store-as
expect '^Penalty of bcast/linear, stored in stored[.]db$'
run 0 penalty bcast/linear bcast/binomial $measured --db stored.db --store-as
expect '^Penalties of bcast/linear, bcast/binomial, stored in stored[.]db$'
run 0 penalty --against bcast/linear bcast/binomial $measured --db stored.db --store-as
expect '^Penalties of best, bcast/binomial, stored in stored[.]db$'
run 0 penalty --against bcast/linear $measured --db stored.db --store-as=tuned
expect '^Penalty of tuned, stored in stored[.]db$'
# Of a path that is too long the end is stored.
long=$PWD/a_folder_with_a_name_that_is_long/and_another_one
mkdir -p "$long" && echo 'bcast/linear' >"$long/own.rules"
run 0 penalty "$long/own.rules" $measured --db stored.db --store-as
expect '^Penalty of (a_folder_with_a_name_that_is_long/)?and_another_one/own.rules, stored'
run 0 penalty --against bcast/binomial "$long/own.rules" $measured --ranks 4,8 --db stored.db --store-as
[ "$(sqlite3 stored.db "SELECT count(*) FROM penalties WHERE decision GLOB '*and_another_one/own.rules/ranks=8'")" -eq 1 ] ||
  die "not stored: $(sqlite3 stored.db 'SELECT decision FROM penalties')"
run 0 penalty bcast/linear $measured --db stored.db --store-as --json
grep -q 'stored in' out && die "JSON: $(cat out)"
# With two libraries of a platform it is that of the target, which was learned from.
for flavor in mpich openmpi; do
  {
    echo "tutti-run v=1 tutti=0.1.0 flavor=$flavor library=$flavor-4.1 ranks=8 ranks_per_node=1"
    for method in native binomial@openmpi; do
      [ $method$flavor != binomial@openmpimpich ] || method=scatter-ring@mpich
      echo "tutti-measurement v=1 method=bcast/$method scheme=window ranks=8 root=0 count=8 type_B=1 repetitions=9" \
        "minimum_s=1e-6 median_s=1e-6 mean_s=1e-6 maximum_s=1e-6"
    done
    echo 'tutti-end v=1 measurements=2'
  } >$flavor.records
  run 0 import --format tutti $flavor.records --db two.db --platform mine
done
run 0 learn optimal bcast --db two.db --target openmpi-4.1 --store-as=tree
expect '^Penalty of tree, stored in two[.]db$'
[ "$(sqlite3 two.db 'SELECT flavor FROM penalties')" = openmpi ] || die "stored under another library"

run 0 learn c45 bcast $measured --folds 5 --leave-out --test-share 20
expect '^  unseen fold .* 63 +0 '
expect '^  unseen ranks .* 63 +0 '
expect '^  unseen share .* 1[23] +0 '

# Cases as files, for other programs.
run 0 learn c45 bcast $measured -m 1 --data cases.arff -o first.tree
grep -q '^@attribute class {' cases.arff && [ "$(sed '1,/^@data/d' cases.arff | wc -l)" = 63 ] ||
  die "not 63 cases: $(cat cases.arff)"
run 0 learn c45 bcast $measured --data stem -o first.tree
sed '1,/^@data/d' cases.arff | tr -d "'" | diff - stem.data || die "other cases for C4.5"
sed -n '1s/[.]$//p' stem.names | grep -q . && grep -q '^bytes: continuous[.]$' stem.names || die "names: $(cat stem.names)"
for file in cases.arff stem.names ./stem; do
  run 2 learn c45 $file
  expect "^tutti learn: $file: files of cases are not read any more: learn from measurements.*tutti learn c45 COLLECTIVE"
done

# Targets restrict, smoothing merges, and wrong combinations are errors. Reduce by binomial trees is not Open MPI's.
run 0 learn c45 reduce $measured -m 1 -o all.tree
grep -q binomial all.tree || die "binomial reduce is nowhere best: $(cat all.tree)"
run 0 learn c45 reduce $measured -m 1 --target openmpi -o known.tree
grep -q binomial known.tree && die "a method that Open MPI does not have: $(cat known.tree)"
run 2 learn c45 bcast $measured --target mpich
expect 'measure in-order-binomial, scatter-recursive-doubling, scatter-ring'
run 2 learn c45 reduce $measured --target solitaire
expect 'solitaire'
run 0 learn c45 bcast $measured -m 1 --smooth 1000 -o smooth.tree
expect '^c45 bcast +63 +1 +1 +0 '
run 2 learn c45 bcast $measured -a 'a b = ranks'
expect 'name of an attribute'
run 2 learn c45 bcast $measured -a 'x = colour'
expect "colour"
run 2 learn quadtree bcast $measured -a ranks
expect 'one collective, over ranks and bytes'
run 2 learn c45 bcast $measured --leaves 3
expect 'leaves.*penalty and optimal'
run 2 learn quadtree bcast $measured -m 3
expect 'go with c45'
run 2 learn optimal bcast $measured --depth 3
expect 'go with quadtree'
run 2 learn forest bcast $measured
expect 'unknown learner'
run 2 learn c45 bcast
expect 'results.db: no such store of measurements; this makes one:'
run 2 learn c45 bcast $measured --folds 1000
expect 'fold'
cp first.tree kept.tree
run 2 learn c45 bcast --platform grig_mx --db small.db -o first.tree
cmp first.tree kept.tree || die "a failure has touched the file that was there"

# A tree decides for an unchanged program.
if [ -f "$build/smpi/libtutti_mpi.so" ]; then
  cat >program.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
  static char data[65536];
  MPI_Init(&argc, &argv);
  MPI_Bcast(data, sizeof data, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Bcast(data, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
C
  smpicc program.c -o program -Wl,--no-as-needed "$build/smpi/libtutti_mpi.so" -Wl,-rpath,"$build/smpi" 2>err ||
    die "smpicc: $(cat err)"
  "$tutti" platform hostfile grig_fast_ethernet --ranks 8 -o hosts
  printf '%s\n' 'tutti-decision 1' 'tree bcast' 'attribute total' 'total <= 8 : binomial' 'total > 8 : chain/8KB/k=2' >hand.tree
  # Linked first for SimGrid up to 4.0, preloaded for later ones.
  TUTTI_VERBOSE=1 TUTTI_DECISION=$PWD/hand.tree smpirun -wrapper "env LD_PRELOAD=$build/smpi/libtutti_mpi.so" -np 8 \
    -platform "$TUTTI_PLATFORM_PATH/grig_fast_ethernet.xml" -hostfile hosts --log=root.thres:critical ./program >out 2>err || die "program: $(cat out err)"
  expect ' 64KB .* bcast/chain/8KB/k=2'
  expect ' 1B .* bcast/binomial'
fi

# What rounds differently on each rank must be asked for.
run 0 bench allreduce --platform grig_mx -P 12 -s 8B --methods recursive-doubling,census --engine fast --quiet --db apart.db
run 0 learn optimal allreduce --platform grig_mx --db apart.db --print
expect '^recursive-doubling \(1\.0\)'
expect 'note: apart\.db: methods such as allreduce/census are the fastest at 1 point on grig_mx, .*: --rounds-apart lets them be$'
run 0 learn optimal allreduce --platform grig_mx --db apart.db --print --rounds-apart
expect '^census \(1\.0\)'
expect 'best measured method of tutti, rounds apart on grig_mx'
grep -q note: err && die "a note about what was asked for: $(cat err)"

need gnuplot gnuplot-nox
run 0 map bcast $measured --decision small.tree --plot picked.svg
expect '^  [A-Z]1? +bcast/'
run 0 map bcast $measured --decision small.tree --plot loss.svg --loss
for picture in picked loss; do
  grep -q '<path\|<polygon' $picture.svg || die "nothing is drawn in $picture.svg"
done
cmp -s picked.svg loss.svg && die "what is lost looks like what is picked"
run 2 map bcast $measured --loss --plot x.svg
exit 0
