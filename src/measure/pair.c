/* Opening a pair, and the steps of both. */
#include <math.h>
#include <stdlib.h>

#include "measure/pair.h"

/* As schedules send: in simulation a rendezvous makes times independent of eager thresholds. */
#ifdef SMPI_HELPERS_H
#define PAIR_ISEND MPI_Issend
#else
#define PAIR_ISEND MPI_Isend
#endif

/* Do one MPI call unless an earlier one failed. */
#define TRY(pair, call)                                                                                                \
  do {                                                                                                                 \
    if ((pair)->result == MPI_SUCCESS)                                                                                 \
      (pair)->result = call;                                                                                           \
  } while (0)

static size_t room_of(uint64_t largest)
{
  size_t least = (size_t)largest * PAIR_MIN_MESSAGES;
  return least > PAIR_ROOM ? least : PAIR_ROOM;
}

tutti_status pair_open(struct pair *pair, MPI_Comm comm, int peer, uint64_t largest, tutti_error *error)
{
  *pair = (struct pair){.comm = comm, .peer = peer, .clock_cost = INFINITY, .result = MPI_SUCCESS};
  pair->outgoing = calloc(largest + 1, 1);
  pair->incoming = calloc(room_of(largest), 1);
  pair->requests = calloc(PAIR_MAX_MESSAGES + 1, sizeof *pair->requests);
  pair->statuses = calloc(PAIR_MAX_MESSAGES + 1, sizeof *pair->statuses);
  if (!pair->outgoing || !pair->incoming || !pair->requests || !pair->statuses)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for messages of %zu bytes", (size_t)largest);
  for (int i = 0; i < 10; i++) {
    double before = MPI_Wtime();
    pair->clock_cost = fmin(pair->clock_cost, MPI_Wtime() - before);
  }
  return TUTTI_OK;
}

void pair_close(struct pair *pair)
{
  free(pair->outgoing);
  free(pair->incoming);
  free(pair->requests);
  free(pair->statuses);
}

void pair_receive(struct pair *pair, void *data, uint64_t bytes, int tag)
{
  TRY(pair, MPI_Recv(data, (int)bytes, MPI_BYTE, pair->peer, tag, pair->comm, MPI_STATUS_IGNORE));
}

void pair_post_receive(struct pair *pair, char *data, uint64_t bytes, MPI_Request *request)
{
  TRY(pair, MPI_Irecv(data, (int)bytes, MPI_BYTE, pair->peer, TAG_DATA, pair->comm, request));
}

void pair_post_send(struct pair *pair, const void *data, uint64_t bytes, int tag, MPI_Request *request)
{
  TRY(pair, PAIR_ISEND(data, (int)bytes, MPI_BYTE, pair->peer, tag, pair->comm, request));
}

void pair_wait(struct pair *pair, MPI_Request *request)
{
  TRY(pair, MPI_Wait(request, MPI_STATUS_IGNORE));
}

void pair_wait_all(struct pair *pair, int count)
{
  TRY(pair, MPI_Waitall(count, pair->requests, pair->statuses));
}

void pair_send(struct pair *pair, const void *data, uint64_t bytes, int tag)
{
  MPI_Request request;
  pair_post_send(pair, data, bytes, tag, &request);
  pair_wait(pair, &request);
}

void pair_send_token(struct pair *pair)
{
  pair_send(pair, pair->outgoing, 0, TAG_TOKEN);
}

void pair_receive_token(struct pair *pair)
{
  pair_receive(pair, NULL, 0, TAG_TOKEN);
}
