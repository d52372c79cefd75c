# MPICH's own algorithms, forced, sourced by run.sh. Numbers as in mpich.sh.
forced 5 barrier/bruck@0 bcast/in-order-binomial@100000 bcast/scatter-ring@1000#7,4,5,4,4 scatter/binomial@100 \
  gather/binomial@100 allgather/bruck@100000 allgather/ring@99 alltoall/bruck@100000 alltoall/pairwise@99 \
  reduce/in-order-binomial@8000 reduce/rabenseifner@4000 reduce_scatter_block/pairwise@400
forced 8 bcast/scatter-recursive-doubling@8#6,3,4,3,5,3,4,3 allgather/recursive-doubling@100000 \
  allreduce/rabenseifner@4000 allreduce/recursive-doubling@8000 reduce_scatter_block/recursive-halving@404 \
  scan/binomial@400#3,3,3,3,3,3,3,3

# What cannot be told, or would run as something else, is refused.
refuses() { # RANKS METHOD BYTES WHY
  "$program" --settings "$1" "$2" "$3" "$target" >told 2>err && die "$2 on $1 ranks: $(cat told)"
  grep -q -- "$4" err || die "$2 on $1 ranks: $(cat err)"
}
refuses 5 bcast/in-order-binomial/8KB@mpich 100000 'mpich cannot be told to run this on 5 ranks'
refuses 5 allgather/recursive-doubling@mpich 100 'cannot be told'
refuses 8 allreduce/rabenseifner@mpich 8 'cannot be told'
