/* What algorithms of coll/tuned send where the method of the catalogue that stands for them sends others: read from
   coll_base_bcast.c, coll_base_reduce.c, coll_base_topo.c, coll_base_barrier.c and coll_base_gather.c of Open
   MPI 4.1.4.

     bcast 8, 9   blocks go to all, also to ranks that have them from the scatter; fewer elements than ranks: linear
     reduce 6     the tree ends at the last rank, whose result goes on to the root; its far subtree is the larger one
     barrier 6    an in-order binomial tree
     gather 3     the second part of a block is sent where it is empty, too */
#include <stdlib.h>

#include "base/memory.h"
#include "decision/libraries/libraries.h"

/* By the distance v of a rank from the root, where there is one. */
struct sending {
  const tutti_call *call;
  uint64_t segment; /* elements of one, at most; 0: no segments */
  void (*tell)(void *context, int from, int to, uint64_t elements);
  void *context;
};

static int rank_of(const struct sending *sending, int v)
{
  return (int)(((int64_t)v + sending->call->root) % sending->call->size);
}

static void send(const struct sending *sending, int from, int to, uint64_t elements)
{
  sending->tell(sending->context, rank_of(sending, from), rank_of(sending, to), elements);
}

/* ---- bcast ---- */

/* The elements from block v on, of blocks of `length`, `blocks` of them at most. */
static uint64_t elements_from(const struct sending *sending, uint64_t length, int v, int blocks)
{
  const uint64_t count = sending->call->count, first = (uint64_t)v * length, most = (uint64_t)blocks * length;
  return first >= count ? 0 : count - first < most ? count - first : most;
}

static void send_scatter(const struct sending *sending, uint64_t length)
{
  for (int v = 1; v < sending->call->size; v++) {
    const int lowest = v & -v;
    const uint64_t elements = elements_from(sending, length, v, lowest);
    if (elements > 0)
      send(sending, v - lowest, v, elements);
  }
}

static void send_ring(const struct sending *sending, uint64_t length)
{
  const int size = sending->call->size;
  for (int v = 0; v < size; v++)
    for (int step = 0; step + 1 < size; step++)
      send(sending, v, v + 1, elements_from(sending, length, (v - step + size) % size, 1));
}

/* The last data of each rank, which it got from its partner in a round, go on to the ranks of its group without one. */
static void send_on(const struct sending *sending, int width, uint64_t *held, uint64_t *last)
{
  const int size = sending->call->size;
  for (int half = width / 2; half > 0; half /= 2)
    for (int v = 0; v < size; v++) {
      const int group = v & -width, tree = v & -(2 * half), partner = v ^ half;
      const int served = tree + (size - group - width);
      if ((group ^ width) + width > size && partner > v && v < served && partner >= served && partner < size) {
        send(sending, v, partner, last[v]);
        last[partner] = last[v];
        held[partner] += last[v];
      }
    }
}

static void send_doubling(const struct sending *sending, uint64_t length)
{
  const int size = sending->call->size;
  uint64_t *held = tutti_xcalloc(2 * (size_t)size, sizeof *held), *last = held + size;
  for (int v = 0; v < size; v++)
    held[v] = elements_from(sending, length, v, 1);
  for (int width = 1; width < size; width *= 2) {
    for (int v = 0; v < size; v++)
      if ((v ^ width) < size) {
        send(sending, v, v ^ width, held[v]);
        last[v] = held[v ^ width];
      }
    for (int v = 0; v < size; v++)
      held[v] += (v ^ width) < size ? last[v] : 0;
    send_on(sending, width, held, last);
  }
  free(held);
}

static void send_bcast(const struct sending *sending, bool ring)
{
  const uint64_t count = sending->call->count, size = (uint64_t)sending->call->size, length = (count + size - 1) / size;
  if (count < size) {
    for (int v = 1; v < sending->call->size; v++)
      send(sending, 0, v, count);
    return;
  }
  send_scatter(sending, length);
  if (ring)
    send_ring(sending, length);
  else
    send_doubling(sending, length);
}

/* ---- reduce ---- */

/* The parent of a rank in the tree of ranks first to first + size - 1, whose root is the last one. */
static int parent_of(int rank, int first, int size)
{
  int parent = first + size - 1;
  while (rank != first + size - 1) {
    parent = first + size - 1;
    const int far = size / 2;
    if (rank >= first + far) {
      first += far;
      size -= far + 1;
    } else
      size = far;
  }
  return parent;
}

static void send_segments(const struct sending *sending, int from, int to)
{
  const uint64_t count = sending->call->count, segment = sending->segment ? sending->segment : count;
  for (uint64_t left = count; left > 0; left -= left < segment ? left : segment)
    send(sending, from, to, left < segment ? left : segment);
}

/* By rank, as if the root were rank 0. */
static void send_reduce(const tutti_call *call, struct sending sending)
{
  const tutti_call from_first = {.size = call->size, .count = call->count, .type_size = call->type_size};
  sending.call = &from_first;
  for (int rank = 0; rank + 1 < call->size; rank++)
    send_segments(&sending, rank, parent_of(rank, 0, call->size));
  if (call->root != call->size - 1)
    send(&sending, call->size - 1, call->root, call->count);
}

/* ---- all ---- */

static void send_barrier(const struct sending *sending)
{
  for (int v = 1; v < sending->call->size; v++) {
    send(sending, v, v - (v & -v), 0);
    send(sending, v - (v & -v), v, 0);
  }
}

static void send_gather(const struct sending *sending)
{
  const uint64_t count = sending->call->count, first = sending->segment ? sending->segment : count;
  for (int v = 1; v < sending->call->size; v++) {
    send(sending, 0, v, 0);
    send(sending, v, 0, first);
    send(sending, v, 0, count - first);
  }
}

/* Rounded to whole elements; a message that is no longer is not cut. */
static uint64_t elements_of_segment(const tutti_method *method, const tutti_call *call)
{
  const uint64_t bytes = method->parameters.segment_bytes, type = call->type_size;
  return bytes < type || bytes / type >= call->count ? 0 : bytes / type + (bytes % type > type / 2);
}

bool tutti_openmpi_sends(const tutti_method *method, const tutti_call *call,
                         void (*tell)(void *context, int from, int to, uint64_t elements), void *context)
{
  const tutti_algorithm *algorithm = method->algorithm;
  const int id = algorithm->openmpi_id;
  const struct sending sending = {
      .call = call, .segment = elements_of_segment(method, call), .tell = tell, .context = context};
  const bool bcast = algorithm->collective == TUTTI_COLL_BCAST && (id == 8 || id == 9),
             reduce = algorithm->collective == TUTTI_COLL_REDUCE && id == 6,
             barrier = algorithm->collective == TUTTI_COLL_BARRIER && id == 6,
             gather = algorithm->collective == TUTTI_COLL_GATHER && id == 3;
  if (bcast)
    send_bcast(&sending, id == 9);
  else if (reduce)
    send_reduce(call, sending);
  else if (barrier)
    send_barrier(&sending);
  else if (gather)
    send_gather(&sending);
  return bcast || reduce || barrier || gather;
}
