/* A workload: what the ranks of a program do, one thing after the other. Read from a trace; replay.h runs it. */
#ifndef TUTTI_ENGINE_WORKLOAD_H
#define TUTTI_ENGINE_WORKLOAD_H

#include "base/vector.h"
#include "tutti/algorithm.h"

enum { WORKLOAD_WORD = 64 };

#define WORKLOAD_UNKNOWN UINT32_MAX

/* Ranks that call collectives together. */
struct workload_communicator {
  uint32_t size;
  uint32_t *members; /* [size] in MPI_COMM_WORLD; owned; NULL: rank r is r */
};

/* Calls of a rank that differ in nothing but time. */
struct workload_shape {
  tutti_collective collective;
  tutti_method method;   /* that ran; native: the library's */
  uint32_t communicator; /* of workload.communicators; WORKLOAD_UNKNOWN: only its time is known */
  uint32_t rank;         /* there */
  uint64_t bytes;        /* that decide */
  tutti_call call;       /* but for nodes; the layouts are owned */
};

/* A rank of the program. Its records have been checked. */
struct workload_rank {
  const unsigned char *bytes; /* of workload.text */
  size_t length;
  uint64_t start;     /* nanoseconds after the first rank's */
  size_t first_shape; /* of workload.shapes */
};

struct workload {
  char *text; /* the file; owned */
  size_t length;
  char flavor[WORKLOAD_WORD], library[WORKLOAD_WORD]; /* that it ran by; "" where that is not known */
  int ranks_per_node;                                 /* there; 0: not known */
  uint32_t rank_count;
  struct workload_rank *ranks; /* [rank_count]; owned */
  struct {
    TUTTI_VECTOR(struct workload_shape);
  } shapes; /* of one rank after the other */
  struct {
    TUTTI_VECTOR(struct workload_communicator);
  } communicators;                   /* 0: all ranks */
  double seconds;                    /* from the first start to the last end, as recorded */
  double recorded[TUTTI_COLL_COUNT]; /* seconds in the calls of each collective, of all ranks */
  double compute;                    /* seconds between them, likewise */
  uint64_t calls[TUTTI_COLL_COUNT];  /* of all ranks */
  uint64_t unknown;                  /* calls of which only the time is known; among calls[] */
};

/* Read a trace that the interposer wrote. It begins nothing, and takes memory and time in proportion to the file. All
   ranks of a communicator make the same calls on it. TUTTI_ERR_IO; TUTTI_ERR_ARGUMENT names the file, the rank and the
   byte of the file. Free in any case. */
tutti_status tutti_workload_read(const char *path, struct workload *workload, tutti_error *error);
void tutti_workload_free(struct workload *workload);

/* What a rank does next. */
enum workload_kind {
  WORKLOAD_END,  /* compute, then nothing */
  WORKLOAD_CALL, /* compute, then call */
};

struct workload_event {
  enum workload_kind kind;
  uint64_t compute;                   /* nanoseconds before */
  const struct workload_shape *shape; /* of a call */
  uint64_t duration;                  /* of it, as recorded: nanoseconds */
};

/* How far a rank has come. */
struct workload_cursor {
  size_t at; /* of the rank's bytes */
};

/* The next event of a rank; none is behind WORKLOAD_END. */
struct workload_event tutti_workload_next(const struct workload *workload, uint32_t rank,
                                          struct workload_cursor *cursor);

#endif
