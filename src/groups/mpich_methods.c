#include "groups/mpich_methods.h"

#include <math.h>

/* In bytes of all: MPIR_CVAR_ALLGATHER_SHORT_MSG_SIZE, MPIR_CVAR_ALLGATHER_LONG_MSG_SIZE. */
enum { SHORT_BYTES = 81920, LONG_BYTES = 524288 };

tutti_method tutti_mpich_allgather(int size, bool simulated)
{
  const size_t total = (size_t)size * MPICH_ENTRY_BYTES;
  const char *name = total < SHORT_BYTES || simulated ? "bruck" : "ring";
  if (total < LONG_BYTES && (size & (size - 1)) == 0)
    name = "recursive-doubling";
  return tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLGATHER, name));
}

tutti_method tutti_mpich_agreement(void)
{
  return tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLREDUCE, "recursive-doubling"));
}

double tutti_mpich_sort_seconds(const struct mpich_cost *cost, int members)
{
  return cost->compare * members * log2(members);
}
