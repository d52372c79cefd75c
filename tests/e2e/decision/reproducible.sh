#!/bin/sh
# Classes of reproducibility: proven by tutti algorithms, their cost by tutti penalty, and decisions by them.
#
# usage: reproducible.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

# ---- the table ----

run 0 algorithms allreduce --reproducible
expect '^allreduce/recursive-doubling +yes +yes +yes +yes +no +no +17$'
expect '^allreduce/ring +yes +yes +yes +no +no +no +17$'
expect '^allreduce/swing-latency +no +yes +yes +yes +no +no +17$'
expect '^allreduce/two-level +yes +yes +no +yes +no +no +17$'
expect '^allreduce/fixed-tree +yes +yes +yes +yes +yes +yes +17$'
expect '^    size: 2 ranks: element 1 of 2 of rank 0, root 0, is combined in another order than element 0 of a shorter message'
run 0 algorithms allreduce --reproducible=aligned --csv
[ "$(cut -d, -f1 out | tr -d '\r' | tail -n +2 | tr '\n' ' ')" = "allreduce/reduce-bcast allreduce/fixed-tree " ] ||
  die "aligned: $(cat out)"
run 0 algorithms reduce --reproducible=distribution -P 33,100 --csv
grep -q '^reduce/fixed-tree,yes,yes,yes,yes,yes,yes,100,' out || die "on 100 ranks: $(cat out)"
[ "$(wc -l <out)" = 2 ] || die "others: $(cat out)"
run 2 algorithms --reproducible=sizes
expect "'sizes' is no class of reproducibility: ranks, arrival, nodes, size, aligned, distribution"
run 2 algorithms allreduce -P 4
expect '\-\-ranks goes with --reproducible'

# ---- a small store ----

run 0 bench allreduce --platform grig_mx -P 6,8 -s 8,64KB --engine fast --db small.db -q
grig='--platform grig_mx --db small.db'

# ---- what it costs ----

run 0 penalty --only reproducible --collective allreduce $grig --csv
cp out costs
for class in ranks arrival nodes size aligned; do
  grep -q "^[^,]*,reproducible:$class," costs || die "no row of $class: $(cat costs)"
done
run 0 penalty --only nodes,size --collective allreduce $grig
expect '^ *reproducible:nodes,size +'
run 0 penalty reproducible:aligned allreduce/reduce-bcast --collective allreduce $grig
expect '^ *reproducible:aligned +'
run 2 penalty reproducible:bits --collective allreduce $grig
expect "'bits' is no class of reproducibility"
run 2 penalty --only size $grig
expect 'say which with --collective'

# ---- decisions ----

run 0 map allreduce $grig --reproducible aligned --csv
tail -n +2 out | grep -v 'allreduce/\(reduce-bcast\|fixed-tree\)' && die "others are best: $(cat out)"
run 0 explain allreduce -P 8 -s 8B --decision allreduce/ring $grig --reproducible aligned
expect '^  reproducible: ranks, arrival, nodes$'
run 0 explain allreduce -P 8 -s 8B --decision allreduce/fixed-tree --json
expect '"reproducible_by": ?"ranks, arrival, nodes, size, aligned, distribution"'
run 2 map allreduce $grig --reproducible distributions
expect "'distributions' is no class"

# ---- exported: what lacks the class is replaced by the fastest that has it, or refused ----

run 0 export allreduce/ring $grig --format tutti --reproducible size -P 6..8
expect '4 of 4 points .*replaced'
grep -v '^#' out | grep -q 'ring ' && die "a method without the class is written: $(cat out)"
run 2 export allreduce/ring --format tutti --reproducible size -P 6..8
expect 'allreduce/ring lacks a class of reproducibility that was asked for, on tutti'
run 2 export allreduce/ring $grig --format openmpi --reproducible size
expect 'it knows none that has these classes'
