/* tutti guidelines: are the measured times consistent with each other, and what is it that they are not? */
#include <math.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/guidelines/guidelines.h"

enum { KEY_DECISION = 0x300, KEY_TOLERANCE, KEY_TOP, KEY_JSON, KEY_CSV, KEY_LIST };

static const struct argp_option options[] = {
    {.doc = "What runs:"},
    {"decision", KEY_DECISION, "DECISION", 0,
     "check what this picks, not the best methods: a library (library:openmpi-4.1), a file of rules or of trees, or "
     "'native', what the MPI library did when it was called",
     0},
    {"tolerance", KEY_TOLERANCE, "PERCENT", 0, "how much slower than the right side is no violation (default: 5)", 0},
    {.doc = "Output:"},
    {"top", KEY_TOP, "N", 0, "show the N costliest violations (default: 20)", 0},
    {"list", KEY_LIST, 0, 0, "print the guidelines and nothing else", 0},
    {"json", KEY_JSON, 0, 0, "print JSON, times in seconds", 0},
    {"csv", KEY_CSV, 0, 0, "print CSV", 0},
    {0},
};

static double parse_percent(struct argp_state *state, const char *text)
{
  char *end;
  double percent = strtod(text, &end);
  if (end == text || *end || !isfinite(percent) || percent < 0)
    argp_error(state, "--tolerance: '%s' is not a number of at least 0", text);
  return percent / 100;
}

static void add_collective(struct argp_state *state, const char *name, unsigned *collectives)
{
  tutti_collective collective;
  tutti_error error;
  if (tutti_collective_parse(name, &collective, &error) != TUTTI_OK)
    argp_error(state, "%s", error.message);
  *collectives |= 1u << collective;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct guidelines_options *chosen = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &chosen->selection;
    break;
  case KEY_DECISION:
    chosen->decision = text;
    break;
  case KEY_TOLERANCE:
    chosen->tolerance = parse_percent(state, text);
    break;
  case KEY_TOP:
    chosen->top = (int)parse_number(state, "top", text, 0, 1000000000);
    break;
  case KEY_LIST:
    chosen->list = true;
    break;
  case KEY_JSON:
    chosen->format = TUTTI_FORMAT_JSON;
    break;
  case KEY_CSV:
    chosen->format = TUTTI_FORMAT_CSV;
    break;
  case ARGP_KEY_ARG:
    add_collective(state, text, &chosen->collectives);
    break;
  case ARGP_KEY_END:
    if (!chosen->list && !*chosen->selection.platform)
      argp_error(state, "--platform NAME is missing");
    if (selection_patterns_count(&chosen->selection.patterns) > 1)
      argp_error(state, "one arrival pattern and one noise at a time");
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
    .args_doc = "[COLLECTIVE...]",
    .doc = "Check measured times against performance guidelines: no collective (of those named) should be slower than "
           "what can be called in its place, than on more ranks, or on more data. Each violation is listed with the "
           "microseconds that it costs a call and with what to run instead, costliest first; --list prints the "
           "guidelines.\vOnly measured points are compared. A check whose right side was not measured cannot be made; "
           "how many could not, and why, is said. Exit status: 0 no violation, 1 violations, 2 bad input.",
    .children = children,
};

static int check(const struct guidelines_options *chosen, tutti_error *error)
{
  struct guidelines_times read = {.scheme = NULL};
  tutti_guideline_report report = {.violations = NULL};
  tutti_status status = guidelines_read(chosen, &read, error);
  if (status == TUTTI_OK)
    status = tutti_guidelines_check(&read.times, chosen->collectives, chosen->tolerance, &report, error);
  if (status == TUTTI_OK)
    status = guidelines_print(chosen, &read, &report, error);
  int code = status != TUTTI_OK ? complain(error) : report.violation_count > 0 ? EXIT_FOUND : EXIT_DONE;
  tutti_guideline_report_free(&report);
  tutti_guideline_times_free(&read.times);
  return code;
}

static int guidelines_main(int argc, char **argv)
{
  struct guidelines_options chosen = {.selection = selection_defaults(), .tolerance = 0.05, .top = 20};
  tutti_error error;
  chosen.selection.optional = true;
  parse_options(&argp, argc, argv, &chosen);
  if (!chosen.list)
    return check(&chosen, &error);
  return guidelines_list(&chosen, &error) == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_guidelines = {
    .name = "guidelines",
    .summary = "check measured times against what could be called in their place",
    .main = guidelines_main,
};
