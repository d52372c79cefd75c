/* What the schedule costs at scale: a binomial broadcast of 8 bytes and a Bruck barrier, either through schedules or by
   plain MPI calls that send the same messages. bench/scale.sh runs both and prints the ratios. */
#include <stdio.h>
#include <string.h>

#include "tutti/collectives.h"

#ifdef SMPI_HELPERS_H
#define POST_SEND MPI_Issend
#else
#define POST_SEND MPI_Isend
#endif

enum { BYTES = 8, TAG = 1 };

static void through_schedules(char *data)
{
  tutti_view view;
  tutti_error error = {.status = TUTTI_OK};
  tutti_method bcast = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "binomial"));
  tutti_method barrier = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BARRIER, "bruck"));
  if (tutti_view_of(MPI_COMM_WORLD, &view, &error) != TUTTI_OK ||
      tutti_bcast(&bcast, data, BYTES, MPI_BYTE, 0, &view, &error) != TUTTI_OK ||
      tutti_barrier(&barrier, &view, &error) != TUTTI_OK)
    fprintf(stderr, "bench-scale: %s\n", error.message);
}

static void bare_bcast(char *data, int size, int rank)
{
  MPI_Request requests[32];
  int count = 0;
  long bit = 1;
  while (bit <= rank)
    bit *= 2;
  if (rank > 0) {
    MPI_Irecv(data, BYTES, MPI_BYTE, (int)(rank - bit / 2), TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
  }
  for (; rank + bit < size; bit *= 2)
    POST_SEND(data, BYTES, MPI_BYTE, (int)(rank + bit), TAG, MPI_COMM_WORLD, &requests[count++]);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void bare_barrier(int size, int rank)
{
  for (long distance = 1; distance < size; distance *= 2) {
    MPI_Request requests[2];
    MPI_Irecv(NULL, 0, MPI_BYTE, (int)((rank + size - distance) % size), TAG, MPI_COMM_WORLD, &requests[0]);
    POST_SEND(NULL, 0, MPI_BYTE, (int)((rank + distance) % size), TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
}

int main(int argc, char **argv)
{
  int size, rank;
  char data[BYTES] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    memset(data, 42, sizeof data);
  if (argc > 1 && strcmp(argv[1], "schedules") == 0) {
    through_schedules(data);
  } else if (argc > 1 && strcmp(argv[1], "bare") == 0) {
    bare_bcast(data, size, rank);
    bare_barrier(size, rank);
  } else if (argc > 1 && rank == 0 && strcmp(argv[1], "nothing") != 0) {
    fprintf(stderr, "bench-scale: '%s' is not schedules, bare or nothing\n", argv[1]);
  }
  if (data[BYTES - 1] != 42 && argc > 1 && strcmp(argv[1], "nothing") != 0)
    fprintf(stderr, "bench-scale: rank %d did not get the data\n", rank);
  if (rank == 0)
    printf("tutti-scale v=1 mode=%s ranks=%d simulated_s=%.12g\n", argc > 1 ? argv[1] : "nothing", size, MPI_Wtime());
  MPI_Finalize();
  return 0;
}
