/* Reading what the interposer wrote: what its files share. */
#ifndef TUTTI_ENGINE_WORKLOAD_TRACE_H
#define TUTTI_ENGINE_WORKLOAD_TRACE_H

#include "engine/workload_read.h"

/* A communicator as its ranks define it. */
struct definition {
  const unsigned char *bytes; /* of the first definition, which all others equal */
  size_t length;
  uint32_t size, users, last_user; /* ranks that have defined it, and the last one */
  uint64_t calls;                  /* digest of the calls of the first rank */
  uint32_t next;                   /* of the same hash; WORKLOAD_UNKNOWN: none */
};

/* A communicator as the rank at hand has it. */
struct own_communicator {
  uint32_t index, rank; /* of workload.communicators; the rank there */
  uint64_t calls;       /* digest of the calls so far */
};

/* A shape of the rank at hand: its communicator, by the rank's own number, and 1; and a digest of what all ranks must
   agree on. */
struct own_shape {
  uint64_t communicator, digest;
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
  } definitions; /* as workload.communicators; 0: all ranks */
  struct {
    TUTTI_VECTOR(struct own_communicator);
  } own; /* of the rank, by its own number */
  struct {
    TUTTI_VECTOR(uint64_t);
  } vectors[2]; /* at hand */
  uint32_t buckets[BUCKETS];
  struct {
    TUTTI_VECTOR(struct own_shape);
  } shapes;      /* of the rank */
  uint64_t time; /* of the rank, since its start */
  uint64_t last; /* end of any */
};

/* A fault at the byte at hand: TUTTI_ERR_ARGUMENT. */
tutti_status tutti_trace_fault(const struct trace_reader *reader, const char *what);

/* A number up to `most`; false, and a fault, if there is none. */
bool tutti_trace_take(struct trace_reader *reader, uint64_t most, uint64_t *number);

/* ---- workload_definitions.c: what is behind the first number of a record; false: a fault ---- */

bool tutti_trace_read_communicator(struct trace_reader *reader);
bool tutti_trace_read_shape(struct trace_reader *reader);

/* Into reader->workload, after all ranks. Every member of a communicator has it, so that their lists take no more
   memory than their definitions. */
tutti_status tutti_trace_expand_communicators(struct trace_reader *reader);

#endif
