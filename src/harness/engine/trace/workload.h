/* A workload: what the ranks of a program do, one thing after the other. Read from a trace; replay.h runs it. */
#ifndef TUTTI_ENGINE_WORKLOAD_H
#define TUTTI_ENGINE_WORKLOAD_H

#include "base/vector.h"
#include "tutti/algorithm.h"
#include "tutti/passed.h"

enum { WORKLOAD_WORD = 64 };

#define WORKLOAD_UNKNOWN UINT32_MAX

/* A bit in the channel of a receive with any tag, until that is known. */
#define WORKLOAD_ANY_TAG (UINT32_C(1) << 31)

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
  tutti_call call;       /* without nodes; the layouts are owned */
  uint64_t calls;        /* of the rank */
};

enum workload_op_kind { WORKLOAD_WORK, WORKLOAD_SEND, WORKLOAD_RECV, WORKLOAD_COLLECTIVE };

struct workload_op {
  enum workload_op_kind kind;
  bool blocking;    /* a send that the rank waits for */
  bool synchronous; /* a send that is complete when its receiver has come */
  uint8_t stream;   /* operations of different streams run side by side; work and what follows it do not else */
  uint32_t peer;    /* of a message */
  uint32_t channel; /* of messages, and of a collective beside others; one of a tag (engine/matching.h) */
  uint64_t amount;  /* nanoseconds of work; bytes; index in workload.shapes */
};

/* An operation begins when another one of its segment is complete, or, of a message, when that is posted, or, of a
   collective, when that has begun. */
struct workload_edge {
  uint32_t before, after; /* operations */
  bool posted;
};

/* All operations of a segment are complete before the next one begins. Where it ends: it begins where the one before
   ends. */
struct workload_segment {
  size_t ops, edges;
};

struct workload_graph {
  struct {
    TUTTI_VECTOR(struct workload_op);
  } ops;
  struct {
    TUTTI_VECTOR(struct workload_edge);
  } edges;
  struct {
    TUTTI_VECTOR(struct workload_segment);
  } segments;
};

/* A rank of the program: checked records of a trace without messages, or a graph. */
struct workload_rank {
  const unsigned char *bytes; /* of workload.text; NULL: it is a graph */
  size_t length;
  uint64_t start;     /* nanoseconds after the first rank's */
  size_t first_shape; /* of workload.shapes */
  struct workload_graph graph;
};

/* Calls of collectives, by tutti_collective, and messages of the program. */
enum { WORKLOAD_MESSAGES = TUTTI_COLL_COUNT, WORKLOAD_PARTS };

struct workload {
  char *text; /* the file; owned */
  size_t length;
  char flavor[WORKLOAD_WORD], library[WORKLOAD_WORD]; /* that it ran by; "" where that is not known */
  int ranks_per_node, cores;                          /* there, cores of a node; 0: not known */
  uint32_t rank_count;
  struct workload_rank *ranks; /* [rank_count]; owned */
  struct {
    TUTTI_VECTOR(struct workload_shape);
  } shapes; /* of one rank after the other */
  struct {
    TUTTI_VECTOR(struct workload_communicator);
  } communicators;                 /* 0: all ranks */
  uint32_t channel_count;          /* of communicators, and after these of tags */
  double seconds;                  /* from the first start to the last end, as recorded; NaN: not known */
  double recorded[WORKLOAD_PARTS]; /* seconds in calls, of all ranks */
  uint64_t unknown;                /* calls with a known time only */
  uint64_t unmatched;              /* messages that one end alone was recorded of, which are left out */
  bool flops;                      /* work is in flop, not in nanoseconds */
  bool neighbors;                  /* collectives of neighbors are among the messages: one to each of them */
  bool streams;                    /* some operation is of another stream than 0 */
  unsigned unrecorded; /* a bit for each enum trace_unrecorded (results/trace_format.h) that the program has used */
};

/* Read a trace (docs/reference/traces.md has the formats). What is not understood is passed over; TUTTI_ERR_ARGUMENT if
   nothing is understood. Takes memory and time in proportion to the file. TUTTI_ERR_IO; TUTTI_ERR_ARGUMENT names the
   file, and the line, or the rank and the byte. Free in any case. */
tutti_status tutti_workload_read(const char *path, struct workload *workload, tutti_passed *passed, tutti_error *error);
void tutti_workload_free(struct workload *workload);

/* The next event of a rank. */
enum workload_kind {
  WORKLOAD_END,        /* compute, then nothing */
  WORKLOAD_CALL,       /* compute, then call */
  WORKLOAD_OPERATIONS, /* those of a segment of its graph */
};

struct workload_event {
  enum workload_kind kind;
  uint64_t compute;                   /* nanoseconds before */
  const struct workload_shape *shape; /* of a call */
  uint64_t duration;                  /* of it, as recorded: nanoseconds */
  size_t segment;                     /* number */
};

/* How far a rank has come. */
struct workload_cursor {
  size_t at; /* of the rank's bytes, or segments */
};

/* The next event of a rank; WORKLOAD_END is the last. */
struct workload_event tutti_workload_next(const struct workload *workload, uint32_t rank,
                                          struct workload_cursor *cursor);

/* A rank of a communicator among all. */
static inline uint32_t workload_member(const struct workload *workload, uint32_t communicator, uint32_t rank)
{
  const struct workload_communicator *c = &workload->communicators.items[communicator];
  return c->members ? c->members[rank] : rank;
}

/* The beginning of a segment: the end of the previous one. */
static inline struct workload_segment workload_segment_begin(const struct workload_graph *graph, size_t segment)
{
  return segment > 0 ? graph->segments.items[segment - 1] : (struct workload_segment){0, 0};
}

#endif
