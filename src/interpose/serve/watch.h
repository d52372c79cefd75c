/* Ranks whose calls do not match, as with 50,000 elements on one and 100,000 on the others, may choose different
   methods and wait for each other forever. Detecting that must cost nothing while no rank waits. So each call only
   notes its key: the last ones of each communicator are kept. A rank that has been in a call for a second, as seen from
   the progress of the MPI library (progress_hook.c), asks the ranks that it exchanges messages with whether their call
   of that number is the same. A rank that has made another one, or has reached MPI_Finalize() without it, reports that
   and ends the program. A rank that has not made the call yet does not answer: it may be late without limit.

   That finds deadlocks of calls whose common arguments differ: if each rank waits only for ranks that have made the
   same call, all of these together have made a correct one, which ends. Counts that are local to a rank cannot be
   compared. So a rank that has left the call answers that; a rank that still has a message with it under way when it
   asks again, seconds later, waits forever, because messages between two ranks do not overtake each other.

   A communicator has no common name before its ranks have agreed on a tag. Then a question is about any communicator of
   these ranks, and only a rank in MPI_Finalize() answers it: if it has made fewer calls on each of them, those that it
   has freed included, it has not made this one. Other differences are not found there.

   Communicators of several threads at a time and of sessions, which have no MPI_COMM_WORLD, are not watched, nor is a
   rank that waits in a function that is not a collective call. */
#ifndef TUTTI_INTERPOSE_WATCH_H
#define TUTTI_INTERPOSE_WATCH_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct arguments;
struct communicator;
struct operation;
struct process;
struct started;

/* Facts that all ranks of a call must have in common, as far as methods are chosen by them. */
struct watched_call {
  uint64_t bytes; /* bytes by which a method is picked */
  uint64_t kind;  /* collective, root, operation, and whether the call is left to the library */
};

enum { WATCHED_CALLS = 128 };

/* State for a communicator. */
struct watched_calls {
  uint64_t stamp; /* names it on all its ranks; 0: it is not watched */
  uint64_t count; /* blocking and nonblocking collectives so far, which all ranks make in the same order */
  struct watched_call calls[WATCHED_CALLS]; /* the last ones, by number */
};

/* A call that the process is in. Compared by all members. */
struct watched_wait {
  struct communicator *communicator; /* NULL: none */
  const struct operation *operation; /* NULL: left to the library */
  uint64_t number;
};

enum { WATCH_NO_TAG = -1 };

/* A question, or what answers it. */
struct watch_question {
  uint64_t stamp, number; /* without a tag the stamp is of its ranks and of the policy */
  struct watched_call call;
  int tag;      /* of the communicator, or WATCH_NO_TAG */
  bool opening; /* its ranks agree on a tag */
  bool reply;   /* whether the sender has left the call */
};

/* Questions under way. */
struct watch_round {
  struct watch_question question;
  int count;
  MPI_Request requests[];
};

/* State of a process. */
struct watch {
  bool on;
  bool busy;                       /* looking: the library's progress must not call it again */
  bool ending;                     /* in MPI_Finalize() */
  unsigned polls;                  /* of the library's progress */
  int tag;                         /* of questions, on the shared shadow */
  struct watched_wait now;         /* the blocking call */
  const struct arguments *opening; /* of a call for which the ranks of now.communicator agree on a tag; NULL: none */
  struct watched_wait seen;        /* the call, blocking or not, that the process was in when it looked last */
  double next_look, next_question, interval; /* seconds */
  struct watch_round *round;                 /* the last questions, which may be under way; NULL: none */
  bool *left; /* [size of the communicator] ranks that have left the current call; NULL: none so far */
};

/* After MPI_Init(). Collective. */
void tutti_watch_begin(struct process *process);

/* In MPI_Finalize(), while the shadow is there: all ranks come here, and answer questions until then. Collective. */
void tutti_watch_end(struct process *process);

/* Note a call of a communicator, which the process begins. */
static inline void tutti_watch_note(struct watched_calls *watched, struct watched_call call)
{
  watched->calls[watched->count++ % WATCHED_CALLS] = call;
}

/* Open the communicator for a call (tutti_communicator_open()), which may wait for its other ranks. */
void tutti_watch_open(struct process *process, struct communicator *communicator, const struct arguments *arguments);

/* A step of the library's progress, one of many. */
void tutti_watch_look(struct process *process);

static inline void tutti_watch_poll(struct watch *watch, struct process *process)
{
  if (__builtin_expect(++watch->polls % 64 == 0, 0) && watch->on)
    tutti_watch_look(process);
}

/* ---- watch_ask.c ---- */

/* Names a communicator by a digest of its ranks, and the policy. */
uint64_t tutti_watch_stamp(const struct process *process, uint64_t digest);

/* Ask the ranks of the call that the process waits in, once the last round has ended. */
void tutti_watch_ask(struct process *process, const struct watched_wait *wait, const struct watched_call *call);

/* End the last round; false while its questions are being sent. */
bool tutti_watch_finish(struct watch *watch);

/* ---- watch_report.c ---- */

/* The facts of a call. `native`: it is left to the library; `near`: of neighbors, which count their own blocks. */
struct watched_call tutti_watch_describe(const struct arguments *arguments, uint64_t bytes, bool native, bool near);

/* Rank `asker` of MPI_COMM_WORLD waits in a call, and this rank has made another one, or, NULL, none that it could be.
   Ends the program. */
void tutti_watch_report_difference(int asker, const struct watched_call *asked, int rank,
                                   const struct watched_call *own);

/* The rank waits in a call for another one, which has left it. Ends the program. */
void tutti_watch_report_absence(int rank, int peer, const struct watched_call *call);

#endif
