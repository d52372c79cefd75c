#include "mpi/pack.h"

#include <stddef.h>

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
