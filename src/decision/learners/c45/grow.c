/* Growing a tree (Quinlan 1993, sections 2.1 and 3.2), and its nodes. Recursion is limited by TUTTI_C45_DEPTH. */
#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "decision/learners/c45/learner.h"

/* ---- the choice of a test: the best gain ratio among the tests of at least average gain (Quinlan 1993, 2.2) ---- */

void tutti_c45_gather(c45_learner *l, c45_range range)
{
  for (int c = 0; c < l->tree->class_count; c++)
    l->all[c] = 0.0;
  for (size_t i = range.first; i < range.end; i++) {
    l->labels[i - range.first] = l->cases->labels[l->items[i]];
    if (l->weighted)
      l->local_weights[i - range.first] = l->weights[l->items[i]];
    l->all[l->labels[i - range.first]] += c45_local_weight(l, i - range.first);
  }
}

/* Attributes with a value for nearly every third case would raise the average beyond reach. */
static bool many_valued(const c45_learner *l, int attribute)
{
  int values = l->cases->attributes[attribute].value_count;
  return values > 0 && values >= 0.3 * (double)l->cases->count - C45_SLACK;
}

static void rate_all(c45_learner *l, c45_range range, double total)
{
  for (int a = 0; a < l->cases->attribute_count; a++) {
    l->tests[a] = (c45_test){.possible = false};
    if (l->cases->attributes[a].ignored)
      continue;
    if (l->cases->attributes[a].value_count > 0)
      tutti_c45_test_discrete(l, a, range, total, &l->tests[a]);
    else
      tutti_c45_test_continuous(l, a, range, total, &l->tests[a]);
  }
}

static double average_gain(const c45_learner *l)
{
  double sum = 0.0;
  int count = 0;
  for (int a = 0; a < l->cases->attribute_count; a++)
    if (l->tests[a].possible && (l->all_many_valued || !many_valued(l, a))) {
      sum += l->tests[a].gain;
      count++;
    }
  return count > 0 ? sum / count : 1e6;
}

/* Release 8 requires some information of the split; J48 leaves out trivial splits only. */
static double worth(const c45_learner *l, const c45_test *test, double average)
{
  double least_info = l->options->limit == TUTTI_LIMIT_NORMAL ? C45_SLACK : C45_EPSILON;
  if (l->options->gain)
    return test->info > 0 ? test->gain : -1.0;
  return test->gain >= average - C45_EPSILON && test->info > least_info ? test->gain / test->info : -1.0;
}

/* A discrete test may have no gain and yet be the first step to one: Release 8 takes it if no test is better. */
static int best_attribute(const c45_learner *l)
{
  double best = l->options->limit == TUTTI_LIMIT_NORMAL ? 0.0 : -C45_EPSILON;
  double average = average_gain(l);
  int attribute = -1;
  for (int a = 0; a < l->cases->attribute_count; a++) {
    double value = l->tests[a].possible ? worth(l, &l->tests[a], average) : -1.0;
    if (value > best + C45_SLACK) {
      best = value;
      attribute = a;
    }
  }
  return attribute;
}

static int *identity(int count)
{
  int *branches = tutti_xcalloc((size_t)count, sizeof *branches);
  for (int v = 0; v < count; v++)
    branches[v] = v;
  return branches;
}

/* The test to make at a node; -1: none. Its branch_of, if any, is the caller's. */
static int select_test(c45_learner *l, c45_range range, double total, c45_test *test)
{
  tutti_c45_gather(l, range);
  rate_all(l, range, total);
  int attribute = best_attribute(l);
  for (int a = 0; a < l->cases->attribute_count; a++)
    if (a != attribute)
      free(l->tests[a].branch_of);
  if (attribute < 0)
    return -1;
  *test = l->tests[attribute];
  if (l->cases->attributes[attribute].value_count > 0 && !test->branch_of)
    test->branch_of = identity(l->cases->attributes[attribute].value_count);
  return attribute;
}

/* ---- nodes ---- */

static void reserve(c45_learner *l, int count)
{
  tutti_classifier *tree = l->tree;
  if (count <= l->node_room)
    return;
  l->node_room = count <= INT_MAX / 2 ? 2 * count : INT_MAX;
  const size_t room = (size_t)l->node_room;
  tree->nodes = tutti_xrealloc(tree->nodes, room * sizeof *tree->nodes);
  tree->distributions = tutti_xrealloc(tree->distributions, room * (size_t)tree->class_count * sizeof(double));
}

/* Index of the first. */
static int add_nodes(c45_learner *l, int count)
{
  tutti_classifier *tree = l->tree;
  if (tree->node_count > INT_MAX - count)
    tutti_out_of_memory();
  reserve(l, tree->node_count + count);
  int first = tree->node_count;
  for (int i = first; i < first + count; i++) {
    tree->nodes[i] = (tutti_node){.attribute = -1};
    double *distribution = c45_distribution(l, i);
    for (int c = 0; c < tree->class_count; c++)
      distribution[c] = 0.0;
  }
  tree->node_count += count;
  return first;
}

/* Shrink the tree to @p node_count nodes. */
static void drop_nodes(c45_learner *l, int node_count)
{
  for (int i = node_count; i < l->tree->node_count; i++)
    free(l->tree->nodes[i].branch_of);
  l->tree->node_count = node_count;
}

void tutti_c45_make_leaf(c45_learner *l, int node)
{
  tutti_node *leaf = &l->tree->nodes[node];
  free(leaf->branch_of);
  leaf->branch_of = NULL;
  leaf->attribute = -1;
  leaf->branch_count = 0;
}

void tutti_c45_count(c45_learner *l, c45_range range, double *distribution)
{
  for (int c = 0; c < l->tree->class_count; c++)
    distribution[c] = 0.0;
  for (size_t i = range.first; i < range.end; i++)
    distribution[l->cases->labels[l->items[i]]] += c45_weight(l, l->items[i]);
}

void tutti_c45_set_cases(c45_learner *l, int index, int favored)
{
  tutti_node *node = &l->tree->nodes[index];
  const double *distribution = c45_distribution(l, index);
  int best = favored >= 0 ? favored : 0;
  node->cases = 0.0;
  for (int c = 0; c < l->tree->class_count; c++) {
    node->cases += distribution[c];
    if (distribution[c] > distribution[best] + C45_SLACK)
      best = c;
  }
  node->label = best;
  node->errors = fmax(node->cases - distribution[best], 0.0);
}

/* Node @p from of the learner's tree, with its distribution, to the end of @p tree, which has the room. */
static void move_node(c45_learner *l, int from, tutti_classifier *tree)
{
  int to = tree->node_count++;
  size_t classes = (size_t)tree->class_count;
  tree->nodes[to] = l->tree->nodes[from];
  l->tree->nodes[from].branch_of = NULL;
  for (size_t c = 0; c < classes; c++)
    tree->distributions[(size_t)to * classes + c] = c45_distribution(l, from)[c];
}

/* Level by level: the moved nodes are the queue of nodes still to visit. */
void tutti_c45_compact(c45_learner *l)
{
  tutti_classifier *old = l->tree, new = *old;
  size_t room = (size_t)old->node_count;
  new.node_count = 0;
  new.nodes = tutti_xcalloc(room, sizeof *new.nodes);
  new.distributions = tutti_xcalloc(room * (size_t)old->class_count, sizeof *new.distributions);
  move_node(l, 0, &new);
  for (int i = 0; i < new.node_count; i++) {
    int first = new.nodes[i].first;
    new.nodes[i].first = new.nodes[i].branch_count > 0 ? new.node_count : 0;
    for (int b = 0; b < new.nodes[i].branch_count; b++)
      move_node(l, first + b, &new);
  }
  drop_nodes(l, 0);
  free(old->nodes);
  free(old->distributions);
  *old = new;
  l->node_room = (int)room;
}

/* ---- growing ---- */

/* Too few cases, or all of one class, or too deep. */
static bool is_finished(const c45_learner *l, const tutti_node *node, int depth)
{
  return node->errors < C45_SLACK || node->cases < 2 * l->options->weight - C45_SLACK || depth >= TUTTI_C45_DEPTH;
}

static void set_test(c45_learner *l, int index, int attribute, const c45_test *test)
{
  int first = add_nodes(l, test->branch_count);
  tutti_node *node = &l->tree->nodes[index];
  node->attribute = attribute;
  node->threshold = test->threshold;
  node->branch_count = test->branch_count;
  node->branch_of = test->branch_of;
  node->first = first;
  for (int b = 0; b < node->branch_count; b++)
    l->tree->nodes[first + b].label = node->label;
}

static double grow(c45_learner *l, int index, c45_range range, int depth);

/* Errors on the training cases of all branches. A branch without cases stays a leaf of its parent's class. */
static double grow_branches(c45_learner *l, int index, c45_range range, int depth)
{
  c45_descent descent;
  c45_range branch;
  double errors = 0.0;
  tutti_c45_descend(l, index, range, &descent);
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
  int attribute = select_test(l, range, l->tree->nodes[index].cases, &test), mark = l->tree->node_count;
  if (attribute < 0)
    return leaf_errors;
  set_test(l, index, attribute, &test);
  double errors = grow_branches(l, index, range, depth);
  if (errors < leaf_errors - C45_EPSILON)
    return errors;
  drop_nodes(l, mark);
  tutti_c45_make_leaf(l, index);
  return leaf_errors;
}

void tutti_c45_grow(c45_learner *l, c45_range range)
{
  drop_nodes(l, 0);
  add_nodes(l, 1);
  grow(l, 0, range, 0);
}
