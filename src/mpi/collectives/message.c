#include "mpi/collectives/message.h"

#include <stdlib.h>

/* ---- posting ---- */

tutti_status tutti_message_post(struct message *message, tutti_error *error)
{
  const struct transfer *transfer = &message->transfer;
  tutti_progress *progress = message->run.view.progress;
  const char *what = transfer->receive ? "receiving" : "sending";
  if (!tutti_progress_reserve(progress))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for a message", message->run.view.rank);
  int result = tutti_post(transfer, message->run.view.comm, &progress->requests[progress->active]);
  if (result != MPI_SUCCESS) {
    tutti_fail(error, TUTTI_ERR_MPI, "rank %d: %s %llu elements with tag %d failed", message->run.view.rank, what,
               (unsigned long long)transfer->count, transfer->tag);
    if (error)
      error->mpi_code = result;
    return TUTTI_ERR_MPI;
  }
  progress->flights[progress->active++] = (struct tutti_flight){&message->run, 0};
  message->run.in_flight = message->run.started = 1;
  return TUTTI_OK;
}

/* ---- the request ---- */

static const uint32_t no_successors[2] = {0, 0};

struct message *tutti_message_create(const struct transfer *transfer, const tutti_view *view, tutti_error *error)
{
  struct message *made = calloc(1, sizeof *made);
  if (!made) {
    tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for a message", view->rank);
    return NULL;
  }
  made->transfer = *transfer;
  made->schedule =
      (tutti_schedule){.size = view->size, .rank = view->rank, .vertex_count = 1, .successor_first = no_successors};
  made->run = (struct run){.schedule = &made->schedule,
                           .view = *view,
                           .tag = transfer->tag,
                           .ready_first = TUTTI_NO_VERTEX,
                           .ready_last = TUTTI_NO_VERTEX,
                           .envelope = &made->envelope,
                           .error = &made->request.error};
  made->request.run = &made->run;
  made->request.view = *view;
  made->request.tag = transfer->tag;
  made->request.active = true;
  return made;
}

/* A message of or to nobody is complete. Not left to MPI: MPICH 4.0.2 names rank 0 as the source. */
static void skip(struct message *message)
{
  message->run.started = 1;
  message->envelope = tutti_status_without_data(MPI_PROC_NULL);
}

tutti_status tutti_message_start(const struct transfer *transfer, const tutti_view *view, tutti_request **request,
                                 tutti_error *error)
{
  struct message *made = tutti_message_create(transfer, view, error);
  if (!made)
    return TUTTI_ERR_MEMORY;
  tutti_status status = TUTTI_OK;
  if (transfer->peer == MPI_PROC_NULL)
    skip(made);
  else
    status = tutti_message_post(made, error);
  if (status == TUTTI_OK)
    *request = &made->request;
  else
    free(made);
  return status;
}

tutti_status tutti_message_finish(tutti_request *request)
{
  const struct message *message = (const struct message *)request;
  int source = message->envelope.MPI_SOURCE;
  if (message->run.status != TUTTI_OK || !message->transfer.receive || source == MPI_PROC_NULL ||
      tutti_view_rank_of(&request->view, source) >= 0)
    return message->run.status;
  return tutti_fail(&request->error, TUTTI_ERR_FAULT,
                    "rank %d: a receive with tag %d took a message of rank %d of the communicator, which is not in the "
                    "view of %d ranks",
                    request->view.rank, message->transfer.tag, source, request->view.size);
}
