/* Who knows of whom that it has entered the operation: the contract of a barrier. */
#ifndef TUTTI_ANALYSIS_BARRIER_CHECK_H
#define TUTTI_ANALYSIS_BARRIER_CHECK_H

#include "analysis/ensemble.h"

struct barrier_check {
  const struct ensemble *ensemble;
  size_t words;     /* of a set of ranks */
  uint64_t *start;  /* [vertices][words] the ranks known to have entered when a vertex starts */
  uint64_t *at_end; /* [size][words] when the whole schedule of a rank is complete */
};

tutti_status tutti_barrier_check_create(struct barrier_check *knowledge, const struct ensemble *ensemble,
                                        tutti_error *error);
void tutti_barrier_check_free(struct barrier_check *knowledge);

/* A tutti_visit: a receive learns what its sender knew when it sent; a send learns nothing, since it may be buffered.
 */
tutti_status tutti_barrier_check_visit(void *knowledge, const struct event *event, tutti_error *error);

/* Does every rank know of all others in the end? */
tutti_status tutti_barrier_check_result(const struct barrier_check *knowledge, tutti_error *error);

#endif
