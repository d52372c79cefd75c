/* Environments that differ in what a real machine has are kept apart, chosen by options, and listed by what differs. */
#include "unit/harness/store/store_fixture.h"

static const tutti_environment here = {.platform = "here",
                                       .platform_hash = "",
                                       .flavor = "openmpi",
                                       .library = "OpenMPI-4.1.4",
                                       .tutti = "0.1.0",
                                       .settings = "OMPI_MCA_btl=^uct OMPI_MCA_coll_tuned_use_dynamic_rules=1",
                                       .build = "00000000000000aa",
                                       .hosts = "0123456789abcdef",
                                       .cpu = "Fast-9000",
                                       .cores = 8,
                                       .binding = "bound:1"};

/* Adds a row measured there in so many seconds; returns the number of the environment. */
static int64_t add(tutti_store *store, const tutti_environment *environment, double seconds)
{
  tutti_measurement row = {.ranks = 4, .ranks_per_node = 4, .count = 8, .type_size = 1, .rank_bytes = 8};
  row.repetitions = 1;
  row.minimum = row.median = row.mean = row.maximum = seconds;
  assert_int_equal(tutti_method_parse("bcast/linear", &row.method, NULL), TUTTI_OK);
  tutti_total_bytes(&row, &row.total_bytes);
  int64_t id = environment_id(store, environment);
  assert_int_equal(tutti_store_add(store, id, &row, 1, NULL), TUTTI_OK);
  return id;
}

static double read_one(tutti_store *store, const tutti_selection *selection)
{
  FREED_BY(free_memory) tutti_measurement *rows;
  size_t count;
  assert_ok(tutti_store_read(store, selection, &rows, &count, REASON), error);
  assert_int_equal(count, 1);
  return rows[0].median;
}

static void assert_mixed(tutti_store *store, const char *list)
{
  const tutti_selection all = {.platform = "here", .collective = TUTTI_COLL_BCAST, .scheme = -1};
  tutti_measurement *rows;
  size_t count;
  assert_int_equal(tutti_store_read(store, &all, &rows, &count, REASON), TUTTI_ERR_ARGUMENT);
  const char *found = strstr(error.message, "choose one by adding:\n");
  assert_non_null(found);
  assert_string_equal(found + strlen("choose one by adding:\n"), list);
}

STORE_TEST(every_column_makes_another_environment)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  tutti_environment others[6] = {here, here, here, here, here, here};
  others[0].settings = "OMPI_MCA_btl=^uct";
  others[1].hosts = "fedcba9876543210";
  others[2].cpu = "Fast-9001";
  others[3].cores = 16;
  others[4].binding = "unbound";
  others[5].build = "00000000000000bb";
  int64_t first = environment_id(store, &here);
  for (int i = 0; i < 6; i++) {
    assert_int_equal(environment_id(store, &others[i]), first + 1 + i);
    assert_int_equal(environment_id(store, &others[i]), first + 1 + i);
  }
  assert_int_equal(environment_id(store, &here), first);
}

STORE_TEST(what_differs_is_listed)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  tutti_environment other = here;
  other.settings = "OMPI_MCA_btl=^uct OMPI_MCA_coll_tuned_bcast_algorithm=3 OMPI_MCA_coll_tuned_use_dynamic_rules=1";
  add(store, &here, 1e-6);
  add(store, &other, 2e-6);
  assert_mixed(store, "  --environment 1  # none of these settings\n  --environment 2  # settings "
                      "OMPI_MCA_coll_tuned_bcast_algorithm=3");
  other = here;
  other.cores = 4;
  other.binding = "unbound";
  add(store, &other, 3e-6);
  assert_int_equal(execute(place->path, "DELETE FROM measurement WHERE environment = 2"), SQLITE_OK);
  assert_mixed(store, "  --environment 1  # 8 cores, binding bound:1\n  --environment 3  # 4 cores, binding unbound");
  const tutti_environment simulated = {
      .platform = "here", .platform_hash = "abcdef0123", .flavor = "smpi", .library = "SimGrid-3.32", .tutti = "0.1.0"};
  other = simulated;
  other.platform_hash = "";
  other.flavor = "mpich";
  other.hosts = here.hosts;
  assert_int_equal(execute(place->path, "DELETE FROM measurement"), SQLITE_OK);
  add(store, &other, 1e-6);
  add(store, &simulated, 4e-6);
  assert_mixed(
      store, "  --flavor mpich  # platform file none, mpich, hosts 0123456789abcdef\n  --engine smpi  # platform file "
             "abcdef01, smpi, hosts not known\n"
             "or the path of the platform file, which means the file as it is now");
}

STORE_TEST(one_is_chosen)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  tutti_environment other = here;
  other.settings = "OMPI_MCA_btl=^uct OMPI_MCA_coll_tuned_use_dynamic_rules=10";
  int64_t first = add(store, &here, 1e-6), second = add(store, &other, 2e-6);
  tutti_selection selection = {.platform = "here", .collective = TUTTI_COLL_BCAST, .scheme = -1, .environment = first};
  assert_true(read_one(store, &selection) == 1e-6);
  selection.environment = second;
  assert_true(read_one(store, &selection) == 2e-6);
  selection.environment = 0;
  selection.setting = "OMPI_MCA_coll_tuned_use_dynamic_rules=1";
  assert_true(read_one(store, &selection) == 1e-6);
  selection.setting = "OMPI_MCA_coll_tuned_use_dynamic_rules=10";
  assert_true(read_one(store, &selection) == 2e-6);
  selection.setting = "OMPI_MCA_coll_tuned_use_dynamic_rules=10 OMPI_MCA_btl=^uct";
  assert_true(read_one(store, &selection) == 2e-6);
  selection.setting = "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_none=";
  assert_true(read_one(store, &selection) == 1e-6);
  selection.setting = NULL;
  selection.settings = other.settings;
  assert_true(read_one(store, &selection) == 2e-6);
  other.settings = "";
  add(store, &other, 3e-6);
  selection.settings = NULL;
  selection.setting = "OMPI_MCA_btl=";
  assert_true(read_one(store, &selection) == 3e-6);
}

STORE_TEST(merging_keeps_them_apart)
{
  char path[128];
  tutti_merged merged;
  tutti_environment other = here;
  other.settings = "";
  snprintf(path, sizeof path, "%s/other.db", place->directory);
  tutti_store *from = open_store(path), *store = open_store(place->path);
  add(from, &here, 1e-6);
  add(from, &other, 2e-6);
  tutti_store_close(from);
  add(store, &here, 1e-6);
  const char *const paths[] = {path};
  assert_int_equal(tutti_store_merge(store, paths, 1, false, &merged, NULL), TUTTI_OK);
  assert_int_equal(merged.same, 1);
  assert_int_equal(merged.added, 1);
  assert_int_equal(query(place->path, "SELECT count(*) FROM environment WHERE cores = 8 AND cpu = 'Fast-9000'"), 2);
  tutti_store_close(store);
}
