/* What is written down of arrays in the queue of Slurm, and points that are being measured elsewhere. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "experiments/plan.h"
#include "experiments/slurm.h"

static char directory[] = "/tmp/tutti-test-slurm-XXXXXX";
static char database[64];

static int set_up(void **state)
{
  (void)state;
  if (!mkdtemp(directory))
    return -1;
  snprintf(database, sizeof database, "%s/store.db", directory);
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  return rmdir(directory);
}

static struct work open_work(void)
{
  struct work work;
  tutti_error error;
  assert_int_equal(tutti_work_open(database, NULL, &work, &error), TUTTI_OK);
  return work;
}

static void test_batch_round_trip(void **state)
{
  (void)state;
  struct work work = open_work();
  struct slurm written = {0}, read = {0};
  tutti_error error;
  struct slurm_batch *batch = tutti_slurm_append(&written, work.next);
  batch->job = 4711;
  tutti_slurm_add_chunk(batch, 0, 12);
  tutti_slurm_add_chunk(batch, 0, 14);
  tutti_slurm_add_chunk(batch, 1, 13);
  assert_int_equal(tutti_slurm_write(&work, batch, &error), TUTTI_OK);
  unsigned number = batch->number;
  struct slurm_batch *back = tutti_slurm_append(&read, number);
  assert_int_equal(tutti_slurm_read(&work, number, back, &error), TUTTI_OK);
  assert_int_equal(back->job, 4711);
  assert_int_equal(back->count, 2);
  assert_int_equal(back->items[0].count, 2);
  assert_int_equal(back->items[0].items[1], 14);
  assert_int_equal(back->items[1].items[0], 13);
  /* Its number is not given to a chunk while it is there. */
  tutti_work_close(&work);
  work = open_work();
  assert_true(work.next > number);
  tutti_slurm_remove(&work, back);
  tutti_slurm_free(&written);
  tutti_slurm_free(&read);
  tutti_work_close(&work);
}

static void test_batch_damaged(void **state)
{
  (void)state;
  static const char *const texts[] = {"",
                                      "tutti-batch v=2\nelement=1\n",
                                      "tutti-batch v=1\n",
                                      "tutti-batch v=1\njob=0\nelement=1\n",
                                      "tutti-batch v=1\njob=1x\nelement=1\n",
                                      "tutti-batch v=1\nelement=1 x\n",
                                      "tutti-batch v=1\nelement=\n",
                                      "tutti-batch v=1\nelement=1\nother=2\n"};
  struct work work = open_work();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    tutti_error error;
    struct slurm slurm = {0};
    struct slurm_batch *batch = tutti_slurm_append(&slurm, 3);
    FILE *stream = tutti_work_create(&work, 3, "batch", &error);
    fputs(texts[i], stream);
    assert_int_equal(tutti_work_finish(&work, stream, &error), TUTTI_OK);
    assert_int_equal(tutti_slurm_read(&work, 3, batch, &error), TUTTI_ERR_ARGUMENT);
    assert_non_null(strstr(error.message, "000003.batch does not describe an array"));
    tutti_slurm_remove(&work, batch);
    tutti_slurm_free(&slurm);
  }
  tutti_work_close(&work);
}

static tutti_point point_of(const char *method, int ranks, uint64_t count)
{
  tutti_point point = {.ranks = ranks, .count = count, .type_size = 1};
  tutti_error error;
  assert_int_equal(tutti_method_parse(method, &point.method, &error), TUTTI_OK);
  return point;
}

static void test_pending(void **state)
{
  (void)state;
  struct point_list list = {0};
  const tutti_point points[] = {point_of("bcast/linear", 4, 8), point_of("bcast/linear", 4, 16),
                                point_of("bcast/linear", 8, 8), point_of("bcast/pipeline/1KB", 4, 8)};
  for (size_t i = 0; i < 4; i++)
    tutti_xpush(&list, points[i]);
  char *pending[] = {"4 bcast/linear root=0 count=8 type_B=1", "4 bcast/pipeline/1KB root=0 count=8 type_B=1",
                     "8 bcast/linear root=0 count=9 type_B=1"};
  const tutti_present present = {.pending = pending, .pending_count = 3};
  assert_int_equal(tutti_points_drop_pending(&list, &present), 2);
  assert_int_equal(list.count, 2);
  assert_int_equal(list.items[0].count, 16);
  assert_int_equal(list.items[1].ranks, 8);
  free(list.items);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_batch_round_trip),
      cmocka_unit_test(test_batch_damaged),
      cmocka_unit_test(test_pending),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
