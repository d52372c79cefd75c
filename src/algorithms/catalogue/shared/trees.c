/* Trees. Shapes are defined on virtual ranks, the root being 0; each shape is one row of functions. Arithmetic that may
   exceed the largest int uses 64 bits: sizes go up to INT_MAX. */
#include <stdint.h>

#include "algorithms/catalogue/builders.h"
#include "algorithms/catalogue/shared/knomial.h"

struct tree_shape {
  const char *name;
  int min_k;                             /* 0: the shape takes no k */
  int fixed_k;                           /* the k of its functions then */
  int (*parent)(int v, int size, int k); /* v > 0 */
  int (*child_count)(int v, int size, int k);
  int (*child)(int v, int index, int size, int k); /* 0 <= index < child_count */
};

static int smaller(int64_t a, int64_t b)
{
  return (int)(a < b ? a : b);
}

/* ---- flat ---- */

static int flat_parent(int v, int size, int k)
{
  (void)v, (void)size, (void)k;
  return 0;
}

static int flat_child_count(int v, int size, int k)
{
  (void)k;
  return v == 0 ? size - 1 : 0;
}

static int flat_child(int v, int index, int size, int k)
{
  (void)v, (void)size, (void)k;
  return index + 1;
}

/* ---- chain(k), and the pipeline as its case k = 1: the ranks 1..size-1 in k runs, the first (size-1) mod k of which
   are one longer ----

   size 8, k 3:   0 -> 1 -> 2 -> 3      0 -> 4 -> 5      0 -> 6 -> 7 */

static int64_t chain_start(int64_t chain, int size, int k)
{
  int64_t others = size - 1, longer = others % k, length = others / k;
  return 1 + chain * length + (chain < longer ? chain : longer);
}

static int chain_of(int v, int size, int k)
{
  int64_t others = size - 1, longer = others % k, length = others / k, place = v - 1;
  if (place < longer * (length + 1))
    return (int)(place / (length + 1));
  return (int)(longer + (place - longer * (length + 1)) / length);
}

static int chain_parent(int v, int size, int k)
{
  return v == chain_start(chain_of(v, size, k), size, k) ? 0 : v - 1;
}

static int chain_child_count(int v, int size, int k)
{
  if (v == 0)
    return smaller(k, size - 1);
  return v + 1 < chain_start((int64_t)chain_of(v, size, k) + 1, size, k);
}

static int chain_child(int v, int index, int size, int k)
{
  return v == 0 ? (int)chain_start(index, size, k) : v + 1;
}

/* ---- k-ary ---- */

static int kary_parent(int v, int size, int k)
{
  (void)size;
  return (v - 1) / k;
}

static int kary_child_count(int v, int size, int k)
{
  int64_t first = (int64_t)v * k + 1;
  return first >= size ? 0 : smaller(k, size - first);
}

static int kary_child(int v, int index, int size, int k)
{
  (void)size;
  return v * k + 1 + index;
}

/* ---- balanced binary: level l holds v = 2^l - 1 + i, 0 <= i < 2^l; its children are v + 2^l and v + 2^(l+1) ----

             0              The two subtrees of a node take turns along each level, so when the last level is
         1       2          incomplete they differ by at most one node, the left one being the larger. All nodes of
       3   5   4   6        the root's left subtree are odd, and v + 1 stands in the right one at the same place. */

static int64_t level_width(int64_t v)
{
  int64_t width = 1;
  while (2 * width <= v + 1)
    width *= 2;
  return width;
}

static int binary_parent(int v, int size, int k)
{
  (void)size, (void)k;
  int64_t above = level_width(v) / 2, place = v - (2 * above - 1);
  return (int)(above - 1 + place % above);
}

static int binary_child_count(int v, int size, int k)
{
  (void)k;
  int64_t width = level_width(v);
  return (v + width < size) + (v + 2 * width < size);
}

static int binary_child(int v, int index, int size, int k)
{
  (void)size, (void)k;
  return (int)(v + level_width(v) * (index + 1));
}

/* ---- in-order binary: a subtree is a range; its first rank is its root, the larger half of the rest its left subtree

   size 7:    0            Operands combined as node, left, right stand in the order of the ranks.
           1     4
          2 3   5 6 */

struct range {
  int first, end; /* the subtree's ranks */
  int parent;
};

static int left_size(struct range r)
{
  return (r.end - r.first) / 2;
}

static struct range in_order_range(int v, int size)
{
  struct range r = {0, size, -1};
  while (r.first != v) {
    int right = r.first + 1 + left_size(r);
    if (v < right)
      r = (struct range){r.first + 1, right, r.first};
    else
      r = (struct range){right, r.end, r.first};
  }
  return r;
}

static int in_order_binary_parent(int v, int size, int k)
{
  (void)k;
  return in_order_range(v, size).parent;
}

static int in_order_binary_child_count(int v, int size, int k)
{
  (void)k;
  struct range r = in_order_range(v, size);
  return r.end - r.first > 2 ? 2 : r.end - r.first - 1;
}

static int in_order_binary_child(int v, int index, int size, int k)
{
  (void)k;
  return index == 0 ? v + 1 : v + 1 + left_size(in_order_range(v, size));
}

/* ---- binomial: in round j every v < 2^j sends to v + 2^j ---- */

static int64_t first_round(int64_t v)
{
  int64_t bit = 1;
  while (bit <= v)
    bit *= 2;
  return bit;
}

static int binomial_parent(int v, int size, int k)
{
  (void)size, (void)k;
  return (int)(v - first_round(v) / 2);
}

static int binomial_child_count(int v, int size, int k)
{
  (void)k;
  int count = 0;
  for (int64_t bit = first_round(v); v + bit < size; bit *= 2)
    count++;
  return count;
}

static int binomial_child(int v, int index, int size, int k)
{
  (void)size, (void)k;
  return (int)(v + (first_round(v) << index));
}

/* ---- any shape ---- */

static const struct tree_shape shapes[] = {
    [TUTTI_TREE_FLAT] = {"flat", 0, 0, flat_parent, flat_child_count, flat_child},
    [TUTTI_TREE_CHAIN] = {"chain", 1, 0, chain_parent, chain_child_count, chain_child},
    [TUTTI_TREE_PIPELINE] = {"pipeline", 0, 1, chain_parent, chain_child_count, chain_child},
    [TUTTI_TREE_BINARY] = {"binary", 0, 0, binary_parent, binary_child_count, binary_child},
    [TUTTI_TREE_IN_ORDER_BINARY] = {"in-order-binary", 0, 0, in_order_binary_parent, in_order_binary_child_count,
                                    in_order_binary_child},
    [TUTTI_TREE_BINOMIAL] = {"binomial", 0, 0, binomial_parent, binomial_child_count, binomial_child},
    [TUTTI_TREE_IN_ORDER_BINOMIAL] = {"in-order-binomial", 0, 2, tutti_knomial_parent, tutti_knomial_child_count,
                                      tutti_knomial_child},
    [TUTTI_TREE_KARY] = {"k-ary", 1, 0, kary_parent, kary_child_count, kary_child},
    [TUTTI_TREE_KNOMIAL] = {"k-nomial", 2, 0, tutti_knomial_parent, tutti_knomial_child_count, tutti_knomial_child},
    [TUTTI_TREE_KNOMIAL_1] = {"k-nomial-1", 2, 0, tutti_knomial_1_parent, tutti_knomial_1_child_count,
                              tutti_knomial_1_child},
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

static tutti_status check_tree(tutti_tree_shape shape, int k, int size, int root, int rank, tutti_error *error)
{
  if ((unsigned)shape >= TUTTI_TREE_EXPLICIT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "tree shape %d cannot be computed", (int)shape);
  const char *name = shapes[shape].name;
  if (size < 1 || rank < 0 || rank >= size || root < 0 || root >= size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s tree: rank %d and root %d must be in a group of %d ranks", name,
                      rank, root, size);
  if (k < shapes[shape].min_k)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s tree: k=%d must be at least %d", name, k, shapes[shape].min_k);
  return TUTTI_OK;
}

tutti_status tutti_tree_init(tutti_tree *tree, tutti_tree_shape shape, int k, int size, int root, int rank,
                             tutti_error *error)
{
  tutti_status status = check_tree(shape, k, size, root, rank, error);
  if (status != TUTTI_OK)
    return status;
  const struct tree_shape *form = &shapes[shape];
  *tree = (tutti_tree){.shape = shape, .size = size, .root = root, .rank = rank, .k = form->min_k ? k : 0};
  int v = to_virtual(tree, rank);
  k = form->min_k ? k : form->fixed_k;
  tree->parent = v == 0 ? -1 : to_rank(tree, form->parent(v, size, k));
  tree->child_count = form->child_count(v, size, k);
  return TUTTI_OK;
}

bool tutti_place_in_tree(tutti_builder *builder, const tutti_call *call, tutti_tree_shape shape, int root,
                         tutti_tree *tree)
{
  tutti_error error;
  if (tutti_tree_init(tree, shape, call->parameters.k, call->size, root, call->rank, &error) == TUTTI_OK)
    return true;
  tutti_builder_fault(builder, &error);
  return false;
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
  const struct tree_shape *form = &shapes[tree->shape];
  int v = to_virtual(tree, tree->rank);
  return to_rank(tree, form->child(v, index, tree->size, form->min_k ? tree->k : form->fixed_k));
}

const char *tutti_tree_shape_name(tutti_tree_shape shape)
{
  return (unsigned)shape < TUTTI_TREE_EXPLICIT ? shapes[shape].name : "explicit";
}
