#include "interpose/neighbors.h"

#include <stdlib.h>
#include <string.h>

#ifdef SMPI_HELPERS_H /* has no MPI_Topo_test(), and no neighborhood collectives */
static bool ask(struct neighbors *neighbors, MPI_Comm comm)
{
  (void)neighbors, (void)comm;
  return false;
}

void tutti_neighbors_agree(struct neighbors *neighbors, MPI_Comm comm)
{
  (void)neighbors, (void)comm;
}

void tutti_neighbors_compare(struct neighbors *neighbors, MPI_Comm comm, MPI_Comm parent)
{
  (void)neighbors, (void)comm, (void)parent;
}
#else

static bool make_room(struct neighbors *neighbors, int in, int out)
{
  neighbors->sources = calloc((size_t)in + 1, sizeof *neighbors->sources);
  neighbors->destinations = calloc((size_t)out + 1, sizeof *neighbors->destinations);
  neighbors->near =
      (tutti_neighbors){.in = in, .out = out, .sources = neighbors->sources, .destinations = neighbors->destinations};
  return neighbors->sources && neighbors->destinations;
}

static bool get_grid(MPI_Comm comm, tutti_grid *grid)
{
  int periods[TUTTI_MAX_DIMENSIONS], place[TUTTI_MAX_DIMENSIONS];
  *grid = (tutti_grid){.dimensions = 0};
  if (PMPI_Cartdim_get(comm, &grid->dimensions) != MPI_SUCCESS || grid->dimensions > TUTTI_MAX_DIMENSIONS ||
      PMPI_Cart_get(comm, grid->dimensions, grid->sides, periods, place) != MPI_SUCCESS) {
    grid->dimensions = 0;
    return false;
  }
  for (int d = 0; d < grid->dimensions; d++)
    grid->periodic[d] = periods[d];
  return true;
}

/* In each dimension the neighbor before, then the one after: what is sent the one way arrives as a block from the other
   way, also where both are the same rank (MPI 4.1, 8.6, and advice to implementors there). */
static bool ask_grid(struct neighbors *neighbors, MPI_Comm comm)
{
  int dimensions = 0;
  if (PMPI_Cartdim_get(comm, &dimensions) != MPI_SUCCESS || dimensions < 0 ||
      !make_room(neighbors, 2 * dimensions, 2 * dimensions))
    return false;
  neighbors->most = 2 * dimensions;
  neighbors->near.order = neighbors->order = calloc(2 * (size_t)dimensions + 1, sizeof *neighbors->order);
  (void)get_grid(comm, &neighbors->grid);
  for (int d = 0; d < dimensions; d++) {
    int *pair = &neighbors->sources[2 * d];
    if (!neighbors->order || PMPI_Cart_shift(comm, d, 1, &pair[0], &pair[1]) != MPI_SUCCESS)
      return false;
    neighbors->order[2 * d] = 2 * d + 1;
    neighbors->order[2 * d + 1] = 2 * d;
    memcpy(&neighbors->destinations[2 * d], pair, 2 * sizeof *pair);
  }
  return true;
}

static bool ask_graph(struct neighbors *neighbors, MPI_Comm comm)
{
  int rank, count = 0;
  if (PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || PMPI_Graph_neighbors_count(comm, rank, &count) != MPI_SUCCESS ||
      !make_room(neighbors, count, count))
    return false;
  return PMPI_Graph_neighbors(comm, rank, count, neighbors->sources) == MPI_SUCCESS &&
         PMPI_Graph_neighbors(comm, rank, count, neighbors->destinations) == MPI_SUCCESS;
}

static bool ask_distributed(struct neighbors *neighbors, MPI_Comm comm)
{
  int in = 0, out = 0, weighted;
  if (PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted) != MPI_SUCCESS || !make_room(neighbors, in, out))
    return false;
  int *weights = calloc((size_t)in + (size_t)out + 1, sizeof *weights);
  const bool good = weights && PMPI_Dist_graph_neighbors(comm, in, neighbors->sources, weights, out,
                                                         neighbors->destinations, weights + in) == MPI_SUCCESS;
  free(weights);
  return good;
}

/* -1 in place of MPI_PROC_NULL. */
static void mark_none(int *ranks, int count)
{
  for (int i = 0; i < count; i++)
    ranks[i] = ranks[i] == MPI_PROC_NULL ? -1 : ranks[i];
}

static bool ask(struct neighbors *neighbors, MPI_Comm comm)
{
  int kind = MPI_UNDEFINED;
  if (PMPI_Topo_test(comm, &kind) != MPI_SUCCESS || kind == MPI_UNDEFINED)
    return false;
  const bool known = kind == MPI_CART    ? ask_grid(neighbors, comm)
                     : kind == MPI_GRAPH ? ask_graph(neighbors, comm)
                                         : ask_distributed(neighbors, comm);
  if (known) {
    mark_none(neighbors->sources, neighbors->near.in);
    mark_none(neighbors->destinations, neighbors->near.out);
  }
  return known;
}

void tutti_neighbors_agree(struct neighbors *neighbors, MPI_Comm comm)
{
  const tutti_neighbors *near = &neighbors->near;
  const int own = !neighbors->sources ? 0 : near->in > near->out ? near->in : near->out;
  int kind = MPI_UNDEFINED, most = 0;
  if (PMPI_Topo_test(comm, &kind) == MPI_SUCCESS && (kind == MPI_GRAPH || kind == MPI_DIST_GRAPH) &&
      PMPI_Allreduce(&own, &most, 1, MPI_INT, MPI_MAX, comm) == MPI_SUCCESS)
    neighbors->most = most;
}

/* ---- stencils ---- */

enum { MAX_DISTANCES = 1024 };

/* The grid of the communicator, or of its parent. The same answer on all ranks. */
static bool find_grid(struct neighbors *neighbors, MPI_Comm comm, MPI_Comm parent)
{
  int kind = MPI_UNDEFINED, relation = MPI_UNEQUAL;
  if (neighbors->grid.dimensions > 0)
    return true;
  return PMPI_Topo_test(parent, &kind) == MPI_SUCCESS && kind == MPI_CART &&
         PMPI_Comm_compare(comm, parent, &relation) == MPI_SUCCESS &&
         (relation == MPI_IDENT || relation == MPI_CONGRUENT) && get_grid(parent, &neighbors->grid) &&
         neighbors->grid.dimensions > 0;
}

/* The distances of the destinations of this rank, sorted. Returns how many; -1: they are none of a stencil. */
static int measure(const struct neighbors *neighbors, int rank, int *distances)
{
  const int dimensions = neighbors->grid.dimensions;
  int count = 0;
  for (int i = 0; i < neighbors->near.out; i++) {
    const int to = neighbors->destinations[i];
    if (to < 0)
      continue;
    if (count == MAX_DISTANCES ||
        !tutti_grid_distances(&neighbors->grid, rank, &to, 1, distances + (size_t)count * (size_t)dimensions))
      return -1;
    count++;
  }
  return tutti_stencil_sort(distances, count, dimensions) ? count : -1;
}

static bool fits(struct neighbors *neighbors, int rank, int count)
{
  neighbors->stencil = (tutti_stencil){neighbors->grid, count, neighbors->distances};
  neighbors->slots = calloc(2 * (size_t)count + 1, sizeof *neighbors->slots);
  return neighbors->slots && tutti_stencil_is_connected(&neighbors->stencil) &&
         tutti_stencil_fits(&neighbors->stencil, rank, &neighbors->near, neighbors->slots, neighbors->slots + count);
}

/* The rank with the most neighbors has all distances, if it is one in the middle of the grid. */
void tutti_neighbors_compare(struct neighbors *neighbors, MPI_Comm comm, MPI_Comm parent)
{
  struct {
    int count, rank;
  } own, most = {-1, 0};
  int good, all = 0;
  neighbors->why = "its ranks are those of no grid";
  if (!neighbors->sources || !find_grid(neighbors, comm, parent) || PMPI_Comm_rank(comm, &own.rank) != MPI_SUCCESS)
    return;
  neighbors->distances = calloc((size_t)MAX_DISTANCES * TUTTI_MAX_DIMENSIONS, sizeof *neighbors->distances);
  neighbors->why =
      "its neighbors are those of no stencil: some rank must have all of its distances, each once, and all "
      "others those of them that stay on the grid";
  own.count = neighbors->distances ? measure(neighbors, own.rank, neighbors->distances) : -1;
  good = own.count >= 0;
  if (PMPI_Allreduce(&own, &most, 1, MPI_2INT, MPI_MAXLOC, comm) != MPI_SUCCESS)
    return;
  int unused[1], *distances = neighbors->distances ? neighbors->distances : unused;
  const int words = neighbors->distances && most.count > 0 ? most.count * neighbors->grid.dimensions : 0;
  if (most.count > 0)
    PMPI_Bcast(distances, words, MPI_INT, most.rank, comm);
  good = good && most.count > 0 && fits(neighbors, own.rank, most.count);
  if (PMPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS || !all)
    return;
  neighbors->near.stencil = &neighbors->stencil;
  neighbors->near.in_slots = neighbors->slots;
  neighbors->near.out_slots = neighbors->slots + most.count;
}
#endif

const struct neighbors *tutti_neighbors_ask(struct neighbors *neighbors, MPI_Comm comm)
{
  if (!neighbors->asked && !ask(neighbors, comm))
    tutti_neighbors_free(neighbors);
  neighbors->asked = true;
  return neighbors->sources ? neighbors : NULL;
}

void tutti_neighbors_free(struct neighbors *neighbors)
{
  free(neighbors->sources);
  free(neighbors->destinations);
  free(neighbors->order);
  free(neighbors->distances);
  free(neighbors->slots);
  *neighbors = (struct neighbors){.asked = false};
}

int tutti_neighbors_torus(const struct neighbors *neighbors)
{
  const tutti_grid *grid = &neighbors->grid;
  int sides[TUTTI_MAX_SIDES];
  if (grid->dimensions > TUTTI_MAX_SIDES)
    return 0;
  for (int d = 0; d < grid->dimensions; d++) { /* the first side varies fastest with the rank */
    sides[d] = grid->sides[grid->dimensions - 1 - d];
    if (!grid->periodic[d] || sides[d] > TUTTI_MAX_SIDE)
      return 0;
  }
  return grid->dimensions > 0 ? tutti_sides_pack(sides, grid->dimensions) : 0;
}
