#include "cli/maps/maps.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/splitmix64.h"

static uint64_t below(uint64_t *state, uint64_t bound)
{
  return tutti_splitmix64_next(state) % bound;
}

enum { MILLION = 1000000 };

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
};

static const struct recipe recipes[] = {
    {"one-removed", is_one_removed, NULL, 0},
    {"ranges", is_in_ranges, NULL, 0},
    {"odd-or-low", is_odd_or_low, NULL, 0},
    {"no-primes", is_no_prime, NULL, 0},
    {"subgrid", is_in_subgrid, NULL, 0},
    {"contiguous", is_contiguous, NULL, 0},
    {"stride", is_in_stride, NULL, 0},
    {"random", is_anybody, thin_out, 1500},
    {"exchanged", is_one_removed, exchange_50, 0},
    {"shuffled", is_anybody, shuffle, 0},
    {"blocks", is_low_half, shuffle_blocks, 0},
    {"decreasing", is_low, reverse, 0},
};

enum { RECIPES = sizeof recipes / sizeof *recipes };

const char *maps_group_name(int index)
{
  return index >= 0 && index < RECIPES ? recipes[index].name : NULL;
}

static tutti_status follow(const struct recipe *recipe, struct maps_group *group)
{
  *group = (struct maps_group){.name = recipe->name, .members = tutti_xcalloc(MAPS_WORLD, sizeof *group->members)};
  for (int m = 0; m < MAPS_WORLD; m++)
    if (recipe->is_member(m))
      group->members[group->size++] = m;
  if (recipe->rearrange)
    recipe->rearrange(group->members, group->size);
  if (recipe->size > 0)
    group->size = recipe->size;
  return TUTTI_OK;
}

tutti_status maps_group_make(const char *name, struct maps_group *group, tutti_error *error)
{
  char known[256] = "";
  for (int i = 0; i < RECIPES; i++) {
    if (strcmp(recipes[i].name, name) == 0)
      return follow(&recipes[i], group);
    strcat(strcat(known, i ? ", " : ""), recipes[i].name);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.80s' is none of the groups %s", name, known);
}
