/* The decisions that tutti penalty is asked about: methods, rule files, libraries, models. */
#include <string.h>

#include "cli/penalty.h"
#include "tutti/library.h"

/* A name that begins with a collective is a method, anything else a file ("./bcast/rules" is one too). */
static bool names_method(const char *name)
{
  char collective[32];
  size_t length = strcspn(name, "/");
  tutti_collective parsed;
  if (name[length] != '/' || length >= sizeof collective)
    return false;
  memcpy(collective, name, length);
  collective[length] = '\0';
  return tutti_collective_parse(collective, &parsed, NULL) == TUTTI_OK;
}

static tutti_status read_method(const char *name, const char *collective, tutti_decision *decision, tutti_error *error)
{
  tutti_method method;
  tutti_status status = tutti_method_parse(name, &method, error);
  if (status != TUTTI_OK)
    return status;
  if (collective && strcmp(collective, tutti_collective_name(method.algorithm->collective)) != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the method %s is not one of the collective %s", name, collective);
  return tutti_decision_single(&method, decision, error);
}

static bool names_model(const char *name)
{
  return strncmp(name, "model:", strlen("model:")) == 0;
}

static tutti_status read_rules(const char *name, const char *collective, tutti_decision *decision, tutti_error *error)
{
  tutti_status status = tutti_decision_read_rules(name, decision, error);
  if (status == TUTTI_OK && collective)
    status = tutti_collective_parse(collective, &decision->collective, error);
  return status;
}

static tutti_status read_library(const char *name, const char *collective, tutti_decision *decision, tutti_error *error)
{
  tutti_collective parsed;
  if (!collective)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s decides for any collective: say which with --collective", name);
  tutti_status status = tutti_collective_parse(collective, &parsed, error);
  return status == TUTTI_OK ? tutti_decision_library(name, parsed, decision, error) : status;
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

static tutti_status read_decision(const struct penalty_options *chosen, const char *name, struct evaluated *evaluated,
                                  struct measured_map *measured, tutti_error *error)
{
  tutti_decision *decision = &evaluated->decision;
  tutti_status status = tutti_library_named(name) ? read_library(name, chosen->collective, decision, error)
                        : names_method(name)      ? read_method(name, chosen->collective, decision, error)
                                                  : read_rules(name, chosen->collective, decision, error);
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
