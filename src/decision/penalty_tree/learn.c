/* Trees that minimise the penalty: growing, cutting back, and writing down what remains. */
#include <math.h>
#include <stdlib.h>

#include "decision/penalty_tree/grow.h"

tutti_penalty_tree_options tutti_penalty_tree_defaults(void)
{
  return (tutti_penalty_tree_options){.weight = 2};
}

static tutti_status check(const tutti_cases *cases, const double *costs, const tutti_penalty_tree_options *options,
                          tutti_error *error)
{
  if (cases->count == 0 || cases->class_count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "there are no cases to learn from");
  if (options->weight < 1 || options->leaves < 0 || options->leaves > TUTTI_MOST_LEAVES || !(options->mean >= 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a tree of at most %d leaves and %zu cases a branch, mean %g",
                      options->leaves, options->weight, options->mean);
  for (size_t i = 0; i < cases->count * (size_t)cases->class_count; i++)
    if (!(costs[i] >= 0 && isfinite(costs[i])))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "case %zu costs %g with class %s", i / (size_t)cases->class_count,
                        costs[i], cases->classes[i % (size_t)cases->class_count]);
  return TUTTI_OK;
}

static double wrong_labels(const struct growth *growth, const struct region *region)
{
  double wrong = 0;
  for (size_t i = 0; i < region->count; i++)
    wrong += growth->data.cases->labels[growth->order[region->first + i]] != region->label;
  return wrong;
}

/* Which branch each value of a discrete attribute takes. */
static bool set_branches(const struct growth *growth, const struct split *split, tutti_node *node)
{
  int values = growth->data.cases->attributes[split->attribute].value_count;
  node->branch_of = values ? calloc((size_t)values, sizeof *node->branch_of) : NULL;
  for (int v = 0; node->branch_of && v < values; v++)
    node->branch_of[v] = v != split->value;
  return node->branch_of || values == 0;
}

static bool set_node(const struct growth *growth, const struct region *region, bool test, tutti_node *node)
{
  *node = (tutti_node){.attribute = -1, .label = region->label, .cases = (double)region->count};
  if (!test) {
    node->errors = wrong_labels(growth, region);
    return true;
  }
  node->attribute = region->split.attribute;
  node->threshold = region->split.threshold;
  node->branch_count = 2;
  return set_branches(growth, &region->split, node);
}

/* The kept regions, level by level; regions[n] is where node n comes from. */
static bool write_nodes(const struct growth *growth, const bool *keep, int *regions, tutti_classifier *classifier)
{
  bool fine = true;
  classifier->node_count = 1;
  for (int n = 0; n < classifier->node_count && fine; n++) {
    const struct region *region = &growth->regions[regions[n]];
    tutti_node *node = &classifier->nodes[n];
    fine = set_node(growth, region, keep[regions[n]], node);
    if (node->branch_count == 0)
      continue;
    node->first = classifier->node_count;
    regions[classifier->node_count++] = region->child;
    regions[classifier->node_count++] = region->child + 1;
  }
  return fine;
}

static tutti_status write_down(const struct growth *growth, const bool *keep, tutti_classifier *classifier,
                               tutti_error *error)
{
  tutti_status status = tutti_classifier_create(growth->data.cases, classifier, error);
  if (status != TUTTI_OK)
    return status;
  int *regions = calloc((size_t)growth->count, sizeof *regions);
  classifier->nodes = calloc((size_t)growth->count, sizeof *classifier->nodes);
  if (!regions || !classifier->nodes || !write_nodes(growth, keep, regions, classifier)) {
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a tree of %d nodes", growth->count);
    tutti_classifier_free(classifier);
  }
  free(regions);
  return status;
}

static tutti_status learn(struct growth *growth, const tutti_penalty_tree_options *options,
                          tutti_classifier *classifier, double *mean, tutti_error *error)
{
  double cost = 0, cases = (double)growth->data.cases->count;
  tutti_status status = penalty_grow(growth, error);
  if (status != TUTTI_OK)
    return status;
  bool *keep = calloc((size_t)growth->count, sizeof *keep);
  if (!keep)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a tree of %d nodes", growth->count);
  status = penalty_cut(growth, options->leaves, options->mean * cases, keep, &cost, error);
  if (status == TUTTI_OK)
    status = write_down(growth, keep, classifier, error);
  free(keep);
  if (mean)
    *mean = cost / cases;
  return status;
}

tutti_status tutti_penalty_tree_learn(const tutti_cases *cases, const double *costs,
                                      const tutti_penalty_tree_options *options, tutti_classifier *classifier,
                                      double *mean, tutti_error *error)
{
  struct growth growth = {.data = {.cases = cases, .costs = costs, .weight = options->weight}};
  tutti_status status = check(cases, costs, options, error);
  if (status == TUTTI_OK)
    status = learn(&growth, options, classifier, mean, error);
  free(growth.order);
  free(growth.regions);
  return status;
}
