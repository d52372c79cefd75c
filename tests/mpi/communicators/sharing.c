/* Who has which map. */
#include "bed.h"

/* Processes that count the bytes of the map, and handles of different maps, of a communicator. On real MPI each process
   has a handle, and the one that made the segment counts its pages. */
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
#ifdef SMPI_HELPERS_H
    *makers += all[r].bytes > tutti_comm_bytes(bed->world);
#else
    *makers += all[r].bytes >= least + 4096 || bed->sharing == TUTTI_SHARE_NOTHING || view->size == 1;
#endif
  }
  free(all);
}

/* Hosts that a communicator is on: in simulation run.sh puts so many ranks on each, else there is one. */
static int count_hosts(const tutti_view *view)
{
  const char *text = getenv("TUTTI_TEST_RANKS_PER_HOST");
#ifdef SMPI_HELPERS_H
  int per_host = text ? atoi(text) : 1;
#else
  int per_host = text ? atoi(text) : 1 << 30;
#endif
  int hosts = 0;
  for (int r = 0; r < view->size; r++) {
    bool seen = false;
    for (int other = 0; other < r && !seen; other++)
      seen = tutti_view_base_rank(view, other) / per_host == tutti_view_base_rank(view, r) / per_host;
    hosts += !seen;
  }
  return hosts;
}

static int count_expected(const struct bed *bed, const tutti_view *view)
{
  switch (bed->sharing) {
  case TUTTI_SHARE_NOTHING:
    return view->size;
  case TUTTI_SHARE_NODE:
    return count_hosts(view);
  default:
    return 1;
  }
}

/* Processes of different address spaces have different handles of one map. */
static void expect_maps(struct bed *bed, tutti_comm *comm, const char *what)
{
  int makers, maps;
  count_maps(bed, comm, &makers, &maps);
  const tutti_view *view = tutti_comm_view(comm);
  int expected = count_expected(bed, view);
  if (view->rank != 0)
    return;
#ifdef SMPI_HELPERS_H
  check(&bed->checks, maps == expected, "%s: %d maps for %d processes, not %d", what, maps, view->size, expected);
#endif
  check(&bed->checks, makers == expected, "%s: %d processes count the bytes of %d maps", what, makers, expected);
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
