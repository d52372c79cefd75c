/* The beginning and the end of an MPI test program, and counting its checks over all ranks. */
#ifndef TUTTI_TESTS_CHECK_H
#define TUTTI_TESTS_CHECK_H

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tutti/view.h"

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

/* Start MPI and view all ranks. */
static inline void check_begin(int *argc, char ***argv, tutti_view *world)
{
  tutti_error error;
  MPI_Init(argc, argv);
  if (tutti_view_of(MPI_COMM_WORLD, world, &error) == TUTTI_OK)
    return;
  fprintf(stderr, "%s\n", error.message);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* End MPI. Rank 0 prints the closing line that the test runner demands; returns what main() has to. */
static inline int check_end(const struct checks *checks)
{
  long mine[2] = {checks->passed, checks->failed}, all[2];
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%ld passed, %ld failed\n", all[0], all[1]);
    fflush(stdout);
  }
  MPI_Finalize();
  return all[1] != 0;
}

#endif
