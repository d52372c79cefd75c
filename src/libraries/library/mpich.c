/* The decisions of MPICH 4.0 (maint/tuning/coll/mpir/generic.json) without those for several ranks a node, and of
   MPICH2 1.0 (Thakur, Rabenseifner, Gropp 2005), from which they come. */
#include <string.h>

#include "libraries/library/library.h"

enum { KB = 1024, THROTTLE = 32 /* MPIR_CVAR_ALLTOALL_THROTTLE: messages in flight */ };

static bool is_power(int ranks)
{
  return library_power_below(ranks) == (uint64_t)ranks;
}

const char *tutti_mpich40_bcast(int ranks, uint64_t bytes)
{
  if (ranks < 8 || bytes <= 12288)
    return "binomial";
  return bytes <= 512 * KB && is_power(ranks) ? "scatter_recursive_doubling_allgather" : "scatter_ring_allgather";
}

const char *tutti_mpich40_reduce(int ranks, uint64_t bytes, uint64_t element)
{
  return bytes > 2 * KB && bytes / element >= library_power_below(ranks) ? "reduce_scatter_gather" : "binomial";
}

static const char *allreduce(int ranks, uint64_t bytes, uint64_t element, uint64_t small)
{
  bool enough = bytes / element >= library_power_below(ranks);
  return bytes > small && enough ? "reduce_scatter_allgather" : "recursive_doubling";
}

const char *tutti_mpich40_allreduce(int ranks, uint64_t bytes, uint64_t element)
{
  return allreduce(ranks, bytes, element, 8);
}

const char *tutti_mpich40_allgather(int ranks, uint64_t bytes)
{
  uint64_t total = bytes * (uint64_t)ranks;
  if (is_power(ranks))
    return total < 512 * KB ? "recursive_doubling" : "ring";
  return total < 80 * KB ? "brucks" : "ring";
}

static const char *alltoall(int ranks, uint64_t bytes, int least_for_bruck)
{
  if (ranks >= least_for_bruck && bytes <= 256)
    return "brucks";
  return bytes <= 32 * KB ? "scattered" : "pairwise";
}

/* Its file says comm_size<8, which csel.c evaluates as <= below a condition on the buffers: 8 ranks count as few. */
const char *tutti_mpich40_alltoall(int ranks, uint64_t bytes)
{
  return alltoall(ranks, bytes, 9);
}

const char *tutti_mpich40_reduce_scatter(int ranks, uint64_t bytes)
{
  (void)ranks;
  return bytes < 512 * KB ? "recursive_halving" : "pairwise";
}

/* Name of the algorithm for a question; NULL if there is no rule. */
static const char *name_of(const tutti_question *question, bool of_2005)
{
  int ranks = question->ranks;
  uint64_t bytes = question->rank_bytes, element = library_element(bytes);
  switch (question->collective) {
  case TUTTI_COLL_BCAST:
    return tutti_mpich40_bcast(ranks, bytes);
  case TUTTI_COLL_REDUCE:
    return tutti_mpich40_reduce(ranks, bytes, element);
  case TUTTI_COLL_ALLREDUCE:
    return allreduce(ranks, bytes, element, of_2005 ? 2 * KB : 8);
  case TUTTI_COLL_ALLGATHER:
  case TUTTI_COLL_ALLGATHERV:
    return tutti_mpich40_allgather(ranks, bytes);
  case TUTTI_COLL_ALLTOALL:
    return alltoall(ranks, bytes, of_2005 ? 8 : 9);
  case TUTTI_COLL_REDUCE_SCATTER:
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    return tutti_mpich40_reduce_scatter(ranks, bytes * (uint64_t)ranks);
  case TUTTI_COLL_BARRIER:
    return "dissemination";
  case TUTTI_COLL_SCATTER:
  case TUTTI_COLL_GATHER:
    return "binomial";
  case TUTTI_COLL_SCATTERV:
  case TUTTI_COLL_GATHERV:
    return "linear";
  case TUTTI_COLL_ALLTOALLV:
  case TUTTI_COLL_ALLTOALLW:
    return "scattered";
  case TUTTI_COLL_SCAN:
  case TUTTI_COLL_EXSCAN:
    return "recursive_doubling";
  default:
    return NULL;
  }
}

static const tutti_algorithm *algorithm_of(tutti_collective collective, const char *name)
{
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i);
    if (algorithm->collective == collective && algorithm->mpich_name && strcmp(algorithm->mpich_name, name) == 0)
      return algorithm;
  }
  return NULL;
}

/* Messages in flight of a scattered all-to-all: MPICH2 had all of them. */
static int in_flight(const tutti_question *question, bool of_2005)
{
  int all = question->ranks > 2 ? question->ranks - 1 : 1;
  return of_2005 ? all : THROTTLE;
}

static bool pick(const tutti_question *question, bool of_2005, tutti_method *method)
{
  const char *name = name_of(question, of_2005);
  const tutti_algorithm *algorithm = name ? algorithm_of(question->collective, name) : NULL;
  if (!algorithm)
    return false;
  *method = tutti_method_default(algorithm);
  if (strcmp(name, "scattered") == 0)
    method->parameters.k = in_flight(question, of_2005);
  return true;
}

bool tutti_library_mpich_4_0(const tutti_question *question, tutti_method *method)
{
  return pick(question, false, method);
}

/* Its paper has rules for these. */
bool tutti_library_mpich2_1_0(const tutti_question *question, tutti_method *method)
{
  switch (question->collective) {
  case TUTTI_COLL_BCAST:
  case TUTTI_COLL_REDUCE:
  case TUTTI_COLL_ALLREDUCE:
  case TUTTI_COLL_ALLGATHER:
  case TUTTI_COLL_ALLTOALL:
  case TUTTI_COLL_REDUCE_SCATTER:
    return pick(question, true, method);
  default:
    return false;
  }
}
