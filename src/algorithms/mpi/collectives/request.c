/* Completing requests, one or several. */
#include <stdlib.h>

#include "algorithms/mpi/collectives/message.h"
#include "algorithms/mpi/collectives/operation.h"
#include "algorithms/mpi/collectives/request.h"
#include "tutti/collectives.h"

tutti_status tutti_needs_progress(const tutti_view *view, tutti_error *error)
{
  if (view->progress)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the view has no progress, which nonblocking operations need");
}

static void strike_off(tutti_request *request)
{
  if (!request->operation)
    return;
  if (request->next)
    request->next->previous = request->previous;
  if (request->previous)
    request->previous->next = request->next;
  else
    request->view.progress->requests_of_user = request->next;
}

static void release(tutti_request **request)
{
  strike_off(*request);
  if ((*request)->operation)
    tutti_operation_free((*request)->operation);
  tutti_persistent_arguments_free(&(*request)->persistent_arguments);
  free(*request);
  *request = NULL;
}

/* The run is done. After a failure messages may be in flight: their memory stays. */
tutti_status tutti_request_complete(tutti_request **request, tutti_error *error)
{
  if (!*request || !(*request)->active)
    return TUTTI_OK;
  tutti_status status =
      (*request)->operation ? tutti_operation_finish((*request)->operation) : tutti_message_finish(*request);
  if (status != TUTTI_OK) {
    tutti_fail(error, status, "%s", (*request)->error.message);
    if (error)
      error->mpi_code = (*request)->error.mpi_code;
    strike_off(*request);
    *request = NULL;
    return status;
  }
  (*request)->active = false;
  if (!(*request)->persistent)
    release(request);
  return TUTTI_OK;
}

tutti_status tutti_request_poll(tutti_request *request, tutti_error *error)
{
  if (tutti_request_is_complete(request))
    return TUTTI_OK;
  tutti_status status = tutti_progress_poll(request->run->view.progress, error);
  if (!tutti_run_done(request->run) && tutti_run_gives_up(request->run))
    tutti_progress_abandon(request->run);
  return status;
}

tutti_status tutti_wait(tutti_request **request, tutti_error *error)
{
  return tutti_wait_message(request, MPI_STATUS_IGNORE, error);
}

tutti_status tutti_test(tutti_request **request, bool *done, tutti_error *error)
{
  return tutti_test_message(request, done, MPI_STATUS_IGNORE, error);
}

/* Requests of several progresses may wait for each other in any order: then only polling all of them helps. */
static bool share_progress(size_t count, tutti_request **requests)
{
  const tutti_progress *first = NULL;
  for (size_t i = 0; i < count; i++) {
    const tutti_progress *own = requests[i] ? requests[i]->view.progress : first;
    if (first && own != first)
      return false;
    first = own;
  }
  return true;
}

static tutti_status poll_all(size_t count, tutti_request **requests, bool *done, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  *done = true;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = tutti_request_poll(requests[i], error);
  for (size_t i = 0; i < count; i++)
    *done = *done && tutti_request_is_complete(requests[i]);
  return status;
}

tutti_status tutti_waitall(size_t count, tutti_request **requests, tutti_error *error)
{
  tutti_status first = TUTTI_OK;
  bool done = share_progress(count, requests);
  while (first == TUTTI_OK && !done)
    first = poll_all(count, requests, &done, error);
  for (size_t i = 0; i < count; i++) {
    tutti_status status = tutti_wait(&requests[i], first == TUTTI_OK ? error : NULL);
    first = first == TUTTI_OK ? status : first;
  }
  return first;
}

/* Number of the first that is complete, or `count`; *driven: one that is not, or NULL. */
static size_t first_complete(size_t count, tutti_request **requests, tutti_request **driven)
{
  *driven = NULL;
  for (size_t i = 0; i < count; i++) {
    if (!requests[i] || !requests[i]->active)
      continue;
    if (tutti_request_is_complete(requests[i]))
      return i;
    *driven = requests[i];
  }
  return count;
}

tutti_status tutti_waitany(size_t count, tutti_request **requests, size_t *index, tutti_error *error)
{
  tutti_request *driven;
  bool shared = share_progress(count, requests), done;
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && (*index = first_complete(count, requests, &driven)) == count && driven)
    if (shared)
      tutti_progress_step(driven->run);
    else
      status = poll_all(count, requests, &done, error);
  return status == TUTTI_OK && *index < count ? tutti_request_complete(&requests[*index], error) : status;
}

tutti_status tutti_testall(size_t count, tutti_request **requests, bool *done, tutti_error *error)
{
  tutti_status status = poll_all(count, requests, done, error);
  return status == TUTTI_OK && *done ? tutti_waitall(count, requests, error) : status;
}

tutti_status tutti_request_free(tutti_request **request, tutti_error *error)
{
  if (*request && (*request)->active)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "an active request cannot be freed");
  if (*request)
    release(request);
  return TUTTI_OK;
}
