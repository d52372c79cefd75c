/* All-to-all of irregular blocks by a Bruck exchange of any radix (TuNA: Fan et al. 2025, arXiv 2411.02581; two-phase
   Bruck, HPDC 2022, is radix 2), without rotations. The block that rank s has for s + j travels the distance j digit by
   digit of j in base k, lowest first: for w = 1, k, k^2, ... < P and x = 1 to k - 1 with x w < P rank t sends to t + x
   w one message with all blocks whose digit at w is x, and receives the same from t - x w. Before that, the block of
   distance j at t is from t - (j mod w).

       P = 6, k = 2:  w = 1: j = 1 3 5;   w = 2: j = 2 3;   w = 4: j = 4 5

   All messages of a w run together; the next w begins when they are complete. Proof: before w a rank holds exactly
   one block of every distance, that of the source above, since a block that leaves at x w is replaced by the one from
   t - x w, whose source is that much farther. After the last w the source is t - j, so the block is at its target.

   A block whose distance has one digit other than 0 goes from the input to the output; all others need a place on the
   way. Their sizes on the way are those of other ranks: in MPI a message with the sizes goes before each (two phases);
   here the call has the counts of all ranks (call->matrix), and without them its substitute runs.
   Any number of ranks, any radix from 2 on. Temporaries: places of the largest block of each such distance, and the
   packed messages of a round.
   Cost (Hockney), blocks of m bytes: sum over w of min(k - 1, ceil(P / w) - 1) messages, in ceil(log_k P) rounds; each
   distance's block as often as it has digits other than 0: for k = 2 about P / 2 log2(P) m in all, for k = P, where it
   is the linear exchange, (P - 1) m. */
#include "algorithms/catalogue/builders.h"

struct tuna {
  tutti_builder *builder;
  const tutti_call *call;
  int64_t k;
  uint64_t *place;                 /* [size] where the block of a distance is kept on its way */
  tutti_buffer kept;               /* those places */
  tutti_buffer outgoing, incoming; /* packed messages of a round */
  uint64_t sent, received;         /* elements of them so far */
  tutti_vertex_id ready;           /* the round before is complete */
};

static int rank_at(const struct tuna *t, int64_t distance)
{
  return (int)((t->call->rank + distance + t->call->size) % t->call->size);
}

/* Elements of the block of a distance whose source is `behind` ranks before the own one. */
static uint64_t elements_of(const struct tuna *t, int64_t distance, int64_t behind)
{
  uint64_t source = (uint64_t)rank_at(t, -behind), size = (uint64_t)t->call->size;
  return t->call->matrix ? t->call->matrix[source * size + (source + (uint64_t)distance) % size] : t->call->count;
}

static int64_t digit_of(const struct tuna *t, int64_t distance, int64_t weight)
{
  return distance / weight % t->k;
}

/* Whether the only nonzero digit of the distance is that at `weight`. */
static bool is_direct(const struct tuna *t, int64_t distance)
{
  while (distance % t->k == 0)
    distance /= t->k;
  return distance < t->k;
}

/* The place of the block of the distance before the round of `weight`, and after. */
static tutti_block before_round(const struct tuna *t, int64_t distance, int64_t weight)
{
  if (distance % weight == 0)
    return tutti_input_block(t->call, rank_at(t, distance));
  return tutti_block_of(t->kept, t->place[distance], elements_of(t, distance, distance % weight));
}

static tutti_block after_round(const struct tuna *t, int64_t distance, int64_t weight)
{
  if (distance / weight < t->k)
    return tutti_output_block(t->call, rank_at(t, -distance));
  return tutti_block_of(t->kept, t->place[distance], elements_of(t, distance, distance % (weight * t->k)));
}

/* `vertex`, just added, waits for all vertices from `first` on, and those for the prerequisites of the round. */
static void after_all(struct tuna *t, tutti_vertex_id vertex, tutti_vertex_id first)
{
  for (tutti_vertex_id v = first; v < vertex; v++)
    tutti_add_after(t->builder, vertex, v);
}

/* Pack the blocks that travel x weight ranks, and send them. */
static void send_blocks(struct tuna *t, int64_t x, int64_t weight)
{
  uint64_t begin = t->sent;
  tutti_vertex_id first = tutti_builder_next(t->builder);
  for (int64_t j = x * weight; j < t->call->size; j++) {
    tutti_block block = digit_of(t, j, weight) == x ? before_round(t, j, weight) : tutti_no_data();
    if (block.count > 0)
      tutti_add_after(t->builder, tutti_add_copy(t->builder, block, tutti_block_of(t->outgoing, t->sent, block.count)),
                      t->ready);
    t->sent += block.count;
  }
  if (t->sent > begin)
    after_all(t,
              tutti_add_send(t->builder, rank_at(t, x * weight), tutti_block_of(t->outgoing, begin, t->sent - begin)),
              first);
}

static void receive_blocks(struct tuna *t, int64_t x, int64_t weight, uint64_t count)
{
  if (count > 0)
    tutti_add_after(
        t->builder,
        tutti_add_recv(t->builder, rank_at(t, -x * weight), tutti_block_of(t->incoming, t->received, count)), t->ready);
  t->received += count;
}

/* Elements that arrive over x weight ranks. */
static uint64_t arriving(const struct tuna *t, int64_t x, int64_t weight)
{
  uint64_t count = 0;
  for (int64_t j = x * weight; j < t->call->size; j++)
    if (digit_of(t, j, weight) == x)
      count += elements_of(t, j, j % (weight * t->k));
  return count;
}

/* Unpack the arrivals, in the order in which they were packed, to their places, when the previous content has been
   packed and sent. */
static void unpack(struct tuna *t, int64_t weight, tutti_vertex_id complete)
{
  uint64_t at = 0;
  for (int64_t x = 1; x < t->k && x * weight < t->call->size; x++)
    for (int64_t j = x * weight; j < t->call->size; j++) {
      tutti_block block = digit_of(t, j, weight) == x ? after_round(t, j, weight) : tutti_no_data();
      if (block.count > 0)
        tutti_add_after(t->builder, tutti_add_copy(t->builder, tutti_block_of(t->incoming, at, block.count), block),
                        complete);
      at += block.count;
    }
}

static tutti_vertex_id join(struct tuna *t, tutti_vertex_id first)
{
  tutti_vertex_id joined = tutti_add_join(t->builder);
  after_all(t, joined, first);
  return joined;
}

static void add_round(struct tuna *t, int64_t weight)
{
  t->sent = t->received = 0;
  tutti_vertex_id first = tutti_builder_next(t->builder);
  for (int64_t x = 1; x < t->k && x * weight < t->call->size; x++) {
    send_blocks(t, x, weight);
    receive_blocks(t, x, weight, arriving(t, x, weight));
  }
  tutti_vertex_id complete = join(t, first);
  tutti_add_after(t->builder, complete, t->ready);
  unpack(t, weight, complete);
  t->ready = join(t, complete);
}

/* Elements that leave, or arrive, in the largest round. */
static uint64_t most_in_a_round(const struct tuna *t, bool arrives)
{
  uint64_t most = 0;
  for (int64_t weight = 1; weight < t->call->size; weight *= t->k) {
    uint64_t count = 0;
    for (int64_t j = weight; j < t->call->size; j++)
      if (digit_of(t, j, weight) > 0)
        count += elements_of(t, j, j % (arrives ? weight * t->k : weight));
    most = count > most ? count : most;
  }
  return most;
}

/* A place for each distance with more than one digit, as large as the largest block that is there between rounds. */
static uint64_t lay_out(struct tuna *t)
{
  uint64_t end = 0;
  for (int64_t j = 1; j < t->call->size; j++) {
    uint64_t largest = 0;
    for (int64_t weight = t->k; weight <= j && !is_direct(t, j); weight *= t->k) {
      uint64_t count = elements_of(t, j, j % weight);
      largest = j % weight && count > largest ? count : largest;
    }
    t->place[j] = end;
    end += largest;
  }
  return end;
}

void tutti_build_alltoall_tuna(tutti_builder *builder, const tutti_call *call)
{
  struct tuna t = {.builder = builder, .call = call, .k = call->parameters.k, .ready = TUTTI_NO_VERTEX};
  tutti_block own = tutti_input_block(call, call->rank);
  t.place = tutti_builder_scratch(builder, (uint64_t)call->size * sizeof *t.place);
  if (!t.place)
    return;
  if (own.count > 0)
    tutti_add_copy(builder, own, tutti_output_block(call, call->rank));
  t.kept = tutti_builder_temporary(builder, lay_out(&t));
  t.outgoing = tutti_builder_temporary(builder, most_in_a_round(&t, false));
  t.incoming = tutti_builder_temporary(builder, most_in_a_round(&t, true));
  for (int64_t weight = 1; weight < call->size; weight *= t.k)
    add_round(&t, weight);
}
