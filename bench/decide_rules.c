/* The rules of libraries that bench-decide compares with. */
#include "decide.h"
#include "tutti/library.h"

const char *const rule_names[RULES] = {"Open MPI 4.1", "Open MPI 1.x", "MPICH 4.0", "the loop alone"};

/* So that the answer says all that was picked. */
#define WRAP(collective, arguments)                                                                                    \
  static int openmpi1x_##collective(int ranks, uint64_t bytes)                                                         \
  {                                                                                                                    \
    int segment, id = tutti_openmpi1x_##collective(ranks, bytes, &segment);                                            \
    return id + segment;                                                                                               \
  }                                                                                                                    \
  static int mpich40_##collective(int ranks, uint64_t bytes)                                                           \
  {                                                                                                                    \
    return *tutti_mpich40_##collective arguments;                                                                      \
  }
WRAP(bcast, (ranks, bytes))
WRAP(reduce, (ranks, bytes, 8))
WRAP(allreduce, (ranks, bytes, 8))
WRAP(allgather, (ranks, bytes))
WRAP(alltoall, (ranks, bytes))

static const decide_code codes[TUTTI_COLL_COUNT][RULES - 1] = {
    [TUTTI_COLL_BCAST] = {tutti_openmpi41_bcast, openmpi1x_bcast, mpich40_bcast},
    [TUTTI_COLL_REDUCE] = {tutti_openmpi41_reduce, openmpi1x_reduce, mpich40_reduce},
    [TUTTI_COLL_ALLREDUCE] = {tutti_openmpi41_allreduce, openmpi1x_allreduce, mpich40_allreduce},
    [TUTTI_COLL_ALLGATHER] = {tutti_openmpi41_allgather, openmpi1x_allgather, mpich40_allgather},
    [TUTTI_COLL_ALLTOALL] = {tutti_openmpi41_alltoall, openmpi1x_alltoall, mpich40_alltoall},
};

static __attribute__((noinline)) int answer_nothing(int ranks, uint64_t bytes)
{
  __asm__ volatile("" : "+r"(ranks) : "r"(bytes));
  return ranks;
}

tutti_status rules_set(tutti_collective collective, struct way *rules, tutti_error *error)
{
  const decide_code *code = codes[collective];
  if (!*code)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: there are no rules of libraries to compare with",
                      tutti_collective_name(collective));
  for (int i = 0; i < RULES; i++)
    rules[i].code = i < RULES - 1 ? code[i] : answer_nothing;
  return TUTTI_OK;
}
