/* One message between ranks of a view: a run of a schedule of one vertex, which is posted here, so that it advances and
   completes with everything else of its progress. */
#ifndef TUTTI_COLLECTIVES_MESSAGE_H
#define TUTTI_COLLECTIVES_MESSAGE_H

#include "algorithms/mpi/collectives/request.h"
#include "algorithms/mpi/elements.h"

struct message {
  tutti_request request; /* first: it is what the user has */
  struct run run;
  tutti_schedule schedule;
  struct transfer transfer;
  MPI_Status envelope;
};

/* The rank and tag of the base communicator for those of the user, who receives or sends; refuses what is none. */
tutti_status tutti_message_peer(const tutti_view *view, int rank, bool receive, int *peer, tutti_error *error);
tutti_status tutti_message_tag(const tutti_view *view, int tag, int *base_tag, tutti_error *error);

/* A message under way as a request of the user's. The view must have a progress. */
tutti_status tutti_message_start(const struct transfer *transfer, const tutti_view *view, tutti_request **request,
                                 tutti_error *error);

/* The two steps of it. Created with calloc(); nothing is posted yet. @{ */
struct message *tutti_message_create(const struct transfer *transfer, const tutti_view *view, tutti_error *error);
tutti_status tutti_message_post(struct message *message, tutti_error *error);
/* @} */

/* ---- looking for messages ---- */

/* Look for a message of a peer (struct transfer), without waiting. *found: *envelope is that of MPI. Returns an error
   code of MPI. */
int tutti_look(const tutti_view *view, int peer, int tag, int *found, MPI_Status *envelope);

/* The same, after waiting for a message of any source, while nothing else can happen. */
int tutti_look_patiently(const tutti_view *view, int peer, int tag, int *found, MPI_Status *envelope);

/* A receive from any member, whose source is looked for whenever its progress is driven, before it is posted. */
tutti_status tutti_search_start(const struct transfer *transfer, const tutti_view *view, tutti_request **request,
                                tutti_error *error);

/* ---- completion ---- */

/* The status of a complete message, which can be freed afterwards. A message of a process outside the view is
 * TUTTI_ERR_FAULT. */
tutti_status tutti_message_finish(tutti_request *request);

/* A status of MPI in ranks of the view. */
MPI_Status tutti_message_status(const tutti_view *view, const MPI_Status *status);

/* The status of a request: of a message received, or the empty one. */
MPI_Status tutti_request_status(const tutti_request *request);

#endif
