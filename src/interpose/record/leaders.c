#include "interpose/record/leaders.h"

#include <stdlib.h>

#include "base/machine.h"
#include "tutti/view.h"

int *tutti_find_leaders(MPI_Comm comm, int size)
{
  int leader, *leaders = malloc((size_t)size * sizeof *leaders);
  int known = tutti_node_leader(comm, &leader) == MPI_SUCCESS && leaders;
  PMPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_INT, MPI_MIN, comm);
  if (known)
    PMPI_Allgather(&leader, 1, MPI_INT, leaders, 1, MPI_INT, comm);
  else {
    free(leaders);
    leaders = NULL;
  }
  return leaders;
}

int tutti_ranks_per_node(const int *leaders, int size)
{
  int most = 1, *counts = leaders ? calloc((size_t)size, sizeof *counts) : NULL;
  for (int r = 0; counts && r < size; r++)
    most = ++counts[leaders[r]] > most ? counts[leaders[r]] : most;
  free(counts);
  return most;
}
