/* Ranks and tags of a view, there and back: those of MPI in the base communicator. */
#include <string.h>

#include "mpi/collectives/message.h"

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

/* Any library has the tags up to 32767; only for more it is asked. */
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
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: tag %d is none of the MPI library", view->rank, tag);
  if (view->message_tags > 0 && tag >= view->message_tags)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: tag %d of a view with tags 0..%d for messages", view->rank,
                      tag, view->message_tags - 1);
  if (view->message_tags == 0 && tag >= TUTTI_FIRST_TAG && tag < TUTTI_FIRST_TAG + TUTTI_TAG_COUNT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: tag %d is one of %d..%d, which collectives use", view->rank,
                      tag, TUTTI_FIRST_TAG, TUTTI_FIRST_TAG + TUTTI_TAG_COUNT - 1);
  return TUTTI_OK;
}

/* ---- statuses ---- */

MPI_Status tutti_status_without_data(int source)
{
  MPI_Status empty;
  memset(&empty, 0, sizeof empty); /* no elements, in all three libraries */
  empty.MPI_SOURCE = source;
  empty.MPI_TAG = MPI_ANY_TAG;
  empty.MPI_ERROR = MPI_SUCCESS;
  return empty;
}

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
  return tutti_status_without_data(MPI_ANY_SOURCE);
}
