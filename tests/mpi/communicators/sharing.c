/* Who has which map. */
#include "bed.h"

/* Processes that made the map, and handles of different maps, of a communicator of @p comm. */
static void count_maps(struct bed *bed, tutti_comm *comm, int *makers, int *maps)
{
  tutti_method gather = method_of(bed, "gather/binomial");
  tutti_view *view = tutti_comm_view(comm);
  struct {
    uint64_t map, bytes;
  } mine = {(uint64_t)(uintptr_t)tutti_comm_map(comm), tutti_comm_bytes(comm)}, *all;
  uint64_t least = UINT64_MAX;
  all = malloc((size_t)view->size * sizeof *all);
  must(bed, tutti_gather(&gather, &mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, view, &bed->error));
  *makers = *maps = 0;
  for (int r = 0; r < view->size && view->rank == 0; r++)
    least = all[r].bytes < least ? all[r].bytes : least;
  for (int r = 0; r < view->size && view->rank == 0; r++) {
    bool seen = false;
    for (int other = 0; other < r && !seen; other++)
      seen = all[other].map == all[r].map;
    *maps += !seen;
    *makers += all[r].bytes > least;
  }
  free(all);
}

static void expect_one_map(struct bed *bed, tutti_comm *comm, const char *what)
{
  int makers, maps;
  count_maps(bed, comm, &makers, &maps);
  tutti_view *view = tutti_comm_view(comm);
  if (view->rank == 0 && view->size > 1)
    check(&bed->checks, makers == 1 && maps == 1, "%s: %d maps of %d processes among %d", what, maps, makers,
          view->size);
}

/* All in the world, one a process, or in between; a broadcast by the node would be right with any. */
static void expect_maps(struct bed *bed, tutti_comm *comm, const char *what)
{
  if (bed->sharing == TUTTI_SHARE_WORLD)
    expect_one_map(bed, comm, what);
#ifdef SMPI_HELPERS_H
  int makers, maps;
  count_maps(bed, comm, &makers, &maps);
  tutti_view *view = tutti_comm_view(comm);
  if (bed->sharing == TUTTI_SHARE_NOTHING && view->rank == 0)
    check(&bed->checks, maps == view->size, "%s: %d maps for %d processes that share none", what, maps, view->size);
#endif
}

void test_sharing(struct bed *bed)
{
  tutti_comm *turned, *half, *copy;
  must(bed, tutti_comm_split(bed->world, 0, -bed->rank, &turned, &bed->error));
  must(bed, tutti_comm_split(turned, bed->rank % 2, 0, &half, &bed->error));
  must(bed, tutti_comm_create(bed->world, tutti_comm_map(turned), &copy, &bed->error));
  expect_maps(bed, turned, "split");
  expect_maps(bed, half, "split of a split");
  expect_maps(bed, copy, "creation");
  must(bed, tutti_comm_free(&turned, &bed->error));
  use_all(bed, &half, 1);
  must(bed, tutti_comm_free(&copy, &bed->error));
  must(bed, tutti_comm_free(&half, &bed->error));
}
