/* Gather and scatter on the distance-halving Bine tree, each the other backwards (De Sensi et al. 2025, arXiv
   2508.17311, section 4). The subtree below a rank is a window of ranks around it, counted from the root, so the blocks
   of a subtree are one message; in the binomial tree it is a window above it.

       P = 8, root 0:   0 --7--> 7   0 --1--> 1    0 --7 6--> 7 --6--> 6    0 --2 3 4 5--> 3 --4 5--> 4 --5--> 5
                                                                                           3 --2--> 2

   (a scatter in three steps: to 3, then 7 and 4, then 1, 2, 5 and 6). Blocks of equal size, a power of two
   of ranks, any root. An inner rank has the blocks of its subtree in a temporary, the root those of a subtree at both
   ends of its buffer. Cost (Hockney): log2(P) alpha + (P - 1) beta m. */
#include "algorithms/catalogue/shared/bine.h"
#include "algorithms/catalogue/builders.h"

struct node {
  tutti_builder *builder;
  const tutti_call *call;
  int v, root;         /* virtual rank; root of the call */
  int children;        /* peers of the hops 0 to children - 1 */
  int first;           /* virtual rank of the window's first block */
  tutti_buffer blocks; /* the window; at the root the user's buffer, by rank */
};

static struct node node_of(tutti_builder *builder, const tutti_call *call)
{
  int v = call->rank >= call->root ? call->rank - call->root : call->rank + (call->size - call->root);
  int q = tutti_bine_rounds(call->size), children = v == 0 ? q : tutti_bine_equal_digits(v, q) - 1;
  return (struct node){builder, call, v, call->root, children, tutti_bine_window(v, children, call->size), TUTTI_INPUT};
}

static int rank_of(const struct node *node, int v)
{
  return (int)(((int64_t)v + node->root) % node->call->size);
}

static tutti_block blocks_of(const struct node *node, tutti_buffer buffer, int first, int count)
{
  return tutti_block_of(buffer, (uint64_t)first * node->call->count, (uint64_t)count * node->call->count);
}

/* The window of a child, up to two pieces of the buffer. Returns their number. */
static int pieces_of(const struct node *node, int child, int hop, tutti_block pieces[2])
{
  int size = node->call->size, count = 1 << hop, window = tutti_bine_window(child, hop, size), first, before;
  if (node->v > 0) {
    first = window >= node->first ? window - node->first : window + (size - node->first);
    pieces[0] = blocks_of(node, node->blocks, first, count);
    return 1;
  }
  first = rank_of(node, window);
  before = count < size - first ? count : size - first;
  pieces[0] = blocks_of(node, node->blocks, first, before);
  pieces[1] = blocks_of(node, node->blocks, 0, count - before);
  return before < count ? 2 : 1;
}

/* ---- scatter ---- */

static void send_window(const struct node *node, int hop, tutti_vertex_id received)
{
  tutti_block pieces[2];
  int child = tutti_bine_peer(node->v, hop, node->call->size);
  if (pieces_of(node, child, hop, pieces) == 1) {
    tutti_add_after(node->builder, tutti_add_send(node->builder, rank_of(node, child), pieces[0]), received);
    return;
  }
  tutti_buffer together = tutti_builder_temporary(node->builder, pieces[0].count + pieces[1].count);
  tutti_block halves[2] = {tutti_block_of(together, 0, pieces[0].count),
                           tutti_block_of(together, pieces[0].count, pieces[1].count)};
  tutti_vertex_id copies[2] = {tutti_add_copy(node->builder, pieces[0], halves[0]),
                               tutti_add_copy(node->builder, pieces[1], halves[1])};
  tutti_vertex_id send = tutti_add_send(node->builder, rank_of(node, child),
                                        tutti_block_of(together, 0, pieces[0].count + pieces[1].count));
  tutti_add_after(node->builder, send, copies[0]);
  tutti_add_after(node->builder, send, copies[1]);
}

void tutti_build_scatter_bine(tutti_builder *builder, const tutti_call *call)
{
  struct node node = node_of(builder, call);
  tutti_block own = tutti_block_of(TUTTI_OUTPUT, 0, call->count), all = own;
  int parent = node.v == 0 ? -1 : rank_of(&node, tutti_bine_peer(node.v, node.children, call->size));
  tutti_vertex_id received = TUTTI_NO_VERTEX;
  if (call->count == 0)
    return;
  if (node.children > 0 && parent >= 0) {
    node.blocks = tutti_builder_temporary(builder, call->count << node.children);
    all = tutti_block_of(node.blocks, 0, call->count << node.children);
  }
  if (parent >= 0)
    received = tutti_add_recv(builder, parent, all);
  for (int hop = node.children - 1; hop >= 0; hop--)
    send_window(&node, hop, received);
  if (parent < 0)
    tutti_add_copy(builder, tutti_input_block(call, call->rank), own);
  else if (node.children > 0) {
    int place = node.v >= node.first ? node.v - node.first : node.v + (call->size - node.first);
    tutti_add_after(builder, tutti_add_copy(builder, blocks_of(&node, node.blocks, place, 1), own), received);
  }
}

/* ---- gather ---- */

static void receive_window(const struct node *node, int hop)
{
  tutti_block pieces[2];
  int child = tutti_bine_peer(node->v, hop, node->call->size);
  if (pieces_of(node, child, hop, pieces) == 1) {
    tutti_add_recv(node->builder, rank_of(node, child), pieces[0]);
    return;
  }
  tutti_buffer together = tutti_builder_temporary(node->builder, pieces[0].count + pieces[1].count);
  tutti_vertex_id received = tutti_add_recv(node->builder, rank_of(node, child),
                                            tutti_block_of(together, 0, pieces[0].count + pieces[1].count));
  for (int i = 0; i < 2; i++) {
    tutti_block half = tutti_block_of(together, i ? pieces[0].count : 0, pieces[i].count);
    tutti_add_after(node->builder, tutti_add_copy(node->builder, half, pieces[i]), received);
  }
}

/* An inner rank has one piece a child: vertices from `begin` on are the own block and the receives. */
static void gather_inner(struct node *node, tutti_block input)
{
  const tutti_call *call = node->call;
  int place = node->v >= node->first ? node->v - node->first : node->v + (call->size - node->first);
  node->blocks = tutti_builder_temporary(node->builder, call->count << node->children);
  tutti_vertex_id begin = tutti_builder_next(node->builder);
  tutti_add_copy(node->builder, input, blocks_of(node, node->blocks, place, 1));
  for (int hop = 0; hop < node->children; hop++)
    receive_window(node, hop);
  tutti_vertex_id send =
      tutti_add_send(node->builder, rank_of(node, tutti_bine_peer(node->v, node->children, call->size)),
                     tutti_block_of(node->blocks, 0, call->count << node->children));
  for (int i = 0; i <= node->children; i++)
    tutti_add_after(node->builder, send, begin + (tutti_vertex_id)i);
}

void tutti_build_gather_bine(tutti_builder *builder, const tutti_call *call)
{
  struct node node = node_of(builder, call);
  tutti_block input = tutti_block_of(TUTTI_INPUT, 0, call->count);
  if (call->count == 0)
    return;
  node.blocks = TUTTI_OUTPUT;
  if (node.v == 0) {
    for (int hop = 0; hop < node.children; hop++)
      receive_window(&node, hop);
    tutti_add_copy(builder, input, tutti_output_block(call, call->rank));
  } else if (node.children == 0) {
    tutti_add_send(builder, rank_of(&node, tutti_bine_peer(node.v, 0, call->size)), input);
  } else {
    gather_inner(&node, input);
  }
}
