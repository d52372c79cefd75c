#include "mpi/large.h"

#include <limits.h>

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

int tutti_large_type(uint64_t count, MPI_Datatype type, MPI_Datatype *large)
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
  return TUTTI_POST_SEND(transfer->buffer, count, type, transfer->peer, transfer->tag, comm, request);
}

/* More elements than an int counts: as one element of a type that has them all. */
int tutti_post(const struct transfer *transfer, MPI_Comm comm, MPI_Request *request)
{
  MPI_Datatype large;
  if (transfer->count <= INT_MAX)
    return post(transfer, (int)transfer->count, transfer->type, comm, request);
  int result = tutti_large_type(transfer->count, transfer->type, &large);
  if (result != MPI_SUCCESS)
    return result;
  result = post(transfer, 1, large, comm, request);
  MPI_Type_free(&large);
  return result;
}
