/* tutti-bench: measures points and prints one record a line. Rank 0 reads and writes; it never opens a database. */
#include "measure/bench.h"

static tutti_status check(const struct points *points, int ranks, tutti_error *error)
{
  const struct point *items = points->items;
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    tutti_call call = {.size = ranks,
                       .root = items[i].root,
                       .count = items[i].count,
                       .type_size = items[i].type_size,
                       .commutative = true};
    status = tutti_method_check(&items[i].method, &call, error);
    if (status == TUTTI_OK)
      status = tutti_arrival_check(&items[i].arrival, ranks, error);
    if (status == TUTTI_OK)
      status = tutti_noise_check(&items[i].noise, &items[i].method, error);
  }
  return status == TUTTI_OK ? tutti_buffer_sizes_check(points, ranks, error) : status;
}

static tutti_status open_bench(void *state, tutti_error *error)
{
  struct bench *bench = state;
  tutti_status status = tutti_buffers_create(bench->timing.points, &bench->timing.view, &bench->buffers, error);
  return status == TUTTI_OK ? tutti_bench_prepare(bench, error) : status;
}

static void close_bench(void *state)
{
  tutti_buffers_free(&((struct bench *)state)->buffers);
}

static tutti_status measure(void *state, const void *point, tutti_error *error)
{
  return tutti_bench_measure(state, point, error);
}

static void describe(const void *state, const void *item, tutti_record *record)
{
  const struct timing *timing = state;
  const struct point *point = item;
  record->kind = TUTTI_RECORD_MEASUREMENT;
  record->measurement = (tutti_measurement){.method = point->method,
                                            .scheme = timing->points->measure.scheme,
                                            .ranks = timing->view.size,
                                            .root = point->root,
                                            .count = point->count,
                                            .type_size = point->type_size,
                                            .arrival = point->arrival,
                                            .noise = point->noise};
}

int main(int argc, char **argv)
{
  const struct program program = {.options = &tutti_bench_options,
                                  .points = &tutti_bench_points,
                                  .state_size = sizeof(struct bench),
                                  .check = check,
                                  .open = open_bench,
                                  .measure = measure,
                                  .describe = describe,
                                  .close = close_bench};
  return tutti_program_run(&program, argc, argv);
}
