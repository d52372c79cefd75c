/* Common parts of the measuring programs: rank 0 reads the points and prints records; all ranks measure one point after
   the other; errors on all ranks end the program in good order. */
#ifndef TUTTI_MEASURE_PROGRAM_H
#define TUTTI_MEASURE_PROGRAM_H

#include "harness/measure/coordinate.h"
#include "harness/measure/points.h"
#include "harness/measure/statistics.h"
#include "tutti/record.h"
#include "tutti/run.h"

/* Common state for timing: the first member of the state of each program, on each rank. */
struct timing {
  tutti_view view;   /* for messages around a measurement */
  tutti_view inside; /* for the timed operation: other tags, if the program separates them */
  tutti_progress progress;
  struct clock clock;
  struct starts starts;
  const struct points *points;
  struct statistics statistics; /* of the point measured last, at rank 0 */
};

/* A measuring program. Functions that return a status are collective, and TUTTI_ERR_ARGUMENT, TUTTI_ERR_UNSUPPORTED and
   TUTTI_ERR_IO must be the same on all ranks. NULL: nothing to do. */
struct program {
  const struct option_table *options;
  const struct points_kind *points;
  /* Instead of all the following: run the points file, which may have no points. */
  tutti_status (*run)(const tutti_view *view, const struct points *points, tutti_error *error);

  size_t state_size; /* of a struct that begins with a struct timing; the rest of it is zeroed */
  bool apart;        /* the timed operation has its own tags */
  bool nonblocking;  /* and a progress */
  /* Before anything is printed: can the points be measured? */
  tutti_status (*check)(const struct points *points, const tutti_view *view, tutti_error *error);
  tutti_status (*open)(void *state, tutti_error *error); /* with synchronized clocks */

  /* Measure one point and set its statistics: all of it, or, if it is NULL, by repeating once(), on a real machine as
     often as it takes for the median to be stable, in simulation one time. */
  tutti_status (*measure)(void *state, const void *point, tutti_error *error);
  tutti_status (*begin)(void *state, const void *point,
                        tutti_error *error); /* preparation before the first repetition, not timed */
  /* One repetition on all ranks. Rounds count from 0, those of the warm-up included; *seconds is valid at rank 0. */
  tutti_status (*once)(void *state, const void *point, int round, double *seconds, tutti_error *error);
  void (*end)(void *state); /* after the last one, in any case */
  bool (*is_native)(const void *point);
  char *(*format)(const void *point, int ranks, char *text); /* for messages, in TUTTI_ROW_POINT bytes; returns text */

  /* At rank 0: the record of the point measured last; the statistics of the timing are set after it.
   */
  void (*describe)(const void *state, const void *point, tutti_record *record);
  void (*close)(void *state); /* in any case, also where open() was not called */
};

/* All of main(). Returns the exit status. */
int tutti_program_run(const struct program *program, int argc, char **argv);

/* Rank 0 prints the record that begins a run of @p program. Collective: on a real machine the ranks find their nodes,
   and note it if they take turns on cores; in simulation the ranks per node are those given to the program. */
tutti_status tutti_program_print_run(const tutti_view *view, const char *program, int ranks_per_node,
                                     tutti_error *error);

/* For rank 0: any record, and the one that ends a run. */
void tutti_program_print(const tutti_record *record);
void tutti_program_print_end(size_t measurements);

/* ---- repeating a measurement until its median is known well enough, for programs that do it themselves ---- */

/* The repetitions of one measurement, at rank 0. */
struct sample {
  double *values; /* [repetitions_max]; owned */
  int count;
  struct statistics statistics; /* of those so far */
};

/* Nothing at other ranks. Free with sample_free() in any case. */
tutti_status sample_open(const tutti_measure *measure, const tutti_view *view, struct sample *sample,
                         tutti_error *error);
void sample_free(struct sample *sample);

/* Whether the repetitions that statistics are of suffice. In simulation one is exact. */
bool statistics_are_enough(const struct statistics *statistics, const tutti_measure *measure);

/* Repetitions before the first one that counts. A simulator needs no warming up, but SMPI's selectors send messages
   when a communicator is first used by one of the library's own operations, to find the ranks that share a node. */
int warmup_of(const tutti_measure *measure, bool native);

#endif
