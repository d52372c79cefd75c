/* The arguments of a collective call as MPI has them, whichever collective it is, and copies of them that outlive
   the call. */
#ifndef TUTTI_MPI_COLLECTIVES_ARGUMENTS_H
#define TUTTI_MPI_COLLECTIVES_ARGUMENTS_H

#include <stdbool.h>

#include "tutti/algorithm.h"
#include "tutti/counted_memory.h"
#include "tutti/neighbor.h"
#include "tutti/view.h"

/* One buffer of a call. What a collective or a rank does not use is left zero. */
struct user_buffer {
  void *base; /* MPI_IN_PLACE where MPI allows it */
  uint64_t count;
  MPI_Datatype type;
  bool wide;                 /* counts are MPI_Count and displacements MPI_Aint, as in MPI 4's functions with _c; int */
  bool far;                  /* displacements alone are MPI_Aint, as in MPI_Neighbor_alltoallw() */
  const void *counts;        /* irregular: [size], else NULL */
  const void *displacements; /* irregular: [size] in extents of the type; in bytes if `types` is given */
  const MPI_Datatype *types; /* alltoallw: [size], else NULL */
};

struct arguments {
  tutti_collective collective;
  struct user_buffer input, output; /* a broadcast has an output only */
  MPI_Op op;
  int root;
  const tutti_neighbors *near; /* of a neighborhood collective, which has blocks for these; NULL: of all ranks */
};

static inline MPI_Count tutti_count_at(const struct user_buffer *user_buffer, int rank)
{
  return user_buffer->wide ? ((const MPI_Count *)user_buffer->counts)[rank] : ((const int *)user_buffer->counts)[rank];
}

static inline MPI_Aint tutti_displacement_at(const struct user_buffer *user_buffer, int rank)
{
  return user_buffer->wide || user_buffer->far ? ((const MPI_Aint *)user_buffer->displacements)[rank]
                                               : ((const int *)user_buffer->displacements)[rank];
}

/* Bytes of an item of the two arrays. @{ */
static inline size_t tutti_count_size(const struct user_buffer *user_buffer)
{
  return user_buffer->wide ? sizeof(MPI_Count) : sizeof(int);
}
static inline size_t tutti_displacement_size(const struct user_buffer *user_buffer)
{
  return user_buffer->wide || user_buffer->far ? sizeof(MPI_Aint) : sizeof(int);
}
/* @} */

/* Clear the arguments that are not significant at this rank, where MPI allows any value. */
void tutti_arguments_normalize(struct arguments *arguments, int rank);

/* The message size by which a method is picked, in bytes: the same on all ranks. Blocks count once per rank; irregular
   ones count by their mean, and 0 where not every rank knows them. `root`: whether this is the root. */
tutti_status tutti_arguments_bytes(const struct arguments *arguments, int size, bool root, uint64_t *bytes,
                                   tutti_error *error);

/* Arguments that outlive their call: MPI lets a program free a datatype, and Tutti the arrays, of an operation that has
   begun. */

struct persistent_arguments {
  struct arguments arguments;
  MPI_Request holder; /* of a reduction: keeps its datatype, which a program's operation sees; MPI_REQUEST_NULL: none */
  tutti_arena arena;  /* of the copied arrays */
  int size;
};

/* Copies the arrays and duplicates the datatypes that are not MPI's own, except that of a reduction. Free with
 * tutti_persistent_arguments_free(). */
tutti_status tutti_persistent_arguments_create(struct persistent_arguments *persistent_arguments,
                                               const struct arguments *arguments, const tutti_view *view,
                                               tutti_error *error);
void tutti_persistent_arguments_free(struct persistent_arguments *persistent_arguments);

#endif
