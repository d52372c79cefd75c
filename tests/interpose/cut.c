/* A program that does not reach MPI_Finalize(): 40 sums on all ranks, as many more on each, elsewhere, as the second
   argument says, and then rank 1 ends as the argument says. whole: no, it ends as it should; abort: MPI_Abort(); exit:
   exit() of all ranks; segv, abrt, term, kill: by a signal. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void end_by(const char *how)
{
  if (strcmp(how, "abort") == 0)
    MPI_Abort(MPI_COMM_WORLD, 3);
  if (strcmp(how, "segv") == 0)
    raise(SIGSEGV);
  if (strcmp(how, "abrt") == 0)
    abort();
  if (strcmp(how, "term") == 0)
    raise(SIGTERM);
  if (strcmp(how, "kill") == 0)
    raise(SIGKILL);
}

int main(int argc, char **argv)
{
  int rank, one = 1, sum = 0, more = argc > 2 ? atoi(argv[2]) : 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 40; i++)
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (more > 0 && chdir("/") != 0)
    return 2;
  for (int i = 0; i < more; i++)
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  if (strcmp(argv[1], "exit") == 0)
    exit(0);
  if (rank == 1)
    end_by(argv[1]);
  MPI_Bcast(&sum, 1, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
