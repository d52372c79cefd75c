/* Trees that minimize the penalty: grown in several ways, cut back, and the best of them kept. */
#include <math.h>
#include <stdlib.h>

#include "decision/learners/learn.h"
#include "decision/learners/penalty_tree/grow.h"

static tutti_status check(const tutti_cases *cases, const double *costs, const tutti_penalty_tree_options *options,
                          tutti_error *error)
{
  if (cases->count == 0 || cases->class_count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "there are no cases to learn from");
  if (options->weight < 1 || options->leaves < 0 || options->leaves > TUTTI_MAX_LEAVES || !(options->mean >= 0))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a tree of at most %d leaves and %zu cases a branch, mean %g",
                      options->leaves, options->weight, options->mean);
  for (size_t i = 0; i < cases->count * (size_t)cases->class_count; i++)
    if (!(costs[i] >= 0 && isfinite(costs[i])))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "case %zu costs %g with class %s", i / (size_t)cases->class_count,
                        costs[i], cases->classes[i % (size_t)cases->class_count]);
  return TUTTI_OK;
}

/* Ways to grow: by costs, and by information, as C4.5 does, with branches so many times as heavy as they must be. */
struct way {
  bool by_cost, by_gain; /* else by gain ratio */
  int heaviness;
};

static const struct way ways[] = {{.by_cost = true},
                                  {.heaviness = 1},
                                  {.heaviness = 4},
                                  {.heaviness = 20},
                                  {.by_gain = true, .heaviness = 1},
                                  {.by_gain = true, .heaviness = 4},
                                  {.by_gain = true, .heaviness = 20}};

enum { WAYS = sizeof ways / sizeof *ways };

static tutti_status grow(const struct data *data, const struct way *way, tutti_classifier *grown, tutti_error *error)
{
  if (way->by_cost)
    return tutti_penalty_grow(data, grown, error);
  tutti_c45_options options = tutti_c45_defaults();
  options.weight = (double)data->weight * way->heaviness;
  options.gain = way->by_gain;
  options.unpruned = true;
  return tutti_c45_learn(data->cases, &options, grown, NULL, error);
}

/* The better of two trees: it costs less, or as much with fewer leaves; where a mean is good enough, the smaller one
   that reaches it. */
static bool better(const tutti_classifier *tree, double cost, const tutti_classifier *other, double other_cost,
                   double most)
{
  double reached = fmax(cost, most), other_reached = fmax(other_cost, most);
  if (fabs(reached - other_reached) > 1e-6)
    return reached < other_reached;
  return tutti_classifier_leaves(tree) < tutti_classifier_leaves(other);
}

static tutti_status try(const struct data *data, const struct way *way, const tutti_penalty_tree_options *options,
                        tutti_classifier *tree, double *cost, tutti_error *error)
{
  tutti_classifier grown = {0};
  tutti_status status = grow(data, way, &grown, error);
  if (status == TUTTI_OK)
    status =
        tutti_penalty_cut(data, &grown, options->leaves, options->mean * (double)data->cases->count, tree, cost, error);
  tutti_classifier_free(&grown);
  return status;
}

tutti_status tutti_penalty_tree_learn(const tutti_cases *cases, const double *costs,
                                      const tutti_penalty_tree_options *options, tutti_classifier *classifier,
                                      double *mean, tutti_error *error)
{
  const struct data data = {.cases = cases, .costs = costs, .weight = options->weight};
  double least = INFINITY;
  *classifier = (tutti_classifier){0};
  tutti_status status = check(cases, costs, options, error);
  for (int way = 0; way < WAYS && status == TUTTI_OK; way++) {
    tutti_classifier tree = {0};
    double cost;
    status = try(&data, &ways[way], options, &tree, &cost, error);
    if (status == TUTTI_OK &&
        (way == 0 || better(&tree, cost, classifier, least, options->mean * (double)cases->count))) {
      tutti_classifier swap = *classifier;
      *classifier = tree;
      tree = swap;
      least = cost;
    }
    tutti_classifier_free(&tree);
  }
  if (status != TUTTI_OK)
    tutti_classifier_free(classifier);
  else if (mean)
    *mean = least / (double)cases->count;
  return status;
}

/* ---- the learner ---- */

static tutti_status learn_cases(const tutti_learner_input *input, const void *settings, tutti_classifier *classifier,
                                tutti_learn_report *report, tutti_error *error)
{
  (void)report;
  return tutti_penalty_tree_learn(input->cases, input->costs, settings, classifier, NULL, error);
}

static const tutti_penalty_tree_options defaults = {.weight = 2};

static const tutti_learner_option options[] = {
    TUTTI_LEARN_LEAVES(tutti_penalty_tree_options),
    TUTTI_LEARN_MEAN(tutti_penalty_tree_options),
    {.name = NULL},
};

const tutti_learner tutti_learner_penalty = {
    .name = "penalty",
    .help = "a tree grown for a small penalty",
    .from = TUTTI_FROM_COSTS,
    .settings_size = sizeof defaults,
    .defaults = &defaults,
    .options = options,
    .learn = learn_cases,
};

tutti_penalty_tree_options tutti_penalty_tree_defaults(void)
{
  return defaults;
}
