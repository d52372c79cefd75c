/* Two ranges that share one process, which works on both at the same time with the same tags: what Janus Quicksort
   lives on. And messages of strangers that come first and stay there. */
#include "ranges.h"

enum { DATA_TAG = 3, GO_TAG = 4 };

struct meeting {
  struct checks *checks;
  tutti_view lower, upper; /* 0 .. middle, middle .. last */
  int middle, base;
  tutti_error error; /* simulated stacks are small */
};

/* ---- collectives ---- */

static bool begin_three(struct meeting *m, tutti_view *view, int *results, tutti_request **requests)
{
  tutti_method reduce = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "binomial")),
               bcast = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "binomial")),
               scan = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_SCAN, "binomial"));
  tutti_status status =
      tutti_ireduce(&reduce, &m->base, &results[0], 1, MPI_INT, MPI_SUM, 0, view, &requests[0], &m->error);
  if (status == TUTTI_OK)
    status = tutti_ibcast(&bcast, &results[1], 1, MPI_INT, view->size - 1, view, &requests[1], &m->error);
  if (status == TUTTI_OK)
    status = tutti_iscan(&scan, &m->base, &results[2], 1, MPI_INT, MPI_SUM, view, &requests[2], &m->error);
  check(m->checks, status == TUTTI_OK, "on one of two ranges: %s", m->error.message);
  return status == TUTTI_OK;
}

/* first + (first + 1) + ... + last */
static int sum(int first, int last)
{
  return (first + last) * (last - first + 1) / 2;
}

static void look_at(struct meeting *m, const tutti_view *view, const int *results)
{
  int first = view->first, last = first + view->size - 1;
  check(m->checks, view->rank != 0 || results[0] == sum(first, last), "range %d..%d: the sum is %d", first, last,
        results[0]);
  check(m->checks, results[1] == last + 100, "range %d..%d: bcast says %d", first, last, results[1]);
  check(m->checks, results[2] == sum(first, m->base), "range %d..%d: the prefix is %d", first, last, results[2]);
}

static void collectives(struct meeting *m, bool upper_first)
{
  tutti_view *views[2] = {upper_first ? &m->upper : &m->lower, upper_first ? &m->lower : &m->upper};
  tutti_request *requests[6] = {NULL};
  int results[6];
  for (int v = 0; v < 2; v++) {
    results[3 * v + 1] = m->base + 100; /* what the last rank says */
    if (views[v]->rank >= 0 && !begin_three(m, views[v], results + 3 * v, requests + 3 * v))
      return;
  }
  check(m->checks, tutti_waitall(6, requests, &m->error) == TUTTI_OK, "two ranges at a time: %s", m->error.message);
  for (int v = 0; v < 2; v++)
    if (views[v]->rank >= 0)
      look_at(m, views[v], results + 3 * v);
}

/* ---- strangers first ---- */

enum way { RECEIVE, PROBE, WAIT, WAIT_ANY, TEST, WAYS };

/* The receive of any member of the upper range, while messages of the lower one are there. */
static tutti_status receive(struct meeting *m, enum way way, int *data, tutti_request **request, MPI_Status *status)
{
  bool done = false;
  size_t index = 1;
  tutti_status good = TUTTI_OK;
  switch (way) {
  case RECEIVE:
    return tutti_recv(data, 1, MPI_INT, MPI_ANY_SOURCE, DATA_TAG, &m->upper, status, &m->error);
  case PROBE:
    good = tutti_probe(MPI_ANY_SOURCE, DATA_TAG, &m->upper, status, &m->error);
    return good == TUTTI_OK ? tutti_recv(data, 1, MPI_INT, status->MPI_SOURCE, DATA_TAG, &m->upper, status, &m->error)
                            : good;
  case WAIT:
    return tutti_wait_message(request, status, &m->error);
  case WAIT_ANY:
    status->MPI_SOURCE = 1;
    good = tutti_waitany(1, request, &index, &m->error);
    check(m->checks, good != TUTTI_OK || index == 0, "strangers first: request %zu is complete", index);
    return good;
  default:
    while (good == TUTTI_OK && !done)
      good = tutti_test_message(request, &done, status, &m->error);
    return good;
  }
}

static void is_not_there_yet(struct meeting *m)
{
  bool found = true;
  MPI_Status status;
  check(m->checks, tutti_probe(0, DATA_TAG, &m->lower, &status, &m->error) == TUTTI_OK && status.MPI_SOURCE == 0,
        "no message of the lower range: %s", m->error.message);
  check(m->checks, tutti_iprobe(MPI_ANY_SOURCE, DATA_TAG, &m->upper, &found, &status, &m->error) == TUTTI_OK && !found,
        "a probe sees a stranger's message: %s", m->error.message);
}

/* The shared process: its number in the lower range is the last, in the upper one 0. */
static void meet(struct meeting *m, enum way way)
{
  int go = 1, data = -1, stranger = -1;
  bool early = true;
  tutti_request *request;
  MPI_Status status;
  is_not_there_yet(m);
  tutti_status good = tutti_irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, DATA_TAG, &m->upper, &request, &m->error);
  if (way == RECEIVE || way == PROBE) { /* the request is for the second message */
    tutti_send(&go, 1, MPI_INT, 1, GO_TAG, &m->upper, &m->error);
    check(m->checks, tutti_wait(&request, &m->error) == TUTTI_OK && data == m->middle + 1, "the first message is %d",
          data);
  } else {
    check(m->checks, good == TUTTI_OK && tutti_test(&request, &early, &m->error) == TUTTI_OK && !early,
          "a receive took a stranger's message: %s", m->error.message);
  }
  tutti_send(&go, 1, MPI_INT, 1, GO_TAG, &m->upper, &m->error);
  good = receive(m, way, &data, &request, &status);
  check(m->checks, good == TUTTI_OK && status.MPI_SOURCE == 1 && data == m->middle + 1,
        "way %d: the message of the upper range is %d, of rank %d: %s", way, data, status.MPI_SOURCE, m->error.message);
  good = tutti_recv(&stranger, 1, MPI_INT, MPI_ANY_SOURCE, DATA_TAG, &m->lower, &status, &m->error);
  check(m->checks, good == TUTTI_OK && status.MPI_SOURCE == 0 && stranger == 0, "the message of the lower range is %d",
        stranger);
}

/* Rank 1 of the upper range answers each go. */
static void answer(struct meeting *m, enum way way)
{
  int go;
  for (int i = 0; i < (way == RECEIVE || way == PROBE ? 2 : 1); i++) {
    tutti_status status = tutti_recv(&go, 1, MPI_INT, 0, GO_TAG, &m->upper, MPI_STATUS_IGNORE, &m->error);
    if (status == TUTTI_OK)
      status = tutti_send(&m->base, 1, MPI_INT, 0, DATA_TAG, &m->upper, &m->error);
    check(m->checks, status == TUTTI_OK, "an answer: %s", m->error.message);
  }
}

static void strangers(struct meeting *m, enum way way)
{
  if (m->base == 0)
    check(m->checks, tutti_send(&m->base, 1, MPI_INT, m->middle, DATA_TAG, &m->lower, &m->error) == TUTTI_OK, "%s",
          m->error.message);
  if (m->base == m->middle)
    meet(m, way);
  if (m->base == m->middle + 1)
    answer(m, way);
}

/* ---- the order of receives ---- */

/* Two receives of any member: the first one gets the first message, though the second is looked after as well. */
static void in_order(struct meeting *m)
{
  int data[2] = {-1, -1};
  tutti_request *requests[2];
  if (m->base == m->middle + 1)
    for (int i = 0; i < 2; i++)
      tutti_send(&i, 1, MPI_INT, 0, DATA_TAG, &m->upper, &m->error);
  if (m->base != m->middle)
    return;
  for (int i = 0; i < 2; i++)
    tutti_irecv(&data[i], 1, MPI_INT, MPI_ANY_SOURCE, DATA_TAG, &m->upper, &requests[i], &m->error);
  tutti_status status = tutti_waitall(2, requests, &m->error);
  check(m->checks, status == TUTTI_OK && data[0] == 0 && data[1] == 1, "two receives got %d and %d: %s", data[0],
        data[1], m->error.message);
}

void check_meetings(struct checks *checks, const tutti_view *world)
{
  struct meeting m = {.checks = checks, .middle = world->size / 2, .base = world->rank};
  if (world->size < 3)
    return;
  tutti_view_range(world, 0, m.middle, 1, &m.lower, &m.error);
  tutti_view_range(world, m.middle, world->size - 1, 1, &m.upper, &m.error);
  check(checks, tutti_view_overlap(&m.lower, &m.upper) == 1, "two ranges share %d processes, not one",
        tutti_view_overlap(&m.lower, &m.upper));
  collectives(&m, false);
  collectives(&m, true);
  if (m.upper.size < 2)
    return;
  for (enum way way = RECEIVE; way < WAYS; way++)
    strangers(&m, way);
  in_order(&m);
}
