#include "interpose/neighbors.h"

#include <stdlib.h>

#ifdef SMPI_HELPERS_H /* has no MPI_Topo_test(), and no neighborhood collectives */
static bool ask(struct neighbors *neighbors, MPI_Comm comm)
{
  (void)neighbors, (void)comm;
  return false;
}
#else

static bool make_room(struct neighbors *neighbors, int in, int out)
{
  neighbors->sources = calloc((size_t)in + 1, sizeof *neighbors->sources);
  neighbors->destinations = calloc((size_t)out + 1, sizeof *neighbors->destinations);
  neighbors->in = in;
  neighbors->out = out;
  return neighbors->sources && neighbors->destinations;
}

static bool ask_grid(struct neighbors *neighbors, MPI_Comm comm)
{
  int dims = 0;
  if (PMPI_Cartdim_get(comm, &dims) != MPI_SUCCESS || dims < 0 || !make_room(neighbors, 2 * dims, 2 * dims))
    return false;
  for (int d = 0; d < dims; d++) {
    int *pair = &neighbors->sources[2 * d];
    if (PMPI_Cart_shift(comm, d, 1, &pair[0], &pair[1]) != MPI_SUCCESS)
      return false;
    neighbors->destinations[2 * d] = pair[0];
    neighbors->destinations[2 * d + 1] = pair[1];
  }
  return true;
}

static bool ask_graph(struct neighbors *neighbors, MPI_Comm comm)
{
  int rank, count = 0;
  neighbors->graph = true;
  if (PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || PMPI_Graph_neighbors_count(comm, rank, &count) != MPI_SUCCESS ||
      !make_room(neighbors, count, count))
    return false;
  return PMPI_Graph_neighbors(comm, rank, count, neighbors->sources) == MPI_SUCCESS &&
         PMPI_Graph_neighbors(comm, rank, count, neighbors->destinations) == MPI_SUCCESS;
}

static bool ask_distributed(struct neighbors *neighbors, MPI_Comm comm)
{
  int in = 0, out = 0, weighted;
  neighbors->graph = true;
  if (PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted) != MPI_SUCCESS || !make_room(neighbors, in, out))
    return false;
  int *weights = calloc((size_t)in + (size_t)out + 1, sizeof *weights);
  const bool good = weights && PMPI_Dist_graph_neighbors(comm, in, neighbors->sources, weights, out,
                                                         neighbors->destinations, weights + in) == MPI_SUCCESS;
  free(weights);
  return good;
}

static bool ask(struct neighbors *neighbors, MPI_Comm comm)
{
  int kind = MPI_UNDEFINED;
  if (PMPI_Topo_test(comm, &kind) != MPI_SUCCESS)
    return false;
  return kind == MPI_CART         ? ask_grid(neighbors, comm)
         : kind == MPI_GRAPH      ? ask_graph(neighbors, comm)
         : kind == MPI_DIST_GRAPH ? ask_distributed(neighbors, comm)
                                  : false;
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
  *neighbors = (struct neighbors){.in = 0};
}
