/* Rule files: the grammar, its errors with FILE:LINE, and the answers. */
#include "tutti/decision.h"
#include "unit/patience.h"
#include "unit/test.h"

static tutti_status read_bytes(const char *text, size_t length, tutti_decision *decision, tutti_error *error,
                               char path[32])
{
  strcpy(path, "/tmp/tutti-rules-XXXXXX");
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, text, length), (ssize_t)length);
  close(descriptor);
  tutti_status status = tutti_decision_read_rules(path, decision, error);
  unlink(path);
  return status;
}

static tutti_decision read_text(const char *text)
{
  tutti_decision decision;
  char path[32];
  assert_ok(read_bytes(text, strlen(text), &decision, REASON, path), error);
  assert_string_equal(decision.name, path);
  return decision;
}

/* The answer by name, "-" if there is none. */
static void assert_answer(const tutti_decision *decision, tutti_collective collective, int ranks, uint64_t bytes,
                          const char *expected)
{
  tutti_question question = {collective, ranks, 1, bytes};
  tutti_method method;
  char name[TUTTI_METHOD_LENGTH] = "-";
  if (decision->decide(decision, &question, &method))
    tutti_method_format(&method, name);
  assert_string_equal(name, expected);
}

#define ASSERT_BCAST(ranks, bytes, expected) assert_answer(&decision, TUTTI_COLL_BCAST, ranks, bytes, expected)

TEST(test_example_of_the_header)
{
  FREED_BY(tutti_decision_free)
  tutti_decision decision = read_text("# measured on grig\n"
                                      "bcast/linear           ranks=2..8 bytes=0..2KB\n"
                                      "bcast/pipeline/8KB     bytes=64KB..   # long messages\r\n"
                                      "\n"
                                      "\tbcast/binomial");
  assert_int_equal(decision.collective, TUTTI_COLL_BCAST);
  ASSERT_BCAST(1, 0, "bcast/binomial");
  ASSERT_BCAST(2, 0, "bcast/linear");
  ASSERT_BCAST(8, 2048, "bcast/linear");
  ASSERT_BCAST(8, 2049, "bcast/binomial");
  ASSERT_BCAST(9, 2048, "bcast/binomial");
  ASSERT_BCAST(9, 65535, "bcast/binomial");
  ASSERT_BCAST(2, 65536, "bcast/pipeline/8KB");
  ASSERT_BCAST(INT_MAX, UINT64_MAX, "bcast/pipeline/8KB");
  assert_answer(&decision, TUTTI_COLL_REDUCE, 4, 8, "-");
}

TEST(test_open_ends_and_single_values)
{
  FREED_BY(tutti_decision_free)
  tutti_decision decision = read_text("barrier/bruck\n"
                                      "bcast/linear bytes=..8 ranks=4\n"
                                      "bcast/chain ranks=16.. bytes=1KB\n"
                                      "bcast/binomial ranks=.. bytes=..\n");
  assert_int_equal(decision.collective, TUTTI_COLL_BARRIER);
  assert_answer(&decision, TUTTI_COLL_BARRIER, 100, 0, "barrier/bruck");
  ASSERT_BCAST(4, 8, "bcast/linear");
  ASSERT_BCAST(4, 9, "bcast/binomial");
  ASSERT_BCAST(5, 8, "bcast/binomial");
  ASSERT_BCAST(16, 1024, "bcast/chain");
  ASSERT_BCAST(16, 1025, "bcast/binomial");
}

TEST(test_no_rule_matches)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = read_text("bcast/linear ranks=..4\n");
  ASSERT_BCAST(5, 1, "-");
}

/* A text, the line at fault (0: the file as a whole), and what the message must name. */
static const struct {
  const char *text;
  int line;
  const char *reason;
} faults[] = {
    {"", 0, "no rule"},
    {"# nothing\n\n", 0, "no rule"},
    {"bcast/linear\nbcast/nonsense\n", 2, "nonsense"},
    {"linear\n", 1, "linear"},
    {"bcast/linear\n\n# x\nbcast/linear ranks=2..x\n", 4, "'x'"},
    {"bcast/linear ranks=8KB\n", 1, "number of ranks"},
    {"bcast/linear ranks=\n", 1, "number of ranks"},
    {"bcast/linear ranks=-1..4\n", 1, "-1"},
    {"bcast/linear bytes=\n", 1, "bytes"},
    {"bcast/linear bytes=1..2..3\n", 1, "2..3"},
    {"bcast/linear bytes=1...3\n", 1, ".3"},
    {"bcast/linear bytes=99999999999999999999\n", 1, "bytes"},
    {"bcast/linear ranks=8..2\n", 1, "ends before"},
    {"bcast/linear bytes=..4 bytes=8..\n", 1, "twice"},
    {"bcast/linear size=4\n", 1, "size=4"},
    {"bcast/linear bcast/binomial\n", 1, "bcast/binomial"},
};

TEST(test_faults_name_file_and_line)
{
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    tutti_decision decision;
    char path[32], expected[48];
    assert_int_equal(read_bytes(faults[i].text, strlen(faults[i].text), &decision, REASON, path), TUTTI_ERR_ARGUMENT);
    if (faults[i].line > 0)
      snprintf(expected, sizeof expected, "%s:%d: ", path, faults[i].line);
    else
      snprintf(expected, sizeof expected, "%s: ", path);
    if (strncmp(error.message, expected, strlen(expected)) != 0 || !strstr(error.message, faults[i].reason))
      fail_msg("'%s' does not begin with '%s' or does not say '%s'", error.message, expected, faults[i].reason);
    assert_null(decision.data);
  }
}

TEST(test_unreadable_files)
{
  tutti_decision decision;
  char path[32];
  assert_fails(tutti_decision_read_rules("/nonexistent/rules", &decision, REASON), TUTTI_ERR_IO, error,
               "/nonexistent/rules");
  assert_int_equal(tutti_decision_read_rules("/tmp", &decision, REASON), TUTTI_ERR_IO);
  static const char binary[] = "bcast/linear\nbcast/\0linear\n";
  assert_fails(read_bytes(binary, sizeof binary - 1, &decision, REASON, path), TUTTI_ERR_ARGUMENT, error, ":2: ");
}

TEST(test_text_in_memory)
{
  tutti_decision decision;
  assert_ok(tutti_decision_parse_rules("bcast/linear ranks=2\nbcast/binomial\n", "mine", &decision, REASON), error);
  assert_string_equal(decision.name, "mine");
  ASSERT_BCAST(2, 8, "bcast/linear");
  ASSERT_BCAST(3, 8, "bcast/binomial");
  tutti_decision_free(&decision);
  assert_int_equal(tutti_decision_parse_rules("bcast/linear\nx\n", "mine", &decision, REASON), TUTTI_ERR_ARGUMENT);
  assert_true(strncmp(error.message, "mine:2: ", 8) == 0);
}

/* Random bytes and random pieces of the grammar end in an answer or in an error that speaks. */
TEST(test_random_files_never_crash)
{
  static const char *const pieces[] = {
      "bcast/linear", "bcast/chain/k=2", " ", "\n", "ranks=", "bytes=", "..", "8", "2KB", "#", "=", "/", "\t", "\xff"};
  srand(11);
  int read = 0;
  for (int round = 0; round < 3000; round++) {
    char text[512] = "", path[32];
    for (int i = rand() % 12; i >= 0; i--)
      strcat(text, pieces[(size_t)rand() % (sizeof pieces / sizeof *pieces)]);
    tutti_decision decision;
    if (read_bytes(text, strlen(text), &decision, REASON, path) == TUTTI_OK) {
      read++;
      tutti_question question = {TUTTI_COLL_BCAST, 8, 1, 2048};
      tutti_method method;
      decision.decide(&decision, &question, &method);
      tutti_decision_free(&decision);
    } else
      assert_true(strncmp(error.message, path, strlen(path)) == 0);
  }
  assert_true(read > 20);
}

/* Ranges of sizes in disorder, and a rule for what none of them is for. */
TEST(test_many_rules)
{
  enum { MANY = UNLESS_WATCHED(100003, 10007) };
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_non_null(stream);
  for (int i = 0; i < MANY; i++)
    fprintf(stream, "bcast/%s ranks=4.. bytes=%lld..%lld\n", i % 2 ? "linear" : "binomial", i * 7919LL % MANY * 8,
            i * 7919LL % MANY * 8 + 6);
  fputs("bcast/chain\n", stream);
  assert_int_equal(fclose(stream), 0);
  limit_processor_time(8);
  FREED_BY(tutti_decision_free) tutti_decision decision = read_text(text);
  for (int i = 0; i < MANY; i++) {
    const uint64_t bytes = (uint64_t)(i * 7919LL % MANY * 8);
    ASSERT_BCAST(4, bytes + 6, i % 2 ? "bcast/linear" : "bcast/binomial");
    ASSERT_BCAST(4, bytes + 7, "bcast/chain");
    ASSERT_BCAST(3, bytes, "bcast/chain");
  }
}
