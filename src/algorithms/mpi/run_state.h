/* The state of a running schedule. */
#ifndef TUTTI_SCHEDULE_RUN_STATE_H
#define TUTTI_SCHEDULE_RUN_STATE_H

#include <stddef.h>

#include "tutti/run.h"

/* Saving registers for rare work takes as long as the rest of a short function: so it is a separate function. */
#define SELDOM __attribute__((noinline, cold))

/* A buffer bound to memory. */
struct bound_buffer {
  char *base; /* of element 0 */
  MPI_Aint extent;
  MPI_Datatype type;
};

/* Memory that an operation needs while it runs. It is laid out when the operation is prepared: its content has its
   offset for an address until tutti_..._bind() moves it. So operations that run one after the other share memory. */
static inline bool tutti_scratch_reserve(size_t *scratch, size_t bytes, size_t *offset)
{
  const size_t alignment = _Alignof(max_align_t);
  if (bytes > SIZE_MAX / 2 - *scratch)
    return false;
  *offset = *scratch;
  *scratch += (bytes + alignment - 1) / alignment * alignment;
  return true;
}

/* An address in memory that has been moved. */
static inline void *tutti_moved(void *address, uintptr_t by)
{
  return (void *)((uintptr_t)address + by);
}

struct run {
  const tutti_schedule *schedule;
  tutti_view view; /* the view on which it runs; with a progress */
  int tag;
  MPI_Op op;
  struct bound_buffer input, output;
  int type_size;      /* bytes of data in an element of the output */
  bool plain;         /* input and output are the same consecutive bytes: copies need no MPI call */
  char **temporaries; /* [temporary_count] */
  struct step *steps; /* [step_count] the whole run, if it is a sequence of steps: steps.c; else NULL */
  uint32_t step_count;
  const struct step *at; /* the current step, unless there is one step only; NULL: none has begun */
  /* [vertices] incomplete prerequisites; for a vertex that waits to be started, which has none left, the next one in
     the queue. So the queue takes no memory, which a simulation needs 131,072 times. */
  uint32_t *pending;
  tutti_vertex_id ready_first, ready_last; /* the queue; TUTTI_NO_VERTEX if empty */
  uint32_t started;                        /* vertices posted or performed */
  int in_flight;                           /* messages */
  MPI_Status *envelope;                    /* receives the status of each message; NULL: not wanted; not owned */
  tutti_status status;                     /* of the first failure: then the rank takes part without data */
  bool broken;                             /* it cannot even do that: messages may be in flight for ever */
  double next_received;                    /* tutti_keep_receive_gap() */
  double patience_ends;                    /* MPI_Wtime(); of a failed run, 0: not known yet */
  tutti_error *error;                      /* receives its message; not owned */
};

/* A message in flight. */
struct tutti_flight {
  struct run *run;
  tutti_vertex_id vertex;
};

/* Bind the buffers and allocate all arrays from the arena; nothing is started. The view says where and with which
   progress; `tag` is that of the operation. */
tutti_status tutti_run_prepare(struct run *run, const tutti_schedule *schedule, const tutti_view *view, int tag,
                               const tutti_bindings *bindings, tutti_arena *arena, tutti_error *error);

/* The same, but the temporaries are laid out in the scratch memory, of which *scratch bytes are taken already. */
tutti_status tutti_run_lay_out(struct run *run, const tutti_schedule *schedule, const tutti_view *view, int tag,
                               const tutti_bindings *bindings, tutti_arena *arena, size_t *scratch, tutti_error *error);

/* Find the steps of a run that will be repeated. */
void tutti_run_find_steps(struct run *run, tutti_arena *arena);

/* A rank of `peers` without which the run cannot continue, because a message with it is under way, or -1. */
int tutti_run_waits_for(const struct run *run, const bool *peers);

/* Run the steps to the end. Nothing else of the progress may be under way. */
void tutti_run_steps(struct run *run);

/* Do the local work of a vertex: a reduction or a copy. */
void tutti_run_perform(struct run *run, tutti_vertex_id v);

/* Check the size of a message that a vertex has received. A sender without data has failed. */
void tutti_run_check_length(struct run *run, tutti_vertex_id v, const MPI_Status *envelope);

/* The scratch memory has moved. */
void tutti_run_move_scratch(struct run *run, uintptr_t by);

/* Post and perform what waits for nothing. May be called again when the run is done. */
void tutti_run_start(struct run *run);

/* Inject noise, if the view has a noise hook. */
static inline void tutti_run_inject_noise(const struct run *run, tutti_noise_point noise_point)
{
  tutti_noise_hook *noise_hook = run->view.noise_hook;
  if (noise_hook)
    noise_hook->inject_noise(noise_hook, noise_point);
}

/* Whether all vertices are complete, or cannot be completed. */
static inline bool tutti_run_done(const struct run *run)
{
  return run->broken ||
         (run->started == run->schedule->vertex_count && run->in_flight == 0 && run->ready_first == TUTTI_NO_VERTEX);
}

/* A message of the run has arrived or left, or MPI has failed with that code: what waited for it alone is ready now. */
void tutti_run_message_done(struct run *run, tutti_vertex_id vertex, int code, const MPI_Status *envelope);

/* The run has failed: MPI has returned this code for `what`. Only the first failure counts. */
void tutti_run_fail(struct run *run, const char *what, int code);

/* Seconds for which a run that has failed waits for others, which may not send what it expects. A simulation finds such
   a deadlock itself, and there looking again and again may take no simulated time. */
#ifdef SMPI_HELPERS_H
enum { PATIENCE = 0 };
#else
enum { PATIENCE = 2 };
#endif

/* Whether the run has failed and these are over. */
bool tutti_run_gives_up(struct run *run);

/* Post and perform what is ready, and what becomes ready by it. */
void tutti_run_start_ready(struct run *run);

/* Whether nothing of the run can start before all its messages in flight are complete. Checked only where cheap. */
bool tutti_run_needs_all(const struct run *run);

/* ---- progress ---- */

/* Room for one more message in flight. */
bool tutti_progress_reserve(tutti_progress *progress);

/* Drive everything until the run is done; its status. */
tutti_status tutti_progress_wait(struct run *run);

/* Give up waiting for a failed run: its receives are cancelled, so that nothing is written to memory of the caller's
   any more, and what it has to send goes out without data. */
void tutti_progress_abandon(struct run *run);

/* Drive everything by one completion, whosever it is; `run`, which is not done, fails if that cannot be waited for. */
void tutti_progress_step(struct run *run);

/* The message with that index is complete, or has failed with an MPI error code: another run has waited for it. */
void tutti_progress_take_in(tutti_progress *progress, int index, int result, const MPI_Status *envelope);

/* Take in completed messages, without waiting. */
tutti_status tutti_progress_poll(tutti_progress *progress, tutti_error *error);

#endif
