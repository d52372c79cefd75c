/* tutti report: one HTML page of what the store holds. */
#include <math.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/plot/plot.h"
#include "cli/report/report.h"

static void set_defaults(void *values)
{
  struct report_options *options = values;
  options->only.scheme = -1;
  options->maps.root = options->maps.implementation = -1;
}

static const struct option_row options[] = {
    OPTION_BEGIN(set_defaults),
    OPTION_STRING("output", "FILE", struct report_options, output, "write the page to FILE; - is standard output",
                  .letter = 'o', .writes = WRITES_TEXT,
                  .otherwise = "report.html; with --json or --csv standard output"),
    OPTION_DB(struct report_options, database),
    OPTION_STRINGS("platform", "NAME|FILE", struct report_options, platforms,
                   "only this platform; may be repeated; the path of its file means the file as it is now"),
    OPTION_PARSE("engine", "smpi|fast|flow", struct report_options, engine, option_engine,
                 "of what is simulated only the rows of this engine", .otherwise = "those of each, apart"),
    OPTION_TABLE(struct report_options, only, measured_table),
    OPTION_TABLE(struct report_options, maps, maps_table),
    OPTION_TABLE(struct report_options, maps.patterns, every_pattern_table),
    OPTION_STRINGS("decision", "DECISION", struct report_options, decision_names,
                   "ask this decision, too, a file or a method (bcast/binomial; binomial is that of every collective); "
                   "may be repeated. Untuned libraries (library:...) are asked in any case, models where the store has "
                   "the parameters of the platform"),
    OPTION_STRING("title", "TEXT", struct report_options, title, "title of the page", .everyday = true),
    OPTION_FORMAT(struct report_options, format),
    OPTION_STRING("plots", "DIR", struct report_options, plots,
                  "draw every map, its losses and every chart to DIR, too, as SVG and PDF (needs gnuplot)",
                  .everyday = true),
    OPTION_END};

/* A file is shown by its name, without its folder. */
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
  tutti_decision *decision = &options->decisions[options->decision_count];
  tutti_status status = decision_argument_read(name, TUTTI_COLL_COUNT, decision, error);
  if (status != TUTTI_OK)
    return status;
  options->decision_count++;
  shorten_name(decision);
  return TUTTI_OK;
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

/* All libraries know the broadcast. */
static void check_library(const char *name)
{
  tutti_decision decision;
  must(tutti_decision_library(name, TUTTI_COLL_BCAST, &decision, &failure));
  tutti_decision_free(&decision);
}

static void read_decisions(struct report_options *options)
{
  const struct option_strings *names = &options->decision_names;
  options->decisions = tutti_xcalloc(names->count * TUTTI_COLL_COUNT + 1, sizeof *options->decisions);
  for (size_t i = 0; i < names->count; i++) {
    if (tutti_library_named(names->items[i]))
      check_library(names->items[i]); /* it is asked in any case */
    else if (!read_methods(options, names->items[i]))
      must(read_decision(options, names->items[i], &failure));
  }
}

/* Claims are those of the experiments at hand; there may be none. */
static void read_experiments(struct report_options *options)
{
  char *directory;
  if (tutti_experiments_find(&directory, NULL) != TUTTI_OK)
    return;
  must(tutti_experiments_read(directory, &options->experiments, &options->experiment_count, &failure));
  free(directory);
}

/* ---- for programs: what each decision function loses on each map ---- */

struct loss_row {
  tutti_collective collective;
  const char *platform, *library, *scheme;
  char patterns[TUTTI_ARRIVAL_LENGTH + TUTTI_NOISE_LENGTH + 24];
  int ranks_per_node, root;
  const char *decision, *kind;
  tutti_penalty penalty;
  const char *rules; /* the recommended ones */
};

static void get_patterns(tutti_cell *cell, const void *row)
{
  const char *patterns = TUTTI_FIELD_OF(row, cell->column);
  tutti_cell_text(cell, *patterns ? patterns : NULL);
}

static const tutti_column loss_columns[] = {
    {NULL, "collective", .at = offsetof(struct loss_row, collective), .get = cell_collective},
    {NULL, "platform", TUTTI_FIELD(struct loss_row, platform)},
    {NULL, "library", TUTTI_FIELD(struct loss_row, library)},
    {NULL, "scheme", TUTTI_FIELD(struct loss_row, scheme)},
    {NULL, "patterns", TUTTI_FIELD(struct loss_row, patterns), .get = get_patterns},
    {NULL, "ranks_per_node", TUTTI_FIELD(struct loss_row, ranks_per_node)},
    {NULL, "root", TUTTI_FIELD(struct loss_row, root)},
    {NULL, "decision", TUTTI_FIELD(struct loss_row, decision)},
    {NULL, "kind", TUTTI_FIELD(struct loss_row, kind)},
    {NULL, "mean_percent", TUTTI_FIELD(struct loss_row, penalty.mean)},
    {NULL, "median_percent", TUTTI_FIELD(struct loss_row, penalty.median)},
    {NULL, "min_percent", TUTTI_FIELD(struct loss_row, penalty.min)},
    {NULL, "max_percent", TUTTI_FIELD(struct loss_row, penalty.max)},
    {NULL, "within_5_share", TUTTI_FIELD(struct loss_row, penalty.within_5)},
    {NULL, "within_10_share", TUTTI_FIELD(struct loss_row, penalty.within_10)},
    {NULL, "points", TUTTI_FIELD(struct loss_row, penalty.points)},
    {NULL, "missing", TUTTI_FIELD(struct loss_row, penalty.missing)},
    {NULL, "not_positive", TUTTI_FIELD(struct loss_row, penalty.not_positive)},
    {NULL, "rules", TUTTI_FIELD(struct loss_row, rules)},
};

static struct loss_row loss_row(const struct report *report, const struct report_map *map,
                                const struct report_layer *layer)
{
  const tutti_environment *own = report_environment(report, map);
  char arrival[TUTTI_ARRIVAL_LENGTH], noise[TUTTI_NOISE_LENGTH];
  struct loss_row row = {.collective = map->map.collective,
                         .platform = own->platform,
                         .library = own->library,
                         .scheme = tutti_scheme_name(map->scheme),
                         .ranks_per_node = map->ranks_per_node,
                         .root = map->root,
                         .decision = layer->name,
                         .kind = layer->kind,
                         .penalty = layer->penalty,
                         .rules = strcmp(layer->kind, "recommended") == 0 ? map->rules : NULL};
  if (map->arrival.kind != TUTTI_ARRIVAL_NONE || map->noise.kind != TUTTI_NOISE_NONE)
    snprintf(row.patterns, sizeof row.patterns, "arrival %s, noise %s", tutti_arrival_format(&map->arrival, arrival),
             tutti_noise_format(&map->noise, noise));
  if (row.penalty.points == 0) /* nothing is known */
    row.penalty.mean = row.penalty.median = row.penalty.min = row.penalty.max = row.penalty.within_5 =
        row.penalty.within_10 = NAN;
  return row;
}

static void print_losses(const struct report *report, tutti_format format, FILE *stream)
{
  struct {
    TUTTI_VECTOR(struct loss_row);
  } rows = {0};
  for (const struct report_map *map = report->maps; map < report->maps + report->map_count; map++)
    for (int i = 0; i < map->layer_count; i++)
      tutti_xpush(&rows, loss_row(report, map, &map->layers[i]));
  const tutti_table tables[] = {{.key = "penalties", TUTTI_COLUMNS(loss_columns), TUTTI_ROWS(rows.items, rows.count)},
                                report_comparison_table(report)};
  const tutti_document document = {TUTTI_TABLES(tables)};
  must(tutti_document_print(&document, format, stream, &failure));
  free(tables[1].owned);
  tutti_vector_free(&rows);
}

/* ---- the page ---- */

/* Names, or paths of files as they are now; rows of older files are noted on standard error. */
static void read_platforms(struct report_options *options)
{
  options->selected = tutti_xcalloc(options->platforms.count + 1, sizeof *options->selected);
  for (size_t i = 0; i < options->platforms.count; i++) {
    struct selection_options *selected = &options->selected[i];
    selected->database = options->database;
    must(selection_read_platform(selected, options->platforms.items[i], &failure));
    selection_note_older(selected, TUTTI_ENTRY_MEASUREMENTS, TUTTI_COLL_COUNT);
  }
}

static void write_page(const struct report_options *options, const struct report *report)
{
  struct tutti_output output;
  bool table = options->format != TUTTI_FORMAT_TEXT;
  const char *path = options->output ? options->output : table ? "-" : "report.html";
  output_begin(strcmp(path, "-") == 0 ? NULL : path, &output);
  if (table)
    print_losses(report, options->format, output.stream);
  else
    report_write(report, output.stream);
  output_end(&output);
}

static int make_report(void *values)
{
  struct report_options *options = values;
  struct report report;
  read_platforms(options);
  read_decisions(options);
  read_experiments(options);
  tutti_store *store = store_open_existing(options->database);
  report_create(options, store, &report);
  write_page(options, &report);
  if (options->plots)
    plot_report(&report, options->plots);
  report_free(&report);
  store_close(store);
  tutti_experiments_free(options->experiments, options->experiment_count);
  for (int i = 0; i < options->decision_count; i++)
    tutti_decision_free(&options->decisions[i]);
  free(options->decisions);
  free(options->selected);
  return EXIT_DONE;
}

DEFINE_COMMAND(report, "report", options, struct report_options, make_report);
