/* The decisions of MPICH 4.0 (maint/tuning/coll/mpir/generic.json) without those for several ranks a node, and of
   MPICH2 1.0 (Thakur, Rabenseifner, Gropp 2005), from which they come. */
#include <string.h>

#include "base/numbers.h"
#include "decision/libraries/mpich/mpich.h"

enum { KB = 1024 };

const char *tutti_mpich40_bcast(int ranks, uint64_t bytes)
{
  if (ranks < 8 || bytes <= MPICH_BCAST_SHORT)
    return "binomial";
  return bytes <= MPICH_BCAST_MEDIUM && tutti_is_power_of_two((uint64_t)ranks) ? "scatter_recursive_doubling_allgather"
                                                                               : "scatter_ring_allgather";
}

const char *tutti_mpich40_reduce(int ranks, uint64_t bytes, uint64_t element)
{
  return bytes > MPICH_REDUCE_SHORT && bytes / element >= library_power_below(ranks) ? "reduce_scatter_gather"
                                                                                     : "binomial";
}

static const char *allreduce(int ranks, uint64_t bytes, uint64_t element, uint64_t small)
{
  bool enough = bytes / element >= library_power_below(ranks);
  return bytes > small && enough ? "reduce_scatter_allgather" : "recursive_doubling";
}

const char *tutti_mpich40_allreduce(int ranks, uint64_t bytes, uint64_t element)
{
  return allreduce(ranks, bytes, element, MPICH_ALLREDUCE_SHORT);
}

const char *tutti_mpich40_allgather(int ranks, uint64_t bytes)
{
  uint64_t total = library_product(bytes, ranks);
  if (tutti_is_power_of_two((uint64_t)ranks))
    return total <= MPICH_ALLGATHER_MEDIUM ? "recursive_doubling" : "ring";
  return total <= MPICH_ALLGATHER_SHORT ? "brucks" : "ring";
}

static const char *alltoall(int ranks, uint64_t bytes, int least_for_bruck)
{
  if (ranks >= least_for_bruck && bytes <= MPICH_ALLTOALL_SHORT)
    return "brucks";
  return bytes <= MPICH_ALLTOALL_MEDIUM ? "scattered" : "pairwise";
}

/* Its file has comm_size<8, which csel.c evaluates as <= below a condition on the buffers: 8 ranks count as few. */
const char *tutti_mpich40_alltoall(int ranks, uint64_t bytes)
{
  return alltoall(ranks, bytes, 9);
}

const char *tutti_mpich40_reduce_scatter(int ranks, uint64_t bytes)
{
  (void)ranks;
  return bytes <= MPICH_REDUCE_SCATTER_SHORT ? "recursive_halving" : "pairwise";
}

/* Name of the algorithm for a question; NULL without a rule. */
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
    return allreduce(ranks, bytes, element, of_2005 ? 2 * KB : MPICH_ALLREDUCE_SHORT);
  case TUTTI_COLL_ALLGATHER:
  case TUTTI_COLL_ALLGATHERV:
    return tutti_mpich40_allgather(ranks, bytes);
  case TUTTI_COLL_ALLTOALL:
    return alltoall(ranks, bytes, of_2005 ? 8 : 9);
  case TUTTI_COLL_REDUCE_SCATTER:
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    return tutti_mpich40_reduce_scatter(ranks, library_product(bytes, ranks));
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

bool tutti_mpich_method(tutti_collective collective, const char *name, tutti_method *method)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    if (algorithm->collective == collective && algorithm->mpich_name && strcmp(algorithm->mpich_name, name) == 0) {
      *method = tutti_method_default(algorithm);
      if (strcmp(name, "scattered") == 0)
        method->parameters.k = MPICH_THROTTLE;
      return true;
    }
  return false;
}

/* MPICH2 had all messages of a scattered all-to-all in flight. */
static bool pick(const tutti_question *question, bool of_2005, tutti_method *method)
{
  const char *name = name_of(question, of_2005);
  if (!name || !tutti_mpich_method(question->collective, name, method))
    return false;
  if (of_2005 && strcmp(name, "scattered") == 0)
    method->parameters.k = question->ranks > 2 ? question->ranks - 1 : 1;
  return true;
}

bool tutti_mpich_decide_4_0(const tutti_question *question, tutti_method *method)
{
  return pick(question, false, method);
}

/* Its paper has rules for these. */
bool tutti_mpich_decide_1_0(const tutti_question *question, tutti_method *method)
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
