/* tutti predict of a fitted platform: times by the engine, with intervals by the spread of the fit. */
#include <math.h>

#include "cli/options/common.h"
#include "cli/output/output.h"
#include "cli/predict/predict.h"
#include "harness/experiments/calibrate/calls.h"

bool simulated_is_asked(const struct predict_options *options, const tutti_platform *platform)
{
  return options->like || (platform->fit && !options->models && !options->predictor.parameters &&
                           !options->predictor.both && options->predictor.by == TUTTI_BY_FORMULA);
}

/* ---- what to simulate ---- */

static void add_methods(const struct predict_options *options, int ranks, uint64_t size,
                        struct simulated_points *points)
{
  const int per_node =
      options->selection.selection.ranks_per_node > 0 ? options->selection.selection.ranks_per_node : 1;
  const uint64_t element = options->predictor.element ? options->predictor.element : size % 4 ? 1 : 4;
  const bool blocks = tutti_collective_traits(options->collective) & TUTTI_HAS_BLOCKS;
  struct prediction candidates = {.ranks = ranks, .bytes = size, .places = options->places};
  char nodes[24];
  candidates.places.ranks_per_host = per_node;
  snprintf(nodes, sizeof nodes, "%d", (ranks + per_node - 1) / per_node);
  predict_add_candidates(options, &(struct predictors){.count = 0}, &candidates);
  for (size_t i = 0; i < candidates.count; i++)
    tutti_simulated_add(points, &candidates.items[i], nodes, ranks, per_node, element,
                        blocks ? size * (uint64_t)ranks : size);
  tutti_vector_free(&candidates);
}

/* The calls of a scenario, whose number is -1 for ranks on consecutive nodes. */
static void add_calls(const struct predict_options *options, int scenario, struct simulated_points *points)
{
  const size_t before = points->count;
  for (int r = 0; r < options->ranks.count; r++)
    for (int s = 0; s < options->sizes.count; s++)
      add_methods(options, (int)options->ranks.items[r], options->sizes.items[s], points);
  for (size_t i = before; i < points->count; i++)
    points->items[i].point.scenario = (struct fit_scenario){scenario, 2 * options->scenarios};
}

static void collect(const struct predict_options *options, struct simulated_points *points)
{
  points->rounds_apart = options->like || options->selection.rounds_apart;
  if (options->like)
    must(tutti_simulated_read(options->like, options->collective, options->machine, points, &failure));
  else if (options->scenarios == 0)
    add_calls(options, 0, points);
  for (int i = -1; i < 2 * options->scenarios && options->scenarios > 0; i++)
    add_calls(options, i, points);
  if (points->count == 0)
    die("there is no such call of %s that can be predicted%s%s", tutti_collective_name(options->collective),
        points->unfit > 0 ? ": " : "", points->unfit > 0 ? points->reason.message : "");
}

/* ---- printing ---- */

#define TIME(member) TUTTI_FIELD(struct simulated, point.member), .unit = "us", .scale = 1e6, .decimals = 2

enum { SIZE_COLUMN = 3, COLUMNS = 11 };

/* Sizes in text are as they were asked for: of one block by --size, of all of them by --like. */
static const tutti_column columns[COLUMNS] = {
    {NULL, "collective",
     TUTTI_FIELD_THROUGH(struct simulated, point.measured.method.algorithm, tutti_algorithm, collective),
     .get = cell_collective},
    {"nodes", "nodes", TUTTI_FIELD(struct simulated, nodes), .alignment = TUTTI_ALIGN_RIGHT},
    {"on a node", "ranks_per_node", TUTTI_FIELD(struct simulated, point.measured.ranks_per_node)},
    [SIZE_COLUMN] = {"size", "total_B", TUTTI_FIELD(struct simulated, bytes), .get = cell_size,
                     .alignment = TUTTI_ALIGN_RIGHT},
    {NULL, "name", TUTTI_FIELD(struct simulated, name)},
    {"run", "run", TUTTI_FIELD(struct simulated, run)},
    {"method", "method", .at = offsetof(struct simulated, point.measured.method), .get = cell_method},
    {"time", "predicted_s", TIME(seconds)},
    {"from", "lower_s", TIME(lower)},
    {"to", "upper_s", TIME(upper)},
    {"", "verdict", TUTTI_FIELD(struct simulated, verdict)},
};

int predict_show_columns(const tutti_column *all, size_t count, bool runs, tutti_column *shown)
{
  int used = 0;
  for (size_t i = 0; i < count; i++)
    if (runs || !all[i].key || strcmp(all[i].key, "run") != 0)
      shown[used++] = all[i];
  return used;
}

static bool have_runs(const struct simulated_points *points)
{
  bool any = false;
  for (size_t i = 0; i < points->count; i++)
    any = any || points->items[i].run;
  return any;
}

static void print_title(const struct predict_options *options, const tutti_platform *platform,
                        const struct spread *spread)
{
  tutti_say(stdout, "%s on %s, simulated%s", tutti_collective_name(options->collective), platform->name,
            tutti_flavor_tolerance(options->selection.engine) > 0 ? " by the engine flow" : "");
  if (spread->count > 0) {
    const size_t own = tutti_spread_count(spread, options->collective);
    printf("; a measured time is between from and to in %d of 100 cases, by %zu points of the fit, ", SPREAD_LEVEL,
           spread->count);
    if (own == 0 || own == spread->count)
      tutti_say(stdout, "%s", own ? "all" : "none");
    else
      printf("%zu", own);
    tutti_say(stdout, " of %s%s", tutti_collective_name(options->collective),
              options->per_algorithm ? ", corrected for each algorithm" : "");
  }
  printf("\n\n");
}

static void print_simulated(const struct predict_options *options, const tutti_platform *platform,
                            const struct spread *spread, const struct simulated_points *points)
{
  const bool runs = have_runs(points);
  tutti_column shown[COLUMNS];
  const int column_count = predict_show_columns(columns, COLUMNS, runs, shown);
  if (options->format == TUTTI_FORMAT_TEXT && !options->like &&
      tutti_collective_traits(options->collective) & TUTTI_HAS_BLOCKS) {
    shown[SIZE_COLUMN].heading = "block";
    shown[SIZE_COLUMN].at = offsetof(struct simulated, point.measured.rank_bytes);
  }
  const tutti_table table = {.key = "predicted_times",
                             .columns = shown,
                             .column_count = column_count,
                             TUTTI_ROWS(points->items, points->count),
                             .keys = runs ? 6 : 4};
  const tutti_document document = {.tables = &table, .table_count = 1};
  if (options->format == TUTTI_FORMAT_TEXT)
    print_title(options, platform, spread);
  must(tutti_document_print(&document, options->format, stdout, &failure));
  if (options->format == TUTTI_FORMAT_TEXT && points->slow > 0)
    printf("\nnot simulated: %zu that take more than 20 times the best by Hockney's model (--method does)\n",
           points->slow);
  if (!options->like)
    predict_note_left_out(options, points->unfit, &points->reason);
  if (points->faster_apart)
    selection_note_rounds_apart(NULL, platform->name, points->faster_apart, points->faster_count);
  if (points->unknown + points->unfit + points->large > 0 && options->like)
    tutti_say(stderr,
              "tutti: note: rows of %s left out: %zu of methods that Tutti does not have, %zu outside their domain, "
              "%zu with too many messages\n",
              options->like, points->unknown, points->unfit, points->large);
}

static void show_progress(double share)
{
  patience_at("simulate the points", share);
}

/* Ten seconds or more of the engine `fast`, depending on how crowded links are. */
static const double MANY_MESSAGES = 5e6;

/* On standard error at once, as the first times may take minutes. */
static void note_messages(const struct simulation_request *request, size_t calls, double messages)
{
  if (messages < MANY_MESSAGES || (request->tolerance > 0 && request->most_messages > 0))
    return;
  tutti_say(
      stderr,
      "tutti: note: up to %zu call%s of about %.0f million messages in all %s simulated, which takes long:%s%s%s\n",
      calls, tutti_plural(calls), messages / 1e6, calls == 1 ? "is" : "are",
      request->tolerance > 0 ? "" : " --engine flow is faster, and nearly as accurate",
      request->tolerance > 0 || request->most_messages > 0 ? "" : ";",
      request->most_messages > 0 ? ""
      : request->model_large     ? " --most-messages 100000 prices larger calls by a model"
                                 : " --most-messages 100000 leaves larger calls out");
}

void predict_simulated(const struct predict_options *options, const tutti_platform *platform)
{
  struct simulated_points points = {.count = 0};
  struct spread spread = {.count = 0};
  const char *engine = options->selection.engine;
  tutti_passed passed = {.strict = false};
  struct simulation_request request = {.platform_path = platform->path,
                                       .tolerance = tutti_flavor_tolerance(engine),
                                       .placement = options->placement,
                                       .machine = options->machine,
                                       .all = !options->like && options->methods.count == 0,
                                       .most_messages = options->most_messages,
                                       .model_large = options->evidence != NULL,
                                       .progress = show_progress,
                                       .announce = note_messages};
  request.placement.passed = &passed;
  if (engine && !tutti_flavor_is_engine(engine))
    die("--engine: predictions of a fitted platform are simulated by fast or flow");
  if (options->evidence) {
    predict_by_evidence(options, &request);
    tutti_passed_free(&passed);
    return;
  }
  must(tutti_spread_read(platform, options->per_algorithm, &spread, &failure));
  collect(options, &points);
  must(tutti_simulated_run(&request, &spread, options->per_algorithm, &points, &failure));
  patience_at(NULL, 1);
  if (options->scenarios > 0)
    predict_robust(options, platform, &points);
  else
    print_simulated(options, platform, &spread, &points);
  tutti_passed_print(&passed, stderr, 0);
  tutti_passed_free(&passed);
  tutti_simulated_free(&points);
  tutti_spread_free(&spread);
}
