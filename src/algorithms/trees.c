#include "algorithms/tree_shapes.h"
#include "tutti/tree.h"

static const struct tree_shape *const shapes[] = {
    [TUTTI_TREE_FLAT] = &tutti_shape_flat,
    [TUTTI_TREE_CHAIN] = &tutti_shape_chain,
    [TUTTI_TREE_PIPELINE] = &tutti_shape_pipeline,
    [TUTTI_TREE_BINARY] = &tutti_shape_binary,
    [TUTTI_TREE_IN_ORDER_BINARY] = &tutti_shape_in_order_binary,
    [TUTTI_TREE_BINOMIAL] = &tutti_shape_binomial,
    [TUTTI_TREE_IN_ORDER_BINOMIAL] = &tutti_shape_in_order_binomial,
    [TUTTI_TREE_KARY] = &tutti_shape_kary,
    [TUTTI_TREE_KNOMIAL] = &tutti_shape_knomial,
};

static int to_rank(const tutti_tree *tree, int v)
{
  int room = tree->size - tree->root; /* v + root may pass the largest int */
  return v < room ? v + tree->root : v - room;
}

static int to_virtual(const tutti_tree *tree, int rank)
{
  return rank >= tree->root ? rank - tree->root : rank + (tree->size - tree->root);
}

static tutti_status check(tutti_tree_shape shape, int k, int size, int root, int rank, tutti_error *error)
{
  if ((unsigned)shape >= TUTTI_TREE_EXPLICIT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "tree shape %d cannot be computed", (int)shape);
  const char *name = shapes[shape]->name;
  if (size < 1 || rank < 0 || rank >= size || root < 0 || root >= size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s tree: rank %d and root %d must be in a group of %d ranks", name,
                      rank, root, size);
  if (k < shapes[shape]->min_k)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s tree: k=%d must be at least %d", name, k, shapes[shape]->min_k);
  return TUTTI_OK;
}

tutti_status tutti_tree_init(tutti_tree *tree, tutti_tree_shape shape, int k, int size, int root, int rank,
                             tutti_error *error)
{
  tutti_status status = check(shape, k, size, root, rank, error);
  if (status != TUTTI_OK)
    return status;
  const struct tree_shape *form = shapes[shape];
  *tree = (tutti_tree){.shape = shape, .size = size, .root = root, .rank = rank, .k = form->min_k ? k : 0};
  int v = to_virtual(tree, rank);
  tree->parent = v == 0 ? -1 : to_rank(tree, form->parent(v, size, k));
  tree->child_count = form->child_count(v, size, k);
  return TUTTI_OK;
}

void tutti_tree_init_explicit(tutti_tree *tree, int size, int root, int rank, int parent, const int *children,
                              int child_count)
{
  *tree = (tutti_tree){.shape = TUTTI_TREE_EXPLICIT,
                       .size = size,
                       .root = root,
                       .rank = rank,
                       .parent = parent,
                       .child_count = child_count,
                       .children = children};
}

int tutti_tree_child(const tutti_tree *tree, int index)
{
  if (tree->shape == TUTTI_TREE_EXPLICIT)
    return tree->children[index];
  int v = to_virtual(tree, tree->rank);
  return to_rank(tree, shapes[tree->shape]->child(v, index, tree->size, tree->k));
}

const char *tutti_tree_shape_name(tutti_tree_shape shape)
{
  return (unsigned)shape < TUTTI_TREE_EXPLICIT ? shapes[shape]->name : "explicit";
}
