/* GOAL as text and as bytes: what both share. */
#ifndef TUTTI_ENGINE_WORKLOAD_GOAL_H
#define TUTTI_ENGINE_WORKLOAD_GOAL_H

#include "harness/engine/trace/workload_read.h"

#define GOAL_MAX_BYTES       (UINT64_C(1) << 50)
#define GOAL_MAX_NANOSECONDS (UINT64_C(1) << 58)
#define GOAL_ANY             UINT64_MAX

/* The other rank of a message and its tag; GOAL_ANY of either. */
struct goal_ends {
  uint64_t peer, tag;
};

/* Set peer and channel of a message. */
void tutti_goal_set_ends(struct workload_pairs *channels, const struct goal_ends *ends, struct workload_op *op);

/* After all ranks: find what receives from any rank get. Of a file that is not `whole`, messages whose other end was
   passed over are left out. Frees the channels. */
void tutti_goal_end(struct workload *workload, struct workload_pairs *channels, bool whole);

#endif
