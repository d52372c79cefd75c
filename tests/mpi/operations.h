/* Operations that tests reduce with, commutative and not. Header only: each program makes what it needs. */
#ifndef TUTTI_TESTS_OPERATIONS_H
#define TUTTI_TESTS_OPERATIONS_H

#include "datatypes.h"

/* 2 x 2 integer matrices modulo 2^32: their product is associative, not commutative. */
static inline void multiply_matrices(const unsigned *a, unsigned *b)
{
  unsigned p = a[0] * b[0] + a[1] * b[2], q = a[0] * b[1] + a[1] * b[3];
  unsigned r = a[2] * b[0] + a[3] * b[2], s = a[2] * b[1] + a[3] * b[3];
  b[0] = p, b[1] = q, b[2] = r, b[3] = s;
}

static inline void matrix_product(void *in, void *inout, int *length, MPI_Datatype *type)
{
  unsigned *a = in, *b = inout;
  (void)type;
  for (int i = 0; i < *length; i++, a += 4, b += 4)
    multiply_matrices(a, b);
}

static inline void matrix_sum(void *in, void *inout, int *length, MPI_Datatype *type)
{
  unsigned *a = in, *b = inout;
  (void)type;
  for (int i = 0; i < 4 * *length; i++)
    b[i] += a[i];
}

/* The same on matrices with a gap of one word before and one after. */
static inline void padded_product(void *in, void *inout, int *length, MPI_Datatype *type)
{
  unsigned *a = in, *b = inout;
  (void)type;
  for (int i = 0; i < *length; i++, a += 6, b += 6)
    multiply_matrices(a, b);
}

static inline MPI_Datatype matrix_type(void)
{
  MPI_Datatype matrix;
  MPI_Type_contiguous(4, MPI_UNSIGNED, &matrix);
  MPI_Type_commit(&matrix);
  return matrix;
}

/* A matrix of four words with a word of gap before it and one after: its lower bound is negative. */
static inline MPI_Datatype padded_matrix(void)
{
  MPI_Datatype matrix, padded;
  MPI_Type_contiguous(4, MPI_UNSIGNED, &matrix);
  MPI_Type_create_resized(matrix, -4, 24, &padded);
  MPI_Type_free(&matrix);
  MPI_Type_commit(&padded);
  return padded;
}

#endif
