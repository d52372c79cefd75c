/* The thresholds of a classifier along an axis. */
#ifndef TUTTI_DECISION_CODE_AXIS_H
#define TUTTI_DECISION_CODE_AXIS_H

#include <stdint.h>

#include "tutti/classifier.h"

struct code_axis {
  uint64_t *values; /* [count] ascending */
  int count;        /* 2^k - 1: filled up with what nothing is above */
  int distinct;     /* before that */
};

/* Collect whole thresholds of an attribute from 0 to below @p most; false: out of memory. To be freed: values. */
bool code_axis_collect(const tutti_classifier *classifier, int attribute, uint64_t most, struct code_axis *axis);

/* A value in box @p box, 0 .. count, between the thresholds. */
double code_axis_value(const struct code_axis *axis, int box);

#endif
