/* Combined trees: every leaf must name a method of every collective that comes there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/learners/learn.h"
#include "decision/trees/trees.h"

/* Constants while leaves are examined. */
struct splitting {
  const tutti_cases *cases;
  tutti_decision_tree *tree;
  int attribute;  /* the collective; its values are those that the tree answers for */
  int *leaf_of;   /* [cases->count] */
  bool *admitted; /* [nodes][values]: may the collective come to the node? */
  int nodes;      /* before anything is added */
  int values;
};

static int find_collective(const tutti_decision_tree *tree)
{
  for (int a = 0; a < tree->classifier.attribute_count; a++)
    if (tutti_expression_kind_of(tree->expressions[a]) == TUTTI_EXPRESSION_COLLECTIVE)
      return a;
  return -1;
}

static bool is_method(const struct splitting *splitting, int value, int label)
{
  tutti_collective collective;
  tutti_method method;
  const tutti_classifier *classifier = &splitting->tree->classifier;
  return tutti_collective_parse(classifier->attributes[splitting->attribute].values[value], &collective, NULL) ==
             TUTTI_OK &&
         tutti_class_method(collective, classifier->classes[label], &method);
}

/* Parents come before their children. */
static void admit(struct splitting *splitting)
{
  const tutti_classifier *classifier = &splitting->tree->classifier;
  for (int v = 0; v < splitting->values; v++)
    splitting->admitted[v] = true;
  for (int n = 0; n < splitting->nodes; n++) {
    const tutti_node *node = &classifier->nodes[n];
    for (int b = 0; b < node->branch_count; b++)
      for (int v = 0; v < splitting->values; v++)
        splitting->admitted[(node->first + b) * splitting->values + v] =
            splitting->admitted[n * splitting->values + v] &&
            (node->attribute != splitting->attribute || node->branch_of[v] == b);
  }
}

/* Cases with unknown values go to the first branch: only counts hang on it. */
static int leaf_of(const tutti_classifier *classifier, const tutti_cases *cases, size_t row)
{
  int n = 0;
  while (classifier->nodes[n].branch_count > 0) {
    const tutti_node *node = &classifier->nodes[n];
    double value = cases->values[node->attribute][row];
    n = node->first + (isnan(value) ? 0 : classify_branch(node, value));
  }
  return n;
}

/* The class most frequent among the cases of a collective, at a leaf or (-1) anywhere, that is its method, or -1. */
static int most_frequent(const struct splitting *splitting, int value, int leaf)
{
  int best = -1;
  size_t most = 0;
  for (int k = 0; k < splitting->tree->classifier.class_count; k++) {
    size_t count = 0;
    if (!is_method(splitting, value, k))
      continue;
    for (size_t i = 0; i < splitting->cases->count; i++)
      count += (leaf < 0 || splitting->leaf_of[i] == leaf) && splitting->cases->labels[i] == k &&
               splitting->cases->values[splitting->attribute][i] == value;
    if (count > most) {
      most = count;
      best = k;
    }
  }
  return best;
}

static size_t count_cases(const struct splitting *splitting, int value, int leaf, int label)
{
  size_t count = 0;
  for (size_t i = 0; i < splitting->cases->count; i++)
    count += splitting->leaf_of[i] == leaf && splitting->cases->values[splitting->attribute][i] == value &&
             (label < 0 || splitting->cases->labels[i] == label);
  return count;
}

/* The leaf becomes a test of the collective with a leaf for each. */
static void split_leaf(struct splitting *splitting, int leaf)
{
  tutti_classifier *classifier = &splitting->tree->classifier;
  size_t count = (size_t)classifier->node_count + (size_t)splitting->values;
  tutti_node *grown = classifier->nodes = tutti_xrealloc(classifier->nodes, count * sizeof *grown);
  int *branches = tutti_xcalloc((size_t)splitting->values, sizeof *branches);
  int label = grown[leaf].label;
  for (int v = 0; v < splitting->values; v++) {
    int other = is_method(splitting, v, label) ? label : most_frequent(splitting, v, leaf);
    if (other < 0)
      other = most_frequent(splitting, v, -1);
    branches[v] = v;
    double cases = (double)count_cases(splitting, v, leaf, -1);
    grown[classifier->node_count + v] =
        (tutti_node){.attribute = -1,
                     .label = other < 0 ? label : other,
                     .cases = cases,
                     .errors = cases - (double)count_cases(splitting, v, leaf, other < 0 ? label : other)};
  }
  grown[leaf].attribute = splitting->attribute;
  grown[leaf].first = classifier->node_count;
  grown[leaf].branch_count = splitting->values;
  grown[leaf].branch_of = branches;
  grown[leaf].errors = 0;
  classifier->node_count = (int)count;
}

static bool serves_all(const struct splitting *splitting, int leaf)
{
  for (int v = 0; v < splitting->values; v++)
    if (splitting->admitted[leaf * splitting->values + v] &&
        !is_method(splitting, v, splitting->tree->classifier.nodes[leaf].label))
      return false;
  return true;
}

void tutti_learn_split_leaves(const tutti_cases *cases, tutti_decision_tree *tree)
{
  struct splitting splitting = {
      .cases = cases, .tree = tree, .attribute = find_collective(tree), .nodes = tree->classifier.node_count};
  if (splitting.attribute < 0)
    return;
  splitting.values = tree->classifier.attributes[splitting.attribute].value_count;
  splitting.leaf_of = tutti_xcalloc(cases->count, sizeof *splitting.leaf_of);
  splitting.admitted = tutti_xcalloc((size_t)splitting.nodes * (size_t)splitting.values, sizeof *splitting.admitted);
  admit(&splitting);
  for (size_t i = 0; i < cases->count; i++)
    splitting.leaf_of[i] = leaf_of(&tree->classifier, cases, i);
  for (int n = 0; n < splitting.nodes; n++)
    if (tree->classifier.nodes[n].branch_count == 0 && !serves_all(&splitting, n))
      split_leaf(&splitting, n);
  free(splitting.leaf_of);
  free(splitting.admitted);
}
