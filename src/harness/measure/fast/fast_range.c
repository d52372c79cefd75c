/* tutti-range of the flavor "fast": making groups of processes, and collectives on them. */
#include "harness/measure/fast/fast.h"
#include "harness/measure/range/range_points.h"

static tutti_status measure(const struct engine_machine *machine, const struct points *points, const void *point,
                            struct engine_start *start, tutti_record *record, double *seconds, tutti_error *error)
{
  const struct engine_range_cost cost = {points->costs.range, {points->costs.entry, points->costs.compare}};
  tutti_range_describe(point, points->ranks, record);
  return tutti_engine_measure_range(machine, point, points->ranks, &cost, start, seconds, error);
}

int main(int argc, char **argv)
{
  const struct fast_program program = {
      .name = "tutti-range",
      .doc = "Simulate the making of groups of processes, and collectives on them, by Tutti's own engine; one record a "
             "line on standard output.",
      .points = &tutti_range_points,
      .measure = measure};
  return tutti_fast_run(&program, argc, argv);
}
