/* Windows: the cases that a tree is grown from (Quinlan 1993, chapter 6). */
#ifndef TUTTI_DECISION_C45_WINDOW_H
#define TUTTI_DECISION_C45_WINDOW_H

#include "decision/learners/c45/learner.h"

typedef struct c45_windows {
  c45_learner *l;
  uint64_t state;  /* of the random numbers */
  size_t *targets; /* [classes] cases of the first window */
  uint32_t *order; /* [cases] the window first */
  size_t size;     /* of the window */
} c45_windows;

/* Cases of the first window, and most cases added at a time, for @p count cases. @{ */
size_t tutti_c45_window_size(const tutti_c45_options *options, size_t count);
size_t tutti_c45_window_increment(const tutti_c45_options *options, size_t window);
/* @} */

/* How many cases of each class; false: no memory. */
bool tutti_c45_window_targets(c45_windows *w, size_t size);

/* Draw a first window; false: no memory. */
bool tutti_c45_form_window(c45_windows *w);

void tutti_c45_window_swap(uint32_t *order, size_t i, size_t j);

#endif
