/* Sums that round are the same bits on all ranks; sums of integers and maxima are what they must be. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RANKS = 64, TIMES = 20 };

/* 1 if a rank has other bits than rank 0, which tells. */
static int differ(double own, int rank, int size)
{
  double all[MAX_RANKS];
  int found = 0;
  MPI_Gather(&own, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int r = 1; r < size && rank == 0; r++)
    found = found || memcmp(&all[r], &all[0], sizeof own) != 0;
  return found;
}

/* Whether a nonblocking sum has other bits than a blocking one; between two groups there is none to compare with. */
static int differ_in_form(double term, double sum, int rank)
{
  double other = 0;
  MPI_Request request;
  MPI_Comm half, both;
  MPI_Iallreduce(&term, &other, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const int found = memcmp(&other, &sum, sizeof sum) != 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, (rank + 1) % 2, 3, &both);
  MPI_Allreduce(&term, &other, 1, MPI_DOUBLE, MPI_SUM, both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
  return found;
}

int main(int argc, char **argv)
{
  int rank, size, failed = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > MAX_RANKS)
    MPI_Abort(MPI_COMM_WORLD, 2);
  for (int i = 0; i < TIMES; i++) { /* of the same number of bytes, in turns */
    const double term = 1 / (3 + i + 0.7 * rank * rank);
    const long long number = rank + i;
    double sum, largest;
    long long whole;
    MPI_Allreduce(&term, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&number, &whole, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&term, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (argc > 1 && strcmp(argv[1], "forms") == 0)
      failed += differ_in_form(term, sum, rank);
    failed +=
        differ(sum, rank, size) + (whole != (long long)size * i + size * (size - 1) / 2) + (largest != 1 / (3.0 + i));
  }
  if (rank == 0)
    printf("%d passed, %d failed\nthe end is right\n", 3 * TIMES - failed, failed);
  MPI_Finalize();
  return failed > 0;
}
