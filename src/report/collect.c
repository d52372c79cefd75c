/* Decision maps from the measurements of the store. */
#include "report/collect.h"

#include <stdlib.h>
#include <string.h>

static tutti_status no_memory(tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the decision maps of the report");
}

/* ---- parts: measurements of one root, type, arrival pattern and noise ---- */

static bool belongs(const tutti_measurement *measurement, const tutti_measurement *first)
{
  return measurement->root == first->root && measurement->type_size == first->type_size &&
         tutti_arrival_compare(&measurement->arrival, &first->arrival) == 0 &&
         tutti_noise_compare(&measurement->noise, &first->noise) == 0;
}

/* Move those that belong to the first one to the front; how many these are. */
static size_t part_front(tutti_measurement *measurements, size_t count, tutti_measurement *rest)
{
  const tutti_measurement first = measurements[0];
  size_t inside = 0, outside = 0;
  for (size_t i = 0; i < count; i++)
    if (belongs(&measurements[i], &first))
      measurements[inside++] = measurements[i];
    else
      rest[outside++] = measurements[i];
  memcpy(measurements + inside, rest, outside * sizeof *rest);
  return inside;
}

static tutti_status add_map(tutti_report *report, const tutti_holding *holding, const tutti_measurement *measurements,
                            size_t count, tutti_error *error)
{
  tutti_report_map *grown = reallocarray(report->maps, (size_t)report->map_count + 1, sizeof *grown);
  if (!grown)
    return no_memory(error);
  report->maps = grown;
  tutti_report_map *map = &grown[report->map_count];
  *map = (tutti_report_map){.environment = holding->environment,
                            .scheme = holding->scheme,
                            .ranks_per_node = holding->ranks_per_node,
                            .root = measurements[0].root,
                            .type_size = measurements[0].type_size,
                            .arrival = measurements[0].arrival,
                            .noise = measurements[0].noise,
                            .least_repetitions = measurements[0].repetitions,
                            .points = count};
  for (size_t i = 0; i < count; i++) {
    int repetitions = measurements[i].repetitions;
    map->least_repetitions = repetitions < map->least_repetitions ? repetitions : map->least_repetitions;
    map->most_repetitions = repetitions > map->most_repetitions ? repetitions : map->most_repetitions;
  }
  tutti_status status = tutti_decision_map_create(measurements, count, &map->map, error);
  report->map_count += status == TUTTI_OK;
  return status;
}

static tutti_status add_parts(tutti_report *report, const tutti_holding *holding, tutti_measurement *measurements,
                              size_t count, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  tutti_measurement *rest = calloc(count, sizeof *rest);
  if (!rest)
    return no_memory(error);
  while (count > 0 && status == TUTTI_OK) {
    size_t inside = part_front(measurements, count, rest);
    status = add_map(report, holding, measurements, inside, error);
    measurements += inside;
    count -= inside;
  }
  free(rest);
  return status;
}

/* ---- all of them ---- */

static tutti_status collect(tutti_report *report, const tutti_holding *holding, tutti_error *error)
{
  tutti_measurement *measurements;
  size_t count;
  const tutti_selection selection = tutti_holding_selection(&report->contents, holding);
  tutti_status status = tutti_store_read(report->store, &selection, &measurements, &count, error);
  if (status == TUTTI_OK && count > 0)
    status = add_parts(report, holding, measurements, count, error);
  free(measurements);
  return status;
}

tutti_status tutti_report_collect_maps(tutti_report *report, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < report->contents.holding_count && status == TUTTI_OK; i++)
    if (report->contents.holdings[i].kind == TUTTI_HOLDS_MEASUREMENTS)
      status = collect(report, &report->contents.holdings[i], error);
  return status;
}

void tutti_report_free_map(tutti_report_map *map)
{
  for (int i = 0; i < map->layer_count; i++) {
    free(map->layers[i].name);
    free(map->layers[i].picks);
    free(map->layers[i].percents);
  }
  free(map->layers);
  free(map->shown);
  free(map->letters);
  tutti_decision_map_free(&map->map);
}
