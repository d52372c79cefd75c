/* A request of the user: an operation, or a message. */
#ifndef TUTTI_COLLECTIVES_REQUEST_H
#define TUTTI_COLLECTIVES_REQUEST_H

#include "algorithms/mpi/collectives/arguments.h"
#include "algorithms/mpi/run_state.h"
#include "tutti/collectives.h"

struct tutti_request {
  struct run *run;             /* the run that completes it */
  struct operation *operation; /* NULL: a message, mpi/collectives/message.h */
  bool persistent;
  bool active;
  tutti_view view;
  int tag;
  tutti_request *next, *previous; /* operations of the same progress */
  struct persistent_arguments
      persistent_arguments; /* the arguments, which may come to an end before the operation does */
  tutti_error error;        /* the error of the run */
};

/* Nothing of it is under way any more. NULL and inactive requests are complete. */
static inline bool tutti_request_is_complete(const tutti_request *request)
{
  return !request || !request->active || tutti_run_done(request->run);
}

/* Nonblocking calls need a view with a progress. */
tutti_status tutti_needs_progress(const tutti_view *view, tutti_error *error);

/* Drive its progress, without waiting. */
tutti_status tutti_request_poll(tutti_request *request, tutti_error *error);

/* Finish a complete request: report a failure, and free or deactivate it. */
tutti_status tutti_request_complete(tutti_request **request, tutti_error *error);

#endif
