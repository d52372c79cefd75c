/* Two processes and the times between them. The driver orders what is to be done and measures it; its partner does it.
 */
#ifndef TUTTI_MEASURE_PAIR_H
#define TUTTI_MEASURE_PAIR_H

#include <mpi.h>
#include <stddef.h>

#include "measure/clock.h"

/* What is sent in a row takes no more than PAIR_ROOM bytes, or four messages if they are larger; and what is posted at
   once, on a real machine, PAIR_CACHED, or four messages. */
enum { PAIR_ROOM = 32 << 20, PAIR_CACHED = 256 << 10, PAIR_MIN_MESSAGES = 4, PAIR_MAX_MESSAGES = 512 };

struct pair {
  MPI_Comm comm;
  int peer; /* rank of the other one */
  struct clock clock;
  double clock_cost; /* seconds that reading the clock takes */
  char *outgoing;    /* [room]; so is incoming */
  char *incoming;
  MPI_Request *requests; /* [PAIR_MAX_MESSAGES + 1] */
  MPI_Status *statuses;  /* as many */
  int result;            /* the first MPI error; after it nothing is done */
};

/* On both: memory for messages of up to `largest` bytes. TUTTI_ERR_MEMORY */
tutti_status pair_open(struct pair *pair, MPI_Comm comm, int peer, uint64_t largest, tutti_error *error);
void pair_close(struct pair *pair);

/* The partner: do what the driver says, until it says that it is done. */
void pair_serve(struct pair *pair);

/* The driver: tell the partner that it is done. */
void pair_dismiss(struct pair *pair);

/* For the driver; all in seconds, the least of some repetitions. Receives are posted before their messages are sent. */

/* Half a round trip. */
double pair_half_trip(struct pair *pair, uint64_t bytes);

/* From one message of a long row to the next. */
double pair_gap(struct pair *pair, uint64_t bytes);

/* Sending one message, and receiving one that has been there for a while; parameters.h says what counts. */
double pair_send_overhead(struct pair *pair, uint64_t bytes);
double pair_receive_overhead(struct pair *pair, uint64_t bytes);

/* ---- the steps of both, in pair.c; the first MPI error stays in pair->result, and nothing is done after it ---- */

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
