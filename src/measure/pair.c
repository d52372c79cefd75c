#include "measure/pair.h"

#include <math.h>
#include <stdlib.h>

/* As schedules send: in simulation a rendezvous makes times independent of eager thresholds. One repetition is exact
   there, and its first message as fast as any other. */
#ifdef SMPI_HELPERS_H
#define PAIR_ISEND MPI_Issend
enum { WARMUP = 0, MOST_REPETITIONS = 1, ROWS = 1, MOST_BYTES = 0 };
#else
#define PAIR_ISEND MPI_Isend
enum { WARMUP = 5, MOST_REPETITIONS = 200, ROWS = 5, MOST_BYTES = 16 << 20 };
#endif

/* Besides what is measured: tokens "ready", answers and orders have no or few bytes. */
enum { TAG_DATA = 1, TAG_TOKEN, TAG_ORDER };

enum what { DONE, TRIPS, ROW, TAKE, GIVE };

struct order {
  int64_t what, bytes, count;
};

/* On a real machine: for the message to arrive, beside twice the time of a round trip. */
#define SETTLE_SECONDS 20e-6

/* Do one MPI call unless an earlier one failed. */
#define TRY(pair, call)                                                                                                \
  do {                                                                                                                 \
    if ((pair)->result == MPI_SUCCESS)                                                                                 \
      (pair)->result = call;                                                                                           \
  } while (0)

static size_t room_of(uint64_t largest)
{
  size_t least = (size_t)largest * PAIR_LEAST_MESSAGES;
  return least > PAIR_ROOM ? least : PAIR_ROOM;
}

int pair_most(uint64_t bytes)
{
  uint64_t most = bytes > 0 ? PAIR_ROOM / bytes : PAIR_MOST_MESSAGES;
  most = most > PAIR_LEAST_MESSAGES ? most : PAIR_LEAST_MESSAGES;
  return most < PAIR_MOST_MESSAGES ? (int)most : PAIR_MOST_MESSAGES;
}

tutti_status pair_open(struct pair *pair, MPI_Comm comm, int peer, uint64_t largest, tutti_error *error)
{
  *pair = (struct pair){.comm = comm, .peer = peer, .clock_cost = INFINITY, .result = MPI_SUCCESS};
  pair->outgoing = calloc(largest + 1, 1);
  pair->incoming = calloc(room_of(largest), 1);
  pair->requests = calloc(PAIR_MOST_MESSAGES + 1, sizeof *pair->requests);
  pair->statuses = calloc(PAIR_MOST_MESSAGES + 1, sizeof *pair->statuses);
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

/* ---- steps of both ---- */

static void receive(struct pair *pair, void *data, uint64_t bytes, int tag)
{
  TRY(pair, MPI_Recv(data, (int)bytes, MPI_BYTE, pair->peer, tag, pair->comm, MPI_STATUS_IGNORE));
}

static void post_receive(struct pair *pair, char *data, uint64_t bytes, MPI_Request *request)
{
  TRY(pair, MPI_Irecv(data, (int)bytes, MPI_BYTE, pair->peer, TAG_DATA, pair->comm, request));
}

static void post_send(struct pair *pair, const void *data, uint64_t bytes, int tag, MPI_Request *request)
{
  TRY(pair, PAIR_ISEND(data, (int)bytes, MPI_BYTE, pair->peer, tag, pair->comm, request));
}

static void wait(struct pair *pair, MPI_Request *request)
{
  TRY(pair, MPI_Wait(request, MPI_STATUS_IGNORE));
}

static void wait_all(struct pair *pair, int count)
{
  TRY(pair, MPI_Waitall(count, pair->requests, pair->statuses));
}

static void send(struct pair *pair, const void *data, uint64_t bytes, int tag)
{
  MPI_Request request;
  post_send(pair, data, bytes, tag, &request);
  wait(pair, &request);
}

static void send_token(struct pair *pair)
{
  send(pair, pair->outgoing, 0, TAG_TOKEN);
}

static void receive_token(struct pair *pair)
{
  receive(pair, NULL, 0, TAG_TOKEN);
}

/* ---- the partner ---- */

/* The next receive is posted before the answer that calls for it. */
static void serve_trips(struct pair *pair, uint64_t bytes, int64_t rounds)
{
  MPI_Request request;
  post_receive(pair, pair->incoming, bytes, &request);
  send_token(pair);
  for (int64_t round = 0; round < rounds; round++) {
    wait(pair, &request);
    if (round + 1 < rounds)
      post_receive(pair, pair->incoming, bytes, &request);
    send(pair, pair->outgoing, bytes, TAG_DATA);
  }
}

static void serve_row(struct pair *pair, uint64_t bytes, int count)
{
  for (int i = 0; i < count; i++)
    post_receive(pair, pair->incoming + (size_t)i * bytes, bytes, &pair->requests[i]);
  send_token(pair);
  wait_all(pair, count);
  send(pair, pair->outgoing, 0, TAG_DATA);
}

static void serve_take(struct pair *pair, uint64_t bytes)
{
  MPI_Request request;
  post_receive(pair, pair->incoming, bytes, &request);
  send_token(pair);
  wait(pair, &request);
}

static void obey(struct pair *pair, const struct order *order)
{
  uint64_t bytes = (uint64_t)order->bytes;
  switch (order->what) {
  case TRIPS:
    serve_trips(pair, bytes, order->count);
    return;
  case ROW:
    serve_row(pair, bytes, (int)order->count);
    return;
  case TAKE:
    serve_take(pair, bytes);
    return;
  default:
    send(pair, pair->outgoing, bytes, TAG_DATA);
  }
}

void pair_serve(struct pair *pair)
{
  struct order order;
  for (;;) {
    receive(pair, &order, sizeof order, TAG_ORDER);
    if (pair->result != MPI_SUCCESS || order.what == DONE)
      return;
    obey(pair, &order);
  }
}

/* ---- the driver ---- */

static void tell(struct pair *pair, enum what what, uint64_t bytes, int64_t count)
{
  const struct order order = {what, (int64_t)bytes, count};
  send(pair, &order, sizeof order, TAG_ORDER);
}

void pair_dismiss(struct pair *pair)
{
  tell(pair, DONE, 0, 0);
}

static double since(const struct pair *pair, double start)
{
  return fmax(0, MPI_Wtime() - start - pair->clock_cost);
}

/* Large messages disturb each other less, and take their time. */
static int repetitions_of(uint64_t bytes)
{
  uint64_t repetitions = bytes > 0 ? MOST_BYTES / bytes : MOST_REPETITIONS;
  repetitions = repetitions < MOST_REPETITIONS ? repetitions : MOST_REPETITIONS;
  return repetitions > ROWS ? (int)repetitions : ROWS;
}

static double trip(struct pair *pair, uint64_t bytes)
{
  post_receive(pair, pair->incoming, bytes, &pair->requests[0]);
  double start = MPI_Wtime();
  post_send(pair, pair->outgoing, bytes, TAG_DATA, &pair->requests[1]);
  wait_all(pair, 2);
  return since(pair, start);
}

double pair_half_trip(struct pair *pair, uint64_t bytes)
{
  double least = INFINITY;
  int repetitions = repetitions_of(bytes);
  tell(pair, TRIPS, bytes, WARMUP + repetitions);
  receive_token(pair);
  for (int i = 0; i < WARMUP + repetitions; i++) {
    double time = trip(pair, bytes);
    if (i >= WARMUP)
      least = fmin(least, time);
  }
  return least / 2;
}

static double row(struct pair *pair, uint64_t bytes, int count)
{
  tell(pair, ROW, bytes, count);
  post_receive(pair, NULL, 0, &pair->requests[count]);
  receive_token(pair);
  double start = MPI_Wtime();
  for (int i = 0; i < count; i++)
    post_send(pair, pair->outgoing, bytes, TAG_DATA, &pair->requests[i]);
  wait_all(pair, count + 1);
  return since(pair, start);
}

double pair_row(struct pair *pair, uint64_t bytes, int count)
{
  double least = INFINITY;
  for (int i = 0; i < ROWS; i++)
    least = fmin(least, row(pair, bytes, count));
  return least;
}

/* Until the buffer is free: but a synchronous send, as in simulation, is complete when its message has arrived. */
static double send_once(struct pair *pair, uint64_t bytes)
{
  MPI_Request request;
  tell(pair, TAKE, bytes, 1);
  receive_token(pair);
  double start = MPI_Wtime();
  post_send(pair, pair->outgoing, bytes, TAG_DATA, &request);
  if (!tutti_clock_is_simulated())
    wait(pair, &request);
  double time = since(pair, start);
  if (tutti_clock_is_simulated())
    wait(pair, &request);
  return time;
}

double pair_send_overhead(struct pair *pair, uint64_t bytes)
{
  double least = INFINITY;
  for (int i = 0; i < 2 * ROWS; i++)
    least = fmin(least, send_once(pair, bytes));
  return least;
}

static double receive_once(struct pair *pair, uint64_t bytes, double pause)
{
  MPI_Request request;
  post_receive(pair, pair->incoming, bytes, &request);
  tell(pair, GIVE, bytes, 1);
  tutti_clock_wait_until(&pair->clock, tutti_clock_now(&pair->clock) + pause);
  double start = MPI_Wtime();
  wait(pair, &request);
  return since(pair, start);
}

double pair_receive_overhead(struct pair *pair, uint64_t bytes)
{
  double least = INFINITY, pause = 2 * pair_row(pair, bytes, 1) + SETTLE_SECONDS;
  for (int i = 0; i < 2 * ROWS; i++)
    least = fmin(least, receive_once(pair, bytes, pause));
  return least;
}
