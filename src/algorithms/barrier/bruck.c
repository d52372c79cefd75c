/* Bruck, or dissemination, barrier (Pjesivac-Grbovic 2007, section 4.1.2): in step k rank r sends to r + 2^k and
   receives from r - 2^k, both modulo P. After ceil(log2 P) steps everybody has heard of everybody.

       P = 4:  step 0: r -> r + 1,  step 1: r -> r + 2

   Any number of ranks. Cost (Hockney, table 4.2): ceil(log2 P) alpha. */
#include "algorithms/barrier/steps.h"
#include "algorithms/builders.h"

void tutti_build_barrier_bruck(tutti_builder *builder, const tutti_call *call)
{
  struct steps steps = tutti_steps_begin();
  int64_t size = call->size;
  uint32_t count = 0;
  for (int64_t distance = 1; distance < size; distance *= 2)
    count++;
  tutti_builder_reserve(builder, 2 * count, 4 * count);
  for (int64_t distance = 1; distance < size; distance *= 2)
    tutti_steps_add(builder, &steps, (int)((call->rank + distance) % size),
                    (int)((call->rank + size - distance) % size));
}
