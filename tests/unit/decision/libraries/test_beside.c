/* Files of readers beside the main one of a library, which choose among native methods: written and read back. */
#include "decision/libraries/libraries.h"
#include "unit/decision/libraries/target_fixture.h"
#include "unit/decision/map_fixture.h"

enum { DECISIONS = 20, MAX_RANKS = 64, QUESTIONS = 200, MAX_RULES = 8 };

/* The number of decisions of each target: unit-decision beside NUMBER. */
static char **arguments;
TEST_ARGUMENTS(arguments)

/* A target, the collectives and the selectors of its files, "" for the library's own choice, and the one that is it
   always (NULL: none). */
static const struct beside {
  const char *target, *collectives[8], *selectors[6], *own;
} targets[] = {
    {"openmpi-han-4.1", {"bcast", "reduce", "allgather", "gather", "barrier"}, {"", "tuned", "basic", "han"}, "tuned"},
    {"openmpi-han-5", {"bcast", "allreduce", "scatter", "allgather"}, {"", "tuned", "basic", "han"}, "han"},
    {"mpich-ch4-4.0", {"bcast", "reduce"}, {"alpha", "beta", "gamma"}, NULL},
    {"mpich-ch4-4.0", {"barrier", "scan"}, {"alpha", "beta"}, NULL},
    {"mpich-ch4-4.1", {"bcast", "reduce"}, {"alpha", "beta", "gamma"}, NULL},
    {"mpich-ch4-4.1", {"allreduce", "barrier", "scan"}, {"alpha", "beta"}, NULL},
    {"mpich-posix-4.2", {"bcast", "reduce", "allreduce", "barrier"}, {"", "release_gather", "mpir"}, "release_gather"},
};

static const char *draw(const char *const *words, uint64_t *seed)
{
  uint64_t count = 0;
  while (words[count])
    count++;
  return words[random_below(seed, count)];
}

/* Calls without a size. */
static bool is_sizeless(tutti_collective collective)
{
  return collective == TUTTI_COLL_BARRIER || collective == TUTTI_COLL_SCAN;
}

/* Rules for one collective: each for some ranks and messages, the last for all. */
static tutti_decision draw_decision(const struct beside *beside, uint64_t *seed)
{
  const char *collective = draw(beside->collectives, seed);
  const int count = 1 + (int)random_below(seed, MAX_RULES);
  char text[4096] = "";
  for (int i = 0; i < count; i++) {
    const char *selector = draw(beside->selectors, seed);
    const int ranks = fixture_ranks(seed, MAX_RANKS);
    const uint64_t bytes = random_below(seed, 100000);
    char *end = text + strlen(text);
    end += sprintf(end, "%s/native%s%s", collective, *selector ? "/selector=" : "", selector);
    if (i + 1 < count)
      end += sprintf(end, " ranks=%d..%d", ranks, ranks + (int)random_below(seed, MAX_RANKS));
    if (i + 1 < count && strcmp(collective, "barrier") != 0 && strcmp(collective, "scan") != 0)
      end += sprintf(end, " bytes=%" PRIu64 "..%" PRIu64, bytes, bytes * (1 + random_below(seed, 100)));
    strcpy(end, "\n");
  }
  return fixture_rules(text);
}

/* The selector of an answer: that of the library's own choice for it. */
static const char *selector_of(const struct beside *beside, const tutti_method *method)
{
  assert_true(tutti_method_is_native(method));
  return method->parameters.k ? tutti_selector_name(method->parameters.k) : beside->own;
}

static void compare(const struct beside *beside, const tutti_decision *wanted, const tutti_decision *read,
                    uint64_t *seed)
{
  for (int i = 0; i < QUESTIONS; i++) {
    const tutti_question question = {.collective = wanted->collective,
                                     .ranks = 1 + fixture_ranks(seed, 2 * MAX_RANKS),
                                     .ranks_per_node = strstr(beside->target, "posix") ? 0 : 2,
                                     .rank_bytes = is_sizeless(wanted->collective) ? 0 : fixture_bytes(seed)};
    tutti_method a, b;
    assert_true(wanted->decide(wanted, &question, &a));
    assert_true(read->decide(read, &question, &b));
    if (strcmp(selector_of(beside, &a), selector_of(beside, &b)) != 0)
      fail_msg("%s, %d ranks, %" PRIu64 " B: %s became %s", beside->target, question.ranks, question.rank_bytes,
               selector_of(beside, &a), selector_of(beside, &b));
  }
}

static void round_trip(const struct beside *beside, uint64_t *seed)
{
  FREED_BY(tutti_decision_free) tutti_decision decision = draw_decision(beside, seed);
  const tutti_range range = tutti_range_without_map(4 * MAX_RANKS);
  FREED_BY(tutti_export_part_free)
  tutti_export_part part = fixture_take(beside->target, &decision, decision.collective, &range);
  FREED_BY(free_memory) char *text = fixture_write(beside->target, &part, 1);
  FREED_BY(close_tuning) tutti_tuning *tuning = fixture_open(beside->target, text);
  FREED_BY(tutti_decision_free) tutti_decision read = tutti_tuning_decision(tuning, beside->target);
  tutti_library_version version;
  tutti_findings findings = {0};
  assert_ok(tutti_library_version_parse(beside->target, &version, &error), error);
  tutti_lint_text(text, strlen(text), "file", &version, &findings);
  for (size_t i = 0; i < findings.count; i++) /* a build may have no shared memory */
    assert_string_equal(findings.items[i].code->name, "MPICH-028");
  compare(beside, &decision, &read, seed);
  tutti_findings_free(&findings);
}

TEST(files_are_read_back)
{
  const int count = arguments && *arguments ? atoi(*arguments) : DECISIONS;
  uint64_t seed = 1;
  for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
    for (int i = 0; i < count; i++)
      round_trip(&targets[t], &seed);
}

/* What a file cannot select is refused with what it can. */
TEST(others_are_refused)
{
  static const char *const rules[] = {"bcast/binomial\n", "bcast/native/selector=sm\n", "bcast/native/selector=ompi\n"};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules(rules[i]);
    const tutti_range range = tutti_range_without_map(8);
    tutti_export_part part;
    assert_int_equal(tutti_export_part_create(fixture_target("openmpi-han-5"), &decision, TUTTI_COLL_BCAST, &range,
                                              NULL, 0, &part, &error),
                     TUTTI_ERR_ARGUMENT);
    assert_non_null(strstr(error.message, "is not supported by openmpi-han-5"));
  }
  char text[200];
  assert_string_equal(tutti_target_supported(fixture_target("openmpi-han-4.1"), TUTTI_COLL_BCAST, 8, 0, text, sizeof text),
                      "native/selector=tuned, native/selector=basic, native/selector=han");
}

/* Methods of MPICH that calls of all kinds get, or what stands for them. */
static const struct {
  const char *collective, *methods[4];
} mpich[] = {
    {"bcast", {"in-order-binomial", "scatter-ring"}},       {"allreduce", {"recursive-doubling", "rabenseifner"}},
    {"allgather", {"bruck", "ring", "recursive-doubling"}}, {"alltoall", {"bruck", "pairwise"}},
    {"reduce", {"in-order-binomial", "rabenseifner"}},
};

static tutti_tuning *draw_selection(const char *target, const tutti_decision *decision)
{
  const tutti_range range = tutti_range_without_map(4 * MAX_RANKS);
  FREED_BY(tutti_export_part_free)
  tutti_export_part part = fixture_take(target, decision, decision->collective, &range);
  FREED_BY(free_memory) char *text = fixture_write(target, &part, 1);
  tutti_library_version version;
  tutti_findings findings = {0};
  assert_ok(tutti_library_version_parse(target, &version, &error), error);
  tutti_lint_text(text, strlen(text), "file", &version, &findings);
  assert_int_equal(findings.count, 0);
  tutti_findings_free(&findings);
  return fixture_open(target, text);
}

static void compare_notations(const tutti_decision *decision, uint64_t *seed)
{
  FREED_BY(close_tuning) tutti_tuning *old = draw_selection("mpich-5", decision);
  FREED_BY(close_tuning) tutti_tuning *new = draw_selection("mpich-5.1", decision);
  for (int i = 0; i < QUESTIONS; i++) {
    const tutti_explained_call call = {.collective = decision->collective,
                                       .ranks = fixture_ranks(seed, 2 * MAX_RANKS),
                                       .ranks_per_node = (int)random_below(seed, 3),
                                       .rank_bytes = fixture_bytes(seed),
                                       .ordered = random_below(seed, 4) == 0,
                                       .own_operation = random_below(seed, 4) == 0,
                                       .in_place = random_below(seed, 4) == 0};
    tutti_explanation a, b;
    assert_ok(tutti_explain_answer(old, &call, &a, &error), error);
    assert_ok(tutti_explain_answer(new, &call, &b, &error), error);
    assert_false(a.fails || b.fails);
    assert_string_equal(a.algorithm, b.algorithm);
    assert_int_equal(a.min, b.min);
    assert_int_equal(a.max, b.max);
  }
}

/* The same decision in both notations of MPICH's selection. */
TEST(notations_say_the_same)
{
  const int count = arguments && *arguments ? atoi(*arguments) : DECISIONS;
  uint64_t seed = 2;
  for (int i = 0; i < count; i++) {
    const size_t c = random_below(&seed, sizeof mpich / sizeof *mpich);
    char text[1024] = "";
    for (int rule = 0; rule < 4; rule++) {
      const uint64_t bytes = random_below(&seed, 100000);
      sprintf(text + strlen(text), "%s/%s", mpich[c].collective, draw(mpich[c].methods, &seed));
      if (rule < 3)
        sprintf(text + strlen(text), " ranks=..%d bytes=%" PRIu64 "..%" PRIu64, fixture_ranks(&seed, MAX_RANKS), bytes,
                10 * bytes);
      strcat(text, "\n");
    }
    FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules(text);
    compare_notations(&decision, &seed);
  }
}

/* Selectors are judged by their own times, and what is not one is replaced by the best that is. */
TEST(selectors_are_judged_by_their_times)
{
  const tutti_measurement points[] = {
      map_point("bcast/native", 4, 8, 2), map_point("bcast/native/selector=han", 4, 8, 1),
      map_point("bcast/native/selector=basic", 4, 8, 3), map_point("bcast/binomial@openmpi", 4, 8, 2)};
  static const struct {
    const char *rule, *method;
    int replaced;
    double mean;
  } cases[] = {{"bcast/native/selector=han\n", "bcast/native/selector=han", 0, 0},
               {"bcast/native/selector=basic\n", "bcast/native/selector=basic", 0, 200},
               {"bcast/binomial@openmpi\n", "bcast/native/selector=han", 1, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    FREED_BY(tutti_decision_map_free) tutti_decision_map map = map_make(points, 4);
    FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules(cases[i].rule);
    char name[TUTTI_METHOD_LENGTH];
    tutti_decision_map_choose(&map, (tutti_candidates){.implementation = TUTTI_IMPLEMENTATION_OPENMPI, .native = true});
    tutti_range range = tutti_range_of_map(&map);
    FREED_BY(tutti_export_part_free)
    tutti_export_part part = fixture_take("openmpi-han-4.1", &decision, TUTTI_COLL_BCAST, &range);
    const int method = tutti_step_table_find(&part.table, 4, 8);
    assert_true(method >= 0);
    assert_string_equal(tutti_method_format(&part.table.methods[method], name), cases[i].method);
    assert_int_equal(part.replaced, cases[i].replaced);
    assert_float_equal(part.after.mean, cases[i].mean, 1e-9);
    assert_int_equal(part.unmeasured_count, 0);
  }
}
