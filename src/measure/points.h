/* The points file: what one launch measures. Text, one point a line:

       tutti-points v=1 scheme=occ warmup=3 repetitions_max=200 confidence=0.05 ranks_per_node=1
       arrival=trace/late.txt/sum=5d3c0b19 delays_ns=0,2500,100
       bcast/binomial/8KB root=0 count=8192 type_B=1
       bcast/binomial/8KB root=0 count=8192 type_B=1 arrival=uniform/100us/seed=1 noise=detour/1ms/10us/seed=1

   The delays of a trace stand before the points that use it. */
#ifndef TUTTI_MEASURE_POINTS_H
#define TUTTI_MEASURE_POINTS_H

#include "tutti/arrival.h"
#include "tutti/experiment.h"
#include "tutti/noise.h"

/* A collective without data has no elements, and one without a root has root 0, whatever the file says. */
struct point {
  tutti_method method;
  int root;
  uint64_t count; /* elements as in the call: of the message, or of the block of one rank; the irregular forms are
                     measured with the same count everywhere */
  uint64_t type_size;
  tutti_arrival arrival;
  tutti_noise noise;
};

struct points {
  tutti_measure measure;
  int ranks_per_node;
  size_t count;
  struct point *items; /* owned */
  size_t trace_count;
  tutti_trace *traces; /* owned */
};

/* Read the text of a points file; `name` is for messages, which give NAME:LINE; NULL: the command line. The text
   is changed. */
tutti_status tutti_points_parse(char *text, const char *name, struct points *points, tutti_error *error);

/* The trace of a pattern, which the points have; NULL if the pattern is none. */
const tutti_trace *tutti_points_trace(const struct points *points, const tutti_arrival *arrival);

void tutti_points_free(struct points *points);

#endif
