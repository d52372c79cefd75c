/* tutti-range: times the making of groups of processes, and collectives on them, and prints one record a line. Rank 0
   reads and writes; it never opens a database. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "harness/measure/range/range.h"

/* ---- the command line ---- */

/* The maximum is checked where the points are read. */
enum {
  OPERATIONS, /* separated by commas, as those down to the uses */
  WAYS,       /* not given: all that an operation has */
  ORDERS,     /* not given: those that a way has */
  COUNTS,
  USES,
  SIZE,
  METHOD,
  RANGE,
  ENTRY,
  COMPARE,
  INNER,
  RANKS_PER_NODE,
  REPETITIONS,
  OPTIONS
};

static const struct program_option list[OPTIONS] = {
    [OPERATIONS] = OPTION_WORD("operation", 'o', "NAMES", NULL,
                               "What to time, separated by commas: create, overlapping, bcast, reduce, scan, gather, "
                               "subrange-bcast, or all"),
    [WAYS] = OPTION_WORD("way", 'w', "NAMES", NULL,
                         "How, separated by commas: ranges, create-group, split, create-group/mpich, split/mpich; of "
                         "bcast, reduce, scan and gather ranges, view, native (default: all that an operation has)"),
    [ORDERS] = OPTION_WORD("order", 0, "NAMES", NULL, "Of overlapping groups: cascaded, alternating (default both)"),
    [COUNTS] = OPTION_WORD("count", 'c', "NUMBERS", "1", "Doubles of each process, separated by commas"),
    [USES] = OPTION_WORD("uses", 0, "NUMBERS", "1,50", "Broadcasts on a group, separated by commas"),
    [SIZE] =
        OPTION_WORD("size", 's', "N", "0", "Processes of the (first) group (default half of them; overlapping: 4)"),
    [METHOD] = OPTION_WORD("method", 0, "METHOD", NULL, "Of our schedules: chain/8KB (default binomial)"),
    [RANGE] = OPTION_COST("range-s", "SECONDS", "range_s", "Making a range, simulated (default 2.5e-8, as measured)"),
    [ENTRY] =
        OPTION_COST("entry-s", "SECONDS", "entry_s", "An entry of a table in .../mpich, simulated (default 1.7e-9)"),
    [COMPARE] = OPTION_COST("compare-s", "SECONDS", "compare_s",
                            "A comparison of a sort in .../mpich, simulated (default 7.4e-9)"),
    [INNER] = OPTION_COST("inner", "N", "inner", "Ranges made in one repetition on a real machine (default 1000)"),
    [RANKS_PER_NODE] = OPTION_RANKS_PER_NODE("Recorded with the times"),
    [REPETITIONS] = OPTION_REPETITIONS,
};

/* ---- the points as a text ---- */

static void write_one(FILE *stream, const char *start, const char *order, const char *count, const char *uses)
{
  fprintf(stream, "%s order=%s count=%s uses=%s\n", start, order, count, uses);
}

static void write_uses(FILE *stream, const struct options *options, const char *start, const char *count)
{
  const char *list = option_word(options, USES), *word;
  for (int length; (word = option_next(&list, &length));) {
    char uses[24];
    snprintf(uses, sizeof uses, "%.*s", length, word);
    write_one(stream, start, "-", count, uses);
  }
}

static void write_counts(FILE *stream, const struct options *options, const char *start, bool with_uses)
{
  const char *list = option_word(options, COUNTS), *word;
  for (int length; (word = option_next(&list, &length));) {
    char count[24];
    snprintf(count, sizeof count, "%.*s", length, word);
    if (with_uses)
      write_uses(stream, options, start, count);
    else
      write_one(stream, start, "-", count, "0");
  }
}

/* Splits have no cascade, so it is left out unless --order names it. */
static void write_orders(FILE *stream, const struct options *options, const char *start, bool splits)
{
  const char *list = options->given[ORDERS], *word;
  if (!list)
    list = splits ? "alternating" : "cascaded,alternating";
  for (int length; (word = option_next(&list, &length));) {
    char order[24];
    snprintf(order, sizeof order, "%.*s", length, word);
    write_one(stream, start, order, "0", "0");
  }
}

/* All points of an operation done one way. */
static void write_way(FILE *stream, const struct options *options, enum range_operation operation, const char *way)
{
  char start[128];
  struct range_point point = {.operation = operation};
  tutti_error ignored;
  bool known = tutti_range_way_parse(way, &point, &ignored) == TUTTI_OK;
  const char *method = known && tutti_range_takes_method(operation, point.way) ? options->given[METHOD] : NULL;
  const char *size = tutti_range_has_way(operation, WAY_NATIVE) ? "0" : option_word(options, SIZE);
  snprintf(start, sizeof start, "%s way=%s%s%s size=%s", tutti_range_operation_name(operation), way, method ? "/" : "",
           method ? method : "", size);
  if (operation == RANGE_CREATE)
    write_one(stream, start, "-", "0", "0");
  else if (operation == RANGE_OVERLAPPING)
    write_orders(stream, options, start, known && (point.way == WAY_SPLIT || point.way == WAY_SPLIT_MPICH));
  else
    write_counts(stream, options, start, operation == RANGE_SUBRANGE_BCAST);
}

static void write_operation(FILE *stream, const struct options *options, enum range_operation operation)
{
  const char *list = options->given[WAYS], *word;
  for (int w = 0; !list && w < RANGE_WAYS; w++)
    if (tutti_range_has_way(operation, (enum range_way)w))
      write_way(stream, options, operation, tutti_range_way_name((enum range_way)w));
  for (int length; list && (word = option_next(&list, &length));) {
    char way[RANGE_WAY_LENGTH + 1];
    snprintf(way, sizeof way, "%.*s", length, word);
    write_way(stream, options, operation, way);
  }
}

static tutti_status write_operations(FILE *stream, const struct options *options, tutti_error *error)
{
  const char *list = options->given[OPERATIONS], *word;
  bool all = strcmp(list, "all") == 0;
  tutti_status status = TUTTI_OK;
  for (int o = 0; all && o < RANGE_OPERATIONS; o++)
    write_operation(stream, options, (enum range_operation)o);
  for (int length; !all && status == TUTTI_OK && (word = option_next(&list, &length));) {
    char name[32];
    enum range_operation operation;
    snprintf(name, sizeof name, "%.*s", length, word);
    status = tutti_range_operation_parse(name, &operation, error);
    if (status == TUTTI_OK)
      write_operation(stream, options, operation);
  }
  return status;
}

static tutti_status write_lines(FILE *stream, const struct options *options, tutti_error *error)
{
  if (!options->given[OPERATIONS])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "nothing to time: give --points FILE or --operation NAMES");
  return write_operations(stream, options, error);
}

static const struct option_table option_table = {
    .name = "tutti-range",
    .doc = "Time the making of groups of processes, and collectives on them; one record a line on standard output.\v"
           "Run it under smpirun or mpiexec. The number of ranks is that of the launch. Times are those of the latest "
           "process. A range takes nanoseconds: on a real machine many are made in one repetition (--inner) and the "
           "time is that of one; in simulation, where computing takes no time, each takes --range-s.\n\n"
           "The library's own ways (create-group, split, native) are not for large simulations: SMPI keeps a list of "
           "all members on every rank, and its time and memory grow with the square of the ranks "
           "(docs/explanation/ranges.md). "
           "There .../mpich stand for them: what MPICH does, on our schedules.",
    .points_help = "Time the points of FILE",
    .count = OPTIONS,
    .options = list,
    .done = "timed",
    .write = write_lines,
};

/* ---- all ---- */

static tutti_status open_bench(void *state, tutti_error *error)
{
  struct range_bench *bench = state;
  struct timing *timing = &bench->timing;
  bench->parent = (struct range_parent){&timing->inside, MPI_GROUP_NULL, timing->points};
  return MPI_Comm_group(timing->view.comm, &bench->parent.group) == MPI_SUCCESS
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Comm_group failed", timing->view.rank);
}

static void close_bench(void *state)
{
  struct range_bench *bench = state;
  if (bench->parent.all && bench->parent.group != MPI_GROUP_NULL)
    MPI_Group_free(&bench->parent.group);
}

static bool is_native(const void *point)
{
  return ((const struct range_point *)point)->way == WAY_NATIVE;
}

static char *format_point(const void *point, int ranks, char *text)
{
  (void)ranks;
  return tutti_range_point_format(point, text);
}

static void describe(const void *state, const void *point, tutti_record *record)
{
  tutti_range_describe(point, ((const struct timing *)state)->view.size, record);
}

int main(int argc, char **argv)
{
  const struct program program = {.options = &option_table,
                                  .points = &tutti_range_points,
                                  .state_size = sizeof(struct range_bench),
                                  .apart = true,
                                  .nonblocking = true,
                                  .open = open_bench,
                                  .begin = range_trial_open,
                                  .once = range_trial_once,
                                  .end = range_trial_close,
                                  .is_native = is_native,
                                  .format = format_point,
                                  .describe = describe,
                                  .close = close_bench};
  return tutti_program_run(&program, argc, argv);
}
