#include "algorithms/reduce_scatter/halving.h"

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

struct fold tutti_fold(const tutti_call *call)
{
  int power = 1;
  while (power <= call->size / 2)
    power *= 2;
  int folded = call->size - power;
  int v = call->rank / 2 < folded ? call->rank / 2 : call->rank - folded;
  return (struct fold){call, power, folded, v};
}

int tutti_fold_first(const struct fold *fold, int v)
{
  return v < fold->folded ? 2 * v : v + fold->folded;
}

int tutti_fold_actor(const struct fold *fold, int v)
{
  int first = tutti_fold_first(fold, v), root = fold->call->root;
  return v < fold->folded && root == first + 1 ? root : first;
}

void tutti_fold_in(tutti_builder *builder, const struct fold *fold, struct partial *partial, struct range all)
{
  int rank = fold->call->rank, neighbor = rank ^ 1;
  if (fold->v >= fold->folded)
    return;
  struct exchange x = {.peer = neighbor, .above = neighbor > rank};
  *(tutti_fold_acts(fold) ? x.keep : x.give) = all;
  tutti_partial_exchange(builder, partial, &x);
}

uint64_t tutti_cut_by_rank(const struct fold *fold, int position)
{
  const tutti_call *call = fold->call;
  if (position < fold->power)
    return tutti_input_block(call, tutti_fold_first(fold, position)).first;
  tutti_block last = tutti_input_block(call, call->size - 1);
  return last.first + last.count;
}

struct halving tutti_halve(tutti_builder *builder, const struct fold *fold, struct partial *partial, cut_function cut,
                           bool nearest_first, const struct place *into)
{
  struct halving halving = {.steps = 0};
  for (int half = fold->power / 2; half >= 1; half /= 2) {
    int bit = nearest_first ? fold->power / 2 / half : half;
    bool upper = fold->v & bit;
    struct range lower_half = tutti_cut_range(fold, cut, halving.position, half);
    struct range upper_half = tutti_cut_range(fold, cut, halving.position + half, half);
    struct exchange x = {.peer = tutti_fold_actor(fold, fold->v ^ bit),
                         .above = !upper,
                         .give = {upper ? lower_half : upper_half},
                         .keep = {upper ? upper_half : lower_half},
                         .into = half == 1 ? into : NULL};
    tutti_partial_exchange(builder, partial, &x);
    halving.given[halving.steps++] = x.give[0];
    halving.position += upper ? half : 0;
  }
  return halving;
}

int tutti_mirror(const struct fold *fold, int v)
{
  int mirrored = 0;
  for (int bit = 1; bit < fold->power; bit *= 2)
    mirrored = 2 * mirrored + (v & bit ? 1 : 0);
  return mirrored;
}

/* The block of `rank` from the partial result to where it belongs. */
static void deliver(tutti_builder *builder, const struct fold *fold, const struct partial *partial, int rank)
{
  tutti_block block = tutti_input_block(fold->call, rank);
  tutti_block mine = tutti_range_at(partial->mine, (struct range){block.first, block.first + block.count});
  bool own = rank == fold->call->rank;
  if (block.count == 0 || (own && partial->mine.buffer == TUTTI_OUTPUT))
    return;
  tutti_vertex_id delivered = own ? tutti_add_copy(builder, mine, tutti_block_of(TUTTI_OUTPUT, 0, block.count))
                                  : tutti_add_send(builder, rank, mine);
  tutti_after_ends(builder, delivered, &partial->before);
}

void tutti_hand_out(tutti_builder *builder, const struct fold *fold, const struct partial *partial, int held,
                    int holder)
{
  const tutti_call *call = fold->call;
  int from = tutti_fold_actor(fold, holder), first = tutti_fold_first(fold, held);
  if (from != call->rank && call->count > 0)
    tutti_add_recv(builder, from, tutti_block_of(TUTTI_OUTPUT, 0, call->count));
  if (!tutti_fold_acts(fold))
    return;
  deliver(builder, fold, partial, first);
  if (held < fold->folded)
    deliver(builder, fold, partial, first + 1);
}
