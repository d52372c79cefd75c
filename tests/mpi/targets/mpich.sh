# MPICH, sourced by run.sh.
cat >rules.txt <<'END'
bcast/scatter-ring                 ranks=..5 bytes=..1000
bcast/in-order-binomial            ranks=..5
bcast/scatter-recursive-doubling   ranks=8
bcast/in-order-binomial
allgather/bruck                    bytes=..99
allgather/ring                     ranks=..5
allgather/recursive-doubling
alltoall/pairwise                  bytes=..99
alltoall/bruck
reduce/rabenseifner                bytes=..4000
reduce/in-order-binomial
allreduce/rabenseifner             bytes=..4000
allreduce/recursive-doubling
reduce_scatter_block/pairwise      bytes=..400
reduce_scatter_block/recursive-doubling ranks=..6
reduce_scatter_block/butterfly
scan/binomial
barrier/bruck
END
run 2 export rules.txt --format "$format" -o rules.json
expect "reduce_scatter_block/butterfly \(7 ranks\) is not supported by $format"
[ ! -e rules.json ] || die 'a file of which nothing came'
sed -i 's/reduce_scatter_block.butterfly/reduce_scatter_block\/recursive-halving/' rules.txt
run 0 export rules.txt --format "$format" -o rules.json
expect 'MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE='
written=$PWD/rules.json

# MPICH's ring, and its doubling, send blocks that the scatter has brought already, and its scan partial sums that nobody
# needs: four each beside those of the binomial tree, and three each.
set -- bcast/scatter-ring@1000#7,4,5,4,4 bcast/in-order-binomial@1001 bcast/in-order-binomial@1000000 \
  allgather/bruck@99 allgather/ring@100 alltoall/pairwise@99 alltoall/bruck@100 reduce/rabenseifner@4000 \
  reduce/in-order-binomial@4004 reduce_scatter_block/pairwise@400 barrier/bruck@0
told 5 "$written" "$@"
own 5 5 "$@"
set -- bcast/scatter-recursive-doubling@8#6,3,4,3,5,3,4,3 bcast/scatter-recursive-doubling@1000000#6,3,4,3,5,3,4,3 \
  allgather/bruck@99 \
  allgather/recursive-doubling@100000 allreduce/rabenseifner@4000 allreduce/recursive-doubling@4004 \
  reduce_scatter_block/pairwise@400 reduce_scatter_block/recursive-halving@404 scan/binomial@400#3,3,3,3,3,3,3,3
told 8 "$written" "$@"
own 8 3 "$@"

# An algorithm put where it does not work fails there and nowhere else: the cell is in use.
sed 's/Allgather_intra_brucks/Allgather_intra_recursive_doubling/' rules.json >broken.json
cmp -s rules.json broken.json && die 'no such algorithm in the file'
told 5 "$PWD/broken.json" allgather/ring@100
launch 5 "$PWD/broken.json" allgather/bruck@99 && die "recursive doubling of five ranks has run: $(cat told)"

# A program that calls everything, with all that MPICH does not check: odd numbers of ranks, few elements, operations that
# do not commute, data in place, two groups. First with the collectives above tuned, then with all of them.
cat >all.txt <<'END'
bcast/scatter-ring                  bytes=..200
bcast/two-level
allgather/ring                      bytes=..99
allgather/recursive-doubling
allgatherv/bruck                    bytes=..99
allgatherv/recursive-doubling       bytes=..3000
allgatherv/ring
alltoall/pairwise                   bytes=..99
alltoall/bruck                      bytes=..200
alltoall/linear-sync/max_requests=32
alltoallv/linear-sync/max_requests=32
alltoallw/linear-sync/max_requests=32
reduce/rabenseifner                 bytes=..400
reduce/two-level                    bytes=..4000
reduce/in-order-binomial
allreduce/rabenseifner              bytes=..400
allreduce/two-level                 bytes=..4000
allreduce/recursive-doubling
reduce_scatter_block/pairwise       bytes=..40
reduce_scatter_block/recursive-doubling bytes=..4000
reduce_scatter_block/recursive-halving
reduce_scatter/recursive-halving    bytes=..40
reduce_scatter/recursive-doubling   bytes=..4000
reduce_scatter/pairwise
gather/binomial
scatter/binomial
gatherv/linear
scatterv/linear
scan/two-level
exscan/binomial
barrier/two-level
END
run 0 export all.txt --format "$format" -o all.json
[ $(($(wc -c <all.json) % 4096)) -ne 0 ] || die 'MPICH would read beyond the end of the file'
program=$build/mpich/test-targets-all
for tuned in rules.json all.json; do
  for ranks in 1 2 3 5 8; do
    launch "$ranks" "$PWD/$tuned" || die "$ranks ranks under $tuned: $(cat told err)"
    grep -qx '0 faults' told || die "$ranks ranks under $tuned: $(cat told err)"
  done
done
# A collective that is missing is one that MPICH cannot do.
sed 's/"collective=iscan"/"collective=iexscan"/' all.json >broken.json
launch 3 "$PWD/broken.json" && die 'iscan is not called, or not selected'
