/* tutti-bench: measures points and prints one record a line. Rank 0 reads and writes; it never opens a database. */
#include <stdlib.h>

#include "measure/program.h"
#include "measure/room.h"
#include "measure/schemes.h"

static void print_measurement(const struct bench *bench, const struct point *point, const struct statistics *s)
{
  tutti_record record = {.kind = TUTTI_RECORD_MEASUREMENT,
                         .measurement = {.method = point->method,
                                         .scheme = bench->measure.scheme,
                                         .ranks = bench->view.size,
                                         .root = point->root,
                                         .count = point->count,
                                         .type_size = point->type_size,
                                         .arrival = point->arrival,
                                         .noise = point->noise,
                                         .repetitions = s->count,
                                         .minimum = s->minimum,
                                         .median = s->median,
                                         .mean = s->mean,
                                         .maximum = s->maximum}};
  tutti_program_print(&record);
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
    if (status == TUTTI_OK)
      status = tutti_arrival_check(&point->arrival, view->size, error);
    if (status == TUTTI_OK)
      status = tutti_noise_check(&point->noise, &point->method, error);
    if (status != TUTTI_OK)
      return status;
  }
  return tutti_room_check(points, view->size, error);
}

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

static tutti_status measure_points(const tutti_view *view, const struct points *points, tutti_error *error)
{
  struct bench bench = {.view = *view, .points = points, .measure = points->measure};
  tutti_status status = check_points(points, view, error);
  if (status != TUTTI_OK)
    return status;
  if (view->rank == 0)
    tutti_program_print_run(view, points->ranks_per_node);
  status = tutti_buffers_create(points, view, &bench.buffers, error);
  if (status == TUTTI_OK)
    status = measure_all(&bench, points, error);
  tutti_buffers_free(&bench.buffers);
  if (status == TUTTI_OK && view->rank == 0)
    tutti_program_print_end(points->count);
  return status;
}

static tutti_status measure(const tutti_view *view, char *text, const char *name, tutti_error *error)
{
  struct points points;
  tutti_status status = tutti_points_parse(text, name, &points, error);
  free(text);
  if (status != TUTTI_OK)
    return status;
  status = measure_points(view, &points, error);
  tutti_points_free(&points);
  return status;
}

int main(int argc, char **argv)
{
  const struct program program = {"tutti-bench", options_read, measure};
  return tutti_program_run(&program, argc, argv);
}
