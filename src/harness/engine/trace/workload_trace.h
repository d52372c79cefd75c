/* Reading what the interposer wrote: what its files share. */
#ifndef TUTTI_ENGINE_WORKLOAD_TRACE_H
#define TUTTI_ENGINE_WORKLOAD_TRACE_H

#include "decision/results/trace_format.h"
#include "harness/engine/trace/workload_read.h"

/* A communicator as its ranks define it. */
struct definition {
  const unsigned char *bytes; /* first definition; all others equal it */
  size_t length;
  uint32_t size, users, last_user; /* ranks that have defined it, and the last one */
  uint64_t calls;                  /* digest of the calls of the first rank */
  uint32_t next;                   /* with the same hash; WORKLOAD_UNKNOWN: none */
};

/* A communicator as the current rank has it. */
struct own_communicator {
  uint32_t index, rank; /* of workload.communicators; the rank there */
  uint64_t calls;       /* digest of the calls so far */
  uint64_t persistent;  /* the same of starts of persistent ones, which have no order */
  uint64_t begun;       /* nonblocking ones so far */
};

enum own_kind { OWN_COLLECTIVE, OWN_MESSAGE, OWN_WAIT };

/* A shape of the current rank. */
struct own_shape {
  enum own_kind kind;
  size_t index; /* into workload.shapes; for a wait: its first one in reader->ages */
  uint64_t communicator,
      digest;                 /* for a collective: the rank's own number + 1; digest of what all ranks must agree on */
  enum trace_message message; /* TRACE_ICOLLECTIVE: a collective that begins a request */
  uint64_t instance;          /* of such: 0, or the number of the persistent request */
  struct workload_op op;      /* for a message; WORKLOAD_UNKNOWN: its peer or channel is known when it is complete */
  uint64_t tag;               /* and 1, of a message; 0: any */
  enum trace_wait_kind wait;
  size_t count; /* of requests */
};

enum { BUCKETS = 4096 };

struct trace_reader {
  const char *path;
  struct workload *workload;
  tutti_error *error;
  const unsigned char *at, *end; /* of the rank */
  uint32_t rank;
  struct {
    TUTTI_VECTOR(struct definition);
  } definitions; /* as in workload.communicators; 0: all ranks */
  struct {
    TUTTI_VECTOR(struct own_communicator);
  } own; /* of the rank, by its own number */
  struct {
    TUTTI_VECTOR(uint64_t);
  } vectors[2]; /* current */
  uint32_t buckets[BUCKETS];
  struct {
    TUTTI_VECTOR(struct own_shape);
  } shapes; /* of the rank */
  struct {
    TUTTI_VECTOR(uint64_t);
  } ages; /* of requests, of all shapes of waits of the rank */
  struct workload_pairs channels;
  bool has_messages; /* the rank: it becomes a graph */
  uint64_t events;   /* of the rank so far, all of them collectives */
  uint64_t started;  /* nonblocking messages of the rank so far */
  struct {
    TUTTI_VECTOR(uint32_t);
  } places; /* [started] in writer.requests; WORKLOAD_UNKNOWN: it has been waited for */
  struct workload_writer writer;
  bool any;      /* some rank has messages */
  uint64_t time; /* of the rank, since its start */
  uint64_t last; /* end of any */
};

/* A fault at the current byte: TUTTI_ERR_ARGUMENT. */
tutti_status tutti_trace_fault(const struct trace_reader *reader, const char *what);

/* Read a number up to `most`; otherwise false, and a fault. */
bool tutti_trace_take(struct trace_reader *reader, uint64_t most, uint64_t *number);

/* ---- workload_definitions.c: the part of a record after its first number; false: a fault ---- */

bool tutti_trace_read_communicator(struct trace_reader *reader);
bool tutti_trace_read_shape(struct trace_reader *reader);

/* ---- workload_messages.c: the same; a rank with messages becomes a graph ---- */

bool tutti_trace_read_message(struct trace_reader *reader);
bool tutti_trace_read_wait(struct trace_reader *reader);
bool tutti_trace_read_match(struct trace_reader *reader);

/* A call of a rank that has messages, of any shape. */
bool tutti_trace_add_call(struct trace_reader *reader, const struct own_shape *shape, uint64_t compute,
                          uint64_t duration);

/* After the last call, with the computation of the rank there: begin the next rank. */
void tutti_trace_end_messages(struct trace_reader *reader, uint64_t compute);

/* After all ranks and tutti_trace_expand_communicators(): number the channels, set the bytes of receives to those
   received, and leave out messages with one end only. */
void tutti_trace_match_messages(struct trace_reader *reader);

/* Into reader->workload, after all ranks. Every member of a communicator has it, so that their lists take no more
   memory than their definitions. */
tutti_status tutti_trace_expand_communicators(struct trace_reader *reader);

#endif
