/* What tutti rank-maps measures, and on which groups. */
#ifndef TUTTI_CLI_MAPS_H
#define TUTTI_CLI_MAPS_H

#include "base/vector.h"
#include "tutti/map.h"
#include "tutti/store.h"

/* ---- groups: those of Kamal, Mirtaheri, Wagner 2010, tables 1 and 2 ---- */

struct maps_group {
  const char *name;
  int size;
  int *members; /* owned */
};

/* The names, in the order of the tables; NULL past the end. */
const char *maps_group_name(int index);

/* Make the group of that name within a world of 2^20; TUTTI_ERR_ARGUMENT lists the names. Free its members. */
tutti_status maps_group_make(const char *name, struct maps_group *group, tutti_error *error);

enum { MAPS_WORLD = 1 << 20 };

/* ---- sizes and speeds of one representation of a group ---- */

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

/* ---- on their way into the store ---- */

/* Zero-initialize; maps_results_free(). */
struct maps_results {
  TUTTI_VECTOR(tutti_result);
};

/* Append a row that was made: one result, or that of the strategy which chose its kind. @p array is the row of the
 * array of the same group. */
void maps_results_add(struct maps_results *results, const struct maps_row *row, const struct maps_row *array,
                      const char *strategy);

/* Put them into a store: flavor and library "none", as no MPI is in it.
 * @param machine  its name; NULL: what the system calls the processor */
tutti_status maps_results_store(const struct maps_results *results, tutti_store *store, const char *machine,
                                tutti_error *error);

void maps_results_free(struct maps_results *results);

#endif
