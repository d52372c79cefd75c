/* What a trace, and the interposer without one, cost small messages: a ping-pong of 8 bytes by MPI_Send() and
   MPI_Recv() beside the library's own, by their PMPI_ names, in turns in one process.

   mpiexec -n 2 env LD_PRELOAD=libtutti_mpi.so messages-trace [ROUNDS [CALLS]]: prints the least microseconds of a
   message of ROUNDS rounds of CALLS messages: the library's, the interposer's, and the ratio. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 3 };

#define FORM(prefix)                                                                                                   \
  static double loop_##prefix(int rank, int calls)                                                                     \
  {                                                                                                                    \
    double data = 1;                                                                                                   \
    const double begin = PMPI_Wtime();                                                                                 \
    for (int i = 0; i < calls; i++)                                                                                    \
      if (i % 2 == rank)                                                                                               \
        prefix##_Send(&data, 1, MPI_DOUBLE, 1 - rank, TAG, MPI_COMM_WORLD);                                            \
      else                                                                                                             \
        prefix##_Recv(&data, 1, MPI_DOUBLE, 1 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                         \
    return (PMPI_Wtime() - begin) / calls;                                                                             \
  }

FORM(MPI)
FORM(PMPI)

int main(int argc, char **argv)
{
  const int rounds = argc > 1 ? atoi(argv[1]) : 200, calls = argc > 2 ? atoi(argv[2]) : 2000;
  double least[2] = {1, 1};
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int r = 0; r < rounds; r++) {
    const double took[2] = {loop_PMPI(rank, calls), loop_MPI(rank, calls)};
    for (int v = 0; v < 2; v++)
      least[v] = took[v] < least[v] ? took[v] : least[v];
  }
  if (rank == 0)
    printf("library %.4f us, interposer %.4f us, %.3f times\n", least[0] * 1e6, least[1] * 1e6, least[1] / least[0]);
  return MPI_Finalize();
}
