/* Decision maps made by models: printed, drawn and stored as those that were measured. */
#include <math.h>

#include "base/splitmix64.h"
#include "cli/map/map_report.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "cli/plot/plot.h"
#include "cli/predict/predict.h"

/* Most times of all maps, a guard against slips such as 1..1000000 of both ranks and sizes. */
enum { MAX_TIMES = 1 << 22 };

/* The times of one predictor, as measurements. */
struct predicted {
  TUTTI_VECTOR(tutti_measurement);
};

static tutti_measurement measurement_of(const struct prediction *p, const tutti_predictor *predictor, int m,
                                        double seconds)
{
  uint64_t element = predictor->element ? predictor->element : 1;
  tutti_measurement measurement = {.method = p->items[m],
                                   .scheme = TUTTI_SCHEME_WINDOW,
                                   .ranks = p->ranks,
                                   .ranks_per_node = 1,
                                   .count = p->bytes / element,
                                   .type_size = p->bytes > 0 ? element : 0,
                                   .rank_bytes = p->bytes};
  tutti_measurement_set_time(&measurement, seconds);
  return measurement;
}

static void add_point(const struct predictors *predictors, const struct prediction *p, struct predicted *predicted)
{
  for (int i = 0; i < predictors->count; i++)
    for (int m = 0; m < (int)p->count; m++) {
      double seconds = p->times[m * predictors->count + i];
      if (!isnan(seconds))
        tutti_xpush(&predicted[i], measurement_of(p, &predictors->items[i], m, seconds));
    }
}

static void check_times(size_t times)
{
  if (times > MAX_TIMES)
    die("--ranks and --size: more than %d times to predict", MAX_TIMES);
}

/* A point at which no method is known, as recursive doubling alone on 3 ranks, is a hole of the map. Without any known
 * point the command fails. */
static void predict_points(const struct predict_options *options, const struct predictors *predictors,
                           struct predicted *predicted)
{
  size_t times = 0, left_out = 0;
  tutti_error reason;
  check_times((size_t)options->ranks.count * (size_t)options->sizes.count);
  for (int r = 0; r < options->ranks.count; r++)
    for (int s = 0; s < options->sizes.count; s++) {
      struct prediction p;
      patience_at("predict the points", (double)(r * options->sizes.count + s) /
                                            (double)((size_t)options->ranks.count * (size_t)options->sizes.count));
      if (predict_call(options, predictors, (int)options->ranks.items[r], options->sizes.items[s], &p))
        add_point(predictors, &p, predicted);
      if (left_out == 0 && p.left_out > 0)
        reason = p.reason;
      left_out += p.left_out;
      check_times(times += p.count * (size_t)predictors->count);
      prediction_free(&p);
    }
  patience_at(NULL, 1);
  if (times == 0)
    die("%s", reason.message);
  predict_note_left_out(options, left_out, &reason);
}

/* ---- what becomes of them ---- */

static void print_map(const struct predict_options *options, const struct map_report *report, bool first,
                      tutti_json *json)
{
  if (options->format == TUTTI_FORMAT_JSON) {
    map_report_write_json(report, options->times, json);
    return;
  }
  tutti_say(stdout, "%s", first ? "" : "\n");
  if (options->format == TUTTI_FORMAT_CSV) {
    map_report_write_table(report, false, TUTTI_FORMAT_CSV);
    return;
  }
  map_report_print(report);
  map_report_print_gains(report);
  if (options->times)
    map_report_print_times(report);
}

static void show_predicted(const struct predict_options *options, const struct predictors *predictors,
                           const struct predicted *predicted, int i, tutti_json *json)
{
  char name[32];
  struct measured_map map = {.platform = options->selection.platform,
                             .basis = "model",
                             .basis_name = predictor_name(&predictors->items[i], name)};
  must(tutti_decision_map_create(predicted[i].items, predicted[i].count, &map.map, &failure));
  tutti_decision_map_choose(&map.map, selection_candidates(&options->selection, &map.map));
  selection_note_map_apart(NULL, map.platform, &map.map);
  struct map_report report = map_report_create(&map);
  report.title = options->title;
  print_map(options, &report, i == 0, json);
  fflush(stdout);
  if (options->plot)
    plot_map(&report, options->plot);
  map_report_free(&report);
  tutti_decision_map_free(&map.map);
}

/* All maps in order; JSON is an array. */
static void show_all(const struct predict_options *options, const struct predictors *predictors,
                     const struct predicted *predicted)
{
  tutti_json json = tutti_json_begin(stdout);
  if (options->format == TUTTI_FORMAT_JSON)
    tutti_json_array(&json, NULL);
  for (int i = 0; i < predictors->count; i++)
    show_predicted(options, predictors, predicted, i, &json);
  if (options->format == TUTTI_FORMAT_JSON)
    tutti_json_end(&json);
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

/* A digest of all that a prediction depends on besides method, ranks and bytes. */
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

void predict_store(const struct predict_options *options, tutti_store *store, const char *platform_hash,
                   const char *library, const tutti_measurement *measurements, size_t count)
{
  const tutti_environment environment = {.platform = options->selection.platform,
                                         .platform_hash = platform_hash,
                                         .flavor = "model",
                                         .library = library,
                                         .tutti = TUTTI_VERSION};
  int64_t id;
  must(tutti_store_environment(store, &environment, &id, &failure));
  must(tutti_store_add(store, id, measurements, count, &failure));
}

/* A platform that has a file is stored with its hash. The library is "loggp by formula, published parameters,
   1f2e3d4c": what was predicted by other parameters is another measurement. */
static void store_times(const struct predict_options *options, const struct predictors *predictors,
                        const struct predicted *predicted)
{
  tutti_platform platform = {0};
  char name[32], library[TUTTI_PLATFORM_NAME_LENGTH + 64];
  bool loaded = platform_load(options->selection.platform_argument, &platform, NULL) == TUTTI_OK;
  tutti_store *store = store_open(options->store);
  for (int i = 0; i < predictors->count; i++) {
    snprintf(library, sizeof library, "%s, %s, %08x", predictor_name(&predictors->items[i], name), predictors->source,
             (unsigned)digest(&predictors->items[i]));
    predict_store(options, store, loaded ? platform.hash : "", library, predicted[i].items, predicted[i].count);
  }
  store_close(store);
  if (loaded)
    tutti_platform_free(&platform);
}

void predict_maps(const struct predict_options *options, const struct predictors *predictors)
{
  struct predicted predicted[TUTTI_MAX_VOTERS] = {0};
  gnuplot_check_title(options->title, options->plot, "plot");
  if (options->plot && predictors->count > 1)
    die("--plot: a picture shows one model, not %d: choose with --model", predictors->count);
  predict_points(options, predictors, predicted);
  if (options->store)
    store_times(options, predictors, predicted);
  show_all(options, predictors, predicted);
  for (int i = 0; i < TUTTI_MAX_VOTERS; i++)
    tutti_vector_free(&predicted[i]);
}
