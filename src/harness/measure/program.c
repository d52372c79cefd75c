#include "harness/measure/program.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/library.h"
#include "base/input.h"
#include "base/machine.h"
#include "base/say.h"
#include "decision/results/row.h"
#include "harness/measure/survey.h"
#include "tutti/plugin.h"

/* ---- records that rank 0 prints ---- */

/* The library, and on a real machine its build. */
static void describe_library(tutti_record *run)
{
  char *banner = tutti_mpi_banner();
  tutti_mpi_library_name(banner ? banner : "", run->library, sizeof run->library);
  if (banner && *banner && !tutti_clock_is_simulated())
    tutti_digest_format(tutti_digest(banner, strlen(banner)), run->library_build);
  free(banner);
}

void tutti_program_print(const tutti_record *record)
{
  tutti_record_print(stdout, record);
  fflush(stdout); /* a killed sweep loses no more than the point in flight */
}

/* A frame of its own, as print_point(). */
static tutti_status __attribute__((noinline))
begin_run(const tutti_view *view, const char *program, int ranks_per_node, tutti_error *error)
{
  tutti_record run = {.kind = TUTTI_RECORD_RUN, .ranks = view->size, .ranks_per_node = ranks_per_node};
  snprintf(run.tutti, sizeof run.tutti, "%s", TUTTI_VERSION);
  snprintf(run.flavor, sizeof run.flavor, "%s", TUTTI_FLAVOR);
  describe_library(&run);
  tutti_status status = tutti_clock_is_simulated() ? TUTTI_OK : tutti_survey_launch(view, program, &run, error);
  if (status == TUTTI_OK && view->rank == 0)
    tutti_program_print(&run);
  return status;
}

tutti_status tutti_program_print_run(const tutti_view *view, const char *program, int ranks_per_node,
                                     tutti_error *error)
{
  return tutti_clock_is_simulated() && view->rank != 0 ? TUTTI_OK : begin_run(view, program, ranks_per_node, error);
}

void tutti_program_print_end(size_t measurements)
{
  tutti_record record = {.kind = TUTTI_RECORD_END, .measurements = measurements};
  if (!tutti_clock_is_simulated())
    tutti_survey_moment(&record);
  tutti_program_print(&record);
}

/* ---- repetitions ---- */

tutti_status sample_open(const tutti_measure *measure, const tutti_view *view, struct sample *sample,
                         tutti_error *error)
{
  *sample = (struct sample){.count = 0};
  if (view->rank != 0)
    return TUTTI_OK;
  sample->values = malloc((size_t)measure->repetitions_max * sizeof *sample->values);
  if (!sample->values)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank 0: out of memory for %d repetitions", measure->repetitions_max);
  return TUTTI_OK;
}

void sample_free(struct sample *sample)
{
  free(sample->values);
  sample->values = NULL;
}

static bool sample_is_enough(struct sample *sample, const tutti_measure *measure)
{
  if (sample->count == 0)
    return false;
  sample->statistics = tutti_statistics_of(sample->values, sample->count);
  return statistics_are_enough(&sample->statistics, measure);
}

bool statistics_are_enough(const struct statistics *statistics, const tutti_measure *measure)
{
  return tutti_clock_is_simulated() || statistics->count >= measure->repetitions_max ||
         tutti_statistics_are_stable(statistics, measure->confidence);
}

int warmup_of(const tutti_measure *measure, bool native)
{
  return tutti_clock_is_simulated() ? native : measure->warmup;
}

/* In simulation all ranks know when to end; on a real machine rank 0 broadcasts it. */
static tutti_status repeat(const struct program *program, struct timing *timing, const void *point,
                           struct sample *sample, tutti_error *error)
{
  const tutti_measure *measure = &timing->points->measure;
  int warmup = warmup_of(measure, program->is_native && program->is_native(point));
  tutti_status status = TUTTI_OK;
  char done = 0;
  for (int round = 0; status == TUTTI_OK && !done; round++) {
    double seconds;
    status = program->once(timing, point, round, &seconds, error);
    if (status == TUTTI_OK && round >= warmup && timing->view.rank == 0) {
      sample->values[sample->count++] = seconds;
      done = sample_is_enough(sample, measure);
    }
    if (tutti_clock_is_simulated())
      done = round >= warmup;
    else if (status == TUTTI_OK)
      status = tutti_bcast_from_rank0(&timing->view, &done, sizeof done, error);
  }
  return status;
}

/* Add the point to an error. */
static tutti_status __attribute__((noinline))
name_point(const struct program *program, const void *point, int ranks, tutti_status status, tutti_error *error)
{
  char text[TUTTI_ROW_POINT];
  if (!program->format || !error)
    return status;
  const tutti_error reason = *error;
  return tutti_fail(error, status, "%s: %s", program->format(point, ranks, text), reason.message);
}

static tutti_status measure_point(const struct program *program, struct timing *timing, const void *point,
                                  tutti_error *error)
{
  struct sample sample;
  if (program->measure)
    return program->measure(timing, point, error);
  tutti_status status = sample_open(&timing->points->measure, &timing->view, &sample, error);
  if (status == TUTTI_OK && program->begin)
    status = program->begin(timing, point, error);
  if (status == TUTTI_OK)
    status = repeat(program, timing, point, &sample, error);
  if (program->end)
    program->end(timing);
  timing->statistics = sample.statistics;
  sample_free(&sample);
  return status == TUTTI_OK ? TUTTI_OK : name_point(program, point, timing->view.size, status, error);
}

/* ---- one point after the other ---- */

/* The repetitions and times of the point measured last. */
static void set_times(const struct statistics *statistics, tutti_record *record)
{
  const void *found;
  const struct tutti_row_kind *kind = tutti_kind_of_record(record, &found);
  void *row = (void *)found;
  tutti_row_set_integer(kind, row, "repetitions", statistics->count);
  tutti_row_set_real(kind, row, "minimum_s", statistics->minimum);
  tutti_row_set_real(kind, row, "median_s", statistics->median);
  tutti_row_set_real(kind, row, "mean_s", statistics->mean);
  tutti_row_set_real(kind, row, "maximum_s", statistics->maximum);
  tutti_row_set_integer(kind, row, "calls", statistics->calls > 1 ? statistics->calls : 0);
  if (statistics->median > 0)
    tutti_row_set_real(kind, row, "spread_percent", 100 * tutti_statistics_spread(statistics) / statistics->median);
}

/* A frame of its own: a record is large for the stack of a simulated rank, and only rank 0 has one. */
static void __attribute__((noinline)) print_point(const struct program *program, const void *state, const void *point)
{
  tutti_record record = {.kind = TUTTI_RECORD_NONE};
  program->describe(state, point, &record);
  set_times(&((const struct timing *)state)->statistics, &record);
  tutti_program_print(&record);
}

/* A launch that has simulated too much time to continue ends in good order with the points measured so far. */
static tutti_status measure_all(const struct program *program, struct timing *timing, size_t *measured,
                                tutti_error *error)
{
  const struct points *points = timing->points;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < points->count; i++) {
    const void *point = (const char *)points->items + i * points->kind->item_size;
    status = measure_point(program, timing, point, error);
    if (status != TUTTI_OK)
      break;
    if (timing->view.rank == 0)
      print_point(program, timing, point);
    timing->starts.measured = true;
    (*measured)++;
  }
  return timing->starts.over ? TUTTI_OK : status;
}

static tutti_status init_timing(const struct program *program, const tutti_view *view, const struct points *points,
                                struct timing *timing, tutti_error *error)
{
  timing->points = points;
  timing->starts.clock = &timing->clock;
  timing->view = timing->inside = *view;
  tutti_progress_init(&timing->progress);
  tutti_status status = program->apart ? tutti_halve_tags(view, &timing->view, &timing->inside, error) : TUTTI_OK;
  if (program->nonblocking)
    timing->inside.progress = &timing->progress;
  return status == TUTTI_OK ? tutti_clock_synchronize(&timing->view, &timing->clock, error) : status;
}

static tutti_status measure_points(const struct program *program, const tutti_view *view, const struct points *points,
                                   tutti_error *error)
{
  size_t measured = 0;
  tutti_status status = program->check ? program->check(points, view, error) : TUTTI_OK;
  if (status != TUTTI_OK)
    return status;
  struct timing *timing = calloc(1, program->state_size);
  if (!timing)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory", view->rank);
  status = tutti_program_print_run(view, program->options->name, points->ranks_per_node, error);
  if (status == TUTTI_OK)
    status = init_timing(program, view, points, timing, error);
  if (status == TUTTI_OK && program->open)
    status = program->open(timing, error);
  if (status == TUTTI_OK)
    status = measure_all(program, timing, &measured, error);
  if (program->close)
    program->close(timing);
  tutti_starts_end(&timing->starts);
  if (status == TUTTI_OK) {
    tutti_progress_free(&timing->progress);
    free(timing);
    if (view->rank == 0)
      tutti_program_print_end(measured);
  }
  return status;
}

/* ---- what to measure ---- */

enum { SHORT_TEXT = 500 };

/* Rank 0 broadcasts this about the points: without a text the program ends, and a short one saves a broadcast. */
struct task {
  uint64_t length;
  int status; /* a tutti_status: rank 0 could not read its options */
  char text[SHORT_TEXT];
};

/* All ranks get the text that rank 0 has read; *text is owned by the caller. */
static tutti_status share_text(const tutti_view *view, const struct options *options, tutti_status read, char **text,
                               tutti_error *error)
{
  struct task task = {.length = options->text ? strlen(options->text) + 1 : 0, .status = (int)read};
  if (task.length <= SHORT_TEXT && task.length > 0)
    memcpy(task.text, options->text, task.length);
  tutti_status status = tutti_bcast_from_rank0(view, &task, sizeof task, error);
  if (status != TUTTI_OK || task.status != TUTTI_OK || task.length == 0)
    return status != TUTTI_OK ? status : (tutti_status)task.status;
  *text = malloc(task.length);
  if (!*text)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %llu bytes of points", view->rank,
                      (unsigned long long)task.length);
  if (task.length <= SHORT_TEXT || view->rank == 0)
    memcpy(*text, task.length <= SHORT_TEXT ? task.text : options->text, task.length);
  return task.length <= SHORT_TEXT ? TUTTI_OK : tutti_bcast_from_rank0(view, *text, task.length, error);
}

static tutti_status run_points(const struct program *program, const tutti_view *view, const struct points *points,
                               tutti_error *error)
{
  return program->run ? program->run(view, points, error) : measure_points(program, view, points, error);
}

/* Errors up to the points are the same on all ranks, so that all leave in good order. */
static tutti_status read_and_measure(const struct program *program, const tutti_view *view, struct options *options,
                                     tutti_status read, tutti_error *error)
{
  char *text = NULL;
  struct points points;
  const char *name = view->rank == 0 ? options->points : "points";
  tutti_status status = share_text(view, options, read, &text, error);
  bool nothing = status != TUTTI_OK || !text;
  if (!nothing)
    status = tutti_points_parse(program->points, text, name, view->size, &points, error);
  free(text);
  if (nothing || status != TUTTI_OK)
    return status;
  status = run_points(program, view, &points, error);
  tutti_points_free(&points);
  return status;
}

/* An error that all ranks share is reported by rank 0. */
static bool is_shared(tutti_status status)
{
  return status == TUTTI_ERR_ARGUMENT || status == TUTTI_ERR_UNSUPPORTED || status == TUTTI_ERR_IO;
}

int tutti_program_run(const struct program *program, int argc, char **argv)
{
  tutti_view view;
  tutti_error error = {.status = TUTTI_OK};
  struct options options = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  tutti_status status = tutti_view_of(MPI_COMM_WORLD, &view, &error);
  if (status == TUTTI_OK && tutti_plugins_load(&error) != TUTTI_OK)
    status = TUTTI_ERR_LAUNCH; /* of this rank, perhaps, and not of others */
  tutti_input_confine_as_told();
  if (status == TUTTI_OK) {
    tutti_status read = view.rank == 0 ? options_read(program->options, argc, argv, &options, &error) : TUTTI_OK;
    status = options.handled ? TUTTI_OK : tutti_survey_launcher(&view, &error);
    if (status == TUTTI_OK)
      status = read_and_measure(program, &view, &options, read, &error);
  }
  options_free(&options);
  if (status != TUTTI_OK && (view.rank == 0 || !is_shared(status)))
    tutti_say(stderr, "%s: %s\n", program->options->name, error.message);
  if (status != TUTTI_OK && !is_shared(status))
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Finalize();
  return status == TUTTI_OK ? 0 : 2;
}
