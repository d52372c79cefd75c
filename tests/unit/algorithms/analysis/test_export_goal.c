/* GOAL files against a reader of their own: every send has one receive of the same tag and size, nothing waits for
   ever, and all together is what the schedules count. */
#include "tutti/analysis.h"
#include "unit/algorithms/analysis/goal_match.h"
#include "unit/algorithms/analysis/verify_calls.h"
#include "unit/test.h"

enum { TYPE_SIZE = 4, GAMMA = 3, DELTA = 5 /* units a byte */ };

static const tutti_goal times = {.gamma = GAMMA * 1e-9, .delta = DELTA * 1e-9, .unit = 1e-9};

/* What the schedules say must come. */
struct expected {
  tutti_count sum;
  uint64_t edges, empty_messages, idle_ranks;
};

static void expect(struct expected *expected, const tutti_schedule *schedule)
{
  tutti_count count = tutti_count_schedule(schedule);
  expected->sum.vertices += count.vertices;
  expected->sum.sends += count.sends;
  expected->sum.elements_sent += count.elements_sent;
  expected->sum.elements_reduced += count.elements_reduced;
  expected->sum.elements_copied += count.elements_copied;
  expected->edges += schedule->edge_count;
  expected->idle_ranks += schedule->vertex_count == 0;
  for (uint32_t v = 0; v < schedule->vertex_count; v++)
    expected->empty_messages += schedule->vertices[v].kind == TUTTI_SEND && schedule->vertices[v].count == 0;
}

static char *export(const tutti_method *method, const struct calls *calls, struct expected *expected)
{
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  fprintf(file, "num_ranks %d\n", calls->rank[0].size);
  for (int r = 0; r < calls->rank[0].size; r++) {
    tutti_arena arena;
    tutti_schedule schedule;
    tutti_arena_init(&arena);
    if (tutti_method_schedule(method, &calls->rank[r], &arena, &schedule, &error) != TUTTI_OK ||
        tutti_export_goal_rank(&schedule, TYPE_SIZE, &times, file, &error) != TUTTI_OK)
      fail_msg("%s", error.message);
    expect(expected, &schedule);
    tutti_arena_release(&arena);
  }
  assert_int_equal(fclose(file), 0);
  return text;
}

static void check(const tutti_method *method, const tutti_call *call, bool irregular)
{
  char name[TUTTI_METHOD_LENGTH];
  FREED_BY(goal_free) struct goal_reader goal;
  struct expected expected = {.edges = 0};
  struct calls *calls = calls_create(method->algorithm->collective, call, irregular);
  FREED_BY(free_memory) char *text = export(method, calls, &expected);
  calls_free(calls);
  goal_read(&goal, text);
  if (*goal.fault)
    fail_msg("%s, %d ranks, %llu elements%s: %s", tutti_method_format(method, name), call->size,
             (unsigned long long)call->count, irregular ? ", irregular" : "", goal.fault);
  assert_int_equal(goal.ranks, call->size);
  assert_int_equal(goal.operation_count, expected.sum.vertices + expected.idle_ranks);
  assert_int_equal(goal.requires_count, expected.edges);
  assert_int_equal(goal.sends, expected.sum.sends);
  assert_int_equal(goal.bytes_sent, expected.sum.elements_sent * TYPE_SIZE + expected.empty_messages);
  assert_int_equal(goal.calc_units,
                   TYPE_SIZE * (GAMMA * expected.sum.elements_reduced + DELTA * expected.sum.elements_copied));
}

static int check_counts(const tutti_method *method, int size)
{
  static const uint64_t counts[] = {0, 1, 13};
  int checked = 0;
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    tutti_call call = {.size = size, .root = size / 3, .count = counts[c], .type_size = TYPE_SIZE, .commutative = true};
    unsigned traits = tutti_collective_traits(method->algorithm->collective);
    if (!(traits & TUTTI_HAS_ROOT))
      call.root = 0;
    if (tutti_method_check(method, &call, &error) != TUTTI_OK)
      continue;
    check(method, &call, false);
    if (traits & TUTTI_IS_IRREGULAR)
      check(method, &call, true);
    checked++;
  }
  return checked;
}

TEST(every_algorithm_is_understood)
{
  static const int sizes[] = {1, 2, 3, 4, 7, 8, 12, 16};
  for (size_t a = 0; a < tutti_algorithm_count(); a++) {
    tutti_method method = tutti_method_default(tutti_algorithm_at(a));
    int checked = 0;
    if (method.algorithm->domain & (TUTTI_NEEDS_NODES | TUTTI_NEEDS_LEVELS))
      method.parameters.k = 2;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      if (method.algorithm->domain & TUTTI_NEEDS_TORUS)
        method.parameters.k = tutti_sides_pack(&sizes[s], 1);
      checked += check_counts(&method, sizes[s]);
      if (!(method.algorithm->parameters & TUTTI_TAKES_SEGMENT))
        continue;
      method.parameters.segment_bytes = 3 * TYPE_SIZE;
      checked += check_counts(&method, sizes[s]);
      method.parameters.segment_bytes = 0;
    }
    if (checked == 0)
      fail_msg("%s/%s was not checked", tutti_collective_name(method.algorithm->collective), method.algorithm->name);
  }
}

/* The whole file: what tutti_count_method() counts, and the same bytes twice. */
TEST(totals_are_those_of_the_method)
{
  static const char *const names[] = {"reduce/binomial/64B", "allreduce/ring", "alltoall/bruck", "barrier/tree"};
  char *texts[2];
  size_t length;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    tutti_method method;
    tutti_total total;
    struct goal_reader goal;
    assert_int_equal(tutti_method_parse(names[i], &method, &error), TUTTI_OK);
    tutti_call call = {.size = 10, .rank = 7, .count = i == 3 ? 0 : 100, .type_size = TYPE_SIZE, .commutative = true};
    assert_int_equal(tutti_count_method(&method, &call, &total, &error), TUTTI_OK);
    for (int again = 0; again < 2; again++) {
      FILE *file = open_memstream(&texts[again], &length);
      assert_int_equal(tutti_export_goal(&method, &call, &times, file, &error), TUTTI_OK);
      fclose(file);
    }
    assert_string_equal(texts[0], texts[1]);
    goal_read(&goal, texts[0]);
    assert_string_equal(goal.fault, "");
    assert_int_equal(goal.sends, total.sum.sends);
    assert_int_equal(goal.bytes_sent, i == 3 ? total.sum.sends : total.sum.elements_sent * TYPE_SIZE);
    goal_free(&goal);
    free(texts[0]);
    free(texts[1]);
  }
}

static const char good[] = "num_ranks 2\n"
                           "\nrank 0 {\nl0: send 8b to 1 tag 0\nl1: send 4b to 1 tag 1\nl2: calc 7\n"
                           "l1 irequires l0\nl2 requires l1\n}\n"
                           "\nrank 1 {\nl0: recv 8b from 0 tag 0\nl1: recv 4b from 0 tag 1\nl1 requires l0\n}\n";

/* The good text with one of its lines replaced. */
static void assert_refused(const char *line, const char *instead, const char *fault)
{
  char text[sizeof good + 64];
  FREED_BY(goal_free) struct goal_reader goal;
  const char *place = strstr(good, line);
  assert_non_null(place);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(place - good), good, instead, place + strlen(line));
  goal_read(&goal, text);
  if (!strstr(goal.fault, fault))
    fail_msg("'%s' instead of '%s': '%s' does not say '%s'", instead, line, goal.fault, fault);
}

TEST(the_reader_sees_faults)
{
  struct goal_reader goal;
  goal_read(&goal, good);
  assert_string_equal(goal.fault, "");
  goal_free(&goal);
  assert_refused("num_ranks 2", "num_ranks 3", "2 of 3 ranks");
  assert_refused("rank 1 {", "rank 2 {", "not GOAL");
  assert_refused("l0: send 8b", "l0: send 9b", "sends 9 bytes");
  assert_refused("l0: send 8b to 1 tag 0", "l0: send 8b to 1 tag 2", "no message");
  assert_refused("l0: send 8b", "l0: send 0b", "out of range");
  assert_refused("l0: send 8b to 1", "l0: send 8b to 0", "out of range");
  assert_refused("l0: send 8b to 1", " l0: send 8b to 1", "not GOAL");
  assert_refused("l0: send 8b to 1", "l0: send +8b to 1", "not GOAL");
  assert_refused("l0: recv 8b from 0 tag 0\n", "l0: calc 1\n", "no message");
  assert_refused("l2: calc 7", "l1: calc 7", "two operations");
  assert_refused("l2 requires l1", "l2 requires l3", "no operation l3");
  assert_refused("l1 irequires l0\n", "", "may overtake");
  assert_refused("l2 requires l1", "l0 requires l1", "never ends");
  assert_refused("l1 requires l0\n}\n", "l1 requires l0\n", "2 of 2 ranks");
}

/* ---- what cannot be written ---- */

static tutti_status try(const tutti_goal *goal, FILE *file, tutti_error *error)
{
  tutti_method method;
  tutti_call call = {.size = 600, .count = 100, .type_size = TYPE_SIZE, .commutative = true};
  assert_int_equal(tutti_method_parse("reduce/linear", &method, error), TUTTI_OK);
  return tutti_export_goal(&method, &call, goal, file, error);
}

TEST(faults_are_named)
{
  static const tutti_goal wrong[] = {{-1, 0, 1e-9}, {0, -1, 1e-9}, {NAN, 0, 1e-9}, {0, INFINITY, 1e-9},
                                     {0, 0, 0},     {0, 0, -1},    {0, 0, NAN},    {1e9, 0, 1e-9}};
  FILE *file = fopen("/dev/null", "w");
  assert_non_null(file);
  assert_int_equal(try(&times, file, &error), TUTTI_OK);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_int_equal(try(&wrong[i], file, &error), TUTTI_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "rank 0, vertex "));
  fclose(file);
  file = fopen("/dev/full", "w");
  assert_non_null(file);
  assert_fails(try(&times, file, &error), TUTTI_ERR_IO, error, "rank 0: No space left");
  fclose(file);
}
