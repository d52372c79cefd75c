/* TUTTI_TRACE=FILE: all collective calls of a program and its messages (trace_messages.h), one after the other, with
   the time between them and in them.

   A rank writes records (results/trace_format.h), 4 to 8 bytes a call, into FILE.RANK, a part of which is mapped
   (rank_writer.h). No message is sent until MPI_Finalize(), when rank 0 merges all into FILE and removes
   FILE.RANK. A call allocates nothing. */
#ifndef TUTTI_INTERPOSE_TRACE_H
#define TUTTI_INTERPOSE_TRACE_H

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "interpose/record/profile.h"
#include "interpose/record/trace_messages.h"

/* Data of a trace for a communicator of the program. */
struct trace_communicator {
  uint64_t number; /* in the trace of the rank, and 1; 0: it has none yet, or its ranks are not known */
  bool known;
  uint64_t prepared; /* persistent collectives so far */
};

/* Calls that differ in nothing but time. The key, and its number. */
struct trace_shape {
  bool used;
  struct executor executor;
  uint64_t communicator, bytes, vectors; /* the digest of its vectors */
  uint64_t form;                         /* 0: blocking, 1: nonblocking, 1 + number: persistent */
  MPI_Datatype type;
  MPI_Op op;
  int root;
  uint64_t number;
};

struct trace {
  MPI_Comm comm; /* of all ranks, for its messages; MPI_COMM_NULL: no recording */
  MPI_Group world;
  const char *path; /* FILE */
  int rank, size, ranks_per_node;
  bool threaded;                     /* several threads may be in MPI, at a time or by turns */
  pthread_t thread;                  /* of the last call, if so */
  unsigned threads;                  /* TRACE_THREADS, TRACE_TURNS: a bit for each, if that was in recorded calls */
  double begun;                      /* MPI_Wtime() */
  uint64_t ended;                    /* nanoseconds since then, of the last call's end */
  uint64_t idle;                     /* nanoseconds since then that were waiting */
  struct rank_writer file;           /* FILE.RANK */
  struct rank_file_head none, *head; /* of the file; without a file `none` */
  unsigned char *buffer;             /* [TRACE_BUFFER], a part of the file if there is one */
  size_t used;                       /* bytes of it */
  uint64_t written;                  /* bytes before it */
  int lost;                          /* errno of the write that failed; 0: nothing is lost */
  struct trace_shape *shapes;        /* by hash; one that finds its place taken takes it */
  uint64_t shape_count, communicator_count;
  struct seen_communicators seen;
  struct trace_messages messages;
};

/* ---- a recorder (recorders.h) ---- */

void tutti_trace_begin(struct process *process);

/* Sets call->shape. */
void tutti_trace_call(struct process *process, struct call *call, const struct executor *executor, double end);

/* Rank 0 writes the file, and, if the policy is verbose, what the program has used but the trace does not record. */
void tutti_trace_end(struct process *process);

/* The shape of a call of all ranks in a form (struct trace_shape). */
uint64_t tutti_trace_shape_of(struct trace *trace, const struct call *call, const struct executor *executor,
                              uint64_t form);

/* A call of that shape. */
void tutti_trace_again(struct trace *trace, uint64_t shape, double start, double end);

/* From `start` to `end` the rank waited: that belongs to the next call. */
void tutti_trace_wait_for(struct trace *trace, double start, double end);

/* Give a communicator that is not known yet its number, if all its ranks are in the world. */
void tutti_trace_define(struct trace *trace, struct trace_communicator *communicator, MPI_Comm comm);

/* The number, and 1, of another communicator of the same members, which is made now; 0: it gets none. */
uint64_t tutti_trace_number(struct trace *trace, MPI_Comm comm);

/* ---- trace_write.c: the bytes ---- */

enum { TRACE_BUFFER = 1 << 16, TRACE_CALL_NUMBERS = 3 };

void tutti_trace_put(struct trace *trace, uint64_t number);
void tutti_trace_put_record(struct trace *trace, const uint64_t numbers[TRACE_CALL_NUMBERS]);
void tutti_trace_put_text(struct trace *trace, const char *text);

/* Begin FILE.RANK; without one, the trace is in memory as far as there is room. Collective. */
void tutti_trace_open(struct trace *trace);

/* The bytes so far are whole records, with one call more. */
static inline void tutti_trace_commit(struct trace *trace)
{
  struct rank_file_head *head = trace->head;
  atomic_store_explicit(&head->calls, atomic_load_explicit(&head->calls, memory_order_relaxed) + 1,
                        memory_order_relaxed);
  atomic_store_explicit(&head->used, trace->written + trace->used, memory_order_release);
}

void tutti_trace_free_bytes(struct trace *trace);

/* Rank 0 gets the bytes of all ranks, and writes them after a line of text. Collective. */
void tutti_trace_gather(struct trace *trace);

#endif
