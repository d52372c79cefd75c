/* Counting checks over all ranks of an MPI test program. */
#ifndef TUTTI_TESTS_CHECK_H
#define TUTTI_TESTS_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include <mpi.h>

enum { CHECKS_TOLD = 5 };

struct checks {
  long passed, failed;
};

static inline void __attribute__((format(printf, 3, 4)))
check(struct checks *checks, bool right, const char *format, ...)
{
  va_list arguments;
  if (right) {
    checks->passed++;
    return;
  }
  if (checks->failed++ >= CHECKS_TOLD)
    return; /* the first ones say what is wrong */
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

/* Rank 0 prints the closing line that the test runner demands. */
static inline int check_report(struct checks *checks)
{
  long mine[2] = {checks->passed, checks->failed}, all[2];
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%ld passed, %ld failed\n", all[0], all[1]);
    fflush(stdout);
  }
  return all[1] != 0;
}

#endif
