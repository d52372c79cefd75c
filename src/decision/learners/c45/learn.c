/* C4.5 from beginning to end: check, lay out arrays, grow, prune, count; and the learner. */
#include "decision/learners/c45/learner.h"

#include <stdlib.h>

#include "base/memory.h"
#include "tutti/learn.h"

/* ---- arrays ---- */

static size_t most_values(const tutti_cases *cases)
{
  size_t most = 1;
  for (int a = 0; a < cases->attribute_count; a++)
    if ((size_t)cases->attributes[a].value_count > most)
      most = (size_t)cases->attributes[a].value_count;
  return most;
}

static bool has_unknown(const tutti_cases *cases)
{
  for (int a = 0; a < cases->attribute_count; a++)
    for (size_t i = 0; !cases->attributes[a].ignored && i < cases->count; i++)
      if (isnan(cases->values[a][i]))
        return true;
  return false;
}

static bool all_many_valued(const c45_learner *l)
{
  if (l->options->grouping)
    return true;
  for (int a = 0; a < l->cases->attribute_count; a++)
    if (!l->cases->attributes[a].ignored &&
        l->cases->attributes[a].value_count < 0.3 * (double)l->cases->count - C45_SLACK)
      return false;
  return true;
}

static void open_per_case(c45_learner *l, size_t count)
{
  l->items = tutti_xcalloc(count, sizeof *l->items);
  l->scratch = tutti_xcalloc(count, sizeof *l->scratch);
  l->branches = tutti_xcalloc(count, sizeof *l->branches);
  l->labels = tutti_xcalloc(count, sizeof *l->labels);
  l->keys = tutti_xcalloc(count, sizeof *l->keys);
  l->sorted = tutti_xcalloc(count, sizeof *l->sorted);
  for (size_t i = 0; i < count; i++)
    l->items[i] = (uint32_t)i;
}

static void open_weights(c45_learner *l, size_t count)
{
  l->weights = tutti_xcalloc(count, sizeof *l->weights);
  l->local_weights = tutti_xcalloc(count, sizeof *l->local_weights);
  for (size_t i = 0; i < count; i++)
    l->weights[i] = 1.0;
}

static void open_entropy(c45_learner *l, size_t count)
{
  l->entropy = tutti_xcalloc(count + 1, sizeof *l->entropy);
  for (size_t i = 1; i <= count; i++)
    l->entropy[i] = (double)i * log2((double)i);
}

/* The table has room for any discrete attribute, and for continuous ones with few values. */
static void open_per_class(c45_learner *l, size_t count)
{
  size_t classes = (size_t)l->tree->class_count, values = most_values(l->cases);
  l->table_room = values * classes > 2 * count ? values * classes : 2 * count;
  l->table = tutti_xcalloc(l->table_room, sizeof *l->table);
  l->bag_weights = tutti_xcalloc(values, sizeof *l->bag_weights);
  l->low = tutti_xcalloc(classes, sizeof *l->low);
  l->high = tutti_xcalloc(classes, sizeof *l->high);
  l->low_terms = tutti_xcalloc(classes, sizeof *l->low_terms);
  l->high_terms = tutti_xcalloc(classes, sizeof *l->high_terms);
  l->all = tutti_xcalloc(classes, sizeof *l->all);
  l->leaf = tutti_xcalloc(classes, sizeof *l->leaf);
}

void tutti_c45_open(c45_learner *l)
{
  size_t count = l->cases->count, attributes = (size_t)l->cases->attribute_count;
  l->weighted = has_unknown(l->cases);
  l->all_many_valued = all_many_valued(l);
  l->deviate = tutti_c45_deviate(l->options);
  l->columns = tutti_xcalloc(attributes, sizeof *l->columns);
  l->tests = tutti_xcalloc(attributes, sizeof *l->tests);
  open_per_case(l, count);
  open_per_class(l, count);
  (l->weighted ? open_weights : open_entropy)(l, count);
  tutti_c45_rank_columns(l);
}

void tutti_c45_close(c45_learner *l)
{
  for (int a = 0; a < l->cases->attribute_count; a++) {
    free(l->columns[a].ranks);
    free(l->columns[a].values);
  }
  void *arrays[] = {l->columns,    l->items,  l->scratch, l->branches,    l->weights, l->labels,       l->local_weights,
                    l->keys,       l->sorted, l->entropy, l->table,       l->low,     l->high,         l->low_terms,
                    l->high_terms, l->all,    l->leaf,    l->bag_weights, l->tests,   l->shares.items, l->saved.items};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    free(arrays[i]);
}

/* ---- learning ---- */

static tutti_status check_options(const tutti_c45_options *options, tutti_error *error)
{
  if (!(options->weight > 0 && isfinite(options->weight)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "least weight of a branch (-m) is %g: it must be above 0",
                      options->weight);
  if (!(options->confidence > 0 && options->confidence <= 100))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "confidence (-c) is %g %%: it must be above 0 and at most 100",
                      options->confidence);
  if (options->trials < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "trials (-t) are %d: they cannot be negative", options->trials);
  return TUTTI_OK;
}

static tutti_status check_column(const tutti_cases *cases, int attribute, tutti_error *error)
{
  const tutti_attribute *a = &cases->attributes[attribute];
  for (size_t i = 0; a->value_count > 0 && i < cases->count; i++) {
    double value = cases->values[attribute][i];
    if (!isnan(value) && !(value >= 0 && value < a->value_count))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: case %zu: %g is no value of attribute '%s'", cases->name, i,
                        value, a->name);
  }
  return TUTTI_OK;
}

static tutti_status check_cases(const tutti_cases *cases, tutti_error *error)
{
  if (cases->count == 0 || cases->class_count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: there are no %s to learn from", cases->name,
                      cases->count == 0 ? "cases" : "classes");
  if (cases->count >= UINT32_MAX / 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %zu cases are too many", cases->name, cases->count);
  for (size_t i = 0; i < cases->count; i++)
    if (cases->labels[i] < 0 || cases->labels[i] >= cases->class_count)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: case %zu is of class %d of %d", cases->name, i,
                        cases->labels[i], cases->class_count);
  tutti_status status = TUTTI_OK;
  for (int a = 0; a < cases->attribute_count && status == TUTTI_OK; a++)
    status = check_column(cases, a, error);
  return status;
}

static double predicted_errors(c45_learner *l)
{
  double errors = 0.0;
  for (int i = 0; i < l->tree->node_count; i++)
    if (l->tree->nodes[i].branch_count == 0)
      errors += tutti_c45_estimate(l, i);
  return errors;
}

static void learn_once(c45_learner *l, tutti_c45_report *report)
{
  c45_range all = {0, l->cases->count};
  tutti_c45_grow(l, all);
  report->grown_leaves = tutti_classifier_leaves(l->tree);
  report->grown_errors = tutti_classifier_errors(l->tree, l->cases);
  if (!l->options->unpruned)
    tutti_c45_prune(l, all);
  tutti_c45_compact(l);
}

tutti_status tutti_c45_learn(const tutti_cases *cases, const tutti_c45_options *options, tutti_classifier *classifier,
                             tutti_c45_report *report, tutti_error *error)
{
  tutti_c45_report unwanted;
  c45_learner learner = {.cases = cases, .options = options, .tree = classifier};
  *classifier = (tutti_classifier){.attribute_count = 0};
  report = report ? report : &unwanted;
  *report = (tutti_c45_report){.leaves = 0};
  tutti_status status = check_options(options, error);
  if (status == TUTTI_OK)
    status = check_cases(cases, error);
  if (status != TUTTI_OK)
    return status;
  tutti_classifier_create(cases, classifier);
  tutti_c45_open(&learner);
  (options->trials > 0 ? tutti_c45_learn_windowed : learn_once)(&learner, report);
  report->leaves = tutti_classifier_leaves(classifier);
  report->errors = tutti_classifier_errors(classifier, cases);
  report->predicted = predicted_errors(&learner);
  tutti_c45_close(&learner);
  return TUTTI_OK;
}

/* ---- the learner ---- */

static tutti_status learn_cases(const tutti_learner_input *input, const void *settings, tutti_classifier *classifier,
                                tutti_learn_report *report, tutti_error *error)
{
  tutti_c45_options seeded = *(const tutti_c45_options *)settings;
  tutti_c45_report c45;
  seeded.seed = input->seed;
  tutti_status status = tutti_c45_learn(input->cases, &seeded, classifier, &c45, error);
  const tutti_learner_figure figures[] = {
      {.key = "grown_leaves", .heading = "leaves grown", .value = c45.grown_leaves},
      {.key = "grown_errors", .heading = "errors grown", .value = (double)c45.grown_errors},
      {.key = "pruned_leaves", .heading = "leaves pruned", .value = c45.leaves},
      {.key = "pruned_errors", .heading = "errors pruned", .value = (double)c45.errors},
      {.key = "predicted_errors", .heading = "errors predicted", .value = c45.predicted, .decimals = 1},
  };
  report->figure_count = sizeof figures / sizeof *figures;
  for (int i = 0; i < report->figure_count; i++)
    report->figures[i] = figures[i];
  return status;
}

static const tutti_c45_options defaults = {.weight = 2.0, .confidence = 25.0};

static const char *const limits[] = {[TUTTI_LIMIT_RELEASE8] = "release8", [TUTTI_LIMIT_NORMAL] = "normal", NULL};

#define OPTION(name_, letter_, argument_, kind_, member_, help_, ...)                                                  \
  {                                                                                                                    \
    .name = (name_), .letter = (letter_), .argument = (argument_), .kind = TUTTI_OPTION_##kind_, .help = (help_),      \
    TUTTI_SETTING(tutti_c45_options, member_), __VA_ARGS__                                                             \
  }

/* The letters of the c4.5 program, where it has them. */
static const tutti_learner_option options[] = {
    OPTION("weight", 'm', "CASES", REAL, weight, "least cases of two branches of a test", .low = 1, .high = 1e9,
           .in_name = TUTTI_MENTION_ALWAYS, .in_usage = TUTTI_MENTION_ALWAYS),
    OPTION("confidence", 'c', "PERCENT", REAL, confidence, "confidence level of pruning: a lower one prunes more",
           .low = 1e-3, .high = 100, .in_name = TUTTI_MENTION_ALWAYS, .in_usage = TUTTI_MENTION_ALWAYS),
    OPTION("grouping", 's', NULL, FLAG, grouping, "test groups of the values of discrete attributes"),
    OPTION("gain", 0, NULL, FLAG, gain, "choose tests by gain instead of gain ratio"),
    OPTION("unpruned", 0, NULL, FLAG, unpruned, "leave the tree as it was grown"),
    OPTION("no-raising", 0, NULL, FLAG, no_raising, "prune by leaves only, never by a branch"),
    OPTION("limit", 0, NULL, WORD, limit,
           "estimate errors by the table of C4.5 Release 8, or by the exact normal quantile, as WEKA's J48",
           .words = limits),
    OPTION("trials", 't', "N", NUMBER, trials, "windowing: grow N trees from windows and keep the best", .min = 1,
           .max = 1000, .otherwise = "no windows"),
    OPTION("window", 'w', "CASES", NUMBER, window, "cases of the first window", .min = 1, .max = UINT32_MAX,
           .otherwise = "the larger of 20 % and 2 sqrt(n)"),
    OPTION("increment", 'i', "CASES", NUMBER, increment, "cases that a window grows by at most", .min = 1,
           .max = UINT32_MAX, .otherwise = "20 % of the first window"),
    {.name = NULL},
};

tutti_c45_options tutti_c45_defaults(void)
{
  return defaults;
}

const tutti_learner tutti_learner_c45 = {
    .name = "c45",
    .help = "C4.5: few points with a wrong method",
    .from = TUTTI_FROM_CASES,
    .settings_size = sizeof defaults,
    .defaults = &defaults,
    .options = options,
    .learn = learn_cases,
};
