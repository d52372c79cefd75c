/* What the measuring programs have in common: rank 0 reads what to measure and prints records; all ranks measure one
   point after the other; errors that all ranks share end the program in good order. */
#ifndef TUTTI_MEASURE_PROGRAM_H
#define TUTTI_MEASURE_PROGRAM_H

#include "measure/clock.h"
#include "measure/options.h"
#include "measure/points.h"
#include "measure/statistics.h"
#include "tutti/record.h"
#include "tutti/run.h"

/* What every program measures with: the first member of its state, of which each rank has one. */
struct timing {
  tutti_view view;   /* for what the ranks tell each other around a measurement */
  tutti_view inside; /* for what is measured: other tags, if the program has them apart */
  tutti_progress progress;
  struct clock clock;
  const struct points *points;
  struct statistics statistics; /* of the point measured last, at rank 0 */
};

/* A measuring program. Functions that return a status are collective, and TUTTI_ERR_ARGUMENT, TUTTI_ERR_UNSUPPORTED and
   TUTTI_ERR_IO must be the same on all ranks. NULL: nothing to do. */
struct program {
  const struct option_table *options;
  const struct points_kind *points;
  /* Instead of all that follows: do what the points file says, which may have no points. */
  tutti_status (*run)(const tutti_view *view, const struct points *points, tutti_error *error);

  size_t state_size; /* of a struct that begins with a struct timing; the rest of it is zeroed */
  bool apart;        /* what is measured has tags of its own */
  /* Before anything is printed: can the points be measured? */
  tutti_status (*check)(const struct points *points, int ranks, tutti_error *error);
  tutti_status (*open)(void *state, tutti_error *error);
  tutti_status (*measure)(void *state, const void *point, tutti_error *error);
  /* At rank 0: the record of the point measured last; repetitions, minimum, median, mean and maximum are set after it.
   */
  void (*describe)(const void *state, const void *point, tutti_record *record);
  void (*close)(void *state); /* in any case, also where open() was not called */
};

/* All of main(). Returns the exit status. */
int tutti_program_run(const struct program *program, int argc, char **argv);

/* For rank 0: the records around measurements, and any record. */
void tutti_program_print(const tutti_record *record);
void tutti_program_print_run(const tutti_view *view, int ranks_per_node);
void tutti_program_print_end(size_t measurements);

#endif
