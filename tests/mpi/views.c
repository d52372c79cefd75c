/* Views: collectives on ranges of the ranks, where the native ones would need a communicator; barriers that hold up
   everybody; schedules of no algorithm; errors. */
#include "check.h"
#include "clock.h"
#include "datatypes.h"
#include "tutti/collectives.h"

static unsigned char pattern(int salt, size_t i)
{
  return (unsigned char)((i * 131 + (size_t)salt * 29) >> 1 ^ i);
}

/* The plain method of an algorithm; nodes of two ranks where it needs to know them. */
static tutti_method plain(const tutti_algorithm *algorithm)
{
  tutti_method method = tutti_method_default(algorithm);
  if (algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS))
    method.parameters.k = 2;
  return method;
}

/* A barrier that so many ranks can have. */
static bool is_barrier(const tutti_method *method, int size)
{
  return method->algorithm->collective == TUTTI_COLL_BARRIER &&
         (size == 2 || !(method->algorithm->domain & TUTTI_NEEDS_TWO));
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
    tutti_method method = plain(tutti_algorithm_at(a));
    int root = (int)a % view.size;
    if (method.algorithm->collective != TUTTI_COLL_BCAST)
      continue;
    method = tutti_method_serving(
        &method,
        &(tutti_call){.size = view.size, .rank = view.rank, .root = root, .count = COUNT, .commutative = true});
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
    method = plain(tutti_algorithm_at(a));
    if (is_barrier(&method, view.size))
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

static void barriers(struct checks *checks, const tutti_view *view)
{
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    tutti_method method = plain(tutti_algorithm_at(a));
    tutti_error error = {.message = ""};
    if (!is_barrier(&method, view->size))
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
  check_begin(&argc, &argv, &world);
  ranges(&checks, &world);
  barriers(&checks, &world);
  edges_said_twice(&checks, &world);
  copy_between_types(&checks, &world);
  errors(&checks, &world);
  return check_end(&checks);
}
