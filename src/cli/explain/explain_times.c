/* tutti explain: measured and predicted times of what runs and what could run. */
#include <math.h>

#include "base/numbers.h"
#include "cli/explain/explain.h"
#include "cli/output/output.h"
#include "decision/maps/map.h"
#include "tutti/library.h"

static struct explained_time *add_row(struct explained_times *times, const tutti_method *method)
{
  for (int i = 0; i < times->count; i++)
    if (tutti_method_compare(&times->rows[i].method, method) == 0)
      return &times->rows[i];
  times->rows = tutti_xrealloc(times->rows, ((size_t)times->count + 1) * sizeof *times->rows);
  struct explained_time *row = &times->rows[times->count++];
  *row = (struct explained_time){.method = *method, .measured = NAN, .penalty = NAN};
  for (int p = 0; p < TUTTI_MAX_VOTERS; p++)
    row->predicted[p] = NAN;
  return row;
}

/* ---- measured ---- */

/* The times of the very point, if it was measured: of methods by the same code, and of what the library chooses. */
static void add_point(const tutti_decision_map *map, const tutti_explained_call *call, struct explained_times *times)
{
  int i, j;
  bool there = tutti_decision_map_locate(map, call->ranks, call->rank_bytes, &i, &j);
  for (int m = 0; there && m < map->method_count; m++) {
    double seconds = tutti_decision_map_time(map, i, j, m);
    bool other = map->methods[m].implementation != map->candidates.implementation;
    if (isnan(seconds) || (other && !tutti_method_is_native(&map->methods[m])))
      continue;
    struct explained_time *row = add_row(times, &map->methods[m]);
    row->measured = seconds;
    row->penalty = tutti_penalty_of_method(map, i, j, m, &row->within_noise);
    times->any_measured = true;
  }
}

/* There is no map of the collective: was anything measured, or which of several measurements are meant? */
static void look_at_store(const struct explain_options *options, const tutti_error *reason,
                          struct explained_times *times)
{
  tutti_measurement *measurements = NULL;
  size_t count = 0;
  bool missing = reason->status != TUTTI_ERR_ARGUMENT; /* the store */
  if ((missing && options->selection.database_given) || !selection_knows_platform(&options->selection) ||
      !selection_knows_environment(&options->selection))
    die("%s", reason->message);
  if (missing)
    return;
  struct selection_options silent = options->selection;
  *silent.hash = '\0'; /* rows of the platform file as it was before have been named */
  bool read = selection_read_all(&silent, &measurements, &count, NULL) == TUTTI_OK;
  free(measurements);
  times->on_platform = !read || count > 0;
  if (!read)
    memcpy(times->why_unmeasured, reason->message, sizeof times->why_unmeasured);
}

/* What has a platform file is simulated. */
static void guess_flavor(const struct explain_options *options, struct explained_times *times)
{
  char *path = NULL;
  if (tutti_platform_find(options->selection.platform, &path, NULL) == TUTTI_OK)
    strcpy(times->flavor, "smpi");
  free(path);
}

/* Does the decision say what the very library that was measured does untuned? */
static bool is_untuned(const char *decision, const struct measured_map *measured)
{
  tutti_library_version named, run;
  return tutti_library_named(decision) && !measured->told &&
         tutti_library_version_parse(decision + strlen("library:"), &named, NULL) == TUTTI_OK &&
         tutti_library_version_of_run(measured->flavor, measured->library, &run, NULL) == TUTTI_OK &&
         named.library == run.library && named.major == run.major && named.minor == run.minor;
}

/* What runs on the platform: a library runs its own code, which in simulation ours stands for, unless it was
   measured; and its own choice is native where the library itself was measured. */
static tutti_method find_run(const struct explained_choice *choice, const struct measured_map *measured,
                             const struct explained_times *times)
{
  bool found = measured->map.best;
  if (found && (choice->own || is_untuned(choice->decision, measured)) &&
      selection_measured_library(measured, choice->library) && tutti_decision_map_native(&measured->map) >= 0)
    return measured->map.methods[tutti_decision_map_native(&measured->map)];
  bool own_code =
      (found && tutti_decision_map_has(&measured->map, choice->library)) || !tutti_flavor_is_simulated(times->flavor);
  return own_code ? tutti_method_as(choice->method, choice->library) : *choice->method;
}

/* Whether no measuring program of the flavor can run it: simulators have no components of Open MPI and no compositions
   of MPICH, which are selectors of real libraries; and the engines of Tutti run schedules only. */
static bool needs_library(const tutti_method *method, const char *flavor)
{
  const bool engine = tutti_flavor_is_engine(flavor);
  return tutti_method_is_native(method) && tutti_flavor_is_simulated(flavor) &&
         (engine || method->parameters.k > TUTTI_LAST_SMPI_SELECTOR);
}

/* The measured times, and the row of what runs. */
static void add_measured(const struct explain_options *options, const struct explained_choice *choice,
                         struct explained_times *times)
{
  struct measured_map measured = {0};
  tutti_error reason;
  if (selection_read_map(&options->selection, options->call.collective, &measured, &reason) == TUTTI_OK) {
    must(selection_choose_for_library(&options->selection, choice->library, &measured, &failure));
    memcpy(times->flavor, measured.flavor, sizeof times->flavor);
    times->on_platform = true;
    add_point(&measured.map, &options->call, times);
  } else {
    guess_flavor(options, times);
    look_at_store(options, &reason, times);
  }
  if (choice->method) {
    const tutti_method run = find_run(choice, &measured, times);
    struct explained_time *row = add_row(times, &run);
    row->chosen = true;
    memcpy(measured.flavor, times->flavor, sizeof measured.flavor);
    times->only_library = isnan(row->measured) && needs_library(&run, times->flavor);
    if (isnan(row->measured) && !times->only_library)
      times->bench =
          selection_bench_call(&options->selection, &measured, &run, options->call.ranks, options->call.rank_bytes);
  }
  tutti_decision_map_free(&measured.map);
}

/* ---- predicted ---- */

static void add_candidates(const struct explain_options *options, struct explained_times *times)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; !times->any_measured && (algorithm = tutti_algorithm_at(i)); i++) {
    tutti_method method = tutti_method_default(algorithm);
    if (algorithm->collective == options->call.collective)
      add_row(times, &method);
  }
}

static void predict_row(const struct explain_options *options, struct explained_times *times,
                        struct explained_time *row)
{
  const tutti_method ours = tutti_method_as(&row->method, TUTTI_IMPLEMENTATION_TUTTI); /* the same messages */
  for (int p = 0; p < times->predictors.count; p++) {
    double seconds;
    tutti_error ignored;
    if (tutti_predict_time(&times->predictors.items[p], &ours, options->call.ranks, options->call.rank_bytes, &seconds,
                           &ignored) == TUTTI_OK) {
      row->predicted[p] = seconds;
      times->any_predicted = true;
    }
  }
}

static void add_predicted(const struct explain_options *options, struct explained_times *times)
{
  tutti_error reason;
  tutti_status status = predictors_read(&options->predictor, NULL, &options->selection, &times->predictors, &reason);
  if (status == TUTTI_ERR_MEMORY)
    die("%s", reason.message);
  if (status != TUTTI_OK) {
    memset(&times->predictors, 0, sizeof times->predictors);
    memcpy(times->why_unpredicted, reason.message, sizeof times->why_unpredicted);
    return;
  }
  for (int i = 0; i < times->count; i++) {
    patience_at("predict the methods", (double)i / times->count);
    predict_row(options, times, &times->rows[i]);
  }
  patience_at(NULL, 1);
}

/* ---- together ---- */

/* NaN goes last. */
static int compare_times(double left, double right)
{
  if (isnan(left) || isnan(right))
    return isnan(left) - isnan(right);
  return THREE_WAY(left, right);
}

static int compare(const void *a, const void *b)
{
  const struct explained_time *left = a, *right = b;
  int order = compare_times(left->measured, right->measured);
  if (order == 0)
    order = compare_times(left->predicted[0], right->predicted[0]);
  return order ? order : tutti_method_compare(&left->method, &right->method);
}

void explain_gather_times(const struct explain_options *options, const struct explained_choice *choice,
                          struct explained_times *times)
{
  if (!*options->selection.platform)
    return;
  add_measured(options, choice, times);
  add_candidates(options, times);
  add_predicted(options, times);
  if (times->count)
    qsort(times->rows, (size_t)times->count, sizeof *times->rows, compare);
}

void explained_times_free(struct explained_times *times)
{
  if (times->predictors.count)
    predictors_free(&times->predictors);
  free(times->rows);
  free(times->bench);
  *times = (struct explained_times){0};
}
