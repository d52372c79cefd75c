/* What algorithms share: the build functions named in catalogue.def, schedules down and up any tree, parts made by
   other algorithms, segments of a message, and subtrees of in-order binomial trees. */
#ifndef TUTTI_ALGORITHMS_BUILDERS_H
#define TUTTI_ALGORITHMS_BUILDERS_H

#include "tutti/algorithm.h"
#include "tutti/tree.h"

#define ALGORITHM(collective, name, build, ...) void build(tutti_builder *builder, const tutti_call *call);
#include "algorithms/catalogue.def"
#undef ALGORITHM

struct segments;

/* The pipeline down any tree: receive each segment from the parent, forward it to all children. Segment s is received
   by vertex s * (child_count + 1) of those added; the root, which receives nothing, adds child_count vertices a
   segment. */
void tutti_build_segments_on_tree(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree,
                                  const struct segments *segments);

/* The pipeline up any tree, to its root, of a reduction that commutes: bcast backwards. */
void tutti_build_reduce_on_tree(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree);

/* A report up any tree and the exit message down. */
void tutti_build_barrier_on_tree(tutti_builder *builder, const tutti_tree *tree);

/* ---- algorithms made of other algorithms ---- */

/* Add part number `index` of the method of `call` among the ranks and on the buffers of `scope`, which is entered and
   left. `own` is the call of the part; its size, rank, type, operation and parameters are filled in here, its root,
   count and layouts by the caller. Returns what tutti_builder_leave() does. */
tutti_vertex_id tutti_build_part(tutti_builder *builder, const tutti_call *call, int index, tutti_scope *scope,
                                 tutti_call own);

/* ---- cutting a message into segments of whole elements ---- */

/* A range of elements cut into equal segments, the last one shorter if it does not divide. */
struct segments {
  uint64_t first;  /* of the range */
  uint64_t total;  /* elements of the range */
  uint64_t length; /* elements of a segment, >= 1 */
  uint64_t count;  /* number of segments; 0 if the range is empty */
};

/* Cut [first, first + total). The segment size of the call is rounded down to whole elements, but to no less than one;
   0 bytes mean one segment. */
struct segments tutti_segments(const tutti_call *call, uint64_t first, uint64_t total);

/* Segment number index as a block of the output buffer. */
tutti_block tutti_segment(const struct segments *segments, uint64_t index);

/* Room for `stride` vertices a segment with two edges each; false, and a fault, if that is too much. */
bool tutti_reserve_segments(tutti_builder *builder, const struct segments *segments, uint32_t stride);

/* At most `outstanding` messages of a channel are in flight: vertex, which carries segment number index, waits for the
   one that carries segment index - outstanding, added `stride` vertices earlier for each segment between. */
void tutti_keep_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, uint64_t index,
                       uint32_t stride);

/* `vertex` waits for all of a run of `count` windowed vertices, `first` being the one of segment 0. Only the last
   window of them needs an edge: each of them waits for all before it. */
void tutti_after_window(tutti_builder *builder, const tutti_call *call, tutti_vertex_id vertex, tutti_vertex_id first,
                        uint64_t count, uint32_t stride);

/* Subtrees of the in-order binomial tree of scatter and gather. Counted from the root of the operation, the ranks of a
   subtree are a range that begins with its own root. So are their blocks, but for the one subtree in which the numbers
   of the ranks start again from 0. */

struct subtree {
  int root;      /* its root, a rank of the group */
  int ranks;     /* number of ranks: root, root + 1, ... modulo the size of the group */
  int unwrapped; /* how many of them come before the numbers start again; usually all */
};

/* The subtree below `rank`: as many ranks as the lowest set bit of its number, counted from the root, says. */
static inline struct subtree tutti_subtree(const tutti_call *call, int rank)
{
  int v = rank >= call->root ? rank - call->root : rank + (call->size - call->root);
  int rest = call->size - v, lowest = v & -v, ranks = v == 0 || rest < lowest ? rest : lowest;
  int before = call->size - rank;
  return (struct subtree){rank, ranks, ranks < before ? ranks : before};
}

/* `ranks` blocks from block `first` on of a buffer in which all blocks have the same size. */
static inline tutti_block tutti_equal_blocks(const tutti_call *call, tutti_buffer buffer, int first, int ranks)
{
  return tutti_block_of(buffer, (uint64_t)first * call->count, (uint64_t)ranks * call->count);
}

#endif
