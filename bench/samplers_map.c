/* Full maps of stores, and their priors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/calibrate/evidence_rows.h"
#include "samplers.h"
#include "store_map.h"
#include "tutti/predict.h"

/* Of a cluster of today: 5 us and 10 GB/s. */
static const tutti_predictor model = {.model = {TUTTI_MODEL_HOCKNEY, {.hockney = {5e-6, 1e-10}}, 0, 0},
                                      .by = TUTTI_BY_SCHEDULE,
                                      .element = 1,
                                      .threads = 1};

/* Seconds of our schedule of the method under the model; NaN without one. */
static double modelled(tutti_method method, int ranks, uint64_t bytes)
{
  tutti_error error;
  double seconds;
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  return tutti_predict_time(&model, &method, ranks, bytes, &seconds, &error) == TUTTI_OK && seconds > 0 ? seconds : NAN;
}

static double prior_time(const tutti_decision_map *prior, tutti_method method, int ranks, uint64_t bytes)
{
  int r, s;
  if (!prior)
    return modelled(method, ranks, bytes);
  if (!tutti_decision_map_locate(prior, ranks, bytes, &r, &s))
    return NAN;
  int found = tutti_decision_map_find(prior, &method);
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  if (found < 0)
    found = tutti_decision_map_find(prior, &method);
  return found < 0 ? NAN : tutti_decision_map_time(prior, r, s, found);
}

/* Rows of all measured points, cell by cell; methods are those of the map. */
static void make_rows(const tutti_decision_map *map, const tutti_decision_map *prior, struct evidence_rows *rows,
                      struct sample_map *made)
{
  const bool blocks = tutti_collective_traits(map->collective) & TUTTI_HAS_BLOCKS;
  for (int r = 0; r < map->ranks_count; r++)
    for (int s = 0; s < map->size_count; s++) {
      const size_t before = rows->count, cell = made->cells;
      for (int m = 0; m < map->method_count; m++) {
        char name[TUTTI_METHOD_LENGTH];
        const double seconds = tutti_decision_map_time(map, r, s, m);
        const tutti_method *method = &map->methods[m];
        struct call_row row = {.collective = map->collective,
                               .nodes = "1",
                               .run = "",
                               .name = tutti_method_format(method, name),
                               .ranks = map->ranks[r],
                               .ranks_per_node = map->ranks[r],
                               .bytes = map->sizes[s] * (blocks ? (uint64_t)map->ranks[r] : 1),
                               .seconds = seconds,
                               .simulated = prior_time(prior, *method, map->ranks[r], map->sizes[s]),
                               .known = true};
        if (!(seconds > 0))
          continue;
        row.found.method = *method;
        made->truth[rows->count] = log(seconds);
        made->seconds[rows->count] = seconds;
        made->points[rows->count] = (struct sampler_point){.cell = cell, .method = (size_t)m, .cost = 1};
        made->fastest[cell] = rows->count == before ? seconds : fmin(made->fastest[cell], seconds);
        tutti_evidence_rows_add(rows, &row);
      }
      if (rows->count == before)
        continue;
      made->first[cell] = before;
      made->size_index[cell] = s;
      made->ranks_index[cell] = r;
      made->first[++made->cells] = rows->count;
    }
  made->count = rows->count;
}

static void make_map(const tutti_decision_map *map, const tutti_decision_map *prior, bool with_prior,
                     struct sample_map *made)
{
  const size_t cells = tutti_decision_map_points(map), most = cells * (size_t)map->method_count;
  struct evidence_rows rows = {.count = 0};
  made->methods = (size_t)map->method_count;
  made->sizes = map->size_count;
  made->ranks = map->ranks_count;
  made->points = tutti_xcalloc(most + 1, sizeof *made->points);
  made->first = tutti_xcalloc(cells + 1, sizeof *made->first);
  made->size_index = tutti_xcalloc(2 * cells + 1, sizeof *made->size_index);
  made->ranks_index = made->size_index + cells;
  made->truth = tutti_xcalloc(3 * most + cells + 1, sizeof *made->truth);
  made->seconds = made->truth + most;
  made->base = made->seconds + most;
  made->fastest = made->base + most;
  make_rows(map, prior, &rows, made);
  struct evidence_point *points = tutti_evidence_rows_points(&rows);
  for (size_t i = 0; i < made->count; i++) {
    made->points[i].point = points[i];
    made->base[i] = with_prior ? tutti_evidence_expected(&points[i])
                               : log(5e-6 * fmax(1, points[i].ranks) + 2e-10 * exp2(points[i].size));
  }
  free(points);
  tutti_evidence_rows_free(&rows);
}

tutti_status sample_map_read(const char *collective, const char *store, const char *prior, bool with_prior,
                             struct sample_map *map, tutti_error *error)
{
  const tutti_selection all = {.scheme = -1};
  tutti_decision_map truth = {.best = NULL}, other = {.best = NULL};
  const bool modelled_prior = strcmp(prior, "-") == 0;
  *map = (struct sample_map){.count = 0};
  tutti_status status = store_map_read(store, NULL, collective, all, &truth, error);
  if (status == TUTTI_OK && !modelled_prior)
    status = store_map_read(prior, NULL, collective, all, &other, error);
  if (status == TUTTI_OK) {
    const char *end = strrchr(store, '/');
    snprintf(map->name, sizeof map->name, "%s", end ? end + 1 : store);
    make_map(&truth, modelled_prior ? NULL : &other, with_prior, map);
  }
  tutti_decision_map_free(&truth);
  tutti_decision_map_free(&other);
  return status;
}

void sample_map_free(struct sample_map *map)
{
  free(map->points);
  free(map->first);
  free(map->size_index);
  free(map->truth);
  *map = (struct sample_map){.count = 0};
}
