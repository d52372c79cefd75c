/* Decision functions at the points of a map: the best single method, untuned libraries, models, and those of the
   options; and which methods are best or picked. */
#include <math.h>

#include "cli/report/report.h"
#include "tutti/library.h"
#include "tutti/predict.h"

/* ---- one decision function ---- */

/* Index among the shown methods, where it is added if need be. */
static int shown_index(struct report_map *map, const tutti_method *method)
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
static int ask_points(struct report_map *map, const tutti_decision *decision, struct report_layer *layer)
{
  int answered = 0, point = 0;
  for (int r = 0; r < map->map.ranks_count; r++)
    for (int s = 0; s < map->map.size_count; s++, point++) {
      tutti_method method;
      layer->picks[point] = -1;
      layer->percents[point] = NAN;
      if (!decide(&map->map, decision, r, s, &method))
        continue;
      layer->picks[point] = shown_index(map, &method);
      layer->percents[point] = tutti_penalty_at(&map->map, decision, r, s).percent;
      answered++;
    }
  return answered;
}

/* A function without an answer makes no layer, nor does one of another library. */
static void add_layer(struct report_map *map, const tutti_decision *decision, const char *kind)
{
  if (!tutti_candidates_concern(&map->map.candidates, decision->implementation))
    return;
  size_t points = tutti_decision_map_points(&map->map);
  struct report_layer layer = {.name = tutti_xstrdup(decision->name),
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
  map->layers = tutti_xroom(map->layers, (size_t)map->layer_count, sizeof *map->layers);
  map->layers[map->layer_count++] = layer;
}

/* Frees the decision. */
static void ask(struct report_map *map, tutti_decision *decision, const char *kind)
{
  add_layer(map, decision, kind);
  tutti_decision_free(decision);
}

/* ---- one method for all points ---- */

static void ask_method(struct report_map *map, int method, const char *kind)
{
  if (method < 0)
    return;
  tutti_decision decision = tutti_decision_single(&map->map.methods[method]);
  ask(map, &decision, kind);
}

/* The method with the smallest mean penalty among those that serve most points, or -1. */
static int best_single(const tutti_decision_map *map)
{
  tutti_penalty best = {.points = 0}, penalty;
  int index = -1;
  for (int m = 0; m < map->method_count; m++) {
    if (!tutti_candidates_have(&map->candidates, &map->methods[m]))
      continue;
    tutti_decision decision = tutti_decision_single(&map->methods[m]);
    if (tutti_penalty_compute(map, &decision, &penalty, NULL) == TUTTI_OK &&
        (penalty.points > best.points || (penalty.points == best.points && penalty.mean < best.mean))) {
      best = penalty;
      index = m;
    }
    tutti_decision_free(&decision);
  }
  return index;
}

/* ---- libraries and models ---- */

static void ask_libraries(struct report_map *map)
{
  const char *name;
  for (size_t i = 0; (name = tutti_library_name(i)); i++) {
    tutti_decision decision;
    tutti_status known = tutti_decision_library(name, map->map.collective, &decision, &failure);
    if (known == TUTTI_ERR_ARGUMENT) /* no rule for this collective */
      continue;
    must(known);
    ask(map, &decision, "library");
  }
}

static void ask_model(struct report_map *map, const tutti_parameter_set *set, tutti_model_kind kind)
{
  char name[64];
  tutti_decision decision;
  tutti_predictor predictor = {.by = TUTTI_BY_FORMULA, .weight = 1};
  snprintf(name, sizeof name, "model:%s", tutti_model_kind_name(kind));
  must(tutti_parameter_set_model(set, kind, &predictor.model, &failure));
  must(tutti_decision_models(name, map->map.collective, map->map.methods, map->map.method_count, &predictor, 1,
                             &decision, &failure));
  ask(map, &decision, "model");
}

static void ask_models(const struct report *report, struct report_map *map)
{
  const tutti_store_entry entry = {.kind = TUTTI_ENTRY_PARAMETERS, .environment = map->environment};
  const tutti_selection selection = tutti_store_entry_selection(&report->contents, &entry);
  tutti_parameter_set set;
  if (report_rows(report, TUTTI_ENTRY_PARAMETERS, REPORT_ANY, map->environment) == 0)
    return;
  tutti_status status = tutti_parameters_read(report->store, &selection, &set, &failure);
  if (status == TUTTI_ERR_ARGUMENT)
    return; /* the section on platforms says what is wrong with them */
  must(status);
  for (int kind = 0; kind < TUTTI_MODEL_KINDS; kind++)
    if (set.has[kind])
      ask_model(map, &set, (tutti_model_kind)kind);
  tutti_parameter_set_free(&set);
}

/* ---- all ---- */

static void ask_all(const struct report *report, struct report_map *map)
{
  tutti_decision recommended;
  for (int i = 0; i < report->options->decision_count; i++)
    add_layer(map, &report->options->decisions[i], "given");
  if (report_recommend(report, map, &recommended))
    ask(map, &recommended, "recommended");
  ask_method(map, tutti_decision_map_native(&map->map), "native");
  ask_libraries(map);
  ask_models(report, map);
  ask_method(map, best_single(&map->map), "best single method");
}

static void mark(const struct report_map *map, const int *methods, bool *marked)
{
  for (size_t i = 0; i < tutti_decision_map_points(&map->map); i++)
    if (methods[i] >= 0)
      marked[methods[i]] = true;
}

void report_ask_decisions(const struct report *report, struct report_map *map)
{
  map->shown = tutti_xcalloc((size_t)map->map.method_count, sizeof *map->shown);
  for (int i = 0; i < map->map.method_count; i++)
    map->shown[map->shown_count++] = map->map.methods[i];
  if (!tutti_decision_map_only_native(&map->map)) /* else there is nothing to lose */
    ask_all(report, map);
  map->marked = tutti_xcalloc((size_t)map->shown_count, sizeof *map->marked);
  map->best = tutti_xcalloc((size_t)map->shown_count, sizeof *map->best);
  mark(map, map->map.best, map->best);
  mark(map, map->map.best, map->marked);
  for (int layer = 0; layer < map->layer_count; layer++)
    mark(map, map->layers[layer].picks, map->marked);
}
