/* tutti-bench: measures points and prints one record a line. Rank 0 reads and writes; it never opens a database. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/agree.h"
#include "measure/library.h"
#include "measure/options.h"
#include "measure/room.h"
#include "measure/schemes.h"
#include "tutti/record.h"

static void complain(const char *message)
{
  fprintf(stderr, "tutti-bench: %s\n", message);
}

/* ---- records ---- */

static void print_record(const tutti_record *record)
{
  tutti_record_print(stdout, record);
  fflush(stdout); /* a killed sweep loses no more than the point in flight */
}

static void print_run(const struct bench *bench, int ranks_per_node)
{
  tutti_record record = {.kind = TUTTI_RECORD_RUN, .ranks = bench->view.size, .ranks_per_node = ranks_per_node};
  snprintf(record.tutti, sizeof record.tutti, "%s", TUTTI_VERSION);
  snprintf(record.flavor, sizeof record.flavor, "%s", TUTTI_FLAVOR);
  tutti_library_name(record.library, sizeof record.library);
  print_record(&record);
}

static void print_measurement(const struct bench *bench, const struct point *point, const struct statistics *s)
{
  tutti_record record = {.kind = TUTTI_RECORD_MEASUREMENT,
                         .measurement = {.method = point->method,
                                         .scheme = bench->measure.scheme,
                                         .ranks = bench->view.size,
                                         .root = point->root,
                                         .count = point->count,
                                         .type_size = point->type_size,
                                         .repetitions = s->count,
                                         .minimum = s->minimum,
                                         .median = s->median,
                                         .mean = s->mean,
                                         .maximum = s->maximum}};
  print_record(&record);
}

static void print_end(size_t measurements)
{
  tutti_record record = {.kind = TUTTI_RECORD_END, .measurements = measurements};
  print_record(&record);
}

/* ---- what to measure ---- */

/* What rank 0 tells the others about the points: nothing to do has no text. */
struct task {
  uint64_t length;
  int status; /* a tutti_status: rank 0 could not read its options */
};

/* Everybody gets the text that rank 0 has read; *text is owned by the caller. */
static tutti_status share_text(const tutti_view *view, const struct options *options, tutti_status read, char **text,
                               tutti_error *error)
{
  struct task task = {options->text ? strlen(options->text) + 1 : 0, (int)read};
  tutti_status status = tutti_agree(view, &task, sizeof task, error);
  if (status != TUTTI_OK || task.status != TUTTI_OK || task.length == 0)
    return status != TUTTI_OK ? status : (tutti_status)task.status;
  *text = malloc(task.length);
  if (!*text)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for %llu bytes of points", view->rank,
                      (unsigned long long)task.length);
  if (view->rank == 0)
    memcpy(*text, options->text, task.length);
  return tutti_agree(view, *text, task.length, error);
}

static tutti_status check_points(const struct points *points, const tutti_view *view, tutti_error *error)
{
  for (size_t i = 0; i < points->count; i++) {
    const struct point *point = &points->items[i];
    tutti_call call = {.size = view->size,
                       .root = point->root,
                       .count = point->count,
                       .type_size = point->type_size,
                       .commutative = true};
    tutti_status status = tutti_method_check(&point->method, &call, error);
    if (status != TUTTI_OK)
      return status;
  }
  return tutti_room_check(points, view->size, error);
}

/* ---- measuring ---- */

static tutti_status measure_all(struct bench *bench, const struct points *points, tutti_error *error)
{
  tutti_status status = tutti_bench_prepare(bench, error);
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    struct statistics statistics;
    status = tutti_bench_measure(bench, &points->items[i], &statistics, error);
    if (status == TUTTI_OK && bench->view.rank == 0)
      print_measurement(bench, &points->items[i], &statistics);
  }
  return status;
}

static tutti_status measure(const tutti_view *view, const struct points *points, tutti_error *error)
{
  struct bench bench = {.view = *view, .measure = points->measure};
  tutti_status status = check_points(points, view, error);
  if (status != TUTTI_OK)
    return status;
  if (view->rank == 0)
    print_run(&bench, points->ranks_per_node);
  status = tutti_buffers_create(points, view, &bench.buffers, error);
  if (status == TUTTI_OK)
    status = measure_all(&bench, points, error);
  tutti_buffers_free(&bench.buffers);
  if (status == TUTTI_OK && view->rank == 0)
    print_end(points->count);
  return status;
}

/* Errors up to here are the same on all ranks, so that everybody leaves in good order. */
static tutti_status run(const tutti_view *view, struct options *options, tutti_status read, tutti_error *error)
{
  char *text = NULL;
  struct points points;
  tutti_status status = share_text(view, options, read, &text, error);
  if (status != TUTTI_OK || !text)
    return status;
  status = tutti_points_parse(text, options->name ? options->name : "points", &points, error);
  free(text);
  if (status != TUTTI_OK)
    return status;
  status = measure(view, &points, error);
  tutti_points_free(&points);
  return status;
}

int main(int argc, char **argv)
{
  tutti_view view;
  tutti_error error = {.status = TUTTI_OK};
  struct options options = {0};
  tutti_status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  status = tutti_view_of(MPI_COMM_WORLD, &view, &error);
  if (status == TUTTI_OK) {
    tutti_status read = view.rank == 0 ? options_read(argc, argv, &options, &error) : TUTTI_OK;
    status = run(&view, &options, read, &error);
  }
  options_free(&options);
  bool shared = status == TUTTI_ERR_ARGUMENT || status == TUTTI_ERR_UNSUPPORTED || status == TUTTI_ERR_IO;
  if (status != TUTTI_OK && (view.rank == 0 || !shared))
    complain(error.message);
  if (status != TUTTI_OK && !shared)
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Finalize();
  return status == TUTTI_OK ? 0 : 2;
}
