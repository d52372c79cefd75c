/* The parts of tutti-bench: buffers, the operation of a point, its arrival pattern and noise, and the schemes. */
#ifndef TUTTI_MEASURE_BENCH_H
#define TUTTI_MEASURE_BENCH_H

#include "harness/measure/bench/bench_points.h"
#include "harness/measure/program.h"
#include "tutti/collectives.h"

/* ---- subject.c ---- */

/* Two buffers of a rank, large enough for every point of the launch. */
struct buffers {
  char *input, *output; /* owned */
};

/*
 * Allocated and written to once, so that no page fault is measured. Free with tutti_buffers_free() in any case.
 * TUTTI_ERR_MEMORY, in simulation TUTTI_ERR_UNSUPPORTED, if the ranks of this machine together need more than it has.
 */
tutti_status tutti_buffers_create(const struct points *points, const tutti_view *view, struct buffers *buffers,
                                  tutti_error *error);
void tutti_buffers_free(struct buffers *buffers);

/* The operation of a point: everything that a program has before it calls, made before anything is timed. */
struct subject {
  const struct point *point;
  const struct buffers *buffers;
  MPI_Datatype element;
  MPI_Op op;           /* MPI_OP_NULL where nothing is reduced */
  int *counts;         /* [ranks] of the irregular forms, at the ranks that pass them, else NULL; owned */
  int *places;         /* [ranks] their displacements, blocks one after the other; part of the same memory */
  MPI_Datatype *types; /* [ranks] of alltoallw, else NULL; owned */
};

/* Free with tutti_subject_free() in any case. */
tutti_status tutti_subject_create(const struct point *point, const struct buffers *buffers, const tutti_view *view,
                                  struct subject *subject, tutti_error *error);
void tutti_subject_free(struct subject *subject);

/* Perform it once, as a program would call it: building the schedule is part of it. A native method is the MPI
   library's own collective. */
tutti_status tutti_perform(const struct subject *subject, const tutti_view *view, tutti_error *error);

/* ---- directives.c ---- */

/* Check that the library was told, before MPI began, to run its own methods among the points. tutti bench tells it.
   Collective. TUTTI_ERR_ARGUMENT names all missing directives, TUTTI_ERR_UNSUPPORTED a point that no directive can
   select, the same on all ranks; TUTTI_ERR_LAUNCH on ranks whose directives differ from those of rank 0. */
tutti_status tutti_directives_check(const struct points *points, const tutti_view *view, tutti_error *error);

/* ---- schemes.c: OCC and window, in simulation and on real machines ---- */

/* The arrival pattern and the noise of a point, on one rank. */
struct pattern {
  tutti_noise_hook noise_hook; /* of the view on which the operation runs; first, so that it leads to the rest */
  const struct clock *clock;
  tutti_noise noise;
  int rank;
  double delay;   /* seconds by which this rank is late */
  double latest;  /* seconds by which the last rank is late; at rank 0, else 0 */
  double waited;  /* the same, rounded as times of the clock are: from the start to the last arrival */
  double start;   /* of the repetition under way, on the shared clock */
  uint64_t phase; /* of the detours of this rank, nanoseconds */
  uint64_t begun; /* when the last vertex was, nanoseconds after the start */
  uint64_t index; /* of the next vertex */
};

/* State of a launch. */
struct bench {
  struct timing timing;
  struct buffers buffers;
  struct pattern pattern; /* of the point that is measured */
  double barrier;         /* seconds that the OCC scheme takes off in simulation */
};

/* For OCC in simulation, time the barrier. */
tutti_status tutti_bench_prepare(struct bench *bench, tutti_error *error);

/* Measure a struct point in a struct bench; the statistics are valid at rank 0. In simulation one repetition is exact.
   On a real machine, without arrival pattern and noise, a repetition has enough calls, one after the other, to be much
   longer than a tick of the clock and than the uncertainty of the barrier. TUTTI_ERR_UNSUPPORTED names a point whose
   time is not above zero even so. */
tutti_status tutti_bench_measure(void *bench, const void *point, tutti_error *error);

#endif
