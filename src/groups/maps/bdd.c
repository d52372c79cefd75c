#include <stdlib.h>

#include "groups/maps/diagram.h"

int tutti_diagram_variables(int world)
{
  int bits = diagram_bit_width((uint32_t)(world - 1));
  return bits ? bits : 1;
}

/* Bytes of the packed nodes, padding not included. */
static size_t packed_bytes(const struct diagram *diagram)
{
  return (size_t)(((uint64_t)diagram->nodes * (uint64_t)diagram_node_bits(diagram) + 7) / 8);
}

/* Two indices must be wide enough for the bits of a member, too. */
static int index_bits(int variables, uint32_t nodes)
{
  int bits = diagram_bit_width(nodes + DIAGRAM_TERMINALS - 1), half = (variables + 1) / 2;
  return bits > half ? bits : half;
}

void tutti_diagram_shape(struct diagram *diagram, uint32_t nodes)
{
  diagram->variables = tutti_diagram_variables(diagram->common.world);
  diagram->count_bits = diagram_bit_width((uint32_t)diagram->common.size);
  diagram->nodes = nodes;
  diagram->index_bits = index_bits(diagram->variables, nodes);
}

bool tutti_diagram_allocate(struct diagram *diagram)
{
  diagram->packed = calloc(1, packed_bytes(diagram) + DIAGRAM_PADDING);
  return diagram->packed;
}

static void add_bits(unsigned char *packed, uint64_t at, uint64_t bits)
{
  uint64_t word;
  memcpy(&word, packed + at / 8, sizeof word);
  word = htole64(le64toh(word) | bits << at % 8);
  memcpy(packed + at / 8, &word, sizeof word);
}

void tutti_diagram_put(struct diagram *diagram, uint32_t number, const struct diagram_node *node)
{
  uint64_t at = (uint64_t)(number - DIAGRAM_TERMINALS) * (uint64_t)diagram_node_bits(diagram);
  int width = diagram->index_bits;
  uint64_t links = (uint64_t)node->low | (uint64_t)node->high << width;
  uint64_t head = (uint64_t)node->level | (uint64_t)node->single << DIAGRAM_LEVEL_BITS;
  add_bits(diagram->packed, at, head | links << DIAGRAM_HEAD_BITS);
  add_bits(diagram->packed, at + (uint64_t)(DIAGRAM_HEAD_BITS + 2 * width), node->below);
}

/* TUTTI_MAP_BDD: the set as a Boolean function of the bits of its members (Kamal, Mirtaheri, Wagner 2010, section 5.2).
 *
 * The paper extracts the paths to true and discards the graph; SELECT then looks at all p paths, O(p log world). Here
 * the graph stays, packed, with counts (diagram.h): SELECT and RANK are one walk from the root, O(log world), and
 * common parts of paths are stored once. A grid has as many paths as the product of its sides' paths, but nodes as
 * their sum.
 *
 *   2^20 less one: root ... 20 nodes of which each has one side full; 4-D sub-grid of a 6-D grid: see
 * test_maps_compressed
 *
 * Pays for regular sets; a random one has about 2 nodes a member.
 */

/* State of a walk: bits of the member so far, the number of members below, and the wanted rank among them. */
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

/* @p run receives a lower bound of the number of consecutive members from this one on. */
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
  return packed_bytes(diagram) + DIAGRAM_PADDING;
}

static void bdd_write(const tutti_map *map, FILE *stream)
{
  const struct diagram *diagram = (const struct diagram *)map;
  tutti_map_write_number(stream, diagram->nodes, 4);
  fwrite(diagram->packed, 1, packed_bytes(diagram), stream);
}

static void bdd_clear(tutti_map *map)
{
  free(((struct diagram *)map)->packed);
}

/* Reading a diagram: what SELECT and RANK rely on is checked node by node, children before parents. */

/* Members on the side of child @p child of a node of level @p level; 0 if the child is no deeper. */
static uint64_t side(const struct diagram *diagram, const uint32_t *counts, uint32_t child, int level)
{
  int skipped = diagram_node(diagram, child).level - level - 1;
  return skipped < 0 ? 0 : (uint64_t)counts[child] << skipped;
}

static uint64_t count_single(const struct diagram *diagram, const struct diagram_node *node)
{
  uint64_t suffix = node->low | (uint64_t)node->high << diagram->index_bits;
  return suffix <= diagram_mask(diagram->variables - node->level) ? 1 : 0;
}

/* Members below a node; 0 if it is unsound. @p counts  of the nodes before it */
static uint64_t count_members(const struct diagram *diagram, const uint32_t *counts, uint32_t number)
{
  struct diagram_node node = diagram_node(diagram, number);
  if (node.level >= diagram->variables)
    return 0;
  if (node.single)
    return count_single(diagram, &node);
  if (node.low >= number || node.high >= number)
    return 0;
  uint64_t low = side(diagram, counts, node.low, node.level), high = side(diagram, counts, node.high, node.level);
  bool deeper = (low > 0 || node.low == DIAGRAM_FALSE) && (high > 0 || node.high == DIAGRAM_FALSE);
  return deeper && low == node.below ? low + high : 0;
}

/* @p counts  [nodes and terminals] */
static tutti_status check_nodes(const struct diagram *diagram, uint32_t *counts, tutti_error *error)
{
  uint64_t size = (uint64_t)diagram->common.size;
  counts[DIAGRAM_FALSE] = 0;
  counts[DIAGRAM_TRUE] = 1;
  for (uint32_t i = DIAGRAM_TERMINALS; i <= diagram_root(diagram); i++) {
    uint64_t count = count_members(diagram, counts, i);
    if (count == 0 || count > size)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bdd\": node %u of %u is no node of a diagram over %d bits", i,
                        diagram->nodes, diagram->variables);
    counts[i] = (uint32_t)count;
  }
  uint32_t root = diagram_root(diagram);
  uint64_t members = (uint64_t)counts[root] << diagram_node(diagram, root).level;
  if (members != size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bdd\": the diagram has %llu members, the map %d",
                      (unsigned long long)members, diagram->common.size);
  return TUTTI_OK;
}

static tutti_status check_diagram(const struct diagram *diagram, tutti_error *error)
{
  uint32_t *counts = malloc((diagram->nodes + DIAGRAM_TERMINALS) * sizeof *counts);
  if (!counts)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "map \"bdd\": no memory to check %u nodes", diagram->nodes);
  tutti_status status = check_nodes(diagram, counts, error);
  free(counts);
  if (status != TUTTI_OK)
    return status;
  int last = bdd_select(&diagram->common, diagram->common.size - 1); /* the greatest: members ascend */
  if (last >= diagram->common.world)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bdd\": member %d is outside the world of %d", last,
                      diagram->common.world);
  return TUTTI_OK;
}

static tutti_status bdd_read(tutti_map *map, struct map_reader *reader, tutti_error *error)
{
  struct diagram *diagram = (struct diagram *)map;
  uint64_t nodes = tutti_map_read_number(reader, 4);
  if (reader->failed || nodes > DIAGRAM_NODES_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bdd\": no number of nodes");
  tutti_diagram_shape(diagram, (uint32_t)nodes);
  const unsigned char *packed =
      tutti_map_read_bytes(reader, packed_bytes(diagram)); /* there before memory is asked for */
  if (!packed)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "map \"bdd\": the bytes end within %u nodes", diagram->nodes);
  if (!tutti_diagram_allocate(diagram))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "map \"bdd\": no memory for %u nodes", diagram->nodes);
  memcpy(diagram->packed, packed, packed_bytes(diagram));
  tutti_status status = check_diagram(diagram, error);
  reader->proven = reader->ordered = status == TUTTI_OK;
  return status;
}

const struct map_operations tutti_map_bdd = {
    .kind = TUTTI_MAP_BDD,
    .bytes_of_struct = sizeof(struct diagram),
    .ordered_only = true,
    .create = tutti_diagram_create,
    .select = bdd_select,
    .rank = bdd_rank,
    .select_all = bdd_select_all,
    .bytes = bdd_bytes,
    .write = bdd_write,
    .read = bdd_read,
    .clear = bdd_clear,
};
