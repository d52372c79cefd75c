#include "algorithms/catalogue/allreduce/exchange.h"

#include "algorithms/catalogue/builders.h"

/* ---- folding ---- */

struct fold tutti_fold_neighbors(const tutti_call *call)
{
  struct fold fold = {.power = tutti_power_up_to(call->size), .partner = -1};
  fold.pairs = call->size - fold.power;
  fold.place = call->rank - fold.pairs;
  if (call->rank / 2 < fold.pairs) {
    fold.place = call->rank / 2;
    fold.partner = call->rank ^ 1;
    fold.folded = call->rank % 2 == 1;
  }
  return fold;
}

int tutti_higher_places(const struct fold *fold)
{
  int higher = 0;
  for (int width = 1; width < fold->power; width *= 2)
    higher += !(fold->place & width);
  return higher;
}

/* ---- exchanging ---- */

struct partial tutti_exchange_begin(tutti_builder *builder, int higher, tutti_block room)
{
  room.buffer = TUTTI_INPUT;
  return (struct partial){.builder = builder,
                          .initial = true,
                          .spare = (higher + 1) % 2,
                          .temporary = room,
                          .ready = TUTTI_NO_VERTEX,
                          .sent = TUTTI_NO_VERTEX};
}

/* Elements in the output or the temporary, which is made when it is first needed. */
static tutti_block in_place(struct partial *partial, int place, tutti_block block)
{
  tutti_block *temporary = &partial->temporary;
  if (place == 0)
    return tutti_block_of(TUTTI_OUTPUT, block.first, block.count);
  if (temporary->buffer == TUTTI_INPUT)
    temporary->buffer = tutti_builder_temporary(partial->builder, temporary->count);
  return tutti_block_of(temporary->buffer, block.first - temporary->first, block.count);
}

tutti_block tutti_exchanged_block(struct partial *partial, tutti_block block)
{
  if (partial->initial)
    return tutti_block_of(TUTTI_INPUT, block.first, block.count);
  return in_place(partial, !partial->spare, block);
}

/* The received block is the right operand: the result replaces it, and the place of the own one becomes free. */
static void combine_with_higher(struct partial *partial, tutti_block kept, tutti_vertex_id received)
{
  partial->ready =
      tutti_add_reduce(partial->builder, tutti_exchanged_block(partial, kept), in_place(partial, partial->spare, kept));
  tutti_add_after(partial->builder, partial->ready, received);
}

/* The own operand is the right one and is replaced once it has been sent; the input must be copied for that. */
static void combine_with_lower(struct partial *partial, tutti_block kept, tutti_vertex_id received)
{
  tutti_vertex_id copied = TUTTI_NO_VERTEX;
  tutti_block target = in_place(partial, !partial->spare, kept);
  if (partial->initial)
    copied = tutti_add_copy(partial->builder, tutti_exchanged_block(partial, kept), target);
  partial->ready = tutti_add_reduce(partial->builder, in_place(partial, partial->spare, kept), target);
  tutti_add_after(partial->builder, partial->ready, copied);
  tutti_add_after(partial->builder, partial->ready, received);
  tutti_add_after(partial->builder, partial->ready, partial->sent);
}

static bool overlap(tutti_block a, tutti_block b)
{
  return a.first < b.first + b.count && b.first < a.first + a.count;
}

tutti_vertex_id tutti_exchange(struct partial *partial, int peer, bool higher, tutti_block given, tutti_block kept)
{
  tutti_builder *builder = partial->builder;
  tutti_vertex_id received = TUTTI_NO_VERTEX, sent = TUTTI_NO_VERTEX;
  if (kept.count > 0) {
    received = tutti_add_recv(builder, peer, in_place(partial, partial->spare, kept));
    tutti_add_after(builder, received, partial->ready);
    tutti_add_after(builder, received, partial->sent);
  }
  if (given.count > 0) {
    sent = tutti_add_send(builder, peer, tutti_exchanged_block(partial, given));
    tutti_add_after(builder, sent, partial->ready);
  }
  partial->sent = partial->initial || !overlap(given, kept) ? TUTTI_NO_VERTEX : sent;
  if (kept.count > 0 && higher)
    combine_with_higher(partial, kept, received);
  else if (kept.count > 0)
    combine_with_lower(partial, kept, received);
  partial->initial = false;
  partial->spare ^= higher;
  return sent;
}
