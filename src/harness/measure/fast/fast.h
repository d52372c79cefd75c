/* Common parts of the measuring programs of the flavor "fast": they simulate points by the engine, without MPI, and
   print the same records as programs of other flavors. */
#ifndef TUTTI_MEASURE_FAST_H
#define TUTTI_MEASURE_FAST_H

#include "harness/engine/riders/measure.h"
#include "harness/measure/points.h"
#include "tutti/record.h"

struct fast_program {
  const char *name; /* "tutti-bench" */
  const char *doc;  /* for --help, as in struct argp */
  const struct points_kind *points;
  /* Measure a point and set its kind, the point and *seconds; the record is zeroed. */
  tutti_status (*measure)(const struct engine_machine *machine, const struct points *points, const void *point,
                          struct engine_start *start, tutti_record *record, double *seconds, tutti_error *error);
};

/* All of main(). Returns the exit status. */
int tutti_fast_run(const struct fast_program *program, int argc, char **argv);

#endif
