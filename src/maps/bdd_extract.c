/* Reading a diagram out of BuDDy: nodes are counted and numbered from the deepest up, then packed. */
#include <bdd.h>
#include <stdlib.h>

#include "maps/diagram.h"

/* What is known of a node of BuDDy's. */
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

/* Bits of the single member below a node: there are no don't cares. */
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

static struct diagram *pack_all(struct extraction *e, int size, int world)
{
  struct diagram shape = tutti_diagram_shape(size, world, number_needed(e));
  struct diagram *diagram = tutti_diagram_new(&shape);
  for (int i = 0; diagram && i < e->count; i++) {
    BDD node = e->nodes[i];
    if (!e->known[node].needed)
      continue;
    struct diagram_node packed = pack(e, node, shape.index_bits);
    tutti_diagram_put(diagram, e->known[node].number, &packed);
  }
  return diagram;
}

struct diagram *tutti_diagram_extract(int root, int size, int world)
{
  size_t nodes = (size_t)bdd_nodecount(root) + 1; /* none is no size for malloc() */
  struct extraction e = {.variables = tutti_diagram_variables(world)};
  e.nodes = malloc(nodes * sizeof *e.nodes);
  e.known = calloc((size_t)bdd_getallocnum(), sizeof *e.known);
  struct diagram *diagram = NULL;
  if (e.nodes && e.known) {
    collect(&e, root);
    count_members(&e);
    diagram = pack_all(&e, size, world);
  }
  free(e.nodes);
  free(e.known);
  return diagram;
}
