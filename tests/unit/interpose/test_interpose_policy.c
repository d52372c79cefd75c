/* What the environment asks of the interposer, and the built-in rules. */
#include "interpose/serve/policy.h"
#include "unit/test.h"

static int clear_variables(void **state)
{
  char name[TUTTI_VARIABLE_LENGTH];
  (void)state;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    unsetenv(tutti_interposer_variable((tutti_collective)c, name));
  unsetenv("TUTTI_ADAPT");
  unsetenv("TUTTI_CANDIDATES");
  unsetenv("TUTTI_DECISION");
  unsetenv("TUTTI_NATIVE");
  unsetenv("TUTTI_NONBLOCKING");
  unsetenv("TUTTI_NEIGHBORS");
  unsetenv("TUTTI_REPRODUCIBLE");
  unsetenv("TUTTI_VERBOSE");
  return 0;
}

static struct policy read_policy(void)
{
  struct policy policy;
  assert_ok(tutti_policy_read(&policy, REASON), error);
  return policy;
}

/* The answer by name, "-" if the call is left to the library. */
static void assert_answer(const struct policy *policy, tutti_collective collective, int ranks, uint64_t bytes,
                          const char *expected)
{
  const tutti_question question = {collective, ranks, 0, bytes};
  char name[TUTTI_METHOD_LENGTH] = "-";
  tutti_method method;
  if (tutti_policy_decide(policy, &question, &method))
    tutti_method_format(&method, name);
  assert_string_equal(name, expected);
}

/* The library answers what no variable and no file does. */
TEST_WITH(test_native_is_in_place_of_the_builtin_rules, clear_variables, NULL)
{
  setenv("TUTTI_NATIVE", "1", 1);
  setenv("TUTTI_REDUCE", "binomial", 1);
  struct policy policy = read_policy();
  assert_answer(&policy, TUTTI_COLL_BCAST, 8, 1024, "-");
  assert_answer(&policy, TUTTI_COLL_REDUCE, 8, 1024, "reduce/binomial");
  tutti_policy_free(&policy);
}

static void assert_rounding(const struct policy *policy, const char *name, bool rounds, const char *expected)
{
  char text[TUTTI_METHOD_LENGTH];
  tutti_method method;
  assert_ok(tutti_method_parse(name, &method, REASON), error);
  method = tutti_policy_rounding(policy, &method, rounds);
  assert_string_equal(tutti_method_format(&method, text), expected);
}

/* Reductions keep their bits, and none is left to the library; the other calls are decided as ever. */
TEST_WITH(test_reproducible_methods_serve_reductions, clear_variables, NULL)
{
  setenv("TUTTI_NATIVE", "1", 1);
  setenv("TUTTI_REPRODUCIBLE", "aligned", 1);
  setenv("TUTTI_REDUCE", "binomial", 1);
  struct policy policy = read_policy();
  assert_answer(&policy, TUTTI_COLL_BCAST, 8, 1024, "-");
  assert_answer(&policy, TUTTI_COLL_ALLREDUCE, 8, 1024, "allreduce/reduce-bcast");
  assert_answer(&policy, TUTTI_COLL_REDUCE, 8, 1024, "reduce/binomial");
  assert_rounding(&policy, "reduce/binomial", true, "reduce/fixed-tree");
  assert_rounding(&policy, "reduce/binomial", false, "reduce/binomial");
  assert_rounding(&policy, "bcast/linear", true, "bcast/linear");
  tutti_policy_free(&policy);
  setenv("TUTTI_REPRODUCIBLE", "size", 1);
  policy = read_policy(); /* methods are chosen by size */
  assert_rounding(&policy, "allreduce/recursive-doubling", true, "allreduce/reduce-bcast");
  tutti_policy_free(&policy);
  setenv("TUTTI_REPRODUCIBLE", "nodes", 1);
  policy = read_policy();
  assert_rounding(&policy, "allreduce/two-level", true, "allreduce/recursive-doubling");
  assert_rounding(&policy, "allreduce/ring", true, "allreduce/ring");
  tutti_policy_free(&policy);
  setenv("TUTTI_REDUCE", "native", 1);
  assert_fails(tutti_policy_read(&policy, REASON), TUTTI_ERR_ARGUMENT, error,
               "TUTTI_REPRODUCIBLE=nodes and TUTTI_REDUCE=native contradict each other");
}

/* Every collective, every number of ranks and size has an answer of its own collective. */
TEST_WITH(test_builtin_rules_answer_everything, clear_variables, NULL)
{
  FREED_BY(tutti_policy_free) struct policy policy = read_policy();
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    for (int ranks = 1; ranks < 1 << 20; ranks = 2 * ranks + 1)
      for (uint64_t bytes = 0; bytes < UINT64_C(1) << 40; bytes = 3 * bytes + 1) {
        const tutti_question question = {(tutti_collective)c, ranks, 0, bytes};
        tutti_method method;
        assert_true(tutti_policy_decide(&policy, &question, &method));
        assert_int_equal(method.algorithm->collective, c);
      }
}

TEST_WITH(test_variables_come_before_rules, clear_variables, NULL)
{
  setenv("TUTTI_BCAST", "chain/8KB/k=2", 1);
  setenv("TUTTI_BARRIER", "native", 1);
  setenv("TUTTI_SCATTER", "", 1);
  setenv("TUTTI_VERBOSE", "1", 1);
  FREED_BY(tutti_policy_free) struct policy policy = read_policy();
  assert_true(policy.verbose);
  assert_answer(&policy, TUTTI_COLL_BCAST, 2, 8, "bcast/chain/8KB/k=2");
  assert_answer(&policy, TUTTI_COLL_BARRIER, 2, 0, "-");
  assert_answer(&policy, TUTTI_COLL_SCATTER, 2, 1 << 20, "scatter/linear-nonblocking");
}

/* The file answers first, the built-in rules what it leaves. */
TEST_WITH(test_decision_file, clear_variables, NULL)
{
  static const char text[] = "bcast/pipeline/1KB ranks=3..\nbarrier/tree\n";
  char path[] = "/tmp/tutti-policy-XXXXXX";
  int descriptor = mkstemp(path);
  assert_int_equal(write(descriptor, text, sizeof text - 1), sizeof text - 1);
  close(descriptor);
  setenv("TUTTI_DECISION", path, 1);
  FREED_BY(tutti_policy_free) struct policy policy = read_policy();
  unlink(path);
  assert_answer(&policy, TUTTI_COLL_BCAST, 3, 8, "bcast/pipeline/1KB");
  assert_answer(&policy, TUTTI_COLL_BCAST, 2, 8, "bcast/linear");
  assert_answer(&policy, TUTTI_COLL_BARRIER, 2, 0, "barrier/tree");
  assert_answer(&policy, TUTTI_COLL_SCATTER, 4, 8, "scatter/linear-nonblocking");
}

/* A library's algorithms cannot be run from outside of it. */
TEST_WITH(test_other_implementations_are_refused, clear_variables, NULL)
{
  static const char text[] = "bcast/linear bytes=..8\nbcast/in-order-binomial@mpich\n";
  char path[] = "/tmp/tutti-policy-XXXXXX";
  struct policy policy;
  int descriptor = mkstemp(path);
  assert_int_equal(write(descriptor, text, sizeof text - 1), sizeof text - 1);
  close(descriptor);
  setenv("TUTTI_DECISION", path, 1);
  assert_int_equal(tutti_policy_read(&policy, REASON), TUTTI_ERR_ARGUMENT);
  unlink(path);
  assert_non_null(strstr(error.message, path));
  assert_non_null(strstr(error.message, "names algorithms as mpich runs them (@mpich)"));
}

/* Names of the candidates, a blank after each. */
static void assert_candidates(const struct policy *policy, int ranks, uint64_t bytes, const char *expected)
{
  const tutti_question question = {TUTTI_COLL_BCAST, ranks, 0, bytes};
  char all[1024] = "", name[TUTTI_METHOD_LENGTH];
  tutti_method methods[8];
  const int count = tutti_policy_candidates(policy, &question, false, methods, 8);
  for (int i = 0; i < count; i++) {
    strcat(all, tutti_method_format(&methods[i], name) + strlen("bcast/"));
    strcat(all, " ");
  }
  assert_string_equal(all, expected);
}

/* Write a file and name it in a variable. */
static void write_rules(const char *variable, const char *text, char *path)
{
  int descriptor = mkstemp(path);
  assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
  close(descriptor);
  setenv(variable, path, 1);
}

/* To find them takes messages in MPI_Init(). */
TEST_WITH(test_places_are_needed_by_some_methods, clear_variables, NULL)
{
  static const struct {
    const char *rules;
    bool need;
  } files[] = {{"bcast/native bytes=..7\nbcast/chain\n", false}, {"bcast/chain bytes=..7\nbcast/two-level\n", true}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[] = "/tmp/tutti-policy-XXXXXX";
    write_rules("TUTTI_DECISION", files[i].rules, path);
    struct policy policy = read_policy();
    unlink(path);
    assert_int_equal(tutti_policy_may_need_places(&policy), files[i].need);
    tutti_policy_free(&policy);
  }
}

TEST_WITH(test_candidates_without_a_file, clear_variables, NULL)
{
  char path[] = "/tmp/tutti-policy-XXXXXX";
  setenv("TUTTI_ADAPT", "1", 1);
  struct policy policy = read_policy();
  assert_true(policy.adapt);
  assert_null(policy.adapted);
  assert_candidates(&policy, 16, 8, "binomial native linear scatter-recursive-doubling scatter-ring ");
  tutti_policy_free(&policy);
  write_rules("TUTTI_DECISION", "bcast/native bytes=..7\nbcast/pipeline/8KB bytes=1MB..\nreduce/linear\n", path);
  setenv("TUTTI_ADAPT", "my.rules", 1);
  policy = read_policy();
  assert_string_equal(policy.adapted, "my.rules");
  assert_candidates(&policy, 16, 7, "native pipeline/8KB linear binomial scatter-recursive-doubling scatter-ring ");
  tutti_policy_free(&policy);
  setenv("TUTTI_BCAST", "chain", 1);
  policy = read_policy();
  assert_candidates(&policy, 16, 7, "chain ");
  tutti_policy_free(&policy);
  unlink(path);
}

/* Where the operation rounds, a substitute stands for a method whose ranks would get other bits, once. */
TEST_WITH(test_candidates_that_round_apart, clear_variables, NULL)
{
  char path[] = "/tmp/tutti-policy-XXXXXX", name[TUTTI_METHOD_LENGTH];
  const tutti_question question = {TUTTI_COLL_ALLREDUCE, 16, 0, 8};
  tutti_method methods[8];
  setenv("TUTTI_ADAPT", "1", 1);
  write_rules("TUTTI_CANDIDATES", "allreduce/swing-latency\nallreduce/census\nallreduce/ring\n", path);
  struct policy policy = read_policy();
  assert_int_equal(tutti_policy_candidates(&policy, &question, false, methods, 8), 4);
  assert_string_equal(tutti_method_format(&methods[1], name), "allreduce/swing-latency");
  assert_int_equal(tutti_policy_candidates(&policy, &question, true, methods, 8), 2);
  assert_string_equal(tutti_method_format(&methods[0], name), "allreduce/recursive-doubling");
  assert_string_equal(tutti_method_format(&methods[1], name), "allreduce/ring");
  tutti_policy_free(&policy);
  unlink(path);
}

/* All rules that match are: not the first one alone. */
TEST_WITH(test_candidates_of_a_file, clear_variables, NULL)
{
  char path[] = "/tmp/tutti-policy-XXXXXX";
  setenv("TUTTI_ADAPT", "1", 1);
  write_rules("TUTTI_CANDIDATES",
              "bcast/pipeline/8KB bytes=4KB..\nbcast/chain/k=2 ranks=..16\nbcast/linear ranks=17..\nbcast/native\n",
              path);
  struct policy policy = read_policy();
  assert_candidates(&policy, 16, 4096, "binomial pipeline/8KB chain/k=2 native ");
  assert_candidates(&policy, 32, 16, "binomial linear native ");
  tutti_policy_free(&policy);
  unsetenv("TUTTI_ADAPT");
  assert_fails(tutti_policy_read(&policy, REASON), TUTTI_ERR_ARGUMENT, error, "TUTTI_CANDIDATES without TUTTI_ADAPT");
  unlink(path);
}

static const struct {
  const char *variable, *value, *reason;
} faults[] = {
    {"TUTTI_BCAST", "nonsense", "TUTTI_BCAST=nonsense: unknown"},
    {"TUTTI_BCAST", "bcast/binomial", "TUTTI_BCAST=bcast/binomial: "},
    {"TUTTI_BARRIER", "bruck/8KB", "TUTTI_BARRIER=bruck/8KB: "},
    {"TUTTI_BCAST", "binomial@openmpi",
     "TUTTI_BCAST names algorithms as openmpi runs them (@openmpi): Tutti runs its own"},
    {"TUTTI_VERBOSE", "yes", "TUTTI_VERBOSE=yes: "},
    {"TUTTI_REPRODUCIBLE", "yes", "TUTTI_REPRODUCIBLE: 'yes' is no class of reproducibility: "},
    {"TUTTI_REPRODUCIBLE", "distribution", "TUTTI_REPRODUCIBLE=distribution: distribution needs "},
    {"TUTTI_NATIVE", "yes", "TUTTI_NATIVE=yes: neither 0 nor 1"},
    {"TUTTI_NONBLOCKING", "on", "TUTTI_NONBLOCKING=on: neither 0 nor 1"},
    {"TUTTI_NEIGHBORS", "ring", "TUTTI_NEIGHBORS=ring: neither linear nor combining nor native"},
    {"TUTTI_DECISION", "/nonexistent/rules", "TUTTI_DECISION: /nonexistent/rules: "},
    {"TUTTI_CANDIDATES", "/nonexistent/rules", "TUTTI_CANDIDATES: /nonexistent/rules: "},
};

TEST_WITH(test_faults_name_the_variable, clear_variables, NULL)
{
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct policy policy;
    clear_variables(NULL);
    setenv(faults[i].variable, faults[i].value, 1);
    assert_int_not_equal(tutti_policy_read(&policy, REASON), TUTTI_OK);
    assert_begins(error.message, faults[i].reason);
  }
}

/* A misspelt variable would change nothing, and nobody would notice. */
TEST_WITH(test_unknown_variables_are_refused, clear_variables, NULL)
{
  static const struct {
    const char *name, *reason;
  } unknown[] = {
      {"TUTTI_BCST", "TUTTI_BCST (TUTTI_BCAST?): not known: "},
      {"TUTTI_DECISIONS", "TUTTI_DECISIONS (TUTTI_DECISION?): not known: "},
      {"TUTTI_bcast", "TUTTI_bcast (TUTTI_BCAST?): not known: "},
      {"TUTTI_PLATFORM_PTH", "TUTTI_PLATFORM_PTH (TUTTI_PLATFORM_PATH?): not known: "},
      {"TUTTI_NONSENSE", "TUTTI_NONSENSE: not known: there are TUTTI_ADAPT, TUTTI_CANDIDATES, "},
      {"TUTTI_", "TUTTI_: not known: "},
  };
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    struct policy policy;
    setenv(unknown[i].name, "binomial", 1);
    assert_int_equal(tutti_policy_read(&policy, REASON), TUTTI_ERR_ARGUMENT);
    assert_begins(error.message, unknown[i].reason);
    unsetenv(unknown[i].name);
  }
}

/* All of them in one message; of very many as fit. */
TEST_WITH(test_several_unknown_variables_are_named, clear_variables, NULL)
{
  struct policy policy;
  char name[32];
  setenv("TUTTI_BCST", "binomial", 1);
  setenv("TUTTI_SCAM", "binomial", 1);
  assert_fails(tutti_policy_read(&policy, REASON), TUTTI_ERR_ARGUMENT, error, "TUTTI_BCST (TUTTI_BCAST?)");
  assert_non_null(strstr(error.message, "TUTTI_SCAM (TUTTI_SCAN?)"));
  for (int i = 0; i < 100; i++) {
    snprintf(name, sizeof name, "TUTTI_UNKNOWN_%d", i);
    setenv(name, "x", 1);
  }
  assert_fails(tutti_policy_read(&policy, REASON), TUTTI_ERR_ARGUMENT, error, ": not known: ");
  for (int i = 0; i < 100; i++) {
    snprintf(name, sizeof name, "TUTTI_UNKNOWN_%d", i);
    unsetenv(name);
  }
  unsetenv("TUTTI_BCST");
  unsetenv("TUTTI_SCAM");
}

TEST_WITH(test_variables_of_others_are_left_alone, clear_variables, NULL)
{
  static const char *const names[] = {
      "TUTTI_PLATFORM_PATH", "TUTTI_PLOTS",         "TUTTI_EXPERIMENTS", "TUTTI_STEP", "TUTTI_READS",
      "TUTTI_BUILD",         "TUTTI_TEST_ANYTHING", "TUTTI_ROOT",        "TUTTIX",     "NO_TUTTI_BCST"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    setenv(names[i], "anything", 1);
    assert_false(tutti_interposer_reads(names[i]));
  }
  setenv("TUTTI_BCST", "", 1); /* sets nothing */
  struct policy policy = read_policy();
  tutti_policy_free(&policy);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    unsetenv(names[i]);
  unsetenv("TUTTI_BCST");
  assert_true(tutti_interposer_reads("TUTTI_DECISION") && tutti_interposer_reads("TUTTI_REDUCE_SCATTER_BLOCK"));
}

TEST_WITH(test_digest_tells_policies_apart, clear_variables, NULL)
{
  FREED_BY(tutti_policy_free) struct policy none = read_policy();
  setenv("TUTTI_BCAST", "linear", 1);
  FREED_BY(tutti_policy_free) struct policy bcast = read_policy(), same = read_policy();
  unsetenv("TUTTI_BCAST");
  setenv("TUTTI_BARRIER", "linear", 1);
  FREED_BY(tutti_policy_free) struct policy barrier = read_policy();
  assert_true(bcast.digest == same.digest);
  assert_true(none.digest != bcast.digest && none.digest != barrier.digest && bcast.digest != barrier.digest);
}
