/* Linear scatter and gather, also of irregular blocks (Pjesivac-Grbovic 2007, section 4.1.2). Any number of ranks, any
   root. */
#include "algorithms/catalogue/builders.h"

/* Bytes from which on a blocking call waits for the other side (rendezvous). Libraries differ, and their networks: UCX
   begins at about 8 KB on InfiniBand, Open MPI's ob1 at 4 KB in memory, 12 KB there and 64 KB on TCP. Smaller messages
   are eager, and blocking calls on them all under way at once. */
enum { RENDEZVOUS = 8192 };

static bool is_waited_for(const tutti_call *call, tutti_block block)
{
  return block.count * call->type_size >= RENDEZVOUS;
}

/* The block of one rank; TUTTI_NO_VERTEX if that is the root's own, or none. */
static tutti_vertex_id scatter_block(tutti_builder *builder, const tutti_call *call, int r)
{
  const tutti_block block = tutti_input_block(call, r);
  if (block.count == 0)
    return TUTTI_NO_VERTEX;
  if (r != call->rank)
    return tutti_add_send(builder, r, block);
  tutti_add_copy(builder, block, tutti_block_of(TUTTI_OUTPUT, 0, block.count));
  return TUTTI_NO_VERTEX;
}

static void scatter_leaf(tutti_builder *builder, const tutti_call *call)
{
  if (call->count > 0)
    tutti_add_recv(builder, call->root, tutti_block_of(TUTTI_OUTPUT, 0, call->count));
}

/* Linear scatter: the root sends every rank its block.

             root
           / |  | \
          0  1  2  3     all sends start at once, in the order of the ranks

   The ranks need to know no layout but the size of their own block, so it serves
   scatterv; a tree would have to broadcast the counts first, which costs what the tree saves.
   Cost (Hockney, table 4.4): (P - 1) (alpha + beta m) for blocks of m bytes. */
void tutti_build_scatter_linear(tutti_builder *builder, const tutti_call *call)
{
  if (call->rank != call->root) {
    scatter_leaf(builder, call);
    return;
  }
  tutti_builder_reserve(builder, (uint64_t)call->size, 0);
  for (int r = 0; r < call->size; r++)
    scatter_block(builder, call, r);
}

/* The same with blocking sends in the order of the ranks, as Open MPI's basic_linear
   (ompi_coll_base_scatter_intra_basic_linear): a message that waits for its receiver delays all later ones. */
void tutti_build_scatter_linear_blocking(tutti_builder *builder, const tutti_call *call)
{
  tutti_vertex_id previous = TUTTI_NO_VERTEX;
  if (call->rank != call->root) {
    scatter_leaf(builder, call);
    return;
  }
  tutti_builder_reserve(builder, (uint64_t)call->size, (uint64_t)call->size);
  for (int r = 0; r < call->size; r++) {
    const tutti_vertex_id send = scatter_block(builder, call, r);
    if (send == TUTTI_NO_VERTEX)
      continue;
    tutti_add_after(builder, send, previous);
    if (is_waited_for(call, tutti_input_block(call, r)))
      previous = send;
  }
}

/* Linear gather: every rank sends its block to the root.

       0  1  2  3
        \ |  | /
          root

   Open MPI's basic_linear receives with blocking calls in the order of the ranks, so a block that waits for its
   receiver (rendezvous) comes alone; without blocking the root receives all at once. Only the root needs to know the
   layout, so the latter serves gatherv. With many ranks or large blocks the root is swamped then: see linear-sync.
   Cost (Hockney, table 4.5): (P - 1) (alpha + beta m) for blocks of m bytes. */
static void build_gather_root(tutti_builder *builder, const tutti_call *call, bool blocking)
{
  tutti_vertex_id previous = TUTTI_NO_VERTEX;
  tutti_builder_reserve(builder, (uint64_t)call->size, blocking ? (uint64_t)call->size : 0);
  for (int r = 0; r < call->size; r++) {
    const tutti_block block = tutti_output_block(call, r);
    if (block.count == 0)
      continue;
    if (r == call->rank) {
      tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, block.count), block);
      continue;
    }
    const tutti_vertex_id received = tutti_add_recv(builder, r, block);
    tutti_add_after(builder, received, previous);
    if (blocking && is_waited_for(call, block))
      previous = received;
  }
}

static void build_gather(tutti_builder *builder, const tutti_call *call, bool blocking)
{
  if (call->rank == call->root)
    build_gather_root(builder, call, blocking);
  else if (call->count > 0)
    tutti_add_send(builder, call->root, tutti_block_of(TUTTI_INPUT, 0, call->count));
}

void tutti_build_gather_linear_blocking(tutti_builder *builder, const tutti_call *call)
{
  build_gather(builder, call, true);
}

void tutti_build_gather_linear(tutti_builder *builder, const tutti_call *call)
{
  build_gather(builder, call, false);
}

/* Linear gather with synchronization, also of irregular blocks (Pjesivac-Grbovic 2007, sections 4.1.2 and 4.3.2).

   A rank waits for a message without data from the root, the go-ahead. It then sends its block in two parts, one after
   the other. When the first part has arrived the root turns to the next rank, whose answer takes as long as the second
   part. So about two ranks send at any time, and the root has posted the receives for them.

       root --go--> 0    root --go----> 1    root --go--> 2
       root <-1st-- 0    root <-2nd---- 0
                         root <--1st--- 1    root <-2nd-- 1 ...

   The first part has the segment size; without one, or if the block is not larger, it is the whole block, and there is
   no second part. Root and rank cut the same way, because both know the size of the rank's block. Ranks whose block is
   empty are left out.

   Cost (Hockney, equation 4.11): alpha + (P - 1) (2 alpha + beta m) for blocks of m
   bytes in two parts. */

/* The two parts of a block; the second one may be empty. */
struct parts {
  tutti_block first, second;
};

static struct parts cut(const tutti_call *call, tutti_block block)
{
  tutti_segmentation segments = tutti_segments(call, block.first, block.count);
  tutti_block first = tutti_block_of(block.buffer, block.first, segments.length);
  return (struct parts){first,
                        tutti_block_of(block.buffer, block.first + segments.length, block.count - segments.length)};
}

/* Let rank r send once `previous` has happened. Returns the arrival of its first part. */
static tutti_vertex_id call_up(tutti_builder *builder, const tutti_call *call, int r, tutti_vertex_id previous)
{
  struct parts parts = cut(call, tutti_output_block(call, r));
  tutti_vertex_id first = tutti_add_recv(builder, r, parts.first);
  tutti_add_after(builder, first, previous);
  tutti_add_after(builder, tutti_add_send(builder, r, tutti_no_data()), previous);
  if (parts.second.count > 0)
    tutti_add_after(builder, tutti_add_recv(builder, r, parts.second), previous);
  return first;
}

static void build_sync_root(tutti_builder *builder, const tutti_call *call)
{
  tutti_vertex_id previous = TUTTI_NO_VERTEX;
  tutti_builder_reserve(builder, 3 * (uint64_t)call->size, 3 * (uint64_t)call->size);
  for (int r = 0; r < call->size; r++)
    if (r != call->rank && tutti_output_block(call, r).count > 0)
      previous = call_up(builder, call, r, previous);
  if (call->count > 0)
    tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, call->count), tutti_output_block(call, call->rank));
}

void tutti_build_gather_linear_sync(tutti_builder *builder, const tutti_call *call)
{
  if (call->rank == call->root) {
    build_sync_root(builder, call);
    return;
  }
  if (call->count == 0)
    return;
  struct parts parts = cut(call, tutti_block_of(TUTTI_INPUT, 0, call->count));
  tutti_vertex_id go = tutti_add_recv(builder, call->root, tutti_no_data());
  tutti_vertex_id first = tutti_add_send(builder, call->root, parts.first);
  tutti_add_after(builder, first, go);
  if (parts.second.count > 0)
    tutti_add_after(builder, tutti_add_send(builder, call->root, parts.second), first);
}
