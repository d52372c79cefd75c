/* A sweep with a budget: what is known of all its points decides which of them to measure next, and which method to
   take where (sampler.h). Points are measured in batches, one run each: what a launch measures besides costs little. */
#ifndef TUTTI_CALIBRATE_BUDGET_H
#define TUTTI_CALIBRATE_BUDGET_H

#include "harness/experiments/calibrate/calls.h"
#include "harness/experiments/calibrate/evidence_rows.h"
#include "harness/experiments/calibrate/sampler.h"
#include "tutti/job.h"

/* Launches that may measure a point, where times differ between them: the budget is to end what is measured again, not
   a number of launches that few calls are decided by. */
enum { BUDGET_LAUNCHES = 25 };

enum budget_end {
  BUDGET_GOES_ON,
  BUDGET_USED_UP,
  BUDGET_WORTHLESS, /* what is left of it would save less than asked for */
  BUDGET_MEASURED,  /* nothing is left to measure that matters */
  BUDGET_EXHAUSTED, /* calls are open, but what matters there was measured as often as it can be */
  BUDGET_STUCK      /* the last runs measured nothing of what they were to measure */
};

/* Zero-initialize, set what the caller sets; tutti_budget_open(), runs with tutti_budget_choose() until one ends, then
   tutti_budget_decide(); tutti_budget_close(). */
struct budget {
  /* Set by the caller. @{ */
  size_t most_points;    /* of all runs together; 0: limited by time */
  double most_seconds;   /* from tutti_budget_open() on */
  double worth;          /* share: end when what is left is expected to save less, in the mean over the calls */
  double confidence;     /* that a choice is faster than the library's own */
  bool rounds_apart;     /* methods whose ranks may get sums that differ can be chosen (tutti_method_rounds_apart()) */
  unsigned reproducible; /* classes that methods of reductions must have to be chosen (reproducible.h) */
  const double *weights; /* [rows.cells.count] of the calls, once they are known; NULL: 1 each */
  /* @} */
  const tutti_experiment *experiment;
  size_t apart, lacking;     /* points of methods that cannot */
  struct evidence_rows rows; /* one a method at a call, as the next three; those of a call after each other */
  struct sampler_point *points;
  size_t *only;                    /* [rows.cells] what is chosen all the same; NULL: tutti_budget_keep_trees() was not called */
  size_t *first;                   /* of its launches in the plan */
  int *launches, *used, *measured; /* that it may have, has, and has with a time */
  tutti_point *samples;            /* [rows.cells] a point of each call */
  struct sampler sampler;
  double begun;                      /* clock */
  double batch_begun, batch_seconds; /* expected of the batch under way */
  double took, expected, scale;      /* of the earlier ones; what longer they took */
  size_t batch_count, batch_spent;   /* measurements of it, and before it */
  int idle;                          /* batches in a row that measured nothing */
  double noise;                      /* of the logarithms of medians, between launches */
  size_t spent, known;               /* measurements, and points that have one or more */
  double loss;                       /* expected of the decisions before this batch, weighted mean */
  size_t calls, undecided;           /* that weigh something; and are not decided */
  enum budget_end end;
};

/* A call whose choice is expected to lose less is decided, if its method was measured at a call of the sweep. */
static const double BUDGET_DECIDED = 0.02;

/* ---- budget_points.c ---- */

/* Where prior times are from. {0}: Hockney's model of the platform of the experiment, or of some cluster. */
struct budget_prior {
  const struct simulation_request *simulated; /* NULL: they are not */
  tutti_measurement *measured;                /* [count] on another machine; they are put in order */
  size_t count;
};

/* Take the points of the sweeps of an experiment, and their prior times. Where methods were measured on another machine
   those that were not there are expected to be a little slower than the fastest. The experiment gets the launches that
   it may need. TUTTI_ERR_ARGUMENT: there is no point, or none was measured. Free in any case. */
tutti_status tutti_budget_open(struct budget *budget, tutti_experiment *experiment, const struct budget_prior *prior,
                               tutti_error *error);

/* Make the points of the sampler, once the library is known, whose own choice is the method that its rules name;
   NULL: no rules are known. */
tutti_status tutti_budget_make_points(struct budget *budget, const char *library, tutti_error *error);

void tutti_budget_close(struct budget *budget);

/* ---- budget.c ---- */

/* For tutti_point_choice: take in what is measured, and choose a batch; none if it sets `end`. */
tutti_status tutti_budget_choose(void *budget, const tutti_point *points, const tutti_measurement *const *measured,
                                 size_t count, const char *library, bool *wanted, tutti_error *error);

/* Seconds or points that are left, never negative. */
double tutti_budget_left(const struct budget *budget);

/* What to take at a call, and how sure that is: after the last run. */
struct sampler_choice tutti_budget_decide(const struct budget *budget, size_t call);
bool tutti_budget_is_decided(const struct budget *budget, const struct sampler_choice *choice);

/* Set what the decisions are expected to lose, and how many calls are decided. */
void tutti_budget_judge(struct budget *budget);

/* ---- budget_trees.c ---- */

/* After the last run, where results of a reduction are to have the same bits at all sizes: each number of ranks whose
   methods have several trees gets the one method that is expected to lose least, in the mean over the calls. */
void tutti_budget_keep_trees(struct budget *budget);

/* ---- budget_launches.c ---- */

/* Learn all that is measured, from the beginning: what was expected of a batch may not have come. */
void tutti_budget_take_in(struct budget *budget, const tutti_measurement *const *measured);

/* The deviation of the logarithm of a time that is measured for the first time. */
double tutti_budget_first_noise(const struct budget *budget);

#endif
