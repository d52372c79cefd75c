/* One message: created, posted, finished; and the ranks, tags and statuses that the user sees. */
#include "algorithms/mpi/collectives/message.h"

#include <stdlib.h>
#include <string.h>

#include "algorithms/mpi/failure.h"

/* ---- posting ---- */

tutti_status tutti_message_post(struct message *message, tutti_error *error)
{
  const struct transfer *transfer = &message->transfer;
  tutti_progress *progress = message->run.view.progress;
  const char *what = transfer->receive ? "receiving" : "sending";
  if (!tutti_progress_reserve(progress))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for a message", message->run.view.rank);
  int result = tutti_post(transfer, message->run.view.comm, &progress->requests[progress->active]);
  if (result != MPI_SUCCESS)
    return tutti_mpi_fail(error, result, "rank %d: %s %llu elements with tag %d failed", message->run.view.rank, what,
                          (unsigned long long)transfer->count, transfer->tag);
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

/* The status without data: of MPI_PROC_NULL, or, if it is not a receive, MPI_ANY_SOURCE. */
static MPI_Status status_without_data(int source)
{
  MPI_Status empty;
  memset(&empty, 0, sizeof empty); /* no elements, in all three libraries */
  empty.MPI_SOURCE = source;
  empty.MPI_TAG = MPI_ANY_TAG;
  empty.MPI_ERROR = MPI_SUCCESS;
  return empty;
}

/* A message of or to MPI_PROC_NULL is complete. MPI is not asked: MPICH 4.0.2 names rank 0 as its source. */
static void skip(struct message *message)
{
  message->run.started = 1;
  message->envelope = status_without_data(MPI_PROC_NULL);
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

/* ---- ranks and tags of a view, there and back: those of MPI in the base communicator ---- */

/* ---- ranks and tags ---- */

tutti_status tutti_message_peer(const tutti_view *view, int rank, bool receive, int *peer, tutti_error *error)
{
  *peer = rank;
  if (view->rank < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the calling process is not in the view of %d ranks", view->size);
  if (rank == MPI_PROC_NULL || (receive && rank == MPI_ANY_SOURCE))
    return TUTTI_OK;
  if (rank == MPI_ANY_SOURCE)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: a message to MPI_ANY_SOURCE", view->rank);
  if (rank < 0 || rank >= view->size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: a message %s rank %d, in a view of %d ranks", view->rank,
                      receive ? "from" : "to", rank, view->size);
  *peer = tutti_view_base_rank(view, rank);
  return TUTTI_OK;
}

/* Every library has the tags up to 32767; only above that the attribute is read. */
static bool library_has_tag(const tutti_view *view, int tag)
{
  enum { GUARANTEED = 32767 };
  int *most, found = 0;
  return tag <= GUARANTEED ||
         (MPI_Comm_get_attr(view->comm, MPI_TAG_UB, &most, &found) == MPI_SUCCESS && found && tag <= *most);
}

tutti_status tutti_message_tag(const tutti_view *view, int tag, int *base_tag, tutti_error *error)
{
  *base_tag = view->message_tag + tag;
  if (tag == MPI_ANY_TAG)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: MPI_ANY_TAG would take messages of collectives", view->rank);
  if (tag < 0 || (view->message_tags == 0 && !library_has_tag(view, tag)))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: tag %d is not a tag of the MPI library", view->rank, tag);
  if (view->message_tags > 0 && tag >= view->message_tags)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: tag %d of a view with tags 0..%d for messages", view->rank,
                      tag, view->message_tags - 1);
  if (view->message_tags == 0 && tag >= TUTTI_FIRST_TAG && tag < TUTTI_FIRST_TAG + TUTTI_TAG_COUNT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: tag %d is one of %d..%d, which collectives use", view->rank,
                      tag, TUTTI_FIRST_TAG, TUTTI_FIRST_TAG + TUTTI_TAG_COUNT - 1);
  return TUTTI_OK;
}

/* ---- statuses ---- */

MPI_Status tutti_message_status(const tutti_view *view, const MPI_Status *status)
{
  MPI_Status seen = *status;
  if (status->MPI_SOURCE == MPI_PROC_NULL)
    return seen;
  seen.MPI_SOURCE = tutti_view_rank_of(view, status->MPI_SOURCE);
  seen.MPI_TAG = status->MPI_TAG - view->message_tag;
  return seen;
}

MPI_Status tutti_request_status(const tutti_request *request)
{
  const struct message *message = (const struct message *)request;
  if (request && request->active && !request->operation && message->transfer.receive)
    return tutti_message_status(&request->view, &message->envelope);
  return status_without_data(MPI_ANY_SOURCE);
}
