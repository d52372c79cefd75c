/* Taking in what was run by hand: whole runs only, each in its environment, all of them or none. */
#include "tutti/import.h"
#include "unit/harness/store/store_fixture.h"

#define RUN(flavor, ranks)                                                                                             \
  "tutti-run v=1 tutti=0.1.0 flavor=" flavor " library=MPICH-4.0.2 ranks=" ranks " ranks_per_node=2\n"
#define RANGE(way, ranks)                                                                                              \
  "tutti-range v=1 operation=create way=" way " order=- ranks=" ranks                                                  \
  " size=4 count=0 type_B=8 uses=0 repetitions=5 minimum_s=1 median_s=2 mean_s=2 maximum_s=3\n"
#define BCAST                                                                                                          \
  "tutti-measurement v=1 method=bcast/binomial scheme=window ranks=8 root=0 count=8 type_B=1 repetitions=3 "           \
  "minimum_s=1 median_s=2 mean_s=2 maximum_s=3\n"
#define END(number) "tutti-end v=1 measurements=" number "\n"

static tutti_status read_text(tutti_imported_runs *runs, const char *text, tutti_error *error)
{
  FILE *stream = fmemopen((void *)text, strlen(text), "r");
  assert_non_null(stream);
  tutti_status status = tutti_import_runs_read(runs, stream, "out.txt", error);
  fclose(stream);
  return status;
}

/* Rows of all environments. */
static int64_t count(const char *path, const char *table)
{
  char sql[128];
  snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
  return query(path, sql);
}

STORE_TEST(test_reads_whole_runs)
{
  tutti_imported_runs runs = {.count = 0};
  const char *first = "other output\n" RUN("mpich", "8") RANGE("ranges", "8") "more\n" RANGE("split", "8") END("2")
      RUN("mpich", "8") BCAST END("1");
  if (read_text(&runs, first, REASON) != TUTTI_OK ||
      read_text(&runs, RUN("openmpi", "16") RANGE("ranges", "16") END("1") "last words", REASON) != TUTTI_OK)
    fail_msg("%s", error.message);
  assert_int_equal(runs.runs, 3);
  tutti_store *store = open_store(place->path);
  assert_ok(tutti_import_runs_store(&runs, "a-machine", store, REASON), error);
  tutti_store_close(store);
  tutti_imported_runs_free(&runs);
  assert_int_equal(count(place->path, "range_run"), 3);
  assert_int_equal(count(place->path, "measurement"), 1);
  assert_int_equal(count(place->path, "environment WHERE platform = 'a-machine' AND platform_hash = ''"), 2);
  assert_int_equal(count(place->path, "range_run WHERE ranks_per_node = 2"), 3);
  assert_int_equal(query(place->path, "SELECT ranks FROM range_run r JOIN environment e ON e.id = r.environment"
                                      " WHERE flavor = 'openmpi'"),
                   16);
}

static void assert_refused(const char *text, const char *named)
{
  FREED_BY(tutti_imported_runs_free) tutti_imported_runs runs = {.count = 0};
  assert_fails(read_text(&runs, text, REASON), TUTTI_ERR_ARGUMENT, error, named);
}

TEST(test_believes_only_what_ended)
{
  assert_refused("nothing at all\n", "out.txt: no records");
  assert_refused(RUN("mpich", "8") RANGE("ranges", "8"), "out.txt:1: this run has no tutti-end record");
  assert_refused("x\n" RUN("mpich", "8") RUN("mpich", "8") END("0"), "out.txt:2: this run has no tutti-end record");
  assert_refused(RUN("mpich", "8") RANGE("ranges", "8") END("2"), "out.txt:3: tutti-end counts 2 records, but 1");
  assert_refused(RUN("mpich", "8") RANGE("ranges", "8") END("0"), "out.txt:3: tutti-end counts 0 records, but 1");
  assert_refused(RANGE("ranges", "8") END("1"), "out.txt:1: a record without a tutti-run");
  assert_refused(END("0"), "out.txt:1: a tutti-end record without");
  assert_refused(RUN("mpich", "8") RANGE("ranges", "9") END("1"), "out.txt:2: a record of 9 ranks in a run of 8");
  assert_refused(RUN("mpich", "8") "tutti-range v=1 way=x\n" END("1"), "out.txt:2: tutti-range: field");
  assert_refused(RUN("mpich", "8") "tutti-parameter v=1 quantity=gap of=- bytes=8 value=1 unit=s\n" END("1"),
                 "out.txt:2: parameters");
}

/* A field of a newer version, or a misspelt one, is named once a file. */
TEST(test_names_what_is_no_column)
{
  FREED_BY(tutti_imported_runs_free) tutti_imported_runs runs = {.count = 0};
  const char *text =
      RUN("mpich", "8") "tutti-measurement v=1 arival=none method=bcast/binomial scheme=window ranks=8 "
                        "root=0 count=8 type_B=1 repetitions=3 minimum_s=1 median_s=2 mean_s=2 maximum_s=3 colour=red\n"
                        "tutti-measurement v=1 method=bcast/linear scheme=window ranks=8 arival=none "
                        "root=0 count=8 type_B=1 repetitions=3 minimum_s=1 median_s=2 mean_s=2 maximum_s=3\n" END("2");
  assert_int_equal(read_text(&runs, RUN("mpich", "8") RANGE("ranges", "8") END("1"), REASON), TUTTI_OK);
  assert_null(runs.warnings);
  assert_int_equal(read_text(&runs, text, REASON), TUTTI_OK);
  static const char columns[] =
      " is no column of tutti-measurement, and is ignored; its columns: method scheme ranks root "
      "count type_B repetitions arrival noise launch code calls spread_percent minimum_s median_s mean_s maximum_s\n";
  char expected[1024];
  snprintf(expected, sizeof expected, "out.txt:2: 'arival'%sout.txt:2: 'colour'%s", columns, columns);
  assert_string_equal(runs.warnings, expected);
  assert_int_equal(read_text(&runs, text, REASON), TUTTI_OK);
  assert_int_equal(strlen(runs.warnings), 2 * strlen(expected));
}

/* The first run could be stored, the second one cannot: no such platform. */
STORE_TEST(test_stores_all_or_nothing)
{
  tutti_imported_runs runs = {.count = 0};
  const char *text = RUN("mpich", "8") RANGE("ranges", "8") END("1") RUN("smpi", "8") RANGE("ranges", "8") END("1");
  assert_int_equal(read_text(&runs, text, REASON), TUTTI_OK);
  tutti_store *store = open_store(place->path);
  assert_fails(tutti_import_runs_store(&runs, "no-such-platform", store, REASON), TUTTI_ERR_IO, error,
               "no-such-platform");
  /* The store can be used as before. */
  tutti_result result = {.kind = TUTTI_RESULT_MAP};
  assert_int_equal(tutti_store_add_results(store, 1, &result, 0, REASON), TUTTI_OK);
  tutti_store_close(store);
  tutti_imported_runs_free(&runs);
  assert_int_equal(count(place->path, "range_run"), 0);
  assert_int_equal(count(place->path, "environment"), 0);
}
