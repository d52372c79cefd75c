/* What lies below the nodes of a quadtree. Where an axis has fewer points than another, a region can be within one
 * point: then a cut of it has questions on one side only. */
#include "decision/learners/quadtree/quadtree.h"

#include <math.h>
#include <stdlib.h>

static void bound_child(const struct quadtree_node *node, const struct quadtree_summary *parent, unsigned child,
                        struct quadtree_summary *summary)
{
  for (int axis = 0; axis < TUTTI_AXES; axis++) {
    uint64_t cut = quadtree_cut(node, axis);
    summary->from[axis] = parent->from[axis];
    summary->upto[axis] = parent->upto[axis];
    if (child & 1u << axis)
      summary->from[axis] = cut + 1 > parent->from[axis] ? cut + 1 : parent->from[axis];
    else
      summary->upto[axis] = cut < parent->upto[axis] ? cut : parent->upto[axis];
  }
}

static void bound_children(const tutti_quadtree *tree, uint32_t index, struct quadtree_summary *summaries)
{
  const struct quadtree_node *node = &tree->nodes[index];
  for (unsigned child = 0; child < (unsigned)tree->fan && !quadtree_is_leaf(node); child++)
    bound_child(node, &summaries[index], child, &summaries[node->next + child]);
}

static bool is_reached(const struct quadtree_summary *summary)
{
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    if (summary->from[axis] > summary->upto[axis])
      return false;
  return true;
}

struct quadtree_choice tutti_quadtree_choose(const tutti_quadtree *tree, const struct quadtree_summary *summaries,
                                             uint32_t node, unsigned fixed, unsigned outcome)
{
  struct quadtree_choice choice = {0};
  for (unsigned child = 0; child < (unsigned)tree->fan; child++)
    if (quadtree_has_child(tree, child) && (child & fixed) == outcome &&
        is_reached(&summaries[tree->nodes[node].next + child]))
      choice.children[choice.count++] = child;
  return choice;
}

struct quadtree_summary tutti_quadtree_sum_up(const tutti_quadtree *tree, const struct quadtree_summary *summaries,
                                              uint32_t node, const struct quadtree_choice *choice)
{
  const struct quadtree_summary *block = &summaries[tree->nodes[node].next];
  struct quadtree_summary sum = summaries[node];
  sum.cells = sum.other = 0;
  sum.uniform = block[choice->children[0]].uniform;
  double most = -1;
  for (int i = 0; i < choice->count; i++) {
    const struct quadtree_summary *child = &block[choice->children[i]];
    sum.cells += child->cells;
    sum.other += child->other;
    sum.uniform = child->uniform == sum.uniform ? sum.uniform : -1;
    if (child->cells > most) {
      most = child->cells;
      sum.label = child->label;
    }
  }
  return sum;
}

static void sum_up_leaf(const tutti_quadtree *tree, uint32_t index, double cells, struct quadtree_summary *summary)
{
  summary->cells = cells;
  summary->other = (double)tree->nodes[index].cuts;
  summary->label = summary->uniform = quadtree_leaf_label(&tree->nodes[index]);
}

/* Cells of each node come down, sums go up: children stand behind their parents. */
static void sum_up_all(const tutti_quadtree *tree, struct quadtree_summary *summaries)
{
  int axes = __builtin_popcount(tree->tested);
  summaries[0].cells = ldexp(1, axes * tree->levels);
  for (uint32_t i = 0; i < tree->count; i++)
    for (int child = 0; child < tree->fan && !quadtree_is_leaf(&tree->nodes[i]); child++)
      summaries[tree->nodes[i].next + (uint32_t)child].cells = ldexp(summaries[i].cells, -axes);
  for (uint32_t i = tree->count; i-- > 0;) {
    if (quadtree_is_leaf(&tree->nodes[i])) {
      sum_up_leaf(tree, i, summaries[i].cells, &summaries[i]);
      continue;
    }
    struct quadtree_choice choice = tutti_quadtree_choose(tree, summaries, i, 0, 0);
    if (choice.count > 0)
      summaries[i] = tutti_quadtree_sum_up(tree, summaries, i, &choice);
  }
}

struct quadtree_summary *tutti_quadtree_summaries(const tutti_quadtree *tree)
{
  struct quadtree_summary *summaries = calloc(tree->count, sizeof *summaries);
  if (!summaries)
    return NULL;
  summaries[0].upto[TUTTI_AXIS_RANKS] = QUADTREE_MAX_RANKS;
  summaries[0].upto[TUTTI_AXIS_BYTES] = QUADTREE_MAX_BYTES;
  summaries[0].upto[TUTTI_AXIS_RANKS_PER_NODE] = QUADTREE_MAX_NODES;
  for (uint32_t i = 0; i < tree->count; i++)
    bound_children(tree, i, summaries);
  sum_up_all(tree, summaries);
  return summaries;
}
