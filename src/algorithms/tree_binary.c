/* Binary trees: balanced, and with subtrees that are ranges. */
#include <stdint.h>

#include "algorithms/tree_shapes.h"

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

const struct tree_shape tutti_shape_binary = {"binary", 0, binary_parent, binary_child_count, binary_child};
const struct tree_shape tutti_shape_in_order_binary = {"in-order-binary", 0, in_order_binary_parent,
                                                       in_order_binary_child_count, in_order_binary_child};
