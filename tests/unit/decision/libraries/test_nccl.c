/* Files of NCCL and NCCLX: random decisions written and read back, against the explanation and against a reader of the
   table that does what the plug-in's does with the functions of C. */
#include "unit/decision/libraries/target_fixture.h"

enum { MAX_RANKS = 40, QUESTIONS = 1000 };

static int decisions = 20; /* of each format: unit-decision nccl NUMBER */
static char **decisions_given;
TEST_ARGUMENTS(decisions_given)

static const struct {
  tutti_collective collective;
  const char *word, *methods[2];
  bool all;
} collectives[] = {
    {TUTTI_COLL_BCAST, "broadcast", {"bcast/pipeline", "bcast/native"}, false},
    {TUTTI_COLL_REDUCE, "reduce", {"reduce/pipeline", "reduce/native"}, false},
    {TUTTI_COLL_ALLREDUCE, "allreduce", {"allreduce/ring", "allreduce/two-tree"}, false},
    {TUTTI_COLL_ALLGATHER, "allgather", {"allgather/ring", "allgather/pat"}, true},
    {TUTTI_COLL_REDUCE_SCATTER_BLOCK, "reducescatter", {"reduce_scatter_block/ring", "reduce_scatter_block/pat"}, true},
};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

/* Rules over random ranks and sizes; the last may be missing: NCCL's own choice. */
static char *random_rules(int c, uint64_t *seed)
{
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  const int count = 1 + (int)random_below(seed, 4);
  for (int i = 0; i < count; i++) {
    const int from = fixture_ranks(seed, MAX_RANKS), to = from + (int)random_below(seed, 9);
    const uint64_t first = fixture_bytes(seed), last = first + fixture_bytes(seed);
    fprintf(stream, "%s ranks=%d..%d bytes=%" PRIu64 "..%" PRIu64 "\n", collectives[c].methods[random_below(seed, 2)],
            from, to, first, last);
  }
  if (random_below(seed, 2) || count == 0)
    fprintf(stream, "%s\n", collectives[c].methods[random_below(seed, 2)]);
  fclose(stream);
  return text;
}

/* What the plug-in picks: "ring" and so on, or nothing. */
static const char *plugin_picks(const char *text, int c, uint64_t bytes, int nodes, int ranks, char word[24])
{
  for (const char *line = text; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
    char collective[24], protocol[24];
    unsigned long long min, max;
    int channels, of_nodes, of_ranks;
    if (*line == '#' || sscanf(line, "%23[^,],%llu,%llu,%23[^,],%23[^,],%d,%d,%d", collective, &min, &max, word,
                               protocol, &channels, &of_nodes, &of_ranks) != 8)
      continue;
    if (strcmp(collective, collectives[c].word) == 0 && bytes >= min && bytes <= max &&
        (of_nodes == -1 || of_nodes == nodes) && (of_ranks == -1 || of_ranks == ranks))
      return word;
  }
  return NULL;
}

static void check_plugin(const char *text, int c, int ranks, uint64_t bytes, const tutti_explanation *answer)
{
  char word[24];
  const uint64_t total = collectives[c].all ? bytes * (uint64_t)ranks : bytes;
  const char *picked = plugin_picks(text, c, total, (ranks + 3) / 4, ranks, word);
  assert_int_equal(picked == NULL, answer->own_choice);
  if (picked)
    assert_memory_equal(answer->algorithm, picked, strlen(picked));
}

static void check_wanted(const tutti_decision *decision, int c, int ranks, uint64_t bytes,
                         const tutti_explanation *answer)
{
  tutti_method wanted;
  const bool answered =
      fixture_wanted(decision, collectives[c].collective, ranks, bytes, &wanted) && !tutti_method_is_native(&wanted);
  if (answered != !answer->own_choice || (answered && tutti_method_compare(&wanted, &answer->method) != 0))
    fail_msg("%s on %d ranks, %" PRIu64 " B: %s", collectives[c].word, ranks, bytes, answer->algorithm);
}

/* Four ranks a node. NCCLX compares whole bytes a rank, and takes communicators that do not fill their nodes for
 * others.
 */
static void check_file(const char *target, const char *text, const tutti_decision *decision, int c, uint64_t *seed)
{
  const bool per_rank = strcmp(target, "ncclx") == 0;
  tutti_tuning *tuning = fixture_open(target, text);
  for (int i = 0; i < QUESTIONS; i++) {
    tutti_explanation answer;
    int ranks = fixture_ranks(seed, MAX_RANKS);
    uint64_t bytes = fixture_bytes(seed);
    ranks -= per_rank && ranks > 4 ? ranks % 4 : 0;
    bytes = per_rank && !collectives[c].all ? bytes / (uint64_t)ranks * (uint64_t)ranks : bytes;
    const tutti_explained_call call = {
        .collective = collectives[c].collective, .ranks = ranks, .ranks_per_node = 4, .rank_bytes = bytes};
    assert_ok(tutti_explain(tuning, &call, &answer, &error), error);
    assert_true(answer.min <= bytes && bytes <= answer.max);
    check_wanted(decision, c, ranks, bytes, &answer);
    if (!per_rank)
      check_plugin(text, c, ranks, bytes, &answer);
    tutti_explanation_free(&answer);
  }
  tutti_tuning_close(tuning);
}

static void check_findings(const char *target, const char *text)
{
  tutti_library_version version;
  tutti_findings findings = {0};
  SCRATCH_FILE(file, "tuning", text);
  assert_int_equal(tutti_library_version_parse(target, &version, &error), TUTTI_OK);
  assert_ok(tutti_lint_file(file.path, &version, &findings, &error), error);
  if (findings.count > 0)
    fail_msg("%s:%d: %s", target, findings.items->line, findings.items->message);
  tutti_findings_free(&findings);
}

static void check_round_trips(const char *target)
{
  uint64_t seed = 7;
  if (decisions_given && *decisions_given)
    decisions = atoi(*decisions_given);
  for (int d = 0; d < decisions; d++) {
    const int c = d % COLLECTIVES;
    FREED_BY(free_memory) char *rules = random_rules(c, &seed);
    FREED_BY(tutti_decision_free) tutti_decision decision = fixture_rules(rules);
    const tutti_range range = tutti_range_without_map(MAX_RANKS);
    FREED_BY(tutti_export_part_free)
    tutti_export_part part = fixture_take(target, &decision, collectives[c].collective, &range);
    FREED_BY(free_memory) char *text = fixture_write(target, &part, 1);
    check_file(target, text, &decision, c, &seed);
    check_findings(target, text);
  }
}

TEST(nccl_round_trips)
{
  check_round_trips("nccl");
}

TEST(ncclx_round_trips)
{
  check_round_trips("ncclx");
}

#define RULE(filter, config)                                                                                           \
  "{\"rules\": [\n{\"filter\": {" filter "}, \"config\": {\"protocol\": \"ll\", " config "}}]}"

/* The example of NCCLX's documentation, and calls around its bounds. */
TEST(intervals)
{
  static const char text[] =
      RULE("\"collective\": \"allgather\", \"bytesPerRank\": \"(1024, 4096]\", \"nNodes\": \"(1,)\", "
           "\"nLocalRanks\": 4",
           "\"algorithm\": \"pat\", \"channels\": 4, \"chunkSize\": 8192");
  static const struct {
    int ranks;
    uint64_t bytes;
    bool own;
  } calls[] = {{8, 1024, true}, {8, 1025, false}, {8, 4096, false},
               {8, 4097, true}, {4, 2048, true},  {16, 2048, false}};
  tutti_tuning *tuning = fixture_open("ncclx", text);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    tutti_explanation answer;
    const tutti_explained_call call = {
        .collective = TUTTI_COLL_ALLGATHER, .ranks = calls[i].ranks, .ranks_per_node = 4, .rank_bytes = calls[i].bytes};
    assert_ok(tutti_explain(tuning, &call, &answer, &error), error);
    assert_int_equal(answer.own_choice, calls[i].own);
    if (!calls[i].own)
      assert_string_equal(answer.algorithm, "pat, ll, 4 channels, chunks of 8192 B");
    tutti_explanation_free(&answer);
  }
  tutti_tuning_close(tuning);
}
