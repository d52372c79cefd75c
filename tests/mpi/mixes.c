/* Random mixes of outstanding operations on overlapping ranges of the ranks: nonblocking, persistent and blocking ones,
   of any collective by any algorithm, begun in one order by all and completed by each rank in an order of its own. The
   answers are computed by formula.

   test-mixes [MIXES]: how many, usually 1000. */
#include "check.h"
#include "tutti/collectives.h"
#include "unit/base/random.h"

enum { VIEWS = 5, MAX_OPERATIONS = 12, MAX_COUNT = 200, TAGS_OF_VIEW = 64 };

enum form { NONBLOCKING, PERSISTENT, BLOCKING };

struct operation {
  tutti_collective collective;
  tutti_method method;
  enum form form;
  int view, root, count;
  int *input, *output; /* [view size * count] */
  tutti_request *request;
};

struct mix {
  uint64_t seed; /* the same on all ranks: what is done */
  uint64_t own;  /* of this rank: in which order */
  int number, count;
  tutti_view views[VIEWS];
  struct operation operations[MAX_OPERATIONS];
};

/* What a rank has at a place, and for a peer: small enough that sums over all ranks fit. */
static int value(const struct operation *o, int number, int rank, int index)
{
  return (number * 31 + (int)o->collective * 7 + rank * 1009 + index * 3) % 100003;
}

static int sum(const struct operation *o, int number, int first, int last, int index)
{
  int total = 0;
  for (int r = first; r <= last; r++)
    total += value(o, number, r, index);
  return total;
}

/* ---- what is done ---- */

static uint64_t below(uint64_t *seed, int bound)
{
  return random_below(seed, (uint64_t)bound);
}

static void choose_views(struct mix *mix, const tutti_view *world)
{
  tutti_error error;
  for (int v = 0; v < VIEWS; v++) {
    int first = (int)below(&mix->seed, world->size), last = (int)below(&mix->seed, world->size);
    int stride = 1 + (int)below(&mix->seed, 3);
    if (v == 0)
      first = 0, last = world->size - 1, stride = 1;
    if (tutti_view_range(world, first, last, last < first ? -stride : stride, &mix->views[v], &error) != TUTTI_OK ||
        tutti_view_tags(&mix->views[v], v * TAGS_OF_VIEW, TAGS_OF_VIEW, &error) != TUTTI_OK)
      MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/* Collectives whose arguments are counts of MPI_INT: the regular ones. */
static bool is_regular(tutti_collective collective)
{
  return !(tutti_collective_traits(collective) & TUTTI_IS_IRREGULAR);
}

static tutti_method choose_method(uint64_t *seed, tutti_collective collective, const tutti_call *call)
{
  const tutti_algorithm *algorithm;
  do
    algorithm = tutti_algorithm_at(below(seed, (int)tutti_algorithm_count()));
  while (algorithm->collective != collective);
  tutti_method method = tutti_method_default(algorithm);
  if (algorithm->parameters & TUTTI_TAKES_SEGMENT && below(seed, 2))
    method.parameters.segment_bytes = 1 + below(seed, 300);
  if (algorithm->domain & TUTTI_NEEDS_NODES)
    method.parameters.k = 1 + (int)below(seed, 4);
  if (algorithm->domain & TUTTI_NEEDS_LEVELS)
    method.parameters.k = tutti_sides_pack((const int[]){1 + (int)below(seed, 3), 1 + (int)below(seed, 3)}, 2);
  return tutti_method_serving(&method, call);
}

static void choose_operation(struct mix *mix, struct operation *o)
{
  do
    o->collective = (tutti_collective)below(&mix->seed, TUTTI_COLL_COUNT);
  while (!is_regular(o->collective));
  o->view = (int)below(&mix->seed, VIEWS);
  const tutti_view *view = &mix->views[o->view];
  o->root = (int)below(&mix->seed, view->size);
  o->count = (int)below(&mix->seed, below(&mix->seed, 2) ? 4 : MAX_COUNT);
  o->form = (enum form)below(&mix->seed, 3);
  tutti_call call = {.size = view->size, .count = (uint64_t)o->count, .type_size = 4, .commutative = true};
  o->method = choose_method(&mix->seed, o->collective, &call);
}

static void create_operation(struct mix *mix, struct operation *o)
{
  const tutti_view *view = &mix->views[o->view];
  size_t length = (size_t)view->size * (size_t)o->count;
  o->input = malloc((length + 1) * sizeof *o->input);
  o->output = malloc((length + 1) * sizeof *o->output);
  o->request = NULL;
  for (size_t i = 0; i < length; i++) {
    o->input[i] = value(o, mix->number, view->rank, (int)i);
    o->output[i] = -1;
  }
  for (int i = 0; o->collective == TUTTI_COLL_BCAST && view->rank == o->root && i < o->count; i++)
    o->output[i] = value(o, mix->number, o->root, i);
}

/* ---- beginning ---- */

#define BEGIN(name, ...)                                                                                               \
  (o->form == NONBLOCKING  ? tutti_i##name(&o->method, __VA_ARGS__ view, &o->request, error)                           \
   : o->form == PERSISTENT ? tutti_##name##_init(&o->method, __VA_ARGS__ view, &o->request, error)                     \
                           : tutti_##name(&o->method, __VA_ARGS__ view, error))

static tutti_status call(struct operation *o, tutti_view *view, tutti_error *error)
{
  uint64_t n = (uint64_t)o->count;
  const MPI_Datatype t = MPI_INT;
  switch (o->collective) {
  case TUTTI_COLL_BCAST:
    return BEGIN(bcast, o->output, n, t, o->root, );
  case TUTTI_COLL_BARRIER:
    return BEGIN(barrier, );
  case TUTTI_COLL_SCATTER:
    return BEGIN(scatter, o->input, n, t, o->output, n, t, o->root, );
  case TUTTI_COLL_GATHER:
    return BEGIN(gather, o->input, n, t, o->output, n, t, o->root, );
  case TUTTI_COLL_ALLGATHER:
    return BEGIN(allgather, o->input, n, t, o->output, n, t, );
  case TUTTI_COLL_ALLTOALL:
    return BEGIN(alltoall, o->input, n, t, o->output, n, t, );
  case TUTTI_COLL_REDUCE:
    return BEGIN(reduce, o->input, o->output, n, t, MPI_SUM, o->root, );
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    return BEGIN(reduce_scatter_block, o->input, o->output, n, t, MPI_SUM, );
  case TUTTI_COLL_ALLREDUCE:
    return BEGIN(allreduce, o->input, o->output, n, t, MPI_SUM, );
  case TUTTI_COLL_SCAN:
    return BEGIN(scan, o->input, o->output, n, t, MPI_SUM, );
  case TUTTI_COLL_EXSCAN:
    return BEGIN(exscan, o->input, o->output, n, t, MPI_SUM, );
  default:
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no such collective here");
  }
}

static bool is_member(const struct mix *mix, const struct operation *o)
{
  return mix->views[o->view].rank >= 0;
}

static tutti_status begin(struct mix *mix, struct operation *o, tutti_error *error)
{
  tutti_status status = call(o, &mix->views[o->view], error);
  if (status == TUTTI_OK && o->form == PERSISTENT)
    status = tutti_start(o->request, error);
  return status;
}

/* ---- completing ---- */

static tutti_status complete_one(struct mix *mix, struct operation *o, tutti_error *error)
{
  bool done = false;
  tutti_status status = TUTTI_OK;
  for (int tries = (int)below(&mix->own, 4); tries > 0 && !done && status == TUTTI_OK; tries--)
    status = tutti_test(&o->request, &done, error);
  return status == TUTTI_OK && !done ? tutti_wait(&o->request, error) : status;
}

static tutti_status complete_in_own_order(struct mix *mix, tutti_error *error)
{
  int order[MAX_OPERATIONS];
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < mix->count; i++)
    order[i] = i;
  for (int i = mix->count - 1; i > 0; i--) {
    int j = (int)below(&mix->own, i + 1), other = order[i];
    order[i] = order[j];
    order[j] = other;
  }
  for (int i = 0; i < mix->count && status == TUTTI_OK; i++)
    status = complete_one(mix, &mix->operations[order[i]], error);
  return status;
}

static tutti_status complete_together(struct mix *mix, tutti_error *error)
{
  tutti_request *requests[MAX_OPERATIONS];
  bool done = false;
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < mix->count; i++)
    requests[i] = mix->operations[i].request;
  if (below(&mix->own, 2))
    status = tutti_testall((size_t)mix->count, requests, &done, error);
  if (status == TUTTI_OK && !done)
    status = tutti_waitall((size_t)mix->count, requests, error);
  for (int i = 0; i < mix->count; i++)
    mix->operations[i].request = requests[i];
  return status;
}

/* ---- answers ---- */

static bool gathers(const struct operation *o)
{
  return o->collective == TUTTI_COLL_GATHER || o->collective == TUTTI_COLL_ALLGATHER;
}

/* Element i of the output of a rank; -1 where it is left alone. */
static int answer(const struct operation *o, int number, int size, int rank, int i)
{
  int n = o->count, block = i / n, within = i % n, last = size - 1;
  bool blocks = gathers(o) || o->collective == TUTTI_COLL_ALLTOALL;
  if ((!blocks && block > 0) ||
      ((o->collective == TUTTI_COLL_GATHER || o->collective == TUTTI_COLL_REDUCE) && rank != o->root))
    return -1;
  if (gathers(o))
    return value(o, number, block, within);
  switch (o->collective) {
  case TUTTI_COLL_BCAST:
    return value(o, number, o->root, i);
  case TUTTI_COLL_SCATTER:
    return value(o, number, o->root, rank * n + i);
  case TUTTI_COLL_ALLTOALL:
    return value(o, number, block, rank * n + within);
  case TUTTI_COLL_REDUCE_SCATTER_BLOCK:
    return sum(o, number, 0, last, rank * n + i);
  case TUTTI_COLL_SCAN:
    return sum(o, number, 0, rank, i);
  case TUTTI_COLL_EXSCAN:
    return rank == 0 ? -1 : sum(o, number, 0, rank - 1, i);
  case TUTTI_COLL_BARRIER:
    return -1;
  default:
    return sum(o, number, 0, last, i);
  }
}

static void check_operation(struct checks *checks, const struct mix *mix, const struct operation *o)
{
  char name[TUTTI_METHOD_LENGTH];
  const tutti_view *view = &mix->views[o->view];
  bool right = true;
  for (int i = 0; i < view->size * o->count; i++)
    right = right && o->output[i] == answer(o, mix->number, view->size, view->rank, i);
  check(checks, right, "mix %d, rank %d of %d from %d by %d: %s of %d elements is wrong", mix->number, view->rank,
        view->size, view->first, view->stride, tutti_method_format(&o->method, name), o->count);
}

static void finish_operation(struct checks *checks, const struct mix *mix, struct operation *o)
{
  tutti_error error;
  check_operation(checks, mix, o);
  if (tutti_request_free(&o->request, &error) != TUTTI_OK)
    check(checks, false, "mix %d: %s", mix->number, error.message);
  free(o->input);
  free(o->output);
}

/* ---- a mix ---- */

static void __attribute__((noinline)) run_mix(struct checks *checks, struct mix *mix, const tutti_view *world)
{
  tutti_error error = {.message = ""};
  tutti_status status = TUTTI_OK;
  int chosen = 1 + (int)below(&mix->seed, MAX_OPERATIONS);
  mix->count = 0;
  choose_views(mix, world);
  for (int i = 0; i < chosen && status == TUTTI_OK; i++) {
    struct operation *o = &mix->operations[mix->count];
    choose_operation(mix, o);
    if (!is_member(mix, o))
      continue;
    create_operation(mix, o);
    mix->count++;
    status = begin(mix, o, &error);
  }
  if (status == TUTTI_OK)
    status = below(&mix->own, 3) ? complete_in_own_order(mix, &error) : complete_together(mix, &error);
  check(checks, status == TUTTI_OK, "mix %d: %s", mix->number, error.message);
  if (status != TUTTI_OK)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < mix->count; i++)
    finish_operation(checks, mix, &mix->operations[i]);
}

int main(int argc, char **argv)
{
  struct checks checks = {0, 0};
  struct mix *mix = calloc(1, sizeof *mix);
  tutti_progress progress;
  tutti_view world;
  check_begin(&argc, &argv, &world);
  if (!mix)
    MPI_Abort(MPI_COMM_WORLD, 1);
  int mixes = argc > 1 ? atoi(argv[1]) : 1000;
  tutti_progress_init(&progress);
  world.progress = &progress;
  mix->seed = 2007;
  mix->own = 4711 + (uint64_t)world.rank;
  for (mix->number = 0; mix->number < mixes; mix->number++)
    run_mix(&checks, mix, &world);
  tutti_progress_free(&progress);
  free(mix);
  return check_end(&checks);
}
