/* SimGrid's time-independent traces: what their files share. */
#ifndef TUTTI_ENGINE_WORKLOAD_TI_H
#define TUTTI_ENGINE_WORKLOAD_TI_H

#include "base/text.h"
#include "harness/engine/trace/workload_read.h"

struct ti_rank {
  struct workload_writer writer;
  uint64_t type_size; /* that actions have which name none: 1, or 8 after "init 1" */
};

struct ti {
  struct tutti_lines lines;
  struct workload *workload;
  tutti_passed *passed;
  struct ti_rank *ranks;          /* [rank_count] */
  struct workload_called *called; /* [rank_count] */
  struct workload_pairs channels;
  char **words; /* of the line: rank, action, arguments; [capacity] */
  size_t count, capacity;
  uint32_t rank;
};

/* Pass over the current line. */
void tutti_ti_pass(struct ti *ti, const char *why, const char *detail);

/* Argument `at` of the action, from 0; "" if there are not so many. */
const char *tutti_ti_word(const struct ti *ti, size_t at);
size_t tutti_ti_arguments(const struct ti *ti);

/* A number that is not negative, as 1e6; of a whole one the part before the point. False: the line is passed over. */
bool tutti_ti_number(struct ti *ti, size_t at, double most, uint64_t *number);

/* The number of a rank of the trace. */
bool tutti_ti_rank(struct ti *ti, size_t at, uint64_t *rank);

/* Bytes of an element of the datatype that argument `at` may name. */
bool tutti_ti_type(struct ti *ti, size_t at, uint64_t *bytes);

/* Whether the action has that name, in any case. */
bool tutti_ti_is(const struct ti *ti, const char *action);

/* Computation of the current rank, in flop. */
void tutti_ti_compute(struct ti *ti, uint64_t flops);

/* ---- workload_ti_messages.c and workload_ti_calls.c: false: not such an action ---- */

bool tutti_ti_read_message(struct ti *ti);
bool tutti_ti_read_collective(struct ti *ti);

#endif
