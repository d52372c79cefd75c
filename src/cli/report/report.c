/* tutti report: one HTML page of what the store holds. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options/decision_argument.h"
#include "cli/output/output_file.h"
#include "cli/plot/report_pictures.h"
#include "tutti/library.h"
#include "tutti/report.h"

enum { KEY_DB = 0x700, KEY_PLATFORM, KEY_DECISION, KEY_TITLE, KEY_PLOTS };

struct report_options {
  tutti_report_request request; /* its arrays are those below */
  const char *output, *plots;
  const char **platforms, **decisions; /* owned */
  int platform_count, decision_count;
  tutti_decision *read; /* owned */
  int read_count;
  tutti_experiment *experiments; /* owned */
};

static const struct argp_option option_table[] = {
    {"output", 'o', "FILE", 0, "Write the page to FILE (default: report.html); - is standard output", 0},
    {"db", KEY_DB, "FILE", 0, "The store (default: results.db)", 0},
    {"platform", KEY_PLATFORM, "NAME", 0, "Only this platform; may be repeated", 0},
    {"decision", KEY_DECISION, "DECISION", 0,
     "Ask this decision, too, a file or a method; may be repeated. Untuned libraries (library:...) are asked in any "
     "case, "
     "models where the store has the parameters of the platform",
     0},
    {"title", KEY_TITLE, "TEXT", 0, "Title of the page", 0},
    {"plots", KEY_PLOTS, "DIR", 0,
     "Draw every map, its losses and every chart to DIR, too, as SVG and PDF (needs gnuplot)", 0},
    {0},
};

static void append(struct argp_state *state, const char ***list, int *count, const char *text)
{
  const char **grown = reallocarray(*list, (size_t)*count + 1, sizeof *grown);
  if (!grown)
    argp_failure(state, EXIT_USAGE, 0, "out of memory");
  *list = grown;
  grown[(*count)++] = text;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct report_options *options = state->input;
  switch (key) {
  case 'o':
    options->output = strcmp(text, "-") == 0 ? NULL : text;
    return 0;
  case KEY_DB:
    options->request.database = text;
    return 0;
  case KEY_PLATFORM:
    append(state, &options->platforms, &options->platform_count, text);
    return 0;
  case KEY_DECISION:
    append(state, &options->decisions, &options->decision_count, text);
    return 0;
  case KEY_TITLE:
    options->request.title = text;
    return 0;
  case KEY_PLOTS:
    options->plots = text;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .doc =
        "Write one self-contained HTML page of what the store holds: platforms with their published and measured "
        "parameters, decision maps in which every point says what its methods take and what each decision function "
        "picks there, penalties, groups, sorting, ranges, group maps, what was published beside what was measured, and "
        "where every number comes from.\v"
        "The page needs no network, and no JavaScript to be read. The same store gives the same bytes. Times are "
        "microseconds. Exit status: 0 done, 2 wrong usage or bad input.",
};

/* A file is known by its name wherever it lies. */
static tutti_status shorten_name(tutti_decision *decision, tutti_error *error)
{
  const char *slash = strrchr(decision->name, '/');
  tutti_method method;
  if (!slash || tutti_method_parse(decision->name, &method, NULL) == TUTTI_OK)
    return TUTTI_OK;
  char *name = strdup(slash + 1);
  if (!name)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the decision %s", decision->name);
  free(decision->name);
  decision->name = name;
  return TUTTI_OK;
}

static tutti_status read_decisions(struct report_options *options, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  options->read = calloc((size_t)options->decision_count + 1, sizeof *options->read);
  if (!options->read)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d decisions", options->decision_count);
  for (int i = 0; i < options->decision_count && status == TUTTI_OK; i++) {
    tutti_decision *decision = &options->read[options->read_count];
    if (tutti_library_named(options->decisions[i]))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--decision %s: libraries are asked in any case",
                        options->decisions[i]);
    status = decision_argument_read(options->decisions[i], NULL, decision, error);
    options->read_count += status == TUTTI_OK;
    if (status == TUTTI_OK)
      status = shorten_name(decision, error);
  }
  options->request.decisions = options->read;
  options->request.decision_count = options->read_count;
  return status;
}

/* Claims are those of the experiments at hand; there may be none. */
static tutti_status read_experiments(struct report_options *options, tutti_error *error)
{
  char *directory;
  if (tutti_experiments_find(&directory, NULL) != TUTTI_OK)
    return TUTTI_OK;
  tutti_status status =
      tutti_experiments_read(directory, &options->experiments, &options->request.experiment_count, error);
  options->request.experiments = options->experiments;
  free(directory);
  return status;
}

static tutti_status write_page(const struct report_options *options, const tutti_report *report, tutti_error *error)
{
  struct output_file output;
  tutti_status status = output_file_begin(options->output, &output, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_report_write(report, output.stream, error);
  return output_file_end(&output, status, error);
}

static tutti_status make_report(const struct report_options *options, tutti_error *error)
{
  tutti_store *store;
  tutti_report report;
  tutti_status status = tutti_store_open_existing(options->request.database, &store, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_report_create(&options->request, store, &report, error);
  if (status == TUTTI_OK) {
    status = write_page(options, &report, error);
    if (status == TUTTI_OK && options->plots)
      status = report_pictures(&report, options->plots, error);
    tutti_report_free(&report);
  }
  tutti_store_close(store);
  return status;
}

static int report_main(int argc, char **argv)
{
  struct report_options options = {.output = "report.html", .request = {.database = "results.db"}};
  tutti_error error;
  parse_options(&argp, argc, argv, &options);
  options.request.platforms = options.platforms;
  options.request.platform_count = options.platform_count;
  tutti_status status = read_decisions(&options, &error);
  if (status == TUTTI_OK)
    status = read_experiments(&options, &error);
  if (status == TUTTI_OK)
    status = make_report(&options, &error);
  tutti_experiments_free(options.experiments, options.request.experiment_count);
  for (int i = 0; i < options.read_count; i++)
    tutti_decision_free(&options.read[i]);
  free(options.read);
  free(options.platforms);
  free(options.decisions);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_report = {
    .name = "report",
    .summary = "write one HTML page of what the store holds",
    .main = report_main,
};
