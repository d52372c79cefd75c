/* A reduced ordered binary decision diagram (Bryant 1986) as an array of packed nodes with counts: the form of
 * TUTTI_MAP_BDD.
 *
 * Variable 0 is the most significant bit of a member. A node of level l tests variable l and says how many members are
 * on its low side, counting the variables l + 1 .. variables - 1; variables skipped between a node and its child are
 * don't cares and double the number below. A walk from the root thus always knows how many members are below, and loads
 * one node a step. Nodes are numbered from the deepest up: 0 is false, 1 is true (both of level `variables`), the root
 * is the last one, and children have lower numbers than their parents.
 *
 * A node above a single member has no children: in their place are the bits of that member from its level on. That
 * takes the chains out of sparse sets.
 *
 * A node is head bits + 2 index_bits + count_bits wide: level, single, low, high, below; least significant bit first.
 */
#ifndef TUTTI_GROUPS_MAPS_DIAGRAM_H
#define TUTTI_GROUPS_MAPS_DIAGRAM_H

#include <endian.h>
#include <string.h>

#include "groups/maps/map_private.h"

enum {
  DIAGRAM_LEVEL_BITS = 5, /* worlds are less than 2^31 */
  DIAGRAM_HEAD_BITS = DIAGRAM_LEVEL_BITS + 1,
  DIAGRAM_INDEX_BITS = 25, /* at most: a shifted load of 64 bits holds level, single, low and high */
  DIAGRAM_NODES_MAX = (1 << DIAGRAM_INDEX_BITS) - 2,
  DIAGRAM_PADDING = 8, /* bytes after the nodes that loads may touch */
  DIAGRAM_FALSE = 0,
  DIAGRAM_TRUE = 1,
  DIAGRAM_TERMINALS = 2
};

struct diagram {
  struct tutti_map common;
  unsigned char variables, index_bits, count_bits;
  uint32_t nodes; /* terminals not included */
  unsigned char *packed;
};

struct diagram_node {
  int level;
  bool single; /* low and high are the bits of a member; terminals are single, too, with no bits left */
  uint32_t low, high, below;
};

static inline uint32_t diagram_mask(int bits)
{
  return (uint32_t)((UINT64_C(1) << bits) - 1);
}

static inline int diagram_bit_width(uint32_t number)
{
  return number ? 32 - __builtin_clz(number) : 0;
}

/* 64 bits from bit @p at, of which 57 are valid for any @p at. */
static inline uint64_t diagram_load(const unsigned char *packed, uint64_t at)
{
  uint64_t word;
  memcpy(&word, packed + at / 8, sizeof word);
  return le64toh(word) >> at % 8;
}

static inline int diagram_node_bits(const struct diagram *diagram)
{
  return DIAGRAM_HEAD_BITS + 2 * diagram->index_bits + diagram->count_bits;
}

static inline struct diagram_node diagram_node(const struct diagram *diagram, uint32_t number)
{
  if (number < DIAGRAM_TERMINALS)
    return (struct diagram_node){.level = diagram->variables, .single = true};
  uint64_t at = (uint64_t)(number - DIAGRAM_TERMINALS) * (uint64_t)diagram_node_bits(diagram);
  uint64_t word = diagram_load(diagram->packed, at), links = word >> DIAGRAM_HEAD_BITS;
  uint32_t mask = diagram_mask(diagram->index_bits);
  at += (uint64_t)(DIAGRAM_HEAD_BITS + 2 * diagram->index_bits);
  return (struct diagram_node){
      .level = (int)(word & diagram_mask(DIAGRAM_LEVEL_BITS)),
      .single = word >> DIAGRAM_LEVEL_BITS & 1,
      .low = (uint32_t)links & mask,
      .high = (uint32_t)(links >> diagram->index_bits) & mask,
      .below = (uint32_t)diagram_load(diagram->packed, at) & diagram_mask(diagram->count_bits),
  };
}

static inline uint32_t diagram_root(const struct diagram *diagram)
{
  return diagram->nodes + DIAGRAM_TERMINALS - 1;
}

/* Bits of the member of a single node, from its level on; 0 if none are left. */
static inline uint32_t diagram_suffix(const struct diagram *diagram, const struct diagram_node *node)
{
  return node->low | (uint32_t)((uint64_t)node->high << diagram->index_bits);
}

/* The variables of a world: at least one. */
int tutti_diagram_variables(int world);

/* Empty nodes, at most DIAGRAM_NODES_MAX, for the set of its size and world. False: memory is short. @{ */
void tutti_diagram_shape(struct diagram *diagram, uint32_t nodes);
bool tutti_diagram_allocate(struct diagram *diagram);
/* @} */

/* Write node @p number, which must be empty. */
void tutti_diagram_put(struct diagram *diagram, uint32_t number, const struct diagram_node *node);

/* ---- BuDDy's table, one per process ---- */

struct diagram_builder {
  int variables;
  int most;     /* nodes in BuDDy's table, projections of the variables included */
  bool gave_up; /* for more nodes than that */
};

/* Start BuDDy for sets of @p nodes nodes in all; to be ended by bdd_done(). TUTTI_ERR_UNSUPPORTED if it is in use. */
tutti_status tutti_diagram_start(struct diagram_builder *builder, int world, int nodes, tutti_error *error);

/* BuDDy's node of a set, with a reference. @param members  [count] ascending
   Without memory it has fewer members than @p count. */
int tutti_diagram_build(struct diagram_builder *builder, const int *members, int count);

/* Fill in a diagram by BuDDy's node @p root, which has the members of its size and world. False: memory is short. */
bool tutti_diagram_extract(int root, struct diagram *diagram);

/* Function of map_operations. */
tutti_status tutti_diagram_create(tutti_map *map, const int *members, const tutti_map_limits *limits,
                                  tutti_error *error);

#endif
