/* Groups for tests of group maps: those of Kamal, Mirtaheri, Wagner 2010, table 1, and adversarial ones. */
#ifndef TUTTI_TESTS_MAP_GROUPS_H
#define TUTTI_TESTS_MAP_GROUPS_H

#include <stdbool.h>
#include <stdlib.h>

#include "unit/base/random.h"

struct map_group {
  int *members;
  int size, world;
};

static inline void map_group_free(struct map_group *group)
{
  free(group->members);
}

/* The members that @p is_member says. */
static inline struct map_group map_group_of(int world, bool (*is_member)(int))
{
  struct map_group group = {.members = malloc((size_t)world * sizeof *group.members), .world = world};
  if (!group.members)
    abort();
  for (int i = 0; i < world; i++)
    if (is_member(i))
      group.members[group.size++] = i;
  return group;
}

static inline bool map_one_removed(int i)
{
  return i < 1000000 && i != 271828;
}

/* 10,000 ranges of 50 */
static inline bool map_ranges_of_50(int i)
{
  return i < 1000000 && i % 100 < 50;
}

static inline bool map_odd_or_low(int i)
{
  return i < 1000000 && (i % 2 == 1 || i < 500000);
}

static inline bool map_no_prime(int i)
{
  if (i < 500000 || i >= 1000000)
    return false;
  for (int d = 2; d * d <= i; d++)
    if (i % d == 0)
      return true;
  return false;
}

/* [*,10,*,10,*,*] of a grid with 10 a side, counted from one: the tenth */
static inline bool map_subgrid(int i)
{
  return i < 1000000 && i / 10000 % 10 == 9 && i / 100 % 10 == 9;
}

static inline bool map_stride_less_one(int i)
{
  return i >= 600000 && i < 620000 && i % 2 == 0 && i != 600000 + 2 * 8849;
}

/* @p size members at random, ascending (Knuth's algorithm S). */
static inline struct map_group map_group_random(int size, int world, uint64_t seed)
{
  struct map_group group = {.members = malloc((size_t)size * sizeof *group.members), .world = world};
  if (!group.members)
    abort();
  for (int i = 0; i < world && group.size < size; i++)
    if (random_below(&seed, (uint64_t)(world - i)) < (uint64_t)(size - group.size))
      group.members[group.size++] = i;
  return group;
}

static inline void map_group_shuffle(struct map_group *group, uint64_t seed)
{
  for (int i = group->size - 1; i > 0; i--) {
    int j = (int)random_below(&seed, (uint64_t)i + 1), member = group->members[i];
    group->members[i] = group->members[j];
    group->members[j] = member;
  }
}

#endif
