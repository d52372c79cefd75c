/* tutti map: which method is best where. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options/decision_argument.h"
#include "cli/map/map_decision.h"
#include "cli/plot/plot_gnuplot.h"
#include "cli/map/report_map.h"
#include "cli/plot/report_plot.h"
#include "cli/options/selection.h"

enum { KEY_PLOT = 0x200, KEY_JSON, KEY_TIMES, KEY_DECISION, KEY_LOSS };

struct map_options {
  struct selection_options selection;
  const char *collective;
  const char *plot;     /* NULL: no picture */
  const char *decision; /* NULL: the best methods */
  bool loss;
  bool json;
  bool times;
};

static const struct argp_option options[] = {
    {.doc = "Output:"},
    {"decision", KEY_DECISION, "DECISION", 0,
     "show what this decision (a file, a method, or library:NAME) picks at the points instead", 0},
    {"loss", KEY_LOSS, 0, 0, "draw what the decision loses, in percent of the best time, not what it picks", 0},
    {"plot", KEY_PLOT, "FILE", 0, "draw the map to FILE.svg, FILE.png or FILE.pdf too (needs gnuplot)", 0},
    {"times", KEY_TIMES, 0, 0, "print the times of the best and the second best method of each point too", 0},
    {"json", KEY_JSON, 0, 0, "print JSON; with --times the times of all methods", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct map_options *chosen = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &chosen->selection;
    break;
  case KEY_PLOT:
    chosen->plot = gnuplot_parse_path(state, "plot", text);
    break;
  case KEY_JSON:
    chosen->json = true;
    break;
  case KEY_DECISION:
    chosen->decision = text;
    break;
  case KEY_LOSS:
    chosen->loss = true;
    break;
  case ARGP_KEY_END:
    if (chosen->loss && (!chosen->decision || !chosen->plot))
      argp_error(state, "--loss draws what a --decision loses to the --plot FILE");
    if (chosen->times && chosen->decision)
      argp_error(state, "--times shows the best methods, not a --decision");
    break;
  case KEY_TIMES:
    chosen->times = true;
    break;
  case ARGP_KEY_ARG:
    if (chosen->collective)
      argp_error(state, "one collective at a time, not '%s' too", text);
    chosen->collective = text;
    break;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which collective?");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp_child children[] = {{&selection_argp, 0, "Measurements:", 9}, {0}};

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "COLLECTIVE",
    .doc = "Show the decision map of a collective: the best measured method for each communicator size and message "
           "size (bytes per rank), or with --decision what a decision function picks.",
    .children = children,
};

static void print(const struct map_report *report, const struct map_options *chosen)
{
  if (chosen->json) {
    report_map_print_json(report, chosen->times);
    return;
  }
  report_map_print(report);
  if (!chosen->decision)
    report_map_print_notes(report);
  if (chosen->times)
    report_map_print_times(report);
}

/* @p percents of what a decision loses, NULL for the best methods. */
static tutti_status show(const struct measured_map *measured, const struct map_options *chosen, const double *percents,
                         tutti_error *error)
{
  struct map_report report;
  tutti_status status = map_report_create(measured, &report, error);
  if (status != TUTTI_OK)
    return status;
  report.decision = chosen->decision;
  if (report.decision && strrchr(report.decision, '/') && access(report.decision, F_OK) == 0)
    report.decision = strrchr(report.decision, '/') + 1; /* a file is known by its name wherever it lies */
  print(&report, chosen);
  fflush(stdout); /* the text is there whatever becomes of the picture */
  if (chosen->plot)
    status = chosen->loss ? report_plot_loss(&report, percents, chosen->plot, error)
                          : report_plot(&report, chosen->plot, error);
  map_report_free(&report);
  return status;
}

static tutti_status show_decision(const struct measured_map *measured, const struct map_options *chosen,
                                  tutti_error *error)
{
  tutti_decision decision;
  struct measured_map picked;
  tutti_status status = decision_argument_read(chosen->decision, chosen->collective, &decision, error);
  if (status != TUTTI_OK)
    return status;
  double *percents = calloc((size_t)measured->map.ranks_count * (size_t)measured->map.size_count, sizeof *percents);
  status = percents ? map_decision_ask(measured, &decision, &picked, percents, error)
                    : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the map of a decision");
  if (status == TUTTI_OK) {
    status = show(&picked, chosen, percents, error);
    tutti_decision_map_free(&picked.map);
  }
  free(percents);
  tutti_decision_free(&decision);
  return status;
}

static int map_main(int argc, char **argv)
{
  struct map_options chosen = {.selection = selection_defaults()};
  struct measured_map measured;
  tutti_collective collective;
  tutti_error error;
  parse_options(&argp, argc, argv, &chosen);
  if (tutti_collective_parse(chosen.collective, &collective, &error) != TUTTI_OK ||
      selection_read_map(&chosen.selection, collective, &measured, &error) != TUTTI_OK)
    return complain(&error);
  tutti_status status =
      chosen.decision ? show_decision(&measured, &chosen, &error) : show(&measured, &chosen, NULL, &error);
  tutti_decision_map_free(&measured.map);
  return status == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_map = {
    .name = "map",
    .summary = "show the best method per communicator size and message size",
    .main = map_main,
};
