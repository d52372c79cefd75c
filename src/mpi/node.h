/* Who shares memory. */
#ifndef TUTTI_GROUPS_NODE_H
#define TUTTI_GROUPS_NODE_H

#include <mpi.h>

/* The lowest rank of the communicator on the node of the calling process. Collective. Returns an MPI error class. */
int tutti_node_leader(MPI_Comm comm, int *leader);

#endif
