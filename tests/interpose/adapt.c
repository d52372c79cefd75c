/* A program that calls the same collectives often: candidates are tried, and results stay right.

   usage: adapt [CALLS] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 1500, WORDS = 4096 };

int main(int argc, char **argv)
{
  static double in[WORDS], out[WORDS];
  int rank, size, wrong = 0, all;
  MPI_Comm half;
  const int given = argc > 1 ? atoi(argv[1]) : 0, calls = given > 0 ? given : CALLS;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int i = 0; i < calls; i++) {
    in[0] = rank + i;
    MPI_Allreduce(in, out, 1 + i % 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    wrong += out[0] != (double)size * i + size * (size - 1) / 2;
    in[WORDS - 1] = rank == i % size ? i : -1;
    MPI_Bcast(in, WORDS, MPI_DOUBLE, i % size, MPI_COMM_WORLD);
    wrong += in[WORDS - 1] != i;
    MPI_Allreduce(&in[WORDS - 1], out, 1, MPI_DOUBLE, MPI_MAX, half);
    wrong += out[0] != i;
    if (i % 8 == 0)
      MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Comm_free(&half);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0 && all == 0)
    printf("%d passed, 0 failed\nthe end is right\n", 3 * calls);
  return 0;
}
