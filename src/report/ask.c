/* Decision functions at the points of a map. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/decision_map.h"
#include "tutti/decision.h"
#include "report/collect.h"

static tutti_status no_memory(tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the decision functions of the report");
}

/* Index among the shown methods, where it is added if need be; -1: out of memory. */
static int show(tutti_report_map *map, const tutti_method *method)
{
  for (int i = 0; i < map->shown_count; i++)
    if (tutti_method_compare(&map->shown[i], method) == 0)
      return i;
  tutti_method *grown = reallocarray(map->shown, (size_t)map->shown_count + 1, sizeof *grown);
  if (!grown)
    return -1;
  map->shown = grown;
  grown[map->shown_count] = *method;
  return map->shown_count++;
}

static bool decide(const tutti_decision_map *map, const tutti_decision *decision, int ranks, int size,
                   tutti_method *method)
{
  const tutti_question question = tutti_decision_map_question(map, ranks, size);
  return decision->decide(decision, &question, method) && method->algorithm->collective == map->collective;
}

/* @return how many points it answers for; -1: out of memory */
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
      if ((layer->picks[point] = show(map, &method)) < 0)
        return -1;
      layer->percents[point] = tutti_penalty_at(&map->map, decision, r, s).percent;
      answered++;
    }
  return answered;
}

static tutti_status keep_layer(tutti_report_map *map, const tutti_report_layer *layer, tutti_error *error)
{
  tutti_report_layer *grown = reallocarray(map->layers, (size_t)map->layer_count + 1, sizeof *grown);
  if (!grown)
    return no_memory(error);
  map->layers = grown;
  grown[map->layer_count++] = *layer;
  return TUTTI_OK;
}

tutti_status tutti_report_ask(tutti_report_map *map, const tutti_decision *decision, const char *kind,
                              tutti_error *error)
{
  size_t points = tutti_decision_map_points(&map->map);
  tutti_report_layer layer = {.name = strdup(decision->name),
                              .kind = kind,
                              .picks = calloc(points, sizeof *layer.picks),
                              .percents = calloc(points, sizeof *layer.percents)};
  int answered = layer.name && layer.picks && layer.percents ? ask_points(map, decision, &layer) : -1;
  tutti_status status = answered < 0 ? no_memory(error) : TUTTI_OK;
  if (answered > 0) {
    /* Its picks may never have been measured: that is said in its row. */
    tutti_penalty_compute(&map->map, decision, &layer.penalty, NULL);
    status = keep_layer(map, &layer, error);
  }
  if (answered <= 0 || status != TUTTI_OK) {
    free(layer.name);
    free(layer.picks);
    free(layer.percents);
  }
  return status;
}

static void number_letter(tutti_report_map *map, int method)
{
  if (method >= 0 && map->letters[method] < 0)
    map->letters[method] = map->letter_count++;
}

tutti_status tutti_report_give_letters(tutti_report_map *map, tutti_error *error)
{
  int points = (int)tutti_decision_map_points(&map->map);
  map->letters = malloc((size_t)map->shown_count * sizeof *map->letters);
  bool *wins = calloc((size_t)map->shown_count, sizeof *wins);
  if (!map->letters || !wins) {
    free(wins);
    return no_memory(error);
  }
  for (int i = 0; i < map->shown_count; i++)
    map->letters[i] = -1;
  for (int i = 0; i < points; i++)
    if (map->map.best[i] >= 0)
      wins[map->map.best[i]] = true;
  for (int i = 0; i < map->shown_count; i++)
    number_letter(map, wins[i] ? i : -1);
  for (int layer = 0; layer < map->layer_count; layer++)
    for (int i = 0; i < points; i++)
      number_letter(map, map->layers[layer].picks[i]);
  free(wins);
  return TUTTI_OK;
}
