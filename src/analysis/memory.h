/* Symbolic buffers of all ranks, for verification. */
#ifndef TUTTI_SCHEDULE_MEMORY_H
#define TUTTI_SCHEDULE_MEMORY_H

#include "analysis/ensemble.h"
#include "tutti/verify.h"

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

#endif
