/* tutti-group of the flavor "fast": groups. */
#include "harness/measure/fast/fast.h"
#include "harness/measure/group/group_points.h"

static tutti_status measure(const struct engine_machine *machine, const struct points *points, const void *point,
                            struct engine_start *start, tutti_record *record, double *seconds, tutti_error *error)
{
  (void)points;
  record->kind = TUTTI_RECORD_GROUP;
  record->build.point = *(const tutti_group_point *)point;
  return tutti_engine_measure_group(machine, point, start, seconds, &record->build.counts, error);
}

int main(int argc, char **argv)
{
  const struct fast_program program = {
      .name = "tutti-group",
      .doc = "Simulate builds of groups by Tutti's own engine; one record a line on standard output.",
      .points = &tutti_group_points,
      .measure = measure};
  return tutti_fast_run(&program, argc, argv);
}
