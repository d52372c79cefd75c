#include "harness/measure/maps/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/splitmix64.h"
#include "base/words.h"
#include "harness/measure/maps/group_shapes.h"

static uint64_t below(uint64_t *state, uint64_t bound)
{
  return tutti_splitmix64_next(state) % bound;
}

enum { MILLION = 1000000, TABLES_WORLD = 1 << 20 };

/* ---- ordered groups: who is a member ---- */

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
  int first, end;            /* members are from .. to before; the first `block` of `every` so many; 0: all */
  int block, every, without; /* 0: none is left out */
  bool (*is_member)(int m);  /* instead; may be NULL */
  void (*rearrange)(int *members, int size);
  int size; /* 0: of those that are members */
  enum shape shape;
  int world; /* 0: that of the tables, without a shape */
};

static const struct recipe recipes[] = {
    {"one-removed", .end = MILLION, .without = 271828},
    {"ranges", .end = MILLION, .block = 50, .every = 100},
    {"odd-or-low", .is_member = is_odd_or_low},
    {"no-primes", .is_member = is_no_prime},
    {"subgrid", .is_member = is_in_subgrid},
    {"contiguous", .first = 600000, .end = 610000},
    {"stride", .first = 600000, .end = 620000, .block = 1, .every = 2, .without = 600000 + 2 * 8849},
    {"random", .end = MILLION, .rearrange = thin_out, .size = 1500},
    {"exchanged", .end = MILLION, .without = 271828, .rearrange = exchange_50},
    {"shuffled", .end = MILLION, .rearrange = shuffle},
    {"blocks", .end = 500000, .rearrange = shuffle_blocks},
    {"decreasing", .end = 10000, .rearrange = reverse},
    /* A mesh of 2^7 x 2^7 x 2^6 nodes, X in the low bits of the rank, then Z, then Y: the plane of one Z. */
    {"sub-mesh", .first = 85 << 7, .end = TABLES_WORLD, .block = 1 << 7, .every = 1 << 14},
    /* The sets A, B and C: 110,000 processes, or those of the outer communicator. */
    {"A1", .shape = SHAPE_DECREASING, .size = 10000, .world = 110000},
    {"A2", .shape = SHAPE_DECREASING, .size = 50000, .world = 110000},
    {"A3", .shape = SHAPE_DECREASING, .size = 100000, .world = 110000},
    {"B1", .shape = SHAPE_TWO_RUNS, .size = 100000, .world = 110000},
    {"B2", .shape = SHAPE_HOLE, .size = 100000, .world = 110000},
    {"B3", .shape = SHAPE_RANGES, .size = 100000, .world = 110000},
    {"C1", .shape = SHAPE_RANGE_STRIDE, .size = 10000, .world = 20000},
    {"C2", .shape = SHAPE_RANGE_STRIDE, .size = 10000, .world = 50000},
    {"C3", .shape = SHAPE_RANGE_STRIDE, .size = 10000, .world = 100000},
};

enum { RECIPES = sizeof recipes / sizeof *recipes, OF_TABLES = 12 };

const char *ranked_group_of_tables(int index)
{
  return index >= 0 && index < OF_TABLES ? recipes[index].name : NULL;
}

static bool is_member(const struct recipe *recipe, int m)
{
  if (recipe->is_member)
    return recipe->is_member(m);
  return m >= recipe->first && m < recipe->end && !(recipe->without && m == recipe->without) &&
         (!recipe->every || (m - recipe->first) % recipe->every < recipe->block);
}

static void follow(const struct recipe *recipe, struct ranked_group *group)
{
  int world = recipe->world ? recipe->world : TABLES_WORLD;
  *group = (struct ranked_group){
      .name = recipe->name, .world = world, .members = tutti_xcalloc((size_t)world, sizeof *group->members)};
  for (int m = 0; m < world; m++) {
    int rank = recipe->world          ? tutti_shape_rank(recipe->shape, recipe->size, world, m)
               : is_member(recipe, m) ? group->size++
                                      : -1;
    if (rank >= 0)
      group->members[rank] = m;
  }
  if (recipe->rearrange)
    recipe->rearrange(group->members, group->size);
  if (recipe->size > 0)
    group->size = recipe->size;
}

void ranked_group_make(const char *name, struct ranked_group *group)
{
  char known[256], meant[2 * TUTTI_GUESS_LENGTH];
  tutti_guess guess = {.word = name};
  tutti_word_list list = {.text = known, .length = sizeof known};
  for (int i = 0; i < RECIPES; i++) {
    if (strcmp(recipes[i].name, name) == 0) {
      follow(&recipes[i], group);
      return;
    }
    tutti_guess_try(&guess, recipes[i].name);
    tutti_word_list_add(&list, recipes[i].name);
  }
  must(tutti_fail(&failure, TUTTI_ERR_ARGUMENT, "'%.80s'%s is none of the groups %s", name,
                  tutti_guess_text(&guess, meant), tutti_word_list_end(&list)));
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

static void measure(const struct ranked_group *group, tutti_map_kind kind, struct measured_rank_map *row)
{
  tutti_map *map;
  *row = (struct measured_rank_map){
      .group = group->name, .kind = tutti_map_kind_name(kind), .world = group->world, .size = group->size};
  double begun = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
  tutti_status status = tutti_map_create(kind, group->members, group->size, group->world, NULL, &map, &failure);
  row->create = tutti_clock(CLOCK_PROCESS_CPUTIME_ID) - begun;
  row->made = status == TUTTI_OK;
  if (status == TUTTI_ERR_UNSUPPORTED) {
    row->bits = row->create = row->select_all = row->select_one = row->rank_one = NAN;
    snprintf(row->reason, sizeof row->reason, "%.150s", failure.message);
    return;
  }
  must(status);
  int *ranks = tutti_xcalloc(QUESTIONS, sizeof *ranks), *members = tutti_xcalloc((size_t)group->size, sizeof *members);
  ask_all(map, ranks, members, row);
  free(ranks);
  free(members);
  tutti_map_free(map);
}

/* The first of the kinds is the array, which the others are compared with. */
_Static_assert(TUTTI_MAP_ARRAY == 0, "the array is measured first");

void rank_maps_measure(const struct ranked_group *group, struct measured_rank_map rows[TUTTI_MAP_KINDS])
{
  for (int kind = 0; kind < TUTTI_MAP_KINDS; kind++) {
    measure(group, (tutti_map_kind)kind, &rows[kind]);
    rows[kind].ratio = rows[kind].select_one / rows[TUTTI_MAP_ARRAY].select_one;
  }
  for (tutti_map_strategy s = 0; s < TUTTI_MAP_STRATEGIES; s++) {
    tutti_map *map;
    must(tutti_map_choose(s, group->members, group->size, group->world, NULL, &map, &failure));
    char *chosen_by = rows[tutti_map_kind_of(map)].chosen_by;
    strcat(strcat(chosen_by, *chosen_by ? " " : ""), tutti_map_strategy_name(s));
    tutti_map_free(map);
  }
}
