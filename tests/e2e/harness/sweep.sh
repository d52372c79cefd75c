#!/bin/sh
# tutti bench without a file: sweeps that options say measure what the experiment file would that --write writes; and
# experiments by their names.
#
# usage: sweep.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
. "$source/tests/e2e/tables.sh"
need smpirun simgrid
need sqlite3 sqlite3
TUTTI_EXPERIMENTS=$source/experiments
export TUTTI_EXPERIMENTS

sweep='bcast,allreduce --platform grig_fast_ethernet -P 2..8*2 -s 8,1KB..64KB*8 --root 0'
run 0 bench $sweep --methods bcast/chain/8KB/k=2,binomial,recursive-doubling --db said.db -q
expect '^bcast\+allreduce: 36 points measured, 0 there already'
run 0 bench $sweep --methods bcast/chain/8KB/k=2,binomial,recursive-doubling --write written.xml --db none.db
[ ! -e none.db ] && [ ! -s out ] || die "--write measures: $(cat out)"
run 0 bench written.xml --db read.db -q
expect '^bcast\+allreduce: 36 points measured'
table said.db >said && table read.db >read
cmp -s said read || die "the file says something else: $(diff said read | head)"
[ "$(sqlite3 said.db "SELECT count(DISTINCT name) FROM method")" -eq 3 ] || die "$(sqlite3 said.db 'SELECT * FROM method')"

# All algorithms; with segments; as the library runs them. What is there is not measured again.
run 0 bench bcast --platform "$source/platforms/grig_fast_ethernet.xml" -P 2 -s 8 --db said.db -q
expect '^bcast: [0-9]+ points measured, 1 there already'
run 0 bench bcast --platform grig_fast_ethernet -P 2 -s 8 --segments none,1KB --db said.db -q
all=$(sqlite3 said.db "SELECT count(*) FROM method WHERE name LIKE 'bcast/%/1KB'")
[ "$all" -gt 5 ] || die "$all algorithms with segments"
# ... also those of two levels, with the nodes of the platform, and those on a torus, with sides of its, as without
# segments.
told() { # PLATFORM NAME METHOD OPTION...: the algorithm NAME is measured as METHOD
  rm -f all.db segmented.db named.db
  platform=$1 name=$2 method=$3
  shift 3
  run 0 bench bcast --platform "$platform" -P 8 -s 8 --db all.db -q "$@"
  run 0 bench bcast --platform "$platform" -P 8 -s 8 --segments none,1KB --db segmented.db -q "$@"
  run 0 bench bcast --platform "$platform" -P 8 -s 8 --methods "$name" --db named.db -q "$@"
  for database in all segmented named; do
    [ "$(sqlite3 $database.db "SELECT count(*) FROM method WHERE name LIKE '$method'")" = 1 ] ||
      die "no $method: $(sqlite3 $database.db 'SELECT name FROM method')"
  done
}
run 0 platform new torus 4x3x2 --latency 2us --bandwidth 1GBps -o torus.xml
told ./torus.xml torus-trees bcast/torus-trees/torus=4x2 --engine fast
run 0 bench bcast --platform ./torus.xml -P 7,8,24 -s 8 --methods torus-trees,torus-trees/trees=1,pipeline --engine fast --db named.db -q
expect '^bcast: 6 points measured, 1 there already, 2 outside the domain of their method'
expect '^  left out: bcast/torus-trees on 7 ranks, for example: needs torus=\.\.\., the sides, at most three, of a box of as many ranks'
# A decision that names no sides is judged, drawn and written with those that were measured.
run 0 penalty bcast/torus-trees --db named.db
expect 'bcast/torus-trees: served by a substitute at 1 of 3 points, where its choice cannot serve'
expect '^  bcast/torus-trees .* 0  [0-9]* ranks, 8B'
run 0 map bcast --decision bcast/torus-trees --db named.db
expect 'bcast/pipeline  *1 '
expect 'bcast/torus-trees/torus=4x3x2  *1 '
run 0 map bcast --mine torus-trees --db named.db
expect 'is the fastest, or ties, at [0-2] of 2 points'
echo bcast/torus-trees >sides.txt
run 0 export sides.txt --format tutti --platform torus --db named.db
expect '^# bcast: .*; 1 of 3 points '
expect '^bcast/torus-trees/torus=4x2 ranks=8\.\.8 '
told cisco_infiniband two-level bcast/two-level/ranks_per_node=4
missing=$(sqlite3 segmented.db "ATTACH 'all.db' AS a; SELECT name FROM a.method EXCEPT SELECT name FROM method")
[ -z "$missing" ] || die "with segments these are left out: $missing"
# ... but not what is another algorithm without segments.
rings() { # NAMES OPTION...: what bench measures of rings with these options
  wanted=$1
  shift
  rm -f rings.db
  run 0 bench allreduce --platform grig_fast_ethernet -P 4 -s 8 "$@" --db rings.db -q
  names=$(sqlite3 rings.db "SELECT name FROM method WHERE name LIKE 'allreduce/ring%' ORDER BY 1" | paste -s -d ' ')
  [ "$names" = "$wanted" ] || die "bench allreduce $* measures $names"
}
rings allreduce/ring
rings allreduce/ring --segments none
rings 'allreduce/ring allreduce/ring-segmented/1KB' --segments none,1KB
rings allreduce/ring-segmented --methods ring-segmented
run 0 bench allgather --platform grig_fast_ethernet -P 4 -s 8 --of smpi --write smpi.xml
grep -q '<method implementation="smpi"/>' smpi.xml && grep -q '<method name="allgather/native"/>' smpi.xml ||
  die "$(cat smpi.xml)"
run 0 bench barrier,scan --platform grig_fast_ethernet -P 4 -s 8 --scheme window --arrival 'none uniform/1ms/seed=1' \
  --noise detour/1ms/10us/seed=1 --repetitions 3 --launches 2 --root 0 --write both.xml
[ "$(grep -c '<sizes>' both.xml)" -eq 1 ] || die "sizes of a barrier: $(cat both.xml)"
grep -q '<measure scheme="window" repetitions-max="3" launches="2"/>' both.xml || die "$(cat both.xml)"
run 0 bench both.xml --db both.db -q
expect '^barrier\+scan: [1-9]'

# By name.
run 0 bench tutorial --db tutorial.db -q
expect '^tutorial: [1-9]'
run 2 bench tutorial -P 4
expect "unknown collective 'tutorial'"
run 2 bench no-such-name
expect '^tutti: no-such-name: No such file, and no experiment or collective of that name$'
run 2 bench written.xml -P 4
expect 'go with collectives'

# What is missing or wrong is named.
some='--platform grig_fast_ethernet -P 4 -s 8'
run 2 bench bcast -P 4 -s 8
expect 'on which platform\? --platform NAME'
run 2 bench bcast --platform grig_fast_ethernet -s 8
expect 'with how many ranks\? -P LIST'
run 2 bench bcast --platform grig_fast_ethernet -P 4
expect 'of which sizes\? -s LIST'
run 2 bench bcast $some --methods bogus
expect "unknown bcast algorithm 'bogus'"
run 2 bench bcast,reduce $some --methods bcast/binomial
expect "'bcast/binomial' has no method of reduce"
run 2 bench bcast $some --methods reduce/binomial
expect 'reduce/binomial is no method of bcast'
run 2 bench bcast $some --of lam
expect "--of: unknown library 'lam': known are openmpi, mpich, smpi"
run 2 bench alltoallw $some --of openmpi
expect '^tutti: openmpi cannot be told to run an algorithm of alltoallw'
run 2 bench bcast --platform grig_fast_ethernet -P 400 -s 8
expect '^tutti: 400 ranks: the platform has room for 64 \(grig_fast_ethernet\)$'
run 2 bench bcast --platform nowhere -P 4 -s 8
expect "platform 'nowhere' not found"
run 2 bench bcast $some --scheme loud
expect '^tutti: .*loud'
echo '1 passed, 0 failed'
