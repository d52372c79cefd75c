/* What tutti rank-maps measures, and on which groups. */
#ifndef TUTTI_CLI_RANK_MAPS_H
#define TUTTI_CLI_RANK_MAPS_H

#include "tutti/error.h"
#include "tutti/map.h"

/* ---- groups: those of Kamal, Mirtaheri, Wagner 2010, tables 1 and 2, figures 4 and 5 ---- */

struct ranked_group {
  const char *name;
  int world, size;
  int *members; /* owned */
};

/* The names of those of the tables, in their order; NULL past the end. */
const char *ranked_group_of_tables(int index);

/* Make the group of that name, or die with the list of names. Free its members. */
void ranked_group_make(const char *name, struct ranked_group *group);

/* ---- sizes and speeds of one representation of a group ---- */

struct rank_maps_row {
  const char *group;
  tutti_map_kind kind;
  int world, size;
  bool made; /* false: refused, for the reason below */
  char reason[160];
  size_t bytes;
  double create, select_all, select_one, rank_one; /* seconds of processor time; for all members, and for one */
  /* Set by the caller: */
  double ratio;       /* of select_one to that of the array in the same run */
  char chosen_by[64]; /* strategies that choose this kind */
};

/* Measure; the least of several rounds. Asks random ranks of a fixed seed. */
void rank_maps_measure(const struct ranked_group *group, tutti_map_kind kind, struct rank_maps_row *row);

#endif
