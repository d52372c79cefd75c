/*
 * Measured times as evidence beside a simulator: what is known of a time is a normal distribution of its logarithm. Its
 * mean begins at the simulated time, and measured points move it, the more they have in common with the one that is
 * asked for (Kennedy, O'Hagan 2001; Rasmussen, Williams 2006, 2.2). Labels say what: points with the same labels share
 * a part of their error, which fades with the distance of their sizes and numbers of ranks.
 */
#ifndef TUTTI_CALIBRATE_EVIDENCE_H
#define TUTTI_CALIBRATE_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

enum evidence_label {
  EVIDENCE_COLLECTIVE,
  EVIDENCE_JOB,       /* one launch on one allocation, of one collective */
  EVIDENCE_ALGORITHM, /* of a collective */
  EVIDENCE_METHOD,    /* of a collective, as its table or the store names it */
  EVIDENCE_OWNER,     /* whose code it is */
  EVIDENCE_FAMILY,    /* trees, rings, ...: across collectives */
  EVIDENCE_LABELS
};

/* What the prior time is: of the method's own schedule, */
enum evidence_kind {
  EVIDENCE_SIMULATED,
  EVIDENCE_RELATED,   /* of a method with nearly the same schedule, */
  EVIDENCE_UNKNOWN,   /* of the fastest simulated one of its cell, as it has no schedule, */
  EVIDENCE_OWN_CHOICE /* and the library's own choice that nobody knows */
};

struct evidence_point {
  int labels[EVIDENCE_LABELS]; /* equal numbers are the same */
  enum evidence_kind kind;
  bool own;           /* the library's own choice; its labels and its time are those of what it chooses, if known */
  double size, ranks; /* logarithms to base 2 */
  double fastest;     /* natural logarithm of the fastest simulated time of its cell, the same call and job */
  double longer;      /* of the prior time over that */
  double measured;    /* of the measured time; not read of a point that is asked for */
};

/* Whose variance can be more or less than on the machines that taught it. */
enum evidence_scale {
  EVIDENCE_COMMON,     /* errors of all methods of a call, */
  EVIDENCE_OF_METHODS, /* of a method in all calls, */
  EVIDENCE_OF_CALLS,   /* of a method in one job or one call */
  EVIDENCE_NEARBY,     /* of a method in similar calls; only with scales */
  EVIDENCE_SCALES
};

/* The covariance function; free(). @p scales: factors of variances; NULL: 1 each, without what only scales have. */
struct evidence_kernel *tutti_evidence_kernel(const double scales[EVIDENCE_SCALES]);

/* Zero-initialize; tutti_evidence_learn(), then tutti_evidence_free(). */
struct evidence {
  struct evidence_kernel *kernel; /* owned */
  struct evidence_point *points;  /* [count] owned */
  size_t count;
  double *factor; /* [count][count] of the covariance of the measured values */
  double *solved; /* [count] the inverse covariance times the residuals */
  double shrink;  /* of covariances, from 1/32 to 1, for losses as large as they were at measured points */
};

/* Learn from measured points, of a job those of a size after each other. Without points the prior stays. */
void tutti_evidence_learn(struct evidence *evidence, const struct evidence_point *points, size_t count);

/* ---- evidence_calibrate.c ---- */

/* `shrink` by what the choices of each job would have lost if the others alone were known; 1 without two jobs. */
double tutti_evidence_calibrate(const struct evidence *evidence);

/* ---- evidence.c ---- */

/* Mean [count] and covariance [count][count] of the logarithms of times that are asked for, without the noise of a
   measurement. */
void tutti_evidence_predict(const struct evidence *evidence, const struct evidence_point *asked, size_t count,
                            double *mean, double *covariance);

void tutti_evidence_free(struct evidence *evidence);

/* What a time is expected to be without evidence, and the covariance of two of them; of a point with itself (@p same)
   with what is known neither of its method nor of its call. Natural logarithms. @{ */
double tutti_evidence_expected(const struct evidence_point *point);
double tutti_evidence_covariance(const struct evidence_kernel *kernel, const struct evidence_point *left,
                                 const struct evidence_point *right, bool same);
/* @} */

/* ---- evidence_choice.c ---- */

struct evidence_choice {
  size_t chosen;
  double confidence; /* probability that it is faster than the library's own; 1 if there is none or it is that */
};

/* How sure it has to be that another one is faster: the share that lost least on four machines. */
static const double EVIDENCE_CONFIDENCE = 0.6;

/* Choose the candidate of least expected loss by the distribution of their logarithms. The library's own, @p own, stays
   unless another is faster with a probability of @p confidence; own == count: it is not among them. Deterministic.
   @param losses  [count] receives how much longer each takes than the fastest in the mean, as a share of that */
struct evidence_choice tutti_evidence_choose(const double *mean, const double *covariance, size_t count, size_t own,
                                             double confidence, double *losses);

#endif
