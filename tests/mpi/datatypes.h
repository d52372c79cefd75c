/* Datatypes that broadcast must carry: predefined, contiguous, with gaps, with a negative lower bound. */
#ifndef TUTTI_TESTS_DATATYPES_H
#define TUTTI_TESTS_DATATYPES_H

#include <mpi.h>

enum test_type { TYPE_BYTE, TYPE_INT, TYPE_DOUBLE, TYPE_TRIPLE, TYPE_STRIDED, TYPE_NEGATIVE, TYPE_ALL };

#ifdef SMPI_HELPERS_H
/* SMPI 3.32 itself sends the second and later elements of a resized vector from the wrong place (it ignores the new
   extent), so there is nothing right to compare with. */
enum { TYPE_COUNT = TYPE_NEGATIVE, RESIZED_TYPES_WORK = 0 };
#else
enum { TYPE_COUNT = TYPE_ALL, RESIZED_TYPES_WORK = 1 };
#endif

static inline const char *test_type_name(int which)
{
  static const char *const names[TYPE_ALL] = {
      "byte", "int", "double", "three ints", "strided vector", "negative lower bound"};
  return names[which];
}

static inline MPI_Datatype derived_type(int which)
{
  MPI_Datatype inner, type = MPI_DATATYPE_NULL;
  if (which == TYPE_TRIPLE) {
    MPI_Type_contiguous(3, MPI_INT, &type);
  } else if (which == TYPE_STRIDED) {
    MPI_Type_vector(3, 2, 5, MPI_SHORT, &type); /* xx...xx...xx */
  } else {
    MPI_Type_vector(2, 1, 2, MPI_INT, &inner); /* x.x, and an element reaches from 4 bytes before to 12 after */
    MPI_Type_create_resized(inner, -4, 20, &type);
    MPI_Type_free(&inner);
  }
  MPI_Type_commit(&type);
  return type;
}

static inline MPI_Datatype test_type(int which)
{
  return which == TYPE_BYTE     ? MPI_BYTE
         : which == TYPE_INT    ? MPI_INT
         : which == TYPE_DOUBLE ? MPI_DOUBLE
                                : derived_type(which);
}

static inline void test_type_free(int which, MPI_Datatype *type)
{
  if (which >= TYPE_TRIPLE)
    MPI_Type_free(type);
}

#endif
