/* The fixed decisions of Open MPI 4.1, made into functions that read like the library's own ladders. */
#include "libraries/library/library.h"

#define RULE(collective)                                                                                               \
  int tutti_openmpi41_##collective(int ranks, uint64_t bytes)                                                          \
  {                                                                                                                    \
    (void)bytes;
#define RANKS(below, ...)                                                                                              \
  if (ranks < (below)) {                                                                                               \
    __VA_ARGS__                                                                                                        \
  }
#define MORE(...) __VA_ARGS__
#define IF(below, id)                                                                                                  \
  if (bytes < (below))                                                                                                 \
    return (id);
#define ELSE(id) return (id);
#define END      }
#include "libraries/library/openmpi_4_1.def"

static int (*const rules[TUTTI_COLL_COUNT])(int, uint64_t) = {
    [TUTTI_COLL_BCAST] = tutti_openmpi41_bcast,
    [TUTTI_COLL_REDUCE] = tutti_openmpi41_reduce,
    [TUTTI_COLL_ALLREDUCE] = tutti_openmpi41_allreduce,
    [TUTTI_COLL_ALLGATHER] = tutti_openmpi41_allgather,
    [TUTTI_COLL_ALLGATHERV] = tutti_openmpi41_allgatherv,
    [TUTTI_COLL_ALLTOALL] = tutti_openmpi41_alltoall,
    [TUTTI_COLL_ALLTOALLV] = tutti_openmpi41_alltoallv,
    [TUTTI_COLL_BARRIER] = tutti_openmpi41_barrier,
    [TUTTI_COLL_GATHER] = tutti_openmpi41_gather,
    [TUTTI_COLL_SCATTER] = tutti_openmpi41_scatter,
    [TUTTI_COLL_REDUCE_SCATTER] = tutti_openmpi41_reduce_scatter,
    [TUTTI_COLL_REDUCE_SCATTER_BLOCK] = tutti_openmpi41_reduce_scatter_block,
};

struct openmpi_pick tutti_library_openmpi_4_1_rule(tutti_collective collective, int ranks, uint64_t bytes)
{
  return (struct openmpi_pick){.id = rules[collective] ? rules[collective](ranks, bytes) : 0};
}

/* coll/tuned leaves these to coll/basic, where all of them are linear. */
static bool pick_linear(const tutti_question *question, tutti_method *method)
{
  const tutti_algorithm *algorithm = tutti_algorithm_find(question->collective, "linear");
  if (algorithm)
    *method = tutti_method_default(algorithm);
  return algorithm;
}

bool tutti_library_openmpi_4_1(const tutti_question *question, tutti_method *method)
{
  return rules[question->collective] ? tutti_library_openmpi_method(tutti_library_openmpi_4_1_rule, question, method)
                                     : pick_linear(question, method);
}
