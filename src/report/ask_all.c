/* Which decision functions are asked: the best single method, untuned libraries, models, and those of the request. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tutti/decision_map.h"
#include "report/collect.h"
#include "tutti/library.h"
#include "tutti/parameters.h"
#include "tutti/predict.h"

/* ---- one method for all points ---- */

/* Of those that serve most points the one with the least mean penalty; -1: none. */
static int best_single(const tutti_decision_map *map)
{
  tutti_penalty best = {.points = 0}, penalty;
  int index = -1;
  for (int m = 0; m < map->method_count; m++) {
    tutti_decision decision;
    if (tutti_decision_single(&map->methods[m], &decision, NULL) != TUTTI_OK)
      continue;
    if (tutti_penalty_compute(map, &decision, &penalty, NULL) == TUTTI_OK &&
        (penalty.points > best.points || (penalty.points == best.points && penalty.mean < best.mean))) {
      best = penalty;
      index = m;
    }
    tutti_decision_free(&decision);
  }
  return index;
}

static tutti_status ask_single(tutti_report_map *map, tutti_error *error)
{
  tutti_decision decision;
  int method = best_single(&map->map);
  if (method < 0)
    return TUTTI_OK;
  tutti_status status = tutti_decision_single(&map->map.methods[method], &decision, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_report_ask(map, &decision, "best single method", error);
  tutti_decision_free(&decision);
  return status;
}

/* ---- libraries ---- */

static tutti_status ask_libraries(tutti_report_map *map, tutti_error *error)
{
  const char *name;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; status == TUTTI_OK && (name = tutti_library_name(i)); i++) {
    tutti_decision decision;
    tutti_status known = tutti_decision_library(name, map->map.collective, &decision, error);
    if (known == TUTTI_ERR_ARGUMENT) /* no rule for this collective */
      continue;
    status = known == TUTTI_OK ? tutti_report_ask(map, &decision, "library", error) : known;
    if (known == TUTTI_OK)
      tutti_decision_free(&decision);
  }
  return status;
}

/* ---- models ---- */

static tutti_status ask_model(tutti_report_map *map, const tutti_parameter_set *set, tutti_model_kind kind,
                              tutti_error *error)
{
  char name[64];
  tutti_decision decision;
  tutti_predictor predictor = {.by = TUTTI_BY_FORMULA, .weight = 1};
  snprintf(name, sizeof name, "model:%s", tutti_model_kind_name(kind));
  tutti_status status = tutti_parameter_set_model(set, kind, &predictor.model, error);
  if (status == TUTTI_OK)
    status = tutti_decision_models(name, map->map.collective, map->map.methods, map->map.method_count, &predictor, 1,
                                   &decision, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_report_ask(map, &decision, "model", error);
  tutti_decision_free(&decision);
  return status;
}

static bool has_parameters(const tutti_report *report, int environment)
{
  for (int i = 0; i < report->contents.holding_count; i++)
    if (report->contents.holdings[i].kind == TUTTI_HOLDS_PARAMETERS &&
        report->contents.holdings[i].environment == environment)
      return true;
  return false;
}

static tutti_status ask_models(const tutti_report *report, tutti_report_map *map, tutti_error *error)
{
  const tutti_holding holding = {.kind = TUTTI_HOLDS_PARAMETERS, .environment = map->environment};
  const tutti_selection selection = tutti_holding_selection(&report->contents, &holding);
  tutti_parameter_set set;
  if (!has_parameters(report, map->environment))
    return TUTTI_OK;
  tutti_status status = tutti_parameters_read(report->store, &selection, &set, error);
  if (status != TUTTI_OK)
    return status == TUTTI_ERR_ARGUMENT ? TUTTI_OK : status; /* the section on platforms says what is wrong with them */
  for (int kind = 0; kind < TUTTI_MODEL_KINDS && status == TUTTI_OK; kind++)
    if (set.has[kind])
      status = ask_model(map, &set, (tutti_model_kind)kind, error);
  tutti_parameter_set_free(&set);
  return status;
}

/* ---- all ---- */

static tutti_status ask_given(const tutti_report *report, tutti_report_map *map, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < report->request->decision_count && status == TUTTI_OK; i++)
    status = tutti_report_ask(map, &report->request->decisions[i], "given", error);
  return status;
}

tutti_status tutti_report_ask_all(const tutti_report *report, tutti_report_map *map, tutti_error *error)
{
  map->shown = malloc((size_t)map->map.method_count * sizeof *map->shown);
  if (!map->shown)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the decision functions of the report");
  for (int i = 0; i < map->map.method_count; i++)
    map->shown[map->shown_count++] = map->map.methods[i];
  tutti_status status = ask_given(report, map, error);
  if (status == TUTTI_OK)
    status = ask_libraries(map, error);
  if (status == TUTTI_OK)
    status = ask_models(report, map, error);
  return status == TUTTI_OK ? ask_single(map, error) : status;
}
