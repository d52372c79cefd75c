/* Parts of verification: symbolic buffers of all ranks, and races. */
#ifndef TUTTI_ANALYSIS_CHECKS_H
#define TUTTI_ANALYSIS_CHECKS_H

#include "analysis/ensemble.h"
#include "tutti/analysis.h"

struct memory {
  const struct ensemble *ensemble;
  const tutti_call *calls; /* [size] */
  const tutti_contract *contract;
  size_t *first_buffer;  /* [size + 1] buffers of all ranks, numbered through */
  uint64_t *extent;      /* [buffers] elements */
  tutti_symbol **buffer; /* [buffers] */
};

/* Buffers filled with the initial content of the contract, once all blocks are known to lie within them. Free with
   tutti_memory_free() in any case. */
tutti_status tutti_memory_create(struct memory *memory, const struct ensemble *ensemble, const tutti_call *calls,
                                 const tutti_contract *contract, tutti_error *error);
void tutti_memory_free(struct memory *memory);

/* A tutti_visit: moves and combines symbols. */
tutti_status tutti_memory_visit(void *memory, const struct event *event, tutti_error *error);

/* Does the content of the output buffers keep the promise? */
tutti_status tutti_memory_check(const struct memory *memory, tutti_error *error);

/* TUTTI_ERR_FAULT names the first pair of vertices that access a common element, one of them writing it, although
   neither must wait for the other; also a vertex that writes TUTTI_INPUT. Takes V^2 / 8 bytes. */
tutti_status tutti_check_races(const tutti_schedule *schedule, tutti_error *error);

#endif
