/* Reduce and allreduce over the aligned tree of operands that are numbered through, and of which each rank holds some
   in a row (reproducible.h): the tree of operands is fixed, whatever the ranks and the tree of messages are, so that
   the same operands give the same bits on any number of ranks (ReproRed: Stelz, Huebner, Stamatakis 2026).

   Operands first .. end - 1 that follow each other are held as the nodes of the aligned tree that they fill: the
   fewest. A rank combines its own operands, appends the nodes of its children, whose operands follow, combines where
   two nodes fill the one above, and sends what is left, in one message, to its parent in the binomial tree of ranks,
   the nearest child first.

       7 operands on 3 ranks, 0 1 2 | 3 4 | 5 6:   rank 2 sends 5, 6 to 0
                                                   rank 1 sends 3, 4 to 0
       rank 0 holds 01 2, then 01 2 3 4 = 0123 4, then 0123 4 5 6 = 0123 45 6 = 0123456

   One operand on each rank makes the in-order binomial tree. Keeps the order of the operands; any number of ranks, any
   root. Messages: P - 1 at most, of up to 2 log2 N nodes. Memory: the nodes that are received or were combined. */
#include "algorithms/catalogue/builders.h"

enum { MAX_NODES = 2 * 64 };

/* Operands first .. end - 1, combined. */
struct fixed_node {
  uint64_t first, end;
  tutti_block block;
  tutti_vertex_id ready;
  bool own; /* in a slot, which is free when the node has been combined; the input is read only */
};

struct fixed_tree {
  tutti_builder *builder;
  const tutti_call *call;
  uint64_t operands; /* of all ranks */
  struct fixed_node *nodes;
  int count;
  struct fixed_node *slots; /* free ones: their blocks, and by when */
  int free_slots;
};

static uint64_t leaf_at(const tutti_call *call, int rank)
{
  return call->leaves ? call->leaves[rank] : (uint64_t)rank;
}

/* Operands of the largest node that begins with this one. */
static uint64_t width_at(uint64_t first, uint64_t operands)
{
  uint64_t width = 1;
  if (first)
    return first & -first;
  while (width < operands)
    width *= 2;
  return width;
}

/* The end of the largest node that begins at `first` and is within operands first .. end - 1. */
static uint64_t node_end(uint64_t first, uint64_t end, uint64_t operands)
{
  uint64_t width = width_at(first, operands);
  while (width > end - first && end < operands)
    width /= 2;
  return width > end - first ? end : first + width;
}

static int count_nodes(uint64_t first, uint64_t end, uint64_t operands)
{
  int count = 0;
  for (; first < end; first = node_end(first, end, operands))
    count++;
  return count;
}

/* Whether the right node is complete, and fills another one together with the left node. */
static bool are_siblings(const struct fixed_tree *t, const struct fixed_node *left, const struct fixed_node *right)
{
  const uint64_t width = width_at(right->first, t->operands);
  return (right->end == t->operands || right->end - right->first == width) && right->first - left->first == width;
}

static struct fixed_node take_slot(struct fixed_tree *t)
{
  if (t->free_slots > 0)
    return t->slots[--t->free_slots];
  return (struct fixed_node){.block =
                                 tutti_block_of(tutti_builder_temporary(t->builder, t->call->count), 0, t->call->count),
                             .ready = TUTTI_NO_VERTEX};
}

/* The left node into the place of the right one. */
static void combine(struct fixed_tree *t, const struct fixed_node *left, struct fixed_node *right)
{
  if (right->block.buffer == TUTTI_INPUT) {
    const struct fixed_node slot = take_slot(t);
    const tutti_vertex_id copied = tutti_add_copy(t->builder, right->block, slot.block);
    tutti_add_after(t->builder, copied, slot.ready);
    *right = (struct fixed_node){right->first, right->end, slot.block, copied, true};
  }
  const tutti_vertex_id reduced = tutti_add_reduce(t->builder, left->block, right->block);
  tutti_add_after(t->builder, reduced, left->ready);
  tutti_add_after(t->builder, reduced, right->ready);
  if (left->own)
    t->slots[t->free_slots++] = (struct fixed_node){.block = left->block, .ready = reduced};
  right->first = left->first;
  right->ready = reduced;
}

static void append(struct fixed_tree *t, struct fixed_node node)
{
  while (t->count > 0 && are_siblings(t, &t->nodes[t->count - 1], &node))
    combine(t, &t->nodes[--t->count], &node);
  t->nodes[t->count++] = node;
}

static void append_own(struct fixed_tree *t)
{
  const uint64_t first = leaf_at(t->call, t->call->rank), end = leaf_at(t->call, t->call->rank + 1);
  for (uint64_t leaf = first; leaf < end; leaf++)
    append(t, (struct fixed_node){leaf, leaf + 1,
                                  tutti_block_of(TUTTI_INPUT, (leaf - first) * t->call->count, t->call->count),
                                  TUTTI_NO_VERTEX, false});
}

/* Ranks child .. end - 1 hold operands first .. last - 1. */
static void append_received(struct fixed_tree *t, int child, int end)
{
  const uint64_t last = leaf_at(t->call, end), count = t->call->count;
  uint64_t first = leaf_at(t->call, child);
  const int nodes = count_nodes(first, last, t->operands);
  if (nodes == 0)
    return;
  tutti_block all =
      tutti_block_of(tutti_builder_temporary(t->builder, (uint64_t)nodes * count), 0, (uint64_t)nodes * count);
  const tutti_vertex_id received = tutti_add_recv(t->builder, child, all);
  for (int i = 0; i < nodes; i++) {
    const uint64_t node = node_end(first, last, t->operands);
    append(t,
           (struct fixed_node){first, node, tutti_block_of(all.buffer, (uint64_t)i * count, count), received, false});
    first = node;
  }
}

/* The nodes in one message: copied together if there are several. */
static void send_nodes(struct fixed_tree *t, int to)
{
  const uint64_t count = t->call->count;
  tutti_block all = t->nodes[0].block;
  tutti_vertex_id ready = t->nodes[0].ready;
  if (t->count > 1) {
    all =
        tutti_block_of(tutti_builder_temporary(t->builder, (uint64_t)t->count * count), 0, (uint64_t)t->count * count);
    const tutti_vertex_id first = tutti_builder_next(t->builder);
    for (int i = 0; i < t->count; i++)
      tutti_add_after(
          t->builder,
          tutti_add_copy(t->builder, t->nodes[i].block, tutti_block_of(all.buffer, (uint64_t)i * count, count)),
          t->nodes[i].ready);
    ready = tutti_add_join(t->builder);
    for (int i = 0; i < t->count; i++)
      tutti_add_after(t->builder, ready, first + (tutti_vertex_id)i);
  }
  tutti_add_after(t->builder, tutti_add_send(t->builder, to, all), ready);
}

/* The result is at rank 0, which hands it to the root. */
static void hand_over(struct fixed_tree *t)
{
  const tutti_block result = tutti_block_of(TUTTI_OUTPUT, 0, t->call->count);
  if (t->call->rank == 0 && t->call->root == 0)
    tutti_add_after(t->builder, tutti_add_copy(t->builder, t->nodes[0].block, result), t->nodes[0].ready);
  else if (t->call->rank == 0)
    send_nodes(t, t->call->root);
  else if (t->call->rank == t->call->root)
    tutti_add_recv(t->builder, 0, result);
}

void tutti_build_reduce_fixed_tree(tutti_builder *builder, const tutti_call *call)
{
  struct fixed_tree t = {.builder = builder, .call = call, .operands = leaf_at(call, call->size)};
  const int width = (int)width_at((uint64_t)call->rank, (uint64_t)call->size);
  t.nodes = tutti_builder_scratch(builder, 2 * MAX_NODES * sizeof *t.nodes);
  if (!t.nodes || call->count == 0 || t.operands == 0)
    return;
  t.slots = t.nodes + MAX_NODES;
  append_own(&t);
  for (int distance = 1; distance < width && distance < call->size - call->rank; distance *= 2) {
    const int child = call->rank + distance;
    append_received(&t, child, distance < call->size - child ? child + distance : call->size);
  }
  if (call->rank > 0 && t.count > 0)
    send_nodes(&t, call->rank - width);
  hand_over(&t);
}

/* The reduction to rank 0, and a broadcast from there by any algorithm. */
void tutti_build_allreduce_fixed_tree(tutti_builder *builder, const tutti_call *call)
{
  tutti_scope all = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  tutti_call to_0 = *call;
  to_0.root = 0;
  if (leaf_at(call, call->size) == 0)
    return;
  tutti_builder_enter(builder, &all);
  tutti_build_reduce_fixed_tree(builder, &to_0);
  const tutti_vertex_id reduced = tutti_builder_leave(builder);
  all = tutti_scope_of_all(builder, call->rank == 0 ? reduced : TUTTI_NO_VERTEX);
  tutti_build_part(builder, call, 0, &all, (tutti_call){.root = 0, .count = call->count});
}
