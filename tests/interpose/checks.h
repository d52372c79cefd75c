/* Counting the checks of a test program, and integers that are one more at each place. */
#ifndef TUTTI_TESTS_INTERPOSE_CHECKS_H
#define TUTTI_TESTS_INTERPOSE_CHECKS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int passed, failed;

static void check(bool good, const char *what)
{
  int rank;
  passed += good;
  failed += !good;
  if (good)
    return;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fprintf(stderr, "FAILED at %d: %s\n", rank, what);
}

/* Rank 0 says how many passed and failed on all ranks. Returns the exit status. */
static int end_checks(void)
{
  int rank, all[2], own[2] = {passed, failed};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d passed, %d failed\nthe end is right\n", all[0], all[1]);
  MPI_Finalize();
  return failed > 0;
}

static void fill(int *data, int value, int count)
{
  for (int i = 0; i < count; i++)
    data[i] = value + i;
}

static bool holds(const int *data, int value, int count)
{
  for (int i = 0; i < count; i++)
    if (data[i] != value + i)
      return false;
  return true;
}

#endif
