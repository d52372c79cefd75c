/*
 * Which point of a map to measure next: a Gaussian process over all its points (evidence.h), of which every measurement
 * moves what is expected of the others, and the point from which the decisions gain most. After Frazier, Powell,
 * Dayanik 2008 (knowledge gradient), but of pairs: a first measurement in a cell says nothing about a choice there, the
 * difference to the method that is the best so far does.
 */
#ifndef TUTTI_CALIBRATE_SAMPLER_H
#define TUTTI_CALIBRATE_SAMPLER_H

#include <stdint.h>

#include "harness/experiments/calibrate/evidence.h"

struct sampler_point {
  struct evidence_point point; /* `measured` is not read */
  size_t cell;                 /* from 0: points of one call, one after the other */
  size_t method;               /* from 0: the same in other cells */
  double cost;                 /* of a measurement, in any unit; above 0 */
};

/* What one or more launches say of a point together. */
struct sampler_measurement {
  size_t point;
  double logarithm, noise; /* of a time; the standard deviation of that, at least 0.001 */
  int times;               /* launches */
};

/* Zero-initialize; tutti_sampler_open(), then tutti_sampler_close(). */
struct sampler {
  const struct sampler_point *points; /* [count], not owned */
  size_t count, cells, methods;
  size_t *first;           /* [cells + 1] points of a cell */
  size_t *of_method;       /* [methods * cells] its point in a cell; count: none */
  double *weight;          /* [cells] of a loss there */
  int *times;              /* [count] measured how often */
  double shift;            /* of all logarithms that are expected */
  bool *closed;            /* [count] set by the caller: it cannot be measured again */
  double *mean, *variance; /* [count] of the logarithm of a time */
  float *known;            /* [count][capacity] L^-1 times the covariance of what was measured with each point */
  size_t measured, capacity;
  struct sampler_measurement *history; /* [capacity] */
  struct evidence_kernel *kernel;      /* owned */
  double scales[EVIDENCE_SCALES];      /* logarithms of factors of deviations, learnt from what was measured */
  size_t *rival;                       /* [count] with which a point was compared; count: not yet */
  double *with;                        /* [count] the covariance of both, given all measurements */
};

/* Weights of cells, or NULL: 1 each. */
void tutti_sampler_open(struct sampler *sampler, const struct sampler_point *points, size_t count,
                        const double *weights);
void tutti_sampler_close(struct sampler *sampler);

/* Expect all times longer by this, before anything is measured. */
void tutti_sampler_shift(struct sampler *sampler, double logarithm);

/* Learn a measurement: of one launch, by the natural logarithm of a time and its noise, or of several. @{ */
void tutti_sampler_add(struct sampler *sampler, size_t point, double logarithm, double noise);
void tutti_sampler_add_launches(struct sampler *sampler, const struct sampler_measurement *added);
/* @} */

/* Learn from all measurements how far times are off on this machine, and what they say anew: whenever there are twice
   as many, from SAMPLER_RESCALE on. Takes as long as to add them again. */
void tutti_sampler_rescale(struct sampler *sampler);
enum { SAMPLER_RESCALE = 6 };

/* The next points to measure, one or two of a cell, the first one first: returns how many; 0: all are closed, or were
   measured so often that nothing is gained. @p worth receives the loss that they save, in the mean over the cells, by
   what they cost. */
int tutti_sampler_next(const struct sampler *sampler, double noise, size_t next[2], double *worth);

/* Of the logarithms of the times of two points, given all measurements. */
double tutti_sampler_covariance(const struct sampler *sampler, size_t a, size_t b);

/* ---- sampler_choose.c ---- */

/* What to take of a cell: tutti_evidence_choose() of its points. */
struct sampler_choice {
  size_t chosen, own;    /* points; the library's own choice, count: none */
  double loss, own_loss; /* expected; NaN without one */
  double confidence;     /* that it is faster than the library's own */
};

struct sampler_choice tutti_sampler_choose(const struct sampler *sampler, size_t cell, double confidence);

/* ---- sampler_scales.c ---- */

/* Set the scales to those that make the measurements most likely; begins at those of before. */
void tutti_sampler_learn_scales(struct sampler *sampler);

#endif
