/* The three ways to run a collective: blocking, nonblocking and persistent. */
#include "algorithms/mpi/collectives/operation.h"

#include <stdlib.h>

#include "algorithms/mpi/collectives/operation_cache.h"
#include "algorithms/mpi/collectives/request.h"

/* Build, run and forget. */
static tutti_status block_on(const tutti_method *method, const struct arguments *arguments, const tutti_view *view,
                             tutti_error *error)
{
  struct operation *operation;
  tutti_status status = tutti_operation_create(method, arguments, view, view->first_tag, NULL, &operation, error);
  return status == TUTTI_OK ? tutti_operation_run_once(operation) : status;
}

/* ---- blocking operations that a program repeats ---- */

struct tutti_readiness {
  struct operation_cache cache;
};

static void free_ready(struct tutti_readiness *ready)
{
  tutti_cache_free(&ready->cache);
  free(ready);
}

/* NULL without memory. */
static struct operation_cache *cache_of(tutti_progress *progress)
{
  if (!progress->ready) {
    progress->ready = calloc(1, sizeof *progress->ready);
    progress->free_ready = free_ready;
  }
  return progress->ready ? &progress->ready->cache : NULL;
}

static bool is_worth_keeping(const struct arguments *arguments, const tutti_view *view)
{
  /* Another map in the place of this one would have other nodes. */
  bool known = !view->lookup || (!view->nodes && !view->levels);
  return known && view->rank >= 0 && tutti_operation_is_cacheable(arguments, view);
}

tutti_status tutti_run_blocking(const tutti_method *method, struct arguments *arguments, const tutti_view *view,
                                tutti_error *error)
{
  tutti_arguments_normalize(arguments, view->rank);
  struct operation_cache *cache = view->progress ? cache_of(view->progress) : NULL;
  struct cached_operation *cached = cache ? tutti_cache_find(cache, arguments, method, view) : NULL;
  if (cache && !cached && is_worth_keeping(arguments, view)) {
    tutti_status status = tutti_cache_prepare(cache, method, arguments, 0, view, false, &cached, error);
    if (status != TUTTI_OK)
      return status;
  }
  return cached ? tutti_cache_run(cache, cached, error) : block_on(method, arguments, view, error);
}

/* ---- requests of a progress ---- */

static void enlist(tutti_request *request)
{
  tutti_progress *progress = request->view.progress;
  request->next = progress->requests_of_user;
  if (request->next)
    request->next->previous = request;
  progress->requests_of_user = request;
}

/* The request of the same view that has the tag, if any is left. */
static tutti_request *holder_of(const tutti_view *view, int tag)
{
  tutti_request *request = view->progress->requests_of_user;
  while (request && !(request->tag == tag && tutti_same_ranks(&request->view, view)))
    request = request->next;
  return request;
}

/* With all tags in turn the next one may be in use. What began before on the same view ends before, by all ranks alike;
   but it is unknown when a persistent operation will be started again. */
static tutti_status free_tag(const tutti_view *view, int tag, tutti_error *error)
{
  tutti_request *holder = holder_of(view, tag);
  if (holder && holder->persistent)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "the view has no tag left for another persistent operation");
  if (holder && holder->active)
    tutti_progress_wait(holder->run);
  return TUTTI_OK;
}

static tutti_status fill_request(tutti_request *made, const tutti_method *method, const struct arguments *arguments,
                                 tutti_error *error)
{
  const tutti_view *view = &made->view;
  tutti_status status = free_tag(view, made->tag, error);
  if (status == TUTTI_OK)
    status = tutti_persistent_arguments_create(&made->persistent_arguments, arguments, view, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_operation_create(method, &made->persistent_arguments.arguments, view, made->tag, NULL,
                                  &made->operation, &made->error);
  if (status == TUTTI_OK) {
    made->run = &made->operation->run;
    return TUTTI_OK;
  }
  tutti_persistent_arguments_free(&made->persistent_arguments);
  return tutti_fail(error, status, "%s", made->error.message);
}

static tutti_status request_create(const tutti_method *method, const struct arguments *arguments,
                                   const tutti_view *view, int tag, tutti_request **request, tutti_error *error)
{
  tutti_request *made = calloc(1, sizeof *made);
  if (!made)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for a request", view->rank);
  made->view = *view;
  made->tag = tag;
  tutti_status status = fill_request(made, method, arguments, error);
  if (status != TUTTI_OK) {
    free(made);
    return status;
  }
  enlist(made);
  *request = made;
  return TUTTI_OK;
}

static tutti_status check_view(const tutti_view *view, tutti_error *error)
{
  if (view->progress && view->tag_count < 3)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a view with %d tags; nonblocking operations need at least 3",
                      view->tag_count);
  return tutti_needs_progress(view, error);
}

/* The first tag is for blocking operations, the first half of the others for nonblocking and the rest for persistent
   ones. */
static int next_nonblocking_tag(tutti_view *view)
{
  int count = (view->tag_count - 1) / 2, turn = view->begun;
  view->begun = (turn + 1) % count;
  return view->first_tag + 1 + turn;
}

static int next_persistent_tag(tutti_view *view)
{
  int before = 1 + (view->tag_count - 1) / 2, turn = view->prepared;
  view->prepared = (turn + 1) % (view->tag_count - before);
  return view->first_tag + before + turn;
}

static void start(tutti_request *request)
{
  request->active = true;
  tutti_operation_start(request->operation);
}

tutti_status tutti_run_nonblocking(const tutti_method *method, struct arguments *arguments, tutti_view *view,
                                   tutti_request **request, tutti_error *error)
{
  tutti_arguments_normalize(arguments, view->rank);
  tutti_status status = check_view(view, error);
  if (status == TUTTI_OK)
    status = request_create(method, arguments, view, next_nonblocking_tag(view), request, error);
  if (status == TUTTI_OK)
    start(*request);
  return status;
}

tutti_status tutti_run_persistent(const tutti_method *method, struct arguments *arguments, tutti_view *view,
                                  tutti_request **request, tutti_error *error)
{
  tutti_arguments_normalize(arguments, view->rank);
  tutti_status status = check_view(view, error);
  if (status == TUTTI_OK)
    status = request_create(method, arguments, view, next_persistent_tag(view), request, error);
  if (status == TUTTI_OK)
    (*request)->persistent = true;
  return status;
}

tutti_status tutti_start(tutti_request *request, tutti_error *error)
{
  if (!request || !request->persistent || request->active)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "only an inactive persistent request can be started");
  start(request);
  return TUTTI_OK;
}

tutti_status tutti_startall(size_t count, tutti_request **requests, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < count && status == TUTTI_OK; i++)
    status = tutti_start(requests[i], error);
  return status;
}
