/* What tutti rank-maps measures, and on which groups. */
#ifndef TUTTI_CLI_RANK_MAPS_H
#define TUTTI_CLI_RANK_MAPS_H

#include "tutti/error.h"
#include "tutti/map.h"

/* ---- groups: those of Kamal, Mirtaheri, Wagner 2010, tables 1 and 2 ---- */

struct ranked_group {
  const char *name;
  int size;
  int *members; /* owned */
};

/* The names, in the order of the tables; NULL past the end. */
const char *ranked_group_name(int index);

/* Make the group of that name within a world of 2^20; TUTTI_ERR_ARGUMENT lists the names. Free its members. */
tutti_status ranked_group_make(const char *name, struct ranked_group *group, tutti_error *error);

enum { RANK_MAPS_WORLD = 1 << 20 };

/* ---- sizes and speeds of one representation of a group ---- */

struct rank_maps_row {
  const char *group;
  tutti_map_kind kind;
  int size;
  bool made; /* false: refused, for the reason below */
  char reason[160];
  size_t bytes;
  double create, select_all, select_one, rank_one; /* seconds of processor time; for all members, and for one */
  /* Set by the caller: */
  double ratio;       /* of select_one to that of the array in the same run */
  char chosen_by[64]; /* strategies that choose this kind */
};

/* Measure; the least of several rounds. Asks random ranks of a fixed seed. */
tutti_status rank_maps_measure(const struct ranked_group *group, tutti_map_kind kind, struct rank_maps_row *row,
                               tutti_error *error);

#endif
