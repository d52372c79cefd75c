/* A program of MPI 4 that has no MPI_COMM_WORLD but two sessions. (MPICH 4.0.2 fails if the last one is closed and
   another one opened.) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int sum_of(MPI_Comm comm, int value)
{
  int sum = -1;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Bcast(&sum, 1, MPI_INT, 0, comm);
  return sum;
}

static MPI_Comm open_session(MPI_Session *session)
{
  MPI_Group group;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session);
  MPI_Group_from_session_pset(*session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "program", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  return comm;
}

/* Wrong sums of many. */
static int use(MPI_Comm comm)
{
  int rank, size, failed = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < 20; i++)
    failed += sum_of(comm, rank + i) != size * (size - 1) / 2 + size * i;
  return failed;
}

/* The first process ends last: a launcher that takes the others for failed kills it. */
static void linger(void)
{
  const struct timespec pause = {.tv_nsec = 300000000};
  nanosleep(&pause, NULL);
}

int main(void)
{
  const char *first = getenv("PMI_RANK");
  MPI_Session sessions[2];
  MPI_Comm comms[2], twin;
  int rank, failed = 0;
  if (first && strcmp(first, "0") == 0)
    atexit(linger);
  for (int s = 0; s < 2; s++)
    comms[s] = open_session(&sessions[s]);
  MPI_Comm_rank(comms[0], &rank);
  MPI_Comm_dup(comms[1], &twin);
  failed = use(comms[0]) + use(comms[1]) + use(twin);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&comms[1]);
  MPI_Session_finalize(&sessions[1]);
  failed += use(comms[0]);
  MPI_Comm_free(&comms[0]);
  MPI_Session_finalize(&sessions[0]);
  if (rank == 0)
    printf("%d passed, %d failed\nthe end is right\n", 80 - failed, failed);
  return failed > 0;
}
