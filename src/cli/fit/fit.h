/* tutti fit: measured points of a machine, and the same points simulated on a platform file. */
#ifndef TUTTI_CLI_FIT_H
#define TUTTI_CLI_FIT_H

#include "base/table.h"
#include "base/vector.h"
#include "cli/options/option.h"
#include "harness/engine/machine/machine.h"
#include "tutti/measurement.h"
#include "tutti/predict.h"

/* ---- points ---- */

/* Which points of a store; rows for it are points_table. */
struct point_filter {
  const char *database;
  const char *machine;            /* by which name it was measured; NULL: the platform's */
  struct option_strings settings; /* words NAME=VALUE that it was measured under, or NAME= not to be set */
  unsigned collectives;           /* a bit each; 0: all */
  uint64_t min_size, max_size;    /* bytes of the message, or of all blocks; max 0: no limit */
  struct option_numbers ranks;    /* none: all */
  int ranks_per_node;             /* 0: any */
};

extern const struct option_row points_table[];

struct fit_point {
  tutti_measurement measured;
  char *run;             /* the settings that it was measured under; owned */
  double seconds;        /* simulated; NaN: not yet */
  double lower, upper;   /* where the spread of the fit has a measured time; NaN: nothing is known of it */
  double modelled;       /* by Hockney's model; NaN: not known */
  bool fitted;           /* a platform was fitted to it */
  const uint32_t *hosts; /* of the nodes of its job; NULL: consecutive ones; not owned */
};

struct fit_points {
  TUTTI_VECTOR(struct fit_point);
};

/* Read the points of a machine that was not simulated, in the order of size, ranks, method and run; die
   if there is none. */
void fit_points_read(const struct point_filter *filter, const char *platform, struct fit_points *points);

/* The value of a word NAME=VALUE among settings, not terminated; NULL: there is none. */
const char *fit_setting(const char *settings, const char *name, size_t *length);
void fit_points_free(struct fit_points *points);

/* Can it be simulated: is it an algorithm that Tutti has, and not what a library chose itself? */
bool fit_point_has_schedule(const struct fit_point *point);

/* The same; the error says why not. */
tutti_status fit_point_check(const struct fit_point *point, tutti_error *error);

/* Simulate a point by the fast engine: all ranks begin at once, on the hosts of the point, the slowest counts. Of the
   method of a library it is the same algorithm of ours. */
tutti_status fit_point_simulate(struct fit_point *point, const struct engine_machine *machine, tutti_error *error);

/* "allreduce/ring, 128 ranks" for messages. */
const char *fit_point_format(const struct fit_point *point, char text[TUTTI_METHOD_LENGTH + 64]);

/* Their order. */
int fit_point_compare(const void *left, const void *right);

/* Keep only points that have a schedule, at most @p count, evenly over their order; 0: all of them. Returns how many
   had none. */
size_t fit_points_choose(struct fit_points *points, size_t count);

/* ---- parameters ---- */

/* What is varied: a number of the platform file, or all that an edit means, times a factor. */
struct fit_parameter {
  const char *text; /* as given */
  char *edit;       /* WORD or XPATH; owned */
  int place;        /* which number of the value, from 1; 0: all of them, by one factor */
  double low, high; /* of the factor */
  char *before;     /* the value in the file; owned */
  double factor, error;
};

struct fit_parameters {
  TUTTI_VECTOR(struct fit_parameter);
};

/* Read EDIT=LOW..HIGH or EDIT#PLACE=LOW..HIGH, and what the file has there. */
void fit_parameter_parse(const char *text, const char *path, struct fit_parameters *parameters);
void fit_parameters_free(struct fit_parameters *parameters);

struct fit_edits {
  TUTTI_VECTOR(const char *); /* owned */
};

/* The edits that set the factors. */
void fit_parameters_edits(const struct fit_parameters *parameters, struct fit_edits *edits);
void fit_edits_free(struct fit_edits *edits);

/* The value of a parameter with its factor. Owned by the caller. */
char *fit_parameter_value(const struct fit_parameters *parameters, const struct fit_parameter *parameter);

/* ---- machines ---- */

enum { FIT_SHAPE = 32 };

struct fit_machine {
  char shape[FIT_SHAPE]; /* of a torus, "4x4x4"; "": as the file says */
  struct engine_machine machine;
};

/* By shape. Zero-initialize but for path and edits; fit_machines_free(). */
struct fit_machines {
  const char *path;
  const struct fit_edits *edits; /* NULL: none */
  TUTTI_VECTOR(struct fit_machine);
};

/* Check that the machine of its job has places for the ranks of a point, before a model takes memory and minutes. */
tutti_status fit_machines_check_room(struct fit_machines *machines, const struct fit_point *point, tutti_error *error);

/* Simulate a point on the machine of its job. */
tutti_status fit_machines_simulate(struct fit_machines *machines, struct fit_point *point, tutti_error *error);
void fit_machines_free(struct fit_machines *machines);

/* ---- Hockney's model ---- */

/* The model of the network between the first two hosts, simulated. */
void fit_model_read(struct fit_machines *machines, tutti_predictor *predictor);

/* Fill in `modelled`: the schedules priced by it. */
void fit_model_price(const tutti_predictor *predictor, struct fit_point *point);

/* ---- what a fit has found ---- */

struct fit_report {
  const struct fit_points *points;
  const struct fit_parameters *parameters;
  size_t left_out; /* points that have no schedule */
  int rounds;
  double before, after; /* sums of squares of the logarithms of simulated over measured times */
};

void fit_print(const struct fit_report *report, tutti_format format);

/* The mean error in percent of so many points with this sum of squares. */
double fit_mean_error(double sum, size_t points);

#endif
