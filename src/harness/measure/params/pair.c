/* Two processes, the driver and its partner, and the times between them. */
#include <math.h>
#include <stdlib.h>

#include "harness/measure/params/params.h"

/* Do one MPI call unless an earlier one failed. */
#define TRY(pair, call)                                                                                                \
  do {                                                                                                                 \
    if ((pair)->result == MPI_SUCCESS)                                                                                 \
      (pair)->result = call;                                                                                           \
  } while (0)

/* Bytes sent in a row are at most ROOM_BYTES, or four messages if those are larger; bytes posted at once, on a real
   machine, at most CACHED_BYTES, or four messages. */
enum { ROOM_BYTES = 32 << 20, CACHED_BYTES = 256 << 10, MIN_MESSAGES = 4, MAX_MESSAGES = 512 };

/* Tags; tokens "ready", answers and orders have few or no bytes. */
enum { TAG_DATA = 1, TAG_TOKEN, TAG_ORDER };

/* Answer messages; receive a row of them and answer the last; receive one; send one. */
enum pair_what { PAIR_DONE, PAIR_TRIPS, PAIR_ROW, PAIR_RECEIVE, PAIR_SEND };

struct pair_order {
  int64_t what, bytes, count;
};

/* ---- the steps of both: the first MPI error stays in pair->result, and nothing is done after it ---- */

static size_t room_of(uint64_t largest)
{
  size_t needed = (size_t)largest * MIN_MESSAGES;
  return needed > ROOM_BYTES ? needed : ROOM_BYTES;
}

tutti_status pair_open(struct pair *pair, MPI_Comm comm, int peer, uint64_t largest, tutti_error *error)
{
  *pair = (struct pair){.comm = comm, .peer = peer, .clock_cost = INFINITY, .result = MPI_SUCCESS};
  pair->outgoing = calloc(largest + 1, 1);
  pair->incoming = calloc(room_of(largest), 1);
  pair->requests = calloc(MAX_MESSAGES + 1, sizeof *pair->requests);
  pair->statuses = calloc(MAX_MESSAGES + 1, sizeof *pair->statuses);
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

static void receive_message(struct pair *pair, void *data, uint64_t bytes, int tag)
{
  TRY(pair, MPI_Recv(data, (int)bytes, MPI_BYTE, pair->peer, tag, pair->comm, MPI_STATUS_IGNORE));
}

static void post_receive(struct pair *pair, char *data, uint64_t bytes, MPI_Request *request)
{
  TRY(pair, MPI_Irecv(data, (int)bytes, MPI_BYTE, pair->peer, TAG_DATA, pair->comm, request));
}

static void post_send(struct pair *pair, const void *data, uint64_t bytes, int tag, MPI_Request *request)
{
  TRY(pair, MPI_Isend(data, (int)bytes, MPI_BYTE, pair->peer, tag, pair->comm, request));
}

static void wait_for(struct pair *pair, MPI_Request *request)
{
  TRY(pair, MPI_Wait(request, MPI_STATUS_IGNORE));
}

static void wait_for_all(struct pair *pair, int count)
{
  TRY(pair, MPI_Waitall(count, pair->requests, pair->statuses));
}

static void send_message(struct pair *pair, const void *data, uint64_t bytes, int tag)
{
  MPI_Request request;
  post_send(pair, data, bytes, tag, &request);
  wait_for(pair, &request);
}

static void send_token(struct pair *pair)
{
  send_message(pair, pair->outgoing, 0, TAG_TOKEN);
}

static void receive_token(struct pair *pair)
{
  receive_message(pair, NULL, 0, TAG_TOKEN);
}

/* ---- the driver: orders the steps, and measures them ---- */

/* One repetition is exact in simulation, and the first message as fast as any other. */
#ifdef SMPI_HELPERS_H
enum { WARMUP = 0, MAX_REPETITIONS = 1, ROWS = 1, MAX_BYTES = 0 };
#else
enum { WARMUP = 5, MAX_REPETITIONS = 100, ROWS = 5, MAX_BYTES = 16 << 20 };
#endif

/* On a real machine: for the message to arrive, beside twice the time of a round trip. */
#define SETTLE_SECONDS 20e-6

static void send_order(struct pair *pair, enum pair_what what, uint64_t bytes, int64_t count)
{
  const struct pair_order order = {what, (int64_t)bytes, count};
  send_message(pair, &order, sizeof order, TAG_ORDER);
}

void pair_dismiss(struct pair *pair)
{
  send_order(pair, PAIR_DONE, 0, 0);
}

static double since(const struct pair *pair, double start)
{
  return fmax(0, MPI_Wtime() - start - pair->clock_cost);
}

/* Large messages vary less and take longer: fewer repetitions are enough. */
static int repetitions_of(uint64_t bytes)
{
  uint64_t repetitions = bytes > 0 ? MAX_BYTES / bytes : MAX_REPETITIONS;
  repetitions = repetitions < MAX_REPETITIONS ? repetitions : MAX_REPETITIONS;
  return repetitions > ROWS ? (int)repetitions : ROWS;
}

static double trip(struct pair *pair, uint64_t bytes)
{
  post_receive(pair, pair->incoming, bytes, &pair->requests[0]);
  double start = MPI_Wtime();
  post_send(pair, pair->outgoing, bytes, TAG_DATA, &pair->requests[1]);
  wait_for_all(pair, 2);
  return since(pair, start);
}

double pair_half_trip(struct pair *pair, uint64_t bytes)
{
  double shortest = INFINITY;
  int repetitions = repetitions_of(bytes);
  send_order(pair, PAIR_TRIPS, bytes, WARMUP + repetitions);
  receive_token(pair);
  for (int i = 0; i < WARMUP + repetitions; i++) {
    double time = trip(pair, bytes);
    if (i >= WARMUP)
      shortest = fmin(shortest, time);
  }
  return shortest / 2;
}

static double row(struct pair *pair, uint64_t bytes, int count)
{
  send_order(pair, PAIR_ROW, bytes, count);
  post_receive(pair, NULL, 0, &pair->requests[count]);
  receive_token(pair);
  double start = MPI_Wtime();
  for (int i = 0; i < count; i++)
    post_send(pair, pair->outgoing, bytes, TAG_DATA, &pair->requests[i]);
  wait_for_all(pair, count + 1);
  return since(pair, start);
}

static double shortest_row(struct pair *pair, uint64_t bytes, int count)
{
  double shortest = INFINITY;
  for (int i = 0; i < ROWS; i++)
    shortest = fmin(shortest, row(pair, bytes, count));
  return shortest;
}

/* Messages in a row that fit into the buffer. */
static int max_messages(uint64_t bytes)
{
  uint64_t max = bytes > 0 ? ROOM_BYTES / bytes : MAX_MESSAGES;
  max = max > MIN_MESSAGES ? max : MIN_MESSAGES;
  return max < MAX_MESSAGES ? (int)max : MAX_MESSAGES;
}

/* From one message to the next in rows twice as long each time, until that is stable: what rows have in common, latency
   and answer, cancels. No gap is longer than the share of a message in its row, which is what remains where noise has
   made the shortest row the longest. */
#define STABLE 0.01

static double estimate_gap(struct pair *pair, uint64_t bytes)
{
  int max = max_messages(bytes), first = tutti_clock_is_simulated() ? 2 : max / 8 + 1;
  double shortest = shortest_row(pair, bytes, first), gap = shortest / first;
  for (int count = 2 * first; count <= max; count *= 2) {
    double row = shortest_row(pair, bytes, count), before = gap;
    gap = row > shortest ? (row - shortest) / (count - first) : row / count;
    if (count > 2 * first && fabs(gap - before) <= STABLE * gap)
      break;
  }
  return gap;
}

/* The median of three: noise makes a gap shorter as well as longer. */
double pair_gap(struct pair *pair, uint64_t bytes)
{
  double a = estimate_gap(pair, bytes);
  if (tutti_clock_is_simulated())
    return a;
  double b = estimate_gap(pair, bytes), c = estimate_gap(pair, bytes);
  return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Until the buffer is free: but a synchronous send, as in simulation, is complete when its message has arrived. */
static double send_once(struct pair *pair, uint64_t bytes)
{
  MPI_Request request;
  send_order(pair, PAIR_RECEIVE, bytes, 1);
  receive_token(pair);
  double start = MPI_Wtime();
  post_send(pair, pair->outgoing, bytes, TAG_DATA, &request);
  if (!tutti_clock_is_simulated())
    wait_for(pair, &request);
  double time = since(pair, start);
  if (tutti_clock_is_simulated())
    wait_for(pair, &request);
  return time;
}

double pair_send_overhead(struct pair *pair, uint64_t bytes)
{
  double shortest = INFINITY;
  for (int i = 0; i < 2 * ROWS; i++)
    shortest = fmin(shortest, send_once(pair, bytes));
  return shortest;
}

static double receive_once(struct pair *pair, uint64_t bytes, double pause)
{
  MPI_Request request;
  post_receive(pair, pair->incoming, bytes, &request);
  send_order(pair, PAIR_SEND, bytes, 1);
  tutti_clock_wait_until(&pair->clock, tutti_clock_now(&pair->clock) + pause);
  double start = MPI_Wtime();
  wait_for(pair, &request);
  return since(pair, start);
}

double pair_receive_overhead(struct pair *pair, uint64_t bytes)
{
  double shortest = INFINITY, pause = 2 * shortest_row(pair, bytes, 1) + SETTLE_SECONDS;
  for (int i = 0; i < 2 * ROWS; i++)
    shortest = fmin(shortest, receive_once(pair, bytes, pause));
  return shortest;
}

/* ---- the partner: does what the driver orders ---- */

/* The next receive is posted before the answer that calls for it. */
static void serve_trips(struct pair *pair, uint64_t bytes, int64_t rounds)
{
  MPI_Request request;
  post_receive(pair, pair->incoming, bytes, &request);
  send_token(pair);
  for (int64_t round = 0; round < rounds; round++) {
    wait_for(pair, &request);
    if (round + 1 < rounds)
      post_receive(pair, pair->incoming, bytes, &request);
    send_message(pair, pair->outgoing, bytes, TAG_DATA);
  }
}

/* Each receive posted at once has its own buffer, and a row reuses these again and again: buffers that are no longer
   cached would make its messages slower than those of round trips. In simulation all are posted. */
static int slots_of(uint64_t bytes, int count)
{
  if (tutti_clock_is_simulated() || bytes == 0)
    return count;
  uint64_t slots = CACHED_BYTES / bytes;
  slots = slots > MIN_MESSAGES ? slots : MIN_MESSAGES;
  return slots < (uint64_t)count ? (int)slots : count;
}

static void post_slot(struct pair *pair, uint64_t bytes, int slot)
{
  post_receive(pair, pair->incoming + (size_t)slot * bytes, bytes, &pair->requests[slot]);
}

static void serve_row(struct pair *pair, uint64_t bytes, int count)
{
  int slots = slots_of(bytes, count);
  for (int slot = 0; slot < slots; slot++)
    post_slot(pair, bytes, slot);
  send_token(pair);
  for (int i = 0; i < count - slots; i++) {
    wait_for(pair, &pair->requests[i % slots]);
    post_slot(pair, bytes, i % slots);
  }
  wait_for_all(pair, slots);
  send_message(pair, pair->outgoing, 0, TAG_DATA);
}

static void serve_receive(struct pair *pair, uint64_t bytes)
{
  MPI_Request request;
  post_receive(pair, pair->incoming, bytes, &request);
  send_token(pair);
  wait_for(pair, &request);
}

static void follow_order(struct pair *pair, const struct pair_order *order)
{
  uint64_t bytes = (uint64_t)order->bytes;
  switch (order->what) {
  case PAIR_TRIPS:
    serve_trips(pair, bytes, order->count);
    return;
  case PAIR_ROW:
    serve_row(pair, bytes, (int)order->count);
    return;
  case PAIR_RECEIVE:
    serve_receive(pair, bytes);
    return;
  default:
    send_message(pair, pair->outgoing, bytes, TAG_DATA);
  }
}

void pair_serve(struct pair *pair)
{
  struct pair_order order;
  for (;;) {
    receive_message(pair, &order, sizeof order, TAG_ORDER);
    if (pair->result != MPI_SUCCESS || order.what == PAIR_DONE)
      return;
    follow_order(pair, &order);
  }
}
