/* The groups of a machine's levels (nodes, switches, cells), and the participants of each stage: the basis of the
   multi-level algorithms.

   A group of a level is within one group of the level above: its ranks have equal numbers there and on all levels
   above. Groups of a level are numbered in the order of their lowest ranks. A level is left out if it adds nothing:
   if all ranks are one group, or if its groups are those of the level below, or single ranks.

   The leader of a group is the root of the call in the root's groups, else its lowest rank. A stage of a level takes
   place within each of its groups: among the leaders of the groups of the level below, on the lowest level among all
   ranks of the group. The last stage is among the leaders of the groups of the highest level.

       P = 8, nodes (0 1) (2 3) (4 5) (6 7), cells (0 1 2 3) (4 5 6 7), root 3
       nodes: 0 1, 2 3, 4 5, 6 7      cells: 0 3, 4 6      last: 3 4 */
#ifndef TUTTI_ALGORITHMS_LEVELS_H
#define TUTTI_ALGORITHMS_LEVELS_H

#include "tutti/algorithm.h"

/* Parts of a multi-level algorithm in the order of its line in the catalogue: number i for the groups of level i, then
   that of the last stage, then, where others lead down, those for the groups of level i. */
enum { LEVEL_PART_LAST = TUTTI_MAX_LEVELS, LEVEL_PART_DOWN };

/* Ranks by group. */
struct grouping {
  int count;         /* groups */
  const int *of;     /* [size] group of each rank */
  const int *lowest; /* [count] lowest rank of each */
};

/* Number the groups of ranks that have the same number in `ids`, which may be any, and are in the same group of `above`
   (NULL: of the whole), in the order of their lowest ranks. False, and a fault, without memory. */
bool tutti_number_groups(tutti_builder *builder, int size, const int *ids, const struct grouping *above,
                         struct grouping *groups);

/* One level. Consecutive: ranks number * width up to the next multiple. */
struct group_level {
  int number;             /* of the level in the call, from 0 */
  int width;              /* > 0: groups are this many consecutive ranks */
  struct grouping groups; /* else */
  const int *sizes;       /* [count] ranks of each group, else */
};

/* The stage of a level, or the last one, in which the own rank takes part. Its ranks are in the order of their groups
   of the level below. */
struct stage {
  int at;    /* number of the level among those that are not left out; their count: the last stage */
  int level; /* of the call; LEVEL_PART_LAST: the last stage */
  int size;  /* >= 2, except for the last stage of a group of one rank */
  int rank, root;
  const int *ranks;  /* or NULL: */
  int first, stride; /* first + i * stride */
  int below;         /* number of the first group of the level below, if ranks is NULL */
};

struct levels {
  const tutti_call *call;
  int count;                                  /* levels that are not left out */
  struct group_level level[TUTTI_MAX_LEVELS]; /* from the lowest up */
  int stage_count;                            /* in which the own rank takes part, from the lowest up */
  struct stage stages[TUTTI_MAX_LEVELS + 1];
};

/* False, and a fault, without memory. Memory grows with P only where levels are not consecutive ranks. */
bool tutti_levels(tutti_builder *builder, const tutti_call *call, struct levels *levels);

/* Groups of level number `at` of those that are kept; -1: the ranks. */
int tutti_level_groups(const struct levels *levels, int at);
int tutti_level_group_of(const struct levels *levels, int at, int rank);
int tutti_level_lowest(const struct levels *levels, int at, int group);
int tutti_level_size(const struct levels *levels, int at, int group);

/* Whether the rank takes part in the last stage. */
static inline bool tutti_is_in_last_stage(const struct levels *levels)
{
  return levels->stage_count > 0 && levels->stages[levels->stage_count - 1].level == LEVEL_PART_LAST;
}

/* Part of the schedule among the ranks of a stage. */
tutti_scope tutti_scope_of_stage(const tutti_builder *builder, const struct stage *stage, tutti_vertex_id after);

#endif
