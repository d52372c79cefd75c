#include "algorithms/reduce_scatter/halving.h"

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
