/* Which tags a context has, and which contexts a process leads. No MPI.
 *
 *     tags        0 .. 32767   views without a context pool
 *     tag range   0            the communicator of all processes
 *                 1 ..         leader 0 with index 0 .. 63, leader 1, ...
 *                 the others   ranges, and groups whose first process leads 64 contexts already, by a hash of their id
 */
#ifndef TUTTI_COMMUNICATORS_TAG_RANGE_H
#define TUTTI_COMMUNICATORS_TAG_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/context.h"
#include "tutti/error.h"

enum {
  TAG_RANGE_FIRST_TAG = 32768, /* above TUTTI_FIRST_TAG + TUTTI_TAG_COUNT of view.h */
  TAG_RANGE_MIN_HASHED = 1024, /* with fewer ids would meet too often */

  /* Tags of a tag range. */
  TAG_RANGE_PROTOCOL = TUTTI_CONTEXT_TAGS / 4 - 1, /* after those of operations: split and create */
  TAG_RANGE_CREATIONS = TUTTI_CONTEXT_TAGS / 4,
  TAG_RANGE_USER = TUTTI_CONTEXT_TAGS / 2
};

/* Tag ranges that a communicator of @p size processes has, its greatest tag being @p tag_ub. TUTTI_ERR_UNSUPPORTED if
   they are too few for every leader and index. */
tutti_status tutti_tag_range_count(int tag_ub, int size, int64_t *tag_ranges, tutti_error *error);

/* The tag range of a context. */
int64_t tutti_tag_range_of(const tutti_context *context, int size, int64_t tag_ranges);

static inline int tag_range_first_tag(int64_t tag_range)
{
  return (int)(TAG_RANGE_FIRST_TAG + tag_range * TUTTI_CONTEXT_TAGS);
}

/* The contexts in use on a process, by ascending tag range. All zero: none. */
struct live_context {
  int64_t tag_range;
  tutti_context context;
};

struct live_contexts {
  struct live_context *contexts; /* [capacity] */
  int count, capacity;
};

/* TUTTI_ERR_UNSUPPORTED if one with that tag range is in use already: the message names both. */
tutti_status tutti_live_contexts_add(struct live_contexts *live, int64_t tag_range, const tutti_context *context,
                                     int rank, tutti_error *error);

void tutti_live_contexts_remove(struct live_contexts *live, int64_t tag_range);

void tutti_live_contexts_free(struct live_contexts *live);

/* The contexts that a process leads (Kamal, Mirtaheri, Wagner 2010, section 4): one bit each. No MPI. */

/* Bit i is set while the process leads a context of index i. */
typedef uint64_t leader_bits;

/* How many contexts it leads. */
static inline int leader_count(leader_bits bits)
{
  return __builtin_popcountll(bits);
}

/* The smallest free index, or -1. */
static inline int leader_free_index(leader_bits bits)
{
  return ~bits ? __builtin_ctzll(~bits) : -1;
}

static inline leader_bits leader_take(leader_bits bits, int index)
{
  return bits | UINT64_C(1) << index;
}

static inline leader_bits leader_give_back(leader_bits bits, int index)
{
  return bits & ~(UINT64_C(1) << index);
}

#endif
