#include <string.h>

#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/plugins.h"
#include "base/numbers.h"
#include "base/words.h"

static const tutti_algorithm catalogue[] = {
#define ALGORITHM(of, called, built_by, ...)                                                                           \
  {.collective = TUTTI_COLL_##of, .name = called, .build = built_by, __VA_ARGS__},
#include "algorithms/catalogue/catalogue.def"
#undef ALGORITHM
/* Native methods come after the lines of the catalogue, so that methods have one order; not counted among them. */
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
  const char *names[TUTTI_COLL_COUNT];
  const char *plain = strncasecmp(name, "MPI_", strlen("MPI_")) == 0 ? name + strlen("MPI_") : name;
  int found = 0;
  for (int i = 0; i < TUTTI_COLL_COUNT; i++) {
    names[i] = collectives[i].name;
    if (strcasecmp(plain, names[i]) == 0)
      name = names[i];
  }
  tutti_status status = tutti_word_parse(names, TUTTI_COLL_COUNT, "collective", name, &found, error);
  if (status == TUTTI_OK)
    *collective = (tutti_collective)found;
  return status;
}

size_t tutti_algorithm_count(void)
{
  size_t count = LINES;
  while (tutti_plugins_at(count - LINES))
    count++;
  return count;
}

const tutti_algorithm *tutti_algorithm_at(size_t index)
{
  return index < LINES ? &catalogue[index] : tutti_plugins_at(index - LINES);
}

const tutti_algorithm *tutti_algorithm_find(tutti_collective collective, const char *name)
{
  for (size_t i = 0; i < sizeof catalogue / sizeof *catalogue; i++)
    if (catalogue[i].collective == collective && strcmp(catalogue[i].name, name) == 0)
      return &catalogue[i];
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_plugins_at(i)); i++)
    if (algorithm->collective == collective && strcmp(algorithm->name, name) == 0)
      return algorithm;
  return NULL;
}

/* Its place in the catalogue, or after that; algorithms of neighbors come last. */
static size_t place_of(const tutti_algorithm *algorithm)
{
  if (algorithm >= catalogue && algorithm < catalogue + sizeof catalogue / sizeof *catalogue)
    return (size_t)(algorithm - catalogue);
  size_t index = 0;
  for (const tutti_algorithm *other; (other = tutti_plugins_at(index)) && other != algorithm;)
    index++;
  return sizeof catalogue / sizeof *catalogue + index;
}

int tutti_algorithm_compare(const tutti_algorithm *left, const tutti_algorithm *right)
{
  if (left == right || !left || !right)
    return (left != NULL) - (right != NULL);
  const size_t first = place_of(left), second = place_of(right);
  return first == second ? strcmp(left->name, right->name) : THREE_WAY(first, second);
}

const tutti_algorithm *tutti_algorithm_unsegmented(const tutti_algorithm *algorithm)
{
  const tutti_algorithm *other;
  for (size_t i = 0; (other = tutti_algorithm_at(i)); i++)
    if (other->collective == algorithm->collective && other->build == algorithm->build &&
        other->shape == algorithm->shape && other->default_k == algorithm->default_k &&
        (other->parameters | TUTTI_TAKES_SEGMENT) == algorithm->parameters &&
        other->parameters != algorithm->parameters)
      return other;
  return NULL;
}

const char *tutti_algorithm_k_name(const tutti_algorithm *algorithm)
{
  return algorithm->k_name ? algorithm->k_name : "k";
}

const char *tutti_algorithm_outstanding_name(const tutti_algorithm *algorithm)
{
  return algorithm->outstanding_name ? algorithm->outstanding_name : "outstanding";
}
