/* Decisions of the root of a split (Kamal, Mirtaheri, Wagner 2010, procedure 1, lines 5 to 16). No MPI. */
#ifndef TUTTI_COMMUNICATORS_PLAN_H
#define TUTTI_COMMUNICATORS_PLAN_H

#include "groups/communicators/tag_range.h"
#include "tutti/error.h"

/* Message of a process to the root. */
struct plea {
  int color;
  int key;
  leader_bits led;
  uint64_t location; /* equal for those that share a map */
};

/* Message of the root to a process. */
struct answer {
  tutti_status status; /* TUTTI_ERR_UNSUPPORTED: all members lead as many contexts as they can; TUTTI_ERR_MEMORY */
  int size;            /* of its group; 0: none */
  int rank;            /* in it */
  int leader, index;   /* the context id */
  int previous, next;  /* members that share its map, by rank, as ranks of the context pool; -1: none */
  int sharers;         /* for the first of these: their number */
  uint64_t serial;     /* one number for all groups of the split, unique in the context pool: indices are used again */
  uint64_t map_bytes;  /* at the first: length of the serialized map that it is sent */
};

/* A group: members[first .. first + size - 1] of the plan. */
struct plan_group {
  int first, size;
};

struct plan {
  int *members;              /* [count] ranks that asked for a group, by color, key and rank */
  struct plan_group *groups; /* [group_count] by ascending color */
  int count, group_count;
};

/*
 * Make groups of the pleas of @p size ranks. The leader of a group is the first of the members that lead the fewest
 * contexts, so leaders are balanced; its index is the first free one. O(size log size) time, O(size) memory.
 * @param nobody   the color of those that want no group
 * @param base     [size] ranks of the context pool
 * @param answers  [size] receives all except serial and map_bytes, which become 0
 */
tutti_status tutti_plan_make(struct plan *plan, const struct plea *pleas, const int *base, int size, int nobody,
                             struct answer *answers, tutti_error *error);

void tutti_plan_free(struct plan *plan);

#endif
