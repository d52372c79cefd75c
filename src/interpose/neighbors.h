/* The neighbors of a process on a communicator of the program with a topology. */
#ifndef TUTTI_INTERPOSE_NEIGHBORS_H
#define TUTTI_INTERPOSE_NEIGHBORS_H

#include <mpi.h>
#include <stdbool.h>

/* In the order in which neighborhood collectives have their blocks (MPI 4.0, 8.6): of a Cartesian topology in each
   dimension the one before, then the one after. Zero-initialize. */
struct neighbors {
  bool asked;        /* what follows is known */
  bool graph;        /* of a graph: any ranks */
  int in, out;       /* blocks received, sent; 0 without a topology */
  int *sources;      /* [in] ranks; MPI_PROC_NULL: no block. Owned */
  int *destinations; /* [out] likewise */
};

/* Ask the library, once. Without messages. NULL: no topology, or out of memory. */
const struct neighbors *tutti_neighbors_ask(struct neighbors *neighbors, MPI_Comm comm);
void tutti_neighbors_free(struct neighbors *neighbors);

#endif
