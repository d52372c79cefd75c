/* Probes on a view: MPI_Probe() where nothing of Tutti's is under way, else looking while that advances. */
#include "mpi/collectives/message.h"
#include "tutti/collectives.h"

/* What is asked for, in the base communicator. */
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
  tutti_fail(error, TUTTI_ERR_MPI, "rank %d: a probe with tag %d failed", probe->view->rank, probe->tag);
  if (error)
    error->mpi_code = code;
  return TUTTI_ERR_MPI;
}

static bool is_busy(const tutti_view *view)
{
  return view->progress && (view->progress->active > 0 || view->progress->sought);
}

/* Everything else advances as well; where nothing else is, and `wait` says so, it is waited for. */
static tutti_status look(const struct probe *probe, bool wait, int *found, MPI_Status *envelope, tutti_error *error)
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

static void tell(const struct probe *probe, const MPI_Status *envelope, MPI_Status *status)
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
    done = look(&probe, false, &there, &envelope, error);
  *found = done == TUTTI_OK && there;
  if (*found)
    tell(&probe, &envelope, status);
  return done;
}

tutti_status tutti_probe(int rank, int tag, const tutti_view *view, MPI_Status *status, tutti_error *error)
{
  struct probe probe;
  MPI_Status envelope;
  int there = 0;
  tutti_status done = name(&probe, view, rank, tag, error);
  while (done == TUTTI_OK && !there)
    done = look(&probe, true, &there, &envelope, error);
  if (done == TUTTI_OK)
    tell(&probe, &envelope, status);
  return done;
}
