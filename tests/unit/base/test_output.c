/* Files that are written completely or not at all, and never through a link. */
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/output.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

static char *folder;

static int set_up(void **state)
{
  static char name[] = "/tmp/tutti-output-XXXXXX";
  (void)state;
  strcpy(name + sizeof name - 7, "XXXXXX");
  folder = mkdtemp(name);
  return folder && chdir(folder) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
  (void)state;
  tutti_folder_remove(folder);
  return chdir("/");
}

static void assert_has(const char *path, const char *text)
{
  char bytes[64] = "";
  FILE *stream = fopen(path, "r");
  assert_non_null(stream);
  (void)!fread(bytes, 1, sizeof bytes - 1, stream);
  fclose(stream);
  assert_string_equal(bytes, text);
}

static int count_files(void)
{
  int count = 0;
  DIR *directory = opendir(".");
  while (readdir(directory))
    count++;
  closedir(directory);
  return count - 2;
}

static void write_it(const char *path, const char *text, tutti_status expected)
{
  struct tutti_output output;
  assert_int_equal(tutti_output_begin(path, &output, REASON), TUTTI_OK);
  fputs(text, output.stream);
  assert_int_equal(tutti_output_end(&output, TUTTI_OK, REASON), expected);
}

/* Stores are databases of SQLite. */
TEST_WITH(a_database_stays, set_up, tear_down)
{
  struct tutti_output output;
  FILE *stream = fopen("store", "w");
  fwrite("SQLite format 3\0more", 1, 20, stream);
  fclose(stream);
  assert_int_equal(tutti_output_begin("store", &output, &error), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message, "store: is a store of measurements: no text is written over it");
  assert_int_equal(tutti_output_test("store", &error), TUTTI_ERR_ARGUMENT);
  assert_has("store", "SQLite format 3");
  assert_int_equal(count_files(), 1);
  write_it("text", "SQLite format 3", TUTTI_OK);
  write_it("text", "new", TUTTI_OK);
}

TEST_WITH(what_is_there_stays_until_the_end, set_up, tear_down)
{
  struct tutti_output output;
  write_file("file", "old");
  assert_int_equal(tutti_output_begin("file", &output, &error), TUTTI_OK);
  fputs("new", output.stream);
  fflush(output.stream);
  assert_has("file", "old");
  tutti_fail(&error, TUTTI_ERR_ARGUMENT, "no");
  assert_int_equal(tutti_output_end(&output, TUTTI_ERR_ARGUMENT, &error), TUTTI_ERR_ARGUMENT);
  assert_has("file", "old");
  write_it("file", "new", TUTTI_OK);
  assert_has("file", "new");
  assert_int_equal(count_files(), 1);
}

TEST_WITH(a_full_disk_leaves_the_old_file, set_up, tear_down)
{
  struct rlimit before, small;
  FREED_BY(free_memory) char *text = malloc(100001);
  memset(text, 'x', 100000);
  text[100000] = '\0';
  write_file("file", "old");
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = (struct rlimit){5000, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  write_it("file", text, TUTTI_ERR_IO);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_has("file", "old");
  assert_int_equal(count_files(), 1);
}

TEST_WITH(links_are_not_followed, set_up, tear_down)
{
  struct stat about;
  write_file("victim", "kept");
  assert_int_equal(symlink("victim", "link"), 0);
  assert_int_equal(symlink("nowhere", "dangling"), 0);
  assert_int_equal(symlink("victim", "spilled"), 0);
  write_it("link", "new", TUTTI_OK);
  write_it("dangling", "new", TUTTI_OK);
  assert_int_equal(lstat("link", &about), 0);
  assert_true(S_ISREG(about.st_mode));
  assert_has("dangling", "new");
  FILE *stream = tutti_output_replace("spilled");
  assert_non_null(stream);
  fputs("new", stream);
  fclose(stream);
  assert_has("spilled", "new");
  assert_has("victim", "kept");
  assert_int_not_equal(access("nowhere", F_OK), 0);
}

TEST_WITH(devices_take_what_they_get, set_up, tear_down)
{
  assert_int_equal(symlink("/dev/null", "null"), 0);
  write_it("/dev/null", "text", TUTTI_OK);
  write_it("null", "text", TUTTI_OK);
  write_it("/dev/full", "text", TUTTI_ERR_IO);
}
