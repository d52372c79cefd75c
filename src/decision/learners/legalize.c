/* Combined trees: every leaf must name a method of every collective that comes there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/learners/learn.h"
#include "decision/trees/trees.h"

/* What stays the same while leaves are looked at. */
struct law {
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

static bool is_method(const struct law *law, int value, int label)
{
  tutti_collective collective;
  tutti_method method;
  const tutti_classifier *classifier = &law->tree->classifier;
  return tutti_collective_parse(classifier->attributes[law->attribute].values[value], &collective, NULL) == TUTTI_OK &&
         tutti_class_method(collective, classifier->classes[label], &method);
}

/* Parents come before their children. */
static void admit(struct law *law)
{
  const tutti_classifier *classifier = &law->tree->classifier;
  for (int v = 0; v < law->values; v++)
    law->admitted[v] = true;
  for (int n = 0; n < law->nodes; n++) {
    const tutti_node *node = &classifier->nodes[n];
    for (int b = 0; b < node->branch_count; b++)
      for (int v = 0; v < law->values; v++)
        law->admitted[(node->first + b) * law->values + v] =
            law->admitted[n * law->values + v] && (node->attribute != law->attribute || node->branch_of[v] == b);
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

/* The class most frequent among the cases of a collective, at a leaf or (-1) anywhere, that is its method; -1: none. */
static int most_frequent(const struct law *law, int value, int leaf)
{
  int best = -1;
  size_t most = 0;
  for (int k = 0; k < law->tree->classifier.class_count; k++) {
    size_t count = 0;
    if (!is_method(law, value, k))
      continue;
    for (size_t i = 0; i < law->cases->count; i++)
      count += (leaf < 0 || law->leaf_of[i] == leaf) && law->cases->labels[i] == k &&
               law->cases->values[law->attribute][i] == value;
    if (count > most) {
      most = count;
      best = k;
    }
  }
  return best;
}

static size_t count_cases(const struct law *law, int value, int leaf, int label)
{
  size_t count = 0;
  for (size_t i = 0; i < law->cases->count; i++)
    count += law->leaf_of[i] == leaf && law->cases->values[law->attribute][i] == value &&
             (label < 0 || law->cases->labels[i] == label);
  return count;
}

/* The leaf becomes a test of the collective with a leaf for each. */
static tutti_status split_leaf(struct law *law, int leaf, tutti_error *error)
{
  tutti_classifier *classifier = &law->tree->classifier;
  size_t count = (size_t)classifier->node_count + (size_t)law->values;
  tutti_node *grown = reallocarray(classifier->nodes, count, sizeof *grown);
  int *branches = calloc((size_t)law->values, sizeof *branches);
  if (grown)
    classifier->nodes = grown;
  if (!grown || !branches) {
    free(branches);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a tree of %zu nodes", count);
  }
  int label = grown[leaf].label;
  for (int v = 0; v < law->values; v++) {
    int other = is_method(law, v, label) ? label : most_frequent(law, v, leaf);
    if (other < 0)
      other = most_frequent(law, v, -1);
    branches[v] = v;
    double cases = (double)count_cases(law, v, leaf, -1);
    grown[classifier->node_count + v] =
        (tutti_node){.attribute = -1,
                     .label = other < 0 ? label : other,
                     .cases = cases,
                     .errors = cases - (double)count_cases(law, v, leaf, other < 0 ? label : other)};
  }
  grown[leaf].attribute = law->attribute;
  grown[leaf].first = classifier->node_count;
  grown[leaf].branch_count = law->values;
  grown[leaf].branch_of = branches;
  grown[leaf].errors = 0;
  classifier->node_count = (int)count;
  return TUTTI_OK;
}

static bool is_lawful(const struct law *law, int leaf)
{
  for (int v = 0; v < law->values; v++)
    if (law->admitted[leaf * law->values + v] && !is_method(law, v, law->tree->classifier.nodes[leaf].label))
      return false;
  return true;
}

static tutti_status legalize(struct law *law, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  admit(law);
  for (size_t i = 0; i < law->cases->count; i++)
    law->leaf_of[i] = leaf_of(&law->tree->classifier, law->cases, i);
  for (int n = 0; n < law->nodes && status == TUTTI_OK; n++)
    if (law->tree->classifier.nodes[n].branch_count == 0 && !is_lawful(law, n))
      status = split_leaf(law, n, error);
  return status;
}

tutti_status tutti_learn_legalize(const tutti_cases *cases, tutti_decision_tree *tree, tutti_error *error)
{
  struct law law = {
      .cases = cases, .tree = tree, .attribute = find_collective(tree), .nodes = tree->classifier.node_count};
  if (law.attribute < 0)
    return TUTTI_OK;
  law.values = tree->classifier.attributes[law.attribute].value_count;
  law.leaf_of = calloc(cases->count, sizeof *law.leaf_of);
  law.admitted = calloc((size_t)law.nodes * (size_t)law.values, sizeof *law.admitted);
  tutti_status status = law.leaf_of && law.admitted
                            ? legalize(&law, error)
                            : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a tree of %d nodes", law.nodes);
  free(law.leaf_of);
  free(law.admitted);
  return status;
}
