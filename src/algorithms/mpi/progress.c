/* Completing the messages of all operations that advance together. */
#include "tutti/run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/failure.h"
#include "algorithms/mpi/run_state.h"
#include "algorithms/mpi/simulation.h"

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

/* Few messages are in flight at a time in most algorithms; the capacity doubles when it is too small. */
enum { FIRST_CAPACITY = 4 };

bool tutti_progress_reserve(tutti_progress *progress)
{
  if (progress->active < progress->capacity)
    return true;
  size_t capacity = progress->capacity ? 2 * (size_t)progress->capacity : FIRST_CAPACITY;
  if (capacity > INT_MAX)
    return false;
  MPI_Request *requests = tutti_arena_alloc(progress->arena, capacity * sizeof *requests);
  struct tutti_flight *flights =
      tutti_arena_alloc(progress->arena, capacity * (sizeof *flights + sizeof(MPI_Status) + sizeof(int)));
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

static struct tutti_flight remove_flight(tutti_progress *progress, int index)
{
  struct tutti_flight done = progress->flights[index];
  progress->active--;
  progress->requests[index] = progress->requests[progress->active];
  progress->flights[index] = progress->flights[progress->active];
  return done;
}

/* MPI's code for one of several messages that it has waited for. */
static int code_of(int result, const MPI_Status *status)
{
  return result == MPI_ERR_IN_STATUS ? status->MPI_ERROR : result;
}

#ifdef SMPI_HELPERS_H

/* All of them at once, which takes less simulated time. */
static int wait_for_some(tutti_progress *progress, int *count, int *indices, MPI_Status *statuses)
{
  *count = progress->active;
  for (int i = 0; i < *count; i++)
    indices[i] = i;
  return MPI_Waitall(*count, progress->requests, statuses);
}

#else

/* So that the messages in flight are those that the run waits for: tutti_run_waits_for(). */
static int wait_for_some(tutti_progress *progress, int *count, int *indices, MPI_Status *statuses)
{
  return MPI_Waitsome(progress->active, progress->requests, count, indices, statuses);
}

#endif

/* All messages in flight are the run's own. After a failure MPI may leave others pending. */
static void wait_alone(struct run *run)
{
  tutti_progress *progress = run->view.progress;
  MPI_Status *statuses = (MPI_Status *)(progress->flights + progress->capacity);
  int pending = 0, count = 0, *indices = (int *)(statuses + progress->capacity);
  int result = wait_for_some(progress, &count, indices, statuses);
  if (result != MPI_SUCCESS && result != MPI_ERR_IN_STATUS) {
    tutti_run_fail(run, "waiting", result);
    run->broken = true;
    return;
  }
  for (int i = 0; i < count; i++) {
    struct tutti_flight *flight = &progress->flights[indices[i]];
    int code = code_of(result, &statuses[i]);
    if (code == MPI_ERR_PENDING)
      continue;
    flight->run = NULL;
    tutti_run_message_done(run, flight->vertex, code, &statuses[i]);
  }
  for (int i = 0; i < progress->active; i++)
    if (progress->flights[i].run) {
      progress->requests[pending] = progress->requests[i];
      progress->flights[pending++] = progress->flights[i];
    }
  progress->active = pending;
  tutti_run_start_ready(run);
}

/* A message of some operation is done, or has failed. */
void tutti_progress_take_in(tutti_progress *progress, int index, int result, const MPI_Status *envelope)
{
  struct tutti_flight done = remove_flight(progress, index);
  const bool scheduled = !done.run->envelope; /* no message by itself, which has no vertex */
  if (scheduled && done.run->schedule->vertices[done.vertex].kind == TUTTI_RECV)
    tutti_keep_receive_gap(&done.run->next_received);
  tutti_run_message_done(done.run, done.vertex, result, envelope);
  tutti_run_start_ready(done.run);
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

/* ---- after a failure ---- */

bool tutti_run_gives_up(struct run *run)
{
  if (PATIENCE == 0 || run->status == TUTTI_OK)
    return false;
  if (run->patience_ends == 0)
    run->patience_ends = MPI_Wtime() + PATIENCE;
  return MPI_Wtime() >= run->patience_ends;
}

void tutti_progress_abandon(struct run *run)
{
  tutti_progress *progress = run->view.progress;
  MPI_Status envelope;
  const MPI_Errhandler handler = tutti_errors_set_aside();
  for (int i = 0; i < progress->active;) {
    struct tutti_flight *flight = &progress->flights[i];
    int done = flight->run == run && run->schedule->vertices[flight->vertex].kind == TUTTI_RECV;
    if (done) {
      MPI_Cancel(&progress->requests[i]);
      MPI_Wait(&progress->requests[i], &envelope);
    } else if (flight->run == run && MPI_Test(&progress->requests[i], &done, &envelope) != MPI_SUCCESS)
      done = 1;
    if (done)
      tutti_progress_take_in(progress, i, MPI_SUCCESS, &envelope);
    else
      i++;
  }
  tutti_errors_put_back(handler);
  run->broken = run->in_flight > 0;
}

/* Without waiting in MPI. */
static void look_around(struct run *run)
{
  tutti_progress *progress = run->view.progress;
  if (progress->sought)
    progress->seek(progress, run->status == TUTTI_OK);
  tutti_status status = poll_messages(progress, run->error);
  if (status != TUTTI_OK) {
    run->status = run->status == TUTTI_OK ? status : run->status;
    run->broken = true;
  } else if (!tutti_run_done(run) && tutti_run_gives_up(run))
    tutti_progress_abandon(run);
}

/* Whichever comes first; the sought message must be probed for, and be posted before it can be waited for. */
void tutti_progress_step(struct run *run)
{
  tutti_progress *progress = run->view.progress;
  if (progress->sought || (PATIENCE > 0 && run->status != TUTTI_OK)) {
    look_around(run);
    return;
  }
  int index = MPI_UNDEFINED;
  MPI_Status envelope;
  int result = MPI_Waitany(progress->active, progress->requests, &index, &envelope);
  if (index < 0 || index >= progress->active) { /* MPI_UNDEFINED: the call itself failed */
    tutti_run_fail(run, "MPI_Waitany", result);
    run->broken = true;
  } else
    tutti_progress_take_in(progress, index, result, &envelope);
}

tutti_status tutti_progress_wait(struct run *run)
{
  const MPI_Errhandler handler = tutti_errors_set_aside();
  while (!tutti_run_done(run)) {
    bool alone = run->in_flight == run->view.progress->active;
    const bool waits = PATIENCE == 0 || run->status == TUTTI_OK;
    if (waits && alone && !run->view.progress->sought && tutti_run_needs_all(run))
      wait_alone(run);
    else
      tutti_progress_step(run);
  }
  tutti_errors_put_back(handler);
  tutti_run_inject_noise(run, TUTTI_BEFORE_END);
  return run->status;
}

tutti_status tutti_progress_poll(tutti_progress *progress, tutti_error *error)
{
  if (progress->sought)
    progress->seek(progress, false);
  if (progress->active == 0)
    return TUTTI_OK;
  const MPI_Errhandler handler = tutti_errors_set_aside();
  const tutti_status status = poll_messages(progress, error);
  tutti_errors_put_back(handler);
  return status;
}
