/* tutti guidelines: are the measured times consistent with each other, and what is it that they are not? */
#include "cli/guidelines/guidelines.h"
#include "cli/command.h"
#include "cli/options/common.h"

static void begin(void *values)
{
  struct guidelines_options *chosen = values;
  chosen->selection.optional = true; /* --list needs no platform */
}

static tutti_status read_collective(void *values, const char *text, tutti_error *error)
{
  struct guidelines_options *chosen = values;
  tutti_collective collective;
  tutti_status status = tutti_collective_parse(text, &collective, error);
  if (status == TUTTI_OK)
    chosen->collectives |= 1u << collective;
  return status;
}

static tutti_status check(void *values, tutti_error *error)
{
  const struct guidelines_options *chosen = values;
  if (!chosen->list && !*chosen->selection.platform)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "--platform NAME is missing");
  if (selection_patterns_count(&chosen->selection.patterns) > 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "one arrival pattern and one noise at a time");
  return TUTTI_OK;
}

static const struct option_row options[] = {
    OPTION_HEADING("What runs:"),
    OPTION_STRING("decision", "DECISION", struct guidelines_options, decision,
                  "check what this picks, not the best methods: a library (library:openmpi-4.1), a file of rules or of "
                  "trees, or 'native', what the MPI library did when it was called"),
    OPTION_REAL("tolerance", "PERCENT", struct guidelines_options, tolerance,
                "how much slower than the right side is no violation", .initial = "5", .scale = 0.01),
    OPTION_HEADING("Output:"),
    OPTION_NUMBER("top", "N", struct guidelines_options, top, "show the N costliest violations", .initial = "20",
                  .max = 1000000000),
    OPTION_FLAG("list", struct guidelines_options, list, "print the guidelines and nothing else"),
    OPTION_FORMAT(struct guidelines_options, format),
    OPTION_HEADING("Measurements:"),
    OPTION_TABLE(struct guidelines_options, selection, selection_table),
    OPTION_BEGIN(begin),
    {.kind = OPTION_KIND_PARSE, .name = "COLLECTIVE", .parse = read_collective, .optional = true, .many = true},
    OPTION_CHECK(check),
    OPTION_END};

static int print_check(const struct guidelines_options *chosen, tutti_error *error)
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

static int run(void *values)
{
  const struct guidelines_options *chosen = values;
  tutti_error error;
  if (!chosen->list)
    return print_check(chosen, &error);
  return guidelines_list(chosen, &error) == TUTTI_OK ? EXIT_DONE : complain(&error);
}

const struct command command_guidelines = {
    .name = "guidelines",
    .summary = "check measured times against what could be called in their place",
    .help = "Check measured times against performance guidelines: no collective (of those named) should be slower "
            "than what can be called in its place, than on more ranks, or on more data. Each violation is listed with "
            "the microseconds that it costs a call and with what to run instead, costliest first; --list prints the "
            "guidelines.",
    .notes = "Only measured points are compared. A check whose right side was not measured cannot be made; how many "
             "could not, and why, is said. Exit status: 0 no violation, 1 violations, 2 bad input.",
    .options = options,
    .size = sizeof(struct guidelines_options),
    .run = run,
};
