/* The part of a rank in a schedule, in a compact form that is changed while it runs. */
#ifndef TUTTI_ENGINE_PROGRAM_H
#define TUTTI_ENGINE_PROGRAM_H

#include <stdint.h>

#include "harness/engine/core/numbers.h"
#include "tutti/algorithm.h"

enum { PROGRAM_WORK = TUTTI_COPY + 1 }; /* a kind beside those of a schedule: the rank computes */

struct program_vertex {
  uint64_t bytes : 59;      /* of PROGRAM_WORK nanoseconds */
  uint64_t blocking : 1;    /* a send that is MPI_Send(), to which SMPI adds no overhead if it waits for its receiver */
  uint64_t synchronous : 1; /* a send that is never eager: MPI_Ssend(), MPI_Issend() */
  uint64_t kind : 3;        /* tutti_kind */
  uint32_t peer;
  uint32_t pending;    /* prerequisites that are not complete; of a vertex that waits to be started, the next one */
  uint32_t successors; /* the first of them */
  uint32_t channel_next;
};

/* The vertices, one more for the end of the successors, and the successors. */
struct program {
  struct program_vertex *vertices; /* [count + 1]; owned */
  uint32_t *successors;            /* stored after them */
  uint64_t fresh; /* bytes: tutti_schedule_fresh_bytes() */
  uint32_t count;
  uint32_t channel;   /* of its messages (matching.h) */
  uint32_t *channels; /* [count] of each, instead; owned; NULL: all have the same */
  uint8_t
      *streams; /* [count] of each; owned. Vertices of one wait for its work, and others go on. NULL: the rank works */
};

/* Build the schedule of a rank. The arena is empty again afterwards. As tutti_method_schedule(). */
tutti_status tutti_program_build(const tutti_method *method, const tutti_call *call, tutti_arena *arena,
                                 struct program *program, tutti_error *error);
void tutti_program_free(struct program *program);

#endif
