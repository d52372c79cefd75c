/* The driver: says what is to be done, and measures it. */
#include <math.h>

#include "measure/pair.h"

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
  pair_send(pair, &order, sizeof order, TAG_ORDER);
}

void pair_dismiss(struct pair *pair)
{
  send_order(pair, PAIR_DONE, 0, 0);
}

static double since(const struct pair *pair, double start)
{
  return fmax(0, MPI_Wtime() - start - pair->clock_cost);
}

/* Large messages disturb each other less, and take their time. */
static int repetitions_of(uint64_t bytes)
{
  uint64_t repetitions = bytes > 0 ? MAX_BYTES / bytes : MAX_REPETITIONS;
  repetitions = repetitions < MAX_REPETITIONS ? repetitions : MAX_REPETITIONS;
  return repetitions > ROWS ? (int)repetitions : ROWS;
}

static double trip(struct pair *pair, uint64_t bytes)
{
  pair_post_receive(pair, pair->incoming, bytes, &pair->requests[0]);
  double start = MPI_Wtime();
  pair_post_send(pair, pair->outgoing, bytes, TAG_DATA, &pair->requests[1]);
  pair_wait_all(pair, 2);
  return since(pair, start);
}

double pair_half_trip(struct pair *pair, uint64_t bytes)
{
  double least = INFINITY;
  int repetitions = repetitions_of(bytes);
  send_order(pair, PAIR_TRIPS, bytes, WARMUP + repetitions);
  pair_receive_token(pair);
  for (int i = 0; i < WARMUP + repetitions; i++) {
    double time = trip(pair, bytes);
    if (i >= WARMUP)
      least = fmin(least, time);
  }
  return least / 2;
}

static double row(struct pair *pair, uint64_t bytes, int count)
{
  send_order(pair, PAIR_ROW, bytes, count);
  pair_post_receive(pair, NULL, 0, &pair->requests[count]);
  pair_receive_token(pair);
  double start = MPI_Wtime();
  for (int i = 0; i < count; i++)
    pair_post_send(pair, pair->outgoing, bytes, TAG_DATA, &pair->requests[i]);
  pair_wait_all(pair, count + 1);
  return since(pair, start);
}

static double least_row(struct pair *pair, uint64_t bytes, int count)
{
  double least = INFINITY;
  for (int i = 0; i < ROWS; i++)
    least = fmin(least, row(pair, bytes, count));
  return least;
}

/* In a row, as far as there is room. */
static int most_messages(uint64_t bytes)
{
  uint64_t most = bytes > 0 ? PAIR_ROOM / bytes : PAIR_MAX_MESSAGES;
  most = most > PAIR_MIN_MESSAGES ? most : PAIR_MIN_MESSAGES;
  return most < PAIR_MAX_MESSAGES ? (int)most : PAIR_MAX_MESSAGES;
}

/* From one message to the next in rows twice as long each time, until that is stable: what rows have in common, latency
   and answer, cancels. No gap is longer than the share of a message in its row, which is what remains where noise has
   made the shortest row the longest. */
#define STABLE 0.01

static double estimate_gap(struct pair *pair, uint64_t bytes)
{
  int most = most_messages(bytes), first = tutti_clock_is_simulated() ? 2 : most / 8 + 1;
  double shortest = least_row(pair, bytes, first), gap = shortest / first;
  for (int count = 2 * first; count <= most; count *= 2) {
    double row = least_row(pair, bytes, count), before = gap;
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
  send_order(pair, PAIR_TAKE, bytes, 1);
  pair_receive_token(pair);
  double start = MPI_Wtime();
  pair_post_send(pair, pair->outgoing, bytes, TAG_DATA, &request);
  if (!tutti_clock_is_simulated())
    pair_wait(pair, &request);
  double time = since(pair, start);
  if (tutti_clock_is_simulated())
    pair_wait(pair, &request);
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
  pair_post_receive(pair, pair->incoming, bytes, &request);
  send_order(pair, PAIR_GIVE, bytes, 1);
  tutti_clock_wait_until(&pair->clock, tutti_clock_now(&pair->clock) + pause);
  double start = MPI_Wtime();
  pair_wait(pair, &request);
  return since(pair, start);
}

double pair_receive_overhead(struct pair *pair, uint64_t bytes)
{
  double least = INFINITY, pause = 2 * least_row(pair, bytes, 1) + SETTLE_SECONDS;
  for (int i = 0; i < 2 * ROWS; i++)
    least = fmin(least, receive_once(pair, bytes, pause));
  return least;
}
