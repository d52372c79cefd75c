/* What coll/tuned of Open MPI can be told: ids, parameters, units (ompi/mca/coll/tuned of v4.1:
   coll_tuned_*_decision.c, coll_tuned_decision_dynamic.c). */
#include "libraries/targets/openmpi.h"

/* Of a collective: its id, what the size is compared with, and which algorithms take a segment size (bit of the id). */
static const struct row {
  int id;
  tutti_size_unit unit;
  unsigned segmented;
} rows[TUTTI_COLL_COUNT] = {
    [TUTTI_COLL_ALLGATHER] = {0, TUTTI_UNIT_TOTAL, 0},
    [TUTTI_COLL_ALLGATHERV] = {1, TUTTI_UNIT_RANK, 0},
    [TUTTI_COLL_ALLREDUCE] = {2, TUTTI_UNIT_RANK, 1u << 5},
    [TUTTI_COLL_ALLTOALL] = {3, TUTTI_UNIT_TOTAL, 0},
    [TUTTI_COLL_ALLTOALLV] = {4, TUTTI_UNIT_NONE, 0},
    [TUTTI_COLL_BARRIER] = {6, TUTTI_UNIT_NONE, 0},
    [TUTTI_COLL_BCAST] = {7, TUTTI_UNIT_RANK, 0xfc},
    [TUTTI_COLL_EXSCAN] = {8, TUTTI_UNIT_NONE, 0}, /* type size times ranks: the count is left out */
    [TUTTI_COLL_GATHER] = {9, TUTTI_UNIT_TOTAL, 1u << 3},
    [TUTTI_COLL_REDUCE] = {11, TUTTI_UNIT_RANK, 0x7c},
    [TUTTI_COLL_REDUCE_SCATTER] = {12, TUTTI_UNIT_TOTAL, 0},
    [TUTTI_COLL_REDUCE_SCATTER_BLOCK] = {13, TUTTI_UNIT_TOTAL, 0},
    [TUTTI_COLL_SCAN] = {14, TUTTI_UNIT_NONE, 0}, /* as exscan */
    [TUTTI_COLL_SCATTER] = {15, TUTTI_UNIT_TOTAL, 0},
};

enum { CHAIN = 2, KNOMIAL = 7, KNOMIAL_RADIX = 4, LINEAR_SYNC = 4, BRUCK_RADIX = 2 };

tutti_size_unit tutti_openmpi_unit(tutti_collective collective)
{
  return rows[collective].unit;
}

int tutti_openmpi_collective(tutti_collective collective)
{
  return rows[collective].unit == TUTTI_UNIT_ABSENT ? -1 : rows[collective].id;
}

/* Parameter k: the fan-out of chains is told, all others must be what Open MPI does anyway. */
static bool express_k(const tutti_method *method, int ranks, bool requests, struct openmpi_cell *cell)
{
  int k = method->parameters.k, id = method->algorithm->openmpi_id;
  switch (method->algorithm->collective) {
  case TUTTI_COLL_BCAST:
    if (id == KNOMIAL)
      return k == KNOMIAL_RADIX; /* coll_tuned_bcast_algorithm_knomial_radix; rules do not set it */
    break;
  case TUTTI_COLL_REDUCE:
    break;
  case TUTTI_COLL_ALLTOALL:
    if (id != LINEAR_SYNC)
      return k == BRUCK_RADIX;
    cell->max_requests = requests ? k : 0; /* 0: as many as there are */
    return requests || k >= ranks - 1;
  default:
    return false;
  }
  cell->faninout = k;
  return id == CHAIN;
}

bool tutti_openmpi_cell_of(const tutti_method *method, int ranks, bool requests, struct openmpi_cell *cell)
{
  const tutti_algorithm *algorithm = method->algorithm;
  uint64_t segment = method->parameters.segment_bytes;
  *cell = (struct openmpi_cell){.algorithm = algorithm->openmpi_id, .segment_bytes = segment};
  if (algorithm->openmpi_id == 0 || tutti_openmpi_collective(algorithm->collective) < 0 ||
      !tutti_target_is_plain(method))
    return false;
  if (segment && !(rows[algorithm->collective].segmented >> algorithm->openmpi_id & 1))
    return false;
  if (segment > INT32_MAX || !tutti_target_applies(method, ranks))
    return false;
  return !(algorithm->parameters & TUTTI_TAKES_K) || express_k(method, ranks, requests, cell);
}

void tutti_openmpi_print_use(const char *path, FILE *stream)
{
  fprintf(stream,
          "export OMPI_MCA_coll_tuned_use_dynamic_rules=1\n"
          "export OMPI_MCA_coll_tuned_dynamic_rules_filename='%s'\n",
          path);
}

void tutti_openmpi_print_no_han(FILE *stream)
{
  fprintf(stream, "export OMPI_MCA_coll=^han\n");
}
