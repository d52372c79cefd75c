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
run 0 algorithms reduce,allreduce --reproducible=aligned --csv
grep -q '^reduce/fixed-tree,' out && grep -q '^allreduce/fixed-tree,' out || die "not both collectives: $(cat out)"
run 0 algorithms bcast,scan --reproducible
expect 'note: bcast combines no operands: its results have the same bits whatever runs'
expect '^scan/linear '
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
run 0 export allreduce/ring $grig --format openmpi --reproducible size -o rules.ompi
expect '4 of 4 points .*replaced'
grep -q "own choice" rules.ompi && die "points are left to the library: $(cat rules.ompi)"
run 0 explain allreduce -P 7 -s 1MB --decision rules.ompi
expect '^  reproducible: ranks, arrival, nodes, size$'
run 0 export allreduce/recursive-doubling --format mpich --reproducible size -o rules.json
run 0 explain allreduce -P 7 -s 8 --decision rules.json
expect '^  reproducible: ranks, arrival, nodes, size$'
run 0 export allreduce/rabenseifner --format mpich --reproducible size -o rabenseifner.json
for size in 8 64KB; do
  run 0 explain allreduce -P 32 -s $size -t 4 --decision rabenseifner.json --reproducible size
  expect '^  reproducible: ranks, arrival, nodes, size; size: all methods that it chooses by size have one tree$'
done
run 0 explain allreduce -P 3 -s 8 --decision library:mpich-4.0
expect '^  reproducible: ranks, arrival, nodes, size; size: all methods'
run 0 explain reduce -P 12 -s 8 --decision library:mpich-4.0
expect '^  reproducible: ranks, arrival, nodes; size: not, as the decision chooses by size$'
run 0 export library:openmpi-4.1 --collective allreduce --format openmpi --reproducible nodes -o own.ompi
grep -q '^0 3 0 0 ' own.ompi || die "nothing is written: $(cat own.ompi)"
run 2 export library:openmpi-4.1 --collective allreduce --format openmpi --reproducible size
expect 'lacks a class of reproducibility that was asked for, on openmpi'
# Of methods that were replaced nothing is said.
run 0 bench reduce --platform grig_mx -P 6,8 -s 8,64KB --engine fast --methods binomial,in-order-binomial --db tree.db -q
run 0 export reduce/binomial --platform grig_mx --db tree.db --format openmpi --reproducible size
grep -q 'do not commute' out && die "an algorithm that is not in the file: $(cat out)"
run 0 export allreduce/ring --format openmpi -P 6..8
expect 'Not for programs whose own operations do not commute: allreduce has algorithms that reorder'
run 2 export allreduce/ring $grig --format openmpi --reproducible aligned
expect 'it knows none that has these classes$'
run 0 learn quadtree allreduce $grig -o tree.txt
run 0 export tree.txt $grig --format tutti --reproducible size -o tree.rules
grep -q '^attribute' tree.rules && die "the tree is written as it is: $(cat tree.rules)"
run 2 learn quadtree allreduce $grig --target openmpi --reproducible size
expect 'no method of allreduce was measured that openmpi-4.1 knows: it knows none that has these classes'

# ---- explained: as the library runs it, for all sizes ----

printf '1\n2\n1\n2\n1\n0 6 0 0\n' >rabenseifner.ompi
for size in 8 64KB; do
  run 0 explain allreduce -P 5 -s $size --decision rabenseifner.ompi
  expect '^  reproducible: ranks, arrival, nodes$'
done
run 0 explain allreduce -P 47 -s 8 --decision library:openmpi-4.1
expect '^  reproducible: ranks, arrival, nodes; size: not, as the decision chooses by size$'
printf 'allreduce/recursive-doubling bytes=0..99\nallreduce/rabenseifner bytes=100..\n' >one.tutti
run 0 explain allreduce -P 1000000 -s 8 --decision one.tutti
expect '^  reproducible: ranks, arrival, nodes; size: not known, as the decision chooses by size and the trees are too large'
run 0 explain allreduce -P 8 -s 8 --decision allreduce/multi-leader/ranks_per_node=2
expect '^  reproducible: ranks, arrival, nodes, size$'
printf 'allreduce/fixed-tree bytes=0..99\nallreduce/reduce-bcast bytes=100..\n' >aligned.tutti
run 0 explain allreduce -P 7 -s 8 --decision aligned.tutti
expect '^  reproducible: ranks, arrival, nodes, size, aligned, distribution$'
run 0 explain allreduce -P 8 --decision allreduce/ring --reproducible size
expect 'warning: --reproducible: what runs lacks size$'
run 0 map allreduce $grig --reproducible size
expect 'Only methods that are reproducible by size, aligned can be best'

# ---- where no method of one tree for all was measured, the export still takes one method for all sizes ----

run 0 bench allreduce --platform grig_mx -P 6,8 -s 8,64KB --engine fast --methods ring,recursive-doubling --db two.db -q
run 0 export allreduce/ring --platform grig_mx --db two.db --format openmpi --reproducible size -o two.ompi
grep -q '^0 3 0 0 ' two.ompi || die "not one method: $(cat two.ompi)"
