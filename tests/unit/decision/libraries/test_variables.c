/* Targets made of variables: random decisions written, read back as the library reads them, and asked. As many as
   VARIABLES_DECISIONS says. */
#include <ctype.h>

#include "base/memory.h"
#include "decision/libraries/libraries.h"
#include "tutti/algorithm.h"
#include "unit/decision/libraries/target_fixture.h"

enum { MAX_RANKS = 40, QUESTIONS = 50, MAX_METHODS = 200, TEXT = 4000 };

static const char *const targets[] = {"ucc", "ucc-conf", "intelmpi", "mvapich", "mvapich2"};

enum { TARGETS = sizeof targets / sizeof *targets };

/* Decisions for one target: methods that it supports. */
struct random {
  const tutti_target *target;
  uint64_t seed;
  int answered; /* questions that the decision answers */
  char text[TEXT];
};

static bool supported(const struct random *random, const tutti_method *method, int first, int last)
{
  for (int ranks = first; ranks <= last; ranks++)
    if (!tutti_target_supports(random->target, method, ranks))
      return false;
  return true;
}

/* A method that the target supports on all of these ranks; false: the drawn one is not. */
static bool draw_method(struct random *random, tutti_collective collective, int first, int last, tutti_method *method)
{
  const tutti_algorithm *algorithm = tutti_algorithm_at(random_below(&random->seed, tutti_algorithm_count()));
  if (algorithm->collective != collective || strcmp(algorithm->name, "k-dissemination") == 0)
    return false; /* which with a radix of 2 is barrier/bruck in a file */
  *method = tutti_method_default(algorithm);
  if (algorithm->parameters & TUTTI_TAKES_K && random_below(&random->seed, 2))
    method->parameters.k = 2 + (int)random_below(&random->seed, 8);
  return supported(random, method, first, last);
}

static void add_rule(struct random *random, tutti_collective collective, bool sized, bool last_rule)
{
  char name[TUTTI_METHOD_LENGTH];
  tutti_method method;
  for (int tries = 0; tries < 20000; tries++) {
    const int first = last_rule ? 2 : fixture_ranks(&random->seed, MAX_RANKS);
    const int last =
        last_rule ? MAX_RANKS : first + (int)random_below(&random->seed, (uint64_t)(MAX_RANKS - first + 1));
    const uint64_t from = fixture_bytes(&random->seed) >> 8;
    if (!draw_method(random, collective, first, last, &method))
      continue;
    char *end = random->text + strlen(random->text);
    end += sprintf(end, "%s ranks=%d..%d", tutti_method_format(&method, name), first, last);
    if (sized && !last_rule)
      end += sprintf(end, " bytes=%" PRIu64 "..%" PRIu64, from, from + fixture_bytes(&random->seed));
    strcpy(end, "\n");
    return;
  }
}

static void draw_decision(struct random *random)
{
  *random->text = '\0';
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    const tutti_size_unit unit = random->target->unit((tutti_collective)c);
    if (unit == TUTTI_UNIT_ABSENT || random_below(&random->seed, 3) == 0)
      continue;
    for (uint64_t rules = random_below(&random->seed, 4); rules > 0 && !random->target->single; rules--)
      add_rule(random, (tutti_collective)c, unit != TUTTI_UNIT_NONE, false);
    if (random->target->single || random_below(&random->seed, 2))
      add_rule(random, (tutti_collective)c, false, true);
  }
}

static void ask(struct random *random, const tutti_decision *decision, const tutti_tuning *tuning,
                const tutti_explained_call *call)
{
  tutti_explanation answer;
  tutti_method wanted;
  char names[2][TUTTI_METHOD_LENGTH] = {"none", "none"};
  const bool answered = fixture_wanted(decision, call->collective, call->ranks, call->rank_bytes, &wanted);
  assert_ok(tutti_explain(tuning, call, &answer, &error), error);
  random->answered += answered;
  if (answered ? !answer.known || tutti_method_compare(&wanted, &answer.method) != 0 : !answer.own_choice) {
    if (answered)
      tutti_method_format(&wanted, names[0]);
    if (answer.known)
      tutti_method_format(&answer.method, names[1]);
    fail_msg("%s, %d ranks, %" PRIu64 " B: %s became %s (%s) in the file for %s of\n%s",
             tutti_collective_name(call->collective), call->ranks, call->rank_bytes, names[0], names[1],
             answer.algorithm, random->target->name, random->text);
  }
  tutti_explanation_free(&answer);
}

static void ask_all(struct random *random, const tutti_decision *decision, const tutti_tuning *tuning)
{
  for (int i = 0; i < QUESTIONS; i++) {
    const tutti_explained_call call = {.collective = (tutti_collective)random_below(&random->seed, TUTTI_COLL_COUNT),
                                       .ranks = fixture_ranks(&random->seed, MAX_RANKS),
                                       .rank_bytes = fixture_bytes(&random->seed)};
    const bool fits = call.rank_bytes * (uint64_t)call.ranks < INT_MAX || strcmp(random->target->name, "intelmpi") != 0;
    if (random->target->unit(call.collective) != TUTTI_UNIT_ABSENT && fits)
      ask(random, decision, tuning, &call);
  }
}

static void read_back(struct random *random, const tutti_decision *decision)
{
  const tutti_range range = {
      .min_ranks = 2, .max_ranks = MAX_RANKS, .max_bytes = UINT64_MAX, .extend = random->target->single};
  tutti_export_part parts[TUTTI_COLL_COUNT];
  int count = 0;
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    if (strstr(random->text, tutti_collective_name((tutti_collective)c)) &&
        random->target->unit((tutti_collective)c) != TUTTI_UNIT_ABSENT &&
        tutti_export_part_create(random->target, decision, (tutti_collective)c, &range, NULL, 0, &parts[count],
                                 REASON) == TUTTI_OK)
      count++;
  FREED_BY(free_memory) char *text = fixture_write(random->target->name, parts, count);
  tutti_library_version version;
  tutti_findings findings = {.count = 0};
  const char *dash = strchr(random->target->name, '-');
  FREED_BY(free_memory)
  char *library = dash && !isdigit((unsigned char)dash[1])
                      ? strndup(random->target->name, (size_t)(dash - random->target->name))
                      : strdup(random->target->name);
  assert_ok(tutti_library_version_parse(library, &version, &error), error);
  tutti_lint_text(text, strlen(text), "file", &version, &findings);
  if (findings.count > 0)
    fail_msg("%s: %s\n%s", findings.items[0].code->name, findings.items[0].message, text);
  tutti_findings_free(&findings);
  FREED_BY(close_tuning) tutti_tuning *tuning = fixture_open(library, text);
  ask_all(random, decision, tuning);
  for (int i = 0; i < count; i++)
    tutti_export_part_free(&parts[i]);
}

TEST(test_random_decisions_come_back)
{
  const char *asked = getenv("VARIABLES_DECISIONS");
  const int decisions = asked ? atoi(asked) : 20;
  for (int t = 0; t < TARGETS; t++) {
    struct random random = {.target = fixture_target(targets[t]), .seed = 47};
    for (int i = 0; i < decisions;) {
      draw_decision(&random);
      if (!*random.text)
        continue;
      i++;
      FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules(random.text);
      read_back(&random, &decision);
    }
    assert_true(random.answered > 5 * decisions);
    if (asked)
      print_message("%s: %d decisions, %d answers\n", targets[t], decisions, random.answered);
  }
}

#define FLAT "MV2_USE_INDEXED_TUNING=0\nMV2_USE_INDEXED_ALLTOALL_TUNING=0\n"

/* What the sources of 2.3.4 do with these. */
TEST(test_mvapich2)
{
  static const struct {
    const char *text;
    tutti_collective collective;
    uint64_t bytes;
    const char *algorithm; /* on 4 ranks; NULL: its own choice */
  } cases[] = {
      {"MV2_ALLTOALL_TUNING=3\n", TUTTI_COLL_ALLTOALL, 8, "pairwise"},
      {"MV2_ALLTOALL_TUNING=77\n", TUTTI_COLL_ALLTOALL, 8, "Bruck's"},
      {"MV2_ALLTOALL_TUNING=3\n", TUTTI_COLL_ALLGATHER, 8, NULL},
      {"MV2_ALLTOALL_TUNING=0:0-8,3:8-+\n", TUTTI_COLL_ALLTOALL, 8, "undefined"},
      {FLAT "MV2_ALLTOALL_TUNING=0:0-8,3:8-+\n", TUTTI_COLL_ALLTOALL, 8, "Bruck's"},
      {FLAT "MV2_ALLTOALL_TUNING=0:0-8,3:8-+\n", TUTTI_COLL_ALLTOALL, 9, "pairwise"},
      {FLAT "MV2_ALLTOALL_TUNING=0:0-8,3:99-100\n", TUTTI_COLL_ALLTOALL, 1000, "pairwise"},
      {FLAT "MV2_ALLTOALL_TUNING=0:0-8,junk\n", TUTTI_COLL_ALLTOALL, 9, "undefined"},
      {"export MV2_ALLTOALL_TUNING=$WHICH\n", TUTTI_COLL_ALLTOALL, 8, "unknown"},
      {"MV2_INTER_ALLREDUCE_TUNING=9\n", TUTTI_COLL_ALLREDUCE, 8, "ring"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const tutti_explained_call call = {.collective = cases[i].collective, .ranks = 4, .rank_bytes = cases[i].bytes};
    FREED_BY(close_tuning) tutti_tuning *tuning = fixture_open("mvapich2", cases[i].text);
    tutti_explanation answer;
    assert_ok(tutti_explain_answer(tuning, &call, &answer, &error), error);
    if (answer.own_choice != !cases[i].algorithm ||
        (cases[i].algorithm && strcmp(answer.algorithm, cases[i].algorithm) != 0))
      fail_msg("%s for\n%s", answer.algorithm, cases[i].text);
  }
}

#define TUNE "export UCC_TL_UCP_TUNE="

/* Thousands of tokens from the last sizes to the first, each for all types of memory: no token is compared with all
   others. */
TEST(test_ucc_many)
{
  enum { TOKENS = 5000, WIDTH = 10 };
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  fputs(TUNE "'", text.stream);
  for (int i = TOKENS - 1; i >= 0; i--)
    fprintf(text.stream, "#allreduce,bcast:%d-%d:@%s", WIDTH * i, WIDTH * (i + 1), i % 2 ? "1" : "dbt");
  fputs("'\n", text.stream);
  tutti_xclose_text(&text);
  FREED_BY(close_tuning) tutti_tuning *tuning = fixture_open("ucc", text.text);
  free(text.text);
  for (int bytes = 0; bytes < WIDTH * TOKENS; bytes += 1237) {
    const tutti_explained_call call = {.collective = TUTTI_COLL_BCAST, .ranks = 4, .rank_bytes = (uint64_t)bytes};
    tutti_explanation answer;
    assert_ok(tutti_explain(tuning, &call, &answer, &error), error);
    assert_string_equal(answer.algorithm, bytes / WIDTH % 2 ? "sag_knomial, UCC's radix" : "dbt");
    assert_int_equal(answer.min, bytes / WIDTH * WIDTH);
    assert_int_equal(answer.max, bytes / WIDTH * WIDTH + WIDTH - 1);
    tutti_explanation_free(&answer);
  }
}

/* What UCC 1.9.0 was seen to do with these. */
TEST(test_ucc)
{
  static const struct {
    const char *text;
    tutti_collective collective;
    uint64_t bytes;
    const char *algorithm; /* on 4 ranks; NULL: UCC's own choice */
  } cases[] = {
      {TUNE "allgather:0-4k:@sparbit\n", TUTTI_COLL_ALLGATHER, 1023, "sparbit"},
      {TUNE "allgather:0-4k:@sparbit\n", TUTTI_COLL_ALLGATHER, 1024, NULL},
      {TUNE "reduce_scatter:0-4k:@ring\n", TUTTI_COLL_REDUCE_SCATTER_BLOCK, 4095, "ring"},
      {TUNE "reduce_scatterv:0-4k:@ring\n", TUTTI_COLL_REDUCE_SCATTER, 1024, NULL},
      {TUNE "alltoallv:4k-inf:@hybrid#alltoallv:0-4k:@pairwise\n", TUTTI_COLL_ALLTOALLV, 4096, "pairwise"},
      {TUNE "allreduce:0-4k:inf:@ring#allreduce:4k-8k:@dbt\n", TUTTI_COLL_ALLREDUCE, 4096, "ring"},
      {TUNE "allreduce:0-4k:@ring#allreduce:4k-8k:@dbt\n", TUTTI_COLL_ALLREDUCE, 4096, "dbt"},
      {TUNE "allreduce:0-4k:@ring#allreduce:2k-8k:@dbt#bcast:@dbt\n", TUTTI_COLL_BCAST, 8, NULL},
      {TUNE "allreduce:0-4k,2k-8k:@ring#bcast:@dbt\n", TUTTI_COLL_BCAST, 8, NULL},
      {TUNE "allreduce:junk:@ring#bcast:@dbt\n", TUTTI_COLL_BCAST, 8, NULL},
      {TUNE "bcast:[3]:@9#allreduce:@ring\n", TUTTI_COLL_ALLREDUCE, 8, "ring"},
      {TUNE "bcast:[4]:@9#allreduce:@ring\n", TUTTI_COLL_ALLREDUCE, 8, NULL},
      {TUNE "barrier:@0#bcast:@dbt\n", TUTTI_COLL_BCAST, 8, NULL},
      {TUNE "bcast:cuda:@dbt\n", TUTTI_COLL_BCAST, 8, NULL},
      {TUNE "'##bcast::@DBT'\n", TUTTI_COLL_BCAST, 8, "dbt"},
      {TUNE "allreduce:0#bcast:@2\n", TUTTI_COLL_BCAST, 8, "dbt"},
      {"[team_size=2-3]\nUCC_TL_UCP_TUNE=bcast:@dbt\n[team_size=4-9]\nUCC_TL_UCP_TUNE=bcast:@1\n", TUTTI_COLL_BCAST, 8,
       "sag_knomial, UCC's radix"},
      {"UCC_TL_UCP_TUNE=bcast:@dbt\n[team_size=4]\nUCC_TL_UCP_TUNE=allreduce:@ring\n", TUTTI_COLL_BCAST, 8, "dbt"},
      {"[team_size=4]\nUCC_TL_UCP_TUNE: bcast:@dbt ; comment\n", TUTTI_COLL_BCAST, 8, "dbt"},
      {"[team_size=4]\nUCC_TL_UCP_TUNE=\"bcast:@dbt\"\n", TUTTI_COLL_BCAST, 8, NULL},
      {"[junk=4]\n[team_size=4]\nUCC_TL_UCP_TUNE=bcast:@dbt\n", TUTTI_COLL_BCAST, 8, NULL},
      {"junk\n[team_size=4]\nUCC_TL_UCP_TUNE=bcast:@dbt\n", TUTTI_COLL_BCAST, 8, NULL},
      {"[ppn=4 nnodes=1]\nUCC_TL_UCP_TUNE=bcast:@dbt\n", TUTTI_COLL_BCAST, 8, "dbt"},
      {"[ppn=1 nnodes=4]\nUCC_TL_UCP_TUNE=bcast:@dbt\n", TUTTI_COLL_BCAST, 8, NULL},
      {"[team_size=4]\nUCC_TL_UCP_TUNE=bcast:@0\nUCC_TL_UCP_BCAST_KN_RADIX=0-4k:host:3,2\n", TUTTI_COLL_BCAST, 4097,
       "knomial, radix 2"},
      {"[team_size=4]\nUCC_TL_UCP_TUNE=bcast:@0\nUCC_TL_UCP_BCAST_KN_RADIX=99999999999\n", TUTTI_COLL_BCAST, 8,
       "knomial, no radix that is known"},
      {"[team_size=4]\nUCC_TL_UCP_TUNE=bcast:@0\nUCC_TL_UCP_BCAST_KN_RADIX=1\n", TUTTI_COLL_BCAST, 8,
       "knomial, no radix that is known"},
      {"[team_size=4]\nUCC_TL_UCP_TUNE=bcast:@0\nUCC_TL_UCP_BCAST_KN_RADIX=auto\n", TUTTI_COLL_BCAST, 8,
       "knomial, UCC's radix"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const tutti_explained_call call = {
        .collective = cases[i].collective, .ranks = 4, .ranks_per_node = 4, .rank_bytes = cases[i].bytes};
    FREED_BY(close_tuning) tutti_tuning *tuning = fixture_open("ucc", cases[i].text);
    tutti_explanation answer;
    assert_ok(tutti_explain(tuning, &call, &answer, &error), error);
    if (answer.own_choice != !cases[i].algorithm ||
        (cases[i].algorithm && strcmp(answer.algorithm, cases[i].algorithm) != 0))
      fail_msg("%s for\n%s", answer.algorithm, cases[i].text);
    tutti_explanation_free(&answer);
  }
}
