/* What a store holds, counted. */
#include "unit/harness/store/store_fixture.h"

static const tutti_environment first = {"alpha", "00aa", "smpi", "SimGrid-3.32", "0.1.0", .settings = ""};
static const tutti_environment second = {"alpha", "", "openmpi", "Open MPI 4.1.4", "0.1.0", .settings = ""};

static tutti_measurement point(const char *method, tutti_scheme scheme, int ranks_per_node, int ranks)
{
  tutti_measurement measurement = {.scheme = scheme,
                                   .ranks = ranks,
                                   .ranks_per_node = ranks_per_node,
                                   .count = 1,
                                   .type_size = 1,
                                   .rank_bytes = 1,
                                   .total_bytes = 1,
                                   .repetitions = 1};
  assert_int_equal(tutti_method_parse(method, &measurement.method, NULL), TUTTI_OK);
  return measurement;
}

/* Launches of few ranks, all of which are on one node, belong to those of more. */
STORE_TEST(launches_on_one_node_are_joined)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  FREED_BY(tutti_store_contents_free) tutti_store_contents contents;
  const tutti_measurement points[] = {
      point("bcast/linear", TUTTI_SCHEME_OCC, 2, 2),  point("bcast/linear", TUTTI_SCHEME_OCC, 3, 3),
      point("bcast/linear", TUTTI_SCHEME_OCC, 4, 8),  point("reduce/linear", TUTTI_SCHEME_OCC, 2, 2),
      point("reduce/linear", TUTTI_SCHEME_OCC, 2, 4), point("reduce/linear", TUTTI_SCHEME_OCC, 4, 4)};
  assert_int_equal(tutti_store_add(store, environment_id(store, &second), points, 6, NULL), TUTTI_OK);
  assert_int_equal(tutti_store_contents_read(store, &contents, NULL), TUTTI_OK);
  assert_int_equal(contents.entry_count, 3);
  static const size_t rows[] = {3, 2, 1};
  for (int i = 0; i < 3; i++) {
    tutti_measurement *read;
    size_t count;
    const tutti_selection selection = tutti_store_entry_selection(&contents, &contents.entries[i]);
    assert_int_equal(contents.entries[i].ranks_per_node, i == 1 ? 2 : 4);
    assert_int_equal(contents.entries[i].rows, rows[i]);
    assert_int_equal(tutti_store_read(store, &selection, &read, &count, NULL), TUTTI_OK);
    assert_int_equal(count, rows[i] + (i == 2)); /* 2 ranks on a node of 4 are in that map, too */
    free(read);
  }
}

STORE_TEST(entries_are_counted_in_order)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  FREED_BY(tutti_store_contents_free) tutti_store_contents contents;
  const tutti_measurement points[] = {
      point("reduce/linear", TUTTI_SCHEME_OCC, 1, 4), point("bcast/linear", TUTTI_SCHEME_WINDOW, 1, 4),
      point("bcast/linear", TUTTI_SCHEME_OCC, 2, 4),  point("bcast/linear", TUTTI_SCHEME_OCC, 1, 4),
      point("bcast/linear", TUTTI_SCHEME_OCC, 1, 8),
  };
  assert_int_equal(tutti_store_add(store, environment_id(store, &first), points, 5, NULL), TUTTI_OK);
  assert_int_equal(tutti_store_add(store, environment_id(store, &second), points, 1, NULL), TUTTI_OK);
  assert_int_equal(tutti_store_contents_read(store, &contents, NULL), TUTTI_OK);
  assert_int_equal(contents.environment_count, 2);
  assert_string_equal(contents.environments[0].library, second.library); /* openmpi comes before smpi */
  assert_string_equal(contents.environments[1].platform_hash, first.platform_hash);
  const struct {
    int environment;
    tutti_collective collective;
    tutti_scheme scheme;
    int ranks_per_node;
    size_t rows;
  } expected[] = {
      {0, TUTTI_COLL_REDUCE, TUTTI_SCHEME_OCC, 1, 1}, {1, TUTTI_COLL_BCAST, TUTTI_SCHEME_OCC, 1, 2},
      {1, TUTTI_COLL_BCAST, TUTTI_SCHEME_OCC, 2, 1},  {1, TUTTI_COLL_BCAST, TUTTI_SCHEME_WINDOW, 1, 1},
      {1, TUTTI_COLL_REDUCE, TUTTI_SCHEME_OCC, 1, 1},
  };
  assert_int_equal(contents.entry_count, 5);
  for (int i = 0; i < 5; i++) {
    const tutti_store_entry *entry = &contents.entries[i];
    assert_int_equal(entry->kind, TUTTI_ENTRY_MEASUREMENTS);
    assert_int_equal(entry->environment, expected[i].environment);
    assert_int_equal(entry->collective, expected[i].collective);
    assert_int_equal(entry->scheme, expected[i].scheme);
    assert_int_equal(entry->ranks_per_node, expected[i].ranks_per_node);
    assert_int_equal(entry->rows, expected[i].rows);
    /* Each can be read by itself, wholly. */
    tutti_measurement *read;
    size_t count;
    const tutti_selection selection = tutti_store_entry_selection(&contents, entry);
    assert_int_equal(tutti_store_read(store, &selection, &read, &count, NULL), TUTTI_OK);
    assert_int_equal(count, expected[i].rows);
    free(read);
  }
  const struct {
    tutti_selection selection;
    int left;
  } kept[] = {{{.scheme = -1}, 5},
              {{.scheme = -1, .flavor = first.flavor, .platform_hash = first.platform_hash}, 4},
              {{.scheme = TUTTI_SCHEME_OCC, .ranks_per_node = 1}, 2},
              {{.scheme = -1, .library = "none"}, 0}};
  for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
    assert_int_equal(tutti_store_contents_keep(store, &kept[k].selection, &contents, NULL), TUTTI_OK);
    assert_int_equal(contents.entry_count, kept[k].left);
  }
}

STORE_TEST(an_empty_store_holds_nothing)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  FREED_BY(tutti_store_contents_free) tutti_store_contents contents;
  assert_int_equal(tutti_store_contents_read(store, &contents, NULL), TUTTI_OK);
  assert_int_equal(contents.environment_count, 0);
  assert_int_equal(contents.entry_count, 0);
}

STORE_TEST(unknown_words_are_errors)
{
  tutti_store *store = open_store(place->path);
  const tutti_measurement one = point("bcast/linear", TUTTI_SCHEME_OCC, 1, 4);
  tutti_store_contents contents;
  assert_int_equal(tutti_store_add(store, environment_id(store, &first), &one, 1, NULL), TUTTI_OK);
  tutti_store_close(store);
  assert_int_equal(execute(place->path, "UPDATE measurement SET scheme = 'sundial'"), SQLITE_OK);
  assert_int_equal(tutti_store_open_existing(place->path, &store, REASON), TUTTI_OK);
  assert_fails(tutti_store_contents_read(store, &contents, REASON), TUTTI_ERR_ARGUMENT, error, "sundial");
  assert_int_equal(contents.entry_count, 0);
  tutti_store_close(store);
}
