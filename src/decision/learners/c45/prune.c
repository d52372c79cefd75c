/* Pruning by the estimated errors on unseen cases (Quinlan 1993, chapter 4): from the bottom up a test gives way to a
   leaf, or to its largest branch, which then works on all cases of the test. Recursion is limited by TUTTI_C45_DEPTH.
 */
#include <stdlib.h>

#include "decision/learners/c45/learner.h"

/* Improvements by less than this do not pay for a test. */
static const double TOLERANCE = 0.1;

static double leaf_estimate(const c45_learner *l, const double *distribution)
{
  double cases = 0.0, most = 0.0;
  for (int c = 0; c < l->tree->class_count; c++) {
    cases += distribution[c];
    most = fmax(most, distribution[c]);
  }
  return cases < C45_SLACK ? 0.0 : cases - most + tutti_c45_add_errors(l, cases, cases - most);
}

double tutti_c45_estimate(c45_learner *l, int node)
{
  return leaf_estimate(l, c45_distribution(l, node));
}

/* Estimated errors if the tree at @p node worked on the cases of @p range. */
static double estimate_on(c45_learner *l, int node, c45_range range)
{
  c45_descent descent;
  c45_range branch;
  double errors = 0.0;
  if (l->tree->nodes[node].branch_count == 0) {
    tutti_c45_count(l, range, l->leaf);
    return leaf_estimate(l, l->leaf);
  }
  if (!tutti_c45_descend(l, node, range, &descent))
    return 0.0;
  while (tutti_c45_next_branch(&descent, &branch))
    if (branch.end > branch.first)
      errors += estimate_on(l, l->tree->nodes[node].first + descent.branch, branch);
  return errors;
}

/* No case comes here any more: a leaf of the most frequent class above. */
static void empty(c45_learner *l, int node, int label)
{
  tutti_c45_make_leaf(l, node);
  tutti_c45_count(l, (c45_range){0, 0}, c45_distribution(l, node));
  l->tree->nodes[node].cases = l->tree->nodes[node].errors = 0.0;
  l->tree->nodes[node].label = label;
}

/* Count the cases of @p range anew, at @p node and below. */
void tutti_c45_redistribute(c45_learner *l, int node, c45_range range)
{
  c45_descent descent;
  c45_range branch;
  tutti_c45_count(l, range, c45_distribution(l, node));
  tutti_c45_set_cases(l, node, l->options->limit == TUTTI_LIMIT_NORMAL ? -1 : l->tree->nodes[node].label);
  if (l->tree->nodes[node].branch_count == 0 || !tutti_c45_descend(l, node, range, &descent))
    return;
  while (tutti_c45_next_branch(&descent, &branch)) {
    int child = l->tree->nodes[node].first + descent.branch;
    if (branch.end > branch.first)
      tutti_c45_redistribute(l, child, branch);
    else
      empty(l, child, l->tree->nodes[node].label);
  }
}

/* The last of those that have most cases. */
static int largest_branch(const c45_learner *l, const tutti_node *node)
{
  int largest = node->first;
  for (int b = 1; b < node->branch_count; b++)
    if (l->tree->nodes[node->first + b].cases > l->tree->nodes[largest].cases - C45_SLACK)
      largest = node->first + b;
  return largest;
}

/* Nothing leads to the other branches any more; tutti_c45_compact() removes them. */
static void raise_branch(c45_learner *l, int node, int branch)
{
  tutti_c45_make_leaf(l, node);
  l->tree->nodes[node] = l->tree->nodes[branch];
  l->tree->nodes[branch].branch_of = NULL;
  l->tree->nodes[branch].branch_count = 0;
}

static double finish_leaf(c45_learner *l, int node, double estimate)
{
  tutti_c45_make_leaf(l, node);
  l->tree->nodes[node].errors = estimate;
  return estimate;
}

static double prune(c45_learner *l, int node, c45_range range);

static double prune_branches(c45_learner *l, int node, c45_range range)
{
  c45_descent descent;
  c45_range branch;
  double errors = 0.0;
  if (!tutti_c45_descend(l, node, range, &descent))
    return 0.0;
  while (tutti_c45_next_branch(&descent, &branch))
    if (branch.end > branch.first)
      errors += prune(l, l->tree->nodes[node].first + descent.branch, branch);
  return errors;
}

/* A tree that was raised is pruned again, as its cases are others now; each time it has fewer nodes. */
static double prune(c45_learner *l, int node, c45_range range)
{
  for (;;) {
    double leaf = tutti_c45_estimate(l, node);
    if (l->tree->nodes[node].branch_count == 0 || l->out_of_memory)
      return finish_leaf(l, node, leaf);
    double tree = prune_branches(l, node, range);
    int largest = largest_branch(l, &l->tree->nodes[node]);
    double branch = l->options->no_raising ? INFINITY : estimate_on(l, largest, range);
    if (leaf <= tree + TOLERANCE + C45_SLACK && leaf <= branch + TOLERANCE + C45_SLACK)
      return finish_leaf(l, node, leaf);
    if (branch > tree + TOLERANCE + C45_SLACK)
      return tree;
    raise_branch(l, node, largest);
    tutti_c45_redistribute(l, node, range);
  }
}

double tutti_c45_prune(c45_learner *l, c45_range range)
{
  return prune(l, 0, range);
}
