/* A program that calls small collectives very often from few places: what is recorded of them may be an estimate, but
   not how often they were called. The first argument: how often. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  const int calls = argc > 1 ? atoi(argv[1]) : 1000;
  int rank, size, failed = 0;
  double begun, begin, elapsed, all;
  MPI_Init(&argc, &argv);
  begun = MPI_Wtime();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  begin = MPI_Wtime();
  for (int i = 0; i < calls; i++) {
    int own = rank + i, sum = 0, word = rank == 0 ? i : -1;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    failed += sum != size * i + size * (size - 1) / 2 || word != i;
  }
  elapsed = MPI_Wtime() - begin;
  MPI_Reduce(&elapsed, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("whole %.9f\nelapsed %.9f\n%d passed, %d failed\nthe end is right\n", MPI_Wtime() - begun, all, calls - failed, failed);
  MPI_Finalize();
  return failed > 0;
}
