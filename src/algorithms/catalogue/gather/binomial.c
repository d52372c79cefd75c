/* Binomial scatter and gather (Pjesivac-Grbovic 2007, section 4.1.2 and figure 4.3), the one the other backwards: the
   blocks of a whole subtree travel in one message of an in-order binomial tree. Blocks of equal size, any number of
   ranks, any root. */
#include "algorithms/catalogue/builders.h"

/* Subtrees of the in-order binomial tree of scatter and gather. Counted from the root of the operation, the ranks of a
   subtree are a range that begins with its own root. So are their blocks, except in the one subtree in which the
   numbers of the ranks start again from 0. */

struct subtree {
  int root;      /* its root, a rank of the group */
  int ranks;     /* number of ranks: root, root + 1, ... modulo the size of the group */
  int unwrapped; /* how many of them come before the numbers start again; usually all */
};

/* The subtree below `rank`: as many ranks as the lowest set bit of its number, counted from the root. */
static struct subtree subtree_of(const tutti_call *call, int rank)
{
  int v = rank >= call->root ? rank - call->root : rank + (call->size - call->root);
  int rest = call->size - v, lowest = v & -v, ranks = v == 0 || rest < lowest ? rest : lowest;
  int before = call->size - rank;
  return (struct subtree){rank, ranks, ranks < before ? ranks : before};
}

/* `ranks` blocks from block `first` on of a buffer in which all blocks have the same size. */
static tutti_block equal_blocks(const tutti_call *call, tutti_buffer buffer, int first, int ranks)
{
  return tutti_block_of(buffer, (uint64_t)first * call->count, (uint64_t)ranks * call->count);
}

/* The blocks of a child's subtree in a buffer that has those of its parent's subtree. */
static tutti_block blocks_of_child(const tutti_call *call, tutti_buffer buffer, const struct subtree *own,
                                   const struct subtree *child)
{
  int first = (int)(((int64_t)child->root - own->root + call->size) % call->size);
  return equal_blocks(call, buffer, first, child->ranks);
}

/* The blocks of a subtree that are at both ends of the root's buffer, and their places in a temporary. */
struct wrapped {
  tutti_block message;               /* all of them in the temporary */
  tutti_block apart[2], together[2]; /* those at the end and those at the beginning */
};

static struct wrapped wrap(tutti_builder *builder, const tutti_call *call, tutti_buffer buffer,
                           const struct subtree *child)
{
  int before = child->unwrapped, wrapped = child->ranks - before;
  tutti_buffer temporary = tutti_builder_temporary(builder, (uint64_t)child->ranks * call->count);
  return (struct wrapped){
      equal_blocks(call, temporary, 0, child->ranks),
      {equal_blocks(call, buffer, child->root, before), equal_blocks(call, buffer, 0, wrapped)},
      {equal_blocks(call, temporary, 0, before), equal_blocks(call, temporary, before, wrapped)},
  };
}

/* Binomial scatter: down the tree.

       size 6, root 0:   0 --4 5--> 4 --5--> 5
                         0 --2 3--> 2 --3--> 3
                         0 --1----> 1

   An inner rank receives the blocks of its subtree into a temporary; a leaf receives its block in its place. For a
   root other than 0 the blocks of one subtree are at both ends of the root's input: only these are copied into a
   temporary first.

   Cost (Hockney, table 4.4): ceil(log2 P) alpha + (P - 1) beta m for blocks of m bytes. */

/* The blocks of a subtree that are not in one place of the input. */
static void send_wrapped(tutti_builder *builder, const tutti_call *call, const struct subtree *child)
{
  struct wrapped blocks = wrap(builder, call, TUTTI_INPUT, child);
  tutti_vertex_id last = tutti_add_copy(builder, blocks.apart[0], blocks.together[0]);
  tutti_vertex_id first = tutti_add_copy(builder, blocks.apart[1], blocks.together[1]);
  tutti_vertex_id send = tutti_add_send(builder, child->root, blocks.message);
  tutti_add_after(builder, send, last);
  tutti_add_after(builder, send, first);
}

static void build_scatter_root(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree)
{
  for (int c = 0; c < tree->child_count; c++) {
    struct subtree child = subtree_of(call, tutti_tree_child(tree, c));
    if (child.unwrapped < child.ranks)
      send_wrapped(builder, call, &child);
    else
      tutti_add_send(builder, child.root, equal_blocks(call, TUTTI_INPUT, child.root, child.ranks));
  }
  tutti_add_copy(builder, tutti_input_block(call, call->rank), tutti_block_of(TUTTI_OUTPUT, 0, call->count));
}

static void build_scatter_inner(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree)
{
  struct subtree own = subtree_of(call, call->rank);
  tutti_buffer buffer = tutti_builder_temporary(builder, (uint64_t)own.ranks * call->count);
  tutti_vertex_id received = tutti_add_recv(builder, tree->parent, equal_blocks(call, buffer, 0, own.ranks));
  for (int c = 0; c < tree->child_count; c++) {
    struct subtree child = subtree_of(call, tutti_tree_child(tree, c));
    tutti_block blocks = blocks_of_child(call, buffer, &own, &child);
    tutti_add_after(builder, tutti_add_send(builder, child.root, blocks), received);
  }
  tutti_vertex_id copied =
      tutti_add_copy(builder, equal_blocks(call, buffer, 0, 1), tutti_block_of(TUTTI_OUTPUT, 0, call->count));
  tutti_add_after(builder, copied, received);
}

void tutti_build_scatter_binomial(tutti_builder *builder, const tutti_call *call)
{
  tutti_tree tree;
  if (!tutti_place_in_tree(builder, call, TUTTI_TREE_IN_ORDER_BINOMIAL, call->root, &tree) || call->count == 0)
    return;
  if (tree.parent < 0)
    build_scatter_root(builder, call, &tree);
  else if (tree.child_count > 0)
    build_scatter_inner(builder, call, &tree);
  else
    tutti_add_recv(builder, tree.parent, tutti_block_of(TUTTI_OUTPUT, 0, call->count));
}

/* Binomial gather: up the tree.

       size 6, root 0:   0 <--4 5-- 4 <--5-- 5
                         0 <--2 3-- 2 <--3-- 3
                         0 <--1---- 1

   An inner rank collects the blocks of its subtree in a temporary; a leaf sends its input. For a root other than 0 the
   blocks of one subtree belong to both ends of the root's output: they, and no others, are received into a temporary.

   Cost (Hockney): ceil(log2 P) alpha + (P - 1) beta m for blocks of m bytes (table 4.5 has P beta m). */

/* The blocks of a subtree that do not belong in one place of the output. */
static void receive_wrapped(tutti_builder *builder, const tutti_call *call, const struct subtree *child)
{
  struct wrapped blocks = wrap(builder, call, TUTTI_OUTPUT, child);
  tutti_vertex_id received = tutti_add_recv(builder, child->root, blocks.message);
  for (int i = 0; i < 2; i++)
    tutti_add_after(builder, tutti_add_copy(builder, blocks.together[i], blocks.apart[i]), received);
}

static void build_gather_root(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree)
{
  for (int c = 0; c < tree->child_count; c++) {
    struct subtree child = subtree_of(call, tutti_tree_child(tree, c));
    if (child.unwrapped < child.ranks)
      receive_wrapped(builder, call, &child);
    else
      tutti_add_recv(builder, child.root, equal_blocks(call, TUTTI_OUTPUT, child.root, child.ranks));
  }
  tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, call->count), tutti_output_block(call, call->rank));
}

static void build_gather_inner(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree)
{
  struct subtree own = subtree_of(call, call->rank);
  tutti_buffer buffer = tutti_builder_temporary(builder, (uint64_t)own.ranks * call->count);
  tutti_vertex_id begin = tutti_builder_next(builder);
  tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, call->count), equal_blocks(call, buffer, 0, 1));
  for (int c = 0; c < tree->child_count; c++) {
    struct subtree child = subtree_of(call, tutti_tree_child(tree, c));
    tutti_add_recv(builder, child.root, blocks_of_child(call, buffer, &own, &child));
  }
  tutti_vertex_id send = tutti_add_send(builder, tree->parent, equal_blocks(call, buffer, 0, own.ranks));
  for (int i = 0; i <= tree->child_count; i++)
    tutti_add_after(builder, send, begin + (tutti_vertex_id)i);
}

void tutti_build_gather_binomial(tutti_builder *builder, const tutti_call *call)
{
  tutti_tree tree;
  if (!tutti_place_in_tree(builder, call, TUTTI_TREE_IN_ORDER_BINOMIAL, call->root, &tree) || call->count == 0)
    return;
  if (tree.parent < 0)
    build_gather_root(builder, call, &tree);
  else if (tree.child_count > 0)
    build_gather_inner(builder, call, &tree);
  else
    tutti_add_send(builder, tree.parent, tutti_block_of(TUTTI_INPUT, 0, call->count));
}
