/* Messages of any member of a view. The communicator has others, whose messages may come first: if MPI shows one of
   those, the members are probed in turn (Axtmann, Wiebigke, Sanders 2018, V-C, look at the first message only).
 */
#include <stdlib.h>

#include "algorithms/mpi/collectives/message.h"
#include "algorithms/mpi/collectives/operation_cache.h"
#include "algorithms/mpi/failure.h"

/* ---- looking ---- */

static int look_at_each(const tutti_view *view, int tag, int *found, MPI_Status *envelope)
{
  int result = MPI_SUCCESS;
  *found = 0;
  for (int r = 0; r < view->size && result == MPI_SUCCESS && !*found; r++)
    result = MPI_Iprobe(tutti_view_base_rank(view, r), tag, view->comm, found, envelope);
  return result;
}

int tutti_look(const tutti_view *view, int peer, int tag, int *found, MPI_Status *envelope)
{
  *found = 0;
  int result = MPI_Iprobe(peer, tag, view->comm, found, envelope);
  if (result != MPI_SUCCESS || !*found || peer != MPI_ANY_SOURCE || tutti_view_rank_of(view, envelope->MPI_SOURCE) >= 0)
    return result;
  return look_at_each(view, tag, found, envelope);
}

int tutti_look_patiently(const tutti_view *view, int peer, int tag, int *found, MPI_Status *envelope)
{
  *found = 0;
  int result = MPI_Probe(peer, tag, view->comm, envelope);
  return result == MPI_SUCCESS ? tutti_look(view, peer, tag, found, envelope) : result;
}

/* ---- receives without a source so far ---- */

/* Messages with a tag belong to the oldest receive: a younger one must not find what came after the other had looked.
 */
static bool is_first_of_its_kind(const tutti_progress *progress, const tutti_request *request)
{
  const tutti_request *older = progress->sought;
  while (older != request && !(older->tag == request->tag && tutti_same_ranks(&older->view, &request->view)))
    older = older->next;
  return older == request;
}

/* Look for the message; true if the search has come to its end, be it a failure. */
static bool look_for(struct message *message, bool wait)
{
  int found, (*look)(const tutti_view *, int, int, int *, MPI_Status *) = wait ? tutti_look_patiently : tutti_look;
  MPI_Status envelope;
  tutti_error *error = &message->request.error;
  int result = look(&message->run.view, MPI_ANY_SOURCE, message->transfer.tag, &found, &envelope);
  if (result != MPI_SUCCESS) {
    message->run.status = tutti_mpi_fail(error, result, "rank %d: looking for a message with tag %d failed",
                                         message->run.view.rank, message->transfer.tag);
    message->run.broken = true;
    return true;
  }
  if (!found)
    return false;
  message->transfer.peer = envelope.MPI_SOURCE;
  message->run.status = tutti_message_post(message, error);
  message->run.broken = message->run.status != TUTTI_OK;
  return true;
}

/* Only if nothing else can happen is it waited for in MPI. */
static void seek(tutti_progress *progress, bool wait)
{
  wait = wait && progress->active == 0 && !progress->sought->next;
  for (tutti_request **place = &progress->sought; *place;) {
    tutti_request *request = *place, *next = request->next;
    if (is_first_of_its_kind(progress, request) && look_for((struct message *)request, wait))
      *place = next;
    else
      place = &request->next;
  }
}

static void append(tutti_progress *progress, tutti_request *request)
{
  tutti_request **place = &progress->sought;
  while (*place)
    place = &(*place)->next;
  *place = request;
  progress->seek = seek;
}

/* The datatype may come to an end before the message has come. */
static tutti_status keep_type(struct message *message, tutti_error *error)
{
  struct arguments arguments = {.output = {.type = message->transfer.type}};
  tutti_status status = tutti_persistent_arguments_create(&message->request.persistent_arguments, &arguments,
                                                          &message->request.view, error);
  message->transfer.type = message->request.persistent_arguments.arguments.output.type;
  return status;
}

tutti_status tutti_search_start(const struct transfer *transfer, const tutti_view *view, tutti_request **request,
                                tutti_error *error)
{
  struct message *made = tutti_message_create(transfer, view, error);
  if (!made)
    return TUTTI_ERR_MEMORY;
  tutti_status status = keep_type(made, error);
  if (status != TUTTI_OK) {
    free(made);
    return status;
  }
  append(view->progress, &made->request);
  seek(view->progress, false);
  *request = &made->request;
  return TUTTI_OK;
}
