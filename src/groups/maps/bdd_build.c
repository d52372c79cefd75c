/* Making a diagram: BuDDy builds it reduced, from the sorted members; it is read out and BuDDy shut down.
 *
 * Every block of members that shares its first bits is a cofactor of the function, so whatever is built on the way up
 * stays in the diagram: no garbage, one ITE of constant time a node of the tree of blocks, O(size log world) at worst,
 * and the limit on nodes can be checked at every step. BuDDy has one diagram table a process, and no lock: threads must
 * not make BDD maps at the same time.
 */
#include <bdd.h>
#include <stdlib.h>

#include "groups/maps/diagram.h"

/* How many members are less than @p bound. */
static int count_below(const int *members, int count, int bound)
{
  int first = 0;
  while (count > 0) {
    int half = count / 2;
    if (members[first + half] < bound) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

static BDD join(struct diagram_builder *builder, int level, BDD low, BDD high)
{
  builder->gave_up = builder->gave_up || bdd_getnodenum() > builder->most;
  BDD node = builder->gave_up ? bdd_false() : bdd_addref(bdd_ite(bdd_ithvar(level), high, low));
  bdd_delref(low);
  bdd_delref(high);
  return node;
}

/* The function of members base .. base + 2^(variables - level) - 1, with a reference. As deep as there are bits: 31. */
static BDD build(struct diagram_builder *builder, const int *members, int count, int level, int base)
{
  int left = builder->variables - level;
  if (count == 0 || builder->gave_up)
    return bdd_false();
  if (count == INT64_C(1) << left)
    return bdd_true();
  int middle = base + (1 << (left - 1));
  int below = count_below(members, count, middle);
  BDD low = build(builder, members, below, level + 1, base);
  BDD high = build(builder, members + below, count - below, level + 1, middle);
  return join(builder, level, low, high);
}

int tutti_diagram_build(struct diagram_builder *builder, const int *members, int count)
{
  builder->gave_up = false;
  return build(builder, members, count, 0, 0);
}

/* ---- reading a diagram out of BuDDy: nodes are counted and numbered from the deepest up, then packed ---- */

/* Known facts about a node of BuDDy. */
struct known {
  uint32_t count, number;
  bool needed; /* not below a node with one member */
};

struct extraction {
  int variables, count; /* count of `nodes` */
  BDD *nodes;           /* [count] children before parents */
  struct known *known;  /* by BuDDy's number */
};

static int level_of(const struct extraction *e, BDD node)
{
  return node == bdd_true() || node == bdd_false() ? e->variables : bdd_var(node);
}

static uint32_t side(const struct extraction *e, BDD child, int level)
{
  return e->known[child].count << (level_of(e, child) - level - 1);
}

static void push(struct extraction *e, BDD node)
{
  if (level_of(e, node) == e->variables || e->known[node].number)
    return;
  e->known[node].number = 1; /* seen */
  e->nodes[e->count++] = node;
}

static int deepest_first(const void *a, const void *b)
{
  int x = *(const BDD *)a, y = *(const BDD *)b, difference = bdd_var(y) - bdd_var(x);
  return difference ? difference : (x > y) - (x < y);
}

static void collect(struct extraction *e, BDD root)
{
  e->known[bdd_true()] = (struct known){.count = 1, .number = DIAGRAM_TRUE};
  e->known[bdd_false()] = (struct known){.count = 0, .number = DIAGRAM_FALSE};
  push(e, root);
  for (int i = 0; i < e->count; i++) {
    push(e, bdd_low(e->nodes[i]));
    push(e, bdd_high(e->nodes[i]));
  }
  qsort(e->nodes, (size_t)e->count, sizeof *e->nodes, deepest_first);
}

static void count_members(struct extraction *e)
{
  for (int i = 0; i < e->count; i++) {
    BDD node = e->nodes[i];
    int level = bdd_var(node);
    e->known[node].count = side(e, bdd_low(node), level) + side(e, bdd_high(node), level);
  }
}

/* Below one member nothing is kept. */
static uint32_t number_needed(struct extraction *e)
{
  if (e->count > 0)
    e->known[e->nodes[e->count - 1]].needed = true;
  for (int i = e->count - 1; i >= 0; i--) {
    BDD node = e->nodes[i];
    if (!e->known[node].needed || e->known[node].count == 1)
      continue;
    e->known[bdd_low(node)].needed = true;
    e->known[bdd_high(node)].needed = true;
  }
  uint32_t next = DIAGRAM_TERMINALS;
  for (int i = 0; i < e->count; i++)
    if (e->known[e->nodes[i]].needed)
      e->known[e->nodes[i]].number = next++;
  return next - DIAGRAM_TERMINALS;
}

/* Bits of the single member below a node, which has no don't cares. */
static uint32_t suffix_below(BDD node)
{
  uint32_t suffix = 0;
  while (node != bdd_true()) {
    bool high = bdd_high(node) != bdd_false();
    suffix = suffix << 1 | high;
    node = high ? bdd_high(node) : bdd_low(node);
  }
  return suffix;
}

static struct diagram_node pack(const struct extraction *e, BDD node, int index_bits)
{
  struct diagram_node packed = {.level = bdd_var(node), .single = e->known[node].count == 1};
  if (packed.single) {
    uint32_t suffix = suffix_below(node);
    packed.low = suffix & diagram_mask(index_bits);
    packed.high = suffix >> index_bits;
  } else {
    packed.low = e->known[bdd_low(node)].number;
    packed.high = e->known[bdd_high(node)].number;
    packed.below = side(e, bdd_low(node), packed.level);
  }
  return packed;
}

static bool pack_all(struct extraction *e, struct diagram *diagram)
{
  tutti_diagram_shape(diagram, number_needed(e));
  bool there = tutti_diagram_allocate(diagram);
  for (int i = 0; there && i < e->count; i++) {
    BDD node = e->nodes[i];
    if (!e->known[node].needed)
      continue;
    struct diagram_node packed = pack(e, node, diagram->index_bits);
    tutti_diagram_put(diagram, e->known[node].number, &packed);
  }
  return there;
}

bool tutti_diagram_extract(int root, struct diagram *diagram)
{
  size_t nodes = (size_t)bdd_nodecount(root) + 1; /* 0 is not a valid size for malloc() */
  struct extraction e = {.variables = tutti_diagram_variables(diagram->common.world)};
  e.nodes = malloc(nodes * sizeof *e.nodes);
  e.known = calloc((size_t)bdd_getallocnum(), sizeof *e.known);
  bool there = e.nodes && e.known;
  if (there) {
    collect(&e, root);
    count_members(&e);
    there = pack_all(&e, diagram);
  }
  free(e.nodes);
  free(e.known);
  return there;
}

/* ---- creation ---- */

enum { START_NODES = 1000, START_CACHE = 1000, SPARE_NODES = 1024 };

/* BuDDy's defaults print and abort. */
tutti_status tutti_diagram_start(struct diagram_builder *builder, int world, int nodes, tutti_error *error)
{
  builder->variables = tutti_diagram_variables(world);
  builder->most = nodes + 2 * builder->variables + 2;
  if (bdd_isrunning())
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"bdd\": BuDDy is in use by another part of the program");
  bdd_error_hook(NULL);
  if (bdd_init(START_NODES, START_CACHE) < 0)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "map \"bdd\": no memory for BuDDy");
  bdd_error_hook(NULL);
  bdd_gbc_hook(NULL);
  if (bdd_setvarnum(builder->variables) >= 0 && bdd_setmaxnodenum(builder->most + SPARE_NODES) >= 0)
    return TUTTI_OK;
  bdd_done();
  return tutti_fail(error, TUTTI_ERR_MEMORY, "map \"bdd\": no memory for BuDDy");
}

static int most_nodes(const tutti_map_limits *limits)
{
  return limits->bdd_nodes < DIAGRAM_NODES_MAX ? limits->bdd_nodes : DIAGRAM_NODES_MAX;
}

static tutti_status too_large(const tutti_map_limits *limits, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "map \"bdd\": the diagram would have more than %d nodes",
                    most_nodes(limits));
}

static tutti_status finish(BDD root, tutti_map *map, const tutti_map_limits *limits, tutti_error *error)
{
  if (bdd_nodecount(root) > most_nodes(limits))
    return too_large(limits, error);
  bool whole = bdd_satcount(root) == map->size; /* BuDDy reports want of memory by wrong results */
  return whole && tutti_diagram_extract(root, (struct diagram *)map) ? TUTTI_OK : tutti_map_no_memory(map, error);
}

tutti_status tutti_diagram_create(tutti_map *map, const int *members, const tutti_map_limits *limits,
                                  tutti_error *error)
{
  struct diagram_builder builder;
  tutti_status status = tutti_diagram_start(&builder, map->world, most_nodes(limits), error);
  if (status != TUTTI_OK)
    return status;
  BDD root = tutti_diagram_build(&builder, members, map->size);
  status = builder.gave_up ? too_large(limits, error) : finish(root, map, limits, error);
  bdd_done();
  return status;
}
