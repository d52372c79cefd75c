#include <string.h>

#include "algorithms/builders.h"

static const tutti_algorithm catalogue[] = {
#define ALGORITHM(of, called, built_by, ...)                                                                           \
  {.collective = TUTTI_COLL_##of, .name = called, .build = built_by, __VA_ARGS__},
#include "algorithms/catalogue.def"
#undef ALGORITHM
/* Behind the lines of the catalogue, so that methods have one order; not counted among them. */
#define NATIVE(of)                                                                                                     \
  {                                                                                                                    \
    .collective = TUTTI_COLL_##of, .name = "native", .parameters = TUTTI_TAKES_SELECTOR,                               \
    .source = "the MPI library's own"                                                                                  \
  }
    NATIVE(BCAST),
    NATIVE(BARRIER),
    NATIVE(SCATTER),
    NATIVE(SCATTERV),
    NATIVE(GATHER),
    NATIVE(GATHERV),
    NATIVE(ALLGATHER),
    NATIVE(ALLGATHERV),
    NATIVE(ALLTOALL),
    NATIVE(ALLTOALLV),
    NATIVE(ALLTOALLW),
    NATIVE(REDUCE),
    NATIVE(REDUCE_SCATTER_BLOCK),
    NATIVE(REDUCE_SCATTER),
    NATIVE(ALLREDUCE),
    NATIVE(SCAN),
    NATIVE(EXSCAN),
#undef NATIVE
};

enum { LINES = sizeof catalogue / sizeof *catalogue - TUTTI_COLL_COUNT };

static const struct {
  const char *name;
  unsigned traits;
} collectives[TUTTI_COLL_COUNT] = {
    [TUTTI_COLL_BCAST] = {"bcast", TUTTI_HAS_ROOT},
    [TUTTI_COLL_BARRIER] = {"barrier", 0},
    [TUTTI_COLL_SCATTER] = {"scatter", TUTTI_HAS_ROOT | TUTTI_HAS_BLOCKS},
    [TUTTI_COLL_SCATTERV] = {"scatterv",
                             TUTTI_HAS_ROOT | TUTTI_HAS_BLOCKS | TUTTI_IS_IRREGULAR | TUTTI_COUNTS_ARE_LOCAL},
    [TUTTI_COLL_GATHER] = {"gather", TUTTI_HAS_ROOT | TUTTI_HAS_BLOCKS},
    [TUTTI_COLL_GATHERV] = {"gatherv", TUTTI_HAS_ROOT | TUTTI_HAS_BLOCKS | TUTTI_IS_IRREGULAR | TUTTI_COUNTS_ARE_LOCAL},
    [TUTTI_COLL_ALLGATHER] = {"allgather", TUTTI_HAS_BLOCKS},
    [TUTTI_COLL_ALLGATHERV] = {"allgatherv", TUTTI_HAS_BLOCKS | TUTTI_IS_IRREGULAR},
    [TUTTI_COLL_ALLTOALL] = {"alltoall", TUTTI_HAS_BLOCKS},
    [TUTTI_COLL_ALLTOALLV] = {"alltoallv", TUTTI_HAS_BLOCKS | TUTTI_IS_IRREGULAR | TUTTI_COUNTS_ARE_LOCAL},
    [TUTTI_COLL_ALLTOALLW] = {"alltoallw", TUTTI_HAS_BLOCKS | TUTTI_IS_IRREGULAR | TUTTI_COUNTS_ARE_LOCAL},
    [TUTTI_COLL_REDUCE] = {"reduce", TUTTI_HAS_ROOT | TUTTI_REDUCES},
    [TUTTI_COLL_REDUCE_SCATTER_BLOCK] = {"reduce_scatter_block", TUTTI_REDUCES | TUTTI_HAS_BLOCKS},
    [TUTTI_COLL_REDUCE_SCATTER] = {"reduce_scatter", TUTTI_REDUCES | TUTTI_HAS_BLOCKS | TUTTI_IS_IRREGULAR},
    [TUTTI_COLL_ALLREDUCE] = {"allreduce", TUTTI_REDUCES},
    [TUTTI_COLL_SCAN] = {"scan", TUTTI_REDUCES},
    [TUTTI_COLL_EXSCAN] = {"exscan", TUTTI_REDUCES},
};

const char *tutti_collective_name(tutti_collective collective)
{
  return (unsigned)collective < TUTTI_COLL_COUNT ? collectives[collective].name : NULL;
}

unsigned tutti_collective_traits(tutti_collective collective)
{
  return collectives[collective].traits;
}

tutti_status tutti_collective_parse(const char *name, tutti_collective *collective, tutti_error *error)
{
  for (int i = 0; i < TUTTI_COLL_COUNT; i++)
    if (strcmp(name, collectives[i].name) == 0) {
      *collective = (tutti_collective)i;
      return TUTTI_OK;
    }
  char known[256] = "";
  for (int i = 0; i < TUTTI_COLL_COUNT; i++) {
    strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
    strncat(known, collectives[i].name, sizeof known - strlen(known) - 1);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "unknown collective '%s': known are %s", name, known);
}

size_t tutti_algorithm_count(void)
{
  return LINES;
}

const tutti_algorithm *tutti_algorithm_at(size_t index)
{
  return index < tutti_algorithm_count() ? &catalogue[index] : NULL;
}

const tutti_algorithm *tutti_algorithm_find(tutti_collective collective, const char *name)
{
  for (size_t i = 0; i < sizeof catalogue / sizeof *catalogue; i++)
    if (catalogue[i].collective == collective && strcmp(catalogue[i].name, name) == 0)
      return &catalogue[i];
  return NULL;
}

const char *tutti_algorithm_k_name(const tutti_algorithm *algorithm)
{
  return algorithm->k_name ? algorithm->k_name : "k";
}
