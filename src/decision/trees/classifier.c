/* Decision trees: making and measuring them, and the class of a case (Quinlan 1993, section 3.2): along one path as
   long as the values are known, else along all branches with their share of the training cases. No recursion: trees may
   be thousands of levels deep. */
#include "decision/trees/trees.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "decision/cases/cases.h"

/* ---- trees ---- */

void tutti_classifier_free(tutti_classifier *classifier)
{
  for (int i = 0; i < classifier->node_count; i++)
    free(classifier->nodes[i].branch_of);
  free(classifier->nodes);
  free(classifier->distributions);
  tutti_names_free_attributes(classifier->attributes, classifier->attribute_count);
  tutti_names_free(classifier->classes, classifier->class_count);
  *classifier = (tutti_classifier){.attribute_count = 0};
}

void tutti_classifier_create(const tutti_cases *cases, tutti_classifier *classifier)
{
  *classifier = (tutti_classifier){
      .attribute_count = cases->attribute_count,
      .attributes = tutti_names_copy_attributes(cases->attributes, cases->attribute_count),
      .class_count = cases->class_count,
      .classes = tutti_names_copy(cases->classes, cases->class_count),
  };
}

void tutti_classifier_create_named(const char *const *attributes, int attribute_count, const char *const *classes,
                                   int class_count, tutti_classifier *classifier)
{
  const tutti_cases names = {.attribute_count = attribute_count,
                             .attributes = tutti_xcalloc((size_t)attribute_count, sizeof *names.attributes),
                             .class_count = class_count,
                             .classes = (char **)classes}; /* only read */
  for (int a = 0; a < attribute_count; a++)
    names.attributes[a].name = (char *)attributes[a];
  tutti_classifier_create(&names, classifier);
  free(names.attributes);
}

int tutti_classifier_leaves(const tutti_classifier *classifier)
{
  int leaves = 0;
  for (int i = 0; i < classifier->node_count; i++)
    leaves += classifier->nodes[i].branch_count == 0;
  return leaves;
}

/* Depth of each node, to be freed. Children come after their parent: one pass, and no recursion however deep the tree
   is. */
static int *depths_of(const tutti_classifier *classifier)
{
  int *depths = tutti_xcalloc((size_t)classifier->node_count, sizeof *depths);
  for (int i = 0; i < classifier->node_count; i++)
    for (int b = 0; b < classifier->nodes[i].branch_count; b++)
      depths[classifier->nodes[i].first + b] = depths[i] + 1;
  return depths;
}

int tutti_classifier_depth(const tutti_classifier *classifier)
{
  int *depths = depths_of(classifier), deepest = 0;
  for (int i = 0; i < classifier->node_count; i++)
    deepest = depths[i] > deepest ? depths[i] : deepest;
  free(depths);
  return deepest;
}

tutti_classifier_shape tutti_classifier_measure(const tutti_classifier *classifier)
{
  int *depths = depths_of(classifier);
  tutti_classifier_shape shape = {.min_depth = classifier->node_count, .nodes = classifier->node_count};
  for (int i = 0; i < classifier->node_count; i++) {
    if (classifier->nodes[i].attribute >= 0)
      continue;
    shape.leaves++;
    shape.mean_depth += depths[i];
    shape.min_depth = depths[i] < shape.min_depth ? depths[i] : shape.min_depth;
    shape.max_depth = depths[i] > shape.max_depth ? depths[i] : shape.max_depth;
  }
  shape.mean_depth /= shape.leaves;
  free(depths);
  return shape;
}

/* ---- the class of a case ---- */

/* Differences of weight that do not count. */
static const double SLACK = 1e-6;

/* A part of the case on its way. */
struct part {
  int node;
  double weight;
};

struct vote {
  const tutti_classifier *classifier;
  const classify_row *row;
  double *weights;           /* [class_count] */
  TUTTI_VECTOR(struct part); /* a stack */
};

/* -1: the value is unknown, or not one of those of the attribute. */
static int branch_of(const tutti_classifier *classifier, const tutti_node *node, const classify_row *row)
{
  double value = row->columns ? row->columns[node->attribute][row->index] : row->values[node->attribute];
  if (isnan(value) || (node->branch_of && !(value >= 0 && value < classifier->attributes[node->attribute].value_count)))
    return -1;
  return classify_branch(node, value);
}

/* The leaf, or the first test whose outcome is not known. */
static int follow(const tutti_classifier *classifier, int node, const classify_row *row)
{
  while (classifier->nodes[node].branch_count > 0) {
    int branch = branch_of(classifier, &classifier->nodes[node], row);
    if (branch < 0)
      return node;
    node = classifier->nodes[node].first + branch;
  }
  return node;
}

/* All branches that training cases went to, or all if it is not known which. */
static bool spread(struct vote *vote, const tutti_node *node, double weight)
{
  double total = 0.0;
  for (int b = 0; b < node->branch_count; b++)
    total += vote->classifier->nodes[node->first + b].cases;
  for (int b = node->branch_count - 1; b >= 0; b--) {
    double cases = vote->classifier->nodes[node->first + b].cases;
    double share = total > 0 ? cases / total : 1.0 / node->branch_count;
    if (share > 0 && !tutti_vector_push(vote, (struct part){node->first + b, share * weight}))
      return false;
  }
  return true;
}

static void cast(struct vote *vote, int leaf, double weight)
{
  const tutti_classifier *classifier = vote->classifier;
  const tutti_node *node = &classifier->nodes[leaf];
  const double *distribution =
      classifier->distributions ? classifier->distributions + (size_t)leaf * (size_t)classifier->class_count : NULL;
  if (!distribution || node->cases < SLACK) {
    vote->weights[node->label] += weight;
    return;
  }
  for (int c = 0; c < classifier->class_count; c++)
    vote->weights[c] += weight * distribution[c] / node->cases;
}

static bool count_votes(struct vote *vote, int root)
{
  if (!tutti_vector_push(vote, (struct part){root, 1.0}))
    return false;
  while (vote->count > 0) {
    struct part part = vote->items[--vote->count];
    int node = follow(vote->classifier, part.node, vote->row);
    if (vote->classifier->nodes[node].branch_count == 0)
      cast(vote, node, part.weight);
    else if (!spread(vote, &vote->classifier->nodes[node], part.weight))
      return false;
  }
  return true;
}

static int winner(const double *weights, int class_count)
{
  int best = 0;
  for (int c = 1; c < class_count; c++)
    if (weights[c] > weights[best] + SLACK)
      best = c;
  return best;
}

/* Without memory the most frequent class of the test answers. */
static int by_votes(const tutti_classifier *classifier, int node, const classify_row *row)
{
  struct vote vote = {.classifier = classifier, .row = row};
  int label = classifier->nodes[node].label;
  vote.weights = calloc((size_t)classifier->class_count, sizeof *vote.weights);
  if (vote.weights && count_votes(&vote, node))
    label = winner(vote.weights, classifier->class_count);
  free(vote.weights);
  tutti_vector_free(&vote);
  return label;
}

int tutti_classify(const tutti_classifier *classifier, const classify_row *row)
{
  int node = follow(classifier, 0, row);
  return classifier->nodes[node].branch_count == 0 ? classifier->nodes[node].label : by_votes(classifier, node, row);
}

int tutti_classifier_classify(const tutti_classifier *classifier, const double *values)
{
  classify_row row = {.values = values};
  return tutti_classify(classifier, &row);
}

size_t tutti_classifier_errors(const tutti_classifier *classifier, const tutti_cases *cases)
{
  size_t errors = 0;
  for (size_t i = 0; i < cases->count; i++) {
    classify_row row = {.columns = cases->values, .index = i};
    errors += tutti_classify(classifier, &row) != cases->labels[i];
  }
  return errors;
}
