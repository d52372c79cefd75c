/* Elements of MPI datatypes: packed, copied, classified, and sent in any number. */
#include "algorithms/mpi/elements.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int move_elements(char *element, int count, MPI_Datatype type, char *packed, int bytes, bool load, MPI_Comm comm)
{
  int position = 0;
  int result = load ? MPI_Pack(element, count, type, packed, bytes, &position, comm)
                    : MPI_Unpack(packed, bytes, &position, element, count, type, comm);
  return result == MPI_SUCCESS && position != bytes ? MPI_ERR_TYPE : result;
}

/* MPICH refuses to pack from MPI_BOTTOM and SMPI takes it for nothing: so the address goes from the type to the buffer.
 */
static int move_at_bottom(int count, MPI_Datatype type, char *packed, int bytes, bool load, MPI_Comm comm)
{
  const int one = 1;
  MPI_Datatype shifted = MPI_DATATYPE_NULL;
  MPI_Aint begin, span;
  int result = MPI_Type_get_true_extent(type, &begin, &span);
  if (result != MPI_SUCCESS)
    return result;
  const MPI_Aint back = -begin;
  result = MPI_Type_create_hindexed(1, &one, &back, type, &shifted);
  if (result == MPI_SUCCESS)
    result = MPI_Type_commit(&shifted);
  if (result == MPI_SUCCESS)
    result = move_elements((char *)NULL + begin, count, shifted, packed, bytes, load, comm);
  if (shifted != MPI_DATATYPE_NULL)
    MPI_Type_free(&shifted);
  return result;
}

int tutti_pack_or_unpack(char *element, int count, MPI_Datatype type, char *packed, int bytes, bool load, MPI_Comm comm)
{
  return element == NULL ? move_at_bottom(count, type, packed, bytes, load, comm)
                         : move_elements(element, count, type, packed, bytes, load, comm);
}

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

bool tutti_elements_room(uint64_t count, MPI_Datatype type, size_t *bytes, MPI_Aint *before)
{
  MPI_Aint lower, extent, true_lower, span;
  if (MPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS ||
      MPI_Type_get_true_extent(type, &true_lower, &span) != MPI_SUCCESS)
    return false;
  size_t stretch = (size_t)(extent < 0 ? -extent : extent);
  if (stretch > 0 && count > (SIZE_MAX / 2 - (size_t)span) / stretch)
    return false;
  *bytes = count * stretch + (size_t)span + ALIGNMENT;
  *before = (extent < 0 && count > 0 ? (MPI_Aint)((count - 1) * stretch) : 0) - true_lower;
  *before += (MPI_Aint)((0 - (size_t)*before) % ALIGNMENT);
  return true;
}

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

/* A type from MPI_Type_get_contents() must be freed unless it is predefined. */
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
  uint64_t repeated = 1; /* elements of `current` in its parent */
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

bool tutti_type_is_predefined(MPI_Datatype type)
{
  int integers, addresses, types, combiner;
  return PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
         combiner == MPI_COMBINER_NAMED;
}

bool tutti_operation_is_predefined(MPI_Op op)
{
  const MPI_Op own[] = {MPI_SUM, MPI_MAX, MPI_MIN,  MPI_PROD, MPI_LAND,   MPI_BAND,
                        MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (op == own[i])
      return true;
  return false;
}

/* Elements of the type that is repeated; the rest is counted one by one. */
enum { PIECE = 1 << 30 };

static int join(MPI_Datatype pieces, MPI_Datatype rest, MPI_Aint end_of_pieces, MPI_Datatype *large)
{
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, end_of_pieces};
  MPI_Datatype types[2] = {pieces, rest};
  int result = MPI_Type_create_struct(2, lengths, places, types, large);
  return result == MPI_SUCCESS ? MPI_Type_commit(large) : result;
}

static int make_pieces(uint64_t count, MPI_Datatype type, MPI_Datatype *pieces)
{
  MPI_Datatype piece;
  int result = count / PIECE > INT_MAX ? MPI_ERR_COUNT : MPI_Type_contiguous(PIECE, type, &piece);
  if (result != MPI_SUCCESS)
    return result;
  result = MPI_Type_contiguous((int)(count / PIECE), piece, pieces);
  MPI_Type_free(&piece);
  return result;
}

/* A committed type of `count` consecutive elements of `type`. Returns an MPI error class. */
static int make_large_type(uint64_t count, MPI_Datatype type, MPI_Datatype *large)
{
  MPI_Datatype pieces, rest;
  MPI_Aint lower, extent;
  int result = MPI_Type_get_extent(type, &lower, &extent);
  if (result == MPI_SUCCESS)
    result = make_pieces(count, type, &pieces);
  if (result != MPI_SUCCESS)
    return result;
  result = MPI_Type_contiguous((int)(count % PIECE), type, &rest);
  if (result == MPI_SUCCESS) {
    result = join(pieces, rest, (MPI_Aint)(count - count % PIECE) * extent, large);
    MPI_Type_free(&rest);
  }
  MPI_Type_free(&pieces);
  return result;
}

static int post(const struct transfer *transfer, int count, MPI_Datatype type, MPI_Comm comm, MPI_Request *request)
{
  if (transfer->receive)
    return MPI_Irecv(transfer->buffer, count, type, transfer->peer, transfer->tag, comm, request);
  return MPI_Isend(transfer->buffer, count, type, transfer->peer, transfer->tag, comm, request);
}

/* SMPI counts the bytes of a message in an int, and ends with nonsense about memory. */
static int check_bytes(const struct transfer *transfer)
{
#ifdef SMPI_HELPERS_H
  int size = 0, result = transfer->count > 0 ? MPI_Type_size(transfer->type, &size) : MPI_SUCCESS;
  if (result == MPI_SUCCESS && size > 0 && transfer->count > (uint64_t)(INT_MAX / size))
    result = MPI_ERR_COUNT;
  return result;
#else
  (void)transfer;
  return MPI_SUCCESS;
#endif
}

/* More elements than an int counts are sent as one element of a type that has them all. */
int tutti_post(const struct transfer *transfer, MPI_Comm comm, MPI_Request *request)
{
  MPI_Datatype large;
  const int fits = check_bytes(transfer);
  if (fits != MPI_SUCCESS)
    return fits;
  if (transfer->count <= INT_MAX)
    return post(transfer, (int)transfer->count, transfer->type, comm, request);
  int result = make_large_type(transfer->count, transfer->type, &large);
  if (result != MPI_SUCCESS)
    return result;
  result = post(transfer, 1, large, comm, request);
  MPI_Type_free(&large);
  return result;
}
