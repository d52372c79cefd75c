#include "mpi/charge.h"

#ifdef SMPI_HELPERS_H
#include <smpi/smpi.h>
#endif

/* Platform files set the speed of a host to 1 / gamma flop/s: reducing one byte is one flop. No platform states a delta
   of its own, so a copied byte costs the same. */
void tutti_charge(tutti_kind kind, uint64_t bytes)
{
#ifdef SMPI_HELPERS_H
  if ((kind == TUTTI_REDUCE || kind == TUTTI_COPY) && bytes > 0)
    smpi_execute_flops_benched((double)bytes);
#else
  (void)kind;
  (void)bytes;
#endif
}
