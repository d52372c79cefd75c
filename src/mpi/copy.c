#include "mpi/copy.h"

#include "mpi/pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool tutti_type_is_plain(MPI_Datatype type, int *size)
{
  MPI_Aint lower, extent, true_lower, true_extent;
  if (MPI_Type_size(type, size) != MPI_SUCCESS || MPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS ||
      MPI_Type_get_true_extent(type, &true_lower, &true_extent) != MPI_SUCCESS)
    return false;
  return lower == 0 && true_lower == 0 && extent == *size && true_extent == *size;
}

/* Pack and unpack a few elements at a time, through a scratch of at least one element: on the stack unless an element
   is large, so that persistent operations allocate nothing. */
enum { SCRATCH_BYTES = 1024 };

struct end {
  char *base;
  MPI_Datatype type;
  MPI_Aint extent;
};

static int copy_some(const struct end *from, const struct end *to, uint64_t first, int count, int size, char *scratch,
                     MPI_Comm comm)
{
  int result = tutti_pack_or_unpack(from->base + (MPI_Aint)first * from->extent, count, from->type, scratch,
                                    count * size, true, comm);
  if (result != MPI_SUCCESS)
    return result;
  return tutti_pack_or_unpack(to->base + (MPI_Aint)first * to->extent, count, to->type, scratch, count * size, false,
                              comm);
}

static int copy_packed(const struct end *from, const struct end *to, uint64_t count, MPI_Comm comm)
{
  int one, result = MPI_Type_size(from->type, &one);
  if (result != MPI_SUCCESS || one <= 0)
    return result;
  char small[SCRATCH_BYTES], *scratch = one > SCRATCH_BYTES ? malloc((size_t)one) : small;
  int at_once = one < SCRATCH_BYTES ? SCRATCH_BYTES / one : 1;
  if (!scratch)
    return MPI_ERR_NO_MEM;
  for (uint64_t first = 0; first < count && result == MPI_SUCCESS; first += (uint64_t)at_once) {
    int some = count - first < (uint64_t)at_once ? (int)(count - first) : at_once;
    result = copy_some(from, to, first, some, one, scratch, comm);
  }
  if (scratch != small)
    free(scratch);
  return result;
}

int tutti_copy_local(const void *source, MPI_Datatype source_type, void *target, MPI_Datatype target_type,
                     uint64_t count, MPI_Comm comm)
{
  int source_size, target_size;
  MPI_Aint lower;
  struct end from = {.type = source_type}, to = {.base = target, .type = target_type};
  if (tutti_type_is_plain(source_type, &source_size) && tutti_type_is_plain(target_type, &target_size) &&
      source_size == target_size) {
    memcpy(target, source, (size_t)count * (size_t)source_size);
    return MPI_SUCCESS;
  }
  memcpy(&from.base, &source, sizeof source); /* MPI_Pack() only reads */
  int result = MPI_Type_get_extent(source_type, &lower, &from.extent);
  if (result == MPI_SUCCESS)
    result = MPI_Type_get_extent(target_type, &lower, &to.extent);
  return result == MPI_SUCCESS ? copy_packed(&from, &to, count, comm) : result;
}

/* Element 0 is aligned as a buffer of the program would be. */
enum { ALIGNMENT = _Alignof(max_align_t) };

char *tutti_elements_alloc(tutti_arena *arena, uint64_t count, MPI_Datatype type, MPI_Aint *before)
{
  MPI_Aint lower, extent, true_lower, span;
  if (MPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS ||
      MPI_Type_get_true_extent(type, &true_lower, &span) != MPI_SUCCESS)
    return NULL;
  size_t stretch = (size_t)(extent < 0 ? -extent : extent);
  if (stretch > 0 && count > (SIZE_MAX / 2 - (size_t)span) / stretch)
    return NULL;
  char *memory = tutti_arena_alloc(arena, count * stretch + (size_t)span + ALIGNMENT);
  *before = (extent < 0 && count > 0 ? (MPI_Aint)((count - 1) * stretch) : 0) - true_lower;
  *before += (MPI_Aint)((0 - (uintptr_t)memory - (uintptr_t)*before) % ALIGNMENT);
  return memory;
}
