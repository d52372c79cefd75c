/* Ring allreduce, with and without segments (Pjesivac-Grbovic 2007, section 4.1.2, figures 4.11 and 4.12).

   The message is cut into one block per rank; the first count mod P blocks have one element more. Computation: partial
   results go around the ring; in step k rank r receives that of block r - k from r - 1, adds its own contribution and
   sends it on to r + 1, so that it ends up with the result of block r + 1. Distribution: the results go around the same
   way.

       P = 3, rank 0:  computation  sends 0, receives 2, sends 2, receives 1
                       distribution sends 1, receives 0, sends 0, receives 2

   With segments the computation is done for the first segment of every block, then for the second one of every block,
   and so on; the distribution is not segmented. The receive of a step is posted during the step before.

   Operands are combined in the order of the ring, another one for each block: only for operations that commute. Any
   number of ranks and elements, blocks and segments being empty where there are fewer. No temporary.
   Cost (Hockney, table 4.10): 2 (P - 1) (alpha + beta m / P) + (P - 1) gamma m / P; with segments of m_s bytes, n_s in
   all: (P + n_s - 2) (alpha + beta m_s + gamma m_s) + (P - 1) (alpha + beta m / P). */
#include "algorithms/catalogue/builders.h"

static int wrap(int64_t rank, int size)
{
  return (int)(rank < 0 ? rank + size : rank >= size ? rank - size : rank);
}

/* Block number block, cut into the segments of the call. */
static tutti_segmentation block_of(const tutti_call *call, int block)
{
  uint64_t size = (uint64_t)call->size, b = (uint64_t)block;
  uint64_t length = call->count / size, longer = call->count % size;
  return tutti_segments(call, b * length + (b < longer ? b : longer), length + (b < longer));
}

static tutti_block whole(const tutti_call *call, int block)
{
  tutti_segmentation segments = block_of(call, block);
  return tutti_block_of(TUTTI_OUTPUT, segments.first, segments.total);
}

/* A segment of a block, empty if the block has no segment of that number. */
static tutti_block piece(const tutti_call *call, int block, uint64_t segment)
{
  tutti_segmentation segments = block_of(call, block);
  return segment < segments.count ? tutti_segment(&segments, segment) : tutti_no_data();
}

static tutti_block of_input(tutti_block block)
{
  return tutti_block_of(TUTTI_INPUT, block.first, block.count);
}

/* Vertices of the previous steps; a receive waits for the step before the previous one. */
struct steps {
  tutti_vertex_id before[2];
};

static void follow(tutti_builder *builder, struct steps *steps, tutti_vertex_id received, tutti_vertex_id done)
{
  tutti_add_after(builder, received, steps->before[0]);
  steps->before[0] = steps->before[1];
  steps->before[1] = done;
}

/* The computation for one segment of each block. */
static void compute(tutti_builder *builder, const tutti_call *call, uint64_t segment, struct steps *steps)
{
  int rank = call->rank, size = call->size, left = wrap(rank - 1, size), right = wrap(rank + 1, size);
  tutti_block mine = piece(call, rank, segment);
  if (mine.count > 0)
    tutti_add_send(builder, right, of_input(mine));
  for (int k = 1; k < size; k++) {
    tutti_block part = piece(call, wrap(rank - k, size), segment);
    if (part.count == 0)
      continue;
    tutti_vertex_id received = tutti_add_recv(builder, left, part);
    tutti_vertex_id reduced = tutti_add_reduce(builder, of_input(part), part);
    tutti_add_after(builder, reduced, received);
    follow(builder, steps, received, reduced);
    if (k < size - 1)
      tutti_add_after(builder, tutti_add_send(builder, right, part), reduced);
  }
}

/* Blocks are received in the places of partial results, all of which have been sent by the time of `computed`. */
static void distribute(tutti_builder *builder, const tutti_call *call, tutti_vertex_id computed)
{
  int rank = call->rank, size = call->size, left = wrap(rank - 1, size), right = wrap(rank + 1, size);
  struct steps steps = {{TUTTI_NO_VERTEX, TUTTI_NO_VERTEX}};
  tutti_vertex_id brought = computed; /* the receive of the block that is sent next */
  for (int k = 0; k < size - 1; k++) {
    tutti_block outgoing = whole(call, wrap((int64_t)rank + 1 - k, size)), incoming = whole(call, wrap(rank - k, size));
    if (outgoing.count > 0)
      tutti_add_after(builder, tutti_add_send(builder, right, outgoing), brought);
    brought = computed;
    if (incoming.count == 0)
      continue;
    brought = tutti_add_recv(builder, left, incoming);
    tutti_add_after(builder, brought, computed);
    follow(builder, &steps, brought, brought);
  }
}

static void build(tutti_builder *builder, const tutti_call *call)
{
  tutti_segmentation longest = block_of(call, 0);
  struct steps steps = {{TUTTI_NO_VERTEX, TUTTI_NO_VERTEX}};
  if (!tutti_reserve_segments(builder, &longest, 3 * (uint32_t)call->size))
    return;
  tutti_scope computation = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  tutti_builder_enter(builder, &computation);
  for (uint64_t s = 0; s < longest.count; s++)
    compute(builder, call, s, &steps);
  distribute(builder, call, tutti_builder_leave(builder));
}

void tutti_build_allreduce_ring(tutti_builder *builder, const tutti_call *call)
{
  if (call->count == 0)
    return;
  if (call->size == 1)
    tutti_add_copy(builder, of_input(whole(call, 0)), whole(call, 0));
  else
    build(builder, call);
}
