/* Measured points of a machine, and the same points simulated on a platform file. */
#ifndef TUTTI_CALIBRATE_POINTS_H
#define TUTTI_CALIBRATE_POINTS_H

#include "base/vector.h"
#include "harness/engine/machine/machine.h"
#include "tutti/measurement.h"
#include "tutti/predict.h"

/* ---- measured ---- */

/* Which points of a store. Nothing is owned. */
struct point_filter {
  const char *database;
  const char *machine;         /* by which name it was measured; NULL: the platform's */
  const char *const *settings; /* words NAME=VALUE that it was measured under, or NAME= not to be set */
  size_t setting_count;
  unsigned collectives;        /* 1 << tutti_collective; 0: all */
  uint64_t min_size, max_size; /* bytes of the message, or of all blocks; max 0: no limit */
  const uint64_t *ranks;       /* none: all */
  int ranks_count;
  int ranks_per_node; /* 0: any */
};

struct fit_point {
  tutti_measurement measured;
  char *run;             /* the settings that it was measured under; owned */
  double seconds;        /* simulated; NaN: not yet */
  double lower, upper;   /* interval of a measured time, by the spread of the fit; NaN: unknown */
  double modelled;       /* by Hockney's model; NaN: not known */
  bool fitted;           /* a platform was fitted to it */
  const uint32_t *hosts; /* of the nodes of its job; NULL: consecutive ones; not owned */
  struct fit_scenario {
    int number, count; /* which of so many jobs with as many nodes, evenly over those of an allocation; count 0: the
                          first one; number -1: none, ranks are on consecutive hosts */
  } scenario;
};

struct fit_points {
  TUTTI_VECTOR(struct fit_point);
};

/* A point without times; owns @p run. */
struct fit_point tutti_fit_point(const tutti_measurement *measured, char *run);

/* Read the points of a machine that was not simulated, in the order of tutti_fit_point_compare(). TUTTI_ERR_ARGUMENT if
   there is none. Free with tutti_fit_points_free() in any case. */
tutti_status tutti_fit_points_read(const struct point_filter *filter, const char *platform, struct fit_points *points,
                                   tutti_error *error);
void tutti_fit_points_free(struct fit_points *points);

/* Order by size, ranks, method and run. */
int tutti_fit_point_compare(const void *left, const void *right);

/* The value of a word NAME=VALUE among settings, not terminated; NULL: there is none. */
const char *tutti_fit_setting(const char *settings, const char *name, size_t *length);

/* TUTTI_ERR_UNSUPPORTED for what a library chose itself; else as tutti_method_check(). */
tutti_status tutti_fit_point_check(const struct fit_point *point, tutti_error *error);

/* Keep only points that have a schedule, at most @p count, evenly over their order; 0: all of them. Returns how many
   had none. */
size_t tutti_fit_points_choose(struct fit_points *points, size_t count);

/* ---- simulated ---- */

enum { FIT_SHAPE = 32 };

/* A machine, of a torus one for each shape of a job. */
struct fit_machine {
  char shape[FIT_SHAPE]; /* "4x4x4"; "": as the file says */
  struct engine_machine machine;
};

/* The edits of a platform (platform_edit()). */
struct fit_edits {
  TUTTI_VECTOR(const char *); /* owned */
};
void tutti_fit_edits_free(struct fit_edits *edits);

/* Set path and edits, zero the rest; tutti_fit_machines_free(). */
struct fit_machines {
  const char *path;
  const struct fit_edits *edits; /* NULL: none */
  double tolerance;              /* of the engine `flow` (tutti_flavor_tolerance()); 0: the engine is `fast` */
  tutti_predictor hockney;       /* tutti_fit_model_read(); weight 0: not yet */
  TUTTI_VECTOR(struct fit_machine);
};

/* Check that the machine of its job has places for the ranks of a point, before a model takes memory and minutes. */
tutti_status tutti_fit_machines_check_room(struct fit_machines *machines, const struct fit_point *point,
                                           tutti_error *error);

/* Simulate a point on the machine of its job by the engine: all ranks start together, the slowest one counts. Of
   a method of a library it is the same algorithm of ours. */
tutti_status tutti_fit_machines_simulate(struct fit_machines *machines, struct fit_point *point, tutti_error *error);
void tutti_fit_machines_free(struct fit_machines *machines);

/* Hockney's model of the network between the first two hosts: latency and time a byte are those of two messages. */
tutti_status tutti_fit_model_read(struct fit_machines *machines, tutti_predictor *predictor, tutti_error *error);

/* The time of the schedule of a method by the model, whose code it may be; NaN: it has none. */
double tutti_fit_model_time(const tutti_predictor *predictor, tutti_method method, int ranks, uint64_t rank_bytes);

/* Set `modelled` to that of the point. */
void tutti_fit_model_price(const tutti_predictor *predictor, struct fit_point *point);

#endif
