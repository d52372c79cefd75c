/* Messages between the ranks of a view, as the user calls them. */
#include <limits.h>
#include <string.h>

#include "algorithms/mpi/collectives/message.h"
#include "algorithms/mpi/failure.h"
#include "tutti/collectives.h"

/* ---- what all have in common ---- */

static tutti_status check_transfer(const tutti_view *view, int rank, int tag, struct transfer *transfer,
                                   tutti_error *error)
{
  const uint64_t most = (uint64_t)INT_MAX << 30; /* large.h */
  if (transfer->count > most)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: a message of %llu elements; MPI can count %llu", view->rank,
                      (unsigned long long)transfer->count, (unsigned long long)most);
  tutti_status status = tutti_message_peer(view, rank, transfer->receive, &transfer->peer, error);
  return status == TUTTI_OK ? tutti_message_tag(view, tag, &transfer->tag, error) : status;
}

/* No process is outside a view of all processes. */
static bool has_strangers(const tutti_view *view)
{
  int size = 0;
  return MPI_Comm_size(view->comm, &size) != MPI_SUCCESS || view->size < size;
}

/* `exclusive`: no process outside the view sends with the tag. */
static tutti_status start(const struct transfer *transfer, bool exclusive, const tutti_view *view,
                          tutti_request **request, tutti_error *error)
{
  if (transfer->peer == MPI_ANY_SOURCE && !exclusive && has_strangers(view))
    return tutti_search_start(transfer, view, request, error);
  return tutti_message_start(transfer, view, request, error);
}

static tutti_status start_transfer(struct transfer transfer, int rank, int tag, bool exclusive, const tutti_view *view,
                                   tutti_request **request, tutti_error *error)
{
  tutti_status status = tutti_needs_progress(view, error);
  if (status == TUTTI_OK)
    status = check_transfer(view, rank, tag, &transfer, error);
  return status == TUTTI_OK ? start(&transfer, exclusive, view, request, error) : status;
}

/* With the progress of the view, which advances, or with one for this message. */
static tutti_status block_on(struct transfer transfer, int rank, int tag, const tutti_view *view, MPI_Status *envelope,
                             tutti_error *error)
{
  MPI_Request request;
  struct { /* the type that tutti_progress needs */
    struct tutti_flight flight;
    MPI_Status status;
    int index;
  } room;
  tutti_progress own = {.requests = &request, .flights = &room.flight, .capacity = 1};
  tutti_view progressing = *view;
  tutti_request *started;
  if (!view->progress)
    progressing.progress = &own;
  tutti_status status = start_transfer(transfer, rank, tag, false, &progressing, &started, error);
  return status == TUTTI_OK ? tutti_wait_message(&started, envelope, error) : status;
}

static struct transfer outgoing(const void *buffer, uint64_t count, MPI_Datatype type)
{
  struct transfer transfer = {.count = count, .type = type};
  memcpy(&transfer.buffer, &buffer, sizeof buffer); /* only read */
  return transfer;
}

static struct transfer incoming(void *buffer, uint64_t count, MPI_Datatype type)
{
  return (struct transfer){.buffer = buffer, .count = count, .type = type, .receive = true};
}

/* ---- the calls ---- */

tutti_status tutti_send(const void *buffer, uint64_t count, MPI_Datatype type, int rank, int tag,
                        const tutti_view *view, tutti_error *error)
{
  return block_on(outgoing(buffer, count, type), rank, tag, view, MPI_STATUS_IGNORE, error);
}

tutti_status tutti_isend(const void *buffer, uint64_t count, MPI_Datatype type, int rank, int tag,
                         const tutti_view *view, tutti_request **request, tutti_error *error)
{
  return start_transfer(outgoing(buffer, count, type), rank, tag, false, view, request, error);
}

tutti_status tutti_recv(void *buffer, uint64_t count, MPI_Datatype type, int rank, int tag, const tutti_view *view,
                        MPI_Status *status, tutti_error *error)
{
  return block_on(incoming(buffer, count, type), rank, tag, view, status, error);
}

tutti_status tutti_irecv(void *buffer, uint64_t count, MPI_Datatype type, int rank, int tag, const tutti_view *view,
                         tutti_request **request, tutti_error *error)
{
  return start_transfer(incoming(buffer, count, type), rank, tag, false, view, request, error);
}

tutti_status tutti_irecv_exclusive(void *buffer, uint64_t count, MPI_Datatype type, int tag, const tutti_view *view,
                                   tutti_request **request, tutti_error *error)
{
  return start_transfer(incoming(buffer, count, type), MPI_ANY_SOURCE, tag, true, view, request, error);
}

/* ---- completion ---- */

static void set_status(const tutti_request *request, MPI_Status *status)
{
  if (status != MPI_STATUS_IGNORE)
    *status = tutti_request_status(request);
}

tutti_status tutti_wait_message(tutti_request **request, MPI_Status *status, tutti_error *error)
{
  if (!tutti_request_is_complete(*request))
    tutti_progress_wait((*request)->run);
  set_status(*request, status);
  return tutti_request_complete(request, error);
}

tutti_status tutti_test_message(tutti_request **request, bool *done, MPI_Status *status, tutti_error *error)
{
  tutti_status polled = tutti_request_poll(*request, error);
  *done = tutti_request_is_complete(*request);
  if (polled != TUTTI_OK || !*done)
    return polled;
  set_status(*request, status);
  return tutti_request_complete(request, error);
}

/* Probes on a view: MPI_Probe() where nothing of Tutti's is under way, else looking while that advances. */

/* The target of a probe, in the base communicator. */
struct probe {
  const tutti_view *view;
  int peer, tag;
};

static tutti_status name(struct probe *probe, const tutti_view *view, int rank, int tag, tutti_error *error)
{
  probe->view = view;
  tutti_status status = tutti_message_peer(view, rank, true, &probe->peer, error);
  return status == TUTTI_OK ? tutti_message_tag(view, tag, &probe->tag, error) : status;
}

static tutti_status failed(const struct probe *probe, int code, tutti_error *error)
{
  return tutti_mpi_fail(error, code, "rank %d: a probe with tag %d failed", probe->view->rank, probe->tag);
}

static bool is_busy(const tutti_view *view)
{
  return view->progress && (view->progress->active > 0 || view->progress->sought);
}

/* Everything else advances as well; where nothing else is, and `wait` says so, it is waited for. */
static tutti_status probe_message(const struct probe *probe, bool wait, int *found, MPI_Status *envelope,
                                  tutti_error *error)
{
  const tutti_view *view = probe->view;
  bool busy = is_busy(view);
  tutti_status status = busy ? tutti_progress_poll(view->progress, error) : TUTTI_OK;
  if (status != TUTTI_OK)
    return status;
  int result = wait && !busy ? tutti_look_patiently(view, probe->peer, probe->tag, found, envelope)
                             : tutti_look(view, probe->peer, probe->tag, found, envelope);
  return result == MPI_SUCCESS ? TUTTI_OK : failed(probe, result, error);
}

static void set_probed_status(const struct probe *probe, const MPI_Status *envelope, MPI_Status *status)
{
  if (status != MPI_STATUS_IGNORE)
    *status = tutti_message_status(probe->view, envelope);
}

tutti_status tutti_iprobe(int rank, int tag, const tutti_view *view, bool *found, MPI_Status *status,
                          tutti_error *error)
{
  struct probe probe;
  MPI_Status envelope;
  int there = 0;
  tutti_status done = name(&probe, view, rank, tag, error);
  if (done == TUTTI_OK)
    done = probe_message(&probe, false, &there, &envelope, error);
  *found = done == TUTTI_OK && there;
  if (*found)
    set_probed_status(&probe, &envelope, status);
  return done;
}

tutti_status tutti_probe(int rank, int tag, const tutti_view *view, MPI_Status *status, tutti_error *error)
{
  struct probe probe;
  MPI_Status envelope;
  int there = 0;
  tutti_status done = name(&probe, view, rank, tag, error);
  while (done == TUTTI_OK && !there)
    done = probe_message(&probe, true, &there, &envelope, error);
  if (done == TUTTI_OK)
    set_probed_status(&probe, &envelope, status);
  return done;
}
