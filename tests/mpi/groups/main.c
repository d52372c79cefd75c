/* Groups as objects: every builder splits random member sets off all processes and off groups, also many at once, which
   each process completes in an order of its own; again on a range that runs backwards. What stands is gathered and
   validated; collectives, look-ups and messages are checked against formulas. */
#include "bed.h"

static void set_up(struct bed *bed, const tutti_view *view, int tag)
{
  tutti_error error = {.message = ""};
  tutti_split how = {.builder = tutti_group_builder_at(0), .branching = 4};
  bed->view = *view;
  bed->seed = 2012;
  bed->own = 4711 + (uint64_t)bed->view.rank;
  MPI_Comm_split(MPI_COMM_WORLD, view->rank < 0 ? MPI_UNDEFINED : 0, view->rank, &bed->comm);
  if (view->rank < 0)
    return;
  must(bed, tutti_view_tags(&bed->view, tag, 500, &error), "tags", &error);
  must(bed, tutti_endpoint_open(&bed->view, &bed->endpoint, &error), "open", &error);
  must(bed, tutti_group_split(bed->endpoint, NULL, &how, 0, &bed->all, &error), "all", &error);
}

static void tear_down(struct bed *bed)
{
  tutti_error error = {.message = ""};
  must(bed, tutti_group_barrier(bed->all, &error), "the last barrier", &error);
  must(bed, tutti_group_free(bed->all, &error), "free", &error);
  must(bed, tutti_endpoint_close(bed->endpoint, &error), "close", &error);
  MPI_Comm_free(&bed->comm);
}

/* Every other process, from the last one backwards. */
static void split_backwards(struct bed *bed, const tutti_view *world)
{
  tutti_error error = {.message = ""};
  tutti_view view;
  int last = world->size - 1;
  must(bed, tutti_view_range(world, last, last % 2, -2, &view, &error), "range", &error);
  set_up(bed, &view, 2000);
  if (view.rank < 0)
    return;
  split_all(bed, 4);
  tear_down(bed);
}

int main(int argc, char **argv)
{
  struct bed bed = {.trial = 0};
  tutti_view world;
  check_begin(&argc, &argv, &world);
  set_up(&bed, &world, 0);
  split_all(&bed, 12);
  misuse_groups(&bed);
  tear_down(&bed);
  split_backwards(&bed, &world);
  return check_end(&bed.checks);
}
