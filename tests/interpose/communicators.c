/* A program with more communicators at the same time than the interposer has tags (MAX_COMMUNICATORS), and a call on
   each. */
#include <mpi.h>
#include <stdio.h>

enum { COMMUNICATORS = 520 };

int main(int argc, char **argv)
{
  static MPI_Comm comms[COMMUNICATORS];
  int rank, size, failed = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int c = 0; c < COMMUNICATORS; c++) {
    int sum = -1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comms[c]);
    failed += sum != size * (size - 1) / 2;
  }
  for (int c = 0; c < COMMUNICATORS; c++)
    MPI_Comm_free(&comms[c]);
  if (rank == 0)
    printf("%d passed, %d failed\nthe end is right\n", COMMUNICATORS - failed, failed);
  MPI_Finalize();
  return failed > 0;
}
