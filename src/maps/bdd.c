/* TUTTI_MAP_BDD: the set as a Boolean function of the bits of its members (Kamal, Mirtaheri, Wagner 2010, section 5.2).
 *
 * The paper extracts the paths to true and discards the graph; SELECT then looks at all p paths, O(p log world). Here
 * the graph stays, packed, with counts (diagram.h): SELECT and RANK are one walk from the root, O(log world), and what
 * paths repeat is there once. A grid has as many paths as the product of its sides' paths, but nodes as their sum.
 *
 *   2^20 less one: root ... 20 nodes of which each has one side full; 4-D sub-grid of a 6-D grid: see
 * test_maps_compressed
 *
 * Pays for regular sets; a random one has about 2 nodes a member.
 */
#include <stdlib.h>

#include "maps/diagram.h"

/* Where a walk stands: bits of the member so far, and how many members are below, of which the rank-th is looked for.
 */
struct walk {
  struct diagram_node node;
  uint32_t member, rank, count;
};

/* Go down to @p node over @p skipped don't cares: they count through before what is below it does. */
static inline void enter(struct walk *walk, struct diagram_node node, int skipped)
{
  walk->node = node;
  if (skipped == 0)
    return;
  walk->count >>= skipped;
  walk->member = walk->member << skipped | walk->rank / walk->count;
  walk->rank %= walk->count;
}

/* No branch on the side taken: it would be guessed wrong half the time. @return don't cares skipped */
static inline int step(const struct diagram *diagram, struct walk *walk)
{
  struct diagram_node node = walk->node;
  bool high = walk->rank >= node.below;
  walk->rank -= high ? node.below : 0;
  walk->count = high ? walk->count - node.below : node.below;
  walk->member = walk->member << 1 | high;
  struct diagram_node next = diagram_node(diagram, high ? node.high : node.low);
  int skipped = next.level - node.level - 1;
  enter(walk, next, skipped);
  return skipped;
}

/* @p run receives how many members follow one another from this one on, at least */
static int select_run(const struct diagram *diagram, int rank, int *run)
{
  struct walk walk = {.rank = (uint32_t)rank, .count = (uint32_t)diagram->common.size};
  struct diagram_node root = diagram_node(diagram, diagram_root(diagram));
  int skipped = root.level;
  enter(&walk, root, skipped);
  while (!walk.node.single)
    skipped = step(diagram, &walk);
  int left = diagram->variables - walk.node.level;
  uint32_t member = walk.member << left | diagram_suffix(diagram, &walk.node);
  uint32_t ends = diagram_mask(left == 0 ? skipped : 0); /* true: the last don't cares count on */
  *run = (int)(ends - (member & ends)) + 1;
  return (int)member;
}

static int bdd_select(const tutti_map *map, int rank)
{
  int run;
  return select_run((const struct diagram *)map, rank, &run);
}

static void bdd_select_all(const tutti_map *map, int first, int count, int *members)
{
  for (int i = 0; i < count;) {
    int run, member = select_run((const struct diagram *)map, first + i, &run);
    for (int j = 0; j < run && i < count; j++)
      members[i++] = member + j;
  }
}

/* Bits first .. last - 1 of a member, 0 being the most significant. */
static uint32_t bits_of(const struct diagram *diagram, int member, int first, int last)
{
  return (uint32_t)member >> (diagram->variables - last) & diagram_mask(last - first);
}

static int bdd_rank(const tutti_map *map, int member)
{
  const struct diagram *diagram = (const struct diagram *)map;
  struct diagram_node node = diagram_node(diagram, diagram_root(diagram));
  uint32_t count = (uint32_t)map->size >> node.level, rank = bits_of(diagram, member, 0, node.level) * count;
  while (!node.single) {
    int level = node.level;
    bool high = bits_of(diagram, member, level, level + 1);
    rank += high ? node.below : 0;
    count = high ? count - node.below : node.below;
    node = diagram_node(diagram, high ? node.high : node.low);
    count >>= node.level - level - 1;
    rank += bits_of(diagram, member, level + 1, node.level) * count;
  }
  if (count == 0)
    return -1;
  return bits_of(diagram, member, node.level, diagram->variables) == diagram_suffix(diagram, &node) ? (int)rank : -1;
}

static size_t bdd_bytes(const tutti_map *map)
{
  const struct diagram *diagram = (const struct diagram *)map;
  return sizeof *diagram + tutti_diagram_length(diagram) + DIAGRAM_PADDING;
}

static void bdd_write(const tutti_map *map, FILE *stream)
{
  const struct diagram *diagram = (const struct diagram *)map;
  tutti_map_write_number(stream, diagram->nodes, 4);
  fwrite(diagram->packed, 1, tutti_diagram_length(diagram), stream);
}

static void bdd_free(tutti_map *map)
{
  free(map);
}

const struct map_operations tutti_map_bdd = {
    .kind = TUTTI_MAP_BDD,
    .ordered_only = true,
    .create = tutti_diagram_create,
    .select = bdd_select,
    .rank = bdd_rank,
    .select_all = bdd_select_all,
    .bytes = bdd_bytes,
    .write = bdd_write,
    .read = tutti_diagram_read,
    .free = bdd_free,
};
