/* The collectives of table I on a view: the result of each is told by the list of its members alone. */
#include "ranges.h"

enum operation { BCAST, REDUCE, SCAN, GATHER, GATHERV, BARRIER, OPERATIONS };

/* How they are run. */
enum way { BLOCKING, ALL_THEN_WAITALL, ALL_THEN_WAITANY, ALL_THEN_TESTALL, ONE_BY_ONE_TESTED, WAYS };

struct trial {
  struct checks *checks;
  struct subject *subject;
  int root, own;
  int said, sum, prefix;
  int *gathered, *pieces; /* [size], [2 * size] */
  int *counts, *places;   /* [size] of gatherv */
  const tutti_method *methods;
  tutti_error error;
};

static int contribution(int member)
{
  return 3 * member + 1;
}

static int pieces_of(int rank)
{
  return rank % 3;
}

/* ---- calls ---- */

static tutti_status call(struct trial *t, int operation)
{
  const tutti_view *view = &t->subject->view;
  const int two[2] = {t->own, -t->own};
  switch (operation) {
  case BCAST:
    return tutti_bcast(&t->methods[BCAST], &t->said, 1, MPI_INT, t->root, view, &t->error);
  case REDUCE:
    return tutti_reduce(&t->methods[REDUCE], &t->own, &t->sum, 1, MPI_INT, MPI_SUM, t->root, view, &t->error);
  case SCAN:
    return tutti_scan(&t->methods[SCAN], &t->own, &t->prefix, 1, MPI_INT, MPI_SUM, view, &t->error);
  case GATHER:
    return tutti_gather(&t->methods[GATHER], &t->own, 1, MPI_INT, t->gathered, 1, MPI_INT, t->root, view, &t->error);
  case GATHERV:
    return tutti_gatherv(&t->methods[GATHERV], two, (uint64_t)pieces_of(view->rank), MPI_INT, t->pieces, t->counts,
                         t->places, MPI_INT, t->root, view, &t->error);
  default:
    return tutti_barrier(&t->methods[BARRIER], view, &t->error);
  }
}

static tutti_status begin(struct trial *t, int operation, const int *two, tutti_request **request)
{
  tutti_view *view = &t->subject->view;
  switch (operation) {
  case BCAST:
    return tutti_ibcast(&t->methods[BCAST], &t->said, 1, MPI_INT, t->root, view, request, &t->error);
  case REDUCE:
    return tutti_ireduce(&t->methods[REDUCE], &t->own, &t->sum, 1, MPI_INT, MPI_SUM, t->root, view, request, &t->error);
  case SCAN:
    return tutti_iscan(&t->methods[SCAN], &t->own, &t->prefix, 1, MPI_INT, MPI_SUM, view, request, &t->error);
  case GATHER:
    return tutti_igather(&t->methods[GATHER], &t->own, 1, MPI_INT, t->gathered, 1, MPI_INT, t->root, view, request,
                         &t->error);
  case GATHERV:
    return tutti_igatherv(&t->methods[GATHERV], two, (uint64_t)pieces_of(view->rank), MPI_INT, t->pieces, t->counts,
                          t->places, MPI_INT, t->root, view, request, &t->error);
  default:
    return tutti_ibarrier(&t->methods[BARRIER], view, request, &t->error);
  }
}

/* ---- completion ---- */

/* The last request is a persistent one that has not been started: it is passed over. */
static tutti_status wait_for_each(struct trial *t, tutti_request **requests)
{
  size_t index;
  tutti_status made = tutti_barrier_init(&t->methods[BARRIER], &t->subject->view, &requests[OPERATIONS], &t->error);
  check(t->checks, made == TUTTI_OK, "%s: no persistent barrier: %s", t->subject->name, t->error.message);
  for (int left = OPERATIONS; left > 0; left--) {
    tutti_status status = tutti_waitany(OPERATIONS + 1, requests, &index, &t->error);
    check(t->checks, index < OPERATIONS && !requests[index], "%s: waited for %zu of %d", t->subject->name, index,
          OPERATIONS);
    if (status != TUTTI_OK)
      return status;
  }
  tutti_status status = tutti_waitany(OPERATIONS + 1, requests, &index, &t->error);
  check(t->checks, index == OPERATIONS + 1 && tutti_request_free(&requests[OPERATIONS], &t->error) == TUTTI_OK,
        "%s: request %zu is complete twice", t->subject->name, index);
  return status;
}

static tutti_status test_all(struct trial *t, tutti_request **requests)
{
  bool done = false;
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && !done)
    status = tutti_testall(OPERATIONS, requests, &done, &t->error);
  return status;
}

static tutti_status test_one(struct trial *t, tutti_request **request)
{
  bool done = false;
  tutti_status status = TUTTI_OK;
  while (status == TUTTI_OK && !done)
    status = tutti_test(request, &done, &t->error);
  return status;
}

static tutti_status run(struct trial *t, enum way way)
{
  tutti_request *requests[OPERATIONS + 1];
  const int two[2] = {t->own, -t->own};
  tutti_status status = TUTTI_OK;
  for (int o = 0; o < OPERATIONS && status == TUTTI_OK; o++) {
    status = way == BLOCKING ? call(t, o) : begin(t, o, two, &requests[o]);
    if (status == TUTTI_OK && way == ONE_BY_ONE_TESTED)
      status = test_one(t, &requests[o]);
  }
  if (status != TUTTI_OK || way == BLOCKING || way == ONE_BY_ONE_TESTED)
    return status;
  if (way == ALL_THEN_WAITALL)
    return tutti_waitall(OPERATIONS, requests, &t->error);
  return way == ALL_THEN_WAITANY ? wait_for_each(t, requests) : test_all(t, requests);
}

/* ---- results ---- */

static void set_up(struct trial *t)
{
  const tutti_view *view = &t->subject->view;
  t->said = view->rank == t->root ? 4711 + t->root : -1;
  t->sum = t->prefix = -1;
  for (int r = 0; r < view->size; r++) {
    t->gathered[r] = t->pieces[2 * r] = t->pieces[2 * r + 1] = -1;
    t->counts[r] = pieces_of(r);
    t->places[r] = 2 * r;
  }
}

static bool is_gathered(const struct trial *t)
{
  bool right = true;
  for (int r = 0; r < t->subject->view.size; r++) {
    int own = contribution(t->subject->members[r]);
    right = right && t->gathered[r] == own;
    for (int i = 0; i < 2; i++)
      right = right && t->pieces[2 * r + i] == (i < pieces_of(r) ? (i == 0 ? own : -own) : -1);
  }
  return right;
}

static void look_at_results(struct trial *t, enum way way)
{
  const struct subject *s = t->subject;
  int prefix = 0, sum = 0;
  for (int r = 0; r < s->view.size; r++) {
    sum += contribution(s->members[r]);
    prefix += r <= s->view.rank ? contribution(s->members[r]) : 0;
  }
  check(t->checks, t->said == 4711 + t->root, "%s, way %d: bcast says %d", s->name, way, t->said);
  check(t->checks, t->prefix == prefix, "%s, way %d: scan gives %d, not %d", s->name, way, t->prefix, prefix);
  if (s->view.rank == t->root) {
    check(t->checks, t->sum == sum, "%s, way %d: reduce gives %d, not %d", s->name, way, t->sum, sum);
    check(t->checks, is_gathered(t), "%s, way %d: gather or gatherv is wrong", s->name, way);
  }
}

static void try_ways(struct trial *t)
{
  for (enum way way = BLOCKING; way < WAYS; way++) {
    t->root = (int)way % t->subject->view.size;
    set_up(t);
    tutti_status status = run(t, way);
    check(t->checks, status == TUTTI_OK, "%s, way %d: %s", t->subject->name, way, t->error.message);
    if (status == TUTTI_OK)
      look_at_results(t, way);
  }
}

void check_operations(struct checks *checks, struct subject *subject)
{
  static const struct {
    tutti_collective collective;
    const char *algorithm;
  } used[OPERATIONS] = {{TUTTI_COLL_BCAST, "binomial"}, {TUTTI_COLL_REDUCE, "in-order-binomial"},
                        {TUTTI_COLL_SCAN, "binomial"},  {TUTTI_COLL_GATHER, "binomial"},
                        {TUTTI_COLL_GATHERV, "linear"}, {TUTTI_COLL_BARRIER, "bruck"}};
  tutti_method *methods = malloc(OPERATIONS * sizeof *methods);
  for (int i = 0; i < OPERATIONS; i++)
    methods[i] = tutti_method_default(tutti_algorithm_find(used[i].collective, used[i].algorithm));
  size_t size = (size_t)subject->view.size;
  int *memory = malloc(5 * size * sizeof *memory);
  struct trial trial = {.checks = checks,
                        .subject = subject,
                        .own = contribution(subject->members[subject->view.rank]),
                        .gathered = memory,
                        .pieces = memory + size,
                        .counts = memory + 3 * size,
                        .places = memory + 4 * size,
                        .methods = methods};
  try_ways(&trial);
  free(methods);
  free(memory);
}
