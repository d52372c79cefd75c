/* Sizes and speeds of representations of group maps, and the groups that they are measured on. */
#ifndef TUTTI_MAPS_MEASURE_H
#define TUTTI_MAPS_MEASURE_H

#include "tutti/map.h"

/* ---- groups: those of Kamal, Mirtaheri, Wagner 2010, tables 1 and 2, figures 4 and 5 ---- */

struct ranked_group {
  const char *name; /* static */
  int world, size;
  int *members; /* [size] owned */
};

/* The names of those of the tables, in their order; NULL past the end. */
const char *tutti_ranked_group_of_tables(int index);

/* Make the group of that name; TUTTI_ERR_ARGUMENT has the list of names. Free its members. */
tutti_status tutti_ranked_group_make(const char *name, struct ranked_group *group, tutti_error *error);

/* ---- one representation of a group ---- */

struct measured_rank_map {
  const char *group; /* static */
  tutti_map_kind kind;
  int world, size;
  bool made; /* false: refused, for the reason below */
  char reason[160];
  size_t bytes;
  double bits;                                     /* of memory, per member; NaN if refused, as the following: */
  double create, select_all, select_one, rank_one; /* seconds of processor time; for all members, and for one */
  double ratio;                                    /* of select_one to that of the array in the same run */
  char chosen_by[64];                              /* strategies that choose this kind, with blanks between them */
};

/* Measure all representations, each the least of several rounds; random ranks of a fixed seed are asked for. A failure
   other than TUTTI_ERR_UNSUPPORTED, which is in `reason`, is returned. */
tutti_status tutti_rank_maps_measure(const struct ranked_group *group, struct measured_rank_map rows[TUTTI_MAP_KINDS],
                                     tutti_error *error);

#endif
