/* Sizes and speeds of one representation of a group. */
#ifndef TUTTI_CLI_MAPS_MEASURE_H
#define TUTTI_CLI_MAPS_MEASURE_H

#include "cli/maps/maps_groups.h"
#include "tutti/map.h"

struct maps_row {
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
tutti_status maps_measure(const struct maps_group *group, tutti_map_kind kind, struct maps_row *row,
                          tutti_error *error);

#endif
