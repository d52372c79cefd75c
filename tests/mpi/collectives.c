/* Every algorithm of the catalogue on MPI gives what the native collective gives: same bytes in the data, not a byte
   changed in the gaps. Also on ranges of the ranks, where the native collective would need a communicator. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "datatypes.h"
#include "operations.h"
#include "tutti/collectives.h"

enum { MARGIN = 64 }; /* bytes before and after the message, which must not change */

static const int counts[] = {0, 1, 3, 64, 1000};
static const uint64_t segments[] = {0, 1, 100, 1024};

static unsigned char pattern(int salt, size_t i)
{
  return (unsigned char)((i * 131 + (size_t)salt * 29) >> 1 ^ i);
}

static void fill(unsigned char *memory, size_t bytes, int salt)
{
  for (size_t i = 0; i < bytes; i++)
    memory[i] = pattern(salt, i);
}

/* ---- broadcast against MPI_Bcast ---- */

struct message {
  int which, count;
  MPI_Datatype type;
  size_t bytes; /* of memory, margins included */
  unsigned char *expected, *actual;
};

static void message_create(struct message *m, int which, int count)
{
  MPI_Aint lower, extent;
  m->which = which;
  m->count = count;
  m->type = test_type(which);
  MPI_Type_get_extent(m->type, &lower, &extent);
  m->bytes = 2 * MARGIN + (size_t)count * (size_t)extent + 64;
  m->expected = malloc(m->bytes);
  m->actual = malloc(m->bytes);
}

static void message_free(struct message *m)
{
  test_type_free(m->which, &m->type);
  free(m->expected);
  free(m->actual);
}

static void bcast_like_native(struct checks *checks, const tutti_method *method, struct message *m, int root,
                              const tutti_view *view)
{
  char name[TUTTI_METHOD_LENGTH];
  tutti_error error = {.message = ""};
  fill(m->actual, m->bytes, view->rank);
  tutti_status status = tutti_bcast(method, m->actual + MARGIN, (uint64_t)m->count, m->type, root, view, &error);
  check(checks, status == TUTTI_OK && memcmp(m->actual, m->expected, m->bytes) == 0,
        "rank %d of %d: %s of %d x %s from %d differs from the native one %s", view->rank, view->size,
        tutti_method_format(method, name), m->count, test_type_name(m->which), root, error.message);
}

static void all_methods(struct checks *checks, struct message *m, int root, const tutti_view *view)
{
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(a);
    if (algorithm->collective != TUTTI_COLL_BCAST)
      continue;
    tutti_method method = tutti_method_default(algorithm);
    size_t most = algorithm->parameters & TUTTI_TAKES_SEGMENT ? sizeof segments / sizeof *segments : 1;
    for (size_t s = 0; s < most; s++) {
      method.parameters.segment_bytes = segments[s];
      if (segments[s] == 1 && m->count > 64) /* one element a segment: enough on small messages */
        continue;
      bcast_like_native(checks, &method, m, root, view);
    }
  }
}

static void bcasts(struct checks *checks, const tutti_view *view)
{
  for (int which = 0; which < TYPE_COUNT; which++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      struct message m;
      int root = (int)(c * 7 + (size_t)which) % view->size;
      message_create(&m, which, counts[c]);
      fill(m.expected, m.bytes, view->rank);
      MPI_Bcast(m.expected + MARGIN, m.count, m.type, root, MPI_COMM_WORLD);
      all_methods(checks, &m, root, view);
      message_free(&m);
    }
}

/* ---- ranges ---- */

static void bcast_on_range(struct checks *checks, const tutti_view *world, int first, int last, int stride)
{
  enum { COUNT = 300 };
  unsigned char data[COUNT];
  tutti_view view;
  tutti_error error = {.message = ""};
  if (tutti_view_range(world, first, last, stride, &view, &error) != TUTTI_OK) {
    check(checks, false, "no range %d..%d:%d of %d: %s", first, last, stride, world->size, error.message);
    return;
  }
  for (size_t a = 0; view.rank >= 0 && a < tutti_algorithm_count(); a++) {
    tutti_method method = tutti_method_default(tutti_algorithm_at(a));
    int root = (int)a % view.size;
    if (method.algorithm->collective != TUTTI_COLL_BCAST)
      continue;
    for (size_t i = 0; i < COUNT; i++)
      data[i] = view.rank == root ? pattern(first, i) : 0;
    tutti_status status = tutti_bcast(&method, data, COUNT, MPI_BYTE, root, &view, &error);
    bool right = status == TUTTI_OK;
    for (size_t i = 0; i < COUNT; i++)
      right = right && data[i] == pattern(first, i);
    check(checks, right, "range %d..%d:%d: bcast/%s is wrong %s", first, last, stride, method.algorithm->name,
          error.message);
  }
}

/* Everybody's rank in the range, added up; and a barrier, which at least must come to an end. */
static void reduce_on_range(struct checks *checks, const tutti_view *world, int first, int last, int stride)
{
  tutti_view view;
  tutti_error error = {.message = ""};
  if (tutti_view_range(world, first, last, stride, &view, &error) != TUTTI_OK || view.rank < 0)
    return;
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "in-order-binomial"));
  int root = view.size - 1, sum = -1;
  tutti_status status = tutti_reduce(&method, &view.rank, &sum, 1, MPI_INT, MPI_SUM, root, &view, &error);
  check(checks, status == TUTTI_OK && (view.rank != root || sum == view.size * (view.size - 1) / 2),
        "range %d..%d:%d: the sum of its ranks is %d %s", first, last, stride, sum, error.message);
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    method = tutti_method_default(tutti_algorithm_at(a));
    if (method.algorithm->collective == TUTTI_COLL_BARRIER)
      check(checks, tutti_barrier(&method, &view, &error) == TUTTI_OK, "range %d..%d:%d: barrier/%s: %s", first, last,
            stride, method.algorithm->name, error.message);
  }
}

static void ranges(struct checks *checks, const tutti_view *world)
{
  int last = world->size - 1;
  for (int size = 1; size <= world->size; size += size < 9 ? 1 : 5)
    bcast_on_range(checks, world, 0, size - 1, 1);
  bcast_on_range(checks, world, last, 0, -1);
  bcast_on_range(checks, world, last / 2, last, 1);
  bcast_on_range(checks, world, 0, last, 3);
  bcast_on_range(checks, world, last, 0, -2);
  reduce_on_range(checks, world, last, 0, -1);
  reduce_on_range(checks, world, last / 2, last, 1);
  reduce_on_range(checks, world, 0, last, 3);
  tutti_view half, quarter;
  tutti_error error;
  tutti_view_range(world, last, 0, -1, &half, &error);
  tutti_view_range(&half, 0, last / 2, 1, &quarter, &error);
  check(checks, tutti_view_base_rank(&quarter, 0) == last, "a range of a range has the wrong ranks");
}

/* ---- barrier: a rank that is late holds up everybody ---- */

/* One clock for all processes of this machine, which MPI_Wtime() need not be; in simulation the simulated one. */
static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void barriers(struct checks *checks, const tutti_view *view)
{
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    tutti_method method = tutti_method_default(tutti_algorithm_at(a));
    tutti_error error = {.message = ""};
    if (method.algorithm->collective != TUTTI_COLL_BARRIER)
      continue;
    for (int late = 0; late<view->size; late += view->size> 8 ? 7 : 1) {
      double slowest;
      if (view->rank == late)
        usleep(1000); /* simulated time passes, too */
      double before = now();
      tutti_status status = tutti_barrier(&method, view, &error);
      double after = now(), last_in;
      MPI_Allreduce(&before, &last_in, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      MPI_Allreduce(&after, &slowest, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
      check(checks, status == TUTTI_OK && slowest >= last_in - 1e-9,
            "barrier/%s: somebody left %g s before rank %d of %d entered %s", method.algorithm->name, last_in - slowest,
            late, view->size, error.message);
    }
  }
}

/* ---- reduce against MPI_Reduce ---- */

enum { ELEMENTS = 16, WORDS = 6 * ELEMENTS }; /* simulated stacks are small; an element spans at most 6 words */

/* The whole memory is compared, gaps and all that lies before and after. */
static void reduce_like_native(struct checks *checks, MPI_Datatype type, MPI_Op op, int root, const tutti_view *view)
{
  unsigned input[WORDS], expected[WORDS], actual[WORDS];
  const int at = 8; /* words before the first element, for types that begin before it */
  tutti_error error = {.message = ""};
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_REDUCE, "in-order-binomial"));
  for (int i = 0; i < WORDS; i++) {
    input[i] = (unsigned)(view->rank * 17 + i * 3 + 1);
    expected[i] = 0xabcd;
  }
  MPI_Reduce(input + at, expected + at, ELEMENTS - 4, type, op, root, MPI_COMM_WORLD);
  for (size_t s = 0; s < sizeof segments / sizeof *segments; s++) {
    method.parameters.segment_bytes = segments[s];
    for (int i = 0; i < WORDS; i++)
      actual[i] = 0xabcd;
    tutti_status status = tutti_reduce(&method, input + at, actual + at, ELEMENTS - 4, type, op, root, view, &error);
    check(checks, status == TUTTI_OK && memcmp(expected, actual, sizeof actual) == 0,
          "rank %d of %d: reduce to %d in segments of %d bytes differs from the native one %s", view->rank, view->size,
          root, (int)segments[s], error.message);
  }
}

static void reduces(struct checks *checks, const tutti_view *view)
{
  MPI_Datatype matrix = matrix_type(), padded = padded_matrix();
  MPI_Op product, product_of_padded;
  MPI_Op_create(matrix_product, 0, &product);
  MPI_Op_create(padded_product, 0, &product_of_padded);
  for (int root = 0; root<view->size; root += view->size> 8 ? 5 : 1) {
    reduce_like_native(checks, MPI_UNSIGNED, MPI_SUM, root, view);
    reduce_like_native(checks, matrix, product, root, view);
    if (RESIZED_TYPES_WORK)
      reduce_like_native(checks, padded, product_of_padded, root, view);
  }
  MPI_Op_free(&product_of_padded);
  MPI_Op_free(&product);
  MPI_Type_free(&padded);
  MPI_Type_free(&matrix);
}

/* ---- schedules of no algorithm ---- */

/* A vertex that is said twice to wait for the same one: taken for two waits it would make rank 0 wait for messages that
   cannot come before it goes on. */
static void edges_said_twice(struct checks *checks, const tutti_view *world)
{
  tutti_view view;
  tutti_arena arena;
  tutti_schedule schedule;
  tutti_error error = {.message = ""};
  if (world->size < 2 || tutti_view_range(world, 0, 1, 1, &view, &error) != TUTTI_OK || view.rank < 0)
    return;
  tutti_builder *builder = tutti_builder_create(2, view.rank);
  tutti_vertex_id first = tutti_add_recv(builder, 1 - view.rank, tutti_no_data());
  if (view.rank == 0) {
    tutti_add_recv(builder, 1, tutti_no_data());
    tutti_vertex_id reply = tutti_add_send(builder, 1, tutti_no_data());
    tutti_add_after(builder, reply, first);
    tutti_add_after(builder, reply, first);
  } else {
    tutti_add_send(builder, 0, tutti_no_data());
    tutti_add_after(builder, tutti_add_send(builder, 0, tutti_no_data()), first);
  }
  tutti_arena_init(&arena);
  tutti_bindings bindings = {.input_type = MPI_DATATYPE_NULL, .output_type = MPI_DATATYPE_NULL, .op = MPI_OP_NULL};
  tutti_status status = tutti_schedule_seal(builder, &arena, &schedule, &error);
  if (status == TUTTI_OK)
    status = tutti_run(&schedule, &view, &bindings, &arena, &error);
  check(checks, status == TUTTI_OK, "an edge said twice: %s", error.message);
  tutti_arena_release(&arena);
  tutti_builder_free(builder);
}

/* A copy from one type into another keeps the data and leaves the gaps; a receive of the application on MPI_COMM_SELF
   gets nothing of it. */
static void copy_between_types(struct checks *checks, const tutti_view *world)
{
  enum { COUNT = 5 };
  tutti_view view;
  tutti_arena arena;
  tutti_schedule schedule;
  tutti_error error = {.message = ""};
  MPI_Datatype spread;
  MPI_Request pending;
  int input[COUNT] = {1, 2, 3, 4, 5}, output[2 * COUNT], stolen, flag;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spread);
  MPI_Type_commit(&spread);
  for (int i = 0; i < 2 * COUNT; i++)
    output[i] = -1;
  MPI_Irecv(&stolen, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &pending);
  tutti_view_range(world, world->rank, world->rank, 1, &view, &error);
  tutti_builder *builder = tutti_builder_create(1, 0);
  tutti_add_copy(builder, tutti_block_of(TUTTI_INPUT, 0, COUNT), tutti_block_of(TUTTI_OUTPUT, 0, COUNT));
  tutti_arena_init(&arena);
  tutti_bindings bindings = {
      .input = input, .input_type = MPI_INT, .output = output, .output_type = spread, .op = MPI_OP_NULL};
  tutti_status status = tutti_schedule_seal(builder, &arena, &schedule, &error);
  if (status == TUTTI_OK)
    status = tutti_run(&schedule, &view, &bindings, &arena, &error);
  bool right = status == TUTTI_OK;
  for (int i = 0; i < COUNT; i++)
    right = right && output[2 * i] == i + 1 && output[2 * i + 1] == -1;
  check(checks, right || !RESIZED_TYPES_WORK, "a copy between types is wrong %s", error.message);
  MPI_Test(&pending, &flag, MPI_STATUS_IGNORE);
  check(checks, !flag, "a copy was received by the application");
  if (!flag) {
    MPI_Cancel(&pending);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
  }
  tutti_arena_release(&arena);
  tutti_builder_free(builder);
  MPI_Type_free(&spread);
}

/* ---- errors ---- */

static void errors(struct checks *checks, const tutti_view *view)
{
  tutti_error error;
  tutti_view range;
  tutti_method bcast = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "binomial"));
  check(checks, tutti_barrier(&bcast, view, &error) == TUTTI_ERR_ARGUMENT, "a bcast method made a barrier");
  check(checks, tutti_bcast(&bcast, NULL, 0, MPI_BYTE, view->size, view, &error) == TUTTI_ERR_ARGUMENT,
        "a root outside the group was taken");
  check(checks, tutti_view_range(view, 0, view->size, 1, &range, &error) == TUTTI_ERR_ARGUMENT,
        "a range beyond the group was taken");
  check(checks, tutti_view_range(view, 0, 0, 0, &range, &error) == TUTTI_ERR_ARGUMENT, "a stride of 0 was taken");
}

int main(int argc, char **argv)
{
  struct checks checks = {0, 0};
  tutti_view world;
  tutti_error error;
  MPI_Init(&argc, &argv);
  if (tutti_view_of(MPI_COMM_WORLD, &world, &error) != TUTTI_OK)
    MPI_Abort(MPI_COMM_WORLD, 1);
  bcasts(&checks, &world);
  ranges(&checks, &world);
  barriers(&checks, &world);
  reduces(&checks, &world);
  edges_said_twice(&checks, &world);
  copy_between_types(&checks, &world);
  errors(&checks, &world);
  int failed = check_report(&checks);
  MPI_Finalize();
  return failed;
}
