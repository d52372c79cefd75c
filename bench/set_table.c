/* Memory of many groups in one diagram beside a diagram each (Kamal, Mirtaheri, Wagner 2010, section 7.2), as Markdown:
   4,100 groups, as many as section 8.2 has contexts in a process, of 100,000 processes. bench-set-table, no arguments.

   Nodes each: the sum of the groups' own. Nodes together: each once. Maps: the packed diagrams of TUTTI_MAP_BDD. Table:
   what malloc() has given to BuDDy, its caches and what it holds in store included. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"
#include "tutti/set_table.h"

enum { WORLD = 100000, SPLITS = 41, PARTS = 100, COUNT = SPLITS * PARTS, SIZE = WORLD / PARTS, NODES = 1 << 24 };

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

static void add_all(const struct kind *kind, tutti_set_table *table, int *members, tutti_set *sets)
{
  tutti_error error = {0};
  for (int i = 0; i < COUNT; i++) {
    tutti_map *map = NULL;
    int size = kind->fill(i, members);
    must(tutti_map_create(TUTTI_MAP_ARRAY, members, size, WORLD, NULL, &map, &error), &error);
    must(tutti_set_add(table, map, &sets[i], &error), &error);
    tutti_map_free(map);
  }
}

static void measure(const struct kind *kind, int *members, tutti_set *sets)
{
  tutti_error error = {0};
  tutti_set_table *table = NULL;
  size_t before = in_use(), map_bytes = 0;
  long long nodes = 0;
  must(tutti_set_table_create(WORLD, NODES, &table, &error), &error);
  add_all(kind, table, members, sets);
  size_t table_bytes = in_use() - before;
  for (int i = 0; i < COUNT; i++) {
    tutti_map *map = NULL;
    nodes += tutti_set_nodes(table, &sets[i], 1);
    must(tutti_set_map(table, sets[i], &map, &error), &error);
    map_bytes += tutti_map_bytes(map);
    tutti_map_free(map);
  }
  int together = tutti_set_nodes(table, sets, COUNT);
  printf("| %s | %lld | %d | %.1f | %.3f | %.3f | %.3f |\n", kind->name, nodes, together, (double)nodes / together,
         (double)map_bytes / 1e6, (double)table_bytes / 1e6, (double)table_bytes / (double)map_bytes);
  fflush(stdout);
  tutti_set_table_free(table);
}

int main(void)
{
  int *members = malloc(WORLD * sizeof *members);
  tutti_set *sets = malloc(COUNT * sizeof *sets);
  if (!members || !sets)
    return 1;
  printf("| %d groups | nodes each | nodes together | ratio | maps, MB | table, MB | table over maps |\n", COUNT);
  printf("|---|---|---|---|---|---|---|\n");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    measure(&kinds[k], members, sets);
  free(members);
  free(sets);
  return 0;
}
