/* Census: allreduce in ceil(log2 P) rounds for any number of ranks (Bar-Noy, Kipnis, Schieber 1993, "Computing global
   combine operations in the multiport postal model"); the latency end of generalized allreduce (Kolmakov, Zhang 2020,
   arXiv 2004.09362).

   A rank has T, the result of the w ranks before it. For each bit of P - 1 after the first it sends T to the rank w
   above, or, if the bit is 1, T and its own contribution to the one w + 1 above, and adds what it receives to T: w
   becomes 2 w, or 2 w + 1. In the end w = P - 1, and the own contribution is added.

       P = 6, P - 1 = 101b:   x to r + 1, w = 1;   bit 0: T to r + 1, w = 2;   bit 1: T x to r + 3, w = 5

   Operations that commute; operands come in another order on each rank, so rounding may differ between ranks. Memory:
   two messages. Cost (Hockney): ceil(log2 P) (alpha + (beta + gamma) m), one gamma m more for each bit that is 1. */
#include "algorithms/catalogue/builders.h"

struct census {
  tutti_builder *builder;
  const tutti_call *call;
  tutti_buffer sum, next, with_own; /* T; where the next one is received; T and the own contribution */
  tutti_vertex_id ready;            /* completes T */
  tutti_vertex_id next_free, with_own_free;
};

static tutti_block message(const struct census *c, tutti_buffer buffer)
{
  return tutti_block_of(buffer, 0, c->call->count);
}

static tutti_block add_own(struct census *c, tutti_vertex_id *ready)
{
  tutti_block target = message(c, c->with_own);
  tutti_vertex_id copied = tutti_add_copy(c->builder, message(c, TUTTI_INPUT), target);
  tutti_add_after(c->builder, copied, c->with_own_free);
  *ready = tutti_add_reduce(c->builder, message(c, c->sum), target);
  tutti_add_after(c->builder, *ready, copied);
  tutti_add_after(c->builder, *ready, c->ready);
  return target;
}

/* The new T is where it was received; the old one is free when it has been sent and read. */
static void add_round(struct census *c, int distance, bool own)
{
  int size = c->call->size, to = (int)(((int64_t)c->call->rank + distance) % size);
  int from = c->call->rank >= distance ? c->call->rank - distance : c->call->rank + (size - distance);
  tutti_vertex_id ready = c->ready;
  tutti_block sent = own ? add_own(c, &ready) : message(c, c->sum);
  tutti_vertex_id send = tutti_add_send(c->builder, to, sent);
  tutti_add_after(c->builder, send, ready);
  tutti_vertex_id received = tutti_add_recv(c->builder, from, message(c, c->next));
  tutti_add_after(c->builder, received, c->next_free);
  tutti_vertex_id reduced = tutti_add_reduce(c->builder, message(c, c->sum), message(c, c->next));
  tutti_add_after(c->builder, reduced, received);
  tutti_add_after(c->builder, reduced, c->ready);
  c->next_free = tutti_add_join(c->builder);
  tutti_add_after(c->builder, c->next_free, reduced);
  tutti_add_after(c->builder, c->next_free, own ? ready : send);
  c->with_own_free = own ? send : c->with_own_free;
  c->ready = reduced;
  tutti_buffer old = c->sum;
  c->sum = c->next;
  c->next = old;
}

static void build(struct census *c, int last)
{
  const tutti_call *call = c->call;
  int bits = 0, w = 1, size = call->size;
  while (last >> bits > 1)
    bits++;
  tutti_buffer other = bits > 0 ? tutti_builder_temporary(c->builder, call->count) : TUTTI_OUTPUT;
  c->with_own = (last & (last - 1)) != 0 ? tutti_builder_temporary(c->builder, call->count) : TUTTI_OUTPUT;
  c->sum = bits % 2 ? other : TUTTI_OUTPUT;
  c->next = bits % 2 ? TUTTI_OUTPUT : other;
  tutti_add_send(c->builder, (call->rank + 1) % size, message(c, TUTTI_INPUT));
  c->ready = tutti_add_recv(c->builder, (call->rank + size - 1) % size, message(c, c->sum));
  while (bits-- > 0) {
    bool own = last >> bits & 1;
    add_round(c, w + own, own);
    w = 2 * w + own;
  }
  tutti_vertex_id result = tutti_add_reduce(c->builder, message(c, TUTTI_INPUT), message(c, TUTTI_OUTPUT));
  tutti_add_after(c->builder, result, c->ready);
}

void tutti_build_allreduce_census(tutti_builder *builder, const tutti_call *call)
{
  struct census census = {.builder = builder,
                          .call = call,
                          .ready = TUTTI_NO_VERTEX,
                          .next_free = TUTTI_NO_VERTEX,
                          .with_own_free = TUTTI_NO_VERTEX};
  if (call->count == 0)
    return;
  if (call->size == 1)
    tutti_add_copy(builder, message(&census, TUTTI_INPUT), message(&census, TUTTI_OUTPUT));
  else
    build(&census, call->size - 1);
}
