/* Faults planted into algorithms, for the regression gate to find. Linked in front of the library by --wrap: the
   catalogue then calls what is here. All of them stay correct: tutti schedule proves them. */
#include <math.h>

#include "algorithms/catalogue/builders.h"

/* A builder that is replaced, and, after this, what replaces it. */
#define REPLACE(name)                                                                                                  \
  void __real_tutti_build_##name(tutti_builder *builder, const tutti_call *call);                                      \
  void __wrap_tutti_build_##name(tutti_builder *builder, const tutti_call *call);                                      \
  void __wrap_tutti_build_##name(tutti_builder *builder, const tutti_call *call)

#if defined(PLANT_SLOW_SCAN) || defined(PLANT_SLOW_ALLREDUCE)

/* Values of platforms/fast_ethernet.xml: seconds, seconds per byte sent, seconds per byte copied. */
#define ALPHA 95e-6
#define BETA  8.5e-8
#define GAMMA 1e-9

/* How much longer. */
#define SHARE 0.03

/* The algorithm, and then copies of its result into its last temporary, which nobody needs any more, for 3 % of the
   time that its rounds take. Ranks without a temporary do no more than before. */
static void build_slower(tutti_build_function build, tutti_builder *builder, const tutti_call *call, double rounds)
{
  tutti_scope scope = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  tutti_buffer before = tutti_builder_temporary(builder, 0);
  tutti_builder_enter(builder, &scope);
  build(builder, call);
  tutti_vertex_id last = tutti_builder_leave(builder);
  tutti_buffer spare = (tutti_buffer)(tutti_builder_temporary(builder, 0) - 1);
  double bytes = (double)call->count * (double)call->type_size;
  double copies = SHARE * rounds * (ALPHA + BETA * bytes) / GAMMA / bytes;
  for (double done = 0; spare > before && done < copies; done++) {
    tutti_block part = tutti_block_of(TUTTI_OUTPUT, 0, call->count);
    part.count = (uint64_t)ceil(fmin(1, copies - done) * (double)call->count);
    tutti_vertex_id copy = tutti_add_copy(builder, part, tutti_block_of(spare, 0, part.count));
    tutti_add_after(builder, copy, last);
    last = copy;
  }
}

#ifdef PLANT_SLOW_SCAN
REPLACE(scan_binomial)
{
  build_slower(__real_tutti_build_scan_binomial, builder, call, ceil(log2(call->size)));
}
#else
REPLACE(allreduce_recursive_doubling)
{
  double rounds = log2(call->size);
  build_slower(__real_tutti_build_allreduce_recursive_doubling, builder, call,
               floor(rounds) + (rounds > floor(rounds) ? 2 : 0));
}
#endif

#else

/* One message more, at the end. */
REPLACE(barrier_double_ring)
{
  tutti_scope scope = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  tutti_builder_enter(builder, &scope);
  __real_tutti_build_barrier_double_ring(builder, call);
  tutti_vertex_id last = tutti_builder_leave(builder);
  if (call->rank == call->size - 1)
    tutti_add_after(builder, tutti_add_send(builder, 0, tutti_no_data()), last);
  if (call->rank == 0)
    tutti_add_after(builder, tutti_add_recv(builder, call->size - 1, tutti_no_data()), last);
}

/* One byte more of memory on each rank, which costs no time. */
REPLACE(scatter_binomial)
{
  __real_tutti_build_scatter_binomial(builder, call);
  tutti_builder_temporary(builder, 1);
}

#endif
