/* What MPI allows in a call: one signature written in different datatypes by different ranks, absolute addresses, and
   persistent operations that are started again and again without an allocation. */
#include "check.h"
#include "operations.h"
#include "tutti/collectives.h"

enum { TRIPLES = 40, INTS = 3 * TRIPLES };

static const uint64_t segments[] = {0, 1, 100};

/* ---- allocations of Tutti: the linker sends them here, those of the library go elsewhere ---- */

#ifdef COUNT_ALLOCATIONS
static long allocations;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
  allocations++;
  return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
  allocations++;
  return __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
  allocations++;
  return __real_realloc(memory, bytes);
}
#endif

/* ---- different datatypes ---- */

/* Data of this rank: as ints one after the other, or in triples with a gap of two ints after each. */
struct data {
  MPI_Datatype type;
  int count; /* of the type, for TRIPLES triples */
  int stride, *memory;
};

static struct data data_create(bool spread, int blocks, MPI_Datatype triple)
{
  struct data data = {spread ? triple : MPI_INT, spread ? TRIPLES : INTS, spread ? 5 : 3, NULL};
  size_t ints = (size_t)blocks * TRIPLES * (size_t)data.stride;
  data.memory = malloc(ints * sizeof(int));
  for (size_t i = 0; i < ints; i++)
    data.memory[i] = -1;
  return data;
}

static int *element(const struct data *data, int i)
{
  return &data->memory[i / 3 * data->stride + i % 3];
}

static int value(int from, int to, int i)
{
  return from * 100000 + to * 1000 + i;
}

static void put(struct data *data, int first, int from, int to)
{
  for (int i = 0; i < INTS; i++)
    *element(data, first + i) = value(from, to, i);
}

/* The block that begins at `first` is what `from` has for `to`, and the gaps are what they were. */
static bool holds(const struct data *data, int first, int from, int to)
{
  bool right = true;
  for (int i = 0; i < INTS; i++)
    right = right && *element(data, first + i) == value(from, to, i);
  for (int t = first / 3; data->stride > 3 && t < first / 3 + TRIPLES; t++)
    right = right && data->memory[t * data->stride + 3] == -1 && data->memory[t * data->stride + 4] == -1;
  return right;
}

struct mixed {
  struct checks *checks;
  tutti_view *view;
  MPI_Datatype triple;
};

static void fail_if(const struct mixed *m, const tutti_method *method, tutti_status status, bool right,
                    const tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH];
  check(m->checks, status == TUTTI_OK && right, "rank %d of %d: %s of different datatypes is wrong %s", m->view->rank,
        m->view->size, tutti_method_format(method, name), error->message);
}

/* Even ranks have ints, odd ones spread triples. */
static void move_mixed(const struct mixed *m, const tutti_method *method)
{
  int size = m->view->size, rank = m->view->rank, root = size - 1;
  tutti_error error = {.message = ""};
  struct data in = data_create(rank % 2, size, m->triple), out = data_create(rank % 2, size, m->triple);
  uint64_t ins = (uint64_t)in.count, outs = (uint64_t)out.count;
  tutti_status status = TUTTI_OK;
  bool right = true;
  for (int r = 0; r < size; r++)
    put(&in, r * INTS, rank, r);
  switch (method->algorithm->collective) {
  case TUTTI_COLL_BCAST:
    if (rank == root)
      put(&out, 0, root, 0);
    status = tutti_bcast(method, out.memory, outs, out.type, root, m->view, &error);
    right = holds(&out, 0, root, 0);
    break;
  case TUTTI_COLL_SCATTER:
    status = tutti_scatter(method, in.memory, ins, in.type, out.memory, outs, out.type, root, m->view, &error);
    right = holds(&out, 0, root, rank);
    break;
  case TUTTI_COLL_GATHER:
    status = tutti_gather(method, in.memory, ins, in.type, out.memory, outs, out.type, root, m->view, &error);
    for (int r = 0; rank == root && r < size; r++)
      right = right && holds(&out, r * INTS, r, 0);
    break;
  case TUTTI_COLL_ALLGATHER:
    status = tutti_allgather(method, in.memory, ins, in.type, out.memory, outs, out.type, m->view, &error);
    for (int r = 0; r < size; r++)
      right = right && holds(&out, r * INTS, r, 0);
    break;
  case TUTTI_COLL_ALLTOALL:
    status = tutti_alltoall(method, in.memory, ins, in.type, out.memory, outs, out.type, m->view, &error);
    for (int r = 0; r < size; r++)
      right = right && holds(&out, r * INTS, r, rank);
    break;
  default:
    break;
  }
  fail_if(m, method, status, right, &error);
  free(in.memory);
  free(out.memory);
}

static void __attribute__((noinline)) different_datatypes(struct checks *checks, tutti_view *view)
{
  struct mixed m = {checks, view, MPI_DATATYPE_NULL};
  tutti_call call = {.size = view->size, .type_size = 1, .commutative = true};
  MPI_Datatype dense;
  MPI_Type_contiguous(3, MPI_INT, &dense);
  MPI_Type_create_resized(dense, 0, 5 * sizeof(int), &m.triple);
  MPI_Type_commit(&m.triple);
  MPI_Type_free(&dense);
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    for (size_t s = 0; s < sizeof segments / sizeof *segments; s++) {
      tutti_method method = tutti_method_default(tutti_algorithm_at(a));
      if (method.algorithm->parameters & TUTTI_TAKES_SEGMENT)
        method.parameters.segment_bytes = segments[s];
      if (method.algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS))
        method.parameters.k = 2;
      method = tutti_method_serving(&method, &call);
      move_mixed(&m, &method);
    }
  MPI_Type_free(&m.triple);
}

/* ---- absolute addresses ---- */

static void __attribute__((noinline)) absolute_addresses(struct checks *checks, tutti_view *view)
{
  int values[3] = {-1, -2, -3}, *all = malloc((size_t)view->size * sizeof *all), right = 1;
  tutti_error error = {.message = ""};
  tutti_method bcast, allgather;
  MPI_Aint place;
  MPI_Datatype here;
  const int one = 1;
  MPI_Get_address(&values[1], &place);
  MPI_Type_create_hindexed(1, &one, &place, MPI_INT, &here);
  MPI_Type_commit(&here);
  tutti_method_parse("bcast/binomial", &bcast, &error);
  tutti_method_parse("allgather/bruck", &allgather, &error);
  if (view->rank == 0)
    values[1] = 4711;
  tutti_status status = tutti_bcast(&bcast, MPI_BOTTOM, 1, here, 0, view, &error);
  check(checks, status == TUTTI_OK && values[0] == -1 && values[1] == 4711 && values[2] == -3,
        "rank %d: a broadcast at MPI_BOTTOM is wrong %s", view->rank, error.message);
  values[1] = 100 + view->rank;
  status = tutti_allgather(&allgather, MPI_BOTTOM, 1, here, all, 1, MPI_INT, view, &error);
  for (int r = 0; r < view->size; r++)
    right = right && all[r] == 100 + r;
  check(checks, status == TUTTI_OK && right, "rank %d: an allgather from MPI_BOTTOM is wrong %s", view->rank,
        error.message);
  MPI_Type_free(&here);
  free(all);
}

/* ---- persistent operations ---- */

#ifdef COUNT_ALLOCATIONS
static void start_again_and_again(struct checks *checks, const char *name, tutti_status status, tutti_request *request,
                                  tutti_error *error)
{
  long before = 0;
  for (int start = 0; start < 10 && status == TUTTI_OK; start++) {
    if (start == 1)
      before = allocations;
    status = tutti_start(request, error);
    if (status == TUTTI_OK)
      status = tutti_wait(&request, error);
  }
  check(checks, status == TUTTI_OK && allocations == before, "%s: %ld allocations after the first start: %s", name,
        allocations - before, error->message);
  if (status == TUTTI_OK)
    tutti_request_free(&request, error);
}

/* Data with gaps is packed, and reductions in place are copied: neither may allocate. */
static void __attribute__((noinline)) persistent_operations(struct checks *checks, tutti_view *view)
{
  enum { COUNT = 50 };
  unsigned *in = calloc((size_t)view->size * COUNT * 6, sizeof *in),
           *out = calloc((size_t)view->size * COUNT * 6, sizeof *out);
  tutti_call call = {.size = view->size, .type_size = 1, .commutative = false};
  MPI_Datatype padded = padded_matrix();
  MPI_Op product;
  MPI_Op_create(padded_product, 0, &product);
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    tutti_error error = {.message = ""};
    tutti_request *request = NULL;
    char name[TUTTI_METHOD_LENGTH];
    tutti_method method = tutti_method_default(tutti_algorithm_at(a));
    if (method.algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS))
      method.parameters.k = 2;
    method = tutti_method_serving(&method, &call);
    tutti_method_format(&method, name);
    tutti_status status = TUTTI_OK;
    if (method.algorithm->collective == TUTTI_COLL_BCAST)
      status = tutti_bcast_init(&method, out + 6, COUNT, padded, 0, view, &request, &error);
    else if (method.algorithm->collective == TUTTI_COLL_ALLTOALL)
      status =
          tutti_alltoall_init(&method, in + 6, COUNT - 1, padded, out + 6, COUNT - 1, padded, view, &request, &error);
    else if (method.algorithm->collective == TUTTI_COLL_ALLREDUCE)
      status = tutti_allreduce_init(&method, MPI_IN_PLACE, out + 6, COUNT, padded, product, view, &request, &error);
    else
      continue;
    start_again_and_again(checks, name, status, request, &error);
  }
  MPI_Op_free(&product);
  MPI_Type_free(&padded);
  free(in);
  free(out);
}
#endif

/* ---- requests ---- */

static void __attribute__((noinline)) wrong_requests(struct checks *checks, tutti_view *view)
{
  tutti_error error = {.message = ""};
  tutti_method barrier;
  tutti_request *request = NULL;
  tutti_view without = *view, narrow = *view;
  bool done = false;
  tutti_method_parse("barrier/bruck", &barrier, &error);
  without.progress = NULL;
  check(checks, tutti_ibarrier(&barrier, &without, &request, &error) == TUTTI_ERR_ARGUMENT,
        "a nonblocking operation began on a view without progress");
  check(checks,
        tutti_view_tags(&narrow, 0, 2, &error) == TUTTI_OK &&
            tutti_ibarrier(&barrier, &narrow, &request, &error) == TUTTI_ERR_ARGUMENT,
        "a nonblocking operation began on two tags");
  check(checks, tutti_view_tags(&narrow, 1, 2, &error) == TUTTI_ERR_ARGUMENT, "tags beyond the window were given");
  check(checks, tutti_start(NULL, &error) == TUTTI_ERR_ARGUMENT, "nothing was started");
  check(checks, tutti_wait(&request, &error) == TUTTI_OK && tutti_test(&request, &done, &error) == TUTTI_OK && done,
        "no request is not complete");
  if (tutti_barrier_init(&barrier, view, &request, &error) == TUTTI_OK) {
    tutti_start(request, &error);
    check(checks, view->size == 1 || tutti_start(request, &error) == TUTTI_ERR_ARGUMENT, "an active request started");
    check(checks, tutti_request_free(&request, &error) == TUTTI_ERR_ARGUMENT, "an active request was freed");
    tutti_wait(&request, &error);
    check(checks, tutti_request_free(&request, &error) == TUTTI_OK && !request, "an inactive request stayed");
  }
}

/* ---- what may end before the operation does ---- */

/* More broadcasts than tags, from both ends of the view, in one direction each: a tag given twice would mix them up. */
static void __attribute__((noinline)) more_operations_than_tags(struct checks *checks, const tutti_view *view)
{
  enum { OPERATIONS = 9 };
  tutti_view narrow = *view;
  tutti_method chain;
  tutti_request *requests[OPERATIONS];
  tutti_error error = {.message = ""};
  int values[OPERATIONS];
  tutti_status status = tutti_method_parse("bcast/pipeline", &chain, &error);
  if (status == TUTTI_OK)
    status = tutti_view_tags(&narrow, 0, 4, &error);
  for (int i = 0; i < OPERATIONS && status == TUTTI_OK; i++) {
    int root = i % 2 ? view->size - 1 : 0;
    values[i] = view->rank == root ? 1000 + i : -1;
    status = tutti_ibcast(&chain, &values[i], 1, MPI_INT, root, &narrow, &requests[i], &error);
  }
  if (status == TUTTI_OK)
    status = tutti_waitall(OPERATIONS, requests, &error);
  bool right = status == TUTTI_OK;
  for (int i = 0; right && i < OPERATIONS; i++)
    right = values[i] == 1000 + i;
  check(checks, right, "rank %d: %d broadcasts on 4 tags are wrong %s", view->rank, OPERATIONS, error.message);
}

static MPI_Datatype every_other_int(int count)
{
  MPI_Datatype type;
  MPI_Type_vector(count, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

/* The datatype is freed, its handle given to another, and the arrays are overwritten while the operation runs. */
static void __attribute__((noinline)) arguments_that_end(struct checks *checks, tutti_view *view)
{
  enum { COUNT = 5 };
  int size = view->size, *counts = malloc((size_t)size * sizeof *counts),
      *places = malloc((size_t)size * sizeof *places);
  int *all = malloc((size_t)size * 2 * COUNT * sizeof *all), own[COUNT];
  tutti_method ring;
  tutti_request *request = NULL;
  tutti_error error = {.message = ""};
  MPI_Datatype spread = every_other_int(COUNT), other;
  bool right = true;
  for (int r = 0; r < size; r++) {
    counts[r] = 1;
    places[r] = r;
  }
  MPI_Type_create_resized(spread, 0, 2 * COUNT * sizeof(int), &other);
  MPI_Type_commit(&other);
  MPI_Type_free(&spread);
  for (int i = 0; i < COUNT; i++)
    own[i] = view->rank * 100 + i;
  for (int i = 0; i < size * 2 * COUNT; i++)
    all[i] = -1;
  tutti_status status = tutti_method_parse("allgatherv/ring", &ring, &error);
  if (status == TUTTI_OK)
    status = tutti_iallgatherv(&ring, own, COUNT, MPI_INT, all, counts, places, other, view, &request, &error);
  memset(counts, 0, (size_t)size * sizeof *counts);
  memset(places, 0, (size_t)size * sizeof *places);
#ifndef SMPI_HELPERS_H /* where types cannot be duplicated */
  MPI_Type_free(&other);
  other = every_other_int(2);
#endif
  if (status == TUTTI_OK)
    status = tutti_wait(&request, &error);
  for (int i = 0; i < size * 2 * COUNT; i++)
    right = right && all[i] == (i % 2 ? -1 : i / (2 * COUNT) * 100 + i % (2 * COUNT) / 2);
  check(checks, status == TUTTI_OK && right, "rank %d: an operation lost its datatype or arrays %s", view->rank,
        error.message);
  MPI_Type_free(&other);
  free(counts);
  free(places);
  free(all);
}

/* Elements from the last to the first: consecutive bytes, but not in the order of addresses. */
static void __attribute__((noinline)) backward_types(struct checks *checks, const tutti_view *view)
{
  MPI_Datatype back, pair;
  tutti_method binomial;
  tutti_error error = {.message = ""};
  int values[2] = {-1, -1};
  MPI_Type_create_resized(MPI_INT, 0, -(MPI_Aint)sizeof(int), &back);
  MPI_Type_contiguous(2, back, &pair);
  MPI_Type_commit(&pair);
  tutti_status status = tutti_method_parse("bcast/binomial", &binomial, &error);
  if (view->rank == 0) {
    values[0] = 1;
    values[1] = 2;
  }
  if (status == TUTTI_OK)
    status = view->rank == 0 ? tutti_bcast(&binomial, &values[1], 1, pair, 0, view, &error)
                             : tutti_bcast(&binomial, values, 2, MPI_INT, 0, view, &error);
  bool right = view->rank == 0 ? values[0] == 1 && values[1] == 2 : values[0] == 2 && values[1] == 1;
  check(checks, status == TUTTI_OK && right, "rank %d: backward elements came as %d %d %s", view->rank, values[0],
        values[1], error.message);
  MPI_Type_free(&pair);
  MPI_Type_free(&back);
}

/* Two progresses, whose requests half of the ranks wait for in one order and half in the other. */
/* ---- a program's operation sees the datatype of the call, which it knows by an attribute ---- */

#ifndef SMPI_HELPERS_H /* whose ranks share the key; there types are not duplicated */

static int known_type; /* a key */

/* A sum; far too large if the datatype is not that of the program. */
static void sum_of_known(void *in, void *inout, int *length, MPI_Datatype *type)
{
  int *a = in, *b = inout, found = 0;
  void *value;
  MPI_Type_get_attr(*type, known_type, &value, &found);
  for (int i = 0; i < *length; i++)
    b[i] = found ? a[i] + b[i] : 1 << 20;
}

static MPI_Datatype known_int(void)
{
  MPI_Datatype type;
  MPI_Type_contiguous(1, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Type_set_attr(type, known_type, NULL);
  return type;
}

static void __attribute__((noinline)) types_that_an_operation_sees(struct checks *checks, tutti_view *view)
{
  MPI_Op sum;
  tutti_error error;
  tutti_method method;
  MPI_Op_create(sum_of_known, 1, &sum);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &known_type, NULL);
  tutti_method_parse("allreduce/recursive-doubling", &method, &error);
  for (int persistent = 0; persistent < 2; persistent++) {
    MPI_Datatype type = known_int();
    tutti_request *request = NULL;
    int own = view->rank + 1, all = 0;
    tutti_status status = persistent ? tutti_allreduce_init(&method, &own, &all, 1, type, sum, view, &request, &error)
                                     : tutti_iallreduce(&method, &own, &all, 1, type, sum, view, &request, &error);
    MPI_Type_free(&type);
    for (int times = 0; times < (persistent ? 3 : 1) && status == TUTTI_OK; times++) {
      if (persistent)
        status = tutti_start(request, &error);
      if (status == TUTTI_OK)
        status = tutti_wait(&request, &error);
    }
    check(checks, status == TUTTI_OK && all == view->size * (view->size + 1) / 2,
          "rank %d of %d: an operation does not see the datatype of the %s call", view->rank, view->size,
          persistent ? "persistent" : "nonblocking");
    if (persistent)
      tutti_request_free(&request, &error);
  }
  MPI_Type_free_keyval(&known_type);
  MPI_Op_free(&sum);
}

#endif

static void __attribute__((noinline)) several_progresses(struct checks *checks, const tutti_view *view)
{
  tutti_progress progress[2];
  tutti_view views[2] = {*view, *view};
  tutti_request *requests[2] = {NULL, NULL};
  tutti_method method;
  tutti_error error = {.message = ""};
  int sums[2];
  tutti_status status = tutti_method_parse("allreduce/recursive-doubling", &method, &error);
  for (int i = 0; i < 2; i++) {
    tutti_progress_init(&progress[i]);
    views[i].progress = &progress[i];
    if (status == TUTTI_OK)
      status = tutti_view_tags(&views[i], 10 * i, 10, &error);
  }
  for (int i = 0; i < 2 && status == TUTTI_OK; i++)
    status = tutti_iallreduce(&method, &view->rank, &sums[i], 1, MPI_INT, MPI_SUM, &views[i],
                              &requests[view->rank % 2 ? 1 - i : i], &error);
  if (status == TUTTI_OK)
    status = tutti_waitall(2, requests, &error);
  int expected = view->size * (view->size - 1) / 2;
  check(checks, status == TUTTI_OK && sums[0] == expected && sums[1] == expected,
        "rank %d: operations of two progresses are wrong %s", view->rank, error.message);
  for (int i = 0; i < 2; i++)
    tutti_progress_free(&progress[i]);
}

int main(int argc, char **argv)
{
  struct checks checks = {0, 0};
  tutti_progress progress;
  tutti_view world;
  check_begin(&argc, &argv, &world);
  tutti_progress_init(&progress);
  world.progress = &progress;
  different_datatypes(&checks, &world);
  absolute_addresses(&checks, &world);
#ifdef COUNT_ALLOCATIONS
  persistent_operations(&checks, &world);
#endif
  wrong_requests(&checks, &world);
  more_operations_than_tags(&checks, &world);
  arguments_that_end(&checks, &world);
  if (RESIZED_TYPES_WORK)
    backward_types(&checks, &world);
#ifndef SMPI_HELPERS_H
  types_that_an_operation_sees(&checks, &world);
#endif
  several_progresses(&checks, &world);
  tutti_progress_free(&progress);
  return check_end(&checks);
}
