/* Nonblocking and persistent collectives of 8 and 65536 bytes, each started and waited for, of the interposer beside
   the MPI library's own, in turns, in one process on two ranks: MPI_Ibcast() is the interposer's if it is loaded,
   PMPI_Ibcast() the library's. And a message there and back, which shows what the interposer costs other calls.

   mpiexec -n 2 env TUTTI_NONBLOCKING=1 LD_PRELOAD=libtutti_mpi.so nonblocking [ROUNDS [CALLS]]: times are the least of
   ROUNDS rounds of CALLS calls. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

enum { BARRIER, BCAST, ALLREDUCE, ALLGATHER, ALLTOALL, OPERATIONS };
enum { MAX_BYTES = 1 << 16, MAX_DOUBLES = MAX_BYTES / 8 };

static const char *const names[OPERATIONS] = {"barrier", "bcast", "allreduce", "allgather", "alltoall"};

struct buffers {
  double in[2 * MAX_DOUBLES], out[2 * MAX_DOUBLES];
};

#define FORMS(prefix)                                                                                                  \
  static void start_##prefix(int operation, struct buffers *b, int n, MPI_Request *request)                            \
  {                                                                                                                    \
    const MPI_Comm comm = MPI_COMM_WORLD;                                                                              \
    const MPI_Datatype type = MPI_DOUBLE;                                                                              \
    if (operation == BARRIER)                                                                                          \
      prefix##_Ibarrier(comm, request);                                                                                \
    else if (operation == BCAST)                                                                                       \
      prefix##_Ibcast(b->out, n, type, 0, comm, request);                                                              \
    else if (operation == ALLREDUCE)                                                                                   \
      prefix##_Iallreduce(b->in, b->out, n, type, MPI_SUM, comm, request);                                             \
    else if (operation == ALLGATHER)                                                                                   \
      prefix##_Iallgather(b->in, n, type, b->out, n, type, comm, request);                                             \
    else                                                                                                               \
      prefix##_Ialltoall(b->in, n, type, b->out, n, type, comm, request);                                              \
  }

FORMS(MPI)
FORMS(PMPI)

#if defined OPEN_MPI
#define INIT         MPIX_Allreduce_init
#define LIBRARY_INIT PMPIX_Allreduce_init
#elif MPI_VERSION >= 4
#define INIT         MPI_Allreduce_init
#define LIBRARY_INIT PMPI_Allreduce_init
#endif

static double least(double a, double b)
{
  return a < b ? a : b;
}

/* Seconds of a call on the rank that takes longer. */
static double per_call(double begun, int calls)
{
  double own = (MPI_Wtime() - begun) / calls, slowest;
  PMPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static double time_started(void (*start)(int, struct buffers *, int, MPI_Request *), int operation, struct buffers *b,
                           int n, int calls)
{
  MPI_Request request;
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  for (int i = 0; i < calls; i++) {
    start(operation, b, n, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return per_call(begun, calls);
}

static double time_message(int rank, int calls)
{
  double word = 0;
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  for (int i = 0; i < calls; i++)
    for (int turn = 0; turn < 2; turn++)
      if (rank == turn)
        MPI_Send(&word, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
      else
        MPI_Recv(&word, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return per_call(begun, calls);
}

static void print(int rank, const char *name, int bytes, double own, double library)
{
  if (rank == 0)
    printf("%-22s %7d B  %10.0f ns  library %10.0f ns  %5.2f\n", name, bytes, own * 1e9, library * 1e9, own / library);
}

#ifdef INIT
static double time_persistent(MPI_Request *request, int calls)
{
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  for (int i = 0; i < calls; i++) {
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  return per_call(begun, calls);
}

static void persistent(int rank, struct buffers *b, int bytes, int rounds, int calls)
{
  MPI_Request requests[2];
  double own = 1, library = 1;
  INIT(b->in, b->out, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  LIBRARY_INIT(b->in, b->out, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  for (int round = 0; round < rounds; round++) {
    own = least(own, time_persistent(&requests[0], calls));
    library = least(library, time_persistent(&requests[1], calls));
  }
  print(rank, "allreduce, persistent", bytes, own, library);
  for (int i = 0; i < 2; i++)
    MPI_Request_free(&requests[i]);
}
#endif

int main(int argc, char **argv)
{
  static struct buffers b;
  const int rounds = argc > 1 ? atoi(argv[1]) : 40, calls = argc > 2 ? atoi(argv[2]) : 200;
  int rank;
  double message = 1, own, library;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < rounds; round++)
    message = least(message, time_message(rank, calls));
  if (rank == 0)
    printf("%-22s %7d B  %10.0f ns\n", "message there and back", 8, message * 1e9);
  for (int bytes = 8; bytes <= MAX_BYTES; bytes *= MAX_BYTES / 8) {
    for (int operation = bytes == 8 ? BARRIER : BCAST; operation < OPERATIONS; operation++) {
      own = library = 1;
      for (int round = 0; round < rounds; round++) {
        own = least(own, time_started(start_MPI, operation, &b, bytes / 8, calls));
        library = least(library, time_started(start_PMPI, operation, &b, bytes / 8, calls));
      }
      print(rank, names[operation], operation == BARRIER ? 0 : bytes, own, library);
    }
#ifdef INIT
    persistent(rank, &b, bytes, rounds, calls);
#endif
  }
  MPI_Finalize();
  return 0;
}
