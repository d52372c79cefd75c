/* Parameters in the store: what is put there is read back, of one environment and never a mixture; a store of version 2
   is brought up to date; records of them, whole and damaged. */
#include "decision/results/parameter_records.h"
#include "tutti/parameters.h"
#include "unit/harness/store/store_fixture.h"

static const tutti_environment bgp = {"bgp", "abcdef012345", "smpi", "SimGrid-3.32", "0.1.0", .settings = ""};
static const tutti_environment later = {"bgp", "abcdef012345", "smpi", "SimGrid-3.36", "0.1.0", .settings = ""};

static const tutti_parameter four[] = {
    {TUTTI_QUANTITY_GAMMA, "sum/double", 1 << 20, 0.1 + 0.2},
    {TUTTI_QUANTITY_HALF_TRIP, "", 8, 1.25e-6},
    {TUTTI_QUANTITY_DELTA, "", 1 << 20, 0},
    {TUTTI_QUANTITY_HALF_TRIP, "", 0, 1e-6},
};

static void put(tutti_store *store, const tutti_environment *environment, const tutti_parameter *parameters,
                size_t count)
{
  assert_ok(tutti_store_put_parameters(store, environment_id(store, environment), parameters, count, REASON), error);
}

static size_t read_all(tutti_store *store, const char *library, tutti_parameter **read)
{
  const tutti_selection selection = {.platform = "bgp", .platform_hash = "abcd", .library = library};
  size_t count;
  assert_ok(tutti_store_read_parameters(store, &selection, read, &count, NULL, REASON), error);
  return count;
}

static void assert_same(const tutti_parameter *read, const tutti_parameter *put)
{
  assert_int_equal(read->quantity, put->quantity);
  assert_string_equal(read->of, put->of);
  assert_true(read->bytes == put->bytes && read->value == put->value);
}

STORE_TEST(test_reads_what_was_put)
{
  static const int order[] = {3, 1, 0, 2};
  tutti_parameter *read;
  tutti_store *store = open_store(place->path);
  assert_int_equal(read_all(store, NULL, &read), 0);
  assert_null(read);
  put(store, &bgp, four, 4);
  tutti_store_close(store);
  store = open_store(place->path);
  assert_int_equal(read_all(store, NULL, &read), 4);
  for (int i = 0; i < 4; i++)
    assert_same(&read[i], &four[order[i]]);
  free(read);
  tutti_store_close(store);
  assert_int_equal(query(place->path, "SELECT count(*) FROM parameter WHERE value_s > 0 AND value_s_per_B IS NULL"), 2);
}

STORE_TEST(test_replaces_all_of_the_environment)
{
  tutti_parameter *read;
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  put(store, &bgp, four, 4);
  put(store, &later, four, 3);
  put(store, &bgp, four + 1, 1);
  assert_int_equal(read_all(store, "SimGrid-3.32", &read), 1);
  assert_same(read, &four[1]);
  free(read);
  assert_int_equal(read_all(store, "SimGrid-3.36", &read), 3);
  free(read);
}

STORE_TEST(test_never_mixes_environments)
{
  const tutti_selection all = {.platform = "bgp"}, one = {.platform = "bgp", .library = "SimGrid-3.36"};
  tutti_parameter_set set;
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  put(store, &bgp, four, 4);
  put(store, &later, four, 4);
  assert_int_equal(tutti_parameters_read(store, &all, &set, REASON), TUTTI_ERR_ARGUMENT);
  assert_non_null(strstr(error.message,
                         "2 environments with parameters match; choose one by adding:\n"
                         "  --environment 1  # library 'SimGrid-3.32'\n  --environment 2  # library 'SimGrid-3.36'"));
  assert_int_equal(tutti_parameters_read(store, &one, &set, REASON), TUTTI_OK);
  assert_string_equal(set.library, "SimGrid-3.36");
  assert_true(set.has[TUTTI_MODEL_HOCKNEY] && fabs(set.hockney.beta - 0.25e-6 / 8) < 1e-18);
  tutti_parameter_set_free(&set);
  const tutti_selection none = {.platform = "grig"};
  assert_int_equal(tutti_parameters_read(store, &none, &set, REASON), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "no parameters of grig are stored: tutti params grig measures them");
}

STORE_TEST(test_refuses_impossible_values)
{
  static const struct {
    tutti_parameter parameter;
    const char *message;
  } bad[] = {
      {{TUTTI_QUANTITY_GAP, "", 8, -1e-9},
       "tutti-parameter: field 'value' is -1e-09, not a finite number of seconds from 0 on (gap of=- bytes=8)"},
      {{TUTTI_QUANTITY_GAP, "", 8, NAN},
       "tutti-parameter: field 'value' is nan, not a finite number of seconds from 0 on (gap of=- bytes=8)"},
      {{TUTTI_QUANTITY_GAMMA, "sum/int", 8, INFINITY},
       "field 'value' is inf, not a finite number of seconds from 0 on (gamma of=sum/int bytes=8)"},
      {{TUTTI_QUANTITY_GAP, "", UINT64_MAX, 1},
       "field 'bytes' is 18446744073709551615, not a whole number from 0 to 9223372036854775807"},
      {{TUTTI_QUANTITIES, "", 8, 1}, "tutti-parameter: no known quantity"},
      {{TUTTI_QUANTITY_HALF_TRIP, "", 8, 2e-6}, "UNIQUE constraint failed"}, /* as in four[1] */
  };
  FREED_BY(free_memory) tutti_parameter *read;
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  put(store, &bgp, four, 4);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const tutti_parameter batch[] = {four[0], four[1], bad[i].parameter};
    assert_int_equal(tutti_store_put_parameters(store, environment_id(store, &bgp), batch, 3, REASON),
                     TUTTI_ERR_ARGUMENT);
    if (!strstr(error.message, bad[i].message))
      fail_msg("'%s' instead of '%s'", error.message, bad[i].message);
  }
  assert_int_equal(read_all(store, NULL, &read), 4); /* all or nothing */
}

TEST(test_record_round_trip)
{
  for (int i = 0; i < 4; i++) {
    tutti_record record = {.kind = TUTTI_RECORD_PARAMETER, .parameter = four[i]}, read;
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    tutti_record_print(stream, &record);
    fclose(stream);
    text[length - 1] = '\0';
    assert_int_equal(tutti_record_parse(text, &read, NULL), TUTTI_OK);
    assert_int_equal(read.kind, TUTTI_RECORD_PARAMETER);
    assert_true(fabs(read.parameter.value - four[i].value) <= 1e-11 * four[i].value);
    read.parameter.value = four[i].value;
    assert_same(&read.parameter, &four[i]);
    free(text);
  }
}

TEST(test_refuses_damaged_records)
{
  static const struct {
    const char *line, *message;
  } bad[] = {
      {"quantity=gap of=- bytes=8 value=1e-6", "field 'unit' is missing"},
      {"quantity=gap of=- bytes=8 value=1e-6 unit=s/B", "the unit of gap is s"},
      {"quantity=gamma of=sum/int bytes=8 value=1e-6 unit=s", "the unit of gamma is s/B"},
      {"quantity=gap of=- bytes=8 value=-1e-6 unit=s",
       "field 'value' is '-1e-6', not a finite number of seconds from 0 on"},
      {"quantity=gap of=- bytes=8 value=nan unit=s", "not a finite number"},
      {"quantity=gap of=- bytes=-8 value=1 unit=s", "not a whole number"},
      {"quantity=rtt of=- bytes=8 value=1 unit=s", "unknown quantity 'rtt'"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char line[160];
    tutti_record record;
    snprintf(line, sizeof line, "tutti-parameter v=1 %s", bad[i].line);
    assert_int_equal(tutti_record_parse(line, &record, REASON), TUTTI_ERR_ARGUMENT);
    if (!strstr(error.message, bad[i].message))
      fail_msg("'%s' instead of '%s'", error.message, bad[i].message);
  }
}

#define RUN   "tutti-run v=1 tutti=0.1.0 flavor=smpi library=SimGrid-3.32 ranks=2 ranks_per_node=1\n"
#define PAIR  "tutti-pair v=1 ranks=0,1 nodes=2\n"
#define VALUE "tutti-parameter v=1 quantity=gap of=- bytes=8 value=1e-6 unit=s\n"

static tutti_status read_text(const char *text, struct parameter_records *records, tutti_error *error)
{
  FILE *stream = fmemopen((void *)text, strlen(text), "r");
  assert_non_null(stream);
  tutti_status status = tutti_parameter_records_read(stream, records, error);
  fclose(stream);
  return status;
}

TEST(test_believes_complete_records_only)
{
  static const struct {
    const char *text;
    bool ended, apart;
    size_t count;
  } cases[] = {
      {RUN PAIR VALUE VALUE "tutti-end v=1 measurements=2\n", true, true, 2},
      {"chatter\n" RUN VALUE "tutti-end v=1 measurements=1\n", true, false, 1},
      {RUN PAIR VALUE VALUE "tutti-end v=1 measurements=3\n", false, true, 2},
      {RUN PAIR VALUE VALUE "tutti-end v=1 measurements=2", false, true, 2},
      {RUN PAIR VALUE VALUE, false, true, 2},
      {"tutti-end v=1 measurements=0\n", false, false, 0},
      {"chatter\n", false, false, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct parameter_records records;
    assert_int_equal(read_text(cases[i].text, &records, NULL), TUTTI_OK);
    assert_int_equal(records.ended, cases[i].ended);
    assert_int_equal(records.apart, cases[i].apart);
    assert_int_equal(records.count, cases[i].count);
    free(records.items);
  }
}

TEST(test_refuses_records_out_of_order)
{
  struct parameter_records records;
  assert_int_equal(read_text(VALUE RUN, &records, REASON), TUTTI_ERR_LAUNCH);
  assert_string_equal(error.message, "a parameter came before the tutti-run record");
  assert_int_equal(read_text(RUN "tutti-end v=1 measurements=0\n" VALUE, &records, REASON), TUTTI_ERR_LAUNCH);
  assert_string_equal(error.message, "a record came after the tutti-end record");
  assert_int_equal(read_text(RUN "tutti-parameter v=2\n", &records, REASON), TUTTI_ERR_LAUNCH);
}
