#include "side.h"

#include <stdlib.h>
#include <string.h>

#include "unit/base/random.h"

/* ---- datatypes with the same signature ---- */

static MPI_Datatype committed(MPI_Datatype type)
{
  MPI_Type_commit(&type);
  return type;
}

static MPI_Datatype indexed(int first, int second)
{
  const int places[UNIT] = {first, second};
  MPI_Datatype type;
  MPI_Type_create_indexed_block(UNIT, 1, places, MPI_INT, &type);
  return committed(type);
}

static MPI_Datatype stretched(int first, int second, int extent)
{
  MPI_Datatype inner = indexed(first, second), type;
  MPI_Type_create_resized(inner, 0, (MPI_Aint)sizeof(int) * extent, &type);
  MPI_Type_free(&inner);
  return committed(type);
}

void shapes_create(struct shape shapes[SHAPES])
{
  MPI_Datatype pair;
  MPI_Type_contiguous(UNIT, MPI_INT, &pair);
  shapes[0] = (struct shape){MPI_INT, 1, 1, {0}};
  shapes[1] = (struct shape){committed(pair), UNIT, 2, {0, 1}};
  shapes[2] = (struct shape){indexed(0, 2), UNIT, 3, {0, 2}};
  shapes[3] = (struct shape){indexed(1, 0), UNIT, 2, {1, 0}};
  shapes[4] = (struct shape){stretched(1, 2, 5), UNIT, 5, {1, 2}};
}

void shapes_free(struct shape shapes[SHAPES])
{
  for (int i = 1; i < SHAPES; i++)
    MPI_Type_free(&shapes[i].type);
}

/* ---- where blocks lie ---- */

static void shuffle(int *order, int count, uint64_t *seed)
{
  for (int i = count - 1; i > 0; i--) {
    const int j = (int)random_below(seed, (uint64_t)i + 1), other = order[i];
    order[i] = order[j];
    order[j] = other;
  }
}

static int span_of(const struct side *side, int block)
{
  return side->counts[block] * side->shapes[block]->extent;
}

/* Blocks in the order of the ranks without gaps, turned, or in any order with gaps. */
static void place(struct side *side, enum spread spread, uint64_t *seed)
{
  const int extent = side->blocks > 0 ? side->shapes[0]->extent : 1, kind = (int)random_below(seed, 3);
  const int turn =
      spread != REGULAR && kind == 1 && side->blocks > 0 ? (int)random_below(seed, (uint64_t)side->blocks) : 0;
  int *order = malloc(((size_t)side->blocks + 1) * sizeof *order), at = extent * (spread != REGULAR && kind > 0);
  for (int i = 0; i < side->blocks; i++)
    order[i] = (i + turn) % side->blocks;
  if (spread != REGULAR && kind == 2)
    shuffle(order, side->blocks, seed);
  for (int i = 0; i < side->blocks; i++) {
    side->firsts[order[i]] = at;
    at += span_of(side, order[i]) + (spread != REGULAR && kind == 2 ? extent * (int)random_below(seed, 3) : 0);
  }
  side->length = at + 4 * extent; /* the base is at most three extents after the beginning */
  free(order);
}

static void describe(struct side *side, enum spread spread, uint64_t *seed)
{
  const int extent = side->blocks > 0 ? side->shapes[0]->extent : 1;
  const int shift = spread == REGULAR ? 0 : (int)random_below(seed, 4); /* some displacements are negative */
  side->base = side->memory + shift * extent;
  for (int b = 0; b < side->blocks; b++)
    side->displacements[b] =
        spread == TYPED ? (side->firsts[b] - shift * extent) * (int)sizeof(int) : side->firsts[b] / extent - shift;
}

void side_create(struct side *side, const struct shape *shapes, enum spread spread, const int *units, int blocks,
                 uint64_t *seed)
{
  const size_t room = (size_t)blocks + 1;
  const struct shape *shape = &shapes[random_below(seed, SHAPES)];
  *side = (struct side){.blocks = blocks,
                        .counts = calloc(room, sizeof *side->counts),
                        .displacements = calloc(room, sizeof *side->displacements),
                        .types = calloc(room, sizeof *side->types),
                        .shapes = calloc(room, sizeof *side->shapes),
                        .firsts = calloc(room, sizeof *side->firsts)};
  for (int b = 0; b < blocks; b++) {
    side->shapes[b] = spread == TYPED ? &shapes[random_below(seed, SHAPES)] : shape;
    side->types[b] = side->shapes[b]->type;
    side->counts[b] = units[b] * UNIT / side->shapes[b]->integers;
  }
  if (blocks == 0)
    side->types[0] = MPI_INT;
  place(side, spread, seed);
  side->memory = malloc((size_t)side->length * sizeof *side->memory);
  side->before = malloc((size_t)side->length * sizeof *side->before);
  for (int i = 0; i < side->length; i++)
    side->memory[i] = -1 - i;
  describe(side, spread, seed);
  side_keep(side);
}

void side_free(struct side *side)
{
  free(side->counts);
  free(side->displacements);
  free(side->types);
  free(side->shapes);
  free(side->firsts);
  free(side->memory);
  free(side->before);
}

int *side_at(const struct side *side, int *where, int block, int i)
{
  const struct shape *shape = side->shapes[block];
  return where + side->firsts[block] + i / shape->integers * shape->extent + shape->place[i % shape->integers];
}

void side_keep(struct side *side)
{
  memcpy(side->before, side->memory, (size_t)side->length * sizeof *side->memory);
}

bool side_is_kept(const struct side *side)
{
  return memcmp(side->before, side->memory, (size_t)side->length * sizeof *side->memory) == 0;
}
