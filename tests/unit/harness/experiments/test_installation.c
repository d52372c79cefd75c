/* What starts the ranks of an installation: words with settings, quotes, a prefix; and what is refused. */
#include <sys/stat.h>

#include "base/machine.h"
#include "harness/experiments/launch/installation.h"
#include "unit/test.h"

static struct tutti_installation parse(const char *text)
{
  struct tutti_installation installation;
  assert_ok(tutti_installation_parse(text, "openmpi", &installation, REASON), error);
  return installation;
}

static void assert_refused(const char *text, const char *message)
{
  struct tutti_installation installation;
  assert_int_not_equal(tutti_installation_parse(text, "openmpi", &installation, REASON), TUTTI_OK);
  assert_non_null(strstr(error.message, message));
  assert_null(installation.words);
}

TEST(test_words)
{
  struct tutti_installation installation = parse("new=A=1 program=/in/the\\ root B='a b' sh -c 'x \"$@\"' \"it's\" ''");
  assert_string_equal(installation.name, "new");
  assert_string_equal(installation.program, "/in/the root");
  assert_string_equal(installation.variables[0].name, "A");
  assert_string_equal(installation.variables[0].value, "1");
  assert_string_equal(installation.variables[1].name, "B");
  assert_string_equal(installation.variables[1].value, "a b");
  assert_null(installation.variables[2].name);
  assert_string_equal(strrchr(installation.words[0], '/'), "/sh"); /* found in PATH */
  static const char *const rest[] = {"-c", "x \"$@\"", "it's", ""};
  for (int i = 0; i < 4; i++)
    assert_string_equal(installation.words[1 + i], rest[i]);
  assert_null(installation.words[5]);
  tutti_installation_free(&installation);
}

TEST(test_prefix)
{
  char folder[] = "/tmp/tutti-prefix-XXXXXX", path[100], expected[100], text[200];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/bin", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/bin/mpiexec", folder);
  assert_refused(folder, "/bin/mpiexec: cannot be executed");
  assert_int_equal(symlink("/bin/true", path), 0);
  struct tutti_installation installation = parse(folder);
  assert_string_equal(installation.name, folder);
  assert_string_equal(installation.words[0], path);
  assert_null(installation.program);
  assert_string_equal(installation.variables[0].name, "LD_LIBRARY_PATH");
  snprintf(expected, sizeof expected, "%s/lib:%s/lib64", folder, folder);
  assert_memory_equal(installation.variables[0].value, expected, strlen(expected));
  tutti_installation_free(&installation);
  snprintf(text, sizeof text, "own=LD_LIBRARY_PATH=/mine %s --mca btl self", folder);
  installation = parse(text);
  assert_string_equal(installation.variables[0].value, "/mine");
  assert_null(installation.variables[1].name);
  assert_string_equal(installation.words[2], "btl");
  tutti_installation_free(&installation);
  unlink(path);
  *strrchr(path, '/') = '\0';
  rmdir(path);
  rmdir(folder);
}

/* The name is no part of it; all else is. */
TEST(test_digest)
{
  static const char *const texts[] = {"a=sh -c x", "b=sh -c x", "a=sh -c y", "a=X=1 sh -c x", "a=program=p sh -c x"};
  char digests[5][TUTTI_DIGEST_LENGTH];
  for (int i = 0; i < 5; i++) {
    struct tutti_installation installation = parse(texts[i]);
    tutti_installation_digest(&installation, digests[i]);
    tutti_installation_free(&installation);
  }
  assert_string_equal(digests[0], digests[1]);
  for (int i = 2; i < 5; i++)
    assert_string_not_equal(digests[0], digests[i]);
}

TEST(test_refused)
{
  assert_refused("", "a name has 1 to 40 letters");
  assert_refused("a=sh 'open", "a quote or a backslash ends nothing");
  assert_refused("a=sh back\\", "a quote or a backslash ends nothing");
  assert_refused("a=/nowhere/mpiexec", "library a: /nowhere/mpiexec: no such command");
  assert_refused("a=a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1 k=1 l=1 m=1 n=1 o=1 p=1 q=1 sh",
                 "q is one variable too many");
}
