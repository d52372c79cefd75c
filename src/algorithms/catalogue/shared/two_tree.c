#include "algorithms/catalogue/shared/two_tree.h"

static int64_t lowest_bit(int64_t x)
{
  return x & -x;
}

/* The largest power of two up to n. */
int64_t tutti_in_order_root(int64_t n)
{
  int64_t bit = 1;
  while (bit <= n / 2)
    bit *= 2;
  return bit;
}

static int64_t parent_of(int64_t x, int64_t n)
{
  if (x == tutti_in_order_root(n))
    return 0;
  do {
    int64_t bit = lowest_bit(x);
    x = (x ^ bit) | 2 * bit;
  } while (x > n);
  return x;
}

static int64_t right_of(int64_t x, int64_t n)
{
  int64_t right = lowest_bit(x) - 1 < n - x ? lowest_bit(x) - 1 : n - x;
  return right > 0 ? x + tutti_in_order_root(right) : 0;
}

struct in_order tutti_in_order(int64_t x, int64_t n)
{
  return (struct in_order){parent_of(x, n), lowest_bit(x) > 1 ? x - lowest_bit(x) / 2 : 0, right_of(x, n)};
}

/* The node at a position of the second tree of n: mirrored if n is even, else shifted by one. Both turn even positions,
   the inner ones, into odd nodes. */
static int64_t node_at(int64_t x, int64_t n, bool second)
{
  return !second ? x : n % 2 == 0 ? n + 1 - x : x % n + 1;
}

static int64_t position_of(int64_t node, int64_t n, bool second)
{
  return !second ? node : n % 2 == 0 ? n + 1 - node : node == 1 ? n : node - 1;
}

static void add_child(struct two_tree_place *place, const tutti_call *call, int64_t x, bool second)
{
  if (x > 0)
    place->children[place->child_count++] = (int)((node_at(x, call->size - 1, second) + call->root) % call->size);
}

struct two_tree_place tutti_two_tree_place(const tutti_call *call, bool second)
{
  int64_t n = call->size - 1, node = ((int64_t)call->rank - call->root + call->size) % call->size;
  struct two_tree_place place = {.parent = -1};
  if (node == 0) {
    add_child(&place, call, tutti_in_order_root(n), second);
    return place;
  }
  struct in_order x = tutti_in_order(position_of(node, n, second), n);
  int64_t parent = x.parent == 0 ? 0 : node_at(x.parent, n, second);
  place.parent = (int)((parent + call->root) % call->size);
  add_child(&place, call, x.left, second);
  add_child(&place, call, x.right, second);
  return place;
}

tutti_segmentation tutti_two_tree_half(const tutti_call *call, bool second)
{
  uint64_t first = call->count - call->count / 2;
  return tutti_segments(call, second ? first : 0, second ? call->count - first : first);
}
