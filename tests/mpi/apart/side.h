/* One side of a call, the input or the output of a rank, which describes its blocks in its own way. */
#ifndef TUTTI_TESTS_APART_SIDE_H
#define TUTTI_TESTS_APART_SIDE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Blocks are made of units of two integers, which ranks describe by different datatypes. */
enum { UNIT = 2, SHAPES = 5 };

struct shape {
  MPI_Datatype type;
  int integers;    /* in an element: 1 or UNIT */
  int extent;      /* in integers */
  int place[UNIT]; /* of each integer, from the address of the element */
};

void shapes_create(struct shape shapes[SHAPES]);
void shapes_free(struct shape shapes[SHAPES]);

/* Layouts of blocks. */
enum spread {
  REGULAR,   /* one after the other, all of one size */
  DISPLACED, /* displacements in extents of one type */
  TYPED      /* displacements in bytes, a type for each block */
};

struct side {
  int blocks;
  int *counts, *displacements; /* [blocks] as MPI has them */
  MPI_Datatype *types;         /* [blocks] */
  const struct shape **shapes; /* [blocks] */
  int *firsts;                 /* [blocks] in integers from `memory` */
  int *memory, *before, *base; /* the allocation, a copy of it, the argument of the call */
  int length;                  /* of memory, in integers */
};

/* Place blocks of units[b] units each, drawn by *seed, and fill all memory. Free with side_free(). */
void side_create(struct side *side, const struct shape *shapes, enum spread spread, const int *units, int blocks,
                 uint64_t *seed);
void side_free(struct side *side);

/* Integer i of a block in `where`, which is the memory or its copy. */
int *side_at(const struct side *side, int *where, int block, int i);

/* Keep what the memory has now as what it should have later. */
void side_keep(struct side *side);

/* Whether the memory equals its copy. */
bool side_is_kept(const struct side *side);

#endif
