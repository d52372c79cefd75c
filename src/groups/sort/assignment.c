#include "groups/sort/assignment.h"

/* ---- places ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

struct sort_interval tutti_sort_share(const struct sort_places *places, struct sort_interval of, int process)
{
  struct sort_interval share = {
      later(of.low, tutti_sort_first_place(places->n, places->p, process)),
      earlier(of.high, tutti_sort_first_place(places->n, places->p, process + 1)),
  };
  if (share.low >= share.high)
    share.low = share.high = of.low;
  return share;
}

int tutti_sort_members(const struct sort_places *places, struct sort_interval of, int *first)
{
  *first = tutti_sort_owner(places->n, places->p, of.low);
  return tutti_sort_owner(places->n, places->p, of.high - 1) - *first + 1;
}

struct sort_interval tutti_sort_next_piece(const struct sort_places *places, struct sort_interval *rest, int *owner)
{
  *owner = tutti_sort_owner(places->n, places->p, rest->low);
  struct sort_interval piece = tutti_sort_share(places, *rest, *owner);
  rest->low = piece.high;
  return piece;
}

/* ---- combining ---- */

uint64_t tutti_sort_threshold(const struct sort_places *places)
{
  return (places->n / (uint64_t)places->p + 2) / 3;
}

/* An inner node has leaves low .. middle - 1 and middle .. high - 1, where middle - low is a power of two. */
struct branch {
  int low, middle, high;
};

static struct branch branch_of(int low, int high)
{
  int half = 1;
  while (2 * half < high - low)
    half *= 2;
  return (struct branch){low, low + half, high};
}

/* The process that is the node of a branch: the root's is the last one. */
static int process_of(const struct branch *branch, int size)
{
  return branch->low == 0 && branch->high == size ? size - 1 : branch->middle - 1;
}

/* The process that passes the pieces of leaves low .. high - 1. */
static int child_of(int low, int high, int size)
{
  struct branch branch = branch_of(low, high);
  return high - low == 1 ? low : process_of(&branch, size);
}

static void become(struct sort_node *node, const struct branch *branch, int parent, int size)
{
  node->inner = true;
  node->children[0] = child_of(branch->low, branch->middle, size);
  node->children[1] = child_of(branch->middle, branch->high, size);
  node->parent = parent;
}

/* From the root down to the leaf. All nodes of a process are on that way. */
struct sort_node tutti_sort_node(int size, int rank)
{
  struct sort_node node = {.inner = false, .children = {-1, -1}, .parent = -1};
  int low = 0, high = size, parent = -1;
  while (high - low > 1) {
    struct branch branch = branch_of(low, high);
    int process = process_of(&branch, size);
    if (process == rank)
      become(&node, &branch, parent, size);
    parent = process;
    if (rank < branch.middle)
      high = branch.middle;
    else
      low = branch.middle;
  }
  node.leaf_parent = parent;
  return node;
}
