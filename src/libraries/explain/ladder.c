/* Which rung of Open MPI 4.1's own ladders a call stands on: the same table as library:openmpi-4.1, made into functions
   that remember the bounds they passed. */
#include "libraries/explain/explain.h"

#define RULE(collective)                                                                                               \
  static int climb_##collective(int ranks, uint64_t bytes, struct explain_rung *rung)                                  \
  {                                                                                                                    \
    (void)bytes;
#define RANKS(below, ...)                                                                                              \
  if (ranks < (below)) {                                                                                               \
    rung->ranks_most = (below)-1;                                                                                      \
    __VA_ARGS__                                                                                                        \
  }                                                                                                                    \
  rung->ranks_least = (below);
#define MORE(...) __VA_ARGS__
#define IF(below, id)                                                                                                  \
  if (bytes < (below)) {                                                                                               \
    rung->bytes_most = (below)-1;                                                                                      \
    return (id);                                                                                                       \
  }                                                                                                                    \
  rung->bytes_least = (below);
#define ELSE(id) return (id);
#define END      }
#include "libraries/library/openmpi_4_1.def"

static int (*const ladders[TUTTI_COLL_COUNT])(int, uint64_t, struct explain_rung *) = {
    [TUTTI_COLL_BCAST] = climb_bcast,
    [TUTTI_COLL_REDUCE] = climb_reduce,
    [TUTTI_COLL_ALLREDUCE] = climb_allreduce,
    [TUTTI_COLL_ALLGATHER] = climb_allgather,
    [TUTTI_COLL_ALLGATHERV] = climb_allgatherv,
    [TUTTI_COLL_ALLTOALL] = climb_alltoall,
    [TUTTI_COLL_ALLTOALLV] = climb_alltoallv,
    [TUTTI_COLL_BARRIER] = climb_barrier,
    [TUTTI_COLL_GATHER] = climb_gather,
    [TUTTI_COLL_SCATTER] = climb_scatter,
    [TUTTI_COLL_REDUCE_SCATTER] = climb_reduce_scatter,
    [TUTTI_COLL_REDUCE_SCATTER_BLOCK] = climb_reduce_scatter_block,
};

int tutti_explain_ladder(tutti_collective collective, int ranks, uint64_t bytes, struct explain_rung *rung)
{
  *rung = (struct explain_rung){.ranks_most = INT_MAX, .bytes_most = UINT64_MAX};
  return ladders[collective] ? ladders[collective](ranks, bytes, rung) : 0;
}
