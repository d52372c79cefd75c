#include "groups/maps/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/splitmix64.h"
#include "base/words.h"
#include "groups/maps/group_shapes.h"

static uint64_t below(uint64_t *state, uint64_t bound)
{
  return tutti_splitmix64_next(state) % bound;
}

enum { MILLION = 1000000, TABLES_WORLD = 1 << 20 };

/* ---- ordered groups: who is a member ---- */

static bool is_one_removed(int m)
{
  return m < MILLION && m != 271828;
}

static bool is_in_ranges(int m)
{
  return m < MILLION && m % 100 < 50;
}

static bool is_odd_or_low(int m)
{
  return m < MILLION && (m % 2 == 1 || m < 500000);
}

static bool is_no_prime(int m)
{
  for (int d = 2; m >= 500000 && m < MILLION && d * d <= m; d++)
    if (m % d == 0)
      return true;
  return false;
}

static bool is_in_subgrid(int m)
{
  return m < MILLION && m / 10000 % 10 == 9 && m / 100 % 10 == 9;
}

static bool is_contiguous(int m)
{
  return m >= 600000 && m < 610000;
}

static bool is_in_stride(int m)
{
  return m >= 600000 && m < 620000 && m % 2 == 0 && m != 600000 + 2 * 8849;
}

/* A mesh of 2^7 x 2^7 x 2^6 nodes, X in the low bits of the rank, then Z, then Y: the plane of one Z. */
static bool is_in_sub_mesh(int m)
{
  return (m >> 7) % (1 << 7) == 85;
}

static bool is_anybody(int m)
{
  return m < MILLION;
}

static bool is_low_half(int m)
{
  return m < 500000;
}

static bool is_low(int m)
{
  return m < 10000;
}

/* ---- unordered ones: what is done to the order ---- */

static void exchange(int *members, int i, int j)
{
  int member = members[i];
  members[i] = members[j];
  members[j] = member;
}

static void exchange_50(int *members, int size)
{
  uint64_t seed = 50;
  for (int i = 0; i < 50; i++)
    exchange(members, (int)below(&seed, (uint64_t)size), (int)below(&seed, (uint64_t)size));
}

static void shuffle(int *members, int size)
{
  uint64_t seed = 1;
  for (int i = size - 1; i > 0; i--)
    exchange(members, i, (int)below(&seed, (uint64_t)i + 1));
}

/* 50 blocks of 10,000: the published size is that of so many, not of 10,000 blocks. */
static void shuffle_blocks(int *members, int size)
{
  uint64_t seed = 2;
  int length = 10000, blocks = size / length;
  for (int b = blocks - 1; b > 0; b--) {
    int other = (int)below(&seed, (uint64_t)b + 1);
    for (int i = 0; i < length; i++)
      exchange(members, b * length + i, other * length + i);
  }
}

static void reverse(int *members, int size)
{
  for (int i = 0; i < size / 2; i++)
    exchange(members, i, size - 1 - i);
}

/* 1,500 of a million (Knuth's algorithm S). */
static void thin_out(int *members, int size)
{
  uint64_t seed = 3;
  for (int m = 0, kept = 0; m < size && kept < 1500; m++)
    if (below(&seed, (uint64_t)(size - m)) < (uint64_t)(1500 - kept))
      members[kept++] = members[m];
}

/* ---- all of them ---- */

struct recipe {
  const char *name;
  bool (*is_member)(int m);
  void (*rearrange)(int *members, int size);
  int size; /* 0: of those that are members */
  enum shape shape;
  int world; /* 0: that of the tables, without a shape */
};

#define LISTED(name_, is_member_, rearrange_, size_)                                                                   \
  {                                                                                                                    \
    .name = (name_), .is_member = (is_member_), .rearrange = (rearrange_), .size = (size_)                             \
  }

/* The sets A, B and C: 110,000 processes, or those of the outer communicator. */
#define SHAPED(name_, shape_, size_, world_)                                                                           \
  {                                                                                                                    \
    .name = (name_), .size = (size_), .shape = (shape_), .world = (world_)                                             \
  }

static const struct recipe recipes[] = {
    LISTED("one-removed", is_one_removed, NULL, 0),
    LISTED("ranges", is_in_ranges, NULL, 0),
    LISTED("odd-or-low", is_odd_or_low, NULL, 0),
    LISTED("no-primes", is_no_prime, NULL, 0),
    LISTED("subgrid", is_in_subgrid, NULL, 0),
    LISTED("contiguous", is_contiguous, NULL, 0),
    LISTED("stride", is_in_stride, NULL, 0),
    LISTED("random", is_anybody, thin_out, 1500),
    LISTED("exchanged", is_one_removed, exchange_50, 0),
    LISTED("shuffled", is_anybody, shuffle, 0),
    LISTED("blocks", is_low_half, shuffle_blocks, 0),
    LISTED("decreasing", is_low, reverse, 0),
    LISTED("sub-mesh", is_in_sub_mesh, NULL, 0),
    SHAPED("A1", SHAPE_DECREASING, 10000, 110000),
    SHAPED("A2", SHAPE_DECREASING, 50000, 110000),
    SHAPED("A3", SHAPE_DECREASING, 100000, 110000),
    SHAPED("B1", SHAPE_TWO_RUNS, 100000, 110000),
    SHAPED("B2", SHAPE_HOLE, 100000, 110000),
    SHAPED("B3", SHAPE_RANGES, 100000, 110000),
    SHAPED("C1", SHAPE_RANGE_STRIDE, 10000, 20000),
    SHAPED("C2", SHAPE_RANGE_STRIDE, 10000, 50000),
    SHAPED("C3", SHAPE_RANGE_STRIDE, 10000, 100000),
};

enum { RECIPES = sizeof recipes / sizeof *recipes, OF_TABLES = 12 };

const char *tutti_ranked_group_of_tables(int index)
{
  return index >= 0 && index < OF_TABLES ? recipes[index].name : NULL;
}

static void list_shape(const struct recipe *recipe, struct ranked_group *group)
{
  for (int process = 0; process < recipe->world; process++) {
    int rank = tutti_shape_rank(recipe->shape, recipe->size, recipe->world, process);
    if (rank >= 0)
      group->members[rank] = process;
  }
  group->size = recipe->size;
}

static void follow(const struct recipe *recipe, struct ranked_group *group)
{
  int world = recipe->world ? recipe->world : TABLES_WORLD;
  *group = (struct ranked_group){
      .name = recipe->name, .world = world, .members = tutti_xcalloc((size_t)world, sizeof *group->members)};
  if (recipe->world) {
    list_shape(recipe, group);
    return;
  }
  for (int m = 0; m < world; m++)
    if (recipe->is_member(m))
      group->members[group->size++] = m;
  if (recipe->rearrange)
    recipe->rearrange(group->members, group->size);
  if (recipe->size > 0)
    group->size = recipe->size;
}

tutti_status tutti_ranked_group_make(const char *name, struct ranked_group *group, tutti_error *error)
{
  char known[256] = "", meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  for (int i = 0; i < RECIPES; i++) {
    if (strcmp(recipes[i].name, name) == 0) {
      follow(&recipes[i], group);
      return TUTTI_OK;
    }
    tutti_guess_try(&guess, recipes[i].name);
    strcat(strcat(known, i ? ", " : ""), recipes[i].name);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.80s'%s is none of the groups %s", name,
                    tutti_guess_text(&guess, meant), known);
}

/* ---- sizes and speeds of one representation of a group ---- */

enum { ROUNDS = 5, QUESTIONS = 20000, FEW_QUESTIONS = 50 };

static const double MAX_SECONDS = 0.05;

/* Ranks to ask for, drawn before the clock runs. */
static void draw(int *ranks, int count, int size)
{
  uint64_t state = 7;
  for (int i = 0; i < count; i++)
    ranks[i] = (int)(tutti_splitmix64_next(&state) % (uint64_t)size);
}

static double time_all(const tutti_map *map, int *members)
{
  double least = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    double begun = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
    tutti_map_select_all(map, 0, tutti_map_size(map), members);
    least = fmin(least, tutti_clock(CLOCK_PROCESS_CPUTIME_ID) - begun);
  }
  return least;
}

/* Each question depends on the answer before it, as a message waits for its address: members are not negative, so the
   sign adds 0. @p sum uses the answers, so that the compiler keeps the questions. */
static double time_questions(const tutti_map *map, int (*ask)(const tutti_map *, int), const int *questions, int count,
                             unsigned *sum)
{
  int answer = 0;
  double begun = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < count; i++) {
    answer = ask(map, questions[i] + (answer >> 31));
    *sum += (unsigned)answer;
  }
  return (tutti_clock(CLOCK_PROCESS_CPUTIME_ID) - begun) / count;
}

/* Slow representations are asked less often. */
static double time_one(const tutti_map *map, int (*ask)(const tutti_map *, int), const int *questions, unsigned *sum)
{
  double least = time_questions(map, ask, questions, FEW_QUESTIONS, sum);
  int count = (int)fmin(QUESTIONS, fmax(FEW_QUESTIONS, MAX_SECONDS / fmax(least, 1e-9)));
  for (int round = 0; round < ROUNDS; round++)
    least = fmin(round ? least : INFINITY, time_questions(map, ask, questions, count, sum));
  return least;
}

static void ask_all(const tutti_map *map, int *ranks, int *members, struct measured_rank_map *row)
{
  volatile unsigned kept;
  unsigned sum = 0;
  row->bytes = tutti_map_bytes(map);
  row->bits = 8.0 * (double)row->bytes / row->size;
  row->select_all = time_all(map, members);
  draw(ranks, QUESTIONS, tutti_map_size(map));
  row->select_one = time_one(map, tutti_map_select, ranks, &sum);
  for (int i = 0; i < QUESTIONS; i++)
    ranks[i] = members[ranks[i]];
  row->rank_one = time_one(map, tutti_map_rank, ranks, &sum);
  kept = sum;
  (void)kept;
}

static tutti_status measure(const struct ranked_group *group, tutti_map_kind kind, struct measured_rank_map *row,
                            tutti_error *error)
{
  tutti_map *map;
  tutti_error reason;
  *row = (struct measured_rank_map){.group = group->name, .kind = kind, .world = group->world, .size = group->size};
  double begun = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
  tutti_status status = tutti_map_create(kind, group->members, group->size, group->world, NULL, &map, &reason);
  row->create = tutti_clock(CLOCK_PROCESS_CPUTIME_ID) - begun;
  if (status != TUTTI_OK) {
    row->bits = row->create = row->select_all = row->select_one = row->rank_one = NAN;
    snprintf(row->reason, sizeof row->reason, "%.150s", reason.message);
    return status == TUTTI_ERR_UNSUPPORTED ? TUTTI_OK
                                           : tutti_fail(error, status, "%s: %s", group->name, reason.message);
  }
  int *ranks = tutti_xcalloc(QUESTIONS, sizeof *ranks), *members = tutti_xcalloc((size_t)group->size, sizeof *members);
  row->made = true;
  ask_all(map, ranks, members, row);
  free(ranks);
  free(members);
  tutti_map_free(map);
  return TUTTI_OK;
}

/* Add the name of a strategy to the kind that it chooses. */
static tutti_status choose(const struct ranked_group *group, tutti_map_strategy strategy,
                           struct measured_rank_map rows[TUTTI_MAP_KINDS], tutti_error *error)
{
  tutti_map *map;
  const tutti_status status = tutti_map_choose(strategy, group->members, group->size, group->world, NULL, &map, error);
  if (status != TUTTI_OK)
    return status;
  char *chosen_by = rows[tutti_map_kind_of(map)].chosen_by;
  strcat(strcat(chosen_by, *chosen_by ? " " : ""), tutti_map_strategy_name(strategy));
  tutti_map_free(map);
  return TUTTI_OK;
}

/* The first of the kinds is the array, which the others are compared with. */
_Static_assert(TUTTI_MAP_ARRAY == 0, "the array is measured first");

tutti_status tutti_rank_maps_measure(const struct ranked_group *group, struct measured_rank_map rows[TUTTI_MAP_KINDS],
                                     tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int kind = 0; kind < TUTTI_MAP_KINDS && status == TUTTI_OK; kind++) {
    status = measure(group, (tutti_map_kind)kind, &rows[kind], error);
    rows[kind].ratio = rows[kind].select_one / rows[TUTTI_MAP_ARRAY].select_one;
  }
  for (int s = 0; s < TUTTI_MAP_STRATEGIES && status == TUTTI_OK; s++)
    status = choose(group, (tutti_map_strategy)s, rows, error);
  return status;
}
