/* Records: round trip, the refusal of what is not one, and mutations, which must never crash. */
#include "unit/base/random.h"
#include "unit/decision/results/record_fixture.h"

static const char good[] =
    "tutti-measurement v=1 method=bcast/binomial/8KB scheme=occ ranks=28 root=3 count=8192 type_B=4 "
    "repetitions=7 minimum_s=0.00125 median_s=0.0015 mean_s=0.0016 maximum_s=0.002";

static void assert_same_measurement(const tutti_measurement *a, const tutti_measurement *b)
{
  assert_int_equal(tutti_method_compare(&a->method, &b->method), 0);
  assert_int_equal(a->scheme, b->scheme);
  assert_int_equal(a->ranks, b->ranks);
  assert_int_equal(a->root, b->root);
  assert_true(a->count == b->count && a->type_size == b->type_size);
  assert_true(a->rank_bytes == b->rank_bytes && a->total_bytes == b->total_bytes);
  assert_int_equal(a->repetitions, b->repetitions);
  assert_true(a->minimum == b->minimum && a->median == b->median && a->mean == b->mean && a->maximum == b->maximum);
}

TEST(test_reads_a_measurement)
{
  tutti_record record;
  assert_int_equal(tutti_record_parse(good, &record, &error), TUTTI_OK);
  assert_int_equal(record.kind, TUTTI_RECORD_MEASUREMENT);
  assert_string_equal(record.measurement.method.algorithm->name, "binomial");
  assert_true(record.measurement.method.parameters.segment_bytes == 8192);
  assert_int_equal(record.measurement.ranks, 28);
  assert_int_equal(record.measurement.root, 3);
  assert_true(record.measurement.rank_bytes == 32768 && record.measurement.total_bytes == 32768);
  assert_int_equal(record.measurement.repetitions, 7);
  assert_true(record.measurement.minimum == 0.00125 && record.measurement.maximum == 0.002);
}

/* Collectives with a block for, or from, each rank, among them alltoall, count it once a rank; the others once. */
TEST(test_total_bytes)
{
  static const struct {
    const char *method;
    uint64_t blocks;
  } totals[] = {
      {"bcast/linear", 1},         {"barrier/bruck", 1},
      {"scatter/linear", 28},      {"scatterv/linear", 28},
      {"gather/linear", 28},       {"gatherv/linear", 28},
      {"allgather/ring", 28},      {"allgatherv/ring", 28},
      {"alltoall/linear", 28},     {"alltoallv/linear", 28},
      {"alltoallw/linear", 28},    {"reduce/linear", 1},
      {"reduce_scatter/ring", 28}, {"reduce_scatter_block/ring", 28},
      {"allreduce/ring", 1},       {"scan/linear", 1},
      {"exscan/linear", 1},
  };
  assert_int_equal(sizeof totals / sizeof *totals, TUTTI_COLL_COUNT);
  for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
    char line[512];
    tutti_record record;
    const char *rest = strstr(good, " scheme=");
    snprintf(line, sizeof line, "tutti-measurement v=1 method=%s%s", totals[i].method, rest);
    if (tutti_record_parse(line, &record, &error) != TUTTI_OK)
      fail_msg("%s: %s", line, error.message);
    assert_true(record.measurement.rank_bytes == 32768);
    if (record.measurement.total_bytes != 32768 * totals[i].blocks)
      fail_msg("%s: %llu bytes in all", totals[i].method, (unsigned long long)record.measurement.total_bytes);
  }
}

TEST(test_a_total_too_large_is_refused)
{
  static const char form[] = "tutti-measurement v=1 method=%s scheme=occ ranks=28 root=0 count=1152921504606846976 "
                             "type_B=4 repetitions=1 minimum_s=1 median_s=1 mean_s=1 maximum_s=1";
  char line[512];
  tutti_record record;
  snprintf(line, sizeof line, form, "bcast/linear");
  assert_int_equal(tutti_record_parse(line, &record, &error), TUTTI_OK);
  snprintf(line, sizeof line, form, "allgather/ring");
  assert_fails(tutti_record_parse(line, &record, &error), TUTTI_ERR_ARGUMENT, error,
               "count times type_B times ranks is too large");
}

/* A time with at most twelve significant digits survives printing exactly. */
static double random_time(uint64_t *state)
{
  char text[32];
  snprintf(text, sizeof text, "%llu.%011llue%d", (unsigned long long)(random_next(state) % 9 + 1),
           (unsigned long long)(random_next(state) % 100000000000ULL), -(int)(random_next(state) % 9));
  return strtod(text, NULL);
}

static int compare_doubles(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static tutti_record random_measurement(uint64_t *state)
{
  tutti_record record = {.kind = TUTTI_RECORD_MEASUREMENT};
  tutti_measurement *m = &record.measurement;
  double times[3] = {random_time(state), random_time(state), random_time(state)};
  qsort(times, 3, sizeof *times, compare_doubles);
  m->method = tutti_method_default(tutti_algorithm_at(random_next(state) % tutti_algorithm_count()));
  if (m->method.algorithm->parameters & TUTTI_TAKES_SEGMENT)
    m->method.parameters.segment_bytes = random_next(state) % 100000;
  m->scheme = random_next(state) % 2 ? TUTTI_SCHEME_OCC : TUTTI_SCHEME_WINDOW;
  m->ranks = (int)(random_next(state) % 200000) + 1;
  m->root = (int)(random_next(state) % (uint64_t)m->ranks);
  m->count = random_next(state) % 10000000;
  m->type_size = random_next(state) % 16 + 1;
  m->rank_bytes = m->count * m->type_size;
  bool blocks = tutti_collective_traits(m->method.algorithm->collective) & TUTTI_HAS_BLOCKS;
  m->total_bytes = m->rank_bytes * (blocks ? (uint64_t)m->ranks : 1);
  m->repetitions = (int)(random_next(state) % 200) + 1;
  m->minimum = times[0];
  m->median = m->mean = times[1];
  m->maximum = times[2];
  return record;
}

static void choose_patterns(uint64_t *state, tutti_measurement *m)
{
  static const char *const arrivals[] = {"none", "uniform/1500us/seed=9", "straggler/1ms/rank=3", "reversed/7ns",
                                         "trace/late.txt/sum=0123abcd"};
  static const char *const noises[] = {"none", "detour/10ms/25us/seed=1", "exponential/2us/seed=3"};
  assert_int_equal(tutti_arrival_parse(arrivals[random_next(state) % 5], &m->arrival, NULL), TUTTI_OK);
  assert_int_equal(tutti_noise_parse(noises[random_next(state) % 3], &m->noise, NULL), TUTTI_OK);
}

TEST(test_measurements_round_trip)
{
  uint64_t seed = 88172645463325252ULL;
  for (int i = 0; i < 2000; i++) {
    tutti_record record = random_measurement(&seed);
    choose_patterns(&seed, &record.measurement);
    tutti_measurement measurement = record.measurement;
    assert_prints_again(&record);
    assert_int_equal(tutti_arrival_compare(&measurement.arrival, &record.measurement.arrival), 0);
    assert_int_equal(tutti_noise_compare(&measurement.noise, &record.measurement.noise), 0);
    assert_same_measurement(&measurement, &record.measurement);
  }
}

TEST(test_runs_and_ends_round_trip)
{
  tutti_record run = {.kind = TUTTI_RECORD_RUN, .tutti = "0.1.0", .flavor = "smpi", .library = "SimGrid 3.32"};
  tutti_record end = {.kind = TUTTI_RECORD_END, .measurements = UINT64_MAX}, read;
  run.ranks = 131072;
  run.ranks_per_node = 4;
  char *line = print_record(&run);
  assert_string_equal(line, "tutti-run v=1 tutti=0.1.0 flavor=smpi library=SimGrid-3.32 ranks=131072 ranks_per_node=4");
  assert_int_equal(tutti_record_parse(line, &read, NULL), TUTTI_OK);
  assert_int_equal(read.kind, TUTTI_RECORD_RUN);
  assert_string_equal(read.tutti, "0.1.0");
  assert_string_equal(read.flavor, "smpi");
  assert_string_equal(read.library, "SimGrid-3.32");
  assert_int_equal(read.ranks, 131072);
  assert_int_equal(read.ranks_per_node, 4);
  free(line);
  strcpy(run.library, "M\xfcnster MPI \u00b5");
  line = print_record(&run);
  assert_int_equal(tutti_record_parse(line, &read, NULL), TUTTI_OK);
  assert_string_equal(read.library, "M?nster-MPI-\u00b5");
  free(line);
  line = print_record(&end);
  assert_int_equal(tutti_record_parse(line, &read, NULL), TUTTI_OK);
  assert_int_equal(read.kind, TUTTI_RECORD_END);
  assert_true(read.measurements == UINT64_MAX);
  free(line);
}

TEST(test_passes_over_other_output)
{
  static const char *const lines[] = {"",
                                      "hello",
                                      "tutti",
                                      "tutti-measurements v=1",
                                      "tutti-bench: no points",
                                      " tutti-end v=1",
                                      "[0.000] tutti-end v=1 measurements=3"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    tutti_record record = {.kind = TUTTI_RECORD_END};
    assert_int_equal(tutti_record_parse(lines[i], &record, NULL), TUTTI_OK);
    assert_int_equal(record.kind, TUTTI_RECORD_NONE);
  }
}

TEST(test_reads_unknown_fields_and_any_order)
{
  tutti_record record;
  assert_int_equal(tutti_record_parse("tutti-end colour=red measurements=12 \t v=1 late=\r", &record, NULL), TUTTI_OK);
  assert_true(record.measurements == 12);
}

/* A line, and what the message must name. */
static const char *const refused[][2] = {
    {"tutti-end", "'v' is missing"},
    {"tutti-end v=1", "'measurements' is missing"},
    {"tutti-end v=2 measurements=1", "version 2"},
    {"tutti-end v=1 measurements=", "measurements"},
    {"tutti-end v=1 measurements=-1", "measurements"},
    {"tutti-end v=1 measurements=1x", "1x"},
    {"tutti-end v=1 measurements=18446744073709551616", "measurements"},
    {"tutti-end v=1 measurements=1 measurements=2", "twice"},
    {"tutti-end v=1 measurements=1 stray", "'stray'"},
    {"tutti-run v=1 tutti= flavor=smpi library=x ranks=1 ranks_per_node=1", "'tutti'"},
    {"tutti-run v=1 tutti=1 flavor=smpi library=x\xff ranks=1 ranks_per_node=1", "'library' is not UTF-8"},
    {"tutti-run v=1 tutti=1 flavor=smpi library=x ranks=0 ranks_per_node=1", "'ranks'"},
    {"tutti-run v=1 tutti=1 flavor=smpi library=x ranks=2147483648 ranks_per_node=1", "'ranks'"},
    {"tutti-run v=1 tutti=1 flavor=smpi ranks=1 ranks_per_node=1 "
     "library=0123456789012345678901234567890123456789012345678901234567890123",
     "'library'"},
};

TEST(test_refuses_what_is_no_record)
{
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    tutti_record record;
    assert_int_equal(tutti_record_parse(refused[i][0], &record, REASON), TUTTI_ERR_ARGUMENT);
    assert_int_equal(record.kind, TUTTI_RECORD_NONE);
    if (!strstr(error.message, refused[i][1]))
      fail_msg("%s: '%s' does not say %s", refused[i][0], error.message, refused[i][1]);
  }
}

/* Replace one field of the good line; every value must be refused. */
TEST(test_refuses_values)
{
  static const char *const changes[][2] = {
      {"method=bcast/binomial/8KB", "method=bcast/nonsense"},
      {"scheme=occ", "scheme=guess"},
      {"root=3", "root=28"},
      {"root=3", "root=-1"},
      {"count=8192", "count=9223372036854775807"},
      {"type_B=4", "type_B=0"},
      {"repetitions=7", "repetitions=0"},
      {"minimum_s=0.00125", "minimum_s=nan"},
      {"minimum_s=0.00125", "minimum_s=0x1p-9"},
      {"maximum_s=0.002", "maximum_s=inf"},
      {"maximum_s=0.002", "maximum_s=1e999"},
      {"median_s=0.0015", "median_s=0.001"},
      {"maximum_s=0.002", "maximum_s=0.0001"},
      {"mean_s=0.0016", "mean_s=0.0016s"},
      {"mean_s=0.0016", "mean_s=0.0016 arrival=late"},
      {"mean_s=0.0016", "mean_s=0.0016 arrival="},
      {"mean_s=0.0016", "mean_s=0.0016 noise=none noise=none"},
      {"mean_s=0.0016", "mean_s=0.0016 noise=detour/1ms"},
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    char line[512];
    tutti_record record;
    const char *at = strstr(good, changes[i][0]);
    assert_non_null(at);
    snprintf(line, sizeof line, "%.*s%s%s", (int)(at - good), good, changes[i][1], at + strlen(changes[i][0]));
    if (tutti_record_parse(line, &record, NULL) != TUTTI_ERR_ARGUMENT)
      fail_msg("accepted: %s", line);
  }
}

TEST(test_negative_times_are_refused)
{
  static const char form[] = "tutti-measurement v=1 method=barrier/bruck scheme=%s ranks=2 root=0 count=0 type_B=0 "
                             "repetitions=1 minimum_s=-1e-6 median_s=1e-6 mean_s=1e-6 maximum_s=2e-6";
  char line[512];
  tutti_record record;
  snprintf(line, sizeof line, form, "occ");
  assert_int_equal(tutti_record_parse(line, &record, &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message,
                      "tutti-measurement: field 'minimum_s' is '-1e-06', but nothing takes less than no time");
  snprintf(line, sizeof line, form, "window");
  assert_int_equal(tutti_record_parse(line, &record, NULL), TUTTI_ERR_ARGUMENT);
}

static void mutate(char *line, size_t capacity, uint64_t *seed)
{
  size_t length = strlen(line);
  size_t at = random_next(seed) % (length + 1);
  switch (random_next(seed) % 5) {
  case 0:
    if (at < length)
      line[at] = (char)(random_next(seed) % 255 + 1);
    break;
  case 1:
    line[at] = '\0';
    break;
  case 2:
    if (at < length)
      memmove(line + at, line + at + 1, length - at);
    break;
  case 3:
    if (length + 1 < capacity) {
      memmove(line + at + 1, line + at, length - at + 1);
      line[at] = "=/ .-9eEk"[random_next(seed) % 9];
    }
    break;
  default:
    if (2 * length - at < capacity) {
      char copy[2048];
      strcpy(copy, line + at);
      strcpy(line + length, copy);
    }
  }
}

/* What is accepted must print and read back as the same line; the sanitizers watch over the rest. */
TEST(test_mutated_lines_never_crash)
{
  static const char run[] = "tutti-run v=1 tutti=0.1.0 flavor=smpi library=SimGrid-3.32 ranks=28 ranks_per_node=1";
  static const char *const starts[] = {good, run, "tutti-end v=1 measurements=816"};
  uint64_t seed = 2463534242ULL;
  int accepted = 0, rejected = 0;
  for (int i = 0; i < 10000; i++) {
    char line[2048];
    tutti_record record, again;
    strcpy(line, starts[i % 3]);
    for (uint64_t changes = random_next(&seed) % 4 + 1; changes > 0; changes--)
      mutate(line, sizeof line, &seed);
    tutti_status status = tutti_record_parse(line, &record, REASON);
    rejected += status != TUTTI_OK;
    assert_true(status == TUTTI_OK || *error.message);
    if (status != TUTTI_OK || record.kind == TUTTI_RECORD_NONE)
      continue;
    accepted++;
    char *printed = print_record(&record);
    assert_int_equal(tutti_record_parse(printed, &again, REASON), TUTTI_OK);
    char *reprinted = print_record(&again);
    assert_string_equal(printed, reprinted);
    free(printed);
    free(reprinted);
  }
  assert_true(accepted > 100 && rejected > 1000);
}
