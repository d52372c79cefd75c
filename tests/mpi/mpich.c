/* What MPICH does to make groups, on our schedules: the members of a split are those that colors and keys say, on all
   processes and on parts of them at the same time; in simulation also where the processes share their tables. */
#include "groups/mpich.h"
#include "check.h"
#include "unit/base/random.h"

enum { CASES = 12 };

/* What rank `rank` of the part says in a case. */
struct said {
  int color, key;
};

static struct said say(int number, int part, int rank)
{
  uint64_t random = (uint64_t)number * 1000003 + (uint64_t)part * 7919 + (uint64_t)rank;
  struct said said = {(int)random_below(&random, (uint64_t)number + 1), (int)random_below(&random, 5) - 2};
  if (number % 4 == 3 && said.color == 1)
    said.color = MPI_UNDEFINED;
  return said;
}

static bool is_before(struct said left, int left_rank, struct said right, int right_rank)
{
  return left.key != right.key ? left.key < right.key : left_rank < right_rank;
}

/* The size of the own group and the place of `rank` in the group of its color. */
static int place_of(int number, int part, int size, int rank, int *members)
{
  struct said own = say(number, part, rank);
  int place = 0;
  *members = 0;
  for (int r = 0; r < size; r++) {
    struct said other = say(number, part, r);
    *members += other.color == own.color;
    place += other.color == own.color && is_before(other, r, own, rank);
  }
  return place;
}

static bool is_listed(const struct mpich_group *group, int number, int part, int size)
{
  for (int i = 0; group->members && i < group->size; i++) {
    int ignored;
    if (say(number, part, group->members[i]).color == MPI_UNDEFINED ||
        place_of(number, part, size, group->members[i], &ignored) != i)
      return false;
  }
  return true;
}

static void split(struct checks *checks, const tutti_view *view, int number, int part)
{
  const struct mpich_cost cost = {1e-9, 1e-9};
  const tutti_method allgather = tutti_mpich_allgather(view->size, false);
  struct said own = say(number, part, view->rank);
  struct mpich_group group = {.size = -1};
  tutti_error error = {.message = ""};
  int members, place = place_of(number, part, view->size, view->rank, &members);
  tutti_status status = tutti_mpich_split_group(&cost, &allgather, view, own.color, own.key, &group, &error);
  bool none = own.color == MPI_UNDEFINED;
  check(checks,
        status == TUTTI_OK && group.size == (none ? 0 : members) && group.rank == (none ? -1 : place) &&
            is_listed(&group, number, part, view->size),
        "split %d of %d: rank %d is number %d of %d, not %d of %d %s", number, view->size, view->rank, group.rank,
        group.size, place, members, error.message);
  free(group.members);
  check(checks, tutti_mpich_split(&cost, view, own.color, own.key, &error) == TUTTI_OK, "%s", error.message);
  check(checks, tutti_mpich_create_group(&cost, view, &error) == TUTTI_OK, "%s", error.message);
}

/* Everybody; and two parts of different sizes at the same time, the second from its end on. */
static void test(struct checks *checks, const tutti_view *world, int number)
{
  tutti_error error;
  tutti_view part;
  int middle = world->size / 2;
  split(checks, world, number, 0);
  if (world->size < 2)
    return;
  bool left = world->rank < middle;
  tutti_status status = left ? tutti_view_range(world, 0, middle - 1, 1, &part, &error)
                             : tutti_view_range(world, world->size - 1, middle, -1, &part, &error);
  if (status == TUTTI_OK)
    split(checks, &part, number, left ? 1 : 2);
  check(checks, status == TUTTI_OK, "%s", error.message);
}

/* MPICH's own thresholds. */
static void methods(struct checks *checks)
{
  static const struct {
    int size;
    bool simulated;
    const char *name;
  } picks[] = {{8, false, "recursive-doubling"}, {12, false, "bruck"},   {10239, false, "bruck"},
               {10241, false, "ring"},           {10241, true, "bruck"}, {32768, false, "recursive-doubling"},
               {65536, false, "ring"},           {65536, true, "bruck"}};
  for (size_t i = 0; i < sizeof picks / sizeof *picks; i++) {
    const tutti_method method = tutti_mpich_allgather(picks[i].size, picks[i].simulated);
    check(checks, strcmp(method.algorithm->name, picks[i].name) == 0, "the allgather of %d ranks is %s", picks[i].size,
          method.algorithm->name);
  }
}

int main(int argc, char **argv)
{
  struct checks checks = {0, 0};
  tutti_view world;
  check_begin(&argc, &argv, &world);
  methods(&checks);
  for (int number = 0; number < CASES; number++)
    test(&checks, &world, number);
  return check_end(&checks);
}
