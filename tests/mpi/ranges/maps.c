/* Views of maps in several representations, of all processes and of a range of them, and ranges of such views. */
#include "ranges.h"
#include "tutti/communicator.h"
#include "unit/base/random.h"

enum { MOST = 64 };

/* A random set of members of a world, in random order or ascending; everybody draws the same. */
static int draw(int *members, int world, bool ordered, uint64_t seed)
{
  uint64_t state = seed;
  int size = 0;
  for (int m = 0; m < world; m++)
    if (random_below(&state, 3) > 0)
      members[size++] = m;
  if (size == 0)
    members[size++] = world - 1;
  for (int i = size - 1; i > 0 && !ordered; i--) {
    int j = (int)random_below(&state, (uint64_t)i + 1), other = members[j];
    members[j] = members[i];
    members[i] = other;
  }
  return size;
}

/* A union of ranges, not worth while for fewer members: all but the first ones and, if they are many, one. */
static int draw_ranges(int *members, int world)
{
  int size = 0;
  for (int m = world / 4; m < world; m++)
    if (world < 16 || m != world / 2)
      members[size++] = m;
  return size;
}

/* The range of every other rank backwards. */
static void check_part(struct checks *checks, const struct subject *whole, tutti_error *error)
{
  struct subject part = {.name = "range of a map", .world = whole->world};
  int members[MOST], size = 0, last = whole->view.size - 1;
  tutti_status status = tutti_view_range(&whole->view, last, 0, -2, &part.view, error);
  check(checks, status == TUTTI_OK, "no range of the view of a map: %s", error->message);
  for (int r = last; r >= 0; r -= 2)
    members[size++] = whole->members[r];
  part.members = members;
  if (status == TUTTI_OK && part.view.size == size)
    check_subject(checks, &part);
  else
    check(checks, false, "a range of the view of a map has %d ranks, not %d", part.view.size, size);
}

static void check_view_of(struct checks *checks, const tutti_view *parent, const tutti_map *map, const int *members,
                          int world, tutti_error *error)
{
  struct subject subject = {.name = tutti_map_kind_name(tutti_map_kind_of(map)), .members = members, .world = world};
  tutti_lookup lookup = tutti_map_lookup(map);
  tutti_status status = tutti_view_mapped(parent, &lookup, &subject.view, error);
  check(checks, status == TUTTI_OK, "no view of a map: %s", error->message);
  if (status != TUTTI_OK)
    return;
  check_subject(checks, &subject);
  check_part(checks, &subject, error);
  check(checks, tutti_view_mapped(&subject.view, &lookup, &subject.view, error) == TUTTI_ERR_UNSUPPORTED,
        "a map of a map was taken");
}

static void check_kind(struct checks *checks, const tutti_view *world, const tutti_view *parent, tutti_map_kind kind)
{
  int members[MOST] = {0};
  bool ordered = kind != TUTTI_MAP_ARRAY && kind != TUTTI_MAP_PERMUTED && kind != TUTTI_MAP_BWT;
  int size = kind == TUTTI_MAP_RANGES
                 ? draw_ranges(members, parent->size)
                 : draw(members, parent->size, ordered, (uint64_t)kind + 100 * (uint64_t)parent->size);
  tutti_map *map;
  tutti_error error = {.message = ""};
  if (kind == TUTTI_MAP_COMPLEMENT && members[size - 1] - members[0] == size - 1)
    return; /* no gaps, of which it would be made */
  tutti_status status = tutti_map_create(kind, members, size, parent->size, NULL, &map, &error);
  check(checks, status == TUTTI_OK, "no map as %s: %s", tutti_map_kind_name(kind), error.message);
  if (status != TUTTI_OK)
    return;
  for (int r = 0; r < size; r++) /* from the parent to the world */
    members[r] = tutti_view_base_rank(parent, members[r]);
  check_view_of(checks, parent, map, members, world->size, &error);
  tutti_map_free(map);
}

/* Two maps of the same size, in which process 0 has the same rank: what is kept ready for one is not run on the other.
 */
static void check_two(struct checks *checks, const tutti_view *world)
{
  enum { SIZE = 4 };
  const int members[2][SIZE] = {{0, 1, 2, 3}, {0, 1, 3, 2}};
  tutti_map *maps[2] = {NULL, NULL};
  tutti_lookup lookups[2];
  tutti_view view;
  int gathered[SIZE];
  tutti_error error = {.message = ""};
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_GATHER, "linear"));
  for (int turn = 0; turn < 4 && world->size >= SIZE; turn++) {
    int m = turn % 2;
    tutti_status status = TUTTI_OK;
    if (turn < 2)
      status = tutti_map_create(TUTTI_MAP_ARRAY, members[m], SIZE, SIZE, NULL, &maps[m], &error);
    lookups[m] = tutti_map_lookup(maps[m]);
    if (status == TUTTI_OK)
      status = tutti_view_mapped(world, &lookups[m], &view, &error);
    if (view.rank >= 0)
      status = tutti_gather(&method, &world->rank, 1, MPI_INT, gathered, 1, MPI_INT, 0, &view, &error);
    for (int r = 0; r < SIZE && view.rank == 0; r++)
      check(checks, status == TUTTI_OK && gathered[r] == members[m][r], "turn %d: rank %d of a map is %d: %s", turn, r,
            gathered[r], error.message);
  }
  tutti_map_free(maps[0]);
  tutti_map_free(maps[1]);
}

static void check_misfit(struct checks *checks, const tutti_view *world)
{
  const int members[1] = {0};
  tutti_view view;
  tutti_map *map;
  tutti_error error = {.message = ""};
  if (tutti_map_create(TUTTI_MAP_ARRAY, members, 1, world->size + 1, NULL, &map, &error) != TUTTI_OK) {
    check(checks, false, "%s", error.message);
    return;
  }
  tutti_lookup lookup = tutti_map_lookup(map);
  check(checks, tutti_view_mapped(world, &lookup, &view, &error) == TUTTI_ERR_ARGUMENT,
        "a map of a larger world was taken");
  tutti_map_free(map);
}

void check_maps(struct checks *checks, const tutti_view *world)
{
  tutti_view backwards;
  tutti_error error;
  for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++)
    if (kind != TUTTI_MAP_RANGE) /* a random set is none */
      check_kind(checks, world, world, (tutti_map_kind)kind);
  tutti_view_range(world, world->size - 1, 0, -2, &backwards, &error);
  check_kind(checks, world, &backwards, TUTTI_MAP_ARRAY);
  check_kind(checks, world, &backwards, TUTTI_MAP_ELIAS_FANO);
  check_two(checks, world);
  check_misfit(checks, world);
}
