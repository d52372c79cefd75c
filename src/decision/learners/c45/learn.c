/* tutti_c45_learn(): check, grow, prune, count. */
#include <stdlib.h>

#include "decision/learners/c45/learner.h"

tutti_c45_options tutti_c45_defaults(void)
{
  return (tutti_c45_options){.weight = 2.0, .confidence = 25.0};
}

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

static bool learn_once(c45_learner *l, tutti_c45_report *report)
{
  c45_range all = {0, l->cases->count};
  tutti_c45_grow(l, all);
  if (l->out_of_memory)
    return false;
  report->grown_leaves = tutti_classifier_leaves(l->tree);
  report->grown_errors = tutti_classifier_errors(l->tree, l->cases);
  if (!l->options->unpruned)
    tutti_c45_prune(l, all);
  return !l->out_of_memory && tutti_c45_compact(l);
}

static tutti_status learn(c45_learner *l, tutti_c45_report *report, tutti_error *error)
{
  bool windowed = l->options->trials > 0;
  if (tutti_c45_open(l) && (windowed ? tutti_c45_learn_windowed(l, report) : learn_once(l, report)))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory while learning from %zu cases", l->cases->name,
                    l->cases->count);
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
  if (status == TUTTI_OK)
    status = tutti_classifier_create(cases, classifier, error);
  if (status == TUTTI_OK)
    status = learn(&learner, report, error);
  if (status == TUTTI_OK) {
    report->leaves = tutti_classifier_leaves(classifier);
    report->errors = tutti_classifier_errors(classifier, cases);
    report->predicted = predicted_errors(&learner);
  } else {
    tutti_classifier_free(classifier);
  }
  tutti_c45_close(&learner);
  return status;
}
