/* Points files: what tutti-bench is told to measure. Read as written, or refused with NAME:LINE. */
#include "harness/measure/bench/bench_points.h"
#include "unit/base/random.h"
#include "unit/test.h"

#define HEADER "tutti-points v=1 scheme=occ warmup=3 repetitions_max=200 confidence=0.05 ranks_per_node=1\n"

/* The text is changed by reading: give it a copy of exactly its length, so that a step beyond is an error of memory. */
static tutti_status parse(const char *text, struct points *points, tutti_error *error)
{
  FREED_BY(free_memory) char *copy = strdup(text);
  assert_non_null(copy);
  return tutti_points_parse(&tutti_bench_points, copy, "x.points", 4, points, error);
}

static const struct point *at(const struct points *points, size_t index)
{
  return (const struct point *)points->items + index;
}

static struct points parsed(const char *text)
{
  struct points points;
  assert_ok(parse(text, &points, &error), error);
  return points;
}

TEST(all_is_read)
{
  FREED_BY(tutti_points_free)
  struct points points = parsed("tutti-points v=1 ranks_per_node=4 scheme=window warmup=0 confidence=0.5 "
                                "repetitions_max=7\n"
                                "bcast/chain/8KB/k=3 root=5 count=1000 type_B=8\n"
                                "\n"
                                "barrier/bruck\n"
                                "reduce/binomial type_B=4 count=18446744073709551 root=0");
  assert_int_equal(points.measure.scheme, TUTTI_SCHEME_WINDOW);
  assert_int_equal(points.measure.warmup, 0);
  assert_int_equal(points.measure.repetitions_max, 7);
  assert_true(points.measure.confidence == 0.5);
  assert_int_equal(points.ranks_per_node, 4);
  assert_int_equal(points.count, 3);
  const struct point *first = at(&points, 0), *last = at(&points, 2);
  assert_string_equal(first->method.algorithm->name, "chain");
  assert_int_equal(first->method.parameters.k, 3);
  assert_int_equal(first->method.parameters.segment_bytes, 8192);
  assert_true(first->root == 5 && first->count == 1000 && first->type_size == 8);
  assert_int_equal(at(&points, 1)->method.algorithm->collective, TUTTI_COLL_BARRIER);
  assert_true(last->root == 0 && last->count == 18446744073709551 && last->type_size == 4);
}

#define TRACE "trace/late.txt/sum=76e17ef3"

TEST(patterns_are_read)
{
  FREED_BY(tutti_points_free)
  struct points points = parsed(HEADER "arrival=" TRACE " delays_ns=0,2500,100\n"
                                       "bcast/linear count=1 type_B=1 arrival=" TRACE "\n"
                                       "bcast/linear noise=detour/1ms/1us count=1 arrival=sorted/1ms\n"
                                       "bcast/linear count=1\n");
  assert_int_equal(points.count, 3);
  assert_int_equal(points.trace_count, 1);
  const tutti_trace *trace = tutti_points_trace(&points, &at(&points, 0)->arrival);
  assert_non_null(trace);
  assert_int_equal(tutti_arrival_delay(&at(&points, 0)->arrival, trace, 4, 5), 2500);
  assert_int_equal(at(&points, 1)->arrival.kind, TUTTI_ARRIVAL_SORTED);
  assert_int_equal(at(&points, 1)->noise.kind, TUTTI_NOISE_DETOUR);
  assert_null(tutti_points_trace(&points, &at(&points, 1)->arrival));
  assert_int_equal(at(&points, 2)->arrival.kind, TUTTI_ARRIVAL_NONE);
  assert_int_equal(at(&points, 2)->noise.kind, TUTTI_NOISE_NONE);
}

TEST(what_is_left_out_has_its_default)
{
  struct points points = parsed("tutti-points v=1\nbcast/linear\n");
  assert_int_equal(points.measure.scheme, TUTTI_SCHEME_OCC);
  assert_int_equal(points.measure.warmup, 3);
  assert_int_equal(points.measure.repetitions_max, 200);
  assert_true(points.measure.confidence == 0.05);
  assert_int_equal(points.ranks_per_node, 1);
  assert_int_equal(points.count, 1);
  assert_true(at(&points, 0)->root == 0 && at(&points, 0)->count == 0 && at(&points, 0)->type_size == 1);
  tutti_points_free(&points);
  points = parsed(HEADER);
  assert_int_equal(points.count, 0);
  tutti_points_free(&points);
}

/* A barrier has no data, whatever the file says. */
TEST(a_barrier_has_no_elements)
{
  FREED_BY(tutti_points_free) struct points points = parsed(HEADER "barrier/bruck root=0 count=77 type_B=1\n");
  assert_int_equal(at(&points, 0)->count, 0);
}

/* Nor have collectives without a root one: equal operations are one point. */
TEST(a_root_stays_where_one_is)
{
  FREED_BY(tutti_points_free)
  struct points points = parsed(HEADER "allreduce/ring root=3 count=8\nscan/linear root=1 count=8\n"
                                       "gatherv/linear root=3 count=8\n");
  assert_int_equal(at(&points, 0)->root, 0);
  assert_int_equal(at(&points, 1)->root, 0);
  assert_int_equal(at(&points, 2)->root, 3);
}

static void refused(const char *text, const char *reason)
{
  struct points points;
  if (parse(text, &points, REASON) == TUTTI_OK)
    fail_msg("'%s' was read", text);
  assert_int_equal(error.status, TUTTI_ERR_ARGUMENT);
  assert_begins(error.message, reason);
  assert_null(points.items);
}

TEST(wrong_headers_are_named)
{
  refused("", "x.points:1: expected a tutti-points line instead of ''");
  refused("\n" HEADER, "x.points:1: expected a tutti-points line");
  refused("bcast/linear\n", "x.points:1: expected a tutti-points line instead of 'bcast/linear'");
  refused("tutti-points\n", "x.points:1: needs v=1");
  refused("tutti-points v=2\n", "x.points:1: needs v=1");
  refused("tutti-points v=1 scheme=oct\n", "x.points:1: cannot use 'scheme=oct'");
  refused("tutti-points v=1 warmup=-1\n", "x.points:1: cannot use 'warmup=-1'");
  refused("tutti-points v=1 warmup=2147483648\n", "x.points:1: cannot use 'warmup=2147483648'");
  refused("tutti-points v=1 confidence=0\n", "x.points:1: cannot use 'confidence=0'");
  refused("tutti-points v=1 confidence=nan\n", "x.points:1: cannot use 'confidence=nan'");
  refused("tutti-points v=1 confidence=0.1x\n", "x.points:1: cannot use 'confidence=0.1x'");
  refused("tutti-points v=1 repetitions_max=0\n", "x.points:1: needs v=1, repetitions_max");
  refused("tutti-points v=1 ranks_per_node=0\n", "x.points:1: needs v=1, repetitions_max and ranks_per_node");
  refused("tutti-points v=1 colour=red\n", "x.points:1: cannot use 'colour=red'");
}

TEST(wrong_points_are_named)
{
  refused(HEADER "bcast/linear\nbcast/magic\n", "x.points:3: unknown bcast algorithm 'magic'");
  refused(HEADER "\n\nbkast/linear\n", "x.points:4: unknown collective 'bkast'");
  refused(HEADER "bcast/linear/8Q\n", "x.points:2: method 'bcast/linear/8Q': '8Q' is not a size");
  refused(HEADER " \n", "x.points:2: expected a method");
  refused(HEADER "bcast/linear root=-1\n", "x.points:2: cannot use 'root=-1'");
  refused(HEADER "bcast/linear root=2147483648\n", "x.points:2: cannot use 'root=2147483648'");
  refused(HEADER "bcast/linear root=\n", "x.points:2: cannot use 'root='");
  refused(HEADER "bcast/linear count=-1\n", "x.points:2: cannot use 'count=-1'");
  refused(HEADER "bcast/linear count=-18446744073709551615\n", "x.points:2: cannot use 'count=-1844674407370955");
  refused(HEADER "bcast/linear count=1x\n", "x.points:2: cannot use 'count=1x'");
  refused(HEADER "bcast/linear count=18446744073709551616\n", "x.points:2: cannot use 'count=1844674407370955");
  refused(HEADER "bcast/linear count=1 type_B=0\n", "x.points:2: cannot use 'type_B=0'");
  refused(HEADER "bcast/linear count=1 weight=2\n", "x.points:2: cannot use 'weight=2'");
  refused(HEADER "bcast/linear count=9223372036854775808\n", "x.points:2: message too large for 'bcast'");
  refused(HEADER "bcast/linear count=4611686018427387904 type_B=2\n", "x.points:2: message too large for 'bcast'");
}

TEST(wrong_patterns_are_named)
{
  refused(HEADER "bcast/linear arrival=late\n", "x.points:2: arrival pattern 'late': known are");
  refused(HEADER "bcast/linear noise=detour/1us/1ms\n", "x.points:2: noise 'detour/1us/1ms': a detour must");
  refused(HEADER "bcast/linear arrival=" TRACE "\n", "x.points:2: the delays do not stand before 'arrival=trace");
  refused(HEADER "arrival=" TRACE "\n", "x.points:2: expected delays_ns= after 'arrival=trace");
  refused(HEADER "arrival=" TRACE " delays_ns=0,2500,100 more=1\n", "x.points:2: expected delays_ns= after");
  refused(HEADER "arrival=" TRACE " delays_ns=0,2500\n", "x.points:2: these delays are not those of the trace");
  refused(HEADER "arrival=none delays_ns=0\n", "x.points:2: these delays are not those of the trace");
  refused(HEADER "arrival=" TRACE " delays_ns=0,,100\n", "x.points:2: not a delay in nanoseconds: ''");
  refused(HEADER "arrival=" TRACE " delays_ns=0,2500,1000000000001\n", "x.points:2: not a delay in nanoseconds");
}

/* A kind of its own: keys of the first line, costs, and points that are numbers. */
static tutti_status parse_number(struct points *points, char *line, tutti_error *error)
{
  int *number = tutti_points_add(points);
  return tutti_word_set_int(line, "n", number) ? TUTTI_OK : tutti_word_refuse(line, error);
}

static const char *refuse_large(const struct points *points)
{
  return points->largest > 1024 ? "a largest_B of at most 1024" : NULL;
}

static const struct points_key more_keys[] = {{"largest_B", KEY_SIZE, offsetof(struct points, largest)},
                                              {"tolerance", KEY_REAL, offsetof(struct points, tolerance)},
                                              {NULL, 0, 0}};
static const struct points_key cost_keys[] = {{"entry_s", KEY_SECONDS, offsetof(struct points, costs.entry)},
                                              {"inner", KEY_NATURAL, offsetof(struct points, costs.inner)},
                                              {NULL, 0, 0}};
static const struct points_kind numbers = {
    .defaults = {.measure = {TUTTI_SCHEME_WINDOW, 1, 5, 0.5}, .ranks_per_node = 2, .tolerance = 0.25},
    .item_size = sizeof(int),
    .header = more_keys,
    .costs = cost_keys,
    .parse_line = parse_number,
    .refuse = refuse_large};

static tutti_status parse_numbers(const char *text, struct points *points, tutti_error *error)
{
  FREED_BY(free_memory) char *copy = strdup(text);
  assert_non_null(copy);
  return tutti_points_parse(&numbers, copy, NULL, 7, points, error);
}

TEST(a_kind_has_keys_and_costs_of_its_own)
{
  FREED_BY(tutti_points_free) struct points points;
  assert_ok(parse_numbers("tutti-points v=1 largest_B=1KB\ncosts entry_s=1e-9 inner=3\nn=4\n\nn=5\n", &points, &error),
            error);
  assert_true(points.largest == 1024 && points.tolerance == 0.25 && points.costs.entry == 1e-9);
  assert_true(points.costs.inner == 3 && points.ranks == 7 && points.ranks_per_node == 2 && points.count == 2);
  assert_int_equal(points.measure.repetitions_max, 5);
  assert_int_equal(((const int *)points.items)[1], 5);
}

TEST(faults_of_a_kind_are_named)
{
  static const char *const faults[][2] = {
      {"tutti-points v=1 largest_B=2KB\n", "command line: needs a largest_B of at most 1024 in 'tutti-points'"},
      {"tutti-points v=1 largest_B=x\n", "command line: 'x' is not a size, whole bytes such as 100, 8KB, 1.5MB, "
                                         "64KiB, 2G or 1e3"},
      {"tutti-points v=1\ncosts entry_s=1\n", "command line: cannot use 'entry_s=1'"},
      {"tutti-points v=1\ncosts inner=0\n", "command line: cannot use 'inner=0'"},
      {"tutti-points v=1\nn=1\ncosts inner=1\n", "command line: costs stand before all points"},
      {"tutti-points v=1\nm=1\n", "command line: cannot use 'm=1'"}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct points points;
    assert_int_equal(parse_numbers(faults[i][0], &points, &error), TUTTI_ERR_ARGUMENT);
    assert_string_equal(error.message, faults[i][1]);
    assert_null(points.items);
  }
}

/* Any damage to a good file is read or refused with a line, and neither crashes nor leaks. */
static void check_damaged(const char *text)
{
  struct points points;
  if (parse(text, &points, REASON) != TUTTI_OK) {
    assert_memory_equal(error.message, "x.points:", 9);
    assert_null(points.items);
    return;
  }
  for (size_t i = 0; i < points.count; i++) {
    assert_non_null(at(&points, i)->method.algorithm);
    assert_true(at(&points, i)->type_size >= 1 && at(&points, i)->root >= 0);
  }
  tutti_points_free(&points);
}

TEST(damaged_files_are_survived)
{
  static const char good[] = HEADER "bcast/chain/8KB/k=4 root=0 count=8192 type_B=1\nbarrier/bruck root=0 count=0\n\n"
                                    "arrival=" TRACE " delays_ns=0,2500,100\n"
                                    "bcast/split-binary/1KB root=3 count=100 type_B=8 arrival=" TRACE "\n"
                                    "bcast/linear arrival=uniform/1ms/seed=1 noise=exponential/1us/seed=2\n";
  static const char alphabet[] = "\n\n  ==//-+09xaB.%\t\r\x80\xff";
  uint64_t seed = 1;
  for (int i = 0; i < 50000; i++) {
    char text[sizeof good + 8];
    strcpy(text, good);
    for (uint64_t changes = 1 + random_below(&seed, 5); changes > 0; changes--) {
      size_t length = strlen(text), at = random_below(&seed, length + 1);
      if (random_below(&seed, 8) == 0)
        text[at] = '\0';
      else if (random_below(&seed, 2) && at < length)
        memmove(text + at, text + at + 1, length - at);
      else if (at < length)
        text[at] = alphabet[random_below(&seed, sizeof alphabet - 1)];
    }
    check_damaged(text);
  }
}
