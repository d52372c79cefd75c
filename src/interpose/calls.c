/* The functions of MPI that stand in front of the library's own. */
#include <mpi.h>

#include "interpose/process.h"
#include "interpose/serve.h"

/* MPI_NAME with its parameters, the same as arguments of a call, and as `struct arguments`. */
#define INTERPOSE(name, parameters, list, ...)                                                                         \
  int MPI_##name parameters                                                                                            \
  {                                                                                                                    \
    struct arguments arguments = __VA_ARGS__;                                                                          \
    struct call call = {.arguments = &arguments, .site = __builtin_return_address(0)};                                 \
    int result;                                                                                                        \
    if (tutti_serve(&call, comm, &result))                                                                             \
      return result;                                                                                                   \
    return tutti_passed(&call, comm, PMPI_##name list);                                                                \
  }

/* A negative count becomes one that no call may have. */
#define REGULAR(buffer, elements, datatype)                                                                            \
  {                                                                                                                    \
    .base = (void *)(buffer), .count = (uint64_t)(elements), .type = (datatype)                                        \
  }
#define IRREGULAR(buffer, elements, places, datatype)                                                                  \
  {                                                                                                                    \
    .base = (void *)(buffer), .counts = (elements), .displacements = (places), .type = (datatype)                      \
  }
#define OF_TYPES(buffer, elements, places, datatypes)                                                                  \
  {                                                                                                                    \
    .base = (void *)(buffer), .counts = (elements), .displacements = (places), .types = (datatypes)                    \
  }
#define OPERAND(buffer, datatype)                                                                                      \
  {                                                                                                                    \
    .base = (void *)(buffer), .type = (datatype)                                                                       \
  }

INTERPOSE(Bcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
          (buffer, count, type, root, comm),
          {.collective = TUTTI_COLL_BCAST, .output = REGULAR(buffer, count, type), .root = root})

INTERPOSE(Barrier, (MPI_Comm comm), (comm), {.collective = TUTTI_COLL_BARRIER})

INTERPOSE(Scatter,
          (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm),
          (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          {.collective = TUTTI_COLL_SCATTER,
           .input = REGULAR(sendbuf, sendcount, sendtype),
           .output = REGULAR(recvbuf, recvcount, recvtype),
           .root = root})

INTERPOSE(Scatterv,
          (const void *sendbuf, const int *sendcounts, const int *displs, MPI_Datatype sendtype, void *recvbuf,
           int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
          (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm),
          {.collective = TUTTI_COLL_SCATTERV,
           .input = IRREGULAR(sendbuf, sendcounts, displs, sendtype),
           .output = REGULAR(recvbuf, recvcount, recvtype),
           .root = root})

INTERPOSE(Gather,
          (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm),
          (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          {.collective = TUTTI_COLL_GATHER,
           .input = REGULAR(sendbuf, sendcount, sendtype),
           .output = REGULAR(recvbuf, recvcount, recvtype),
           .root = root})

INTERPOSE(Gatherv,
          (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
           const int *displs, MPI_Datatype recvtype, int root, MPI_Comm comm),
          (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm),
          {.collective = TUTTI_COLL_GATHERV,
           .input = REGULAR(sendbuf, sendcount, sendtype),
           .output = IRREGULAR(recvbuf, recvcounts, displs, recvtype),
           .root = root})

INTERPOSE(Allgather,
          (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm),
          (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          {.collective = TUTTI_COLL_ALLGATHER,
           .input = REGULAR(sendbuf, sendcount, sendtype),
           .output = REGULAR(recvbuf, recvcount, recvtype)})

INTERPOSE(Allgatherv,
          (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
           const int *displs, MPI_Datatype recvtype, MPI_Comm comm),
          (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
          {.collective = TUTTI_COLL_ALLGATHERV,
           .input = REGULAR(sendbuf, sendcount, sendtype),
           .output = IRREGULAR(recvbuf, recvcounts, displs, recvtype)})

INTERPOSE(Alltoall,
          (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
           MPI_Datatype recvtype, MPI_Comm comm),
          (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          {.collective = TUTTI_COLL_ALLTOALL,
           .input = REGULAR(sendbuf, sendcount, sendtype),
           .output = REGULAR(recvbuf, recvcount, recvtype)})

INTERPOSE(Alltoallv,
          (const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype, void *recvbuf,
           const int *recvcounts, const int *rdispls, MPI_Datatype recvtype, MPI_Comm comm),
          (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm),
          {.collective = TUTTI_COLL_ALLTOALLV,
           .input = IRREGULAR(sendbuf, sendcounts, sdispls, sendtype),
           .output = IRREGULAR(recvbuf, recvcounts, rdispls, recvtype)})

INTERPOSE(Alltoallw,
          (const void *sendbuf, const int *sendcounts, const int *sdispls, const MPI_Datatype *sendtypes, void *recvbuf,
           const int *recvcounts, const int *rdispls, const MPI_Datatype *recvtypes, MPI_Comm comm),
          (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm),
          {.collective = TUTTI_COLL_ALLTOALLW,
           .input = OF_TYPES(sendbuf, sendcounts, sdispls, sendtypes),
           .output = OF_TYPES(recvbuf, recvcounts, rdispls, recvtypes)})

INTERPOSE(Reduce,
          (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
          (sendbuf, recvbuf, count, type, op, root, comm),
          {.collective = TUTTI_COLL_REDUCE,
           .input = OPERAND(sendbuf, type),
           .output = REGULAR(recvbuf, count, type),
           .op = op,
           .root = root})

INTERPOSE(Reduce_scatter_block,
          (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (sendbuf, recvbuf, recvcount, type, op, comm),
          {.collective = TUTTI_COLL_REDUCE_SCATTER_BLOCK,
           .input = OPERAND(sendbuf, type),
           .output = REGULAR(recvbuf, recvcount, type),
           .op = op})

INTERPOSE(Reduce_scatter,
          (const void *sendbuf, void *recvbuf, const int *recvcounts, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (sendbuf, recvbuf, recvcounts, type, op, comm),
          {.collective = TUTTI_COLL_REDUCE_SCATTER,
           .input = OPERAND(sendbuf, type),
           .output = IRREGULAR(recvbuf, recvcounts, NULL, type),
           .op = op})

INTERPOSE(Allreduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (sendbuf, recvbuf, count, type, op, comm),
          {.collective = TUTTI_COLL_ALLREDUCE,
           .input = OPERAND(sendbuf, type),
           .output = REGULAR(recvbuf, count, type),
           .op = op})

INTERPOSE(
    Scan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (sendbuf, recvbuf, count, type, op, comm),
    {.collective = TUTTI_COLL_SCAN, .input = OPERAND(sendbuf, type), .output = REGULAR(recvbuf, count, type), .op = op})

INTERPOSE(Exscan, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          (sendbuf, recvbuf, count, type, op, comm),
          {.collective = TUTTI_COLL_EXSCAN,
           .input = OPERAND(sendbuf, type),
           .output = REGULAR(recvbuf, count, type),
           .op = op})

/* ---- the beginning and the end ---- */

int MPI_Init(int *argc, char ***argv)
{
  int result = PMPI_Init(argc, argv);
  if (result == MPI_SUCCESS)
    tutti_process_begin();
  return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  int result = PMPI_Init_thread(argc, argv, required, provided);
  if (result == MPI_SUCCESS)
    tutti_process_begin();
  return result;
}

#if MPI_VERSION >= 4

int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
  int result = PMPI_Session_init(info, handler, session);
  if (result == MPI_SUCCESS)
    tutti_session_begin(*session);
  return result;
}

int MPI_Session_finalize(MPI_Session *session)
{
  tutti_session_end(*session);
  return PMPI_Session_finalize(session);
}

#endif

int MPI_Finalize(void)
{
  tutti_process_end();
  return PMPI_Finalize();
}
