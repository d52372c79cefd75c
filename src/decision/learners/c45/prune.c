/* Pruning by the estimated errors on unseen cases (Quinlan 1993, chapter 4): from the bottom up a test gives way to a
   leaf, or to its largest branch, which then works on all cases of the test. Recursion is limited by TUTTI_C45_DEPTH.
 */
#include "decision/learners/c45/learner.h"

#include <stdlib.h>

#include "base/numbers.h"

/* ---- errors on unseen cases ---- */

/* The pessimistic estimate of a leaf is the upper limit U_CF(e, n) of a binomial probability (Quinlan 1993, section
   4.2), by the normal approximation with a correction for continuity. */

/* The normal deviate that is exceeded with probability p, Release 8's table (Geigy), linear between its points. */
static double table_deviate(double p)
{
  static const double probabilities[] = {0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00};
  static const double deviates[] = {4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00};
  int i = 1;
  while (i < 8 && p > probabilities[i])
    i++;
  double part = (p - probabilities[i - 1]) / (probabilities[i] - probabilities[i - 1]);
  return deviates[i - 1] + (deviates[i] - deviates[i - 1]) * part;
}

double tutti_c45_deviate(const tutti_c45_options *options)
{
  double p = options->confidence / 100;
  return options->limit == TUTTI_LIMIT_NORMAL ? p > 0.5 ? 0.0 : tutti_normal_deviate(p) : table_deviate(p);
}

/* At least one error; f = (e + 1/2) / n. */
static double add_to_many(const c45_learner *l, double n, double e)
{
  double z = l->deviate, f = e + 0.5;
  if (f >= n)
    return l->options->limit == TUTTI_LIMIT_NORMAL ? fmax(n - e, 0.0) : 0.67 * (n - e);
  double upper = (f + z * z / 2 + z * sqrt(f * (1 - f / n) + z * z / 4)) / (n + z * z);
  return n * upper - e;
}

double tutti_c45_add_errors(const c45_learner *l, double n, double e)
{
  double p = l->options->confidence / 100;
  double exact = l->options->limit == TUTTI_LIMIT_NORMAL ? 1.0 : 0.9999;
  if (l->options->limit == TUTTI_LIMIT_NORMAL && p > 0.5)
    return 0.0;
  if (e >= exact)
    return add_to_many(l, n, e);
  double none = n * (1 - pow(p, 1 / n));
  return e < C45_SLACK ? none : none + e * (add_to_many(l, n, 1.0) - none);
}

/* ---- pruning ---- */

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
  tutti_c45_descend(l, node, range, &descent);
  while (tutti_c45_next_branch(&descent, &branch))
    if (branch.end > branch.first)
      errors += estimate_on(l, l->tree->nodes[node].first + descent.branch, branch);
  return errors;
}

/* No case reaches this node now: make it a leaf of the most frequent class above. */
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
  if (l->tree->nodes[node].branch_count == 0)
    return;
  tutti_c45_descend(l, node, range, &descent);
  while (tutti_c45_next_branch(&descent, &branch)) {
    int child = l->tree->nodes[node].first + descent.branch;
    if (branch.end > branch.first)
      tutti_c45_redistribute(l, child, branch);
    else
      empty(l, child, l->tree->nodes[node].label);
  }
}

/* The last of the branches with the most cases. */
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
  tutti_c45_descend(l, node, range, &descent);
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
    if (l->tree->nodes[node].branch_count == 0)
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
