/* tutti predict --scenarios: one choice for all places where a job may be, by half of the jobs of an allocation file,
   and what it costs on the other half, beside the choice for consecutive nodes. */
#include <math.h>

#include "cli/options/common.h"
#include "cli/output/output.h"
#include "cli/predict/predict.h"
#include "decision/maps/map.h"
#include "harness/experiments/calibrate/calls.h"

/* ---- maps ---- */

struct scenario_rows {
  TUTTI_VECTOR(tutti_measurement);
};

static tutti_decision_map map_of(const struct predict_options *options, const struct scenario_rows *rows)
{
  tutti_decision_map map;
  must(tutti_decision_map_create(rows->items, rows->count, &map, &failure));
  tutti_decision_map_choose(&map, selection_candidates(&options->selection, &map));
  return map;
}

/* Scenarios to choose by have even numbers, those to judge by odd ones: both kinds come from all over the file. */
struct robust_maps {
  int count;                                /* of each kind */
  struct scenario_rows *rows, *consecutive; /* of each scenario; of ranks on consecutive nodes, which is before them */
  tutti_decision_map near;                  /* of these */
  tutti_decision_map *learn, *test;
  tutti_decision_map joint;
};

/* The number of a scenario is -1 for consecutive nodes. */
static void collect_rows(const struct simulated_points *points, struct robust_maps *maps)
{
  maps->consecutive = tutti_xcalloc(2 * (size_t)maps->count + 1, sizeof *maps->rows);
  maps->rows = maps->consecutive + 1;
  for (size_t i = 0; i < points->count; i++) {
    const struct fit_point *point = &points->items[i].point;
    tutti_measurement measured = point->measured;
    tutti_measurement_set_time(&measured, point->seconds);
    tutti_xpush(&maps->rows[point->scenario.number], measured);
  }
}

static struct robust_maps make_maps(const struct predict_options *options, const struct simulated_points *points)
{
  struct robust_maps maps = {.count = options->scenarios};
  maps.learn = tutti_xcalloc((size_t)maps.count, sizeof *maps.learn);
  maps.test = tutti_xcalloc((size_t)maps.count, sizeof *maps.test);
  collect_rows(points, &maps);
  maps.near = map_of(options, maps.consecutive);
  for (int i = 0; i < maps.count; i++) {
    maps.learn[i] = map_of(options, &maps.rows[2 * i]);
    maps.test[i] = map_of(options, &maps.rows[2 * i + 1]);
  }
  must(tutti_decision_map_join(maps.learn, maps.count, options->selection.patterns.robust, &maps.joint, &failure));
  return maps;
}

static void free_maps(struct robust_maps *maps)
{
  tutti_decision_map_free(&maps->near);
  tutti_decision_map_free(&maps->joint);
  for (int i = 0; i < maps->count; i++) {
    tutti_decision_map_free(&maps->learn[i]);
    tutti_decision_map_free(&maps->test[i]);
  }
  for (int i = -1; i < 2 * maps->count; i++)
    tutti_vector_free(&maps->rows[i]);
  free(maps->consecutive);
  free(maps->learn);
  free(maps->test);
}

/* ---- what a choice costs ---- */

struct loss {
  double mean, worst; /* how much longer than the best method of each scenario, percent */
};

struct robust_row {
  int ranks;
  uint64_t bytes;
  struct robust_choice {
    tutti_method method; /* no algorithm: none is known */
    struct loss loss;
  } near, robust;
};

static struct robust_choice judge(const struct robust_maps *maps, const tutti_decision_map *map, int r, int s)
{
  const int best = tutti_decision_map_best_at(map, r, s);
  struct robust_choice choice = {.loss = {NAN, NAN}};
  if (best < 0)
    return choice;
  choice.method = map->methods[best];
  choice.loss = (struct loss){0, 0};
  for (int i = 0; i < maps->count; i++) {
    const tutti_decision_map *test = &maps->test[i];
    const size_t point = (size_t)r * (size_t)test->size_count + (size_t)s;
    const double least = tutti_decision_map_best_time(test, point);
    const double loss = 100 * (tutti_decision_map_serving_time(test, r, s, &choice.method) / least - 1);
    choice.loss.mean += loss / maps->count;
    choice.loss.worst = fmax(choice.loss.worst, loss);
  }
  return choice;
}

static struct robust_row *judge_all(const struct robust_maps *maps)
{
  const tutti_decision_map *joint = &maps->joint;
  struct robust_row *rows = tutti_xcalloc(tutti_decision_map_points(joint), sizeof *rows);
  for (int r = 0; r < joint->ranks_count; r++)
    for (int s = 0; s < joint->size_count; s++)
      rows[r * joint->size_count + s] = (struct robust_row){.ranks = joint->ranks[r],
                                                            .bytes = joint->sizes[s],
                                                            .near = judge(maps, &maps->near, r, s),
                                                            .robust = judge(maps, joint, r, s)};
  return rows;
}

/* ---- printing ---- */

#define LOSS(member) TUTTI_FIELD(struct robust_row, member), .unit = "%", .decimals = 1

static const tutti_column columns[] = {
    {"ranks", "ranks", TUTTI_FIELD(struct robust_row, ranks)},
    {"size", "size_B", TUTTI_FIELD(struct robust_row, bytes), .get = cell_size, .alignment = TUTTI_ALIGN_RIGHT},
    {"for consecutive nodes", "near_method", .at = offsetof(struct robust_row, near.method), .get = cell_method},
    {"mean", "near_mean_loss_percent", LOSS(near.loss.mean)},
    {"worst", "near_worst_loss_percent", LOSS(near.loss.worst)},
    {"for all jobs", "robust_method", .at = offsetof(struct robust_row, robust.method), .get = cell_method},
    {"mean", "robust_mean_loss_percent", LOSS(robust.loss.mean)},
    {"worst", "robust_worst_loss_percent", LOSS(robust.loss.worst)},
};

/* Of all points at which both choices are known. */
static void add_loss(struct loss *sum, struct loss loss, size_t points)
{
  sum->mean += loss.mean / (double)points;
  sum->worst = fmax(sum->worst, loss.worst);
}

static void print_summary(const struct predict_options *options, const struct robust_row *rows, size_t count)
{
  struct loss near = {0, 0}, robust = {0, 0};
  for (size_t i = 0; i < count; i++) {
    add_loss(&near, rows[i].near.loss, count);
    add_loss(&robust, rows[i].robust.loss, count);
  }
  printf("\n");
  print_sentence(0,
                 "On %d jobs that chose nothing: the choice for consecutive nodes is %.1f %% slower than the best of "
                 "each job in the mean, %.1f %% at worst; the choice for all jobs (least %s loss of %d others) %.1f %% "
                 "and %.1f %%.",
                 options->scenarios, near.mean, near.worst, tutti_robust_name(options->selection.patterns.robust),
                 options->scenarios, robust.mean, robust.worst);
}

static void print_robust(const struct predict_options *options, const tutti_platform *platform,
                         const struct robust_maps *maps)
{
  struct robust_row *rows = judge_all(maps);
  const size_t count = tutti_decision_map_points(&maps->joint);
  const tutti_table table = {.key = "robust_choices", TUTTI_COLUMNS(columns), TUTTI_ROWS(rows, count), .keys = 2};
  const tutti_document document = {.tables = &table, .table_count = 1};
  if (options->format == TUTTI_FORMAT_TEXT)
    print_sentence(0,
                   "%s on %s, simulated where jobs of %s had their ranks; loss: how much longer than the best "
                   "method of each job\n",
                   tutti_collective_name(options->collective), platform->name, options->placement.allocation);
  must(tutti_document_print(&document, options->format, stdout, &failure));
  if (options->format == TUTTI_FORMAT_TEXT)
    print_summary(options, rows, count);
  free(rows);
}

/* ---- the store ---- */

/* The joint map, as measured by the flavor "model": the methods of a scenario, with the times of all. */
static void store_joint(const struct predict_options *options, const tutti_platform *platform,
                        const struct scenario_rows *methods, const tutti_decision_map *joint)
{
  struct scenario_rows rows = {.count = 0};
  for (size_t i = 0; i < methods->count; i++) {
    tutti_measurement measured = methods->items[i];
    int r, s;
    if (!tutti_decision_map_locate(joint, measured.ranks, measured.rank_bytes, &r, &s))
      continue;
    const double seconds = tutti_decision_map_time(joint, r, s, tutti_decision_map_find(joint, &measured.method));
    measured.scheme = TUTTI_SCHEME_WINDOW;
    tutti_measurement_set_time(&measured, seconds);
    if (isfinite(seconds))
      tutti_xpush(&rows, measured);
  }
  char *library = tutti_xprintf("%s of %d jobs of %s by %s", tutti_robust_name(options->selection.patterns.robust),
                                options->scenarios, options->placement.allocation,
                                options->selection.engine ? options->selection.engine : "fast");
  tutti_store *store = store_open(options->store);
  predict_store(options, store, platform->hash, library, rows.items, rows.count);
  store_close(store);
  free(library);
  tutti_vector_free(&rows);
}

void predict_robust(const struct predict_options *options, const tutti_platform *platform,
                    const struct simulated_points *points)
{
  struct robust_maps maps = make_maps(options, points);
  if (options->store)
    store_joint(options, platform, &maps.rows[0], &maps.joint);
  print_robust(options, platform, &maps);
  free_maps(&maps);
}
