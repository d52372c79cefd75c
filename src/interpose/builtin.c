/* The rules used where nobody gives others: few, robust, near those of Open MPI 4.1 and MPICH 4.0, and for no machine
   in particular. `tutti penalty` says what they cost on one; measure and write better ones. */
#include "interpose/settings.h"

static const char *const rules[TUTTI_COLL_COUNT] = {
    [TUTTI_COLL_BCAST] = "bcast/linear ranks=..2\n"
                         "bcast/binomial bytes=..12KB\n"
                         "bcast/binomial ranks=..7 bytes=..64KB\n"
                         "bcast/scatter-recursive-doubling bytes=..512KB\n"
                         "bcast/scatter-ring\n",
    [TUTTI_COLL_BARRIER] = "barrier/bruck\n",
    [TUTTI_COLL_SCATTER] = "scatter/binomial ranks=8.. bytes=..2KB\n"
                           "scatter/linear\n",
    [TUTTI_COLL_SCATTERV] = "scatterv/linear\n",
    [TUTTI_COLL_GATHER] = "gather/binomial ranks=8.. bytes=..1KB\n"
                          "gather/binomial ranks=60.. bytes=..4KB\n"
                          "gather/linear bytes=..6000\n"
                          "gather/linear-sync\n",
    [TUTTI_COLL_GATHERV] = "gatherv/linear\n",
    [TUTTI_COLL_ALLGATHER] = "allgather/two-process ranks=2\n"
                             "allgather/bruck bytes=..512\n"
                             "allgather/recursive-doubling ranks=..32 bytes=..8KB\n"
                             "allgather/neighbor-exchange bytes=..64KB\n"
                             "allgather/ring\n",
    [TUTTI_COLL_ALLGATHERV] = "allgatherv/two-process ranks=2\n"
                              "allgatherv/bruck bytes=..512\n"
                              "allgatherv/recursive-doubling ranks=..32 bytes=..8KB\n"
                              "allgatherv/neighbor-exchange bytes=..64KB\n"
                              "allgatherv/ring\n",
    [TUTTI_COLL_ALLTOALL] = "alltoall/bruck ranks=12.. bytes=..200\n"
                            "alltoall/linear bytes=..3000\n"
                            "alltoall/pairwise\n",
    [TUTTI_COLL_ALLTOALLV] = "alltoallv/linear ranks=..32\n"
                             "alltoallv/pairwise\n",
    [TUTTI_COLL_ALLTOALLW] = "alltoallw/linear ranks=..32\n"
                             "alltoallw/pairwise\n",
    [TUTTI_COLL_REDUCE] = "reduce/binomial bytes=..2KB\n"
                          "reduce/binomial ranks=..4 bytes=..16KB\n"
                          "reduce/rabenseifner\n",
    [TUTTI_COLL_REDUCE_SCATTER_BLOCK] = "reduce_scatter_block/recursive-halving bytes=..16KB\n"
                                        "reduce_scatter_block/ring bytes=256KB..\n"
                                        "reduce_scatter_block/pairwise\n",
    [TUTTI_COLL_REDUCE_SCATTER] = "reduce_scatter/recursive-halving bytes=..16KB\n"
                                  "reduce_scatter/ring bytes=256KB..\n"
                                  "reduce_scatter/pairwise\n",
    [TUTTI_COLL_ALLREDUCE] = "allreduce/recursive-doubling bytes=..8KB\n"
                             "allreduce/rabenseifner bytes=..256KB\n"
                             "allreduce/ring\n",
    [TUTTI_COLL_SCAN] = "scan/linear ranks=..3\n"
                        "scan/binomial\n",
    [TUTTI_COLL_EXSCAN] = "exscan/linear ranks=..3\n"
                          "exscan/binomial\n",
};

const char *tutti_builtin_rules(tutti_collective collective)
{
  return rules[collective];
}
