/* The partner: does what the driver says. */
#include "measure/pair_steps.h"

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

static void serve_row(struct pair *pair, uint64_t bytes, int count)
{
  for (int i = 0; i < count; i++)
    pair_post_receive(pair, pair->incoming + (size_t)i * bytes, bytes, &pair->requests[i]);
  pair_send_token(pair);
  pair_wait_all(pair, count);
  pair_send(pair, pair->outgoing, 0, TAG_DATA);
}

static void serve_take(struct pair *pair, uint64_t bytes)
{
  MPI_Request request;
  pair_post_receive(pair, pair->incoming, bytes, &request);
  pair_send_token(pair);
  pair_wait(pair, &request);
}

static void obey(struct pair *pair, const struct pair_order *order)
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
    obey(pair, &order);
  }
}
