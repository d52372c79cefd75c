/* What the driver of a pair and its partner both do. The first MPI error stays in pair->result, and nothing is done any
   more after it. */
#ifndef TUTTI_MEASURE_PAIR_STEPS_H
#define TUTTI_MEASURE_PAIR_STEPS_H

#include "measure/pair.h"

/* Besides what is measured: tokens "ready", answers and orders have no or few bytes. */
enum { TAG_DATA = 1, TAG_TOKEN, TAG_ORDER };

/* Answer messages; take a row of them and answer the last; take one; give one. */
enum pair_what { PAIR_DONE, PAIR_TRIPS, PAIR_ROW, PAIR_TAKE, PAIR_GIVE };

struct pair_order {
  int64_t what, bytes, count;
};

/* To and from the other one. */
void pair_send(struct pair *pair, const void *data, uint64_t bytes, int tag);
void pair_receive(struct pair *pair, void *data, uint64_t bytes, int tag);
void pair_post_send(struct pair *pair, const void *data, uint64_t bytes, int tag, MPI_Request *request);
void pair_post_receive(struct pair *pair, char *data, uint64_t bytes, MPI_Request *request); /* TAG_DATA */
void pair_wait(struct pair *pair, MPI_Request *request);
void pair_wait_all(struct pair *pair, int count); /* pair->requests */

/* "Ready": all receives are posted. */
void pair_send_token(struct pair *pair);
void pair_receive_token(struct pair *pair);

#endif
