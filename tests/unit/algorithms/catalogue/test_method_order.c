/* The order of methods, in which ties are broken, and the calls that a method takes. */
#include "tutti/algorithm.h"
#include "unit/test.h"

/* Some methods in the documented order: catalogue, then segment size (none first), then k, then outstanding. */
static size_t in_order(tutti_method *methods)
{
  static const uint64_t segments[] = {0, 1, 8192, UINT64_MAX};
  static const int ks[] = {2, 4, INT_MAX}, windows[] = {1, 16, INT_MAX};
  size_t count = 0;
  for (size_t a = 0; a < tutti_algorithm_count(); a++)
    for (int s = 0; s < 4; s++)
      for (int k = 0; k < 3; k++)
        for (int w = 0; w < 3; w++)
          methods[count++] =
              (tutti_method){.algorithm = tutti_algorithm_at(a),
                             .parameters = {.segment_bytes = segments[s], .k = ks[k], .outstanding = windows[w]}};
  return count;
}

TEST(order_is_total)
{
  FREED_BY(free_memory) tutti_method *methods = malloc(tutti_algorithm_count() * 36 * sizeof *methods);
  assert_non_null(methods);
  size_t count = in_order(methods);
  for (size_t i = 0; i < count; i++) {
    tutti_method twin = methods[i];
    assert_int_equal(tutti_method_compare(&methods[i], &twin), 0);
    for (size_t j = i + 1; j < count; j++) {
      assert_true(tutti_method_compare(&methods[i], &methods[j]) < 0);
      assert_true(tutti_method_compare(&methods[j], &methods[i]) > 0);
    }
  }
}

static tutti_call call_of(int size, int rank, int root)
{
  return (tutti_call){.size = size, .rank = rank, .root = root, .count = 100, .type_size = 1, .commutative = true};
}

static void answers(const tutti_method *method, tutti_call call, tutti_status expected, const char *text)
{
  assert_int_equal(tutti_method_check(method, &call, REASON), expected);
  assert_int_equal(tutti_method_check(method, &call, NULL), expected);
  assert_contains(error.message, text);
}

TEST(ranks_must_be_in_the_group)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "chain"));
  answers(&method, call_of(1, 0, 0), TUTTI_OK, "");
  answers(&method, call_of(8, 7, 7), TUTTI_OK, "");
  answers(&method, call_of(8, 8, 0), TUTTI_ERR_ARGUMENT, "bcast/chain: rank 8 is not in a group of 8 ranks");
  answers(&method, call_of(8, -1, 0), TUTTI_ERR_ARGUMENT, "rank -1 is not in");
  answers(&method, call_of(0, 0, 0), TUTTI_ERR_ARGUMENT, "rank 0 is not in a group of 0 ranks");
  answers(&method, call_of(INT_MIN, 0, 0), TUTTI_ERR_ARGUMENT, "rank 0 is not in");
  answers(&method, call_of(8, 0, 8), TUTTI_ERR_ARGUMENT, "bcast/chain: root 8 is not in a group of 8 ranks");
  answers(&method, call_of(8, 0, -1), TUTTI_ERR_ARGUMENT, "root -1 is not in");
  method.parameters.k = 0;
  answers(&method, call_of(8, 0, 0), TUTTI_ERR_ARGUMENT, "k=0 must be at least 1");
  method.parameters = (tutti_parameters){.k = 4, .outstanding = 0};
  answers(&method, call_of(8, 0, 0), TUTTI_ERR_ARGUMENT, "outstanding=0 must be at least 1");
}

/* An algorithm with the given needs; the catalogue need not have one. */
static void domain(unsigned needs, tutti_call call, tutti_status expected, const char *text)
{
  tutti_algorithm algorithm = {.collective = TUTTI_COLL_REDUCE, .name = "picky", .domain = needs};
  tutti_method method = {.algorithm = &algorithm};
  answers(&method, call, expected, text);
}

static tutti_call counted(int size, uint64_t count, bool commutative)
{
  tutti_call call = call_of(size, 0, 0);
  call.count = count;
  call.commutative = commutative;
  return call;
}

TEST(needs_are_checked)
{
  static const char power[] = "reduce/picky: needs a number of ranks that is a power of two";
  for (int size = 1; size <= 1 << 12; size++) {
    bool is_power = false;
    for (int p = 1; p <= size; p *= 2)
      is_power = is_power || p == size;
    domain(TUTTI_NEEDS_POWER_OF_TWO, call_of(size, 0, 0), is_power ? TUTTI_OK : TUTTI_ERR_UNSUPPORTED,
           is_power ? "" : power);
  }
  domain(TUTTI_NEEDS_EVEN, call_of(6, 0, 0), TUTTI_OK, "");
  domain(TUTTI_NEEDS_EVEN, call_of(7, 0, 0), TUTTI_ERR_UNSUPPORTED, "needs an even number of ranks; called with 7");
  domain(TUTTI_NEEDS_COMMUTATIVE, counted(5, 9, true), TUTTI_OK, "");
  domain(TUTTI_NEEDS_COMMUTATIVE, counted(5, 9, false), TUTTI_ERR_UNSUPPORTED, "needs a commutative operation");
  domain(TUTTI_NEEDS_COUNT, counted(5, 5, true), TUTTI_OK, "");
  domain(TUTTI_NEEDS_COUNT, counted(5, 4, true), TUTTI_ERR_UNSUPPORTED, "at least one element per rank");
  domain(TUTTI_NEEDS_EVEN | TUTTI_NEEDS_COUNT, counted(6, 5, true), TUTTI_ERR_UNSUPPORTED, "per rank");
  domain(0, counted(7, 0, false), TUTTI_OK, "");
}

/* What is refused is not built. */
TEST(no_schedule_outside_the_domain)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "binomial"));
  tutti_call call = call_of(8, 8, 0);
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_schedule schedule;
  tutti_arena_init(&arena);
  assert_int_equal(tutti_method_schedule(&method, &call, &arena, &schedule, &error), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_arena_used(&arena), 0);
}

TEST(every_line_is_sound)
{
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    const tutti_algorithm *line = tutti_algorithm_at(a);
    bool takes_k = line->parameters & TUTTI_TAKES_K;
    assert_ptr_equal(tutti_algorithm_find(line->collective, line->name), line);
    assert_non_null(tutti_collective_name(line->collective));
    assert_non_null(line->build);
    assert_true(line->source && *line->source);
    assert_true(takes_k && !(line->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_TORUS | TUTTI_NEEDS_LEVELS))
                    ? line->min_k >= 1 && line->default_k >= line->min_k
                    : !line->default_k && !line->min_k);
    assert_true(a == 0 || tutti_algorithm_at(a - 1)->collective <= line->collective);
  }
  assert_null(tutti_algorithm_at(tutti_algorithm_count()));
  assert_null(tutti_algorithm_find(TUTTI_COLL_BCAST, "bruck"));
  assert_null(tutti_collective_name(TUTTI_COLL_COUNT));
  assert_null(tutti_collective_name((tutti_collective)-1));
}

/* At most three others are on 4 ranks: a limit of so many is none. */
TEST(limits_may_not_matter)
{
  tutti_method four = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLTOALL, "linear-sync")), three = four,
               two = four, bruck = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_ALLTOALL, "bruck")),
               bruck3 = bruck;
  three.parameters.k = 3;
  two.parameters.k = 2;
  bruck3.parameters.k = 3;
  assert_true(tutti_method_same_on(&four, &three, 4));
  assert_false(tutti_method_same_on(&four, &three, 5));
  assert_false(tutti_method_same_on(&two, &three, 4));
  assert_true(tutti_method_same_on(&two, &three, 3));
  assert_false(tutti_method_same_on(&bruck, &bruck3, 2)); /* a radix */
}

static bool does_the_same(const tutti_algorithm *left, const tutti_algorithm *right, int size)
{
  const tutti_method methods[] = {tutti_method_default(left), tutti_method_default(right)};
  tutti_call call = call_of(size, 1, 0);
  tutti_schedule schedules[2];
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_arena_init(&arena);
  for (int i = 0; i < 2; i++)
    assert_int_equal(tutti_method_schedule(&methods[i], &call, &arena, &schedules[i], NULL), TUTTI_OK);
  bool same = schedules[0].vertex_count == schedules[1].vertex_count;
  for (uint32_t v = 0; same && v < schedules[0].vertex_count; v++) {
    const tutti_vertex *a = &schedules[0].vertices[v], *b = &schedules[1].vertices[v];
    same = a->kind == b->kind && a->peer == b->peer && a->first == b->first && a->count == b->count;
  }
  return same;
}

/* For some algorithms another one without segments does the same as they do without them. */
TEST(twins_do_the_same)
{
  int twins = 0;
  for (size_t i = 0; i < tutti_algorithm_count(); i++) {
    const tutti_algorithm *algorithm = tutti_algorithm_at(i), *twin = tutti_algorithm_unsegmented(algorithm);
    if (!twin)
      continue;
    twins++;
    assert_int_equal(algorithm->collective, TUTTI_COLL_ALLREDUCE);
    assert_string_equal(algorithm->name, "ring-segmented");
    assert_string_equal(twin->name, "ring");
    for (int size = 2; size < 10; size++)
      assert_true(does_the_same(algorithm, twin, size));
  }
  assert_int_equal(twins, 1);
}
