/* Decision files of trees: what is written reads back the same, answers, and faults with FILE:LINE. */
#include "tutti/decision_tree.h"

#include "unit/base/random.h"
#include "unit/base/scratch_file.h"
#include "unit/test.h"

static const char text[] = "tutti-decision 1\n"
                           "# by hand\n"
                           "tree bcast reduce\n"
                           "attribute collective\n"
                           "attribute ranks\n"
                           "# in between\n"
                           "attribute bytes\n"
                           "attribute even = even(ranks)\n"
                           "bytes <= 512 : linear\n"
                           "bytes > 512 :\n"
                           "|   collective = bcast :\n"
                           "|   |   even = no : split-binary/1KB\n"
                           "|   |   even = yes : chain/8KB/k=2\n"
                           "|   collective = reduce : binary/1KB (9.0/1.3)\n"
                           "\n"
                           "tree allgather\n"
                           "attribute nodes\n"
                           "nodes <= 2 : ring\n"
                           "nodes > 2 : bruck\n";

static tutti_decision read_text(const char *content)
{
  tutti_decision decision;
  SCRATCH_FILE(file, "decision", content);
  assert_ok(tutti_decision_read(file.path, &decision, &error), error);
  return decision;
}

static const char *ask(const tutti_decision *decision, tutti_collective collective, int ranks, uint64_t bytes,
                       int per_node)
{
  static char name[TUTTI_METHOD_LENGTH];
  tutti_question question = {collective, ranks, per_node, bytes};
  tutti_method method;
  return decision->decide(decision, &question, &method) ? tutti_method_format(&method, name) : "nothing";
}

TEST(test_answers)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = read_text(text);
  assert_int_equal(decision.collective, TUTTI_COLL_BCAST);
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 512, 0), "bcast/linear");
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 513, 0), "bcast/chain/8KB/k=2");
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 5, 513, 0), "bcast/split-binary/1KB");
  assert_string_equal(ask(&decision, TUTTI_COLL_REDUCE, 5, 513, 0), "reduce/binary/1KB");
  assert_string_equal(ask(&decision, TUTTI_COLL_REDUCE, 5, 1, 0), "reduce/linear");
  assert_string_equal(ask(&decision, TUTTI_COLL_ALLGATHER, 8, 1, 4), "allgather/ring");
  assert_string_equal(ask(&decision, TUTTI_COLL_ALLGATHER, 9, 1, 4), "allgather/bruck");
  assert_string_equal(ask(&decision, TUTTI_COLL_ALLTOALL, 9, 1, 4), "nothing");
  assert_non_null(tutti_decision_get_trees(&decision));
}

/* A class that the collective lacks is no answer. */
TEST(test_no_method)
{
  FREED_BY(tutti_decision_free)
  tutti_decision decision = read_text("tutti-decision 1\ntree bcast reduce\nattribute ranks\nsplit-binary\n");
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 1, 0), "bcast/split-binary");
  assert_string_equal(ask(&decision, TUTTI_COLL_REDUCE, 4, 1, 0), "nothing");
}

TEST(test_round_trip)
{
  FREED_BY(tutti_decision_free) tutti_decision first = read_text(text);
  char *written = NULL;
  size_t length;
  FILE *stream = open_memstream(&written, &length);
  uint64_t seed = 5;
  assert_int_equal(tutti_decision_trees_write(tutti_decision_get_trees(&first), "one\ntwo", stream, NULL), TUTTI_OK);
  fclose(stream);
  assert_non_null(strstr(written, "# one\n# two\n"));
  FREED_BY(tutti_decision_free) tutti_decision second = read_text(written);
  free(written);
  for (int i = 0; i < 2000; i++) {
    char name[TUTTI_METHOD_LENGTH];
    tutti_collective collective = (tutti_collective)random_below(&seed, TUTTI_COLL_COUNT);
    int ranks = 1 + (int)random_below(&seed, 20), per_node = (int)random_below(&seed, 4);
    uint64_t bytes = random_below(&seed, 1024);
    strcpy(name, ask(&first, collective, ranks, bytes, per_node));
    assert_string_equal(name, ask(&second, collective, ranks, bytes, per_node));
  }
}

TEST(test_faults)
{
  static const struct {
    const char *content, *where;
  } cases[] = {
      {"tutti-decision 2\n", ":1:"},
      {"tree bcast\nattribute ranks\nlinear\n", ":1: a decision file of trees begins"},
      {"tutti-decision 1\n", "no tree"},
      {"tutti-decision 1\nshrub bcast\n", ":2:"},
      {"tutti-decision 1\ntree\nattribute ranks\nlinear\n", ":2:"},
      {"tutti-decision 1\ntree cast\nattribute ranks\nlinear\n", ":2:"},
      {"tutti-decision 1\ntree bcast\nattribute size\nlinear\n", ":3:"},
      {"tutti-decision 1\ntree bcast\nattribute ranks\nattribute ranks\nlinear\n", ":4:"},
      {"tutti-decision 1\ntree bcast\nattribute a b = ranks\nlinear\n", ":3:"},
      {"tutti-decision 1\ntree bcast\nattribute ranks\n", "ends before"},
      {"tutti-decision 1\ntree bcast\nattribute ranks\nsideways\n", ":4: 'sideways'"},
      {"tutti-decision 1\ntree bcast\nattribute ranks\nranks <= 2 : linear\nranks > 2 : binomal\n", ":5: 'binomal'"},
      {"tutti-decision 1\ntree bcast\nattribute bytes = ranks\nlinear\n", ":3:"},
      {"tutti-decision 1\ntree bcast\nattribute ranks\nbytes <= 4 : linear\nbytes > 4 : binary\n", ":4:"},
      {"tutti-decision 1\ntree bcast\nattribute ranks\nranks <= 4 : linear\n", ":"},
      {"tutti-decision 1\ntree bcast\nattribute ranks\nranks <= x : linear\nranks > x : linear\n", ":4:"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SCRATCH_FILE(file, "decision", cases[i].content);
    tutti_decision decision;
    if (tutti_decision_read(file.path, &decision, REASON) == TUTTI_OK)
      fail_msg("read: %s", cases[i].content);
    if (!strstr(error.message, file.path) || !strstr(error.message, cases[i].where))
      fail_msg("'%s' does not name %s of %s", error.message, cases[i].where, cases[i].content);
  }
}

/* Empty lines may stand before a tree, not in it. */
TEST(test_empty_lines)
{
  FREED_BY(tutti_decision_free)
  tutti_decision decision = read_text(
      "tutti-decision 1\n\ntree bcast\nattribute bytes\n\n# now\nbytes <= 2KB : linear\nbytes > 2KB : binary\n");
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 2048, 0), "bcast/linear");
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 2049, 0), "bcast/binary");
}

TEST(test_rules_are_decisions)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = read_text("bcast/linear bytes=..8\nbcast/binomial\n");
  assert_string_equal(ask(&decision, TUTTI_COLL_BCAST, 4, 9, 0), "bcast/binomial");
  assert_null(tutti_decision_get_trees(&decision));
}
