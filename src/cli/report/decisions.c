/* Decision functions at the points of a map: the best single method, untuned libraries, models, and those of the
   request; and which methods are best or picked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/report/page.h"
#include "tutti/decision.h"
#include "tutti/decision_map.h"
#include "tutti/library.h"
#include "tutti/parameters.h"
#include "tutti/predict.h"

/* ---- one decision function ---- */

/* Index among the shown methods, where it is added if need be. */
static int show(tutti_report_map *map, const tutti_method *method)
{
  for (int i = 0; i < map->shown_count; i++)
    if (tutti_method_compare(&map->shown[i], method) == 0)
      return i;
  map->shown = tutti_xrealloc(map->shown, ((size_t)map->shown_count + 1) * sizeof *map->shown);
  map->shown[map->shown_count] = *method;
  return map->shown_count++;
}

static bool decide(const tutti_decision_map *map, const tutti_decision *decision, int ranks, int size,
                   tutti_method *method)
{
  const tutti_question question = tutti_decision_map_question(map, ranks, size);
  return decision->decide(decision, &question, method) && method->algorithm->collective == map->collective;
}

/* How many points it answers for. */
static int ask_points(tutti_report_map *map, const tutti_decision *decision, tutti_report_layer *layer)
{
  int answered = 0, point = 0;
  for (int r = 0; r < map->map.ranks_count; r++)
    for (int s = 0; s < map->map.size_count; s++, point++) {
      tutti_method method;
      layer->picks[point] = -1;
      layer->percents[point] = NAN;
      if (!decide(&map->map, decision, r, s, &method))
        continue;
      layer->picks[point] = show(map, &method);
      layer->percents[point] = tutti_penalty_at(&map->map, decision, r, s).percent;
      answered++;
    }
  return answered;
}

/* A function without an answer leaves no layer, nor does one of another library. */
static void ask(tutti_report_map *map, const tutti_decision *decision, const char *kind)
{
  if (!tutti_candidates_concern(&map->map.candidates, decision->implementation))
    return;
  size_t points = tutti_decision_map_points(&map->map);
  tutti_report_layer layer = {.name = tutti_xstrdup(decision->name),
                              .kind = kind,
                              .picks = tutti_xcalloc(points, sizeof *layer.picks),
                              .percents = tutti_xcalloc(points, sizeof *layer.percents)};
  if (ask_points(map, decision, &layer) == 0) {
    free(layer.name);
    free(layer.picks);
    free(layer.percents);
    return;
  }
  /* Its picks may never have been measured: its row says so. */
  tutti_penalty_compute(&map->map, decision, &layer.penalty, NULL);
  map->layers = tutti_xrealloc(map->layers, ((size_t)map->layer_count + 1) * sizeof *map->layers);
  map->layers[map->layer_count++] = layer;
}

/* ---- one method for all points ---- */

/* The method with the smallest mean penalty among those that serve most points, or -1. */
static int best_single(const tutti_decision_map *map)
{
  tutti_penalty best = {.points = 0}, penalty;
  int index = -1;
  for (int m = 0; m < map->method_count; m++) {
    tutti_decision decision;
    if (!tutti_candidates_have(&map->candidates, &map->methods[m]) ||
        tutti_decision_single(&map->methods[m], &decision, NULL) != TUTTI_OK)
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
  ask(map, &decision, "best single method");
  tutti_decision_free(&decision);
  return TUTTI_OK;
}

/* ---- recommended rules, and what the library chooses itself where it is not in the race ---- */

static void ask_recommended(const tutti_report *report, tutti_report_map *map)
{
  tutti_decision decision;
  if (!tutti_report_recommend(report, map, &decision))
    return;
  ask(map, &decision, "recommended");
  tutti_decision_free(&decision);
}

static tutti_status ask_native(tutti_report_map *map, tutti_error *error)
{
  tutti_decision decision;
  int native = tutti_decision_map_native(&map->map);
  if (native < 0)
    return TUTTI_OK;
  tutti_status status = tutti_decision_single(&map->map.methods[native], &decision, error);
  if (status != TUTTI_OK)
    return status;
  ask(map, &decision, "native");
  tutti_decision_free(&decision);
  return TUTTI_OK;
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
    status = known;
    if (known == TUTTI_OK) {
      ask(map, &decision, "library");
      tutti_decision_free(&decision);
    }
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
  ask(map, &decision, "model");
  tutti_decision_free(&decision);
  return TUTTI_OK;
}

static tutti_status ask_models(const tutti_report *report, tutti_report_map *map, tutti_error *error)
{
  const tutti_store_entry entry = {.kind = TUTTI_ENTRY_PARAMETERS, .environment = map->environment};
  const tutti_selection selection = tutti_store_entry_selection(&report->contents, &entry);
  tutti_parameter_set set;
  if (tutti_report_rows(report, TUTTI_ENTRY_PARAMETERS, REPORT_ANY, map->environment) == 0)
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

tutti_status tutti_report_ask_all(const tutti_report *report, tutti_report_map *map, tutti_error *error)
{
  map->shown = tutti_xcalloc((size_t)map->map.method_count, sizeof *map->shown);
  for (int i = 0; i < map->map.method_count; i++)
    map->shown[map->shown_count++] = map->map.methods[i];
  if (tutti_decision_map_only_native(&map->map))
    return TUTTI_OK; /* there is nothing to lose */
  for (int i = 0; i < report->request->decision_count; i++)
    ask(map, &report->request->decisions[i], "given");
  ask_recommended(report, map);
  tutti_status status = ask_native(map, error);
  if (status == TUTTI_OK)
    status = ask_libraries(map, error);
  if (status == TUTTI_OK)
    status = ask_models(report, map, error);
  return status == TUTTI_OK ? ask_single(map, error) : status;
}

/* ---- which methods are best or picked ---- */

static void mark(const tutti_report_map *map, const int *methods, bool *marked)
{
  for (size_t i = 0; i < tutti_decision_map_points(&map->map); i++)
    if (methods[i] >= 0)
      marked[methods[i]] = true;
}

void tutti_report_mark_methods(tutti_report_map *map)
{
  map->marked = tutti_xcalloc((size_t)map->shown_count, sizeof *map->marked);
  map->best = tutti_xcalloc((size_t)map->shown_count, sizeof *map->best);
  mark(map, map->map.best, map->best);
  mark(map, map->map.best, map->marked);
  for (int layer = 0; layer < map->layer_count; layer++)
    mark(map, map->layers[layer].picks, map->marked);
}
