# Open MPI's own algorithms, forced, sourced by run.sh. Numbers as in openmpi.sh; the tree of its barrier is ours with the
# ranks in another order, and its in-order tree of a reduction ends at the last rank, which sends on.
forced 5 bcast/linear@20000 bcast/chain/4KB/k=2@20000 bcast/chain/k=3@20000 bcast/pipeline/1KB@20000 \
  bcast/split-binary/2KB@20000 bcast/binary/8KB@20000 bcast/binomial@20000 bcast/k-nomial/k=2@20000 \
  bcast/k-nomial@20000 barrier/linear@0 barrier/double-ring@0 barrier/bruck@0 barrier/tree@0#3,1,2,1,1 scatter/linear@100 \
  scatter/binomial@100 gather/linear@100 gather/binomial@100 allgather/bruck@100 allgather/ring@100 \
  alltoall/linear@100 alltoall/pairwise@100 alltoall/bruck@100 alltoall/linear-sync/max_requests=2@100 \
  reduce/linear@8000 reduce/chain/1KB/k=2@8000 reduce/pipeline/1KB@8000 reduce/binary/1KB@8000 \
  reduce/in-order-binomial@8000 reduce/in-order-binary@8000#1,1,1,1,1 allreduce/ring@8000
forced 6 bcast/scatter-ring@10000#8,5,6,5,6,5 allgather/neighbor-exchange@100
forced 8 barrier/recursive-doubling@0 allgather/recursive-doubling@100 allreduce/recursive-doubling@4000 \
  allreduce/rabenseifner@8000 reduce/rabenseifner@8000 reduce_scatter_block/recursive-doubling@400#3,3,3,3,3,3,3,3 \
  reduce_scatter_block/recursive-halving@400
forced 2 allgather/two-process@100

# A user's own settings do not change what is told, nor does a file of rules.
printf '1\n7\n1\n0\n1\n0 1 0 0\n' >linear.rules
(
  export OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename="$PWD/linear.rules"
  forced 5 bcast/binomial@20000 bcast/pipeline@20000
) || exit 1
(
  export OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize=1024 OMPI_MCA_coll_tuned_reduce_algorithm_segmentsize=1024
  forced 5 bcast/binomial@20000 bcast/pipeline@20000 reduce/binary@8000 reduce/pipeline/2KB@8000
) || exit 1

# What cannot be told, or would run as something else, is refused.
refuses() { # RANKS METHOD BYTES WHY
  "$program" --settings "$1" "$2" "$3" "$target" >told 2>err && die "$2 on $1 ranks: $(cat told)"
  grep -q -- "$4" err || die "$2 on $1 ranks: $(cat err)"
}
refuses 5 bcast/linear/8KB@openmpi 100000 'openmpi cannot be told to run this on 5 ranks'
refuses 5 allgather/recursive-doubling@openmpi 100 'cannot be told'
refuses 8 allreduce/ring@openmpi 8 'cannot be told'
