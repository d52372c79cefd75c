/* Expressions over questions, their faults, and their C form. */
#include "tutti/decision_tree.h"
#include "unit/test.h"

static const tutti_question question = {
    .collective = TUTTI_COLL_REDUCE, .ranks = 12, .ranks_per_node = 5, .rank_bytes = 8192};

static double value_of(const char *text, const tutti_question *asked)
{
  FREED_BY(free_memory) tutti_expression *expression;
  assert_ok(tutti_expression_parse(text, &expression, &error), error);
  return tutti_expression_value(expression, asked);
}

TEST(test_values)
{
  static const struct {
    const char *text;
    double value;
  } cases[] = {
      {"ranks", 12},
      {"bytes", 8192},
      {"total", 98304},
      {"nodes", 3},
      {"ranks_per_node", 5},
      {"2 + 3 * 4 - 1", 13},
      {"(2 + 3) * 4", 20},
      {"-ranks + 13", 1},
      {"7 / 2 / 7", 0.5},
      {"ranks % 5", 2},
      {"log2(bytes)", 13},
      {"min(ranks, 4)", 4},
      {"max(ranks, 4KB)", 4096},
      {"even(ranks)", 1},
      {"even(ranks + 1)", 0},
      {"pow2(ranks)", 0},
      {"pow2(bytes)", 1},
      {"bytes >= 8KB", 1},
      {"bytes < 8KB", 0},
      {"ranks != 12", 0},
      {"floor(7 / 2)", 3},
      {"ceil(7 / 2)", 4},
      {"collective", TUTTI_COLL_REDUCE},
      {"ranks = 12", 1},
      {"1.5 * 2", 3},
      {"10 - 2 - 3", 5},
      {"1MB", 1048576},
      {"2GB/1GB", 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (value_of(cases[i].text, &question) != cases[i].value)
      fail_msg("%s is %g", cases[i].text, value_of(cases[i].text, &question));
}

TEST(test_unknown)
{
  static const char *const texts[] = {"nodes",       "ranks_per_node + 1", "pow2(nodes)",   "nodes < 3",
                                      "log2(bytes)", "ranks / bytes",      "ranks % bytes", "min(nodes, 3)"};
  const tutti_question unknown = {.collective = TUTTI_COLL_BCAST, .ranks = 4};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!isnan(value_of(texts[i], &unknown)))
      fail_msg("%s is known", texts[i]);
}

TEST(test_faults)
{
  static const char *const texts[] = {"",
                                      "ranks +",
                                      "ranks ranks",
                                      "(ranks",
                                      "ranks)",
                                      "size",
                                      "log2 ranks",
                                      "min(ranks)",
                                      "1..2",
                                      "8kB",
                                      "ranks < 3 < 4",
                                      "collective + 1",
                                      "even(ranks) + 1",
                                      "1 + even(ranks)",
                                      "((((((((((((((((((1))))))))))))))))))",
                                      "rank",
                                      "*2",
                                      "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1",
                                      "12345678901234567890123456789012345678901234567890",
                                      "ranks, bytes",
                                      "ranks                                                                      "
                                      "                                                                      + bytes"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    tutti_expression *expression;
    if (tutti_expression_parse(texts[i], &expression, REASON) != TUTTI_ERR_ARGUMENT)
      fail_msg("'%s' was read", texts[i]);
    assert_null(expression);
    assert_true(strlen(error.message) > 5);
  }
}

TEST(test_kinds)
{
  tutti_expression *expression;
  assert_int_equal(tutti_expression_parse("nodes * 2", &expression, NULL), TUTTI_OK);
  assert_int_equal(tutti_expression_kind_of(expression), TUTTI_EXPRESSION_NUMBER);
  assert_true(tutti_expression_needs_nodes(expression));
  assert_false(tutti_expression_needs_bytes(expression));
  free(expression);
  assert_int_equal(tutti_expression_parse("total > 1KB", &expression, NULL), TUTTI_OK);
  assert_int_equal(tutti_expression_kind_of(expression), TUTTI_EXPRESSION_BOOLEAN);
  assert_true(tutti_expression_needs_bytes(expression));
  free(expression);
}

TEST(test_monotone)
{
  static const struct {
    const char *text;
    bool monotone;
  } cases[] = {{"bytes", true},
               {"total + bytes", true},
               {"log2(total) * 2", true},
               {"-bytes", true},
               {"bytes / ranks", true},
               {"ranks / bytes", true},
               {"pow2(ranks)", true},
               {"ranks % 3", true},
               {"bytes <= 8KB", true},
               {"min(bytes, 64KB)", true},
               {"floor(bytes / 4KB)", true},
               {"1KB - bytes", true},
               {"bytes * (ranks - 4)", true},
               {"pow2(bytes)", false},
               {"even(total)", false},
               {"bytes % 4KB", false},
               {"bytes = 8", false},
               {"bytes - total / 3", false},
               {"bytes * (100 - bytes)", false},
               {"bytes * (ranks - 4) + bytes", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tutti_expression *expression;
    assert_int_equal(tutti_expression_parse(cases[i].text, &expression, NULL), TUTTI_OK);
    if (tutti_expression_is_monotone(expression) != cases[i].monotone)
      fail_msg("%s", cases[i].text);
    free(expression);
  }
}

TEST(test_c)
{
  FREED_BY(free_memory) tutti_expression *expression;
  char text[256] = "";
  assert_int_equal(tutti_expression_parse("log2(total) - max(ranks, 2) * 3", &expression, NULL), TUTTI_OK);
  FILE *stream = fmemopen(text, sizeof text, "w");
  assert_true(tutti_expression_print_c(expression, stream));
  fclose(stream);
  assert_string_equal(text, "(log2((ranks * bytes)) - (fmax(ranks, 2.0) * 3.0))");
  assert_true(tutti_expression_needs_math(expression));
}
