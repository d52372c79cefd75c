/* Step tables, and the files of Open MPI and of Tutti read back. */
#include "unit/decision/libraries/openmpi_reader.h"
#include "unit/decision/libraries/target_fixture.h"

enum { MAX_RANKS = 300, QUESTIONS = 100000 };

/* Rules of all kinds: bytes between powers of two, single values, methods for some numbers of ranks only. */
static const char *const texts[] = {
    "bcast/linear ranks=..7 bytes=..1000\n"
    "bcast/pipeline/1KB ranks=5..99 bytes=1001..1010\n"
    "bcast/chain/4KB/k=2 ranks=64\n"
    "bcast/split-binary/32KB bytes=77777..\n"
    "bcast/binomial bytes=..3\n"
    "bcast/scatter-ring ranks=100..\n",
    "allgather/neighbor-exchange ranks=..20 bytes=13..4097\n"
    "allgather/two-process ranks=..4 bytes=100000..\n"
    "allgather/recursive-doubling ranks=8..200 bytes=..777\n"
    "allgather/ring ranks=3.. bytes=778..123456\n"
    "allgather/bruck\n",
    "reduce/rabenseifner ranks=32..48 bytes=8..\n"
    "reduce/pipeline/8KB bytes=12345..99999\n"
    "reduce/in-order-binomial\n",
    "alltoall/linear-sync/max_requests=299 bytes=5..17\n"
    "alltoall/bruck bytes=..100\n"
    "alltoall/pairwise ranks=..8\n"
    "alltoall/linear\n",
    "barrier/tree ranks=10..20\n"
    "barrier/bruck\n",
};
enum { TEXT_COUNT = sizeof texts / sizeof *texts };

TEST(test_tables_answer_as_rules_do)
{
  uint64_t seed = 1;
  for (int t = 0; t < TEXT_COUNT; t++) {
    tutti_decision decision = fixture_rules(texts[t]);
    tutti_range range = tutti_range_without_map(MAX_RANKS);
    tutti_step_table table;
    assert_int_equal(tutti_step_table_create(&decision, decision.collective, &range, &table, &error), TUTTI_OK);
    for (int i = 0; i < QUESTIONS; i++) {
      int ranks = fixture_ranks(&seed, MAX_RANKS);
      uint64_t bytes = fixture_bytes(&seed);
      tutti_method wanted;
      int index = tutti_step_table_find(&table, ranks, bytes);
      assert_int_equal(fixture_wanted(&decision, decision.collective, ranks, bytes, &wanted), index >= 0);
      if (index >= 0)
        assert_int_equal(tutti_method_compare(&table.methods[index], &wanted), 0);
    }
    tutti_step_table_free(&table);
    tutti_decision_free(&decision);
  }
}

/* By the tables of ids in coll_tuned_*_decision.c, and the sizes that coll_tuned_decision_dynamic.c compares. */
static const struct {
  tutti_collective collective;
  long id;
  bool total, sizeless;
} collectives[] = {{TUTTI_COLL_BCAST, 7, false, false},
                   {TUTTI_COLL_ALLGATHER, 0, true, false},
                   {TUTTI_COLL_REDUCE, 11, false, false},
                   {TUTTI_COLL_ALLTOALL, 3, true, false},
                   {TUTTI_COLL_BARRIER, 6, false, true}};

static void compare(const struct openmpi_read_rule *rule, bool answered, const tutti_method *wanted)
{
  assert_int_equal(rule != NULL, answered);
  if (!answered)
    return;
  assert_int_equal(rule->algorithm, wanted->algorithm->openmpi_id);
  assert_int_equal(rule->segment, wanted->parameters.segment_bytes);
  if (strcmp(wanted->algorithm->name, "chain") == 0)
    assert_int_equal(rule->faninout, wanted->parameters.k);
}

/* At random, and at each step and the byte before. */
static void compare_file(const struct openmpi_read_file *file, const tutti_decision *decision, int c, uint64_t *seed)
{
  static const uint64_t edges[] = {0,     3,      4,     12,    13,   777,  778,    1000,  1001,  1010,
                                   1011,  5,      17,    18,    4097, 4098, 7,      8,     12344, 12345,
                                   99999, 100000, 77776, 77777, 100,  101,  123456, 123457};
  enum { EDGES = sizeof edges / sizeof *edges };
  for (int i = 0; i < QUESTIONS; i++) {
    int ranks = i < EDGES * (MAX_RANKS - 1) ? 2 + i / EDGES : fixture_ranks(seed, MAX_RANKS);
    uint64_t bytes = i < EDGES * (MAX_RANKS - 1) ? edges[i % EDGES] : fixture_bytes(seed);
    tutti_method wanted;
    bool answered = fixture_wanted(decision, collectives[c].collective, ranks, bytes, &wanted);
    uint64_t key = collectives[c].sizeless ? 0 : bytes * (collectives[c].total ? (uint64_t)ranks : 1);
    compare(openmpi_look_up(file, collectives[c].id, ranks, (long)key), answered, &wanted);
  }
}

TEST(test_openmpi_reads_what_was_decided)
{
  uint64_t seed = 2;
  tutti_decision decisions[TEXT_COUNT];
  tutti_export_part parts[TEXT_COUNT];
  for (int t = 0; t < TEXT_COUNT; t++) {
    tutti_range range = tutti_range_without_map(MAX_RANKS);
    decisions[t] = fixture_rules(texts[t]);
    parts[t] = fixture_take("openmpi", &decisions[t], decisions[t].collective, &range);
    assert_int_equal(decisions[t].collective, collectives[t].collective);
  }
  FREED_BY(free_memory) char *text = fixture_write("openmpi", parts, TEXT_COUNT);
  FREED_BY(close_stream) FILE *stream = fmemopen(text, strlen(text), "r");
  FREED_BY(openmpi_read_free) struct openmpi_read_file file = openmpi_read(stream);
  assert_int_equal(file.count, TEXT_COUNT);
  for (int t = 0; t < TEXT_COUNT; t++) {
    compare_file(&file, &decisions[t], t, &seed);
    tutti_export_part_free(&parts[t]);
    tutti_decision_free(&decisions[t]);
  }
}

/* A decision about the total of all ranks needs one block. */
TEST(test_totals_are_one_block)
{
  char rules[4096] = "";
  for (int p = 2; p <= 40; p++)
    snprintf(rules + strlen(rules), sizeof rules - strlen(rules), "allgather/bruck ranks=%d bytes=..%d\n", p, 9999 / p);
  strcat(rules, "allgather/ring\n");
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules(rules);
  tutti_range range = tutti_range_without_map(40);
  FREED_BY(tutti_export_part_free)
  tutti_export_part part = fixture_take("openmpi", &decision, TUTTI_COLL_ALLGATHER, &range);
  FREED_BY(free_memory) char *text = fixture_write("openmpi", &part, 1);
  FREED_BY(close_stream) FILE *stream = fmemopen(text, strlen(text), "r");
  FREED_BY(openmpi_read_free) struct openmpi_read_file file = openmpi_read(stream);
  assert_int_equal(file.collectives[0].count, 1);
  for (long p = 2; p <= 40; p++) {
    assert_int_equal(openmpi_look_up(&file, 0, p, 9999 / p * p)->algorithm, 2);
    assert_int_equal(openmpi_look_up(&file, 0, p, (9999 / p + 1) * p)->algorithm, 4);
  }
}

/* Beyond the range the library decides. */
TEST(test_nothing_is_claimed_beyond)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules("bcast/linear\n");
  tutti_range range = {.min_ranks = 4, .max_ranks = 9, .min_bytes = 16, .max_bytes = 1000};
  FREED_BY(tutti_export_part_free)
  tutti_export_part part = fixture_take("openmpi", &decision, TUTTI_COLL_BCAST, &range);
  FREED_BY(free_memory) char *text = fixture_write("openmpi", &part, 1);
  FREED_BY(close_stream) FILE *stream = fmemopen(text, strlen(text), "r");
  FREED_BY(openmpi_read_free) struct openmpi_read_file file = openmpi_read(stream);
  for (long p = 1; p < 20; p++)
    for (long bytes = 0; bytes < 1100; bytes++)
      assert_int_equal(openmpi_look_up(&file, 7, p, bytes) != NULL, p >= 4 && p <= 9 && bytes >= 16 && bytes <= 1000);
}

TEST(test_rules_come_back)
{
  uint64_t seed = 3;
  for (int t = 0; t < TEXT_COUNT; t++) {
    tutti_decision decision = fixture_rules(texts[t]);
    tutti_range range = tutti_range_without_map(MAX_RANKS);
    tutti_export_part part = fixture_take("tutti", &decision, decision.collective, &range);
    char *text = fixture_write("tutti", &part, 1);
    tutti_decision again = fixture_rules(text);
    for (int i = 0; i < QUESTIONS / 10; i++) {
      int ranks = fixture_ranks(&seed, MAX_RANKS);
      uint64_t bytes = fixture_bytes(&seed);
      tutti_method wanted, got;
      bool answered = fixture_wanted(&decision, decision.collective, ranks, bytes, &wanted);
      assert_int_equal(fixture_wanted(&again, decision.collective, ranks, bytes, &got), answered);
      if (answered)
        assert_int_equal(tutti_method_compare(&wanted, &got), 0);
    }
    tutti_decision_free(&again);
    free(text);
    tutti_export_part_free(&part);
    tutti_decision_free(&decision);
  }
}

/* Methods that targets do not have as they are. */
TEST(test_foreign_methods_are_named)
{
  static const struct {
    const char *target, *rule, *named;
  } cases[] = {
      {"openmpi", "bcast/linear/1KB\n", "bcast/linear/1KB"}, /* segments of basic_linear */
      {"openmpi", "bcast/k-nomial/k=8\n", "k=8"},            /* another radix */
      {"openmpi", "bcast/pipeline/1KB/outstanding=2\n", "outstanding=2"},
      {"openmpi", "bcast/in-order-binomial\n", "in-order-binomial"}, /* not in coll/tuned */
      {"openmpi", "alltoall/linear-sync/max_requests=8\n", "max_requests=8"},
      {"openmpi", "allreduce/reduce-bcast/reduce=linear\n", "reduce=linear"},
      {"openmpi", "scatterv/linear\n", "no choice of algorithms for scatterv"},
      {"openmpi", "scan/linear bytes=..8\nscan/binomial\n", "scan/linear"}, /* it does not look at the count */
      {"mpich", "bcast/in-order-binomial/1KB\n", "1KB"},
      {"mpich", "bcast/scatter-recursive-doubling\n", "(3 ranks)"}, /* asserts powers of two */
      {"mpich", "alltoall/linear-sync\n", "alltoall/linear-sync"},  /* 32 requests, not 4 */
      {"smpi", "bcast/pipeline\n", "bcast/pipeline"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tutti_decision decision = fixture_rules(cases[i].rule);
    tutti_range range = tutti_range_without_map(40);
    tutti_export_part part;
    assert_int_equal(tutti_export_part_create(fixture_target(cases[i].target), &decision, decision.collective, &range,
                                              NULL, 0, &part, REASON),
                     TUTTI_ERR_ARGUMENT);
    if (!strstr(error.message, cases[i].named) || !strstr(error.message, "rules"))
      fail_msg("'%s' does not name %s", error.message, cases[i].named);
    tutti_decision_free(&decision);
  }
}

/* Algorithms that came with a version go into files of that one and of later ones. */
TEST(test_newer_algorithms)
{
  static const char *const targets[] = {"openmpi-4.1", "openmpi-5", "openmpi-6"};
  static const struct {
    const char *method;
    int first; /* of the targets; 3: none */
  } since[] = {{"allgather/ring", 0},
               {"allgather/sparbit", 1},
               {"allgatherv/sparbit", 1},
               {"allgather/direct-messaging", 2},
               {"allreduce/allgather-reduce", 2},
               {"allgather/k-bruck/k=5", 2},
               {"alltoall/two-process", 3}, /* on 8 ranks */
               {"scatter/linear-nonblocking", 0},
               {"reduce/k-nomial/k=4", 2},
               {"reduce/k-nomial/k=3", 3}};
  for (size_t i = 0; i < sizeof since / sizeof *since; i++)
    for (int t = 0; t < 3; t++) {
      const tutti_target *target;
      tutti_method method;
      assert_int_equal(tutti_method_parse(since[i].method, &method, NULL), TUTTI_OK);
      assert_int_equal(tutti_target_find(targets[t], &target, NULL), TUTTI_OK);
      assert_int_equal(tutti_target_supports(target, &method, 8), t >= since[i].first);
    }
}

TEST(test_unknown_targets)
{
  const tutti_target *target;
  assert_fails(tutti_target_find("lam", &target, REASON), TUTTI_ERR_ARGUMENT, error, "'lam'");
  for (size_t i = 0; tutti_target_at(i); i++) {
    assert_int_equal(tutti_target_find(tutti_target_at(i)->name, &target, REASON), TUTTI_OK);
    assert_ptr_equal(target, tutti_target_at(i));
  }
}

/* What tutti lint reads can be written. */
TEST(test_versions_are_targets)
{
  static const struct {
    const char *version, *target;
  } versions[] = {{"openmpi-4.0", "openmpi-4.1"}, {"openmpi-5.0.7", "openmpi-5"}, {"mpich-4.2.1", "mpich-4.2"},
                  {"mpich-5", "mpich-5"},         {"mpich-5.0.2", "mpich-5"},     {"mpich", "mpich-4.0"}};
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
    const tutti_target *target;
    assert_int_equal(tutti_target_find(versions[i].version, &target, NULL), TUTTI_OK);
    assert_string_equal(target->name, versions[i].target);
  }
}
