/* verify is only worth something if it catches faults: one of each kind is planted here, and each must be named. */
#include "algorithms/analysis/ensemble.h"
#include "tutti/analysis.h"
#include "unit/test.h"

enum { SIZE = 3, COUNT = 8 };

/* A broadcast over three ranks, written by hand as a chain 0 -> 1 -> 2 with one deviation per rank. */
typedef void (*write_rank)(tutti_builder *builder);

static tutti_block all(void)
{
  return tutti_block_of(TUTTI_OUTPUT, 0, COUNT);
}

static void right_0(tutti_builder *b)
{
  tutti_add_send(b, 1, all());
}

static void right_1(tutti_builder *b)
{
  tutti_vertex_id received = tutti_add_recv(b, 0, all());
  tutti_add_after(b, tutti_add_send(b, 2, all()), received);
}

static void right_2(tutti_builder *b)
{
  tutti_add_recv(b, 1, all());
}

static tutti_error verify_call(const write_rank writers[SIZE], const tutti_call *call, tutti_collective collective)
{
  tutti_schedule schedules[SIZE];
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_error error = {.status = TUTTI_OK};
  tutti_arena_init(&arena);
  for (int r = 0; r < SIZE; r++) {
    tutti_builder *builder = tutti_builder_create(SIZE, r);
    writers[r](builder);
    assert_int_equal(tutti_schedule_seal(builder, &arena, &schedules[r], &error), TUTTI_OK);
    tutti_builder_free(builder);
  }
  tutti_call calls[SIZE] = {*call, *call, *call};
  for (int r = 0; r < SIZE; r++)
    calls[r].rank = r;
  tutti_status status = tutti_verify(schedules, calls, tutti_contract_of(collective), &error);
  assert_int_equal(status, error.status);
  return error;
}

static tutti_error verify_ranks(write_rank r0, write_rank r1, write_rank r2, tutti_collective collective)
{
  const write_rank writers[SIZE] = {r0, r1, r2};
  tutti_call call = {.size = SIZE, .count = collective == TUTTI_COLL_BARRIER ? 0 : COUNT, .type_size = 1};
  return verify_call(writers, &call, collective);
}

static void assert_caught(tutti_error error, const char *text)
{
  assert_int_equal(error.status, TUTTI_ERR_FAULT);
  assert_contains(error.message, text);
}

TEST(the_right_one_passes)
{
  assert_int_equal(verify_ranks(right_0, right_1, right_2, TUTTI_COLL_BCAST).status, TUTTI_OK);
}

static void idle(tutti_builder *b)
{
  (void)b;
}

TEST(missing_send)
{
  assert_caught(verify_ranks(idle, right_1, right_2, TUTTI_COLL_BCAST),
                "rank 1, vertex 0: its receive from rank 0 has no send");
}

TEST(missing_receive)
{
  assert_caught(verify_ranks(right_0, right_1, idle, TUTTI_COLL_BCAST),
                "rank 1, vertex 1: its send to rank 2 has no receive");
}

static void shifted_block(tutti_builder *b)
{
  tutti_vertex_id received = tutti_add_recv(b, 0, all());
  tutti_vertex_id half = tutti_add_send(b, 2, tutti_block_of(TUTTI_OUTPUT, 0, COUNT / 2));
  tutti_add_after(b, half, received);
  tutti_add_after(b, tutti_add_send(b, 2, tutti_block_of(TUTTI_OUTPUT, 0, COUNT / 2)), received);
}

static void two_halves(tutti_builder *b)
{
  tutti_add_recv(b, 1, tutti_block_of(TUTTI_OUTPUT, 0, COUNT / 2));
  tutti_add_recv(b, 1, tutti_block_of(TUTTI_OUTPUT, COUNT / 2, COUNT / 2));
}

TEST(wrong_block)
{
  assert_caught(verify_ranks(right_0, shifted_block, two_halves, TUTTI_COLL_BCAST),
                "rank 2 ends with the wrong content in element 4");
}

static void half_only(tutti_builder *b)
{
  tutti_add_send(b, 1, tutti_block_of(TUTTI_OUTPUT, 0, COUNT / 2));
}

TEST(unequal_counts)
{
  assert_caught(verify_ranks(half_only, right_1, right_2, TUTTI_COLL_BCAST),
                "sends 4 elements to rank 1, whose vertex 0 receives 8");
}

static void sends_garbage(tutti_builder *b)
{
  tutti_buffer temporary = tutti_builder_temporary(b, COUNT);
  tutti_add_recv(b, 0, all());
  tutti_add_send(b, 2, tutti_block_of(temporary, 0, COUNT));
}

TEST(undefined_content)
{
  assert_caught(verify_ranks(right_0, sends_garbage, right_2, TUTTI_COLL_BCAST), "rank 2 ends with nothing");
}

static void overlong_send(tutti_builder *b)
{
  tutti_add_send(b, 1, tutti_block_of(TUTTI_OUTPUT, 0, COUNT + 1));
}

static void overlong_receive(tutti_builder *b)
{
  tutti_vertex_id received = tutti_add_recv(b, 0, tutti_block_of(TUTTI_OUTPUT, 0, COUNT + 1));
  tutti_add_after(b, tutti_add_send(b, 2, all()), received);
}

TEST(short_buffer)
{
  assert_caught(verify_ranks(overlong_send, overlong_receive, right_2, TUTTI_COLL_BCAST), ") reaches beyond the end");
}

static void short_temporary_receive(tutti_builder *b)
{
  tutti_buffer temporary = tutti_builder_temporary(b, COUNT - 1);
  tutti_add_recv(b, 1, tutti_block_of(temporary, 0, COUNT));
}

TEST(short_temporary)
{
  assert_caught(verify_ranks(right_0, right_1, short_temporary_receive, TUTTI_COLL_BCAST),
                "rank 2 of 3, vertex 0: block exceeds its buffer");
}

static void waits_for_1(tutti_builder *b)
{
  tutti_vertex_id received = tutti_add_recv(b, 1, tutti_no_data());
  tutti_add_after(b, tutti_add_send(b, 1, all()), received);
}

static void waits_for_0(tutti_builder *b)
{
  tutti_vertex_id received = tutti_add_recv(b, 0, all());
  tutti_add_after(b, tutti_add_send(b, 0, tutti_no_data()), received);
  tutti_add_after(b, tutti_add_send(b, 2, all()), received);
}

TEST(cyclic_wait)
{
  tutti_error error = verify_ranks(waits_for_1, waits_for_0, right_2, TUTTI_COLL_BCAST);
  assert_caught(error, "cyclic wait");
  assert_caught(error, "rank 0 vertex 0 (receive from 1)");
  assert_caught(error, "rank 1 vertex 1 (send to 0)");
}

static void forwards_too_early(tutti_builder *b)
{
  tutti_add_recv(b, 0, all());
  tutti_add_send(b, 2, all());
}

TEST(race)
{
  tutti_error error = verify_ranks(right_0, forwards_too_early, right_2, TUTTI_COLL_BCAST);
  assert_int_equal(error.status, TUTTI_ERR_FAULT);
}

/* Data that happens to come out right in the one order that is executed, but not in every order. */
static void copies_before_it_waits(tutti_builder *b)
{
  tutti_buffer temporary = tutti_builder_temporary(b, COUNT);
  tutti_add_recv(b, 1, tutti_block_of(temporary, 0, COUNT));
  tutti_vertex_id received = tutti_add_recv(b, 1, all());
  tutti_add_after(b, tutti_add_copy(b, tutti_block_of(temporary, 0, COUNT), all()), received);
}

static void sends_twice(tutti_builder *b)
{
  tutti_vertex_id received = tutti_add_recv(b, 0, all());
  tutti_add_after(b, tutti_add_send(b, 2, all()), received);
  tutti_add_after(b, tutti_add_send(b, 2, all()), received);
}

TEST(hidden_race)
{
  assert_caught(verify_ranks(right_0, sends_twice, copies_before_it_waits, TUTTI_COLL_BCAST),
                "rank 2: vertices 0 and 2 touch the same element");
}

static void only_0_waits_a(tutti_builder *b)
{
  tutti_add_recv(b, 1, tutti_no_data());
  tutti_add_recv(b, 2, tutti_no_data());
}

static void only_reports(tutti_builder *b)
{
  tutti_add_send(b, 0, tutti_no_data());
}

TEST(barrier_that_lets_go)
{
  assert_caught(verify_ranks(only_0_waits_a, only_reports, only_reports, TUTTI_COLL_BARRIER),
                "rank 1 can leave before rank 0 has entered");
}

/* ---- one rank alone: faults that content alone may not show ---- */

static tutti_error races_of(write_rank writer)
{
  tutti_schedule schedule;
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_error error = {.status = TUTTI_OK};
  tutti_builder *builder = tutti_builder_create(SIZE, 1);
  tutti_arena_init(&arena);
  writer(builder);
  assert_int_equal(tutti_schedule_seal(builder, &arena, &schedule, &error), TUTTI_OK);
  tutti_builder_free(builder);
  tutti_status status = tutti_check_races(&schedule, &error);
  assert_int_equal(status, error.status);
  return error;
}

TEST(receive_while_sending)
{
  assert_caught(races_of(forwards_too_early), "rank 1: vertices 0 and 1 touch the same element");
}

static void copies_into(tutti_builder *b)
{
  tutti_buffer temporary = tutti_builder_temporary(b, COUNT);
  tutti_add_copy(b, all(), tutti_block_of(temporary, 0, COUNT));
  tutti_add_send(b, 2, tutti_block_of(temporary, 0, COUNT));
}

static void reduces_into(tutti_builder *b)
{
  tutti_buffer temporary = tutti_builder_temporary(b, COUNT);
  tutti_add_reduce(b, tutti_block_of(TUTTI_INPUT, 0, COUNT), tutti_block_of(temporary, 0, COUNT));
  tutti_add_send(b, 2, tutti_block_of(temporary, COUNT - 1, 1));
}

TEST(targets_are_written)
{
  assert_caught(races_of(copies_into), "rank 1: vertices 0 and 1 touch the same element");
  assert_caught(races_of(reduces_into), "rank 1: vertices 0 and 1 touch the same element");
}

static void writes_input(tutti_builder *b)
{
  tutti_add_recv(b, 0, tutti_block_of(TUTTI_INPUT, 0, COUNT));
}

static void copies_into_input(tutti_builder *b)
{
  tutti_add_copy(b, all(), tutti_block_of(TUTTI_INPUT, 0, COUNT));
}

TEST(input_is_read_only)
{
  assert_caught(races_of(writes_input), ") writes the input buffer");
  assert_caught(races_of(copies_into_input), ") writes the input buffer");
}

static void nothing_inside_a_block(tutti_builder *b)
{
  tutti_add_recv(b, 0, all());
  tutti_add_send(b, 2, tutti_block_of(TUTTI_OUTPUT, COUNT / 2, 0));
}

TEST(no_elements_race_with_none)
{
  assert_int_equal(races_of(nothing_inside_a_block).status, TUTTI_OK);
}

static void copies_beyond(tutti_builder *b)
{
  tutti_vertex_id received = tutti_add_recv(b, 1, all());
  tutti_add_after(b, tutti_add_copy(b, tutti_block_of(TUTTI_OUTPUT, 0, 2), tutti_block_of(TUTTI_OUTPUT, COUNT - 1, 2)),
                  received);
}

TEST(target_beyond_the_end)
{
  assert_caught(verify_ranks(right_0, right_1, copies_beyond, TUTTI_COLL_BCAST), ") reaches beyond the end");
}

/* ---- reduction in the wrong order: 0 and 1 swapped, which only an operation that commutes forgives ---- */

static void swapped_root(tutti_builder *b)
{
  tutti_buffer from_2 = tutti_builder_temporary(b, COUNT);
  tutti_block contribution = tutti_block_of(TUTTI_INPUT, 0, COUNT), last = tutti_block_of(from_2, 0, COUNT);
  tutti_vertex_id two = tutti_add_recv(b, 2, last), one = tutti_add_recv(b, 1, all());
  tutti_vertex_id first = tutti_add_reduce(b, contribution, last); /* 0 2 */
  tutti_add_after(b, first, two);
  tutti_vertex_id second = tutti_add_reduce(b, last, all()); /* 0 2 1 */
  tutti_add_after(b, second, first);
  tutti_add_after(b, second, one);
}

static void contributes(tutti_builder *b)
{
  tutti_add_send(b, 0, tutti_block_of(TUTTI_INPUT, 0, COUNT));
}

static tutti_error verify_reduction(bool commutative)
{
  const write_rank writers[SIZE] = {swapped_root, contributes, contributes};
  tutti_call call = {.size = SIZE, .count = COUNT, .type_size = 1, .commutative = commutative};
  return verify_call(writers, &call, TUTTI_COLL_REDUCE);
}

TEST(operands_out_of_order)
{
  assert_int_equal(verify_reduction(true).status, TUTTI_OK);
  assert_caught(verify_reduction(false), ") combines ranks 0 to 0 with ranks 2 to 2");
}

/* ---- what a reduction must not touch, even if nobody looks at the result ---- */

/* The right reduction of 0, 1 and 2 beside one of elements that nobody has filled. */
static void combines(tutti_builder *b, bool with_nothing)
{
  tutti_buffer last = tutti_builder_temporary(b, COUNT), spare = tutti_builder_temporary(b, COUNT);
  tutti_block contribution = tutti_block_of(TUTTI_INPUT, 0, COUNT), two = tutti_block_of(last, 0, COUNT);
  tutti_vertex_id from_2 = tutti_add_recv(b, 2, all()), from_1 = tutti_add_recv(b, 1, two);
  tutti_vertex_id first = tutti_add_reduce(b, two, all());
  tutti_add_after(b, first, from_1);
  tutti_add_after(b, first, from_2);
  tutti_add_after(b, tutti_add_reduce(b, contribution, all()), first);
  if (with_nothing)
    tutti_add_reduce(b, contribution, tutti_block_of(spare, 0, COUNT));
}

static void right_root(tutti_builder *b)
{
  combines(b, false);
}

static void root_that_combines_nothing(tutti_builder *b)
{
  combines(b, true);
}

/* Contributions of the ranks in order, twice: the second time the own one is left of itself. */
static void root_that_repeats(tutti_builder *b)
{
  combines(b, false);
  tutti_buffer spare = tutti_builder_temporary(b, COUNT);
  tutti_block contribution = tutti_block_of(TUTTI_INPUT, 0, COUNT);
  tutti_vertex_id copied = tutti_add_copy(b, contribution, tutti_block_of(spare, 0, COUNT));
  tutti_add_after(b, tutti_add_reduce(b, contribution, tutti_block_of(spare, 0, COUNT)), copied);
}

/* Element 0 with element 1. */
static void root_that_shifts(tutti_builder *b)
{
  tutti_buffer spare = tutti_builder_temporary(b, COUNT);
  combines(b, false);
  tutti_vertex_id received = tutti_add_recv(b, 1, tutti_block_of(spare, 0, COUNT));
  tutti_add_after(
      b, tutti_add_reduce(b, tutti_block_of(TUTTI_INPUT, 0, COUNT - 1), tutti_block_of(spare, 1, COUNT - 1)), received);
}

static void contributes_twice(tutti_builder *b)
{
  contributes(b);
  contributes(b);
}

static tutti_error verify_root(write_rank root, write_rank one, bool commutative)
{
  const write_rank writers[SIZE] = {root, one, contributes};
  tutti_call call = {.size = SIZE, .count = COUNT, .type_size = 1, .commutative = commutative};
  return verify_call(writers, &call, TUTTI_COLL_REDUCE);
}

TEST(unused_reductions)
{
  for (int commutative = 0; commutative < 2; commutative++) {
    assert_int_equal(verify_root(right_root, contributes, commutative).status, TUTTI_OK);
    assert_caught(verify_root(root_that_combines_nothing, contributes, commutative),
                  ") combines element 0 of a block with nothing");
  }
  assert_caught(verify_root(root_that_repeats, contributes, false), ") combines ranks 0 to 0 with ranks 0 to 0");
  assert_caught(verify_root(root_that_shifts, contributes_twice, false),
                ") combines element 0 of the contributions with element 1");
}

/* ---- a barrier of many ranks that forgets the last one ---- */

TEST(a_barrier_that_forgets_one)
{
  enum { MANY = 70 };
  tutti_schedule schedules[MANY];
  tutti_call calls[MANY];
  FREED_BY(tutti_arena_release) tutti_arena arena;
  tutti_arena_init(&arena);
  for (int r = 0; r < MANY; r++) {
    calls[r] = (tutti_call){.size = MANY, .rank = r, .type_size = 1, .commutative = true};
    tutti_builder *builder = tutti_builder_create(MANY, r);
    tutti_vertex_id join = TUTTI_NO_VERTEX;
    if (r == 0) { /* waits for all but the last one, then lets all go */
      for (int other = 1; other < MANY - 1; other++)
        tutti_add_recv(builder, other, tutti_no_data());
      join = tutti_add_join(builder);
      for (tutti_vertex_id v = 0; v < join; v++)
        tutti_add_after(builder, join, v);
      for (int other = 1; other < MANY; other++)
        tutti_add_after(builder, tutti_add_send(builder, other, tutti_no_data()), join);
    } else {
      join = r < MANY - 1 ? tutti_add_send(builder, 0, tutti_no_data()) : TUTTI_NO_VERTEX;
      tutti_add_after(builder, tutti_add_recv(builder, 0, tutti_no_data()), join);
    }
    assert_int_equal(tutti_schedule_seal(builder, &arena, &schedules[r], &error), TUTTI_OK);
    tutti_builder_free(builder);
  }
  assert_int_equal(tutti_verify(schedules, calls, tutti_contract_of(TUTTI_COLL_BARRIER), &error), TUTTI_ERR_FAULT);
  assert_caught(error, "rank 0 can leave before rank 69 has entered");
}

/* ---- calls that no memory holds, or that make no sense ---- */

TEST(absurd_calls_are_refused)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "linear"));
  tutti_call call = {.size = 0, .count = 1, .type_size = 1, .commutative = true};
  assert_int_equal(tutti_verify_method(&method, &call, &error), TUTTI_ERR_ARGUMENT);
  call.size = 5;
  call.count = UINT64_C(1) << 62;
  assert_int_equal(tutti_verify_method(&method, &call, &error), TUTTI_ERR_ARGUMENT);
  method.parameters.segment_bytes = 1;
  assert_int_equal(tutti_verify_method(&method, &call, &error), TUTTI_ERR_UNSUPPORTED);
  call.count = 1;
  method.parameters.outstanding = 0;
  assert_fails(tutti_verify_method(&method, &call, &error), TUTTI_ERR_ARGUMENT, error, "outstanding=0");
}
