/* Probes on a view: MPI_Probe() where nothing of Tutti's is under way, else looking while that advances. */
#include "collectives/message.h"
#include "tutti/message.h"

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

static tutti_status look(const struct probe *probe, enum sight *sight, MPI_Status *envelope, tutti_error *error)
{
  if (is_busy(probe->view)) {
    tutti_status status = tutti_progress_poll(probe->view->progress, error);
    if (status != TUTTI_OK)
      return status;
  }
  int result = probe->peer == MPI_ANY_SOURCE ? tutti_look(probe->view, probe->tag, sight, envelope)
                                             : tutti_look_at(probe->view, probe->peer, probe->tag, sight, envelope);
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
  enum sight sight = NOTHING_THERE;
  tutti_status done = name(&probe, view, rank, tag, error);
  if (done == TUTTI_OK)
    done = look(&probe, &sight, &envelope, error);
  *found = done == TUTTI_OK && sight == MEMBER_THERE;
  if (*found)
    tell(&probe, &envelope, status);
  return done;
}

tutti_status tutti_probe(int rank, int tag, const tutti_view *view, MPI_Status *status, tutti_error *error)
{
  struct probe probe;
  MPI_Status envelope;
  enum sight sight = NOTHING_THERE;
  tutti_status done = name(&probe, view, rank, tag, error);
  while (done == TUTTI_OK && sight != MEMBER_THERE) {
    int result = MPI_SUCCESS;
    if (!is_busy(view) && sight == NOTHING_THERE)
      result = MPI_Probe(probe.peer, probe.tag, view->comm, &envelope);
    done = result == MPI_SUCCESS ? look(&probe, &sight, &envelope, error) : failed(&probe, result, error);
  }
  if (done == TUTTI_OK)
    tell(&probe, &envelope, status);
  return done;
}
