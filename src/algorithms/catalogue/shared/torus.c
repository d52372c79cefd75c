#include "algorithms/catalogue/shared/torus.h"

#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/bine.h"

struct torus tutti_torus(const tutti_call *call)
{
  struct torus torus = {.size = call->size};
  torus.dimensions = tutti_sides_unpack(call->parameters.k, torus.sides);
  for (int d = 0, stride = 1; d < torus.dimensions; stride *= torus.sides[d++])
    torus.strides[d] = stride;
  return torus;
}

struct torus tutti_ring(const tutti_call *call)
{
  return (struct torus){.dimensions = 1, .sides = {call->size}, .strides = {1}, .size = call->size};
}

int tutti_torus_coordinate(const struct torus *torus, int rank, int dimension)
{
  return rank / torus->strides[dimension] % torus->sides[dimension];
}

int tutti_torus_with(const struct torus *torus, int rank, int dimension, int coordinate)
{
  return rank + (coordinate - tutti_torus_coordinate(torus, rank, dimension)) * torus->strides[dimension];
}

int tutti_torus_shifted(const struct torus *torus, int rank, int dimension, int64_t distance)
{
  const int side = torus->sides[dimension];
  const int64_t sum = (tutti_torus_coordinate(torus, rank, dimension) + distance) % side;
  return tutti_torus_with(torus, rank, dimension, (int)((sum + side) % side));
}

/* ---- Swing ----

   Swing on a torus (De Sensi et al. 2024, arXiv 2401.09356, section 4): the steps of Swing (bine.h) within a dimension,
   the dimensions in turn, so that distances stay short. 2 d copies run at once, each on its share of the message: copy
   2 w begins with dimension w, copy 2 w + 1 does the same mirrored. On a torus with equal sides they use the 2 d links
   of a rank each.

       4 x 4, copy 0:  rounds 0 1 2 3 in dimensions 0 1 0 1;   copy 2: 1 0 1 0

   Sides that are powers of two, so a power of two of ranks; operations that commute. Cost (Hockney), all links at once:
   log2(P) rounds of P - 1 blocks of m / (2 d) for each copy; the allreduce twice that. */

/* Step number s of a copy: its dimension, and how many steps in that one were before. */
struct swing_step {
  int dimension, before;
};

static struct swing_step swing_step(const struct torus *torus, int copy, int s)
{
  int used[TUTTI_MAX_SIDES] = {0}, d = copy / 2;
  for (;; d = (d + 1) % torus->dimensions) {
    if (1 << used[d] == torus->sides[d])
      continue;
    if (s-- == 0)
      return (struct swing_step){d, used[d]};
    used[d]++;
  }
}

static int swing_peer(const struct torus *torus, int copy, int s, int rank)
{
  const struct swing_step step = swing_step(torus, copy, s);
  int side = torus->sides[step.dimension], own = tutti_torus_coordinate(torus, rank, step.dimension);
  int peer = tutti_bine_peer(own, step.before, side);
  if (copy % 2)
    peer = (2 * own - peer + side) % side;
  return tutti_torus_with(torus, rank, step.dimension, peer);
}

/* The blocks that rank gathers before round s of the reduce-scatter, backwards. */
static void add_blocks(const struct torus *torus, int copy, int s, int rounds, int rank, struct positions *blocks)
{
  if (s == rounds) {
    blocks->at[blocks->count++] = rank;
    return;
  }
  add_blocks(torus, copy, s + 1, rounds, rank, blocks);
  add_blocks(torus, copy, s + 1, rounds, swing_peer(torus, copy, s, rank), blocks);
}

/* Rank 0's blocks in the order in which they are added: those of one round are a range at every rank. */
static bool swing_way(tutti_builder *builder, const tutti_call *call, int copy, struct exchange_pattern *pattern,
                      int *positions)
{
  const struct torus torus = tutti_torus(call);
  int rounds = tutti_bine_rounds(call->size);
  struct positions order = {tutti_builder_scratch(builder, (uint64_t)call->size * sizeof(int)), 0};
  if (!order.at || !tutti_exchange_pattern(builder, pattern, rounds, call->size / 2))
    return false;
  for (int s = 0; s < rounds; s++) {
    struct exchange_round *round = &pattern->rounds[rounds - 1 - s];
    round->to = round->from = swing_peer(&torus, copy, s, call->rank);
    add_blocks(&torus, copy, s + 1, rounds, call->rank, &round->sent);
    add_blocks(&torus, copy, s + 1, rounds, round->to, &round->received);
  }
  add_blocks(&torus, copy, 0, rounds, 0, &order);
  for (int i = 0; i < call->size; i++)
    positions[order.at[i]] = i;
  return true;
}

/* ---- bucket ----

   Bucket on a torus: rings in one dimension after the other, 2 d at once (Barnett, Littlefield, Payne, van de Geijn
   1995, "Global combine algorithms for 2-D meshes with wormhole routing"; with all ports of a torus: Sack, Gropp 2015,
   "Collective algorithms for multiported torus networks"). The reduce-scatter of copy 2 w goes round in dimension w,
   then w + 1, ..., passing on blocks by their coordinate there; copy 2 w + 1 goes the other way round. Each has its
   share of the message. Messages go to neighbors only; the 2 d copies use different links as long as sides are equal.

       3 x 4, copy 0, reduce-scatter:  2 rounds of 4 blocks in dimension 0, 3 rounds of 1 block in dimension 1

   The blocks of a round stand apart in the output of an allgather, each with a share for each copy. They are packed, or
   ("bucket-blocks") each is a message: (P - 1) messages a copy in place of the sum of (side - 1), and no copies, as by
   remote writes.

   Any sides; operations that commute. Cost (Hockney), all links at once: the sum of (side - 1) rounds, P - 1 blocks of
   m / (2 d) for each copy; the allreduce twice that. */

/* Blocks with the coordinate of a rank in the dimension, any in those before it on the way back, the rank's ones in the
   others. The dimensions on the way of the reduce-scatter are numbered 0, 1, ...: `place` is that of the dimension. */
static void add_ranks(const struct torus *torus, int copy, int place, int rank, struct positions *blocks)
{
  if (place == torus->dimensions - 1) {
    blocks->at[blocks->count++] = rank;
    return;
  }
  const int next = (copy / 2 + place + 1) % torus->dimensions;
  rank = tutti_torus_with(torus, rank, next, 0);
  for (int y = 0; y < torus->sides[next]; y++, rank += torus->strides[next])
    add_ranks(torus, copy, place + 1, rank, blocks);
}

/* The same with coordinate x there. */
static void add_bucket(const struct torus *torus, int copy, int place, int rank, int x, struct positions *blocks)
{
  add_ranks(torus, copy, place, tutti_torus_with(torus, rank, (copy / 2 + place) % torus->dimensions, x), blocks);
}

static bool bucket_way(tutti_builder *builder, const tutti_call *call, int copy, struct exchange_pattern *pattern,
                       int *positions)
{
  const struct torus torus = tutti_torus(call);
  struct positions order = {tutti_builder_scratch(builder, (uint64_t)call->size * sizeof(int)), 0};
  int rounds = 0, index = 0, way = copy % 2 ? -1 : 1;
  for (int d = 0; d < torus.dimensions; d++)
    rounds += torus.sides[d] - 1;
  int *at = tutti_builder_scratch(builder, 2 * (uint64_t)call->size * sizeof *at); /* of all rounds */
  if (!order.at || !at || !tutti_exchange_pattern(builder, pattern, rounds, 0))
    return false;
  for (int place = torus.dimensions - 1; place >= 0; place--) {
    int d = (copy / 2 + place) % torus.dimensions, side = torus.sides[d];
    int own = tutti_torus_coordinate(&torus, call->rank, d);
    for (int t = 0; t < side - 1; t++) {
      struct exchange_round *round = &pattern->rounds[index++];
      round->to = tutti_torus_shifted(&torus, call->rank, d, way);
      round->from = tutti_torus_shifted(&torus, call->rank, d, -way);
      round->sent.at = at;
      add_bucket(&torus, copy, place, call->rank, ((own - way * t) % side + side) % side, &round->sent);
      round->received.at = at += round->sent.count;
      add_bucket(&torus, copy, place, call->rank, ((own - way * (t + 1)) % side + side) % side, &round->received);
      at += round->received.count;
    }
  }
  for (int x = 0; x < torus.sides[copy / 2]; x++)
    add_bucket(&torus, copy, 0, 0, x, &order);
  for (int i = 0; i < call->size; i++)
    positions[order.at[i]] = i;
  return true;
}

/* ---- collectives ---- */

/* How blocks become messages. */
enum layout {
  ORDERED, /* the blocks of each copy are in its own order */
  PACKED,  /* in that of the ranks, and what is sent in a round is packed */
  IN_PLACE /* in that of the ranks, each a message */
};

static bool plan_copies(tutti_builder *builder, const tutti_call *call, torus_way way, enum layout layout,
                        struct exchange_plan *plan)
{
  const struct torus torus = tutti_torus(call);
  int *positions = tutti_builder_scratch(builder, (uint64_t)call->size * sizeof *positions);
  *plan = (struct exchange_plan){.parts = 2 * torus.dimensions,
                                 .own = call->rank,
                                 .holder = call->rank,
                                 .packed = layout == PACKED,
                                 .in_place = layout == IN_PLACE};
  plan->patterns = tutti_builder_scratch(builder, (uint64_t)plan->parts * sizeof *plan->patterns);
  if (!positions || !plan->patterns)
    return false;
  for (int copy = 0; copy < plan->parts; copy++) {
    if (!way(builder, call, copy, &plan->patterns[copy], positions))
      return false;
    if (layout == ORDERED)
      tutti_exchange_reorder(&plan->patterns[copy], positions);
    else
      tutti_exchange_sort(&plan->patterns[copy]);
  }
  return true;
}

#define BUILD(collective, name, way, layout)                                                                           \
  void tutti_build_##collective##_##name(tutti_builder *builder, const tutti_call *call)                               \
  {                                                                                                                    \
    struct exchange_plan plan;                                                                                         \
    if (plan_copies(builder, call, way, layout, &plan))                                                                \
      tutti_build_##collective##_by_exchange(builder, call, &plan);                                                    \
  }

BUILD(allgather, swing_torus, swing_way, PACKED)
BUILD(reduce_scatter, swing_torus, swing_way, PACKED)
BUILD(allreduce, swing_torus, swing_way, ORDERED)
BUILD(allgather, bucket, bucket_way, PACKED)
BUILD(allgather, bucket_blocks, bucket_way, IN_PLACE)
BUILD(reduce_scatter, bucket, bucket_way, PACKED)
BUILD(allreduce, bucket, bucket_way, ORDERED)
