/* What the message-driven runtime costs where it is simulated. */
#ifndef TUTTI_GROUPS_RUNTIME_COST_H
#define TUTTI_GROUPS_RUNTIME_COST_H

#include "tutti/error.h"

/* Seconds for each message sent and received (more for a start), for each byte of it, and for each entry of a list. */
struct runtime_cost {
  double start, send, receive, byte, entry;
};

/* As the properties of the platform's outermost zone say; all zero on a real machine and where there are none.
   TUTTI_ERR_ARGUMENT names a property that is not a time. */
tutti_status tutti_runtime_cost_read(struct runtime_cost *cost, tutti_error *error);

/* Let that much simulated time pass; nothing on a real machine. */
void tutti_runtime_pause(double seconds);

#endif
