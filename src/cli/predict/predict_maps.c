/* Decision maps made by models: printed, drawn and stored as those that were measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"
#include "cli/map/report_map.h"
#include "cli/platform/platform.h"
#include "cli/plot/report_plot.h"
#include "cli/predict/predict.h"

/* The times of one predictor, as measurements. */
struct predicted {
  tutti_measurement *items;
  size_t count, capacity;
};

static bool make_room(struct predicted *all, size_t more)
{
  if (all->count + more <= all->capacity)
    return true;
  size_t capacity = 2 * all->capacity + more;
  tutti_measurement *larger = realloc(all->items, capacity * sizeof *larger);
  if (!larger)
    return false;
  all->items = larger;
  all->capacity = capacity;
  return true;
}

static tutti_measurement measurement_of(const struct prediction *p, const tutti_predictor *predictor, int m,
                                        double seconds)
{
  uint64_t element = predictor->element ? predictor->element : 1;
  tutti_measurement measurement = {.method = p->methods[m],
                                   .scheme = TUTTI_SCHEME_WINDOW,
                                   .ranks = p->ranks,
                                   .ranks_per_node = 1,
                                   .count = p->bytes / element,
                                   .type_size = p->bytes > 0 ? element : 0,
                                   .rank_bytes = p->bytes,
                                   .repetitions = 1,
                                   .minimum = seconds,
                                   .median = seconds,
                                   .mean = seconds,
                                   .maximum = seconds};
  tutti_total_bytes(&measurement, &measurement.total_bytes);
  return measurement;
}

static tutti_status take_point(const struct predictors *predictors, const struct prediction *p,
                               struct predicted *predicted, tutti_error *error)
{
  for (int i = 0; i < predictors->count; i++) {
    if (!make_room(&predicted[i], (size_t)p->count))
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu times", predicted[i].count);
    for (int m = 0; m < p->count; m++) {
      double seconds = p->times[m * predictors->count + i];
      if (!isnan(seconds))
        predicted[i].items[predicted[i].count++] = measurement_of(p, &predictors->items[i], m, seconds);
    }
  }
  return TUTTI_OK;
}

/* A point at which no method is known, as recursive doubling alone on 3 ranks, is a hole of the map. */
static tutti_status predict_points(const struct predict_options *options, const struct predictors *predictors,
                                   struct predicted *predicted, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int r = 0; r < options->ranks_count && status == TUTTI_OK; r++)
    for (int s = 0; s < options->size_count && status == TUTTI_OK; s++) {
      struct prediction p;
      status = predict_call(options, predictors, (int)options->ranks[r], options->sizes[s], &p, error);
      if (status == TUTTI_OK)
        status = take_point(predictors, &p, predicted, error);
      else if (status == TUTTI_ERR_UNSUPPORTED)
        status = TUTTI_OK;
      prediction_free(&p);
    }
  return status;
}

/* ---- what becomes of them ---- */

static tutti_status show(const struct predict_options *options, const struct measured_map *map, bool first, bool last,
                         tutti_error *error)
{
  struct map_report report;
  tutti_status status = map_report_create(map, &report, error);
  if (status != TUTTI_OK)
    return status;
  if (options->json) {
    printf("%s", first ? "[" : "");
    report_map_print_json(&report, options->times);
    printf("%s", last ? "]\n" : ",");
  } else {
    printf("%s", first ? "" : "\n");
    report_map_print(&report);
    if (options->times)
      report_map_print_times(&report);
  }
  fflush(stdout);
  if (options->plot)
    status = report_plot(&report, options->plot, error);
  map_report_free(&report);
  return status;
}

static tutti_status show_predicted(const struct predict_options *options, const struct predictors *predictors,
                                   const struct predicted *predicted, int i, tutti_error *error)
{
  char name[32];
  struct measured_map map = {.platform = options->selection.platform,
                             .basis = "model",
                             .basis_name = predictor_name(&predictors->items[i], name)};
  tutti_status status = tutti_decision_map_create(predicted[i].items, predicted[i].count, &map.map, error);
  if (status == TUTTI_OK)
    status = show(options, &map, i == 0, i + 1 == predictors->count, error);
  tutti_decision_map_free(&map.map);
  return status;
}

static uint32_t mix_in(uint32_t digest, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (uint32_t)tutti_splitmix64(bits ^ (uint64_t)digest << 17 ^ digest);
}

static uint32_t mix_in_points(uint32_t digest, const tutti_plogp *plogp)
{
  for (const tutti_plogp_point *p = plogp->points; p < plogp->points + plogp->count; p++)
    digest = mix_in(mix_in(mix_in(mix_in(digest, p->m), p->g), p->o_s), p->o_r);
  return mix_in(digest, plogp->L);
}

/* Of all that a prediction hangs on but method, ranks and bytes. */
static uint32_t digest(const tutti_predictor *predictor)
{
  const tutti_model *m = &predictor->model;
  uint32_t digest = mix_in(mix_in((uint32_t)predictor->formula, m->gamma), m->delta);
  const tutti_loggp *l = &m->network.loggp;
  if (m->kind == TUTTI_MODEL_HOCKNEY)
    return mix_in(mix_in(digest, m->network.hockney.alpha), m->network.hockney.beta);
  if (m->kind == TUTTI_MODEL_LOGGP)
    return mix_in(mix_in(mix_in(mix_in(digest, l->L), l->o), l->g), l->G);
  return mix_in_points(digest, &m->network.plogp);
}

/* A platform that has a file is stored with its hash. The library is "loggp by formula, published parameters,
   1f2e3d4c": what was predicted by other parameters is another measurement. */
static tutti_status store(const struct predict_options *options, const struct predictors *predictors,
                          const struct predicted *predicted, tutti_error *error)
{
  tutti_store *database = NULL;
  tutti_platform platform = {0};
  char name[32], library[TUTTI_PLATFORM_NAME_LENGTH + 64];
  int64_t id;
  tutti_environment environment = {.platform = options->selection.platform,
                                   .platform_hash = "",
                                   .flavor = "model",
                                   .library = library,
                                   .tutti = TUTTI_VERSION};
  bool loaded = platform_load(options->selection.platform_argument, &platform, NULL) == TUTTI_OK;
  if (loaded)
    environment.platform_hash = platform.hash;
  tutti_status status = tutti_store_open(options->store, &database, error);
  for (int i = 0; i < predictors->count && status == TUTTI_OK; i++) {
    snprintf(library, sizeof library, "%s, %s, %08x", predictor_name(&predictors->items[i], name), predictors->source,
             (unsigned)digest(&predictors->items[i]));
    status = tutti_store_environment(database, &environment, &id, error);
    if (status == TUTTI_OK)
      status = tutti_store_add(database, id, predicted[i].items, predicted[i].count, error);
  }
  if (loaded)
    tutti_platform_free(&platform);
  tutti_store_close(database);
  return status;
}

static tutti_status use(const struct predict_options *options, const struct predictors *predictors,
                        const struct predicted *predicted, tutti_error *error)
{
  tutti_status status = options->store ? store(options, predictors, predicted, error) : TUTTI_OK;
  for (int i = 0; i < predictors->count && status == TUTTI_OK; i++)
    status = show_predicted(options, predictors, predicted, i, error);
  return status;
}

tutti_status predict_maps(const struct predict_options *options, const struct predictors *predictors,
                          tutti_error *error)
{
  struct predicted predicted[TUTTI_MOST_VOTERS] = {0};
  if (options->plot && predictors->count > 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--plot: a picture shows one model, not %d: choose with --model",
                      predictors->count);
  tutti_status status = predict_points(options, predictors, predicted, error);
  if (status == TUTTI_OK)
    status = use(options, predictors, predicted, error);
  for (int i = 0; i < TUTTI_MOST_VOTERS; i++)
    free(predicted[i].items);
  return status;
}
