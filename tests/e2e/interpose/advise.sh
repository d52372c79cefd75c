#!/bin/sh
# A program's profile: the interposer counts its calls under every MPI and sees who comes last; tutti advise says what
# better methods gain, and under SMPI the program gains that.
#
# usage: advise.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

cat >app.c <<'C'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
  static char buffer[1 << 15];
  double own = 1, sum;
  int rank, size;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_set_name(half, "half of all");
  for (int i = 0; i < 100; i++)
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 20; i++) {
    if (rank == 1)
      usleep(300);
    MPI_Bcast(buffer, sizeof buffer, MPI_BYTE, i % size, MPI_COMM_WORLD);
  }
  for (int i = 0; i < 10; i++)
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_MAX, half);
  return MPI_Finalize();
}
C

# sum COLLECTIVE COMMUNICATOR COLUMN: of the rows of the file profile.
sum() {
  awk -v collective="collective=$1" -v communicator="communicator=$2" -v column="$3=" '
    index($0, communicator " ") && index($0, collective " ") {
      for (i = 1; i <= NF; i++) if (index($i, column) == 1) s += substr($i, length(column) + 1) }
    END { print s + 0 }' profile
}
counted() { # RANKS LIBRARY: the calls of the program, whatever served them; of 2 ranks the half is one, which needs no others
  halves=$(($1 > 2 ? 10 * $1 : 0))
  [ "$(sum allreduce MPI_COMM_WORLD calls)" -eq $((100 * $1)) ] &&
    [ "$(sum bcast MPI_COMM_WORLD calls)" -eq $((20 * $1)) ] &&
    [ "$(sum allreduce half_of_all calls)" -eq "$halves" ] &&
    grep -q "^tutti-program .* ranks=$1 .* calls=$((120 * $1 + halves)) left_out=0" profile &&
    grep 'collective=bcast' profile | grep -q 'root_least=0 root_most='$(($1 - 1)) || die "$2: $(cat profile)"
  grep 'collective=bcast' profile | grep -q ' samples=[1-9]' || die "$2: no samples of who comes last: $(cat profile)"
  [ "$(sed -n 's/.*site=\([^ ]*\) .*/\1/p' profile | sort -u | wc -l)" -eq $((halves ? 3 : 2)) ] || die "$2: other places: $(cat profile)"
}

# ---- on real libraries ----

for flavor in mpich openmpi; do
  [ -e "$build/$flavor/libtutti_mpi.so" ] && command -v mpicc.$flavor >/dev/null || continue
  mpicc.$flavor -o app.$flavor app.c || die "the program does not compile for $flavor"
  rm -f profile
  OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 TUTTI_PROFILE=profile \
    mpiexec.$flavor -n 2 env LD_PRELOAD="$build/$flavor/libtutti_mpi.so" ./app.$flavor >out 2>&1 ||
    die "$flavor: $(cat out)"
  counted 2 $flavor
  head -1 profile | grep -q " flavor=$flavor .* ranks_per_node=2 cores=$(getconf _NPROCESSORS_ONLN)$" ||
    die "$flavor: not the processors of the node: $(head -1 profile)"
  # Without a store, what measures these calls: by Tutti's methods, which ran, or those of the library.
  run 2 advise profile --db none.db
  expect "^  tutti bench bcast,allreduce --platform my-cluster --flavor $flavor -P 2 -s 8B,32KB"
  sed 's/ ran=[^ ]*/ ran=native/' profile >native
  run 2 advise native --platform here --db none.db
  expect "^  tutti bench bcast,allreduce --platform here --flavor $flavor --of $flavor -P 2 -s 8B,32KB"
  run 0 import --format tutti profile --platform here --db here.db
  run 0 bench bcast --platform here --flavor $flavor --methods binomial -P 2 -s 32KB --repetitions 2 --db few.db -q
  run 0 advise profile --platform here --db few.db
  expect "^  tutti bench allreduce --platform here --flavor $flavor -P 2 -s 8B --db few.db"
  rm few.db
  # A store of such rows goes through a merge.
  run 0 merge here.db --db merged.db
done

# ---- in a simulation: what is advised is gained ----

smpicc -O1 app.c -Wl,--no-as-needed "$build/smpi/libtutti_mpi.so" "-Wl,-rpath,$build/smpi" -o app >out 2>&1 ||
  die "the program does not compile for SMPI: $(cat out)"
platform=$source/platforms/grig_mx.xml
"$tutti" platform hostfile "$platform" --ranks 8 -o hosts || die "no hostfile"
simulate() { # FILE VARIABLE...
  file=$1
  shift
  rm -f "$file"
  env TUTTI_PROFILE="$file" "$@" smpirun -np 8 -platform "$platform" -hostfile hosts ./app >out 2>&1 || die "$(cat out)"
  sed -n 's/.*elapsed_s=\([^ ]*\) .*/\1/p' "$file"
}
before=$(simulate profile)
counted 8 smpi
grep 'collective=bcast' profile | grep -q 'last_rank=1 ' || die "rank 1 comes last: $(cat profile)"
grep -q '^tutti-program .* program=app ' profile || die "another name: $(cat profile)"
simulate again >/dev/null
cmp profile again || die "not the same bytes twice"

run 2 advise profile --platform grig_mx --measure --db store.db -q -o nowhere/rules
expect '^tutti: nowhere/rules: No such file or directory$'
[ ! -e store.db ] || die 'measured before it fails to write'
run 0 advise profile --platform grig_mx --measure --db store.db -q -o rules
expect '^bcast  *8  *32KB  *160 '
expect 'rules? wins? [0-9.]* % of that:$'
gain=$(sed -n 's/^With the best .*: \([0-9.]*\) % are.*/\1/p' out)
after=$(simulate tuned TUTTI_DECISION="$PWD/rules")
awk -v before="$before" -v after="$after" -v expected="$gain" 'BEGIN {
  gained = 100 * (before - after) / before
  printf "expected %.1f %%, gained %.1f %%\n", expected, gained
  exit !(expected > 5 && gained > expected - 8 && gained < expected + 8) }' || die "not what was advised"
# What the library served itself, it still serves, where nothing better is known: for calls without a rule, Tutti's
# interposer would run the built-in ones.
sed '/collective=allreduce/s/ ran=[^ ]*/ ran=native/' profile >own
grep -q 'collective=allreduce ran=native' own || die "no native calls: $(cat own)"
run 0 bench bcast --platform "$platform" --engine fast -P 8 -s 32KB --db bcast.db -q
run 0 advise own --platform grig_mx --db bcast.db -o kept.rules
[ "$(grep -c '^allreduce/native ranks=[48] bytes=8..8$' kept.rules)" -eq 2 ] || die "native is not kept: $(cat kept.rules)"
expect '^2 rules keep '
grep -q '^bcast/[^n].* ranks=8 ' kept.rules || die "no better method: $(cat kept.rules)"
simulate kept TUTTI_DECISION="$PWD/kept.rules" >/dev/null
grep 'collective=allreduce' kept | grep -qv ' ran=native' && die "not native: $(cat kept)"
run 0 export kept.rules --format c --collective bcast --platform grig_mx --db store.db -o kept.c
# A call of the same size that a method of Tutti served, too, has no such rule.
sed '0,/ ran=native/s// ran=allreduce\/ring/' own >mixed
run 0 advise mixed --platform grig_mx --db bcast.db -o mixed.rules
[ "$(grep -c '^allreduce/native' mixed.rules)" -eq 1 ] || die "of mixed calls: $(cat mixed.rules)"
# The best that is measured may be the library's own.
sed 's/ ran=[^ ]*/ ran=native/' profile >all
run 0 advise all --untuned native --platform grig_mx --db store.db -o all.rules
[ "$(grep -c /native all.rules)" -eq 3 ] || die "native is not kept: $(cat all.rules)"
# Rules of a few methods tell a library, by the command that is printed.
sed 's/ flavor=smpi / flavor=mpich /' profile >of_mpich
run 0 advise of_mpich --platform grig_mx --db store.db -o rules
export=$(tr '\n' ' ' <out | sed -n 's/.*; tutti \(export .* -o\) FILE tells .*/\1/p')
[ -n "$export" ] || die "no command tells the library: $(cat out)"
run 0 $export tuning
[ -s tuning ] || die "no tuning file"
run 0 export rules --format tutti -o kept --platform grig_mx --db store.db
run 0 advise profile --platform grig_mx --db store.db --json
grep -q '"profile_calls"' out || die "no calls: $(cat out)"
expect '"notes": \[\],'
# The expected time of the program, which the text has, too.
tr '{,' '\n\n' <out | awk -F '[": ]+' -v recorded="$before" -v percent="$gain" '
  / *"(program_recorded|expected|expected_min|expected_max)_s": / { time[$2] = $3 }
  END {
    gained = 100 * (1 - time["expected_s"] / recorded)
    off = time["program_recorded_s"] / recorded - 1
    exit !(off * off < 1e-20 && gained > percent - 0.1 && gained < percent + 0.1 &&
           time["expected_min_s"] <= time["expected_s"] && time["expected_s"] <= time["expected_max_s"])
  }' || die "another time is expected: $(cat out)"

# ---- a store that cannot be written is enough, if it has all ----

mkdir fixed && cp store.db fixed/store.db && cp profile fixed/profile && chmod 755 "$place" && chmod 444 fixed/* && chmod 555 fixed
as_other() { # STATUS ARGUMENTS...: the superuser may write everywhere
  status=$1
  shift
  if [ "$(id -u)" -eq 0 ]; then
    setpriv --reuid 65534 --regid 65534 --clear-groups "$tutti" "$@" >out 2>err
  else
    "$tutti" "$@" >out 2>err
  fi
  code=$?
  [ $code -eq "$status" ] || die "$*: status $code instead of $status: $(cat out err)"
}
if [ "$(id -u)" -ne 0 ] || setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$tutti" 2>err; then
  as_other 0 advise fixed/profile --platform "$platform" --measure --db fixed/store.db -q
  expect '^bcast  *8  *32KB  *160 '
  as_other 0 bench bcast --platform "$platform" --engine fast -P 8 -s 32KB --db fixed/store.db -q
  expect ' 0 points measured, [1-9][0-9]* there already'
  as_other 2 bench bcast --platform "$platform" --engine fast -P 4 -s 32KB --db fixed/store.db -q
  expect 'fixed/store.db'
fi
chmod 755 fixed

# ---- recorded on nodes with several ranks, or more of them than processors ----

sed 's/ ranks_per_node=1/ ranks_per_node=4/; s/ comm_nodes=8 / comm_nodes=2 /; s/ comm_nodes=4 / comm_nodes=1 /' profile >packed
run 0 advise packed --platform grig_mx --db store.db
tr '\n' ' ' <out | grep -q 'Warning: calls were recorded on other nodes than the times on grig_mx are of: bcast of 8 ranks on 2 nodes, and here on 8\. .* ran with 4 ranks a node, and the times are of 1 a node: tutti whatif grig_mx .* --set ranks_per_node=4 -o ' ||
  die "no word of the layout: $(cat out)"
sed 's/ ranks_per_node=4/& cores=2/' packed >crowded
run 0 advise crowded --platform grig_mx --db store.db --json
expect '"notes": \["calls were recorded on other nodes .*", "4 ranks took turns on the 2 cores of a node when they were recorded: '
run 0 whatif "$platform" --set loopback-latency=1us --set loopback-bandwidth=1GBps --set ranks_per_node=4 -o packed.xml
run 0 advise packed --platform packed.xml --measure --db packed.db -q --json
expect '"notes": \[\],'

# ---- a collective that nobody measured is named, and the others are advised ----

rm -f half.db
run 0 bench bcast --platform "$platform" --engine fast -P 8 -s 32KB --db half.db -q
run 0 advise profile --platform grig_mx --db half.db
expect '^Left out, because half.db has no measurement of them there: allreduce, in which '
tr '\n' ' ' <out | grep -q 'spent; --measure simulates them\. ' || die "no word of what simulates them: $(cat out)"
expect '^bcast  *8  *32KB  *160 '
expect 'allreduce  *8  *8B  *800 .* -  *-  *-  '
expect 'instead of [0-9.e-]* s: [0-9.]* % are gained, between'
run 2 advise profile --platform boba_gige --db half.db # of none
expect 'boba_gige'

# ---- without a platform it is the only one of the store ----

run 0 advise profile --db half.db
expect '^bcast  *8  *32KB  *160 '
run 0 bench bcast --platform "$source/platforms/boba_gige.xml" --engine fast -P 8 -s 32KB --db two.db -q
run 0 bench bcast --platform "$platform" --engine fast -P 8 -s 32KB --db two.db -q
run 2 advise profile --db two.db
expect 'boba_gige'
run 2 advise profile --db missing.db
expect 'missing.db'

# ---- communicators with other numbers of neighbors are not one row ----

awk '/^tutti-end/ {
    for (n = 4; n <= 8; n += 4) {
      line = call
      sub(/ collective=[^ ]*/, " collective=allgather", line)
      sub(/ ran=[^ ]*/, " ran=neighborhood_of_" n ",_allgather/neighbor-linear", line)
      print line
    }
    sub(/measurements=[0-9]*/, "measurements=" NR)
  }
  /^tutti-call/ { call = $0 }
  { print }' profile >near
run 0 advise near --db half.db
for neighbors in 4 8; do
  expect "^allgather .* neighborhood of $neighbors, allgather/neighbor-linear "
done

# ---- bad input ----

run 2 advise nowhere --platform grig_mx --db store.db
expect 'nowhere: '
sed '$d' profile >cut
run 2 advise cut --platform grig_mx --db store.db
expect 'cut: cut short: no tutti-end in it'
sed 's/ calls=800 / calls=many /' profile >bad
run 2 advise bad --platform grig_mx --db store.db
expect "bad:3: tutti-call: field 'calls'"
echo hello >hello
run 2 advise hello --platform grig_mx --db store.db
expect 'hello: not the profile of a program'
run 2 advise profile --untuned library:openmpi-9 --platform grig_mx --db store.db
expect 'openmpi-9'
run 2 advise profile --measure --db other.db
expect 'on which --platform'
{ # each call has another size
  sed -n 1,2p profile
  sed -n '3{p;q}' profile | awk 'match($0, / size_B=[0-9]*/) {
    before = substr($0, 1, RSTART - 1) " size_B="; after = substr($0, RSTART + RLENGTH)
    for (i = 0; i < 150000; i++) print before i after }'
} >many
code=0
(ulimit -t 10 && exec "$tutti" advise many --platform grig_mx --db store.db) >out 2>&1 || code=$?
[ $code -eq 2 ] || die "a profile of 150,000 sizes: status $code: $(cat out)"
expect 'many: cut short: no tutti-end in it'
env TUTTI_PROFILE=none/profile smpirun -np 2 -platform "$platform" -hostfile hosts ./app >out 2>&1
grep -q 'TUTTI_PROFILE: none/profile: No such file' out || die "a file that cannot be written: $(cat out)"
echo '1 passed, 0 failed'
