/* What is written down of arrays in the queue of Slurm, and points that are being measured elsewhere. */
#include <sys/stat.h>

#include "base/memory.h"
#include "harness/experiments/launch/slurm.h"
#include "harness/experiments/plan/plan.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

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

TEST_GROUP(set_up, tear_down)

static struct work open_work(void)
{
  struct work work;
  assert_int_equal(tutti_work_open(database, NULL, &work, &error), TUTTI_OK);
  return work;
}

TEST(test_batch_round_trip)
{
  struct work work = open_work();
  FREED_BY(tutti_slurm_free) struct slurm written = {0}, read = {0};
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
  tutti_work_close(&work);
}

TEST(test_batch_damaged)
{
  static const char *const texts[] = {"",
                                      "tutti-batch v=2\nelement=1\n",
                                      "tutti-batch v=1\n",
                                      "tutti-batch v=1\njob=0\nelement=1\n",
                                      "tutti-batch v=1\njob=1x\nelement=1\n",
                                      "tutti-batch v=1\nelement=1 x\n",
                                      "tutti-batch v=1\nelement=\n",
                                      "tutti-batch v=1\nelement=1\nother=2\n"};
  FREED_BY(tutti_work_close) struct work work = open_work();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct slurm slurm = {0};
    struct slurm_batch *batch = tutti_slurm_append(&slurm, 3);
    FILE *stream = tutti_work_create(&work, 3, "batch", &error);
    fputs(texts[i], stream);
    assert_int_equal(tutti_work_finish(&work, stream, &error), TUTTI_OK);
    assert_fails(tutti_slurm_read(&work, 3, batch, &error), TUTTI_ERR_ARGUMENT, error,
                 "000003.batch does not describe an array");
    tutti_slurm_remove(&work, batch);
    tutti_slurm_free(&slurm);
  }
}

static tutti_point point_of(const char *method, int ranks, uint64_t count)
{
  tutti_point point = {.ranks = ranks, .count = count, .type_size = 1};
  assert_int_equal(tutti_method_parse(method, &point.method, &error), TUTTI_OK);
  return point;
}

TEST(test_pending)
{
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

static void assert_hosts(const struct hosts *hosts, size_t count, const char *const names[])
{
  assert_int_equal(hosts->count, count);
  for (size_t i = 0; i < count; i++)
    assert_string_equal(hosts->items[i], names[i]);
}

TEST(test_nodes)
{
  static const char answer[] = "short* a1\nshort* a2\nlong b1\nlong\n";
  struct hosts hosts = {0};
  char text[sizeof answer];
  memcpy(text, answer, sizeof answer);
  tutti_slurm_parse_nodes(text, false, &hosts);
  assert_hosts(&hosts, 2, (const char *const[]){"a1", "a2"});
  tutti_hosts_free(&hosts);
  memcpy(text, answer, sizeof answer);
  hosts = (struct hosts){0};
  tutti_slurm_parse_nodes(text, true, &hosts);
  assert_hosts(&hosts, 3, (const char *const[]){"a1", "a2", "b1"});
  tutti_hosts_free(&hosts);
}

/* A sinfo that says of which nodes and partition it was asked. */
TEST(test_hosts_of_launches)
{
  char path[96], *old = tutti_xstrdup(getenv("PATH"));
  struct hosts hosts;
  unsetenv("SLURM_JOB_NODELIST");
  unsetenv("SBATCH_PARTITION");
  setenv("PATH", directory, 1);
  assert_int_equal(tutti_slurm_hosts("mpiexec", NULL, &hosts, &error), TUTTI_OK);
  assert_int_equal(hosts.count, 0);
  assert_fails(tutti_slurm_hosts("sbatch", NULL, &hosts, &error), TUTTI_ERR_LAUNCH, error, "sinfo not found");
  setenv("SLURM_JOB_NODELIST", "n[1-2]", 1);
  assert_int_equal(tutti_slurm_hosts("mpiexec", NULL, &hosts, &error), TUTTI_OK);
  assert_hosts(&hosts, 1, (const char *const[]){"n[1-2]"});
  tutti_hosts_free(&hosts);

  snprintf(path, sizeof path, "%s/sinfo", directory);
  write_file(path, "#!/bin/sh\nshift 5\necho \"all* host$*\"\n");
  assert_int_equal(chmod(path, 0755), 0);
  assert_int_equal(tutti_slurm_hosts("srun", NULL, &hosts, &error), TUTTI_OK);
  assert_hosts(&hosts, 1, (const char *const[]){"host--nodes=n[1-2]"});
  tutti_hosts_free(&hosts);
  assert_int_equal(tutti_slurm_hosts("sbatch", "-t 3 -p fast -w n7", &hosts, &error), TUTTI_OK);
  assert_hosts(&hosts, 1, (const char *const[]){"host--nodes=n7 --partition=fast"});
  tutti_hosts_free(&hosts);
  setenv("SBATCH_PARTITION", "slow", 1);
  assert_int_equal(tutti_slurm_hosts("sbatch", NULL, &hosts, &error), TUTTI_OK);
  assert_hosts(&hosts, 1, (const char *const[]){"host--partition=slow"});
  tutti_hosts_free(&hosts);
  unsetenv("SBATCH_PARTITION");
  unsetenv("SLURM_JOB_NODELIST");
  assert_int_equal(unlink(path), 0);
  setenv("PATH", old, 1);
  free(old);
}
