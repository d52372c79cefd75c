/* Barriers in which a rank sends to one peer and receives from one peer at a time: Bruck, recursive doubling and double
   ring (Pjesivac-Grbovic 2007, section 4.1.2). Any number of ranks. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/radix.h"

/* The vertices of the last step, TUTTI_NO_VERTEX if there was none. */
struct steps {
  tutti_vertex_id sent, received;
};

static struct steps steps_begin(void)
{
  return (struct steps){TUTTI_NO_VERTEX, TUTTI_NO_VERTEX};
}

/* Add a step; it starts when the step before is complete. So a rank never has more than two messages in flight, which
   at 131,072 ranks is what keeps a simulation small. */
static void steps_add(tutti_builder *builder, struct steps *steps, int to, int from)
{
  tutti_vertex_id received = tutti_add_recv(builder, from, tutti_no_data());
  tutti_vertex_id sent = tutti_add_send(builder, to, tutti_no_data());
  const tutti_vertex_id step[] = {received, sent};
  for (int i = 0; i < 2; i++) {
    tutti_add_after(builder, step[i], steps->received);
    tutti_add_after(builder, step[i], steps->sent);
  }
  *steps = (struct steps){sent, received};
}

/* Bruck, or dissemination, barrier: in step k rank r sends to r + 2^k and receives from r - 2^k, both modulo P. After
   ceil(log2 P) steps every rank has heard of every other.

       P = 4:  step 0: r -> r + 1,  step 1: r -> r + 2

   Cost (Hockney, table 4.2): ceil(log2 P) alpha. */
void tutti_build_barrier_bruck(tutti_builder *builder, const tutti_call *call)
{
  struct steps steps = steps_begin();
  int64_t size = call->size;
  uint32_t count = 0;
  for (int64_t distance = 1; distance < size; distance *= 2)
    count++;
  tutti_builder_reserve(builder, 2 * count, 4 * count);
  for (int64_t distance = 1; distance < size; distance *= 2)
    steps_add(builder, &steps, (int)((call->rank + distance) % size), (int)((call->rank + size - distance) % size));
}

/* All vertices from `first` to before `end` wait for all from `before` to before `first`. */
static void order_rounds(tutti_builder *builder, tutti_vertex_id before, tutti_vertex_id first, tutti_vertex_id end)
{
  for (tutti_vertex_id v = first; v < end; v++)
    for (tutti_vertex_id earlier = before; earlier < first; earlier++)
      tutti_add_after(builder, v, earlier);
}

/* Dissemination barrier of radix k (MPICH 4.1 k_dissemination; Hensgen, Finkel, Manber 1988): in the round of distance
   d = 1, k, k^2, ... < P rank r sends to r + j d and receives from r - j d for all j = 1 to k - 1 with j d < P.

       P = 9, k = 3:  round 0: r -> r + 1, r + 2,  round 1: r -> r + 3, r + 6

   Cost (Hockney): ceil(log_k P) alpha, each round of k - 1 messages that overlap. */
void tutti_build_barrier_k_dissemination(tutti_builder *builder, const tutti_call *call)
{
  int64_t size = call->size, k = call->parameters.k;
  tutti_vertex_id before = 0, first = tutti_builder_next(builder); /* of the previous round, and of this one */
  for (int64_t distance = 1; distance < size; distance *= k) {
    for (int64_t place = distance; place < size && place < k * distance; place += distance) {
      tutti_add_recv(builder, (int)((call->rank + size - place) % size), tutti_no_data());
      tutti_add_send(builder, (int)((call->rank + place) % size), tutti_no_data());
    }
    if (distance > 1)
      order_rounds(builder, before, first, tutti_builder_next(builder));
    before = first;
    first = tutti_builder_next(builder);
  }
}

/* Recursive doubling barrier: in step k rank r exchanges a message without data with r XOR 2^k. If P is not a power of
   two, only the largest power of two Q below it takes part; a rank r >= Q first reports to r - Q and gets its message
   at the end.

       P = 6:  4 -> 0, 5 -> 1;   (0,1) (2,3);   (0,2) (1,3);   0 -> 4, 1 -> 5

   Cost (Hockney, table 4.2): log2(P) alpha, or (floor(log2 P) + 2) alpha. */
static void build_outside(tutti_builder *builder, int server)
{
  tutti_vertex_id report = tutti_add_send(builder, server, tutti_no_data());
  tutti_add_after(builder, tutti_add_recv(builder, server, tutti_no_data()), report);
}

static void build_inside(tutti_builder *builder, const tutti_call *call, int power)
{
  int served = call->rank + power;
  struct steps steps = steps_begin();
  if (served < call->size)
    steps.received = tutti_add_recv(builder, served, tutti_no_data());
  for (int width = 1; width < power; width *= 2)
    steps_add(builder, &steps, call->rank ^ width, call->rank ^ width);
  if (served < call->size) {
    tutti_vertex_id exit = tutti_add_send(builder, served, tutti_no_data());
    tutti_add_after(builder, exit, steps.sent);
    tutti_add_after(builder, exit, steps.received);
  }
}

void tutti_build_barrier_recursive_doubling(tutti_builder *builder, const tutti_call *call)
{
  int power = tutti_power_up_to(call->size);
  if (call->rank < power)
    build_inside(builder, call, power);
  else
    build_outside(builder, call->rank - power);
}

/* Recursive exchange barrier of radix k (MPICH 4.1 recexch): the ranks beyond the largest power A of k report to a
   neighbor, k - 1 to one, and get its message at the end; in the phase of place 1, k, k^2, ... each of the A exchanges
   messages without data with the k - 1 that differ from it in that digit of base k.

       P = 6, k = 3:   0, 1 -> 2;  3 -> 4;   (2 4 5);   2 -> 0, 1;  4 -> 3

   Any number of ranks, any k from 2 on.
   Cost (Hockney): log_k(P) alpha if P is a power of k, each phase of k - 1 messages that overlap; else two rounds more.
 */
void tutti_build_barrier_recursive_exchange(tutti_builder *builder, const tutti_call *call)
{
  struct radix_fold fold = tutti_radix_fold(call);
  int first_rank = tutti_radix_first(&fold, fold.v), actor = tutti_radix_actor(&fold, fold.v);
  if (call->rank != actor) {
    build_outside(builder, actor);
    return;
  }
  tutti_vertex_id before = tutti_builder_next(builder); /* of the previous round */
  for (int r = first_rank; r < actor; r++)
    tutti_add_recv(builder, r, tutti_no_data());
  for (int place = 1; place < fold.power; place *= fold.k) {
    tutti_vertex_id first = tutti_builder_next(builder);
    for (int digit = 0; digit < fold.k; digit++) {
      int peer = tutti_radix_actor(&fold, tutti_radix_peer(&fold, fold.v, place, digit));
      if (peer != actor) {
        tutti_add_recv(builder, peer, tutti_no_data());
        tutti_add_send(builder, peer, tutti_no_data());
      }
    }
    order_rounds(builder, before, first, tutti_builder_next(builder));
    before = first;
  }
  tutti_vertex_id exit = tutti_builder_next(builder);
  for (int r = first_rank; r < actor; r++)
    tutti_add_send(builder, r, tutti_no_data());
  order_rounds(builder, before, exit, tutti_builder_next(builder));
}

/* Double ring barrier: a token goes around the ring twice; a rank that has
   forwarded it for the second time leaves.

       0 -> 1 -> 2 -> ... -> P-1 -> 0 -> 1 -> ... -> P-1 -> 0

   Cost (Hockney, table 4.2): 2 P alpha. */
void tutti_build_barrier_double_ring(tutti_builder *builder, const tutti_call *call)
{
  if (call->size == 1)
    return;
  int left = (call->rank + call->size - 1) % call->size, right = (call->rank + 1) % call->size;
  tutti_vertex_id last = TUTTI_NO_VERTEX;
  for (int round = 0; round < 2; round++) {
    if (call->rank == 0) {
      tutti_vertex_id send = tutti_add_send(builder, right, tutti_no_data());
      tutti_add_after(builder, send, last);
      last = tutti_add_recv(builder, left, tutti_no_data());
    } else {
      tutti_vertex_id received = tutti_add_recv(builder, left, tutti_no_data());
      last = tutti_add_send(builder, right, tutti_no_data());
      tutti_add_after(builder, last, received);
    }
  }
}
