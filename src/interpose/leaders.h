/* Which ranks of a communicator share memory. */
#ifndef TUTTI_INTERPOSE_LEADERS_H
#define TUTTI_INTERPOSE_LEADERS_H

#include <mpi.h>

/* Of each of the `size` ranks of `comm` the lowest rank on its node, in an array that is to be freed; NULL: not known.
   Collective. */
int *tutti_find_leaders(MPI_Comm comm, int size);

/* The most ranks of a node; 1 where the leaders are not known. */
int tutti_ranks_per_node(const int *leaders, int size);

#endif
