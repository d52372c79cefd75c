/* Completing the messages of all operations that advance together. */
#include "tutti/run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/run_state.h"

void tutti_progress_init(tutti_progress *progress)
{
  *progress = (tutti_progress){.active = 0};
  tutti_arena_init(&progress->own);
  progress->arena = &progress->own;
}

void tutti_progress_free(tutti_progress *progress)
{
  if (progress->ready)
    progress->free_ready(progress->ready);
  progress->ready = NULL;
  tutti_arena_release(&progress->own);
}

/* Few messages are in flight at a time in most algorithms, and twice as many each time they are not enough. */
enum { FIRST_CAPACITY = 4 };

bool tutti_progress_reserve(tutti_progress *progress)
{
  if (progress->active < progress->capacity)
    return true;
  size_t capacity = progress->capacity ? 2 * (size_t)progress->capacity : FIRST_CAPACITY;
  if (capacity > INT_MAX)
    return false;
  MPI_Request *requests = tutti_arena_alloc(progress->arena, capacity * sizeof *requests);
  struct tutti_flight *flights = tutti_arena_alloc(progress->arena, capacity * sizeof *flights);
  if (!requests || !flights)
    return false;
  if (progress->active > 0) {
    memcpy(requests, progress->requests, (size_t)progress->active * sizeof *requests);
    memcpy(flights, progress->flights, (size_t)progress->active * sizeof *flights);
  }
  progress->requests = requests;
  progress->flights = flights;
  progress->capacity = (int)capacity;
  return true;
}

static struct tutti_flight take(tutti_progress *progress, int index)
{
  struct tutti_flight done = progress->flights[index];
  progress->active--;
  progress->requests[index] = progress->requests[progress->active];
  progress->flights[index] = progress->flights[progress->active];
  return done;
}

/* `code` is what MPI says. */
static tutti_status fail(struct run *run, const char *what, int code)
{
  char *reason = malloc(MPI_MAX_ERROR_STRING + 1); /* simulated stacks are small */
  int length = 0;
  if (!reason || MPI_Error_string(code, reason, &length) != MPI_SUCCESS)
    length = 0;
  run->status = tutti_fail(run->error, TUTTI_ERR_MPI, "rank %d: %s failed: %.*s", run->schedule->rank, what, length,
                           reason ? reason : "");
  if (run->error)
    run->error->mpi_code = code;
  free(reason);
  return run->status;
}

/* MPI_Waitall() says in the statuses which message failed, and why. */
enum { FEW_STATUSES = 8 };

static int code_of(int result, const MPI_Status *statuses, int count)
{
  for (int i = 0; result == MPI_ERR_IN_STATUS && i < count; i++)
    if (statuses[i].MPI_ERROR != MPI_SUCCESS && statuses[i].MPI_ERROR != MPI_ERR_PENDING)
      return statuses[i].MPI_ERROR;
  return result;
}

static void message_done(const struct tutti_flight *done, const MPI_Status *envelope)
{
  if (done->run->envelope)
    *done->run->envelope = *envelope;
  tutti_run_message_done(done->run, done->vertex);
}

/* All messages in flight are the run's own. */
static tutti_status wait_for_all(struct run *run)
{
  tutti_progress *progress = run->view.progress;
  int active = progress->active;
  progress->active = 0;
  MPI_Status statuses[FEW_STATUSES];
  bool few = active <= FEW_STATUSES;
  int result = MPI_Waitall(active, progress->requests, few ? statuses : MPI_STATUSES_IGNORE);
  if (result != MPI_SUCCESS)
    return fail(run, "a message", code_of(result, statuses, few ? active : 0));
  for (int i = 0; i < active; i++)
    message_done(&progress->flights[i], &statuses[few ? i : 0]);
  tutti_run_start_ready(run);
  return run->status;
}

/* A message of some operation is done, or has failed: then so has that operation. */
void tutti_progress_take_in(tutti_progress *progress, int index, int result, const MPI_Status *envelope)
{
  struct tutti_flight done = take(progress, index);
  message_done(&done, envelope);
  if (result == MPI_SUCCESS)
    tutti_run_start_ready(done.run);
  else if (done.run->status == TUTTI_OK)
    fail(done.run, "a message", result);
}

static tutti_status poll_messages(tutti_progress *progress, tutti_error *error)
{
  int found = 1;
  while (progress->active > 0 && found) {
    int index = MPI_UNDEFINED;
    MPI_Status envelope;
    int result = MPI_Testany(progress->active, progress->requests, &index, &found, &envelope);
    if (result == MPI_SUCCESS && !found)
      return TUTTI_OK;
    if (index < 0 || index >= progress->active)
      return tutti_fail(error, TUTTI_ERR_MPI, "MPI_Testany failed");
    tutti_progress_take_in(progress, index, result, &envelope);
  }
  return TUTTI_OK;
}

/* Whichever comes first; what is sought must be looked for meanwhile, and be posted before it can be waited for. */
void tutti_progress_step(struct run *run)
{
  tutti_progress *progress = run->view.progress;
  if (progress->sought) {
    progress->seek(progress, true);
    tutti_status status = poll_messages(progress, run->error);
    run->status = run->status == TUTTI_OK ? status : run->status;
    return;
  }
  int index = MPI_UNDEFINED;
  MPI_Status envelope;
  int result = MPI_Waitany(progress->active, progress->requests, &index, &envelope);
  if (index < 0 || index >= progress->active) /* MPI_UNDEFINED: the call itself failed */
    fail(run, "MPI_Waitany", result);
  else
    tutti_progress_take_in(progress, index, result, &envelope);
}

tutti_status tutti_progress_wait(struct run *run)
{
  while (!tutti_run_done(run)) {
    bool alone = run->in_flight == run->view.progress->active;
    if (alone && !run->view.progress->sought && tutti_run_needs_all(run))
      wait_for_all(run);
    else
      tutti_progress_step(run);
  }
  tutti_run_inject_noise(run, TUTTI_BEFORE_END);
  return run->status;
}

tutti_status tutti_progress_poll(tutti_progress *progress, tutti_error *error)
{
  if (progress->sought)
    progress->seek(progress, false);
  return poll_messages(progress, error);
}
