/* The parts of tutti-params. */
#ifndef TUTTI_MEASURE_PARAMS_H
#define TUTTI_MEASURE_PARAMS_H

#include <mpi.h>
#include <stddef.h>

#include "harness/measure/coordinate.h"
#include "tutti/measurement.h"

/* ---- pair.c: two processes and the times between them. The driver orders and measures; its partner performs ---- */

struct pair {
  MPI_Comm comm;
  int peer; /* rank of the other one */
  struct clock clock;
  double clock_cost; /* seconds that reading the clock takes */
  char *outgoing;    /* [room]; the same for incoming */
  char *incoming;
  MPI_Request *requests; /* [MAX_MESSAGES + 1] */
  MPI_Status *statuses;  /* the same number */
  int result;            /* the first MPI error; after it nothing is done */
};

/* On both: memory for messages of up to `largest` bytes. TUTTI_ERR_MEMORY */
tutti_status pair_open(struct pair *pair, MPI_Comm comm, int peer, uint64_t largest, tutti_error *error);
void pair_close(struct pair *pair);

/* The partner: do what the driver orders, until it is dismissed. */
void pair_serve(struct pair *pair);

/* The driver: end the partner. */
void pair_dismiss(struct pair *pair);

/* For the driver; all in seconds, the shortest of some repetitions. Receives are posted before their messages are sent.
 */

/* Half a round trip. */
double pair_half_trip(struct pair *pair, uint64_t bytes);

/* From one message of a long row to the next. */
double pair_gap(struct pair *pair, uint64_t bytes);

/* Sending one message, and receiving one that has arrived before; parameters.h defines them. */
double pair_send_overhead(struct pair *pair, uint64_t bytes);
double pair_receive_overhead(struct pair *pair, uint64_t bytes);

/* ---- compute.c: what reducing and copying cost one process, seconds per byte ---- */

/* Reports each operation and type, then the copy. On a real machine arrays are larger than the caches; in simulation
   what the platform charges for an array is read off the clock. Stops at the first failure of `report`;
   TUTTI_ERR_MEMORY, TUTTI_ERR_MPI. */
tutti_status compute_measure(tutti_status (*report)(void *context, const tutti_parameter *parameter,
                                                    tutti_error *error),
                             void *context, tutti_error *error);

#endif
