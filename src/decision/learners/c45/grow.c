/* Growing a tree (Quinlan 1993, sections 2.1 and 3.2). Recursion is limited by TUTTI_C45_DEPTH. */
#include <stdlib.h>

#include "decision/learners/c45/learner.h"

/* Too few cases, or all of one class, or too deep. */
static bool is_finished(const c45_learner *l, const tutti_node *node, int depth)
{
  return node->errors < C45_SLACK || node->cases < 2 * l->options->weight - C45_SLACK || depth >= TUTTI_C45_DEPTH;
}

static bool plant_test(c45_learner *l, int index, int attribute, const c45_test *test)
{
  int first = tutti_c45_add_nodes(l, test->branch_count);
  if (first < 0) {
    free(test->branch_of);
    return false;
  }
  tutti_node *node = &l->tree->nodes[index];
  node->attribute = attribute;
  node->threshold = test->threshold;
  node->branch_count = test->branch_count;
  node->branch_of = test->branch_of;
  node->first = first;
  for (int b = 0; b < node->branch_count; b++)
    l->tree->nodes[first + b].label = node->label;
  return true;
}

static double grow(c45_learner *l, int index, c45_range range, int depth);

/* Errors on the training cases of all branches. A branch without cases stays a leaf of its parent's class. */
static double grow_branches(c45_learner *l, int index, c45_range range, int depth)
{
  c45_descent descent;
  c45_range branch;
  double errors = 0.0;
  if (!tutti_c45_descend(l, index, range, &descent))
    return 0.0;
  while (tutti_c45_next_branch(&descent, &branch))
    if (branch.end > branch.first)
      errors += grow(l, l->tree->nodes[index].first + descent.branch, branch, depth + 1);
  return errors;
}

/* Returns the errors on the training cases. */
static double grow(c45_learner *l, int index, c45_range range, int depth)
{
  c45_test test;
  tutti_c45_count(l, range, c45_distribution(l, index));
  tutti_c45_set_cases(l, index, -1);
  double leaf_errors = l->tree->nodes[index].errors;
  if (is_finished(l, &l->tree->nodes[index], depth))
    return leaf_errors;
  int attribute = tutti_c45_select(l, range, l->tree->nodes[index].cases, &test), mark = l->tree->node_count;
  if (attribute < 0 || !plant_test(l, index, attribute, &test))
    return leaf_errors;
  double errors = grow_branches(l, index, range, depth);
  if (errors < leaf_errors - C45_EPSILON)
    return errors;
  tutti_c45_drop_nodes(l, mark);
  tutti_c45_make_leaf(l, index);
  return leaf_errors;
}

void tutti_c45_grow(c45_learner *l, c45_range range)
{
  tutti_c45_drop_nodes(l, 0);
  if (tutti_c45_add_nodes(l, 1) == 0)
    grow(l, 0, range, 0);
}
