/* Running the steps of a schedule. */
#include <string.h>

#include "algorithms/mpi/elements.h"
#include "algorithms/mpi/failure.h"
#include "algorithms/mpi/steps.h"

static inline char *address_of(const struct step_end *end)
{
  return *end->base + end->offset;
}

SELDOM static int mapped_peer(const struct run *run, const struct step_end *end)
{
  return tutti_view_base_rank(&run->view, end->peer);
}

static inline int peer_of(const struct run *run, const struct step_end *end)
{
  return run->view.lookup ? mapped_peer(run, end) : end->peer;
}

static inline int send(const struct run *run, const struct step_end *out)
{
  return MPI_Send(address_of(out), out->count, out->type, peer_of(run, out), run->tag, run->view.comm);
}

static inline int receive(const struct run *run, const struct step_end *in, MPI_Status *status)
{
  return MPI_Recv(address_of(in), in->count, in->type, peer_of(run, in), run->tag, run->view.comm, status);
}

static inline int send_and_receive(const struct run *run, const struct step_end *out, const struct step_end *in,
                                   MPI_Status *status)
{
  return MPI_Sendrecv(address_of(out), out->count, out->type, peer_of(run, out), run->tag, address_of(in), in->count,
                      in->type, peer_of(run, in), run->tag, run->view.comm, status);
}

/* ---- after a failure ---- */

/* Whether MPI has done its part, even if it failed. */
static bool is_done(int result)
{
  int class = MPI_ERR_OTHER;
  return result == MPI_SUCCESS || (MPI_Error_class(result, &class) == MPI_SUCCESS && class == MPI_ERR_TRUNCATE);
}

static struct step_end without_data(const struct step_end *end)
{
  struct step_end empty = *end;
  empty.count = 0;
  empty.type = MPI_BYTE;
  return empty;
}

/* For as long as a failed run waits; then the message is left alone. */
static void complete_soon(struct run *run, MPI_Request *request, bool receives)
{
  int done = *request == MPI_REQUEST_NULL;
  if (PATIENCE == 0)
    MPI_Wait(request, MPI_STATUS_IGNORE);
  while (PATIENCE > 0 && !done) {
    if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done)
      return;
    done = tutti_run_gives_up(run);
  }
  if (*request == MPI_REQUEST_NULL)
    return;
  if (receives) {
    MPI_Cancel(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
  } else
    MPI_Request_free(request);
}

/* After a failure nothing is sent but that, and what MPI did not take to be received goes without data, too. */
SELDOM static void exchange_after_failure(struct run *run, const struct step *step, bool receives)
{
  MPI_Request sent = MPI_REQUEST_NULL, received = MPI_REQUEST_NULL;
  const struct step_end in = receives ? step->in : without_data(&step->in);
  int result = MPI_SUCCESS;
  if (step->kind != STEP_SEND)
    result = MPI_Irecv(address_of(&in), in.count, in.type, peer_of(run, &in), run->tag, run->view.comm, &received);
  if (result != MPI_SUCCESS && receives) {
    exchange_after_failure(run, step, false);
    return;
  }
  if (result == MPI_SUCCESS && step->kind != STEP_RECEIVE)
    result = MPI_Isend(NULL, 0, MPI_BYTE, peer_of(run, &step->out), run->tag, run->view.comm, &sent);
  run->broken = result != MPI_SUCCESS;
  const MPI_Errhandler handler = tutti_errors_set_aside();
  complete_soon(run, &sent, false);
  complete_soon(run, &received, true);
  tutti_errors_put_back(handler);
}

/* MPI has returned this code for the step. */
SELDOM static void fail_step(struct run *run, const struct step *step, int result)
{
  tutti_run_fail(run, "a message", result);
  if (!is_done(result))
    exchange_after_failure(run, step, false);
}

/* ---- as long as nothing has failed ---- */

SELDOM static void end_exchange(struct run *run, const struct step *step, int result, const MPI_Status *status)
{
  if (result != MPI_SUCCESS)
    fail_step(run, step, result);
  else
    tutti_run_check_length(run, step->in.vertex, status);
}

/* Whether a message has the expected length. */
static inline bool is_complete(const struct step *step, int result, const MPI_Status *status)
{
  uint64_t received;
  return result == MPI_SUCCESS && (!tutti_status_bytes(status, &received) || received == step->in.bytes);
}

SELDOM static void fail_reduction(struct run *run, int result)
{
  tutti_run_fail(run, "a local reduction", result);
}

static inline void perform_send(struct run *run, const struct step *step)
{
  const int result = send(run, &step->out);
  if (result != MPI_SUCCESS)
    fail_step(run, step, result);
}

static inline void perform_receive(struct run *run, const struct step *step)
{
  MPI_Status status;
  const int result = receive(run, &step->in, &status);
  if (!is_complete(step, result, &status))
    end_exchange(run, step, result, &status);
}

static inline void perform(struct run *run, const struct step *step)
{
  MPI_Status status;
  int result;
  switch (step->kind) {
  case STEP_SEND:
    perform_send(run, step);
    break;
  case STEP_RECEIVE:
    perform_receive(run, step);
    break;
  case STEP_BOTH:
    result = send_and_receive(run, &step->out, &step->in, &status);
    if (!is_complete(step, result, &status))
      end_exchange(run, step, result, &status);
    break;
  case STEP_COPY:
    memcpy(address_of(&step->in), address_of(&step->out), step->in.bytes);
    break;
  case STEP_REDUCE:
    result = MPI_Reduce_local(address_of(&step->out), address_of(&step->in), step->in.count, step->in.type, run->op);
    if (result != MPI_SUCCESS)
      fail_reduction(run, result);
    break;
  default:
    tutti_run_perform(run, step->out.vertex);
  }
}

SELDOM static void run_after_failure(struct run *run, const struct step *step, const struct step *end)
{
  run->patience_ends = 0;
  for (; step < end && !run->broken; step++)
    if (step->kind < STEP_COPY)
      exchange_after_failure(run, step, true);
}

/* Apart from a single message, as the leaves of a tree have: a loop needs more registers. */
__attribute__((noinline)) static void run_several(struct run *run)
{
  const struct step *step = run->steps, *const end = step + run->step_count;
  for (; step < end && run->status == TUTTI_OK; step++) {
    run->at = step;
    perform(run, step);
  }
  if (run->status != TUTTI_OK)
    run_after_failure(run, step, end);
}

/* For a step with two messages it is unknown which is under way. */
static int step_waits_for(const tutti_schedule *schedule, const struct step *step, const bool *peers)
{
  const bool sends = step->kind != STEP_RECEIVE, receives = step->kind != STEP_SEND;
  if (step->kind > STEP_BOTH)
    return -1;
  const int to = sends ? (int)schedule->vertices[step->out.vertex].peer : -1,
            from = receives ? (int)schedule->vertices[step->in.vertex].peer : to;
  return (sends && !peers[to]) || !peers[from] ? -1 : from;
}

int tutti_run_waits_for(const struct run *run, const bool *peers)
{
  const tutti_progress *progress = run->view.progress;
  for (int i = 0; i < progress->active; i++) {
    const struct tutti_flight *flight = &progress->flights[i];
    const int peer = flight->run == run ? (int)run->schedule->vertices[flight->vertex].peer : -1;
    if (peer >= 0 && peers[peer])
      return peer;
  }
  const struct step *step = run->step_count == 1 ? run->steps : run->at;
  return run->in_flight == 0 && run->steps && step ? step_waits_for(run->schedule, step, peers) : -1;
}

void tutti_run_steps(struct run *run)
{
  const struct step *step = run->steps;
  if (run->step_count != 1 || step->kind > STEP_RECEIVE || run->status != TUTTI_OK)
    run_several(run);
  else if (step->kind == STEP_SEND)
    perform_send(run, step);
  else
    perform_receive(run, step);
}
