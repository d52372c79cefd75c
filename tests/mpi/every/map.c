/* The view is one of a communicator with the processes in another order, and has a map that puts them in order again.
 */
#include "ranks.h"

static int member_of(const void *map, int rank)
{
  return ((const int *)map)[rank];
}

static int rank_of(const void *map, int member)
{
  const int *members = map;
  int rank = 0;
  while (members[rank] != member)
    rank++;
  return rank;
}

struct ranks ranks_in_order(struct checks *checks, const tutti_view *world)
{
  MPI_Comm comm;
  tutti_error error = {.message = ""};
  struct ranks ranks = {.lookup = malloc(sizeof *ranks.lookup), .members = malloc((size_t)world->size * sizeof(int))};
  int shuffled;
  MPI_Comm_split(MPI_COMM_WORLD, 0, (world->rank * 5 + 3) % 7, &comm);
  MPI_Comm_rank(comm, &shuffled);
  MPI_Allgather(&shuffled, 1, MPI_INT, ranks.members, 1, MPI_INT, MPI_COMM_WORLD);
  *ranks.lookup = (tutti_lookup){ranks.members, world->size, world->size, member_of, rank_of};
  tutti_status status = tutti_view_of(comm, &ranks.view, &error);
  if (status == TUTTI_OK)
    status = tutti_view_mapped(&ranks.view, ranks.lookup, &ranks.view, &error);
  check(checks, status == TUTTI_OK && ranks.view.rank == world->rank, "rank %d of the map is %d in the world: %s",
        ranks.view.rank, world->rank, error.message);
  return ranks;
}

void ranks_free(struct ranks *ranks)
{
  MPI_Comm_free(&ranks->view.comm);
  free(ranks->members);
  free(ranks->lookup);
}
