/* Results in the store: what is added is read back, of one kind and one environment; a store of version 3 keeps what it
   has, whether it is only read or brought up to date; and what version 5 of their tables is. */
#include "tutti/parameters.h"
#include "unit/decision/results/random_result.h"
#include "unit/harness/store/store_fixture.h"

static const tutti_environment muc = {"supermuc", "abcdef012345", "smpi", "SimGrid-3.32", "0.1.0", .settings = ""};

static void add(tutti_store *store, const tutti_result *results, size_t count)
{
  assert_ok(tutti_store_add_results(store, environment_id(store, &muc), results, count, REASON), error);
}

static size_t read_all(tutti_store *store, tutti_result_kind kind, tutti_result **results)
{
  const tutti_selection all = {.platform = NULL};
  size_t count;
  assert_ok(tutti_store_read_results(store, &all, kind, results, &count, REASON), error);
  return count;
}

enum { RESULTS = 600 };

static int compare(const void *left, const void *right)
{
  return tutti_result_compare(left, right);
}

/* Keys of three times as many random values do not meet. */
STORE_TEST(test_reads_what_was_added)
{
  tutti_result *written = calloc(RESULTS, sizeof *written), *read;
  uint64_t seed = 7;
  for (int i = 0; i < RESULTS; i++)
    written[i] = random_result(&seed);
  tutti_store *store = open_store(place->path);
  add(store, written, RESULTS);
  tutti_store_close(store);
  store = open_store(place->path);
  qsort(written, RESULTS, sizeof *written, compare);
  size_t next = 0;
  for (int kind = 0; kind < TUTTI_RESULT_KINDS; kind++) {
    size_t count = read_all(store, (tutti_result_kind)kind, &read);
    assert_true(count > RESULTS / (2 * TUTTI_RESULT_KINDS));
    for (size_t i = 0; i < count; i++, next++) {
      assert_true(is_same_result(&written[next], &read[i]));
      assert_int_equal(written[next].ranks_per_node, read[i].ranks_per_node);
    }
    free(read);
  }
  assert_int_equal(next, RESULTS);
  tutti_store_close(store);
  free(written);
}

static tutti_result one_of(uint64_t seed, tutti_result_kind kind)
{
  tutti_result result;
  do
    result = random_result(&seed);
  while (result.kind != kind);
  return result;
}

STORE_TEST(test_replaces_the_same_point)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  tutti_result result = one_of(3, TUTTI_RESULT_SORT), *read;
  add(store, &result, 1);
  result.values[TUTTI_SORT_FIELD_MAXIMUM].seconds = 5;
  add(store, &result, 1);
  assert_int_equal(read_all(store, TUTTI_RESULT_SORT, &read), 1);
  assert_true(read->values[TUTTI_SORT_FIELD_MAXIMUM].seconds == 5);
  free(read);
  result.ranks_per_node++;
  add(store, &result, 1);
  result.values[TUTTI_SORT_FIELD_SEED].integer++;
  add(store, &result, 1);
  assert_int_equal(read_all(store, TUTTI_RESULT_SORT, &read), 3);
  free(read);
}

static void assert_refused(tutti_store *store, const tutti_result *results, size_t count, const char *named)
{
  assert_fails(tutti_store_add_results(store, environment_id(store, &muc), results, count, REASON), TUTTI_ERR_ARGUMENT,
               error, named);
}

/* A batch with an impossible result leaves nothing. */
STORE_TEST(test_refuses_impossible_results)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  const tutti_result good = one_of(5, TUTTI_RESULT_RANGE);
  tutti_result results[2] = {good, good}, *read;
  results[1].values[TUTTI_RANGE_FIELD_MINIMUM].seconds = -1;
  assert_refused(store, results, 2, "'minimum_s'");
  results[1].values[TUTTI_RANGE_FIELD_MINIMUM].seconds = INFINITY;
  assert_refused(store, results, 2, "'minimum_s'");
  results[1] = good;
  results[1].values[TUTTI_RANGE_FIELD_SIZE].integer = good.values[TUTTI_RANGE_FIELD_RANKS].integer + 1;
  assert_refused(store, results, 2, "'size' is larger than 'ranks'");
  results[1] = good;
  results[1].values[TUTTI_RANGE_FIELD_COUNT].integer = UINT64_MAX;
  assert_refused(store, results, 2, "'count'");
  results[1] = good;
  results[1].ranks_per_node = 0;
  assert_refused(store, results, 2, "'ranks_per_node' is 0, not a whole number from 1");
  results[1] = good;
  tutti_result_set_word(&results[1], TUTTI_RANGE_FIELD_WAY, "two words");
  assert_refused(store, results, 2, "'way'");
  results[1].kind = TUTTI_RESULT_KINDS;
  assert_refused(store, results, 2, "no kind");
  assert_int_equal(read_all(store, TUTTI_RESULT_RANGE, &read), 0);
}

STORE_TEST(test_never_mixes_environments)
{
  tutti_environment other = muc;
  other.library = "SimGrid-3.36";
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  tutti_result result = one_of(9, TUTTI_RESULT_MAP), *read;
  tutti_selection all = {.platform = "supermuc"}, one = {.library = "SimGrid-3.36"};
  size_t count;
  add(store, &result, 1);
  assert_int_equal(tutti_store_add_results(store, environment_id(store, &other), &result, 1, NULL), TUTTI_OK);
  assert_fails(tutti_store_read_results(store, &all, TUTTI_RESULT_MAP, &read, &count, REASON), TUTTI_ERR_ARGUMENT,
               error, "SimGrid-3.32");
  assert_int_equal(tutti_store_read_results(store, &one, TUTTI_RESULT_MAP, &read, &count, REASON), TUTTI_OK);
  assert_int_equal(count, 1);
  free(read);
  /* Neither has results of another kind. */
  assert_int_equal(tutti_store_read_results(store, &all, TUTTI_RESULT_SORT, &read, &count, REASON), TUTTI_OK);
  assert_int_equal(count, 0);
}

/* Who changes a description without a new version of the schema makes stores that nobody can tell apart. */
STORE_TEST(test_version_5_has_these_columns)
{
  static const char *const tables[][2] = {
      {"sort_run",
       "environment*,ranks_per_node*,algorithm*,layer*,order*,assignment*,distribution*,type*,ranks*,count*,seed*,"
       "elements,repetitions,minimum_s,median_s,mean_s,maximum_s,levels,janus_levels,groups,messages,sent_B,most_sent,"
       "most_received,least_elements,most_elements"},
      {"range_run", "environment*,ranks_per_node*,operation*,way*,order*,ranks*,size*,count*,type_B*,uses*,"
                    "repetitions,minimum_s,median_s,mean_s,maximum_s"},
      {"group_map", "environment*,ranks_per_node*,group*,kind*,strategy*,world*,members*,map_B,create_s,select_all_s,"
                    "select_one_s,rank_one_s,array_select_all_s,array_select_one_s"},
      {"decision_penalty", "environment*,ranks_per_node*,decision*,collective*,basis*,root*,points,served,"
                           "minimum_percent,mean_percent,median_percent,maximum_percent,decide_s,leaves,nodes,"
                           "depth_least,depth_mean,depth_most"},
  };
  tutti_store_close(open_store(place->path));
  assert_newest(place->path);
  for (int t = 0; t < 4; t++) {
    char sql[1024];
    snprintf(sql, sizeof sql,
             "SELECT (SELECT group_concat(name || iif(pk, '*', ''), ',') FROM pragma_table_info('%s')) = '%s'",
             tables[t][0], tables[t][1]);
    assert_int_equal(query(place->path, sql), 1);
  }
}

/* Whoever writes by other means is held to the same. */
STORE_TEST(test_tables_check_themselves)
{
  tutti_result result = one_of(13, TUTTI_RESULT_RANGE);
  tutti_store *store = open_store(place->path);
  add(store, &result, 1);
  tutti_store_close(store);
  assert_int_equal(execute(place->path, "UPDATE range_run SET repetitions = repetitions + 1"), SQLITE_OK);
  assert_int_equal(execute(place->path, "UPDATE range_run SET minimum_s = -1"), SQLITE_CONSTRAINT);
  assert_int_equal(execute(place->path, "UPDATE range_run SET maximum_s = minimum_s / 2 - 1"), SQLITE_CONSTRAINT);
  assert_int_equal(execute(place->path, "UPDATE range_run SET size = ranks + 1"), SQLITE_CONSTRAINT);
  assert_int_equal(execute(place->path, "UPDATE range_run SET way = ''"), SQLITE_CONSTRAINT);
  assert_int_equal(execute(place->path, "UPDATE range_run SET uses = 'many'"), SQLITE_CONSTRAINT);
  assert_int_equal(execute(place->path, "UPDATE range_run SET type_B = 0"), SQLITE_CONSTRAINT);
}
