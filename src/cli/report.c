/* tutti report: one HTML page of what the store holds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/options/selection.h"
#include "cli/output/output.h"
#include "cli/plot/plot.h"
#include "tutti/library.h"
#include "tutti/report.h"

struct report_options {
  tutti_report_request request; /* its arrays are those below */
  const char *output, *plots;
  tutti_format format; /* of what is printed instead of the page */
  struct option_strings platforms, decisions;
  tutti_selection only;
  tutti_report_choice choice;
  struct selection_options maps;      /* root, patterns and candidates */
  struct selection_options *selected; /* owned: of each of the platforms its name, and the hash of its file */
  const char **names, **hashes;       /* owned */
  tutti_decision *read;               /* owned */
  int read_count;
  tutti_experiment *experiments; /* owned */
};

static void begin(void *values)
{
  struct report_options *options = values;
  options->only.scheme = -1;
  options->request.only = &options->only;
  options->maps.root = options->maps.implementation = -1;
}

static void check(void *values)
{
  struct report_options *options = values;
  const struct selection_options *maps = &options->maps;
  options->choice = (tutti_report_choice){.root = maps->root,
                                          .implementation = maps->implementation,
                                          .native = maps->natives,
                                          .rounds_apart = maps->rounds_apart,
                                          .arrivals = maps->patterns.arrivals,
                                          .arrival_count = maps->patterns.arrival_count,
                                          .noises = maps->patterns.noises,
                                          .noise_count = maps->patterns.noise_count};
  options->request.choice = &options->choice;
}

static const struct option_row options[] = {
    OPTION_BEGIN(begin),
    OPTION_STRING("output", "FILE", struct report_options, output, "write the page to FILE; - is standard output",
                  .letter = 'o', .otherwise = "report.html; with --json or --csv standard output"),
    OPTION_DB(struct report_options, request.database),
    OPTION_STRINGS("platform", "NAME|FILE", struct report_options, platforms,
                   "only this platform; may be repeated; the path of its file means the file as it is now"),
    OPTION_PARSE("engine", "smpi|fast", struct report_options, request.engine, option_engine,
                 "of what is simulated only the rows of this engine", .otherwise = "those of each, apart"),
    OPTION_TABLE(struct report_options, only, measured_table),
    OPTION_TABLE(struct report_options, maps, maps_table),
    OPTION_TABLE(struct report_options, maps.patterns, every_pattern_table),
    OPTION_STRINGS("decision", "DECISION", struct report_options, decisions,
                   "ask this decision, too, a file or a method (bcast/binomial; binomial is that of every collective); "
                   "may be repeated. Untuned libraries (library:...) are asked in any case, models where the store has "
                   "the parameters of the platform"),
    OPTION_STRING("title", "TEXT", struct report_options, request.title, "title of the page"),
    OPTION_FORMAT(struct report_options, format),
    OPTION_STRING("plots", "DIR", struct report_options, plots,
                  "draw every map, its losses and every chart to DIR, too, as SVG and PDF (needs gnuplot)"),
    OPTION_CHECK(check),
    OPTION_END};

/* A file is known by its name wherever it lies. */
static void shorten_name(tutti_decision *decision)
{
  const char *slash = strrchr(decision->name, '/');
  tutti_method method;
  if (!slash || tutti_method_parse(decision->name, &method, NULL) == TUTTI_OK)
    return;
  char *name = tutti_xstrdup(slash + 1);
  free(decision->name);
  decision->name = name;
}

static tutti_status read_decision(struct report_options *options, const char *name, tutti_error *error)
{
  tutti_decision *decision = &options->read[options->read_count];
  tutti_status status = decision_argument_read(name, NULL, decision, error);
  options->read_count += status == TUTTI_OK;
  if (status == TUTTI_OK)
    shorten_name(decision);
  return status;
}

/* A method without its collective is one of every collective that has it; false: none has. */
static bool read_methods(struct report_options *options, const char *word)
{
  tutti_collective named;
  tutti_method method;
  struct stat about;
  bool found = false;
  if ((stat(word, &about) == 0 && S_ISREG(about.st_mode)) || tutti_method_names_collective(word, &named))
    return false;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    char *name = tutti_xprintf("%s/%s", tutti_collective_name((tutti_collective)c), word);
    if (tutti_method_parse(name, &method, NULL) == TUTTI_OK)
      found = read_decision(options, name, NULL) == TUTTI_OK || found;
    free(name);
  }
  return found;
}

static void read_decisions(struct report_options *options)
{
  const struct option_strings *names = &options->decisions;
  options->read = tutti_xcalloc(names->count * TUTTI_COLL_COUNT + 1, sizeof *options->read);
  for (size_t i = 0; i < names->count; i++) {
    if (tutti_library_named(names->items[i]))
      die("--decision %s: libraries are asked in any case", names->items[i]);
    if (!read_methods(options, names->items[i]))
      must(read_decision(options, names->items[i], &failure));
  }
  options->request.decisions = options->read;
  options->request.decision_count = options->read_count;
}

/* Claims are those of the experiments at hand; there may be none. */
static void read_experiments(struct report_options *options)
{
  char *directory;
  if (tutti_experiments_find(&directory, NULL) != TUTTI_OK)
    return;
  must(tutti_experiments_read(directory, &options->experiments, &options->request.experiment_count, &failure));
  options->request.experiments = options->experiments;
  free(directory);
}

/* ---- for programs: what each decision function loses on each map ---- */

struct loss_row {
  const tutti_report_map *map;
  const tutti_environment *environment;
  const tutti_report_layer *layer;
  const char *rules; /* of those that are recommended */
};

static void get_environment(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_environment *environment = ((const struct loss_row *)row)->environment;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = *(const char *const *)((const char *)environment + column->at);
}

static void get_layer(tutti_cell *cell, const void *row, const tutti_column *column)
{
  cell->type = TUTTI_CELL_TEXT;
  cell->text = *(const char *const *)((const char *)((const struct loss_row *)row)->layer + column->at);
}

static void get_patterns(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_report_map *map = ((const struct loss_row *)row)->map;
  char arrival[TUTTI_ARRIVAL_LENGTH], noise[TUTTI_NOISE_LENGTH];
  (void)column;
  if (map->arrival.kind != TUTTI_ARRIVAL_NONE || map->noise.kind != TUTTI_NOISE_NONE)
    tutti_cell_format(cell, "arrival %s, noise %s", tutti_arrival_format(&map->arrival, arrival),
                      tutti_noise_format(&map->noise, noise));
}

/* A member of the map, as a number. */
static void get_map_number(tutti_cell *cell, const void *row, const tutti_column *column)
{
  cell->type = TUTTI_CELL_COUNT;
  cell->count = (uint64_t) * (const int *)((const char *)((const struct loss_row *)row)->map + column->at);
}

static void get_collective(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = tutti_collective_name(((const struct loss_row *)row)->map->map.collective);
}

static void get_scheme(tutti_cell *cell, const void *row, const tutti_column *column)
{
  (void)column;
  cell->type = TUTTI_CELL_TEXT;
  cell->text = tutti_scheme_name(((const struct loss_row *)row)->map->scheme);
}

/* Nothing of it is known where no point could be counted. */
static void get_percent(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_penalty *penalty = &((const struct loss_row *)row)->layer->penalty;
  cell->type = TUTTI_CELL_REAL;
  cell->real = penalty->points > 0 ? *(const double *)((const char *)penalty + column->at) : NAN;
}

static void get_points(tutti_cell *cell, const void *row, const tutti_column *column)
{
  const tutti_penalty *penalty = &((const struct loss_row *)row)->layer->penalty;
  cell->type = TUTTI_CELL_COUNT;
  cell->count = (uint64_t) * (const int *)((const char *)penalty + column->at);
}

#define ENVIRONMENT(member) .at = offsetof(tutti_environment, member), .get = get_environment
#define LAYER(member)       .at = offsetof(tutti_report_layer, member), .get = get_layer
#define PERCENT(member)     .at = offsetof(tutti_penalty, member), .get = get_percent
#define POINTS(member)      .at = offsetof(tutti_penalty, member), .get = get_points

static const tutti_column loss_columns[] = {
    {NULL, "collective", .get = get_collective},
    {NULL, "platform", ENVIRONMENT(platform)},
    {NULL, "library", ENVIRONMENT(library)},
    {NULL, "scheme", .get = get_scheme},
    {NULL, "patterns", .get = get_patterns},
    {NULL, "ranks_per_node", .at = offsetof(tutti_report_map, ranks_per_node), .get = get_map_number},
    {NULL, "root", .at = offsetof(tutti_report_map, root), .get = get_map_number},
    {NULL, "decision", LAYER(name)},
    {NULL, "kind", LAYER(kind)},
    {NULL, "mean_percent", PERCENT(mean)},
    {NULL, "median_percent", PERCENT(median)},
    {NULL, "min_percent", PERCENT(min)},
    {NULL, "max_percent", PERCENT(max)},
    {NULL, "within_5_share", PERCENT(within_5)},
    {NULL, "within_10_share", PERCENT(within_10)},
    {NULL, "points", POINTS(points)},
    {NULL, "missing", POINTS(missing)},
    {NULL, "not_positive", POINTS(not_positive)},
    {NULL, "rules", TUTTI_FIELD(struct loss_row, rules)},
};

static void print_losses(const tutti_report *report, tutti_format format, FILE *stream)
{
  struct {
    TUTTI_VECTOR(struct loss_row);
  } rows = {0};
  for (const tutti_report_map *map = report->maps; map < report->maps + report->map_count; map++)
    for (int i = 0; i < map->layer_count; i++) {
      const tutti_report_layer *layer = &map->layers[i];
      bool recommended = strcmp(layer->kind, "recommended") == 0;
      tutti_xpush(&rows, (struct loss_row){map, &report->contents.environments[map->environment], layer,
                                           recommended ? map->rules : NULL});
    }
  const tutti_table tables[] = {{.key = "penalties", TUTTI_COLUMNS(loss_columns), TUTTI_ROWS(rows.items, rows.count)}};
  const tutti_document document = {TUTTI_TABLES(tables)};
  must(tutti_document_print(&document, format, stream, &failure));
  tutti_vector_free(&rows);
}

/* ---- the page ---- */

/* Names, or paths of files as they are now; what was measured on older ones is named. */
static void read_platforms(struct report_options *options)
{
  size_t count = options->platforms.count;
  options->selected = tutti_xcalloc(count + 1, sizeof *options->selected);
  options->names = tutti_xcalloc(count + 1, sizeof *options->names);
  options->hashes = tutti_xcalloc(count + 1, sizeof *options->hashes);
  for (size_t i = 0; i < count; i++) {
    struct selection_options *selected = &options->selected[i];
    selected->database = options->request.database;
    must(selection_read_platform(selected, options->platforms.items[i], &failure));
    options->names[i] = selected->platform;
    options->hashes[i] = selected->selection.platform_hash;
    selection_note_older(selected, TUTTI_ENTRY_MEASUREMENTS, TUTTI_COLL_COUNT);
  }
  options->request.platforms = options->names;
  options->request.hashes = options->hashes;
  options->request.platform_count = (int)count;
}

static void write_page(const struct report_options *options, const tutti_report *report)
{
  struct tutti_output output;
  bool table = options->format != TUTTI_FORMAT_TEXT;
  const char *path = options->output ? options->output : table ? "-" : "report.html";
  output_begin(strcmp(path, "-") == 0 ? NULL : path, &output);
  if (table)
    print_losses(report, options->format, output.stream);
  else
    must(tutti_report_write(report, output.stream, &failure));
  output_end(&output);
}

static void make_report(const struct report_options *options)
{
  tutti_report report;
  tutti_store *store = store_open_existing(options->request.database);
  must(tutti_report_create(&options->request, store, &report, &failure));
  write_page(options, &report);
  if (options->plots)
    plot_report(&report, options->plots);
  tutti_report_free(&report);
  store_close(store);
}

static int run(void *values)
{
  struct report_options *options = values;
  read_platforms(options);
  read_decisions(options);
  read_experiments(options);
  make_report(options);
  tutti_experiments_free(options->experiments, options->request.experiment_count);
  for (int i = 0; i < options->read_count; i++)
    tutti_decision_free(&options->read[i]);
  free(options->read);
  free(options->selected);
  free(options->names);
  free(options->hashes);
  return EXIT_DONE;
}

extern const char tutti_help_report[];

const struct command command_report = {
    .name = "report",
    .text = tutti_help_report,
    .options = options,
    .size = sizeof(struct report_options),
    .run = run,
};
