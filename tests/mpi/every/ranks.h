/* The view on which every call is made: its ranks are those of MPI_COMM_WORLD, with which it is compared. */
#ifndef TUTTI_TESTS_EVERY_RANKS_H
#define TUTTI_TESTS_EVERY_RANKS_H

#include "../check.h"

struct ranks {
  tutti_view view;
  tutti_lookup *lookup; /* of the view, or NULL */
  int *members;
};

/* In world.c the view of all, in map.c that of a map. @{ */
struct ranks ranks_in_order(struct checks *checks, const tutti_view *world);
void ranks_free(struct ranks *ranks);
/* @} */

#endif
