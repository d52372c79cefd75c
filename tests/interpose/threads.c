/* A program with threads that use communicators of their own at the same time, and make more of them. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 20, CALLS = 8 };

struct worker {
  pthread_t thread;
  MPI_Comm comm;
  int number, failed;
};

static int sum_of(MPI_Comm comm, int value)
{
  int sum = -1;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
  return sum;
}

static void *work(void *argument)
{
  struct worker *own = argument;
  int rank, size;
  MPI_Comm_rank(own->comm, &rank);
  MPI_Comm_size(own->comm, &size);
  for (int i = 0; i < ROUNDS; i++) {
    MPI_Comm twin;
    MPI_Comm_dup(own->comm, &twin);
    for (int c = 0; c < CALLS; c++)
      own->failed += sum_of(twin, rank + own->number) != size * (size - 1) / 2 + size * own->number;
    MPI_Comm_free(&twin);
  }
  return NULL;
}

int main(int argc, char **argv)
{
  struct worker workers[THREADS];
  int provided, rank, failed = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int t = 0; t < THREADS; t++) {
    workers[t] = (struct worker){.number = t};
    MPI_Comm_dup(MPI_COMM_WORLD, &workers[t].comm);
  }
  for (int t = 0; t < THREADS && provided == MPI_THREAD_MULTIPLE; t++)
    pthread_create(&workers[t].thread, NULL, work, &workers[t]);
  for (int t = 0; t < THREADS && provided == MPI_THREAD_MULTIPLE; t++)
    pthread_join(workers[t].thread, NULL);
  if (provided == MPI_THREAD_MULTIPLE) {
    MPI_Request request;
    MPI_Ibcast(&provided, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  for (int t = 0; t < THREADS; t++) {
    failed += workers[t].failed;
    MPI_Comm_free(&workers[t].comm);
  }
  if (rank == 0)
    printf("%d passed, %d failed\nthe end is right\n", THREADS * ROUNDS * CALLS - failed, failed);
  MPI_Finalize();
  return failed > 0;
}
