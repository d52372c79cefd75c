/* The schedules of all ranks of a group together: matched, and executed in an order that respects every wait. */
#ifndef TUTTI_SCHEDULE_ENSEMBLE_H
#define TUTTI_SCHEDULE_ENSEMBLE_H

#include "tutti/algorithm.h"
#include "tutti/analysis.h"

/* Vertices of all ranks are numbered through: rank r has first[r] .. first[r + 1] - 1. */
struct ensemble {
  const tutti_schedule *schedules;
  int size;
  size_t *first;            /* [size + 1] */
  size_t *partner;          /* [vertices] the other end of a message; NO_PARTNER for local vertices */
  const tutti_watch *watch; /* may be NULL */
};

static inline void tutti_watch_tell(const tutti_watch *watch, const char *part, size_t done, size_t all)
{
  if (watch)
    watch->tell(watch->context, part, (double)done / (double)all);
}

#define NO_PARTNER SIZE_MAX

/* One thing that happens: a message (send and receive) or a local vertex (receive is NO_PARTNER). */
struct event {
  size_t vertex; /* the local vertex or the send */
  size_t receive;
  int rank, receiver;
};

/* Called for each event in an order that respects all waits. Returns a status; anything but TUTTI_OK ends the run. */
typedef tutti_status (*tutti_visit)(void *context, const struct event *event, tutti_error *error);

/* Validate all schedules and match sends with receives. Free with tutti_ensemble_free() in any case. */
tutti_status tutti_ensemble_create(struct ensemble *ensemble, const tutti_schedule *schedules, int size,
                                   tutti_error *error);
void tutti_ensemble_free(struct ensemble *ensemble);

/* Execute. TUTTI_ERR_FAULT names the vertices of a cycle if some wait for ever. */
tutti_status tutti_ensemble_run(const struct ensemble *ensemble, tutti_visit visit, void *context, tutti_error *error);

const tutti_vertex *tutti_ensemble_vertex(const struct ensemble *ensemble, int rank, size_t vertex);

/* The same call by each rank, [call->size]; owned by the arena. */
tutti_status tutti_calls_of(const tutti_call *call, tutti_arena *arena, tutti_call **calls, tutti_error *error);

/* Build the schedules of all ranks, whose calls are given, into one arena. The array is owned by the arena. */
tutti_status tutti_schedules_of(const tutti_method *method, const tutti_call *calls, const tutti_watch *watch,
                                tutti_arena *arena, tutti_schedule **schedules, tutti_error *error);

/* ---- checks of an ensemble ---- */

/* The ranks whose contributions an element combines, and which of their elements; none if it has no ranks. */
struct origin {
  int first, end; /* ranks */
  uint64_t index;
};

struct memory {
  const struct ensemble *ensemble;
  const tutti_call *calls; /* [size] */
  const tutti_contract *contract;
  size_t *first_buffer;  /* [size + 1] buffers of all ranks, numbered through */
  uint64_t *extent;      /* [buffers] elements */
  tutti_symbol **buffer; /* [buffers] */
  bool reduces;          /* there are reductions, so that elements are sums of contributions */
  bool ordered;          /* operands must be in the order of the ranks */
  tutti_symbol (*combine)(tutti_symbol left, tutti_symbol right); /* what a reduction makes of its operands */
  struct origin **origin;                                         /* [buffers] if they must, else of NULL */
};

/* Buffers filled with the initial content of the contract, once all blocks are known to be within them; operands are
   concatenated. Free with tutti_memory_free() in any case. */
tutti_status tutti_memory_create(struct memory *memory, const struct ensemble *ensemble, const tutti_call *calls,
                                 const tutti_contract *contract, tutti_error *error);
void tutti_memory_free(struct memory *memory);

/* A tutti_visit: moves and combines symbols. */
tutti_status tutti_memory_visit(void *memory, const struct event *event, tutti_error *error);

/* The content of an element: "element 0 of ranks 3 to 4". Returns @p text. */
const char *tutti_content_format(const struct memory *memory, tutti_symbol symbol, char *text, size_t length);

/* Check that the content of the output buffers meets the contract. */
tutti_status tutti_memory_check(const struct memory *memory, tutti_error *error);

/* TUTTI_ERR_FAULT names the first pair of vertices that access a common element, one of them writing it, although
   neither must wait for the other; also a vertex that writes TUTTI_INPUT. Takes V^2 / 8 bytes. */
tutti_status tutti_check_races(const tutti_schedule *schedule, tutti_error *error);

#endif
