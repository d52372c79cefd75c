/* tutti-bench of the flavor "fast": collective operations. */
#include "harness/measure/bench/bench_points.h"
#include "harness/measure/fast/fast.h"

static tutti_status measure(const struct engine_machine *machine, const struct points *points, const void *point,
                            struct engine_start *start, tutti_record *record, double *seconds, tutti_error *error)
{
  const struct point *p = point;
  record->kind = TUTTI_RECORD_MEASUREMENT;
  record->measurement = (tutti_measurement){.method = p->method,
                                            .scheme = points->measure.scheme,
                                            .ranks = points->ranks,
                                            .root = p->root,
                                            .count = p->count,
                                            .type_size = p->type_size,
                                            .arrival = p->arrival,
                                            .noise = p->noise,
                                            .launch = p->launch};
  const tutti_status status = tutti_engine_measure(machine, &record->measurement,
                                                   tutti_points_trace(points, &p->arrival), start, seconds, error);
  return status == TUTTI_OK && *seconds < 0 ? tutti_point_without_time(points, p, 1, *seconds, error) : status;
}

int main(int argc, char **argv)
{
  const struct fast_program program = {
      .name = "tutti-bench",
      .doc = "Simulate collective operations by Tutti's own engine; one record a line on standard output.",
      .points = &tutti_bench_points,
      .measure = measure};
  return tutti_fast_run(&program, argc, argv);
}
