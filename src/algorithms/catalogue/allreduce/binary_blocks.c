/* Rabenseifner's algorithm by binary blocks (Rabenseifner, Traff: More efficient reduction algorithms for
   non-power-of-two number of processors in message-passing parallel systems, EuroPVM/MPI 2004): the number of ranks is
   written as falling powers of two, and consecutive ranks form blocks of that many. Each block reduces and scatters the
   message by recursive halving, farthest rank first, so that place j has segment j of 2^e equal ones. From the smallest
   block to the largest each then sends its segments, cut further, to the ranks of the next larger one that have them.
   The largest block has the result.

       P = 7:  (0 1 2 3) (4 5) (6)     6 -> 4 ab, 5 cd;     4 -> 0 a, 1 b    5 -> 2 c, 3 d

   For an allreduce the same messages go back, and every block gathers by recursive doubling; for a reduction, whose
   root is the first rank of the largest block, that block gathers to it. Commutative operations only; each segment is
   finished by one rank, so all get the same bits. Any number of ranks. Temporary: half the message, and the message at
   ranks other than the root of a reduction. Cost (Hockney) as Rabenseifner's for a power of two: 2 log2(P) alpha + (P -
   1) / P (2 beta + gamma) m, to the root half of the steps have m / 2 to m / P, too. Else 2 alpha and at most 2 beta m
   more for each block next to that of a rank, where a rank of a small block sends 2^(difference of the exponents)
   messages to the next. No rank is folded. */
#include "algorithms/catalogue/builders.h"

enum { MAX_STEPS = 31 };

struct blocks {
  tutti_builder *builder;
  const tutti_call *call;
  int root, v;              /* the own rank relative to the root */
  int largest;              /* exponents: of the largest block */
  int larger, own, smaller; /* blocks around the own one, or -1 */
  int start;                /* of the own block */
  int place;                /* in it */
  tutti_buffer partial, incoming;
  bool initial;          /* nothing is combined yet: the partial result is the input */
  tutti_vertex_id ready; /* the partial result is complete */
  tutti_vertex_id given[MAX_STEPS];
  tutti_vertex_id handed; /* the parts for the larger block have been sent */
};

static void find_block(struct blocks *b)
{
  int size = b->call->size;
  b->larger = b->own = b->smaller = -1;
  for (int e = 30, start = 0; e >= 0; e--) {
    if (!(size >> e & 1))
      continue;
    if (start == 0)
      b->largest = e;
    if (b->v >= start + (1 << e))
      b->larger = e;
    else if (b->v >= start) {
      b->own = e;
      b->start = start;
    } else if (b->smaller < 0)
      b->smaller = e;
    start += 1 << e;
  }
  b->place = b->v - b->start;
}

static int rank_of(const struct blocks *b, int v)
{
  return (int)(((int64_t)v + b->root) % b->call->size);
}

/* Segments first to end - 1 of 2^e equal ones. */
static tutti_block range(const struct blocks *b, tutti_buffer buffer, int e, int first, int end)
{
  uint64_t most = UINT64_C(1) << b->largest, length = b->call->count / most, longer = b->call->count % most;
  uint64_t cut[2] = {(uint64_t)first << (b->largest - e), (uint64_t)end << (b->largest - e)};
  for (int i = 0; i < 2; i++)
    cut[i] = cut[i] * length + (cut[i] < longer ? cut[i] : longer);
  return tutti_block_of(buffer, cut[0], cut[1] - cut[0]);
}

static tutti_block held(const struct blocks *b, int e, int first, int end)
{
  return range(b, b->initial ? TUTTI_INPUT : b->partial, e, first, end);
}

static tutti_vertex_id send(struct blocks *b, int v, tutti_block block)
{
  if (block.count == 0)
    return TUTTI_NO_VERTEX;
  tutti_vertex_id sent = tutti_add_send(b->builder, rank_of(b, v), block);
  tutti_add_after(b->builder, sent, b->ready);
  return sent;
}

/* Receive an operand for the segments and combine it: with the input, or with the partial result. */
static void combine(struct blocks *b, int v, int e, int first, int end)
{
  tutti_block kept = range(b, b->partial, e, first, end), operand = kept, own = held(b, e, first, end);
  if (!b->initial)
    operand = tutti_block_of(b->incoming, 0, kept.count);
  b->initial = false;
  if (kept.count == 0)
    return;
  tutti_vertex_id received = tutti_add_recv(b->builder, rank_of(b, v), operand);
  tutti_add_after(b->builder, received, b->ready); /* which used the place before */
  tutti_vertex_id reduced =
      own.buffer == TUTTI_INPUT ? tutti_add_reduce(b->builder, own, kept) : tutti_add_reduce(b->builder, operand, kept);
  tutti_add_after(b->builder, reduced, received);
  tutti_add_after(b->builder, reduced, b->ready);
  b->ready = reduced;
}

static void halve(struct blocks *b)
{
  for (int step = 0, first = 0; step < b->own; step++) {
    int half = 1 << (b->own - 1 - step), upper = b->place & half ? half : 0, other = half - upper;
    b->given[step] = send(b, b->start + (b->place ^ half), held(b, b->own, first + other, first + other + half));
    combine(b, b->start + (b->place ^ half), b->own, first + upper, first + upper + half);
    first += upper;
  }
}

/* From the next smaller block to this one, and from this one to the next larger. */
static void hand_up(struct blocks *b)
{
  if (b->smaller >= 0)
    combine(b, b->start + (1 << b->own) + (b->place >> (b->own - b->smaller)), b->own, b->place, b->place + 1);
  if (b->larger < 0)
    return;
  int pieces = 1 << (b->larger - b->own), first = b->place * pieces;
  tutti_vertex_id begin = tutti_builder_next(b->builder);
  for (int z = first; z < first + pieces; z++)
    send(b, b->start - (1 << b->larger) + z, held(b, b->larger, z, z + 1));
  b->handed = tutti_add_join(b->builder);
  for (tutti_vertex_id v = begin; v < b->handed; v++)
    tutti_add_after(b->builder, b->handed, v);
}

/* The results the same way back, into the output. */
static void hand_down(struct blocks *b)
{
  if (b->larger >= 0) {
    int pieces = 1 << (b->larger - b->own), first = b->place * pieces;
    tutti_vertex_id begin = tutti_builder_next(b->builder);
    for (int z = first; z < first + pieces; z++) {
      tutti_block piece = range(b, TUTTI_OUTPUT, b->larger, z, z + 1);
      if (piece.count > 0)
        tutti_add_after(b->builder, tutti_add_recv(b->builder, rank_of(b, b->start - (1 << b->larger) + z), piece),
                        b->handed);
    }
    b->ready = tutti_add_join(b->builder);
    for (tutti_vertex_id v = begin; v < b->ready; v++)
      tutti_add_after(b->builder, b->ready, v);
  }
  if (b->smaller >= 0)
    send(b, b->start + (1 << b->own) + (b->place >> (b->own - b->smaller)),
         range(b, TUTTI_OUTPUT, b->own, b->place, b->place + 1));
}

/* Receive segments, which may have been given away from the same place in that step. */
static void receive(struct blocks *b, int step, int v, tutti_block block)
{
  if (block.count == 0)
    return;
  tutti_vertex_id before = b->ready, received = tutti_add_recv(b->builder, rank_of(b, v), block);
  tutti_add_after(b->builder, received, b->given[step]);
  b->ready = tutti_add_join(b->builder);
  tutti_add_after(b->builder, b->ready, received);
  tutti_add_after(b->builder, b->ready, before);
}

/* The steps of the halving backwards, by all ranks of the block, or to its first place. */
static void gather(struct blocks *b, bool to_all)
{
  for (int step = b->own; step-- > 0;) {
    int half = 1 << (b->own - 1 - step), first = b->place / half * half, other = first ^ half;
    int peer = b->start + (b->place ^ half);
    if (to_all || b->place & half)
      send(b, peer, range(b, b->partial, b->own, first, first + half));
    if (!to_all && b->place & half)
      return;
    receive(b, step, peer, range(b, b->partial, b->own, other, other + half));
  }
}

static struct blocks init_blocks(tutti_builder *builder, const tutti_call *call, int root, tutti_buffer partial)
{
  struct blocks b = {.builder = builder, .call = call, .root = root, .partial = partial, .initial = true};
  b.v = (int)(((int64_t)call->rank - root + call->size) % call->size);
  b.ready = b.handed = TUTTI_NO_VERTEX;
  find_block(&b);
  if (b.own > 0)
    b.incoming = tutti_builder_temporary(builder, range(&b, TUTTI_INPUT, 1, 0, 1).count);
  return b;
}

void tutti_build_allreduce_binary_blocks(tutti_builder *builder, const tutti_call *call)
{
  if (tutti_build_trivial(builder, call))
    return;
  struct blocks b = init_blocks(builder, call, 0, TUTTI_OUTPUT);
  halve(&b);
  hand_up(&b);
  hand_down(&b);
  gather(&b, true);
}

void tutti_build_reduce_binary_blocks(tutti_builder *builder, const tutti_call *call)
{
  if (tutti_build_trivial(builder, call))
    return;
  tutti_buffer partial = call->rank == call->root ? TUTTI_OUTPUT : tutti_builder_temporary(builder, call->count);
  struct blocks b = init_blocks(builder, call, call->root, partial);
  halve(&b);
  hand_up(&b);
  if (b.larger < 0)
    gather(&b, false);
}
