/* Records of results: round trip of every kind, the order of fields in a line, and the refusal of what is not one;
 * their points, as in points files. */
#include "unit/decision/results/random_result.h"
#include "unit/decision/results/record_fixture.h"

TEST(test_round_trip)
{
  uint64_t seed = 20181123;
  for (int i = 0; i < 3000; i++) {
    tutti_record record = {.kind = TUTTI_RECORD_RESULT, .result = random_result(&seed)};
    tutti_result result = record.result;
    assert_prints_again(&record);
    assert_true(is_same_result(&result, &record.result));
    assert_int_equal(record.result.ranks_per_node, 1);
  }
}

static const char sort_line[] =
    "tutti-sort v=1 algorithm=janus layer=create-group/mpich order=cascaded assignment=deterministic "
    "distribution=staggered type=struct ranks=1024 count=16 seed=1 elements=16384 repetitions=1 minimum_s=0.25 "
    "median_s=0.5 mean_s=0.5 maximum_s=1 levels=12 janus_levels=9 groups=14 messages=20412 sent_B=181056 most_sent=9 "
    "most_received=11 least_elements=16 most_elements=17";
static const char range_line[] = "tutti-range v=1 operation=create way=ranges order=- ranks=1024 size=512 count=0 "
                                 "type_B=8 uses=50 repetitions=1 minimum_s=1e-06 median_s=1e-06 mean_s=1e-06 "
                                 "maximum_s=1e-06";
static const char map_line[] =
    "tutti-map v=1 group=no-primes kind=roaring strategy=- world=1048576 members=966551 map_B=132036 create_s=0.5 "
    "select_all_s=0.25 select_one_s=1e-07 rank_one_s=2e-08 array_select_all_s=0.125 array_select_one_s=1e-09";

/* Lines as they are written in the documentation. */
TEST(test_prints_what_it_reads)
{
  const char *lines[] = {sort_line, range_line, map_line};
  for (int i = 0; i < 3; i++) {
    tutti_record record;
    assert_int_equal(tutti_record_parse(lines[i], &record, NULL), TUTTI_OK);
    assert_int_equal(record.kind, TUTTI_RECORD_RESULT);
    assert_int_equal(record.result.kind, i);
    char *line = print_record(&record);
    assert_string_equal(line, lines[i]);
    free(line);
  }
}

TEST(test_reads_fields_in_any_order)
{
  tutti_record record;
  assert_int_equal(tutti_record_parse("tutti-range maximum_s=4 v=1 new=x way=split operation=create order=cascaded "
                                      "minimum_s=1 median_s=2 mean_s=3 ranks=8 uses=0 type_B=8 count=0 size=4 "
                                      "repetitions=5",
                                      &record, NULL),
                   TUTTI_OK);
  assert_string_equal(record.result.values[TUTTI_RANGE_FIELD_WAY].string, "split");
  assert_string_equal(record.result.values[TUTTI_RANGE_FIELD_ORDER].string, "cascaded");
  assert_true(record.result.values[TUTTI_RANGE_FIELD_SIZE].integer == 4);
  assert_true(record.result.values[TUTTI_RANGE_FIELD_MEAN].seconds == 3);
}

/* Its blanks would end a word, and an empty one would be refused. */
TEST(test_prints_no_blanks)
{
  tutti_record record;
  assert_int_equal(tutti_record_parse(map_line, &record, NULL), TUTTI_OK);
  tutti_result_set_word(&record.result, TUTTI_MAP_FIELD_GROUP, "a group");
  tutti_result_set_word(&record.result, TUTTI_MAP_FIELD_STRATEGY, "");
  FREED_BY(free_memory) char *line = print_record(&record);
  assert_non_null(strstr(line, " group=a-group "));
  assert_non_null(strstr(line, " strategy=- "));
}

TEST(test_refuses_values)
{
  assert_record_refused(sort_line, "algorithm=janus", "algorithm=bubble", "not one of: janus sample hypercube");
  assert_record_refused(sort_line, "order=cascaded", "order=cascade", "'order'");
  assert_record_refused(sort_line, "algorithm=janus", "algorithm=sample", "sample with layer=create-group/mpich");
  assert_record_refused(sort_line, "order=cascaded", "order=-", "janus with order=-");
  assert_record_refused(sort_line, "ranks=1024", "ranks=1023", "for each of 1023 processes");
  assert_record_refused(sort_line, "ranks=1024", "ranks=0", "'ranks' is '0'");
  assert_record_refused(sort_line, "count=16", "count=-1", "'count'");
  assert_record_refused(sort_line, "median_s=0.5", "median_s=2", "'median_s' is larger than 'maximum_s'");
  assert_record_refused(sort_line, "minimum_s=0.25", "minimum_s=-1", "'minimum_s'");
  assert_record_refused(sort_line, "mean_s=0.5", "mean_s=nan", "'mean_s'");
  assert_record_refused(sort_line, "least_elements=16", "least_elements=18", "larger than 'most_elements'");
  assert_record_refused(sort_line, "janus_levels=9", "janus_levels=13", "larger than 'levels'");
  assert_record_refused(sort_line, " groups=14", "", "field 'groups' is missing");
  assert_record_refused(sort_line, " groups=14", " groups=14 groups=14", "'groups' stands there twice");
  assert_record_refused(sort_line, "v=1", "v=2", "version 2");
  assert_record_refused(range_line, "size=512", "size=1025", "'size' is larger than 'ranks'");
  assert_record_refused(range_line, "type_B=8", "type_B=0", "'type_B'");
  assert_record_refused(range_line, "way=ranges", "way=", "'way'");
  assert_record_refused(range_line, "way=ranges", "way=view", "create has no way 'view': it has ranges, create-group");
  assert_record_refused(range_line, "operation=create", "operation=creat",
                        "'operation' is 'creat', not one of: create");
  assert_record_refused(range_line, "operation=create way=ranges", "operation=bcast way=ranges/quick", "quick");
  assert_record_refused(range_line, "way=ranges",
                        "way=a-way-that-is-by-far-and-at-any-rate-much-too-long-for-one-word-of-ours",
                        "1 to 47 characters");
  assert_record_refused(map_line, "members=966551", "members=1048577", "'members' is larger than 'world'");
  assert_record_refused(map_line, "map_B=132036", "map_B=99999999999999999999", "'map_B'");
}

TEST(test_points_round_trip)
{
  uint64_t seed = 7;
  char text[TUTTI_RESULT_POINT_LENGTH];
  for (int i = 0; i < 2000; i++) {
    tutti_result result = random_result(&seed), read = {.kind = result.kind, .ranks_per_node = result.ranks_per_node};
    int ranks = tutti_result_ranks(&result, 1);
    if (tutti_result_parse_point(tutti_result_format_point(&result, text), ranks, &read, REASON) != TUTTI_OK)
      fail_msg("%s: %s", text, error.message);
    assert_int_equal(tutti_result_compare(&result, &read), 0);
  }
}

TEST(test_points_have_usual_values)
{
  tutti_result result = {.kind = TUTTI_RESULT_SORT};
  char text[TUTTI_RESULT_POINT_LENGTH];
  assert_int_equal(tutti_result_parse_point(" janus  count=16 ", 8, &result, NULL), TUTTI_OK);
  assert_string_equal(
      tutti_result_format_point(&result, text),
      "janus layer=ranges order=alternating assignment=greedy distribution=uniform type=double count=16 seed=1");
  assert_true(result.values[TUTTI_SORT_FIELD_RANKS].integer == 8);
  assert_int_equal(tutti_result_parse_point("sample count=16", 8, &result, NULL), TUTTI_OK);
  assert_string_equal(tutti_result_format_point(&result, text),
                      "sample layer=- order=- assignment=- distribution=uniform type=double count=16 seed=1");
  result = (tutti_result){.kind = TUTTI_RESULT_RANGE};
  assert_int_equal(tutti_result_parse_point("create size=512", 1024, &result, NULL), TUTTI_OK);
  assert_string_equal(tutti_result_format_point(&result, text),
                      "create way=ranges order=- size=512 count=0 type_B=8 uses=0");
}

static void assert_no_point(const char *line, const char *named)
{
  tutti_result result = {.kind = TUTTI_RESULT_SORT};
  assert_fails(tutti_result_parse_point(line, 8, &result, REASON), TUTTI_ERR_ARGUMENT, error, named);
}

TEST(test_refuses_points)
{
  assert_no_point("", "'count' is missing");
  assert_no_point("janus", "'count' is missing");
  assert_no_point("bubble count=1", "'bubble'");
  assert_no_point("janus count=1 count=1", "'count' stands there twice");
  assert_no_point("janus count=1 ranks=8", "'ranks=8'");
  assert_no_point("janus count=1 minimum_s=8", "'minimum_s=8'");
  assert_no_point("janus count=1 algorithm=janus", "'algorithm=janus'");
  assert_no_point("janus count=+1", "'+1'");
  assert_no_point("janus count=1x", "'1x'");
  assert_no_point("janus count=", "'count'");
  assert_no_point("janus count", "'count'");
  assert_no_point("janus count=1 layer=", "'layer'");
  assert_no_point("janus count=1 layer=range", "'range'");
  assert_no_point(
      "janus count="
      "1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
      "0000000000000000000000000000000000000",
      "field 'count' is '1000000000000000000000000000000000000000', not a whole number");
}
