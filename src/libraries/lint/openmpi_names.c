/* Collectives and algorithms of coll/tuned by version (coll_base_functions.h, coll_tuned_*_decision.c). */
#include <string.h>
#include <strings.h>

#include "libraries/lint/openmpi.h"

/* Bits of ids that look at a field. */
#define TO(first, last) ((2u << (last)) - (1u << (first)))

static const struct collective {
  const char *name;
  enum openmpi_size size;
  unsigned segments, fanouts, requests;
  struct {
    const char *name;
    int since; /* major * 100 + minor; 0: always */
  } algorithms[OPENMPI_MOST_IDS];
} collectives[OPENMPI_COLLECTIVES] = {
    {"allgather", SIZE_OF_ALL,
     .algorithms = {{"linear", 0},
                    {"bruck", 0},
                    {"recursive_doubling", 0},
                    {"ring", 0},
                    {"neighbor", 0},
                    {"two_proc", 0},
                    {"sparbit", 500},
                    {"direct-messaging", 600}}},
    {"allgatherv", SIZE_OF_RANK,
     .algorithms = {{"default", 0}, {"bruck", 0}, {"ring", 0}, {"neighbor", 0}, {"two_proc", 0}, {"sparbit", 500}}},
    {"allreduce", SIZE_OF_RANK, .segments = TO(5, 5),
     .algorithms = {{"basic_linear", 0},
                    {"nonoverlapping", 0},
                    {"recursive_doubling", 0},
                    {"ring", 0},
                    {"segmented_ring", 0},
                    {"rabenseifner", 0},
                    {"allgather_reduce", 600}}},
    {"alltoall", SIZE_OF_ALL, .requests = TO(4, 4),
     .algorithms = {{"linear", 0}, {"pairwise", 0}, {"modified_bruck", 0}, {"linear_sync", 0}, {"two_proc", 0}}},
    {"alltoallv", SIZE_ZERO, .algorithms = {{"basic_linear", 0}, {"pairwise", 0}}},
    {"alltoallw", SIZE_ZERO, .segments = 0},
    {"barrier", SIZE_ZERO,
     .algorithms =
         {{"linear", 0}, {"double_ring", 0}, {"recursive_doubling", 0}, {"bruck", 0}, {"two_proc", 0}, {"tree", 0}}},
    {"bcast", SIZE_OF_RANK, .segments = TO(2, 7), .fanouts = TO(2, 2),
     .algorithms = {{"basic_linear", 0},
                    {"chain", 0},
                    {"pipeline", 0},
                    {"split_binary_tree", 0},
                    {"binary_tree", 0},
                    {"binomial", 0},
                    {"knomial", 0},
                    {"scatter_allgather", 0},
                    {"scatter_allgather_ring", 0}}},
    {"exscan", SIZE_TYPE_BY_RANKS, .algorithms = {{"linear", 0}, {"recursive_doubling", 0}}},
    {"gather", SIZE_OF_ALL, .segments = TO(3, 3),
     .algorithms = {{"basic_linear", 0}, {"binomial", 0}, {"linear_sync", 0}}},
    {"gatherv", SIZE_ZERO, .segments = 0},
    {"reduce", SIZE_OF_RANK, .segments = TO(2, 6), .fanouts = TO(2, 2), .requests = TO(2, 6),
     .algorithms = {{"linear", 0},
                    {"chain", 0},
                    {"pipeline", 0},
                    {"binary", 0},
                    {"binomial", 0},
                    {"in-order_binary", 0},
                    {"rabenseifner", 0},
                    {"knomial", 600}}},
    {"reduce_scatter", SIZE_OF_ALL,
     .algorithms = {{"non-overlapping", 0}, {"recursive_halving", 0}, {"ring", 0}, {"butterfly", 0}}},
    {"reduce_scatter_block", SIZE_OF_ALL,
     .algorithms = {{"basic_linear", 0}, {"recursive_doubling", 0}, {"recursive_halving", 0}, {"butterfly", 0}}},
    {"scan", SIZE_TYPE_BY_RANKS, .algorithms = {{"linear", 0}, {"recursive_doubling", 0}}},
    {"scatter", SIZE_OF_ALL, .algorithms = {{"basic_linear", 0}, {"binomial", 0}, {"linear_nb", 0}}},
    {"scatterv", SIZE_ZERO, .segments = 0},
    {"neighbor_allgather", SIZE_ZERO, .segments = 0},
    {"neighbor_allgatherv", SIZE_ZERO, .segments = 0},
    {"neighbor_alltoall", SIZE_ZERO, .segments = 0},
    {"neighbor_alltoallv", SIZE_ZERO, .segments = 0},
    {"neighbor_alltoallw", SIZE_ZERO, .segments = 0},
};

const char *tutti_openmpi_collective_name(long id)
{
  return id >= 0 && id < OPENMPI_COLLECTIVES ? collectives[id].name : NULL;
}

int tutti_openmpi_collective_id(const char *name)
{
  for (int i = 0; i < OPENMPI_COLLECTIVES; i++)
    if (strcmp(collectives[i].name, name) == 0)
      return i;
  return -1;
}

/* Bruck's algorithm got a parameter, and with it another name. */
static const char *name_of(const tutti_library_version *version, long collective, long id)
{
  const char *name = collectives[collective].algorithms[id - 1].name;
  return collective == 0 && id == 2 && tutti_lint_since(version, 6, 0, 0) ? "bruck-k-fanout" : name;
}

const char *tutti_openmpi_algorithm_name(const tutti_library_version *version, long collective, long id)
{
  if (id == 0)
    return "ignore";
  if (id < 0 || id > OPENMPI_MOST_IDS || !collectives[collective].algorithms[id - 1].name ||
      !tutti_lint_between(version, collectives[collective].algorithms[id - 1].since, 0))
    return NULL;
  return name_of(version, collective, id);
}

int tutti_openmpi_algorithm_id(const tutti_library_version *version, long collective, const char *name)
{
  for (int id = 0; id <= OPENMPI_MOST_IDS; id++) {
    const char *known = tutti_openmpi_algorithm_name(version, collective, id);
    if (known && strcmp(known, name) == 0)
      return id;
  }
  return -1;
}

int tutti_openmpi_algorithm_count(const tutti_library_version *version, long collective)
{
  int count = 0;
  while (count < OPENMPI_MOST_IDS && tutti_openmpi_algorithm_name(version, collective, count + 1))
    count++;
  return count;
}

bool tutti_openmpi_uses(long collective, long id, enum openmpi_field field)
{
  const struct collective *of = &collectives[collective];
  unsigned ids = field == FIELD_SEGMENT ? of->segments : field == FIELD_FANOUT ? of->fanouts : of->requests;
  return id >= 0 && id <= OPENMPI_MOST_IDS && ids >> id & 1;
}

enum openmpi_size tutti_openmpi_size_of(long collective)
{
  return collectives[collective].size;
}
