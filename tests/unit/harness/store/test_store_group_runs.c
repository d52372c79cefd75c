/* Builds of groups in the store: what is added is read back; a store of version 1 keeps what it has, whether it is only
   read or brought up to date. */
#include "unit/groups/random_build.h"
#include "unit/harness/store/store_fixture.h"

static const tutti_environment bgp = {"bgp", "abcdef012345", "smpi", "SimGrid-3.32", "0.1.0", .settings = ""};

static void add(tutti_store *store, const tutti_group_run *builds, size_t count)
{
  assert_ok(tutti_store_add_group_runs(store, environment_id(store, &bgp), builds, count, REASON), error);
}

static size_t read_all(tutti_store *store, tutti_group_run **builds)
{
  const tutti_selection all = {.platform = NULL};
  size_t count;
  assert_ok(tutti_store_read_group_runs(store, &all, builds, &count, REASON), error);
  return count;
}

enum { BUILDS = 300 };

static int compare(const void *left, const void *right)
{
  return tutti_group_point_compare(&((const tutti_group_run *)left)->point, &((const tutti_group_run *)right)->point);
}

STORE_TEST(test_reads_what_was_added)
{
  FREED_BY(free_memory) tutti_group_run *written = calloc(BUILDS, sizeof *written), *read;
  uint64_t seed = 7;
  for (int i = 0; i < BUILDS; i++)
    written[i] = random_build(&seed, i % 2);
  tutti_store *store = open_store(place->path);
  add(store, written, BUILDS);
  tutti_store_close(store);
  store = open_store(place->path);
  assert_int_equal(read_all(store, &read), BUILDS);
  qsort(written, BUILDS, sizeof *written, compare);
  for (int i = 0; i < BUILDS; i++)
    assert_true(is_same_build(&written[i], &read[i]));
  tutti_store_close(store);
  assert_int_equal(query(place->path, "SELECT count(*) FROM group_build WHERE median_s IS NULL"), BUILDS / 2);
}

STORE_TEST(test_replaces_the_same_build)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  uint64_t seed = 3;
  tutti_group_run first = random_build(&seed, true), second = first, *read;
  second.median = second.maximum = 1;
  add(store, &first, 1);
  add(store, &second, 1);
  assert_int_equal(read_all(store, &read), 1);
  assert_true(read->median == 1);
  free(read);
  second.ranks_per_node = 4;
  add(store, &second, 1);
  assert_int_equal(read_all(store, &read), 2);
  free(read);
}

static void assert_refused(tutti_store *store, const tutti_group_run *builds, size_t count, const char *named)
{
  assert_fails(tutti_store_add_group_runs(store, environment_id(store, &bgp), builds, count, REASON),
               TUTTI_ERR_ARGUMENT, error, named);
}

/* A batch with an impossible build leaves nothing. */
STORE_TEST(test_refuses_impossible_builds)
{
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  uint64_t seed = 5;
  tutti_group_run builds[2] = {random_build(&seed, true), random_build(&seed, true)}, good = builds[1], *read;
  builds[1].minimum = -1;
  assert_refused(store, builds, 2, "'minimum_s' is -1, not a finite number of seconds from 0 on");
  builds[1] = good;
  builds[1].point.branching = 1;
  assert_refused(store, builds, 2, "'branching' is 1, not a whole number from 2 to 2147483647");
  builds[1] = good;
  builds[1].point.sample.seed = UINT64_MAX;
  assert_refused(store, builds, 2, "seed");
  builds[1] = good;
  builds[1].counts.sums[TUTTI_GROUP_MEMBERS] = (uint64_t)good.point.sample.size + 1;
  assert_refused(store, builds, 2, "'members' is larger than 'ranks'");
  assert_int_equal(read_all(store, &read), 0);
}

STORE_TEST(test_never_mixes_environments)
{
  tutti_environment other = bgp;
  other.library = "SimGrid-3.36";
  FREED_BY(close_store) tutti_store *store = open_store(place->path);
  uint64_t seed = 9;
  tutti_group_run build = random_build(&seed, true), *read;
  tutti_selection all = {.platform = "bgp"}, one = {.library = "SimGrid-3.36"};
  size_t count;
  add(store, &build, 1);
  assert_int_equal(tutti_store_add_group_runs(store, environment_id(store, &other), &build, 1, NULL), TUTTI_OK);
  assert_fails(tutti_store_read_group_runs(store, &all, &read, &count, REASON), TUTTI_ERR_ARGUMENT, error,
               "SimGrid-3.32");
  assert_int_equal(tutti_store_read_group_runs(store, &one, &read, &count, REASON), TUTTI_OK);
  assert_int_equal(count, 1);
  free(read);
}
