#include "ranges.h"
#include "tutti/communicator.h"
#include "unit/base/random.h"

enum { PAIRS = 20000, REACH = 400 };

static int counted(const tutti_view *left, const tutti_view *right)
{
  int found = 0;
  for (int l = 0; l < left->size; l++)
    for (int r = 0; r < right->size; r++)
      found += tutti_view_base_rank(left, l) == tutti_view_base_rank(right, r);
  return found < 2 ? found : 2;
}

static tutti_view draw(uint64_t *state, int reach)
{
  tutti_view whole = {.size = reach, .rank = -1, .stride = 1}, range;
  tutti_error error;
  int first = (int)random_below(state, (uint64_t)reach), last = (int)random_below(state, (uint64_t)reach);
  int stride = 1 + (int)random_below(state, (uint64_t)reach / 8 + 1);
  tutti_view_range(&whole, first, last, last < first ? -stride : stride, &range, &error);
  return range;
}

static void check_pair(struct checks *checks, const tutti_view *left, const tutti_view *right)
{
  int overlap = tutti_view_overlap(left, right), right_one = counted(left, right);
  check(checks, overlap == right_one, "%d of %d:%d and %d of %d:%d share %d processes, not %d", left->size, left->first,
        left->stride, right->size, right->first, right->stride, overlap, right_one);
}

/* Ranges of all kinds, from small ones, most of which meet at one process or none, to large ones. */
static void check_ranges(struct checks *checks)
{
  uint64_t state = 7;
  int seen[3] = {0};
  for (int i = 0; i < PAIRS; i++) {
    int reach = i % 2 ? 16 : REACH;
    tutti_view left = draw(&state, reach), right = draw(&state, reach);
    seen[counted(&left, &right)]++;
    check_pair(checks, &left, &right);
  }
  check(checks, seen[0] > PAIRS / 20 && seen[1] > PAIRS / 20 && seen[2] > PAIRS / 20,
        "pairs with %d, %d and %d of a kind prove little", seen[0], seen[1], seen[2]);
}

/* Numbers whose products need 64 bits. */
static void check_far(struct checks *checks)
{
  tutti_view left = {.size = 3, .first = 5, .stride = 1000000007},
             right = {.size = 2, .first = 2000000019, .stride = -2};
  check(checks, tutti_view_overlap(&left, &right) == 1, "ranges far away share %d processes, not one",
        tutti_view_overlap(&left, &right));
}

static void check_mapped(struct checks *checks)
{
  const int members[] = {9, 3, 14, 0, 7, 12, 1};
  tutti_map *map;
  tutti_error error = {.message = ""};
  uint64_t state = 11;
  tutti_view whole = {.size = 16, .rank = -1, .stride = 1}, mapped;
  tutti_status status = tutti_map_create(TUTTI_MAP_ARRAY, members, 7, 16, NULL, &map, &error);
  check(checks, status == TUTTI_OK, "%s", error.message);
  if (status != TUTTI_OK)
    return;
  tutti_lookup lookup = tutti_map_lookup(map);
  tutti_view_mapped(&whole, &lookup, &mapped, &error);
  for (int i = 0; i < 200; i++) {
    tutti_view part, range = draw(&state, 16);
    int last = (int)random_below(&state, 7);
    tutti_view_range(&mapped, last, 0, -1 - i % 3, &part, &error);
    check_pair(checks, &part, &range);
    check_pair(checks, &range, &part);
    check_pair(checks, &part, &mapped);
  }
  tutti_map_free(map);
}

void check_overlaps(struct checks *checks, const tutti_view *world)
{
  if (world->rank != 0)
    return;
  check_ranges(checks);
  check_far(checks);
  check_mapped(checks);
}
