/* The neighbors of a process on a communicator of the program with a topology. */
#ifndef TUTTI_INTERPOSE_NEIGHBORS_H
#define TUTTI_INTERPOSE_NEIGHBORS_H

#include <mpi.h>

#include "tutti/neighbor.h"

/* Zero-initialize. */
struct neighbors {
  bool asked;           /* what follows is known */
  tutti_neighbors near; /* in the order in which neighborhood collectives have their blocks. Its arrays are below */
  tutti_grid grid;      /* of a Cartesian topology */
  int *sources;         /* NULL: no topology. Owned, as all of them */
  int *destinations, *order, *distances, *slots;
  tutti_stencil stencil;
  int most;        /* neighbors of a rank at most, the same on all ranks; 0: not known */
  const char *why; /* without near.stencil, after tutti_neighbors_compare(): static; the same on all ranks */
};

/* Ask the library, once. Without messages. NULL: no topology, or out of memory. */
const struct neighbors *tutti_neighbors_ask(struct neighbors *neighbors, MPI_Comm comm);

/* Agree on `most` of a graph; that of a grid is known to each rank. One small collective over @p comm, of a graph. */
void tutti_neighbors_agree(struct neighbors *neighbors, MPI_Comm comm);

/* Find out whether the neighbors of all ranks are the same distances away, on the grid of the communicator or of the
   one that it was made of, if its ranks are the same: then near.stencil is set. Three small collectives over @p comm.
 */
void tutti_neighbors_compare(struct neighbors *neighbors, MPI_Comm comm, MPI_Comm parent);

/* The sides of a Cartesian topology that is periodic in all of its dimensions, at most TUTTI_MAX_SIDES, as
   tutti_sides_pack() has them; 0: none. */
int tutti_neighbors_torus(const struct neighbors *neighbors);

void tutti_neighbors_free(struct neighbors *neighbors);

#endif
