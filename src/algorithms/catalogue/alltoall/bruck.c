/* Bruck all-to-all, the index algorithm (Bruck, Ho, Kipnis, Upfal, Weathersby 1997; Pjesivac-Grbovic 2007, section
   4.1.2), for any radix.

   The block of rank s for rank s + i must travel the distance i. It does so digit by digit of i in base
   `radix`: in round x all blocks whose digit x is z travel z radix^x ranks, together in one message; a round has a
   message for each z that occurs, radix - 1 at most.

       P = 6, radix 2:  round 0, distance 1: blocks 1 3 5
                        round 1, distance 2: blocks 2 3
                        round 2, distance 4: blocks 4 5

   On its way a block with distance i is in the place of output block r - i of its current rank r, which is its final
   place at the end: no rotation before or after is needed, and blocks with successive distances are contiguous. A
   message is packed from there (or from the input, before the first hop) and unpacked to there. A block of the same
   distance that arrives takes the place of one that leaves.

   Regular blocks only. Any number of ranks. Temporaries: two, together about 2 (radix - 1) / radix P blocks.
   Cost (Hockney), radix 2, blocks of m bytes: ceil(log2 P) (alpha + (beta + 2 delta) P / 2 m), delta being the time to
   copy a byte; in general ceil(log_radix P) rounds of at most radix - 1 messages of at most about P / radix blocks. */
#include "algorithms/catalogue/builders.h"

struct bruck {
  tutti_builder *builder;
  const tutti_call *call;
  tutti_buffer outgoing, incoming; /* packed messages of a round */
  uint64_t packed;                 /* blocks in the messages of the round so far */
  tutti_vertex_id ready;           /* the round before is complete */
};

/* Distances first to end - 1 of blocks that are contiguous in a message. */
struct run {
  int64_t first, end;
};

static tutti_block blocks(const struct bruck *b, tutti_buffer buffer, uint64_t first, uint64_t count)
{
  return tutti_block_of(buffer, first * b->call->count, count * b->call->count);
}

/* The rank, or place in the output, `distance` before the own one. */
static uint64_t before(const struct bruck *b, int64_t distance)
{
  return (uint64_t)((b->call->rank - distance + b->call->size) % b->call->size);
}

/* All vertices from `first` on wait for `prerequisite`. */
static void all_after(struct bruck *b, tutti_vertex_id first, tutti_vertex_id prerequisite)
{
  for (tutti_vertex_id v = first; v < tutti_builder_next(b->builder); v++)
    tutti_add_after(b->builder, v, prerequisite);
}

/* `vertex`, just added, waits for all vertices from `first` on. */
static void after_all(struct bruck *b, tutti_vertex_id vertex, tutti_vertex_id first)
{
  for (tutti_vertex_id v = first; v + 1 < tutti_builder_next(b->builder); v++)
    tutti_add_after(b->builder, vertex, v);
}

/* Copy between the run's places in the output, which may continue at block 0 after the last one, and block `at` of a
   packed message. Places are in descending order of distances, and so are the blocks of a run in a message. */
static void copy_run(struct bruck *b, struct run run, tutti_buffer message, uint64_t at)
{
  uint64_t size = (uint64_t)b->call->size, place = before(b, run.end - 1), left = (uint64_t)(run.end - run.first);
  while (left > 0) {
    uint64_t count = left < size - place ? left : size - place;
    tutti_block here = blocks(b, TUTTI_OUTPUT, place, count), there = blocks(b, message, at, count);
    if (message == b->outgoing)
      tutti_add_copy(b->builder, here, there);
    else
      tutti_add_copy(b->builder, there, here);
    place = 0;
    at += count;
    left -= count;
  }
}

/* Number of blocks whose distance has the digit distance / weight at the place of `weight`. */
static uint64_t blocks_of_message(const struct bruck *b, int64_t distance, int64_t weight)
{
  int64_t period = weight * b->call->parameters.k, rest = b->call->size % period - distance;
  return (uint64_t)(b->call->size / period * weight + (rest < 0 ? 0 : rest < weight ? rest : weight));
}

/* Copy the blocks that travel `distance` from the output to the message or back, `weight` being the radix to the power
   of the round. The first block of a run has only zeros before this digit: it has not traveled yet and leaves from the
   input. */
static void copy_message(struct bruck *b, int64_t distance, int64_t weight, tutti_buffer message)
{
  int64_t size = b->call->size;
  uint64_t at = b->packed;
  for (int64_t first = distance; first < size; first += weight * b->call->parameters.k) {
    struct run run = {first, first + weight < size ? first + weight : size};
    uint64_t end = at + (uint64_t)(run.end - run.first);
    if (message == b->outgoing) {
      run.first++;
      tutti_block fresh = tutti_input_block(b->call, (int)before(b, -first));
      tutti_add_copy(b->builder, fresh, blocks(b, message, end - 1, 1));
    }
    copy_run(b, run, message, at);
    at = end;
  }
}

static void add_message(struct bruck *b, int64_t distance, int64_t weight)
{
  uint64_t count = blocks_of_message(b, distance, weight);
  tutti_vertex_id first = tutti_builder_next(b->builder);
  tutti_vertex_id received =
      tutti_add_recv(b->builder, (int)before(b, distance), blocks(b, b->incoming, b->packed, count));
  tutti_vertex_id packed = tutti_builder_next(b->builder);
  copy_message(b, distance, weight, b->outgoing);
  all_after(b, first, b->ready);
  tutti_vertex_id sent =
      tutti_add_send(b->builder, (int)before(b, -distance), blocks(b, b->outgoing, b->packed, count));
  after_all(b, sent, packed);
  tutti_vertex_id unpacked = tutti_builder_next(b->builder);
  copy_message(b, distance, weight, b->incoming);
  all_after(b, unpacked, sent);
  all_after(b, unpacked, received);
  b->packed += count;
}

static void add_round(struct bruck *b, int64_t weight)
{
  b->packed = 0;
  for (int64_t digit = 1; digit < b->call->parameters.k && digit * weight < b->call->size; digit++)
    add_message(b, digit * weight, weight);
}

/* A vertex that is complete when all from `first` on are. */
static tutti_vertex_id join(struct bruck *b, tutti_vertex_id first)
{
  tutti_vertex_id joined = tutti_add_join(b->builder);
  after_all(b, joined, first);
  return joined;
}

void tutti_build_alltoall_bruck(tutti_builder *builder, const tutti_call *call)
{
  int64_t size = call->size, radix = call->parameters.k;
  struct bruck b = {.builder = builder, .call = call, .ready = TUTTI_NO_VERTEX};
  if (call->count == 0)
    return;
  tutti_add_copy(builder, tutti_input_block(call, call->rank), tutti_output_block(call, call->rank));
  if (size == 1)
    return;
  /* No round moves more than the first: all but those whose lowest digit is 0. */
  uint64_t most = (uint64_t)(size - (size + radix - 1) / radix);
  b.outgoing = tutti_builder_temporary(builder, most * call->count);
  b.incoming = tutti_builder_temporary(builder, most * call->count);
  tutti_vertex_id first = TUTTI_NO_VERTEX;
  for (int64_t weight = 1; weight < size; weight *= radix) {
    if (weight > 1)
      b.ready = join(&b, first);
    first = tutti_builder_next(builder);
    add_round(&b, weight);
  }
}
