/* Communicators that the calls of a trace define: the n-th creation that a rank calls on a communicator is the n-th of
   all its ranks, so that all ranks are read before the members are known. */
#ifndef TUTTI_ENGINE_WORKLOAD_GROUPS_H
#define TUTTI_ENGINE_WORKLOAD_GROUPS_H

#include "harness/engine/trace/workload.h"

enum creation_kind {
  CREATION_UNKNOWN, /* the trace does not say who is in it */
  CREATION_COPY,
  CREATION_SPLIT,
  CREATION_GROUP,
  CREATION_GRID,     /* of MPI_Cart_create */
  CREATION_GRID_PART /* of MPI_Cart_sub */
};

/* The numbers of one list, in workload_groups.numbers. */
struct group_list {
  uint32_t first, count; /* WORKLOAD_UNKNOWN: all ranks */
};

/* A communicator as one rank makes it. Of the rank's own: 0 is all ranks, else it is the creation before this
   number; WORKLOAD_UNKNOWN: not known. */
struct creation {
  enum creation_kind kind;
  const char *name; /* of the call */
  uint64_t line;    /* of the call */
  uint32_t parent;
  int64_t color, key;     /* of a split; a color below 0: the rank is in none */
  uint32_t base;          /* of a group: what its ranks count in; like the parent */
  struct group_list list; /* of a group: ranks; of a grid: its dimensions, none if unknown; of a part: which remain */
  uint32_t next;          /* of the rank on the same parent */
  uint32_t communicator;  /* found: of workload.communicators; WORKLOAD_UNKNOWN: not */
  uint32_t rank;          /* there */
};

struct creations {
  TUTTI_VECTOR(struct creation); /* of a rank, in their order */
};

struct workload_groups {
  struct creations *ranks; /* [rank_count]; owned */
  struct {
    TUTTI_VECTOR(uint32_t);
  } numbers;
};

/* Find the members of what the ranks of the workload create, and append these communicators to its. */
void tutti_groups_resolve(struct workload_groups *groups, struct workload *workload);
void tutti_groups_free(struct workload_groups *groups, uint32_t rank_count);

#endif
