/* tutti report: one HTML page of what the store holds. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/options/common.h"
#include "cli/output/output.h"
#include "cli/plot/plot.h"
#include "tutti/library.h"
#include "tutti/report.h"

struct report_options {
  tutti_report_request request; /* its arrays are those below */
  const char *output, *plots;
  struct option_strings platforms, decisions;
  tutti_decision *read; /* owned */
  int read_count;
  tutti_experiment *experiments; /* owned */
};

static const struct option_row options[] = {
    OPTION_STRING("output", "FILE", struct report_options, output, "write the page to FILE; - is standard output",
                  .letter = 'o', .initial = "report.html"),
    OPTION_DB(struct report_options, request.database),
    OPTION_STRINGS("platform", "NAME", struct report_options, platforms, "only this platform; may be repeated"),
    OPTION_STRINGS("decision", "DECISION", struct report_options, decisions,
                   "ask this decision, too, a file or a method; may be repeated. Untuned libraries (library:...) are "
                   "asked in any case, models where the store has the parameters of the platform"),
    OPTION_STRING("title", "TEXT", struct report_options, request.title, "title of the page"),
    OPTION_STRING("plots", "DIR", struct report_options, plots,
                  "draw every map, its losses and every chart to DIR, too, as SVG and PDF (needs gnuplot)"),
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

static tutti_status read_decisions(struct report_options *options, tutti_error *error)
{
  const struct option_strings *names = &options->decisions;
  tutti_status status = TUTTI_OK;
  options->read = tutti_xcalloc(names->count + 1, sizeof *options->read);
  for (size_t i = 0; i < names->count && status == TUTTI_OK; i++) {
    tutti_decision *decision = &options->read[options->read_count];
    if (tutti_library_named(names->items[i]))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--decision %s: libraries are asked in any case", names->items[i]);
    status = decision_argument_read(names->items[i], NULL, decision, error);
    options->read_count += status == TUTTI_OK;
    if (status == TUTTI_OK)
      shorten_name(decision);
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
  tutti_status status = output_file_begin(strcmp(options->output, "-") == 0 ? NULL : options->output, &output, error);
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
      status = plot_report(&report, options->plots, error);
    tutti_report_free(&report);
  }
  tutti_store_close(store);
  return status;
}

static int run(void *values)
{
  struct report_options *options = values;
  tutti_error error;
  options->request.platforms = options->platforms.items;
  options->request.platform_count = (int)options->platforms.count;
  tutti_status status = read_decisions(options, &error);
  if (status == TUTTI_OK)
    status = read_experiments(options, &error);
  if (status == TUTTI_OK)
    status = make_report(options, &error);
  tutti_experiments_free(options->experiments, options->request.experiment_count);
  for (int i = 0; i < options->read_count; i++)
    tutti_decision_free(&options->read[i]);
  free(options->read);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_report = {
    .name = "report",
    .summary = "write one HTML page of what the store holds",
    .help = "Write one self-contained HTML page of what the store holds: platforms with their published and measured "
            "parameters, decision maps in which every point shows the times of its methods and what each decision "
            "function picks there, penalties, groups, sorting, ranges, group maps, what was published beside what was "
            "measured, and where every number comes from.",
    .notes = "The page needs no network, and no JavaScript to be read. The same store gives the same bytes. Times are "
             "microseconds. Exit status: 0 done, 2 wrong usage or bad input.",
    .options = options,
    .size = sizeof(struct report_options),
    .run = run,
};
