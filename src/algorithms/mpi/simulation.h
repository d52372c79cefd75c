/* Costs in simulated time: computation, and a message-driven runtime. Nothing on a real machine. */
#ifndef TUTTI_MPI_SIMULATION_H
#define TUTTI_MPI_SIMULATION_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/error.h"
#include "tutti/schedule.h"

/* Charge a reduction or copy of `bytes` bytes to the simulated processor; nothing on a real machine, where it has taken
   its time. Computation is never timed under simulation, which would not be repeatable. */
void tutti_charge(tutti_kind kind, uint64_t bytes);

/* Take the time in which so many bytes of new memory are touched first (tutti_schedule_fresh_bytes()). Nothing on a real
   machine, which takes it. */
void tutti_touch_fresh(uint64_t bytes);

/* ---- receivers that take one message at a time ---- */

/* Whether the platform has tutti/receive-gap-s, the seconds between two messages that a rank receives. */
bool tutti_has_receive_gap(void);

/* A message has come: wait until the gap since the one before is over. @p next is when the next one may be received, 0
   before the first. Nothing on a real machine. */
void tutti_keep_receive_gap(double *next);

/* ---- what the message-driven runtime costs where it is simulated ---- */

/* Seconds for each message sent and received (more for a start), for each byte of it, for each entry of a list, and for
   each candidate that is gone through. */
struct runtime_cost {
  double start, send, receive, byte, entry, candidate;
};

/* The properties of the platform's outermost zone; all zero on a real machine and without them. TUTTI_ERR_ARGUMENT
   names a property that is not a time. */
tutti_status tutti_runtime_cost_read(struct runtime_cost *cost, tutti_error *error);

/* Let that much simulated time pass; nothing on a real machine. */
void tutti_runtime_pause(double seconds);

/* ---- links that lose throughput (contention.h) ---- */

#ifdef __cplusplus
extern "C" {
#endif

/* Set SimGrid's policy for the links of the platform that lose throughput, unless they have it or the simulation has
   not begun. @p property gives the value of one of the platform's properties, or NULL. Ends the program, with a
   sentence, on an invalid value. */
void tutti_contend(const char *(*property)(const char *name));

#ifdef __cplusplus
}
#endif

#endif
