# Open MPI, sourced by run.sh.
cat >rules.txt <<'END'
bcast/linear            ranks=..3 bytes=..100
bcast/pipeline/1KB      ranks=..3
bcast/binomial          ranks=4..5 bytes=..1000
bcast/chain/4KB/k=2     ranks=4..5 bytes=1001..20000
bcast/split-binary/2KB  ranks=4..5
bcast/linear            bytes=..1
bcast/binary            bytes=..9999
bcast/scatter-ring
barrier/double-ring     ranks=..4
barrier/linear
scatter/binomial        bytes=..99
scatter/linear
gather/linear           bytes=..99
gather/binomial
allgather/ring          bytes=..99
allgather/bruck
alltoall/bruck          bytes=..99
alltoall/pairwise
reduce/pipeline/1KB     bytes=..8000
reduce/linear
allreduce/recursive-doubling bytes=..4000
allreduce/ring
reduce_scatter_block/recursive-doubling bytes=..400
reduce_scatter_block/recursive-halving
END
run 0 export rules.txt --format "$format" -o rules.conf
expect 'coll_tuned_dynamic_rules_filename='
written=$PWD/rules.conf

set -- bcast/linear@1 bcast/linear@100 bcast/pipeline/1KB@101 bcast/pipeline/1KB@100000 barrier/double-ring@0
told 3 "$written" "$@"
own 3 3 "$@"
set -- bcast/binomial@1000 bcast/chain/4KB/k=2@1001 bcast/chain/4KB/k=2@20000 bcast/split-binary/2KB@20001 \
  barrier/linear@0 scatter/binomial@99 scatter/linear@100 gather/linear@99 gather/binomial@100 allgather/ring@99 \
  allgather/bruck@100 alltoall/bruck@99 alltoall/pairwise@100 reduce/pipeline/1KB@8000 reduce/linear@8004 \
  allreduce/ring@4004
told 5 "$written" "$@"
own 5 8 "$@"
# Its ring sends blocks that the scatter has brought already: five each beside those of the binomial tree.
set -- bcast/linear@1 bcast/binary@2 bcast/binary@9999 bcast/scatter-ring@10000#8,5,6,5,6,5
told 6 "$written" "$@"
own 6 3 "$@"
# Powers of two, where no rank is left over whose part might be played by its neighbor.
# Blocks that lie apart travel in one message of a derived datatype.
set -- allreduce/recursive-doubling@4000 reduce_scatter_block/recursive-doubling@400#3,3,3,3,3,3,3,3 \
  reduce_scatter_block/recursive-halving@404 allreduce/ring@4004
told 8 "$written" "$@"
own 8 1 "$@"

# An algorithm that does not exist, put into one cell, fails there, or is switched off, and nowhere else: the cell is in use.
sed 's/^1001 2 2 4096 /1001 99 2 4096 /; s/"alg": 2, "faninout": 2,/"alg": 99, "faninout": 2,/' rules.conf >broken.conf
cmp -s rules.conf broken.conf && die 'no cell of 1001 B in the file'
told 5 "$PWD/broken.conf" bcast/binomial@1000
fails() { # with a message: mpiexec loses that of its children now and then
  launch 5 "$PWD/broken.conf" bcast/chain/4KB/k=2@1001 && die "an algorithm that does not exist has run: $(cat told)"
  ! grep -q 'ORTE_ERROR_LOG.*show_help' err
}
if [ "$format" = openmpi-6 ]; then
  launch 5 "$PWD/broken.conf" bcast/chain/4KB/k=2@1001 || die "$(cat err)"
  grep -q ': otherwise: ' told || die "the cell is not in use: $(cat told)"
else
  retry 50 "mpiexec lost the error message" fails
  grep -q 'MPI_ERR_ARG' err || die "another failure: $(cat err)"
fi

# Continued from two ranks: what serves these alone ends there, and larger communicators get its substitute.
cat >records <<'RECORDS'
tutti-run v=1 tutti=0.1.0 flavor=smpi library=Library-1 ranks=2 ranks_per_node=1
tutti-measurement v=1 method=allgather/two-process scheme=window ranks=2 root=0 count=8 type_B=1 repetitions=9 minimum_s=1e-6 median_s=1e-6 mean_s=1e-6 maximum_s=1e-6
tutti-end v=1 measurements=1
RECORDS
run 0 import --format tutti records --db two.db --platform fast_ethernet
run 0 export allgather/two-process --format "$format" --platform fast_ethernet --db two.db --extend -o two.conf
run 0 lint two.conf --target "$target"
expect ': 0 errors, 0 warnings, '
told 2 "$PWD/two.conf" allgather/two-process@8
told 3 "$PWD/two.conf" allgather/bruck@8
told 5 "$PWD/two.conf" allgather/bruck@100000
