#include "mpi/collectives/dense.h"

/* The one type that a type made by repeating, duplicating or resizing is made of, and how many of it. False for any
   other constructor, whose map may not be in the order of addresses. A predefined type ends the way down: *made is then
   false. */
static bool unwrap(MPI_Datatype type, MPI_Datatype *inner, bool *made, uint64_t *count)
{
  int integers, addresses, types, combiner, integer[2];
  MPI_Aint address[2];
  *made = false;
  if (MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
    return false;
  if (combiner == MPI_COMBINER_NAMED)
    return true;
  if ((combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP && combiner != MPI_COMBINER_RESIZED) ||
      integers > 2 || addresses > 2 || types != 1)
    return false;
  *made = true;
  if (MPI_Type_get_contents(type, integers, addresses, types, integer, address, inner) != MPI_SUCCESS)
    return false;
  *count = combiner == MPI_COMBINER_CONTIGUOUS ? (uint64_t)integer[0] : 1;
  return true;
}

/* A type that MPI_Type_get_contents() has given is to be freed unless it is predefined. */
static void release(MPI_Datatype *type)
{
  int integers, addresses, types, combiner;
  if (MPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
      combiner != MPI_COMBINER_NAMED)
    MPI_Type_free(type);
}

static bool fills_its_extent(MPI_Datatype type, uint64_t count, MPI_Aint *lower)
{
  int size;
  MPI_Aint ignored, extent, true_extent;
  if (MPI_Type_size(type, &size) != MPI_SUCCESS || MPI_Type_get_extent(type, &ignored, &extent) != MPI_SUCCESS ||
      MPI_Type_get_true_extent(type, lower, &true_extent) != MPI_SUCCESS)
    return false;
  return true_extent == size && (extent == size || count <= 1);
}

bool tutti_type_is_dense(MPI_Datatype type, uint64_t count, MPI_Aint *lower)
{
  MPI_Datatype current = type;
  bool owned = false, made = true, simple = true;
  uint64_t repeated = 1; /* elements of `current` in what it is part of */
  if (!fills_its_extent(type, count, lower))
    return false;
  while (simple && made) {
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    MPI_Aint ignored;
    simple = fills_its_extent(current, repeated, &ignored) && unwrap(current, &inner, &made, &repeated);
    if (owned)
      release(&current);
    if (simple && made) {
      current = inner;
      owned = true;
    }
  }
  return simple;
}
