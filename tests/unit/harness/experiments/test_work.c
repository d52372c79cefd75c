/* The work directory: what lies in its place, or in it, is not written through. */
#include <fcntl.h>
#include <sys/stat.h>

#include "harness/experiments/plan/work.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

static char folder[64], store[96], other[96];

static int make_folder(void **state)
{
  (void)state;
  strcpy(folder, "/tmp/tutti-work-XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(store, sizeof store, "%s/s.db", folder);
  snprintf(other, sizeof other, "%s/other", folder);
  return 0;
}

static int remove_folder(void **state)
{
  char command[128];
  (void)state;
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static void path_in_work(const char *name, char path[128])
{
  snprintf(path, 128, "%s.work%s%s", store, *name ? "/" : "", name);
}

static void write_other(void)
{
  write_file(other, "precious\n");
}

static void assert_other_is_whole(void)
{
  char text[32] = "";
  FILE *stream = fopen(other, "r");
  assert_non_null(fgets(text, sizeof text, stream));
  fclose(stream);
  assert_string_equal(text, "precious\n");
}

static void assert_refused(const char *part)
{
  struct work work;
  assert_int_equal(tutti_work_open(store, NULL, &work, REASON), TUTTI_ERR_IO);
  if (!strstr(error.message, part) || !strstr(error.message, store))
    fail_msg("'%s' does not say '%s'", error.message, part);
  tutti_work_close(&work);
  assert_fails(tutti_work_make_folder(store, "steps", REASON), TUTTI_ERR_IO, error, part);
}

TEST_WITH(test_refuses_a_directory_of_others, make_folder, remove_folder)
{
  char path[128];
  path_in_work("", path);
  assert_int_equal(mkdir(other, 0755), 0);
  assert_int_equal(symlink(other, path), 0);
  assert_refused("it is a link");
  unlink(path);
  rmdir(other);
  mkdir(path, 0755);
  chmod(path, 0777);
  assert_refused("can be written by other users (mode 777)");
  if (geteuid() == 0) {
    chmod(path, 0755);
    assert_int_equal(chown(path, 12345, 12345), 0);
    assert_refused("belongs to another user (uid 12345)");
  }
}

TEST_WITH(test_writes_through_no_link, make_folder, remove_folder)
{
  static const char *const names[] = {"000001.card.new", "000001.points", "lock"};
  struct work work;
  char path[128];
  write_other();
  path_in_work("", path);
  assert_int_equal(mkdir(path, 0755), 0);
  for (size_t i = 0; i < 2; i++) {
    path_in_work(names[i], path);
    assert_int_equal(symlink(other, path), 0);
  }
  assert_int_equal(tutti_work_open(store, NULL, &work, REASON), TUTTI_OK);
  for (size_t i = 0; i < 2; i++) {
    FILE *stream = tutti_work_create(&work, 1, names[i] + 7, REASON);
    assert_non_null(stream);
    fputs("ours\n", stream);
    assert_int_equal(tutti_work_finish(&work, stream, REASON), TUTTI_OK);
  }
  assert_other_is_whole();
  path_in_work("000001.records", path);
  assert_int_equal(symlink(other, path), 0);
  assert_int_equal(tutti_work_file(&work, 1, "records", O_RDONLY, REASON), -1);
  tutti_work_close(&work);
  path_in_work(names[2], path);
  assert_int_equal(symlink(other, path), 0);
  assert_fails(tutti_work_open(store, NULL, &work, REASON), TUTTI_ERR_IO, error, "lock file");
  tutti_work_close(&work);
  assert_other_is_whole();
}

TEST_WITH(test_makes_a_folder, make_folder, remove_folder)
{
  char path[128];
  struct stat status;
  assert_int_equal(tutti_work_make_folder(store, "steps", REASON), TUTTI_OK);
  assert_int_equal(tutti_work_make_folder(store, "steps", REASON), TUTTI_OK);
  path_in_work("steps", path);
  assert_int_equal(stat(path, &status), 0);
  assert_true(S_ISDIR(status.st_mode));
}

static tutti_status read_manifest(const char *library)
{
  FREED_BY(tutti_work_close) struct work work;
  struct job_manifest manifest;
  assert_int_equal(tutti_work_open(store, NULL, &work, REASON), TUTTI_OK);
  FILE *stream = tutti_work_create(&work, 1, "card", REASON);
  assert_non_null(stream);
  fprintf(stream,
          "tutti-card v=1\nplatform=bgp\nplatform_hash=0123abcd\nflavor=smpi\nlibrary=%s\ntutti=0.1.0\n"
          "scheme=occ\nranks=28\nranks_per_node=1\n",
          library);
  assert_int_equal(tutti_work_finish(&work, stream, REASON), TUTTI_OK);
  return tutti_manifest_read(&work, 1, &manifest, REASON);
}

/* Such a value would not be the same when it is written and read again. */
TEST_WITH(test_manifests_have_lines, make_folder, remove_folder)
{
  assert_int_equal(read_manifest("SimGrid-3.32"), TUTTI_OK);
  assert_int_equal(read_manifest("SimGrid\r\r"), TUTTI_ERR_ARGUMENT);
  assert_int_equal(read_manifest("SimGrid\033[2J"), TUTTI_ERR_ARGUMENT);
}
