/* Which ranks of a communicator share memory. */
#ifndef TUTTI_INTERPOSE_LEADERS_H
#define TUTTI_INTERPOSE_LEADERS_H

#include <mpi.h>

/* For each of the `size` ranks of `comm` the lowest rank on its node, to be freed; NULL: unknown. Collective. */
int *tutti_find_leaders(MPI_Comm comm, int size);

/* The maximum number of ranks of a node; 1 if the leaders are unknown. */
int tutti_ranks_per_node(const int *leaders, int size);

#endif
