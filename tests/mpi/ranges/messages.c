/* Messages between the ranks of a view: every way to send and to receive, from a named source and from any. */
#include "ranges.h"

enum { RING_TAG = 7, PAIR_TAG, NOBODY_TAG, ANY_TAG_0 = 20, MOST = 8 };

/* The message of a rank to another: as many numbers as the rank leaves modulo 3, and one. */
static int fill(int *data, int from, int to)
{
  int count = 1 + from % 3;
  for (int i = 0; i < count; i++)
    data[i] = 1000 * from + 10 * to + i;
  return count;
}

static bool is_from(const int *data, const MPI_Status *status, int from, int to, int tag)
{
  int wanted[MOST], count, wanted_count = fill(wanted, from, to);
  MPI_Get_count(status, MPI_INT, &count);
  bool right = status->MPI_SOURCE == from && status->MPI_TAG == tag && count == wanted_count;
  for (int i = 0; right && i < wanted_count; i++)
    right = data[i] == wanted[i];
  return right;
}

static bool fits(const MPI_Status *status, int from, int tag)
{
  int count;
  MPI_Get_count(status, MPI_INT, &count);
  return status->MPI_SOURCE == from && status->MPI_TAG == tag && count == 1 + from % 3;
}

/* ---- from a named source ---- */

static void ring(struct checks *checks, const struct subject *s)
{
  const tutti_view *view = &s->view;
  int next = (view->rank + 1) % view->size, before = (view->rank + view->size - 1) % view->size;
  int out[MOST], in[MOST], count = fill(out, view->rank, next);
  tutti_request *receive, *send;
  MPI_Status status;
  tutti_error error = {.message = ""};
  tutti_status done = tutti_irecv(in, MOST, MPI_INT, before, RING_TAG, view, &receive, &error);
  if (done == TUTTI_OK)
    done = tutti_isend(out, (uint64_t)count, MPI_INT, next, RING_TAG, view, &send, &error);
  if (done == TUTTI_OK)
    done = tutti_wait_message(&receive, &status, &error);
  if (done == TUTTI_OK)
    done = tutti_wait(&send, &error);
  check(checks, done == TUTTI_OK && is_from(in, &status, before, view->rank, RING_TAG) && !receive && !send,
        "%s: rank %d has no message of %d: %s", s->name, view->rank, before, error.message);
}

/* The upper of two neighbors probes, receives and replies. */
static void pairs(struct checks *checks, const struct subject *s)
{
  const tutti_view *view = &s->view;
  int partner = view->rank ^ 1, out[MOST], in[MOST], count = fill(out, view->rank, partner);
  MPI_Status probed, status;
  tutti_error error = {.message = ""};
  tutti_status done = TUTTI_OK;
  if (partner >= view->size)
    return;
  if (view->rank < partner)
    done = tutti_send(out, (uint64_t)count, MPI_INT, partner, PAIR_TAG, view, &error);
  else
    done = tutti_probe(partner, PAIR_TAG, view, &probed, &error);
  if (view->rank > partner)
    check(checks, done == TUTTI_OK && fits(&probed, partner, PAIR_TAG), "%s: a probe of rank %d sees %d: %s", s->name,
          partner, probed.MPI_SOURCE, error.message);
  done = tutti_recv(in, MOST, MPI_INT, partner, PAIR_TAG, view, &status, &error);
  check(checks, done == TUTTI_OK && is_from(in, &status, partner, view->rank, PAIR_TAG),
        "%s: rank %d has no message of its partner: %s", s->name, view->rank, error.message);
  if (view->rank > partner)
    check(checks, tutti_send(out, (uint64_t)count, MPI_INT, partner, PAIR_TAG, view, &error) == TUTTI_OK,
          "%s: no reply: %s", s->name, error.message);
}

static void nobody(struct checks *checks, const struct subject *s)
{
  int data = 5, count = -1;
  MPI_Status status;
  tutti_request *request;
  tutti_error error = {.message = ""};
  bool found = false;
  check(checks, tutti_send(&data, 1, MPI_INT, MPI_PROC_NULL, NOBODY_TAG, &s->view, &error) == TUTTI_OK,
        "%s: a message to nobody: %s", s->name, error.message);
  tutti_status done = tutti_irecv(&data, 1, MPI_INT, MPI_PROC_NULL, NOBODY_TAG, &s->view, &request, &error);
  if (done == TUTTI_OK)
    done = tutti_wait_message(&request, &status, &error);
  MPI_Get_count(&status, MPI_INT, &count);
  check(checks, done == TUTTI_OK && status.MPI_SOURCE == MPI_PROC_NULL && count == 0 && data == 5,
        "%s: a message of nobody from %d with %d numbers: %s", s->name, status.MPI_SOURCE, count, error.message);
  done = tutti_iprobe(MPI_PROC_NULL, NOBODY_TAG, &s->view, &found, &status, &error);
  check(checks, done == TUTTI_OK && found && status.MPI_SOURCE == MPI_PROC_NULL, "%s: a probe of nobody: %s", s->name,
        error.message);
}

/* ---- from any source ---- */

enum way { RECEIVE, PROBE, LOOK, BEGIN_AND_WAIT, BEGIN_AND_TEST, BEGIN_EXCLUSIVELY, WAYS };

static tutti_status look_until_there(int tag, const tutti_view *view, MPI_Status *status, tutti_error *error)
{
  bool found = false;
  tutti_status done = TUTTI_OK;
  while (done == TUTTI_OK && !found)
    done = tutti_iprobe(MPI_ANY_SOURCE, tag, view, &found, status, error);
  return done;
}

static tutti_status test_until_done(tutti_request **request, MPI_Status *status, tutti_error *error)
{
  bool found = false;
  tutti_status done = TUTTI_OK;
  while (done == TUTTI_OK && !found)
    done = tutti_test_message(request, &found, status, error);
  return done;
}

static tutti_status begin_and_end(enum way way, int *data, int tag, const tutti_view *view, MPI_Status *status,
                                  tutti_error *error)
{
  tutti_request *request;
  tutti_status done = way == BEGIN_EXCLUSIVELY
                          ? tutti_irecv_exclusive(data, MOST, MPI_INT, tag, view, &request, error)
                          : tutti_irecv(data, MOST, MPI_INT, MPI_ANY_SOURCE, tag, view, &request, error);
  if (done != TUTTI_OK)
    return done;
  return way == BEGIN_AND_TEST ? test_until_done(&request, status, error) : tutti_wait_message(&request, status, error);
}

static tutti_status receive_any(enum way way, int *data, int tag, const tutti_view *view, MPI_Status *status,
                                tutti_error *error)
{
  if (way == RECEIVE)
    return tutti_recv(data, MOST, MPI_INT, MPI_ANY_SOURCE, tag, view, status, error);
  if (way >= BEGIN_AND_WAIT)
    return begin_and_end(way, data, tag, view, status, error);
  tutti_status done =
      way == PROBE ? tutti_probe(MPI_ANY_SOURCE, tag, view, status, error) : look_until_there(tag, view, status, error);
  return done == TUTTI_OK ? tutti_recv(data, MOST, MPI_INT, status->MPI_SOURCE, tag, view, status, error) : done;
}

/* Everybody but the last rank, which receives, has sent once. */
static void receive_all(struct checks *checks, const struct subject *s, enum way way)
{
  uint64_t seen = 0;
  int data[MOST];
  for (int left = s->view.size - 1; left > 0; left--) {
    MPI_Status status = {.MPI_SOURCE = -1};
    tutti_error error = {.message = ""};
    tutti_status done = receive_any(way, data, ANY_TAG_0 + (int)way, &s->view, &status, &error);
    int from = status.MPI_SOURCE;
    bool right = done == TUTTI_OK && from >= 0 && from < s->view.size && !(seen >> from & 1) &&
                 is_from(data, &status, from, s->view.rank, ANY_TAG_0 + (int)way);
    check(checks, right, "%s: a message of any rank, way %d, comes from %d: %s", s->name, way, from, error.message);
    if (!right)
      return;
    seen |= UINT64_C(1) << from;
  }
}

static void any(struct checks *checks, const struct subject *s)
{
  int out[MOST], root = s->view.size - 1, count = fill(out, s->view.rank, root);
  for (enum way way = RECEIVE; way < WAYS; way++) {
    tutti_error error = {.message = ""};
    if (s->view.rank == root)
      receive_all(checks, s, way);
    else
      check(checks, tutti_send(out, (uint64_t)count, MPI_INT, root, ANY_TAG_0 + (int)way, &s->view, &error) == TUTTI_OK,
            "%s: %s", s->name, error.message);
  }
}

void check_messages(struct checks *checks, const struct subject *subject)
{
  ring(checks, subject);
  pairs(checks, subject);
  nobody(checks, subject);
  any(checks, subject);
}
