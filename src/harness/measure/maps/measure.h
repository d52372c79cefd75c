/* Sizes and speeds of representations of group maps, and the groups that they are measured on. */
#ifndef TUTTI_MEASURE_RANK_MAPS_H
#define TUTTI_MEASURE_RANK_MAPS_H

#include "tutti/map.h"

/* End the program with status 2 and with what `failure` says, unless all went well. */
extern tutti_error failure;
void must(tutti_status status);

/* ---- groups: those of Kamal, Mirtaheri, Wagner 2010, tables 1 and 2, figures 4 and 5 ---- */

struct ranked_group {
  const char *name; /* static */
  int world, size;
  int *members; /* [size] owned */
};

/* The names of those of the tables, in their order; NULL past the end. */
const char *ranked_group_of_tables(int index);

/* Make the group of that name, if there is one. Free its members. */
void ranked_group_make(const char *name, struct ranked_group *group);

/* ---- one representation of a group ---- */

struct measured_rank_map {
  const char *group; /* static */
  const char *kind;  /* static */
  int world, size;
  bool made; /* false: refused, for the reason below */
  char reason[160];
  size_t bytes;
  double bits;                                     /* of memory, per member; NaN if refused, as the following: */
  double create, select_all, select_one, rank_one; /* seconds of processor time; for all members, and for one */
  double ratio;                                    /* of select_one to that of the array in the same run */
  char chosen_by[64];                              /* strategies that choose this kind, with blanks between them */
};

/* Measure all representations, each the least of several rounds; random ranks of a fixed seed are asked for. */
void rank_maps_measure(const struct ranked_group *group, struct measured_rank_map rows[TUTTI_MAP_KINDS]);

#endif
