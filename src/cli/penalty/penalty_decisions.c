/* The decisions that tutti penalty is asked about: methods, rule files, libraries, models. */
#include <string.h>

#include "cli/options/decision_argument.h"
#include "cli/penalty/penalty.h"
#include "tutti/decision_tree.h"

static bool names_model(const char *name)
{
  return strncmp(name, "model:", strlen("model:")) == 0;
}

/* Keep the map in hand if the next decision is about the same collective. */
static tutti_status need_map(const struct penalty_options *chosen, tutti_collective collective,
                             struct measured_map *measured, tutti_error *error)
{
  if (measured->map.best && measured->map.collective == collective)
    return TUTTI_OK;
  tutti_decision_map_free(&measured->map);
  return selection_read_map(&chosen->selection, collective, measured, error);
}

/* A file of trees for several collectives has a penalty for each of them. */
static tutti_status check_one_collective(const char *name, const tutti_decision *decision, tutti_error *error)
{
  const tutti_decision_trees *trees = tutti_decision_get_trees(decision);
  if (decision->collective == TUTTI_COLL_COUNT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%s is a tuning file, for several collectives: say for which with "
                      "--collective",
                      name);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    for (int i = 0; trees && i < trees->count; i++)
      if (trees->items[i].answers[c] && c != (int)decision->collective)
        return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s decides for %s, %s, ...: say for which with --collective",
                          name, tutti_collective_name(decision->collective),
                          tutti_collective_name((tutti_collective)c));
  return TUTTI_OK;
}

static tutti_status read_decision(const struct penalty_options *chosen, const char *name, struct evaluated *evaluated,
                                  struct measured_map *measured, tutti_error *error)
{
  tutti_decision *decision = &evaluated->decision;
  tutti_status status = decision_argument_read(name, chosen->collective, decision, error);
  if (status == TUTTI_OK && !chosen->collective)
    status = check_one_collective(name, decision, error);
  return status == TUTTI_OK ? need_map(chosen, decision->collective, measured, error) : status;
}

/* The candidates are the methods that were measured. */
static tutti_status read_models(const struct penalty_options *chosen, const char *name, struct evaluated *evaluated,
                                struct measured_map *measured, tutti_error *error)
{
  tutti_collective collective;
  if (!chosen->collective)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s decides for any collective: say which with --collective", name);
  if (chosen->predictor.both)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--by both: a model decides by formula or by schedule");
  tutti_status status = tutti_collective_parse(chosen->collective, &collective, error);
  if (status == TUTTI_OK)
    status = need_map(chosen, collective, measured, error);
  if (status == TUTTI_OK)
    status =
        predictors_read(&chosen->predictor, name + strlen("model:"), &chosen->selection, &evaluated->predictors, error);
  if (status != TUTTI_OK)
    return status;
  return tutti_decision_models(name, collective, measured->map.methods, measured->map.method_count,
                               evaluated->predictors.items, evaluated->predictors.count, &evaluated->decision, error);
}

tutti_status penalty_read_decision(const struct penalty_options *chosen, const char *name, struct evaluated *evaluated,
                                   struct measured_map *measured, tutti_error *error)
{
  return names_model(name) ? read_models(chosen, name, evaluated, measured, error)
                           : read_decision(chosen, name, evaluated, measured, error);
}

void evaluated_free(struct evaluated *evaluated)
{
  tutti_decision_free(&evaluated->decision);
  predictors_free(&evaluated->predictors);
}
