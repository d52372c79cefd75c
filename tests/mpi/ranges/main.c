/* Range communicators: all that table I of Axtmann, Wiebigke and Sanders (2018) lists, on ranges of either sign, ranges
   of ranges, views of maps and ranges of these. */
#include "ranges.h"

void check_ranks(struct checks *checks, const struct subject *s)
{
  int own = -1, base;
  MPI_Comm_rank(s->view.comm, &base);
  int *ranks = malloc((size_t)s->world * sizeof *ranks);
  for (int b = 0; b < s->world; b++)
    ranks[b] = -1;
  for (int r = 0; r < s->view.size; r++) {
    ranks[s->members[r]] = r;
    own = s->members[r] == base ? r : own;
    check(checks, tutti_view_base_rank(&s->view, r) == s->members[r], "%s: rank %d is %d, not %d", s->name, r,
          tutti_view_base_rank(&s->view, r), s->members[r]);
  }
  check(checks, s->view.rank == own, "%s: process %d takes itself for rank %d, not %d", s->name, base, s->view.rank,
        own);
  for (int b = 0; b < s->world; b++)
    check(checks, tutti_view_rank_of(&s->view, b) == ranks[b], "%s: process %d has rank %d, not %d", s->name, b,
          tutti_view_rank_of(&s->view, b), ranks[b]);
  free(ranks);
}

/* The range of `parent`, whose members are given or NULL: the processes in order. */
static void check_range(struct checks *checks, const tutti_view *world, int first, int last, int stride)
{
  struct subject subject = {.name = "range", .world = world->size};
  tutti_error error;
  int members[64];
  if (tutti_view_range(world, first, last, stride, &subject.view, &error) != TUTTI_OK) {
    check(checks, false, "range %d..%d:%d: %s", first, last, stride, error.message);
    return;
  }
  for (int r = 0, rank = first; r < subject.view.size; r++, rank += stride)
    members[r] = rank;
  subject.members = members;
  check_subject(checks, &subject);
}

static void check_nested(struct checks *checks, const tutti_view *world)
{
  struct subject outer = {.name = "backwards", .world = world->size}, inner = {.name = "nested", .world = world->size};
  tutti_error error;
  int members[64], last = world->size - 1, size = 0;
  tutti_view_range(world, last, 0, -1, &outer.view, &error);
  tutti_status status = tutti_view_range(&outer.view, last, last / 3, -2, &inner.view, &error);
  check(checks, status == TUTTI_OK, "no range of a range: %s", error.message);
  for (int r = last; r >= last / 3; r -= 2)
    members[size++] = last - r;
  check(checks, inner.view.size == size, "a range of a range has %d ranks, not %d", inner.view.size, size);
  inner.members = members;
  if (inner.view.size == size)
    check_subject(checks, &inner);
}

static void check_ranges(struct checks *checks, const tutti_view *world)
{
  int last = world->size - 1;
  check_range(checks, world, 0, last, 1);
  check_range(checks, world, last, 0, -1);
  check_range(checks, world, last / 2, last, 1);
  check_range(checks, world, 0, last / 2, 1);
  check_range(checks, world, last, last, 1);
  check_range(checks, world, 0, last, 2);
  check_range(checks, world, last, 0, -3);
  check_nested(checks, world);
}

int main(int argc, char **argv)
{
  struct checks checks = {0, 0};
  tutti_progress progress;
  tutti_view world;
  check_begin(&argc, &argv, &world);
  tutti_progress_init(&progress);
  world.progress = &progress;
  check_ranges(&checks, &world);
  check_maps(&checks, &world);
  check_meetings(&checks, &world);
  check_overlaps(&checks, &world);
  check_refusals(&checks, &world);
  check(&checks, progress.active == 0 && !progress.sought && !progress.requests_of_user,
        "something is under way still");
  tutti_progress_free(&progress);
  return check_end(&checks);
}
