/* Points at the edges of the rules of two tuning files. */
#include <stdlib.h>
#include <string.h>

#include "tutti/tuning_comparison.h"
#include "unit/algorithms/catalogue/method_fixture.h"

TEST(test_sizes_between)
{
  assert_int_equal(tutti_size_between(1024, 4096), 3072); /* 2048 is a power of two */
  assert_int_equal(tutti_size_between(1000, 9000), 3000);
  assert_int_equal(tutti_size_between(0, 16), 6);
  assert_int_equal(tutti_size_between(4, 5), 0);
  assert_int_equal(tutti_size_between(7, 9), 0);
}

static void assert_sweep(const tutti_sweep *sweep, int ranks, const uint64_t *sizes, int count)
{
  assert_int_equal(sweep->ranks_count, 1);
  assert_int_equal(sweep->ranks[0], ranks);
  assert_int_equal(sweep->size_count, count);
  for (int i = 0; i < count; i++)
    assert_int_equal(sweep->sizes[i], sizes[i]);
}

/* A file that serves from 1 KB on below 6 ranks, and everything from there; the other file has no rules. */
TEST(test_edges_of_rules)
{
  tutti_method binomial = parsed("bcast/binomial");
  tutti_step below[] = {{0, -1}, {1024, 0}}, above[] = {{0, 0}};
  tutti_step_row rows[] = {{2, 2, below}, {4, 2, below}, {6, 1, above}};
  const tutti_file_rules files[2] = {
      {.table = {
           .collective = TUTTI_COLL_BCAST, .row_count = 3, .rows = rows, .method_count = 1, .methods = &binomial}}};
  static const int ranks[] = {2, 8};
  static const uint64_t sizes[] = {64, 4096}, later[] = {64, 1024, 3072, 4096};
  tutti_sweep sweep = {.collective = TUTTI_COLL_BCAST, .ranks_count = 2, .size_count = 2, .method_count = 1};
  sweep.ranks = memcpy(malloc(sizeof ranks), ranks, sizeof ranks);
  sweep.sizes = memcpy(malloc(sizeof sizes), sizes, sizeof sizes);
  sweep.methods = memcpy(malloc(sizeof binomial), &binomial, sizeof binomial);
  tutti_experiment experiment = {.sweep_count = 0};
  tutti_experiment_add_edges(&experiment, &sweep, files);
  assert_int_equal(experiment.sweep_count, 3); /* 4 ranks have the rules of 2 */
  assert_sweep(&experiment.sweeps[0], 2, later, 4);
  for (int i = 1; i < 3; i++) {
    const tutti_sweep *whole = &experiment.sweeps[i];
    assert_int_equal(whole->ranks[0], i == 1 ? 6 : 8);
    assert_int_equal(whole->sizes[0], 64);
    assert_int_equal(whole->sizes[whole->size_count - 1], 4096);
    for (int s = 1; s < whole->size_count; s++)
      assert_true(whole->sizes[s] / TUTTI_FAR_SIZE < whole->sizes[s - 1]);
  }
  tutti_experiment_free(&experiment);
}
