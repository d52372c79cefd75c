#include "harness/measure/fast/fast.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/say.h"
#include "base/text.h"
#include "decision/results/row.h"
#include "tutti/plugin.h"

struct request {
  const char *platform, *points, *flavor;
  uint64_t ranks;
  bool queued;
};

static const struct argp_option options[] = {
    {"platform", 'p', "FILE", 0, "The platform file to simulate", 0},
    {"ranks", 'n', "N", 0, "Number of ranks", 0},
    {"points", 'f', "FILE", 0, "Measure the points of FILE (written by tutti bench)", 0},
    {"queued", 'q', NULL, 0, "One message at a time on every link, whatever the platform says", 0},
    {"flow", 'w', NULL, 0, "Share links within a tolerance", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
  struct request *request = state->input;
  switch (key) {
  case 'p':
    request->platform = argument;
    return 0;
  case 'n':
    if (!tutti_parse_integer(argument, 1, INT_MAX, &request->ranks))
      argp_error(state, "option --ranks: not a number of ranks: '%s'", argument);
    return 0;
  case 'f':
    request->points = argument;
    return 0;
  case 'q':
    request->queued = true;
    return 0;
  case 'w':
    request->flavor = TUTTI_FLAVOR_FLOW;
    return 0;
  case ARGP_KEY_END:
    if (!request->platform || !request->points || !request->ranks)
      argp_error(state, "give --platform, --ranks and --points");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void print_run(const struct request *request, const struct points *points)
{
  tutti_record run = {.kind = TUTTI_RECORD_RUN, .ranks = (int)request->ranks, .ranks_per_node = points->ranks_per_node};
  snprintf(run.tutti, sizeof run.tutti, "%s", TUTTI_VERSION);
  snprintf(run.flavor, sizeof run.flavor, "%s", request->flavor);
  snprintf(run.library, sizeof run.library, "%s", tutti_engine_library(request->flavor));
  tutti_record_print(stdout, &run);
  fflush(stdout);
}

/* One repetition is exact. */
static void set_times(double seconds, tutti_record *record)
{
  static const char *const times[] = {"minimum_s", "median_s", "mean_s", "maximum_s"};
  const void *found;
  const struct tutti_row_kind *kind = tutti_kind_of_record(record, &found);
  tutti_row_set_integer(kind, (void *)found, "repetitions", 1);
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    tutti_row_set_real(kind, (void *)found, times[i], seconds);
}

static tutti_status measure_point(const struct fast_program *program, const struct engine_machine *machine,
                                  const struct points *points, const void *point, struct engine_start *start,
                                  tutti_error *error)
{
  tutti_record record = {.kind = TUTTI_RECORD_NONE};
  double seconds = 0;
  const tutti_status status = program->measure(machine, points, point, start, &record, &seconds, error);
  if (status != TUTTI_OK)
    return status;
  set_times(seconds, &record);
  tutti_record_print(stdout, &record);
  fflush(stdout); /* a killed sweep loses no more than the point in flight */
  return TUTTI_OK;
}

static tutti_status measure_all(const struct fast_program *program, const struct request *request,
                                const struct engine_machine *machine, const struct points *points, tutti_error *error)
{
  const tutti_record end = {.kind = TUTTI_RECORD_END, .measurements = points->count};
  struct engine_start start = {0};
  tutti_status status = TUTTI_OK;
  if (points->ranks_per_node != machine->ranks_per_node)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: for %d ranks a node, %s has %d", request->points,
                      points->ranks_per_node, request->platform, machine->ranks_per_node);
  print_run(request, points);
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++)
    status = measure_point(program, machine, points, (const char *)points->items + i * points->kind->item_size, &start,
                           error);
  tutti_start_free(&start);
  if (status == TUTTI_OK)
    tutti_record_print(stdout, &end);
  return status;
}

static tutti_status run_request(const struct fast_program *program, const struct request *request,
                                const struct engine_machine *machine, tutti_error *error)
{
  struct points points;
  char *text;
  tutti_status status = tutti_points_load(request->points, &text, error);
  if (status == TUTTI_OK)
    status = tutti_points_parse(program->points, text, request->points, (int)request->ranks, &points, error);
  free(text);
  if (status != TUTTI_OK)
    return status;
  status = measure_all(program, request, machine, &points, error);
  tutti_points_free(&points);
  return status;
}

static tutti_status read_and_run(const struct fast_program *program, const struct request *request, tutti_error *error)
{
  struct engine_machine machine;
  tutti_status status = tutti_plugins_load(error);
  tutti_input_confine_as_told();
  if (status == TUTTI_OK)
    status = tutti_machine_read_or_smpi(request->platform, &machine, error);
  if (status != TUTTI_OK)
    return status;
  machine.one_flow_a_link |= request->queued;
  machine.tolerance = tutti_flavor_tolerance(request->flavor);
  status = run_request(program, request, &machine, error);
  tutti_machine_free(&machine);
  return status;
}

int tutti_fast_run(const struct fast_program *program, int argc, char **argv)
{
  const struct argp argp = {.options = options, .parser = parse, .doc = program->doc};
  struct request request = {.flavor = TUTTI_FLAVOR_FAST};
  tutti_error error;
  if (argp_parse(&argp, argc, argv, 0, NULL, &request) != 0)
    return 2;
  const tutti_status status = read_and_run(program, &request, &error);
  if (status != TUTTI_OK)
    tutti_say(stderr, "%s: %s\n", program->name, error.message);
  return status == TUTTI_OK ? 0 : 2;
}
