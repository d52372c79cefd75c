/* The partner: does what the driver says. */
#include "measure/pair.h"

/* The next receive is posted before the answer that calls for it. */
static void serve_trips(struct pair *pair, uint64_t bytes, int64_t rounds)
{
  MPI_Request request;
  pair_post_receive(pair, pair->incoming, bytes, &request);
  pair_send_token(pair);
  for (int64_t round = 0; round < rounds; round++) {
    pair_wait(pair, &request);
    if (round + 1 < rounds)
      pair_post_receive(pair, pair->incoming, bytes, &request);
    pair_send(pair, pair->outgoing, bytes, TAG_DATA);
  }
}

/* As many receives as are posted at once have a buffer each, and a row goes through these again and again: buffers that
   are no longer cached would make its messages slower than those of round trips. In simulation all are posted. */
static int slots_of(uint64_t bytes, int count)
{
  if (tutti_clock_is_simulated() || bytes == 0)
    return count;
  uint64_t slots = PAIR_CACHED / bytes;
  slots = slots > PAIR_MIN_MESSAGES ? slots : PAIR_MIN_MESSAGES;
  return slots < (uint64_t)count ? (int)slots : count;
}

static void post_slot(struct pair *pair, uint64_t bytes, int slot)
{
  pair_post_receive(pair, pair->incoming + (size_t)slot * bytes, bytes, &pair->requests[slot]);
}

static void serve_row(struct pair *pair, uint64_t bytes, int count)
{
  int slots = slots_of(bytes, count);
  for (int slot = 0; slot < slots; slot++)
    post_slot(pair, bytes, slot);
  pair_send_token(pair);
  for (int i = 0; i < count - slots; i++) {
    pair_wait(pair, &pair->requests[i % slots]);
    post_slot(pair, bytes, i % slots);
  }
  pair_wait_all(pair, slots);
  pair_send(pair, pair->outgoing, 0, TAG_DATA);
}

static void serve_take(struct pair *pair, uint64_t bytes)
{
  MPI_Request request;
  pair_post_receive(pair, pair->incoming, bytes, &request);
  pair_send_token(pair);
  pair_wait(pair, &request);
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
  case PAIR_TAKE:
    serve_take(pair, bytes);
    return;
  default:
    pair_send(pair, pair->outgoing, bytes, TAG_DATA);
  }
}

void pair_serve(struct pair *pair)
{
  struct pair_order order;
  for (;;) {
    pair_receive(pair, &order, sizeof order, TAG_ORDER);
    if (pair->result != MPI_SUCCESS || order.what == PAIR_DONE)
      return;
    follow_order(pair, &order);
  }
}
