/* Memory of many groups in one diagram beside a diagram each (Kamal, Mirtaheri, Wagner 2010, section 7.2), as Markdown:
   4,100 groups, as many as section 8.2 has contexts in a process, of 100,000 processes. bench-set-table, no arguments.

   Nodes each: the sum of the groups' own. Nodes together: each once. Maps: the packed diagrams of TUTTI_MAP_BDD. Table:
   what malloc() has given to BuDDy, its caches and what it holds in store included. Microseconds are processor time: to
   add a group, and a mean of 100 pairs of groups (i, i + 1), each pair once, in the table / of the same groups as maps
   of TUTTI_MAP_BDD, whose result is one, too. Extract: the map of a set. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/splitmix64.h"
#include "tutti/set_table.h"

enum { WORLD = 100000, SPLITS = 41, PARTS = 100, COUNT = SPLITS * PARTS, SIZE = WORLD / PARTS, NODES = 1 << 24 };
enum { PAIRS = 100, OPERATIONS = 3 };

/* The members of group @p index, ascending or not. @return their number */
typedef int fill(int index, int *members);

struct kind {
  const char *name;
  fill *fill;
};

static int fill_same(int index, int *members)
{
  for (int i = 0; i < SIZE; i++)
    members[i] = index % PARTS * SIZE + i;
  return SIZE;
}

static int fill_shifted(int index, int *members)
{
  for (int i = 0; i < SIZE; i++)
    members[i] = (index % PARTS * SIZE + index / PARTS * 24 + i) % WORLD;
  return SIZE;
}

static int fill_dealt(int index, int *members)
{
  static const int blocks[] = {1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 125, 200, 250, 500};
  enum { BLOCKS = sizeof blocks / sizeof *blocks };
  int split = index / PARTS, block = blocks[split % BLOCKS];
  for (int i = 0; i < SIZE; i++)
    members[i] = ((i / block * PARTS + index % PARTS) * block + i % block + split / BLOCKS) % WORLD;
  return SIZE;
}

/* All but those that have failed so far. */
static int fill_failing(int index, int *members)
{
  static unsigned char failed[WORLD];
  static int count;
  static uint64_t seed = 1;
  if (index == 0) {
    memset(failed, 0, sizeof failed);
    count = 0;
  }
  while (count <= index) {
    uint64_t process = tutti_splitmix64_next(&seed) % WORLD;
    count += !failed[process];
    failed[process] = 1;
  }
  int size = 0;
  for (int i = 0; i < WORLD; i++)
    if (!failed[i])
      members[size++] = i;
  return size;
}

static int fill_random(int index, int *members)
{
  static int all[WORLD];
  uint64_t seed = (uint64_t)index;
  for (int i = 0; i < WORLD; i++)
    all[i] = i;
  for (int i = 0; i < SIZE; i++) {
    uint64_t other = (uint64_t)i + tutti_splitmix64_next(&seed) % (uint64_t)(WORLD - i);
    members[i] = all[other];
    all[other] = all[i];
  }
  return SIZE;
}

static const struct kind kinds[] = {
    {"the same split 41 times", fill_same},
    {"splits into blocks, each begun elsewhere", fill_shifted},
    {"splits into blocks of 15 lengths, dealt in turn", fill_dealt},
    {"all but 1, 2, ... 4,100 random processes", fill_failing},
    {"1,000 random processes each", fill_random},
};

static size_t in_use(void)
{
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static void must(tutti_status status, const tutti_error *error)
{
  if (status == TUTTI_OK)
    return;
  fprintf(stderr, "bench-set-table: %s\n", error->message);
  exit(1);
}

static double microseconds(void)
{
  return 1e6 * tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* @return microseconds to add one */
static double add_all(const struct kind *kind, tutti_set_table *table, int *members, tutti_set *sets)
{
  tutti_error error = {0};
  double taken = 0;
  for (int i = 0; i < COUNT; i++) {
    tutti_map *map = NULL;
    int size = kind->fill(i, members);
    must(tutti_map_create(TUTTI_MAP_ARRAY, members, size, WORLD, NULL, &map, &error), &error);
    double start = microseconds();
    must(tutti_set_add(table, map, &sets[i], &error), &error);
    taken += microseconds() - start;
    tutti_map_free(map);
  }
  return taken / COUNT;
}

/* ---- times ---- */

typedef tutti_status set_operation(tutti_set_table *table, tutti_set a, tutti_set b, tutti_set *result,
                                   tutti_error *error);
typedef tutti_status map_operation(const tutti_map *a, const tutti_map *b, const tutti_map_limits *limits,
                                   tutti_map **result, tutti_error *error);

static set_operation *const on_sets[OPERATIONS] = {tutti_set_unite, tutti_set_intersect, tutti_set_subtract};
static map_operation *const on_maps[OPERATIONS] = {tutti_map_set_union, tutti_map_intersection, tutti_map_difference};

struct times {
  double add, extract, on_sets[OPERATIONS], on_maps[OPERATIONS]; /* microseconds */
};

/* The first group of a pair. */
static int first_of(int pair)
{
  return pair * (COUNT / PAIRS);
}

static double time_on_sets(tutti_set_table *table, const tutti_set *sets, set_operation *operation)
{
  tutti_error error = {0};
  tutti_set results[PAIRS];
  double start = microseconds();
  for (int p = 0; p < PAIRS; p++)
    must(operation(table, sets[first_of(p)], sets[first_of(p) + 1], &results[p], &error), &error);
  double end = microseconds();
  for (int p = 0; p < PAIRS; p++)
    tutti_set_release(table, results[p]);
  return (end - start) / PAIRS;
}

/* Results are freed within the time: they are maps of their own. */
static double time_on_maps(tutti_map *const *maps, map_operation *operation)
{
  tutti_error error = {0};
  tutti_map_limits limits = tutti_map_limits_default();
  limits.set_kind = TUTTI_MAP_BDD;
  double start = microseconds();
  for (int p = 0; p < PAIRS; p++) {
    tutti_map *result = NULL;
    must(operation(maps[2 * p], maps[2 * p + 1], &limits, &result, &error), &error);
    tutti_map_free(result);
  }
  return (microseconds() - start) / PAIRS;
}

static void extract_pairs(const tutti_set_table *table, const tutti_set *sets, tutti_map **maps, struct times *times)
{
  tutti_error error = {0};
  double start = microseconds();
  for (int i = 0; i < 2 * PAIRS; i++)
    must(tutti_set_map(table, sets[first_of(i / 2) + i % 2], &maps[i], &error), &error);
  times->extract = (microseconds() - start) / (2 * PAIRS);
}

/* ---- a kind of groups ---- */

static void print_space(const struct kind *kind, const tutti_set_table *table, const tutti_set *sets,
                        size_t table_bytes)
{
  tutti_error error = {0};
  size_t map_bytes = 0;
  long long nodes = 0;
  for (int i = 0; i < COUNT; i++) {
    tutti_map *map = NULL;
    nodes += tutti_set_nodes(table, &sets[i], 1);
    must(tutti_set_map(table, sets[i], &map, &error), &error);
    map_bytes += tutti_map_bytes(map);
    tutti_map_free(map);
  }
  int together = tutti_set_nodes(table, sets, COUNT);
  printf("| %s | %lld | %d | %.1f | %.3f | %.3f | %.3f |", kind->name, nodes, together, (double)nodes / together,
         (double)map_bytes / 1e6, (double)table_bytes / 1e6, (double)table_bytes / (double)map_bytes);
}

static void print_times(const struct times *times)
{
  printf(" %.3g | %.3g |", times->add, times->extract);
  for (int o = 0; o < OPERATIONS; o++)
    printf(" %.3g / %.3g |", times->on_sets[o], times->on_maps[o]);
  printf("\n");
  fflush(stdout);
}

static void measure(const struct kind *kind, int *members, tutti_set *sets)
{
  tutti_error error = {0};
  tutti_set_table *table = NULL;
  tutti_map *maps[2 * PAIRS];
  struct times times;
  size_t before = in_use();
  must(tutti_set_table_create(WORLD, NODES, &table, &error), &error);
  times.add = add_all(kind, table, members, sets);
  print_space(kind, table, sets, in_use() - before);
  for (int o = 0; o < OPERATIONS; o++)
    times.on_sets[o] = time_on_sets(table, sets, on_sets[o]);
  extract_pairs(table, sets, maps, &times);
  tutti_set_table_free(table);
  for (int o = 0; o < OPERATIONS; o++)
    times.on_maps[o] = time_on_maps(maps, on_maps[o]);
  for (int i = 0; i < 2 * PAIRS; i++)
    tutti_map_free(maps[i]);
  print_times(&times);
}

int main(void)
{
  int *members = malloc(WORLD * sizeof *members);
  tutti_set *sets = malloc(COUNT * sizeof *sets);
  if (!members || !sets)
    return 1;
  printf("| %d groups | nodes each | nodes together | ratio | maps, MB | table, MB | table over maps | add, us | "
         "extract, us | union, us | intersection, us | difference, us |\n",
         COUNT);
  printf("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    measure(&kinds[k], members, sets);
  free(members);
  free(sets);
  return 0;
}
