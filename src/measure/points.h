/* The points file: what one launch measures. Text, one point a line:

       tutti-points v=1 scheme=occ warmup=3 repetitions_max=200 confidence=0.05 ranks_per_node=1
       bcast/binomial/8KB root=0 count=8192 type_B=1 */
#ifndef TUTTI_MEASURE_POINTS_H
#define TUTTI_MEASURE_POINTS_H

#include "tutti/experiment.h"

struct point {
  tutti_method method;
  int root;
  uint64_t count;
  uint64_t type_size;
};

struct points {
  tutti_measure measure;
  int ranks_per_node;
  size_t count;
  struct point *items; /* owned */
};

/* Read the text of a points file; `name` is for messages, which give NAME:LINE. The text is changed. */
tutti_status tutti_points_parse(char *text, const char *name, struct points *points, tutti_error *error);
void tutti_points_free(struct points *points);

#endif
