/* Operations of nonblocking and persistent collectives, prepared, or taken from those that are kept. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/collectives/operation.h"
#include "algorithms/mpi/collectives/operation_cache.h"
#include "interpose/process.h"
#include "interpose/serve/serve.h"
#include "interpose/serve/started.h"

/* Maximum number of requests: each has a tag, of which tags_each() provides enough. */
enum { MAX_REQUESTS = 2 * TURNS * MAX_COMMUNICATORS };

static struct started *take_unused(struct started_calls *started)
{
  struct started *taken = started->unused;
  if (taken) {
    started->unused = taken->next;
    started->spare -= taken->operation != NULL;
    if (taken->operation)
      tutti_started_drop(taken);
  } else if (started->completions < MAX_REQUESTS && (taken = calloc(1, sizeof *taken)))
    taken->completion = started->completions++;
  return taken;
}

/* Prepare the operation of a call. */
static tutti_status prepare(struct process *process, struct call *call, const tutti_method *method, struct started *s)
{
  struct communicator *communicator = call->communicator;
  tutti_view view = communicator->view;
  view.progress = &process->started.progress;
  tutti_status status = tutti_persistent_arguments_create(&s->kept, call->arguments, &view, &s->error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_operation_create(method, &s->kept.arguments, &view, s->tag, &s->method, &s->operation, &s->error);
  if (status != TUTTI_OK)
    tutti_persistent_arguments_free(&s->kept);
  return status;
}

static bool fits(const struct started *spare, const struct process *process, const struct call *call,
                 const struct operation_key *key, const tutti_method *method)
{
  if (!spare->operation || spare->dropped != process->known.budget.dropped || spare->communicator != call->communicator)
    return false;
  const struct operation_key own = tutti_operation_key(&spare->kept.arguments);
  return memcmp(&own, key, sizeof own) == 0 && tutti_method_compare(&spare->wanted, method) == 0;
}

/* A cached operation that differs from that of the call in nothing except addresses, bound to these. NULL: none among
   the last few. */
static struct started *take_spare(struct process *process, const struct call *call, const tutti_method *method)
{
  enum { LOOKED_AT = 8 };
  const struct arguments *arguments = call->arguments;
  struct started_calls *started = &process->started;
  struct started **place = &started->unused, *found;
  const struct operation_key key = tutti_operation_key(arguments);
  int looked = 0;
  if (started->spare == 0 || arguments->near || tutti_key_traits(arguments) & TUTTI_KEY_IRREGULAR)
    return NULL;
  while (*place && !fits(*place, process, call, &key, method)) {
    if (++looked == LOOKED_AT)
      return NULL;
    place = &(*place)->next;
  }
  found = *place;
  if (!found)
    return NULL;
  *place = found->next;
  started->spare--;
  found->kept.arguments.input.base = arguments->input.base;
  found->kept.arguments.output.base = arguments->output.base;
  const struct operation_place bound = {arguments->input.base, arguments->output.base, found->operation->place.scratch};
  tutti_operation_bind(found->operation, &bound);
  return found;
}

struct started *tutti_started_create(struct process *process, struct call *call, const tutti_method *method, int tag,
                                     MPI_Comm comm, int *result)
{
  struct started_calls *started = &process->started;
  tutti_error error;
  struct communicator *communicator = call->communicator;
  struct started *s = take_spare(process, call, method);
  if (s) {
    s->call = *call;
    s->call.arguments = &s->kept.arguments;
    s->tag = s->operation->run.tag = tag;
    communicator->users++;
    return s;
  }
  s = take_unused(started);
  if (!communicator->turns)
    communicator->turns = calloc(TURNS, sizeof *communicator->turns);
  tutti_status status =
      s && communicator->turns ? TUTTI_OK : tutti_fail(&error, TUTTI_ERR_MEMORY, "no room for one more request");
  if (status == TUTTI_OK) {
    *s = (struct started){
        .completion = s->completion, .tag = tag, .communicator = call->communicator, .wanted = *method, .call = *call};
    s->call.arguments = &s->kept.arguments;
    status = prepare(process, call, method, s);
    error = s->error;
  }
  if (status == TUTTI_OK) {
    communicator->users++;
    return s;
  }
  if (s) {
    s->operation = NULL;
    s->next = started->unused;
    started->unused = s;
  }
  *result = tutti_report_failure(process, comm, call->arguments->collective, status, &error);
  return NULL;
}
