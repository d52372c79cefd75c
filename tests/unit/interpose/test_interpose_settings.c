/* What the environment asks of the interposer, and the built-in rules. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interpose/settings.h"

static int clear_variables(void **state)
{
  char name[TUTTI_VARIABLE_LENGTH];
  (void)state;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    unsetenv(tutti_settings_variable((tutti_collective)c, name));
  unsetenv("TUTTI_DECISION");
  unsetenv("TUTTI_VERBOSE");
  return 0;
}

static struct settings read_settings(void)
{
  struct settings settings;
  tutti_error error = {.message = ""};
  if (tutti_settings_read(&settings, &error) != TUTTI_OK)
    fail_msg("%s", error.message);
  return settings;
}

/* The answer by name, "-" if the call is left to the library. */
static void assert_answer(const struct settings *settings, tutti_collective collective, int ranks, uint64_t bytes,
                          const char *expected)
{
  const tutti_question question = {collective, ranks, 0, bytes};
  char name[TUTTI_METHOD_LENGTH] = "-";
  tutti_method method;
  if (tutti_settings_decide(settings, &question, &method))
    tutti_method_format(&method, name);
  assert_string_equal(name, expected);
}

/* Every collective, every number of ranks and size has an answer of its own collective. */
static void test_builtin_rules_answer_everything(void **state)
{
  (void)state;
  struct settings settings = read_settings();
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    for (int ranks = 1; ranks < 1 << 20; ranks = 2 * ranks + 1)
      for (uint64_t bytes = 0; bytes < UINT64_C(1) << 40; bytes = 3 * bytes + 1) {
        const tutti_question question = {(tutti_collective)c, ranks, 0, bytes};
        tutti_method method;
        if (!settings.builtin[c].decide)
          continue;
        assert_true(tutti_settings_decide(&settings, &question, &method));
        assert_int_equal(method.algorithm->collective, c);
      }
  assert_non_null(settings.builtin[TUTTI_COLL_BCAST].decide);
  tutti_settings_free(&settings);
}

static void test_variables_come_before_rules(void **state)
{
  (void)state;
  setenv("TUTTI_BCAST", "chain/8KB/k=2", 1);
  setenv("TUTTI_BARRIER", "native", 1);
  setenv("TUTTI_SCATTER", "", 1);
  setenv("TUTTI_VERBOSE", "1", 1);
  struct settings settings = read_settings();
  assert_true(settings.verbose);
  assert_answer(&settings, TUTTI_COLL_BCAST, 2, 8, "bcast/chain/8KB/k=2");
  assert_answer(&settings, TUTTI_COLL_BARRIER, 2, 0, "-");
  assert_answer(&settings, TUTTI_COLL_SCATTER, 2, 1 << 20, "scatter/linear");
  tutti_settings_free(&settings);
}

/* The file answers first, the built-in rules what it leaves. */
static void test_decision_file(void **state)
{
  (void)state;
  static const char text[] = "bcast/pipeline/1KB ranks=3..\nbarrier/tree\n";
  char path[] = "/tmp/tutti-settings-XXXXXX";
  int descriptor = mkstemp(path);
  assert_int_equal(write(descriptor, text, sizeof text - 1), sizeof text - 1);
  close(descriptor);
  setenv("TUTTI_DECISION", path, 1);
  struct settings settings = read_settings();
  unlink(path);
  assert_answer(&settings, TUTTI_COLL_BCAST, 3, 8, "bcast/pipeline/1KB");
  assert_answer(&settings, TUTTI_COLL_BCAST, 2, 8, "bcast/linear");
  assert_answer(&settings, TUTTI_COLL_BARRIER, 2, 0, "barrier/tree");
  assert_answer(&settings, TUTTI_COLL_SCATTER, 4, 8, "scatter/linear");
  tutti_settings_free(&settings);
}

static const struct {
  const char *variable, *value, *reason;
} faults[] = {
    {"TUTTI_BCAST", "nonsense", "TUTTI_BCAST=nonsense: unknown"},
    {"TUTTI_BCAST", "bcast/binomial", "TUTTI_BCAST=bcast/binomial: "},
    {"TUTTI_BARRIER", "bruck/8KB", "TUTTI_BARRIER=bruck/8KB: "},
    {"TUTTI_VERBOSE", "yes", "TUTTI_VERBOSE=yes: "},
    {"TUTTI_DECISION", "/nonexistent/rules", "TUTTI_DECISION: /nonexistent/rules: "},
};

static void test_faults_name_the_variable(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct settings settings;
    tutti_error error = {.message = ""};
    clear_variables(NULL);
    setenv(faults[i].variable, faults[i].value, 1);
    assert_int_not_equal(tutti_settings_read(&settings, &error), TUTTI_OK);
    if (strncmp(error.message, faults[i].reason, strlen(faults[i].reason)) != 0)
      fail_msg("'%s' does not begin with '%s'", error.message, faults[i].reason);
  }
}

static void test_digest_tells_settings_apart(void **state)
{
  (void)state;
  struct settings none = read_settings();
  setenv("TUTTI_BCAST", "linear", 1);
  struct settings bcast = read_settings(), same = read_settings();
  unsetenv("TUTTI_BCAST");
  setenv("TUTTI_BARRIER", "linear", 1);
  struct settings barrier = read_settings();
  assert_true(bcast.digest == same.digest);
  assert_true(none.digest != bcast.digest && none.digest != barrier.digest && bcast.digest != barrier.digest);
  tutti_settings_free(&none);
  tutti_settings_free(&bcast);
  tutti_settings_free(&same);
  tutti_settings_free(&barrier);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_builtin_rules_answer_everything, clear_variables),
      cmocka_unit_test_setup(test_variables_come_before_rules, clear_variables),
      cmocka_unit_test_setup(test_decision_file, clear_variables),
      cmocka_unit_test_setup(test_faults_name_the_variable, clear_variables),
      cmocka_unit_test_setup(test_digest_tells_settings_apart, clear_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
