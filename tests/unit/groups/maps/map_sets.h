/* Groups for tests of maps: random ones, and those that representations find hard. */
#ifndef TUTTI_TESTS_MAP_SETS_H
#define TUTTI_TESTS_MAP_SETS_H

#include "tutti/map.h"
#include "unit/base/random.h"
#include "unit/test.h"

struct map_set {
  const char *name;
  int world, size;
  int *members;
};

static inline void free_map(tutti_map **map)
{
  tutti_map_free(*map);
}

/* Members for which @p keep is true. */
static inline struct map_set map_set_where(const char *name, int world, bool (*keep)(int member, uint64_t *random),
                                           uint64_t seed)
{
  struct map_set set = {.name = name, .world = world, .members = malloc((size_t)world * sizeof(int))};
  assert_non_null(set.members);
  for (int i = 0; i < world; i++)
    if (keep(i, &seed))
      set.members[set.size++] = i;
  return set;
}

/* first, first + stride, ... */
static inline struct map_set map_set_range(const char *name, int world, int first, int stride, int size)
{
  struct map_set set = {name, world, size, malloc((unsigned)size * sizeof(int))};
  assert_non_null(set.members);
  for (int i = 0; i < size; i++)
    set.members[i] = first + i * stride;
  return set;
}

static inline int map_set_compare(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* About @p size random members of a large world, ascending. */
static inline struct map_set map_set_sparse(const char *name, int world, int size, uint64_t seed)
{
  struct map_set set = map_set_range(name, world, 0, 0, size);
  for (int i = 0; i < size; i++)
    set.members[i] = (int)random_below(&seed, (uint64_t)world);
  qsort(set.members, (size_t)size, sizeof(int), map_set_compare);
  set.size = 0;
  for (int i = 0; i < size; i++)
    if (set.size == 0 || set.members[set.size - 1] != set.members[i])
      set.members[set.size++] = set.members[i];
  return set;
}

static inline struct map_set map_set_shuffled(struct map_set set, uint64_t seed)
{
  for (int i = set.size - 1; i > 0; i--) {
    int j = (int)random_below(&seed, (uint64_t)i + 1), member = set.members[i];
    set.members[i] = set.members[j];
    set.members[j] = member;
  }
  return set;
}

/* Rank i becomes rank i - by. */
static inline struct map_set map_set_rotated(struct map_set set, int by)
{
  int *members = malloc((size_t)set.size * sizeof(int));
  assert_non_null(members);
  for (int i = 0; i < set.size; i++)
    members[i] = set.members[(i + by) % set.size];
  free(set.members);
  set.members = members;
  return set;
}

static inline bool map_set_ascends(const struct map_set *set)
{
  for (int i = 1; i < set->size; i++)
    if (set->members[i] <= set->members[i - 1])
      return false;
  return true;
}

#endif
