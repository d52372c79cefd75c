/* Communicators of a context pool: who is in them, that they do not disturb each other, their ids, and their maps. */
#include "bed.h"

void meet(struct bed *bed, tutti_comm *comm)
{
  tutti_method barrier = method_of(bed, "barrier/bruck");
  must(bed, tutti_barrier(&barrier, tutti_comm_view(comm), &bed->error));
}

void expect_members(struct bed *bed, tutti_comm *comm, const struct expected *expected, const char *what)
{
  check(&bed->checks, (comm != NULL) == (expected->rank >= 0), "process %d: %s: %s communicator", bed->rank, what,
        comm ? "a" : "no");
  if (!comm || expected->rank < 0)
    return;
  const tutti_view *view = tutti_comm_view(comm);
  check(&bed->checks, view->size == expected->size && view->rank == expected->rank,
        "process %d: %s: rank %d of %d, not %d of %d", bed->rank, what, view->rank, view->size, expected->rank,
        expected->size);
  int wrong = 0;
  for (int r = 0; r < view->size && view->size == expected->size; r++)
    wrong +=
        tutti_view_base_rank(view, r) != expected->members[r] || tutti_view_rank_of(view, expected->members[r]) != r;
  check(&bed->checks, wrong == 0, "process %d: %s: %d members in wrong places", bed->rank, what, wrong);
}

struct expected members_of(tutti_comm *comm)
{
  const tutti_view *view = tutti_comm_view(comm);
  struct expected members = {malloc((size_t)view->size * sizeof(int)), view->size, view->rank};
  for (int r = 0; r < view->size; r++)
    members.members[r] = tutti_view_base_rank(view, r);
  return members;
}

struct expected draw_group(struct bed *bed, int parent, int rank, int size)
{
  struct expected group = {malloc((size_t)parent * sizeof(int)), size, -1};
  for (int i = 0; i < parent; i++)
    group.members[i] = i;
  for (int i = 0; i < size; i++) {
    int other = i + (int)random_below(&bed->seed, (uint64_t)(parent - i)), member = group.members[other];
    group.members[other] = group.members[i];
    group.members[i] = member;
    if (member == rank)
      group.rank = i;
  }
  return group;
}

/* From so many processes on 4,100 contexts are all that is tested. */
enum { MANY = 200 };

static void test_all(struct bed *bed, tutti_sharing sharing, tutti_map_strategy strategy)
{
  tutti_context_pool_options options = {.sharing = sharing, .strategy = strategy};
  bed->seed = (uint64_t)sharing + 1;
  bed->sharing = sharing;
  must(bed, tutti_context_pool_open(MPI_COMM_WORLD, &options, &bed->contexts, &bed->error));
  bed->world = tutti_context_pool_world(bed->contexts);
  if (bed->size >= MANY) {
    test_contexts(bed);
  } else {
    test_splits(bed);
    test_creations(bed);
    test_outstanding(bed);
    test_ranges(bed);
    test_relations(bed);
    test_permutations(bed);
    test_sharing(bed);
    test_ids(bed);
  }
  meet(bed, bed->world);
  must(bed, tutti_context_pool_close(bed->contexts, &bed->error));
}

int main(int argc, char **argv)
{
  tutti_view world;
  check_begin(&argc, &argv, &world);
  struct bed *bed = calloc(1, sizeof *bed); /* too large for the stack of a simulated rank */
  if (!bed)
    MPI_Abort(MPI_COMM_WORLD, 1);
  bed->size = world.size;
  bed->rank = world.rank;
  test_all(bed, TUTTI_SHARE_NOTHING, TUTTI_MAP_LEAST_TIME);
  test_all(bed, TUTTI_SHARE_NODE, TUTTI_MAP_HYBRID);
#ifdef SMPI_HELPERS_H
  test_all(bed, TUTTI_SHARE_WORLD, TUTTI_MAP_LEAST_SPACE);
#else
  tutti_context_pool_options options = {.sharing = TUTTI_SHARE_WORLD};
  check(&bed->checks,
        tutti_context_pool_open(MPI_COMM_WORLD, &options, &bed->contexts, &bed->error) == TUTTI_ERR_UNSUPPORTED,
        "process %d: one map for processes without common memory", bed->rank);
#endif
  struct checks checks = bed->checks;
  free(bed);
  return check_end(&checks);
}
