/* Memory of measured operations: what each rank needs, and what is refused. */
#include "harness/measure/bench/bench_points.h"
#include "unit/test.h"

enum { RANKS = 5, COUNT = 7, TYPE = 4, BLOCK = COUNT * TYPE, ALL = RANKS * BLOCK };

static struct point point_of(const char *method, int root, uint64_t count, uint64_t type_size)
{
  struct point point = {.root = root, .count = count, .type_size = type_size};
  assert_ok(tutti_method_parse(method, &point.method, &error), error);
  return point;
}

/* As the buffers of the MPI calls: at the root, which is rank 2, and elsewhere. */
static const struct {
  const char *method;
  struct buffer_sizes root, other;
} collectives[] = {
    {"bcast/linear", {0, BLOCK}, {0, BLOCK}},
    {"barrier/bruck", {0, 0}, {0, 0}},
    {"scatter/linear", {ALL, BLOCK}, {0, BLOCK}},
    {"scatterv/linear", {ALL, BLOCK}, {0, BLOCK}},
    {"gather/linear", {BLOCK, ALL}, {BLOCK, 0}},
    {"gatherv/linear", {BLOCK, ALL}, {BLOCK, 0}},
    {"allgather/ring", {BLOCK, ALL}, {BLOCK, ALL}},
    {"allgatherv/ring", {BLOCK, ALL}, {BLOCK, ALL}},
    {"alltoall/linear", {ALL, ALL}, {ALL, ALL}},
    {"alltoallv/linear", {ALL, ALL}, {ALL, ALL}},
    {"alltoallw/linear", {ALL, ALL}, {ALL, ALL}},
    {"reduce/linear", {BLOCK, BLOCK}, {BLOCK, 0}},
    {"reduce_scatter_block/ring", {ALL, BLOCK}, {ALL, BLOCK}},
    {"reduce_scatter/ring", {ALL, BLOCK}, {ALL, BLOCK}},
    {"allreduce/ring", {BLOCK, BLOCK}, {BLOCK, BLOCK}},
    {"scan/linear", {BLOCK, BLOCK}, {BLOCK, BLOCK}},
    {"exscan/linear", {BLOCK, BLOCK}, {BLOCK, BLOCK}},
};

static void assert_sizes(const char *method, struct buffer_sizes sizes, struct buffer_sizes expected)
{
  if (sizes.input != expected.input || sizes.output != expected.output)
    fail_msg("%s: %d and %d bytes, not %d and %d", method, (int)sizes.input, (int)sizes.output, (int)expected.input,
             (int)expected.output);
}

TEST(each_collective_has_its_buffers)
{
  assert_int_equal(sizeof collectives / sizeof *collectives, TUTTI_COLL_COUNT);
  for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++) {
    bool data = strncmp(collectives[i].method, "barrier", 7) != 0;
    struct point point = point_of(collectives[i].method, 2, data ? COUNT : 0, TYPE);
    assert_int_equal(point.method.algorithm->collective, i);
    assert_sizes(collectives[i].method, tutti_buffer_sizes_of(&point, RANKS, 2), collectives[i].root);
    assert_sizes(collectives[i].method, tutti_buffer_sizes_of(&point, RANKS, 0), collectives[i].other);
  }
}

/* Two roots: ranks that are none need no more than one block of each. */
TEST(ranks_that_share_a_memory_add_up)
{
  struct point items[] = {point_of("gather/linear", 0, 10, 1), point_of("scatter/linear", 3, 100, 1),
                          point_of("gather/binomial", 0, 20, 1)};
  const struct points points = {.count = 3, .items = items};
  /* root 0: 20 in, 100 blocks out; root 3: 100 blocks in, 100 out; the others: 20 in, 100 out */
  uint64_t first = 20 + 20 * 100, second = 100 * 100 + 100, other = 20 + 100;
  assert_true(tutti_buffer_sizes_sum(&points, 100, 1) == first);
  assert_true(tutti_buffer_sizes_sum(&points, 100, 2) == first + second);
  assert_true(tutti_buffer_sizes_sum(&points, 100, 100) == first + second + 98 * other);
  assert_sizes("all", tutti_buffer_sizes_max(&points, 100, 0), (struct buffer_sizes){20, 2000});
  assert_sizes("all", tutti_buffer_sizes_max(&points, 100, 3), (struct buffer_sizes){10000, 100});
  assert_sizes("all", tutti_buffer_sizes_max(&points, 100, 50), (struct buffer_sizes){20, 100});
}

TEST(a_sum_beyond_numbers_is_known)
{
  struct point point = point_of("bcast/linear", 0, UINT64_MAX / 4, 1);
  const struct points points = {.count = 1, .items = &point};
  assert_true(tutti_buffer_sizes_sum(&points, 4, 4) == UINT64_MAX / 4 * 4);
  assert_true(tutti_buffer_sizes_sum(&points, 5, 5) == UINT64_MAX);
}

static tutti_status check(const char *method, uint64_t count, uint64_t type_size, int ranks, tutti_error *error)
{
  struct point point = point_of(method, 0, count, type_size);
  const struct points points = {.count = 1, .items = &point};
  return tutti_buffer_sizes_check(&points, ranks, error);
}

static void refused(const char *method, uint64_t count, uint64_t type_size, int ranks, const char *reason)
{
  assert_int_equal(check(method, count, type_size, ranks, REASON), TUTTI_ERR_ARGUMENT);
  if (!strstr(error.message, reason))
    fail_msg("%s: '%s' does not say '%s'", method, error.message, reason);
}

/* The largest that passes and the smallest that does not: int holds no more than 2^31 - 1 elements, or bytes for w. */
TEST(what_does_not_fit_is_refused)
{
  assert_int_equal(check("alltoallv/linear", INT_MAX / 4, 8, 4, &error), TUTTI_OK);
  refused("alltoallv/linear", INT_MAX / 4 + 1, 8, 4, "alltoallv: displacements in 4 blocks of 536870912 elements");
  assert_int_equal(check("alltoallw/linear", INT_MAX / 32, 8, 4, &error), TUTTI_OK);
  refused("alltoallw/linear", INT_MAX / 32 + 1, 8, 4, "alltoallw: displacements in 4 blocks of 536870912 bytes");
  refused("scatterv/linear", (uint64_t)INT_MAX + 1, 1, 1, "do not fit the int");
  refused("reduce_scatter/ring", INT_MAX, 1, 2, "do not fit the int");
  assert_int_equal(check("alltoall/linear", (uint64_t)1 << 40, 8, 4, &error), TUTTI_OK);
  assert_int_equal(check("allgather/ring", SIZE_MAX / 2 / 4, 1, 4, &error), TUTTI_OK);
  refused("allgather/ring", SIZE_MAX / 2 / 4 + 1, 1, 4, "are more than memory can address");
  assert_int_equal(check("bcast/linear", SIZE_MAX / 2, 1, 1000, &error), TUTTI_OK);
}
