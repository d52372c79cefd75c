/**
 * @file neighbor.h
 * @ingroup catalogue
 * Neighborhood collectives (MPI 4.1, 8.6): allgather and alltoall in which each rank exchanges blocks with its
 * neighbors only. The neighbors of a rank are data of its call (tutti_call.near). Their algorithms are no lines of the
 * catalogue: tutti_neighbor_algorithm() has them. All else that is done to schedules is done to theirs.
 *
 * **linear**: a message from each source and to each destination.
 *
 * **combining**: where the neighbors of all ranks are the same distances away on a grid (a stencil), blocks go along
 * one dimension after the other, and those with the same distance in a dimension go in one message. On a torus of d
 * dimensions with all 3^d - 1 nearest neighbors 2 d messages take the place of 3^d - 1. An alltoall moves a block once
 * for each dimension in which its distance is not 0; an allgather moves it once for all destinations that have the
 * first distances in common. (Message-combining algorithms for Cartesian alltoall and allgather: Traff, Cartesian
 * Collective Communication, team.inria.fr/tadaam, talk of December 3rd. The details are ours.)
 */
#ifndef TUTTI_NEIGHBOR_H
#define TUTTI_NEIGHBOR_H

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum dimensions of a grid. */
#define TUTTI_MAX_DIMENSIONS 8

/** A grid of ranks. The last dimension varies fastest, as in MPI_Cart_create(). */
typedef struct tutti_grid {
  int dimensions;                      /**< 0: none is known */
  int sides[TUTTI_MAX_DIMENSIONS];     /**< their product is the number of ranks */
  bool periodic[TUTTI_MAX_DIMENSIONS]; /**< a torus in that dimension */
} tutti_grid;

/** The distances of the destinations of all ranks. A rank at the edge of a grid that is not periodic lacks those that
   are outside. The same on all ranks. */
typedef struct tutti_stencil {
  tutti_grid grid;
  int count;
  const int *distances; /**< [count][grid.dimensions] in ascending order, none twice; in a periodic dimension from
                             -(side - 1) / 2 to side / 2 */
} tutti_stencil;

/** The neighbors of a rank. Its call has an input block for each destination, or one for all, and an output block for
    each source; both layouts have offsets. The k-th block that a rank sends to another one is the k-th that this
    receives from it. */
typedef struct tutti_neighbors {
  int in, out;
  const int *sources;           /**< [in] ranks of the group, the own one included; -1: none, its block is left alone */
  const int *order;             /**< [in] in which sources count for the above; NULL: as they are */
  const int *destinations;      /**< [out] ranks or -1 */
  const tutti_stencil *stencil; /**< NULL: none is known, and linear alone serves the call */
  const int *in_slots;          /**< [stencil->count] the source that sends along that distance; -1: none */
  const int *out_slots;         /**< [stencil->count] the destination at that distance; -1: none */
} tutti_neighbors;

/** The algorithms. */
typedef enum tutti_neighbor_kind {
  TUTTI_NEIGHBOR_LINEAR,
  TUTTI_NEIGHBOR_COMBINING,
  TUTTI_NEIGHBOR_KINDS
} tutti_neighbor_kind;

/** Of TUTTI_COLL_ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV or ALLTOALLW. Combining serves the first and the third,
   whose blocks have the same length on all ranks; NULL for others. Static storage. */
const tutti_algorithm *tutti_neighbor_algorithm(tutti_collective collective, tutti_neighbor_kind kind);

/** The rank at a distance from another one; -1: outside of the grid. */
int tutti_grid_at(const tutti_grid *grid, int rank, const int *distance);

/** Distances of ranks from one of them on a grid, into distances[count][dimensions]. False: one is not a rank of it. */
bool tutti_grid_distances(const tutti_grid *grid, int rank, const int *ranks, int count, int *distances);

/** Sort distances in place as a stencil has them. False: one is there twice. */
bool tutti_stencil_sort(int *distances, int count, int dimensions);

/** Whether the neighbors of a rank are those of the stencil: then its slots are set, [stencil->count] each. */
bool tutti_stencil_fits(const tutti_stencil *stencil, int rank, const tutti_neighbors *neighbors, int *in_slots,
                        int *out_slots);

/** Whether a rank is a neighbor of each that its blocks are sent to on their way, so that the blocks of all are of one
    length. */
bool tutti_stencil_is_connected(const tutti_stencil *stencil);

/** Messages that a rank in the middle of the grid sends with message combining. */
int tutti_stencil_messages(const tutti_stencil *stencil);

#ifdef __cplusplus
}
#endif
#endif
