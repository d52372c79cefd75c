/* tutti guidelines: are the measured times consistent with each other, and where are they not? */
#include <math.h>

#include "cli/command.h"
#include "cli/guidelines/guidelines.h"
#include "cli/options/common.h"
#include "cli/output/output.h"

/* ---- what is checked: the times of what runs, from the measurements of all collectives at once: of one ---- */

/* [map->ranks_count] ranks per node of each number of ranks, to be freed in any case. */
static int *nodes_of(const tutti_measurement *measurements, size_t count, const tutti_decision_map *map)
{
  int *found = tutti_xcalloc((size_t)map->ranks_count, sizeof *found);
  for (size_t i = 0; i < count; i++) {
    int r = 0;
    while (map->ranks[r] != measurements[i].ranks)
      r++;
    if (found[r] != 0 && found[r] != measurements[i].ranks_per_node)
      die("%s on %d ranks was measured with %d and %d ranks per node: choose with --ranks-per-node",
          tutti_collective_name(map->collective), map->ranks[r], found[r], measurements[i].ranks_per_node);
    found[r] = measurements[i].ranks_per_node;
  }
  return found;
}

static void add_map(const struct guidelines_options *options, const tutti_decision_map *map, const int *per_node,
                    struct guidelines_times *read)
{
  tutti_decision decision = {.name = NULL};
  bool decides = true;
  if (options->decision)
    must(decision_argument_read_for(options->decision, map->collective, &decision, &decides, &failure));
  if (!decides)
    return;
  tutti_guideline_times_of_map(&read->times, map, options->decision ? &decision : NULL, per_node,
                               &read->unknown[map->collective]);
  tutti_decision_free(&decision);
}

static void add_collective(const struct guidelines_options *options, const tutti_measurement *measurements,
                           size_t count, struct guidelines_times *read)
{
  tutti_decision_map map;
  must(tutti_decision_map_create(measurements, count, &map, &failure));
  tutti_decision_map_choose(&map, selection_candidates(&options->selection, &map));
  int *per_node = nodes_of(measurements, count, &map);
  add_map(options, &map, per_node, read);
  free(per_node);
  tutti_decision_map_free(&map);
}

/* ---- all of them ---- */

static int by_collective(const void *left_item, const void *right_item)
{
  const tutti_measurement *left = left_item, *right = right_item;
  return (int)left->method.algorithm->collective - (int)right->method.algorithm->collective;
}

static void add_all(const struct guidelines_options *options, tutti_measurement *measurements, size_t count,
                    struct guidelines_times *read)
{
  qsort(measurements, count, sizeof *measurements, by_collective);
  for (size_t i = 0, next; i < count; i = next) {
    patience_at("what runs at each point", (double)i / (double)count);
    for (next = i; next < count && by_collective(&measurements[i], &measurements[next]) == 0; next++)
      ;
    add_collective(options, measurements + i, next - i, read);
  }
  if (read->times.count == 0)
    die("%s: nothing that %s was measured on platform %s", options->selection.database,
        options->decision ? "the decision picks" : "can be best", options->selection.platform);
}

static void read_times(const struct guidelines_options *options, struct guidelines_times *read)
{
  tutti_measurement *measurements;
  size_t count;
  patience_at("read the measurements", NAN);
  must(selection_read_all(&options->selection, &measurements, &count, &failure));
  if (count == 0)
    must(selection_fail_empty(&options->selection, TUTTI_COLL_COUNT, "", &failure));
  else {
    read->scheme = tutti_scheme_name(measurements[0].scheme);
    read->basis = selection_basis_name(&options->selection, measurements[0].scheme);
    add_all(options, measurements, count, read);
  }
  free(measurements);
}

static void check(void *values)
{
  struct guidelines_options *chosen = values;
  if (!chosen->list)
    selection_need_platform(&chosen->selection);
  if (selection_patterns_count(&chosen->selection.patterns) > 1)
    die("one arrival pattern and one noise at a time");
}

static const struct option_row options[] = {
    OPTION_HEADING("What runs:"),
    OPTION_STRING("decision", "DECISION", struct guidelines_options, decision,
                  "check what this picks, not the best methods: a library (library:openmpi-4.1), a file of rules or of "
                  "trees, or 'native', what the MPI library did when it was called"),
    OPTION_REAL("tolerance", "PERCENT", struct guidelines_options, tolerance,
                "how much slower than the right side is no violation", .initial = "5", .scale = 0.01, .everyday = true),
    OPTION_HEADING("Output:"),
    OPTION_NUMBER("top", "N", struct guidelines_options, top, "show the N costliest violations", .initial = "20",
                  .max = 1000000000, .everyday = true),
    OPTION_FLAG("list", struct guidelines_options, list, "print the guidelines and nothing else", .everyday = true),
    OPTION_FORMAT(struct guidelines_options, format),
    OPTION_HEADING("Measurements:"),
    OPTION_TABLE(struct guidelines_options, selection, optional_selection_table),
    ARGUMENT_PARSE("COLLECTIVE", struct guidelines_options, collectives, option_collectives, .optional = true,
                   .many = true),
    OPTION_CHECK(check),
    OPTION_END};

static int print_check(const struct guidelines_options *chosen)
{
  struct guidelines_times read = {.scheme = NULL};
  tutti_guideline_report report = {.violations = NULL};
  read_times(chosen, &read);
  patience_at("check the guidelines", NAN);
  must(tutti_guidelines_check(&read.times, chosen->collectives, chosen->tolerance, &report, &failure));
  patience_at(NULL, 1);
  guidelines_print(chosen, &read, &report);
  int code = report.violation_count > 0 ? EXIT_FOUND : EXIT_DONE;
  tutti_guideline_report_free(&report);
  tutti_guideline_times_free(&read.times);
  return code;
}

static int run(void *values)
{
  const struct guidelines_options *chosen = values;
  if (!chosen->list)
    return print_check(chosen);
  guidelines_list(chosen);
  return EXIT_DONE;
}

DEFINE_COMMAND(guidelines, "guidelines", options, struct guidelines_options, run);
