/* TUTTI_PROFILE=FILE: the cost of the collectives of a program, by place of the program, communicator and size.
   Histograms, not traces: memory is bounded, and no message is sent until MPI_Finalize(), when rank 0 writes the
   records of tutti/result.h (tutti-program, tutti-call) into FILE.

   Reading the clock takes as long as a small call. So once a place has been timed MATURE times, and its calls take less
   than SHORT on average, one call of EVERY is timed, chosen by a hash of the number of the collective on its
   communicator, and represents the others. Seconds since the previous collective are known where that one was timed.
   Estimates are scaled at the end: all calls, and all time between them, add up to the time that passed.

   The last arrival is observed in samples: the n-th collective on a communicator with a probability of min(1, 32 / n),
   by a hash of n, so that all its ranks draw the same. Each rank notes its arrival, on the clock of rank 0; for a
   sample that all ranks have, the last one is known. */
#ifndef TUTTI_INTERPOSE_PROFILE_H
#define TUTTI_INTERPOSE_PROFILE_H

#include <mpi.h>

#include "algorithms/mpi/clock.h"
#include "base/vector.h"
#include "interpose/record/rank_writer.h"
#include "interpose/record/tick_clock.h"
#include "tutti/algorithm.h"
#include "tutti/result.h"

struct call;
struct process;

/* Executor of a call: a method, or the library with a reason. */
struct executor {
  tutti_collective collective;
  const char *native; /* NULL: the method; else static storage */
  const char *form;   /* static storage: nonblocking, ...; NULL: a blocking collective of all ranks */
  tutti_method method;
};

static inline bool tutti_executor_is(const struct executor *left, const struct executor *right)
{
  return left->collective == right->collective && left->native == right->native && left->form == right->form &&
         (left->native || tutti_method_compare(&left->method, &right->method) == 0);
}

/* A hash of what is told apart; handles may differ in each run, where the same program is to write the same bytes. */
static inline uint64_t tutti_hash_words(const uint64_t *words, int count)
{
  uint64_t hash = 0;
  for (int w = 0; w < count; w++)
    hash = (hash ^ words[w]) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

/* Data of a profile for a communicator of the program. */
struct profile_communicator {
  bool known;
  int shape;      /* of profile.shapes */
  uint64_t id;    /* the same on all its ranks; 0: no samples */
  uint32_t calls; /* collectives so far */
};

/* Digests of the members of the communicators that a recorder has seen so far. */
struct seen_communicators {
  TUTTI_VECTOR(uint64_t);
};

/* Communicators that count as one. */
struct profile_shape {
  char name[TUTTI_RESULT_WORD];
  int ranks, nodes;
  int neighbors; /* of a rank at most; 0: without a topology, or not known */
};

struct profile_row {
  /* The key. */
  const void *site;
  int shape;
  struct executor executor;
  uint64_t bytes;
  MPI_Datatype type;
  MPI_Op op;
  struct profile_seen seen; /* its words asked at once: the program may free what they name */
};

/* One operation as the calling rank, and later all ranks, saw it. */
struct profile_sample {
  uint64_t communicator;
  uint32_t index; /* of the operation on it, from 1 */
  int size;       /* of the communicator */
  uint64_t row;   /* on a rank its number, then the digest of its key */
  int seen, last; /* ranks, and which came last */
  double first_time, last_time, sum;
};

struct profile {
  MPI_Comm comm; /* of all ranks, for its messages; MPI_COMM_NULL: no recording */
  struct clock clock;
  double begun, ended; /* MPI_Wtime() of the last collective's end */
  bool fresh;          /* whether the last call was timed */
  double scale;        /* of estimates */
  int *leaders;        /* of the ranks of MPI_COMM_WORLD: ranks with one leader share memory; NULL: unknown */
  MPI_Group world;
  struct {
    TUTTI_VECTOR(struct profile_shape);
  } shapes;
  struct seen_communicators seen;
  struct rank_writer file;
  struct rank_file_head none, *head; /* of the file; without a file `none` */
  struct profile_row *rows;          /* [row_count] of PROFILE_ROWS, after the head */
  uint32_t row_count, sample_count, sample_max;
  uint32_t *slots; /* by hash of the key: number of a row and 1; 0: none */
  struct profile_sample *samples;
  uint64_t left_out; /* calls that found no room */
};

enum { PROFILE_ROWS = 1024 }; /* maximum of a rank */

/* ---- a recorder (recorders.h) ---- */

void tutti_profile_begin(struct process *process);

/* Sets call->row. */
void tutti_profile_call(struct process *process, struct call *call, const struct executor *executor, double end);

/* Rank 0 writes the records of all ranks. */
void tutti_profile_end(struct process *process);

/* A call of that row. */
void tutti_profile_again(struct profile *profile, const struct call *call, struct profile_row *row, double end);

/* The program goes on at this PMPI_Wtime(): what Tutti did before is no time of it. */
void tutti_profile_start(struct profile *profile, double now);

/* Synchronize the clock, and return MPI_Wtime(). Collective. */
double tutti_profile_now(MPI_Comm comm, struct clock *clock);

/* Text as a word of a record, of TUTTI_RESULT_WORD bytes: without blanks, not empty. */
void tutti_profile_set_word(char *word, const char *text);

/* ---- profile_write.c ---- */

/* The words of a row whose key is set. */
void tutti_profile_name_row(const struct profile *profile, struct profile_row *row);

/* ---- profile_time.c ---- */

/* A call of a row begins. False: it is to be timed, and added. */
bool tutti_profile_skip(struct profile *profile, struct profile_communicator *communicator, struct profile_row *row,
                        struct tick_clock *clock);

/* It ended. */
void tutti_profile_add_time(struct profile *profile, const struct call *call, struct profile_row *row, double end);

/* After the last call: scale the estimates, so that together with what was timed they are the time that passed. */
void tutti_profile_set_scale(struct profile *profile);

/* The probability that the n-th operation on a communicator is a sample. */
double tutti_profile_probability(uint32_t index);

/* ---- profile_merge.c ---- */

/* The rows and samples of some ranks. */
struct profile_part {
  struct {
    TUTTI_VECTOR(tutti_result);
  } rows; /* TUTTI_RESULT_CALL; sorted once merged */
  struct {
    TUTTI_VECTOR(struct profile_sample);
  } samples;
};

/* Digest of the key of a row: ties a sample to it. */
uint64_t tutti_profile_digest(const tutti_result *row);

/* Rows of one key become one, and samples of one operation. */
void tutti_profile_merge(struct profile_part *part);

/* Rank 0 gets the parts of all ranks, merged; the others lose theirs. False: out of memory. Collective. */
bool tutti_profile_gather(MPI_Comm comm, struct profile_part *part);

/* Set the waiting times of each row from the samples of whole operations. */
void tutti_profile_set_waiting(struct profile_part *part);

void tutti_profile_part_free(struct profile_part *part);

#endif
