#include "algorithms/reduce_scatter/partial.h"

void tutti_ends_add(struct ends *ends, tutti_vertex_id vertex)
{
  if (vertex != TUTTI_NO_VERTEX)
    ends->vertex[ends->count++] = vertex;
}

void tutti_after_ends(tutti_builder *builder, tutti_vertex_id vertex, const struct ends *ends)
{
  for (int i = 0; i < ends->count; i++)
    tutti_add_after(builder, vertex, ends->vertex[i]);
}

struct partial tutti_partial(const tutti_call *call, struct range span)
{
  return (struct partial){.commutative = call->commutative, .span = span, .mine.buffer = TUTTI_INPUT};
}

/* The smallest range that contains both. */
struct range tutti_range_cover(struct range a, struct range b)
{
  if (tutti_range_empty(a))
    return b;
  if (tutti_range_empty(b))
    return a;
  return (struct range){a.first < b.first ? a.first : b.first, a.end > b.end ? a.end : b.end};
}

struct place tutti_partial_spare(tutti_builder *builder, struct partial *partial, struct range needed)
{
  struct place *first = &partial->other[0];
  bool taken = first->buffer != TUTTI_INPUT && partial->mine.buffer == first->buffer;
  struct place *spare = &partial->other[taken];
  if (spare->buffer == TUTTI_INPUT) {
    struct range range = tutti_range_cover(partial->span, needed);
    *spare = (struct place){tutti_builder_temporary(builder, range.end - range.first), range.first};
  }
  return *spare;
}

/* The own contribution cannot be the target of a reduction: copy what is kept of it. */
static void copy_kept(tutti_builder *builder, struct partial *partial, const struct exchange *x, struct ends *copied)
{
  struct place copy = tutti_partial_spare(builder, partial, tutti_range_cover(x->keep[0], x->keep[1]));
  for (int i = 0; i < 2; i++)
    if (!tutti_range_empty(x->keep[i]))
      tutti_ends_add(
          copied, tutti_add_copy(builder, tutti_range_at(partial->mine, x->keep[i]), tutti_range_at(copy, x->keep[i])));
  partial->mine = copy;
}

static void give(tutti_builder *builder, const struct partial *partial, const struct exchange *x, struct ends *sent)
{
  for (int i = 0; i < 2; i++) {
    if (tutti_range_empty(x->give[i]))
      continue;
    tutti_vertex_id send = tutti_add_send(builder, x->peer, tutti_range_at(partial->mine, x->give[i]));
    tutti_after_ends(builder, send, &partial->before);
    tutti_ends_add(sent, send);
  }
}

/* Receive what the peer has of the ranges to keep, and combine: source op target into the target. */
static void take(tutti_builder *builder, const struct partial *partial, const struct exchange *x, struct place received,
                 bool moves, const struct ends *ready, struct ends *done)
{
  struct place source = moves ? partial->mine : received, target = moves ? received : partial->mine;
  for (int i = 0; i < 2; i++) {
    if (tutti_range_empty(x->keep[i]))
      continue;
    tutti_vertex_id receive = tutti_add_recv(builder, x->peer, tutti_range_at(received, x->keep[i]));
    tutti_after_ends(builder, receive, &partial->before);
    tutti_vertex_id reduced =
        tutti_add_reduce(builder, tutti_range_at(source, x->keep[i]), tutti_range_at(target, x->keep[i]));
    tutti_add_after(builder, reduced, receive);
    tutti_after_ends(builder, reduced, ready);
    tutti_ends_add(done, reduced);
  }
}

/* The partial result moves to where the peer's was received, if the own one may be the left operand; it must not change
   in place while it is sent. */
void tutti_partial_exchange(tutti_builder *builder, struct partial *partial, const struct exchange *x)
{
  bool moves = partial->commutative || x->above;
  struct range kept = tutti_range_cover(x->keep[0], x->keep[1]);
  struct ends sent = {.count = 0}, nothing = {.count = 0};
  give(builder, partial, x, &sent);
  struct ends done = sent;
  if (!tutti_range_empty(kept)) {
    if (!moves && partial->mine.buffer == TUTTI_INPUT)
      copy_kept(builder, partial, x, &sent);
    struct place received = x->into ? *x->into : tutti_partial_spare(builder, partial, kept);
    take(builder, partial, x, received, moves, moves ? &nothing : &sent, &done);
    if (moves)
      partial->mine = received;
  }
  if (done.count > 0)
    partial->before = done;
}
