/* Records of groups: round trip, fields that go with the names of counts, and the refusal of what is not one. */
#include "unit/decision/results/record_fixture.h"
#include "unit/groups/random_build.h"

/* What is printed with twelve digits is read as such. */
static bool is_close(const tutti_group_run *a, tutti_group_run b)
{
  bool close = fabs(a->minimum - b.minimum) < 1e-17 && fabs(a->median - b.median) < 1e-17;
  b.minimum = a->minimum;
  b.median = a->median;
  b.mean = a->mean;
  b.maximum = a->maximum;
  return close && is_same_build(a, &b);
}

TEST(test_round_trip)
{
  uint64_t seed = 88172645463325252ULL;
  for (int i = 0; i < 2000; i++) {
    tutti_record record = {.kind = TUTTI_RECORD_GROUP, .build = random_build(&seed, true)};
    tutti_group_run build = record.build;
    assert_prints_again(&record);
    assert_true(is_close(&build, record.build));
  }
}

TEST(test_says_what_it_counts)
{
  uint64_t seed = 1;
  tutti_record record = {.kind = TUTTI_RECORD_GROUP, .build = random_build(&seed, true)};
  const tutti_group_run build = record.build;
  char *line = print_record(&record), expected[64];
  for (int i = 0; i < TUTTI_GROUP_FINGERPRINT; i++) {
    snprintf(expected, sizeof expected, " %s=%llu", tutti_group_sum_name(i), (unsigned long long)build.counts.sums[i]);
    assert_non_null(strstr(line, expected));
  }
  snprintf(expected, sizeof expected, " messages=%llu",
           (unsigned long long)tutti_group_counted_messages(&build.counts));
  assert_non_null(strstr(line, expected));
  free(line);
}

static void assert_refused(const char *from, const char *to, const char *named)
{
  static const char good[] =
      "tutti-group v=1 builder=centralized ranks=8 fraction=0.5 exact=0 branching=3 seed=7 colours=1 node_ranks=1 "
      "repetitions=1 minimum_s=1e-6 median_s=2e-6 mean_s=2e-6 maximum_s=3e-6 messages=10 start=7 upward=7 relocation=0 "
      "downward=3 balance=0 hash=0 scan=0 reduction=3 finish=7 lookup=0 sent_B=500 members=4 groups=1 "
      "fingerprint=c7c6e74cdd74f47f size=4 height=2 degree=3 critical_path=8 largest_message_B=60 memory_B=600 "
      "endpoint_B=10";
  assert_record_refused(good, from, to, named);
}

TEST(test_refuses_values)
{
  assert_refused("builder=centralized", "builder=magic", "unknown builder 'magic'");
  assert_refused("ranks=8", "ranks=0", "'ranks'");
  assert_refused("fraction=0.5", "fraction=1.5", "'fraction' is '1.5', not a number from 0 to 1");
  assert_refused("fraction=0.5", "fraction=half", "'fraction'");
  assert_refused("exact=0", "exact=2", "'exact'");
  assert_refused("branching=3", "branching=1", "'branching'");
  assert_refused("seed=7", "seed=-1", "'seed'");
  assert_refused("members=4", "members=9", "'members' is larger than 'ranks'");
  assert_refused("fingerprint=c7c6e74cdd74f47f", "fingerprint=c7c6", "16 hexadecimal digits");
  assert_refused("fingerprint=c7c6e74cdd74f47f", "fingerprint=C7c6e74cdd74f47f", "16 hexadecimal digits");
  assert_refused("median_s=2e-6", "median_s=9e-6", "'median_s' is larger than 'maximum_s'");
  assert_refused("minimum_s=1e-6", "minimum_s=-1", "'minimum_s' is '-1', not a finite number of seconds from 0 on");
  assert_refused("memory_B=600", "memory_B=x", "'memory_B'");
  assert_refused(" hash=0", "", "field 'hash' is missing");
  assert_refused("v=1", "v=2", "version 2");
}
