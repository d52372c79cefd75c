/* Tuning files mended: without a point that loses they are as they were; where one loses the library chooses itself,
   and nowhere else. */
#include "unit/decision/libraries/target_fixture.h"
#include "unit/patience.h"

static const char *const targets[] = {"openmpi-4.1", "openmpi-6", "mpich-4.0", "mpich-4.1"};
enum { TARGETS = sizeof targets / sizeof *targets };

/* MPICH's binomial tree is another one. */
static const char openmpi_bcast[] =
    "bcast/binomial bytes=..2047\nbcast/scatter-ring ranks=4.. bytes=2048..100000\nbcast/binomial\n";
static const char mpich_bcast[] =
    "bcast/in-order-binomial bytes=..2047\nbcast/scatter-ring ranks=4.. bytes=2048..100000\nbcast/in-order-binomial\n";

static const char *const texts[] = {NULL, "allgather/bruck ranks=..7 bytes=..999\nallgather/ring\n",
                                    "alltoall/bruck bytes=..100\nalltoall/pairwise\n"};
enum { TEXTS = sizeof texts / sizeof *texts };

static const tutti_collective collectives[TEXTS] = {TUTTI_COLL_BCAST, TUTTI_COLL_ALLGATHER, TUTTI_COLL_ALLTOALL};

static char *export_all(const char *target)
{
  tutti_decision decisions[TEXTS];
  tutti_export_part parts[TEXTS];
  const tutti_range range = tutti_range_without_map(TUTTI_EVERY_RANKS);
  for (int t = 0; t < TEXTS; t++) {
    const char *bcast = strncmp(target, "mpich", 5) == 0 ? mpich_bcast : openmpi_bcast;
    decisions[t] = fixture_rules(texts[t] ? texts[t] : bcast);
    parts[t] = fixture_take(target, &decisions[t], collectives[t], &range);
  }
  char *text = fixture_write(target, parts, TEXTS);
  for (int t = 0; t < TEXTS; t++) {
    tutti_export_part_free(&parts[t]);
    tutti_decision_free(&decisions[t]);
  }
  return text;
}

static size_t unjudged; /* of the file mended last */

static char *mend(const tutti_tuning *tuning, const tutti_mended_point *points, size_t count)
{
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_ok(tutti_tuning_mend(tuning, points, count, 0, "a comment\nof two lines\n", stream, &unjudged, &error), error);
  fclose(stream);
  return text;
}

/* ---- where the library chooses ---- */

static const tutti_mended_point points[] = {
    {TUTTI_COLL_BCAST, 2, 8, false, false, false},      {TUTTI_COLL_BCAST, 2, 1000, true, false, false},
    {TUTTI_COLL_BCAST, 2, 5000, false, false, false},   {TUTTI_COLL_BCAST, 6, 8, true, false, false},
    {TUTTI_COLL_BCAST, 6, 1000, false, false, false},   {TUTTI_COLL_BCAST, 6, 5000, true, false, false},
    {TUTTI_COLL_ALLGATHER, 3, 64, false, false, false}, {TUTTI_COLL_ALLGATHER, 3, 777, true, false, false},
};
enum { POINTS = sizeof points / sizeof *points };

/* By hand: of bcast 2 ranks serve up to 5, 6 all others; of allgather both libraries compare all blocks together. */
static bool is_own(tutti_collective collective, int ranks, uint64_t bytes)
{
  if (collective == TUTTI_COLL_BCAST)
    return ranks < 6 ? bytes >= 1000 && bytes < 5000 : bytes < 1000 || bytes >= 5000;
  return collective == TUTTI_COLL_ALLGATHER && bytes * (uint64_t)ranks >= 777 * 3;
}

static void explain(const tutti_tuning *tuning, const tutti_explained_call *call, tutti_explanation *explanation)
{
  assert_ok(tutti_explain(tuning, call, explanation, &error), error);
}

/* The same runs, if by a rule or by the library's own choice. */
static void assert_same(const tutti_tuning *left, const tutti_tuning *right, const tutti_explained_call *call)
{
  tutti_explanation a, b;
  explain(left, call, &a);
  explain(right, call, &b);
  bool same = a.own_choice == b.own_choice ? strcmp(a.algorithm, b.algorithm) == 0
                                           : a.known && b.known && tutti_method_compare(&a.method, &b.method) == 0;
  if (!same)
    fail_msg("%s of %d ranks and %llu B: %s%s, %s%s", tutti_collective_name(call->collective), call->ranks,
             (unsigned long long)call->rank_bytes, a.algorithm, a.own_choice ? " (own)" : "", b.algorithm,
             b.own_choice ? " (own)" : "");
  tutti_explanation_free(&a);
  tutti_explanation_free(&b);
}

/* Communicators on one node, and with two ranks on each. @p untuned: NULL where nothing loses. */
static void compare_calls(const tutti_tuning *before, const tutti_tuning *mended, const tutti_tuning *untuned)
{
  static const uint64_t sizes[] = {0,    1,    7,    8,    63,   64,    100,   101,    776,    777,     999,
                                   1000, 1999, 2048, 4999, 5000, 65536, 99999, 100001, 524288, 1 << 20, 1 << 25};
  static const int communicators[] = {2, 3, 4, 5, 6, 7, 8, 9, 16, 17};
  static const tutti_collective asked[] = {TUTTI_COLL_BCAST, TUTTI_COLL_ALLGATHER, TUTTI_COLL_ALLTOALL,
                                           TUTTI_COLL_REDUCE};
  for (size_t c = 0; c < sizeof asked / sizeof *asked; c++)
    for (size_t r = 0; r < sizeof communicators / sizeof *communicators; r += UNLESS_WATCHED(1, 3))
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s += UNLESS_WATCHED(1, 5))
        for (int per_node = 1; per_node < 3; per_node++) {
          tutti_explained_call call = {
              .collective = asked[c], .ranks = communicators[r], .ranks_per_node = per_node, .rank_bytes = sizes[s]};
          assert_same(mended, untuned && is_own(asked[c], call.ranks, sizes[s]) ? untuned : before, &call);
        }
}

/* Open MPI's files are the same to the letter; in MPICH's the library's own conditions stand where they say the same.
 */
TEST(test_nothing_loses)
{
  for (int t = 0; t < TARGETS; t++) {
    char *text = export_all(targets[t]);
    tutti_tuning *before = fixture_open(targets[t], text);
    char *mended_text = mend(before, NULL, 0);
    tutti_tuning *mended = fixture_open(targets[t], mended_text);
    if (strncmp(targets[t], "openmpi", 7) == 0)
      assert_string_equal(mended_text, text);
    compare_calls(before, mended, NULL);
    tutti_tuning_close(before);
    tutti_tuning_close(mended);
    free(mended_text);
    free(text);
  }
}

TEST(test_own_choice_stands)
{
  for (int t = 0; t < TARGETS; t++) {
    char *text = export_all(targets[t]);
    tutti_tuning *before = fixture_open(targets[t], text);
    char *mended_text = mend(before, points, POINTS), *untuned_text = fixture_write(targets[t], NULL, 0);
    tutti_tuning *mended = fixture_open(targets[t], mended_text), *untuned = fixture_open(targets[t], untuned_text);
    compare_calls(before, mended, untuned);
    char *again = mend(mended, points, POINTS);
    assert_string_equal(again, mended_text);
    tutti_tuning_close(before);
    tutti_tuning_close(mended);
    tutti_tuning_close(untuned);
    free(again);
    free(text);
    free(mended_text);
    free(untuned_text);
  }
}

/* What the library would run anyway needs no rule of its own beside what was replaced: it goes on with the rule before,
   or is the library's own choice. On 4 ranks Open MPI 4.1 runs binomial from 2 to 8 KB, binary from 128 to 2047 B. */
TEST(test_rules_are_not_split)
{
  static const tutti_mended_point goes_on[] = {{TUTTI_COLL_BCAST, 4, 8, false, false, false},
                                               {TUTTI_COLL_BCAST, 4, 2048, true, false, false},
                                               {TUTTI_COLL_BCAST, 4, 4096, false, false, false}};
  static const tutti_mended_point own[] = {{TUTTI_COLL_BCAST, 4, 8, false, false, false},
                                           {TUTTI_COLL_BCAST, 4, 1024, true, false, false}};
  tutti_tuning *tuning = fixture_open("openmpi-4.1", "1 7 1 4 1 0 6 0 0\n");
  char *mended = mend(tuning, goes_on, 3);
  assert_non_null(strstr(mended, "4  # ranks\n1\n0 6 0 0  # bcast/binomial\n8  # ranks\n"));
  free(mended);
  tutti_tuning_close(tuning);
  tuning = fixture_open("openmpi-4.1", "1 7 1 4 3 0 6 0 0 128 1 0 0 512 5 0 0\n");
  mended = mend(tuning, own, 2);
  assert_non_null(strstr(mended, "128 1 0 0  # bcast/linear\n512 0 0 0  # Open MPI's own choice\n"));
  free(mended);
  tutti_tuning_close(tuning);
}

/* A rule that loses at its edges and wins within stays where it wins; one that loses at its only point does not begin
   before that, where nothing is known of it. */
TEST(test_rules_end_where_they_win)
{
  static const tutti_mended_point edges[] = {{TUTTI_COLL_BCAST, 4, 4096, false, false, false},
                                             {TUTTI_COLL_BCAST, 4, 4097, true, true, false},
                                             {TUTTI_COLL_BCAST, 4, 16384, false, false, false},
                                             {TUTTI_COLL_BCAST, 4, 46340, true, true, false},
                                             {TUTTI_COLL_BCAST, 4, 65536, true, true, false}};
  FREED_BY(close_tuning)
  tutti_tuning *tuning = fixture_open("openmpi-4.1", "1 7 1 4 3 0 1 0 0 4097 2 0 8192 46341 3 0 8192\n");
  char *mended = mend(tuning, edges, 5);
  assert_contains(mended, "0 1 0 0  # bcast/linear\n4097 0 0 0  # Open MPI's own choice\n"
                          "16384 2 1 8192  # bcast/chain/8KB/k=1\n16385 0 0 0  # Open MPI's own choice\n");
  free(mended);
  static const tutti_mended_point learnt[] = {{TUTTI_COLL_BCAST, 4, 16384, false, false, false},
                                              {TUTTI_COLL_BCAST, 4, 65536, true, true, false}};
  mended = mend(tuning, learnt, 2);
  assert_non_null(strstr(mended, "4097 2 1 8192  # bcast/chain/8KB/k=1\n46341 0 0 0  # Open MPI's own choice\n"));
  free(mended);
}

/* What has won stands for sizes up to the next one that was measured, unless that is far away: then for itself. */
TEST(test_rules_do_not_reach_over_gaps)
{
  static const tutti_mended_point far[] = {{TUTTI_COLL_BCAST, 4, 64, true, false, false},
                                           {TUTTI_COLL_BCAST, 4, 512, false, false, true},
                                           {TUTTI_COLL_BCAST, 4, 2048, false, false, true},
                                           {TUTTI_COLL_BCAST, 4, 4096, false, false, true},
                                           {TUTTI_COLL_BCAST, 4, 16384, true, false, false}};
  tutti_tuning *tuning = fixture_open("openmpi-4.1", "1 7 1 4 3 0 0 0 0 512 1 0 0 30000 0 0 0\n");
  char *mended = mend(tuning, far, 5);
  assert_contains(mended, "512 1 0 0  # bcast/linear\n513 0 0 0  # Open MPI's own choice\n"
                          "2048 1 0 0  # bcast/linear\n4097 0 0 0  # Open MPI's own choice\n");
  free(mended);
  tutti_tuning_close(tuning);
  /* The rule ends long before the next size. */
  tuning = fixture_open("openmpi-4.1", "1 7 1 4 3 0 0 0 0 512 1 0 0 1024 0 0 0\n");
  mended = mend(tuning, far, 3);
  assert_non_null(strstr(mended, "512 1 0 0  # bcast/linear\n1024 0 0 0  # Open MPI's own choice\n"));
  free(mended);
  tutti_tuning_close(tuning);
}

/* What has won on 2 ranks says nothing about the other algorithm on 3, nor about that for smaller messages. */
TEST(test_other_algorithms_are_not_proved)
{
  static const tutti_mended_point two[] = {{TUTTI_COLL_BCAST, 2, 1024, false, false, true},
                                           {TUTTI_COLL_BCAST, 2, 2048, false, false, true}};
  FREED_BY(close_tuning)
  tutti_tuning *tuning = fixture_open("openmpi-4.1", "1 7 3 2 2 0 3 0 0 100 6 0 0 3 1 0 2 1 8192 5 1 0 6 0 0\n");
  FREED_BY(free_memory) char *mended = mend(tuning, two, 2);
  assert_contains(mended, "2  # ranks\n2\n0 0 0 0  # Open MPI's own choice\n100 6 0 0  # bcast/binomial\n"
                          "3  # ranks\n1\n0 0 0 0  # Open MPI's own choice\n"
                          "5  # ranks\n1\n0 6 0 0  # bcast/binomial\n");
}

/* All that a file said loses: it says nothing any more. */
TEST(test_everything_loses)
{
  for (int t = 0; t < TARGETS; t++) {
    const tutti_mended_point all[] = {{TUTTI_COLL_BCAST, 4, 8, true, false, false},
                                      {TUTTI_COLL_ALLGATHER, 4, 8, true, false, false},
                                      {TUTTI_COLL_ALLTOALL, 4, 8, true, false, false}};
    char *text = export_all(targets[t]), *nothing = fixture_write(targets[t], NULL, 0);
    tutti_tuning *tuning = fixture_open(targets[t], text);
    char *mended = mend(tuning, all, 3);
    assert_string_equal(mended, nothing);
    tutti_tuning_close(tuning);
    free(text);
    free(nothing);
    free(mended);
  }
}

/* Open MPI's own file: what the catalogue lacks is not dropped in silence; a rule under which calls fail is left out.
 */
TEST(test_rules_that_cannot_be_kept)
{
  tutti_tuning *fails = fixture_open("openmpi-4.1", "1\n7 1\n0 2\n0 1 0 0\n1000 99 0 0\n");
  char *mended = mend(fails, NULL, 0), *text;
  size_t length;
  assert_non_null(strstr(mended, "0 1 0 0  # bcast/linear\n1000 0 0 0  # Open MPI's own choice\n"));
  assert_int_equal(unjudged, 0);
  tutti_tuning_close(fails);
  free(mended);
  tutti_tuning *lacks =
      fixture_open("mpich-5", "{\"collective=allreduce\":{\"algorithm=MPIR_Allreduce_intra_ccl\":{}}}");
  FILE *stream = open_memstream(&text, &length);
  assert_fails(tutti_tuning_mend(lacks, NULL, 0, 0, NULL, stream, &unjudged, &error), TUTTI_ERR_UNSUPPORTED, error,
               "says MPIR_Allreduce_intra_ccl for allreduce on 2 ranks, which the catalogue lacks");
  fclose(stream);
  free(text);
  tutti_tuning_close(lacks);
}

/* Open MPI 6 has rules for communicators by where their ranks are: these stay, and lose only where they were measured.
 */
static const char placed[] =
    "{\"collectives\":{\"bcast\":["
    "{\"comm_size_max\":4,\"comm_rank_distribution\":\"one-per-node\",\"rules\":[{\"alg\":3}]},"
    "{\"comm_rank_distribution\":\"single-node\",\"rules\":[{\"msg_size_max\":999,\"alg\":1}]},"
    "{\"rules\":[{\"alg\":6}]}]}}";

static void assert_placed(const tutti_tuning *mended, const tutti_tuning *before, bool lost)
{
  static const int per_node[] = {1, 2, 8};
  for (int ranks = 2; ranks <= 8; ranks++)
    for (int p = 0; p < 3; p++)
      for (uint64_t bytes = 1; bytes < 4000; bytes *= 10) {
        const tutti_explained_call call = {TUTTI_COLL_BCAST, .ranks = ranks, .ranks_per_node = per_node[p],
                                           .rank_bytes = bytes};
        tutti_explanation explanation;
        explain(mended, &call, &explanation);
        if (lost && per_node[p] >= ranks && per_node[p] > 1)
          assert_true(explanation.own_choice);
        else
          assert_same(mended, before, &call);
        tutti_explanation_free(&explanation);
      }
}

TEST(test_placements_stay)
{
  const tutti_mended_point lost = {TUTTI_COLL_BCAST, 2, 8, true, true, false};
  FREED_BY(close_tuning) tutti_tuning *before = fixture_open("openmpi-6", placed);
  char *text = mend(before, NULL, 0), *again;
  tutti_tuning *mended = fixture_open("openmpi-6", text);
  size_t length;
  assert_non_null(strstr(text, "\"comm_rank_distribution\": \"one-per-node\""));
  assert_non_null(strstr(text, "\"comm_rank_distribution\": \"single-node\""));
  assert_placed(mended, before, false);
  tutti_tuning_close(mended);
  free(text);
  FILE *stream = open_memstream(&text, &length);
  assert_ok(tutti_tuning_mend(before, &lost, 1, 2, NULL, stream, &unjudged, &error), error); /* two ranks on a node */
  assert_int_equal(unjudged, 3); /* up to 4 ranks and more on nodes of their own, and ranks anyhow */
  fclose(stream);
  mended = fixture_open("openmpi-6", text);
  assert_placed(mended, before, true);
  stream = open_memstream(&again, &length);
  assert_int_equal(tutti_tuning_mend(mended, &lost, 1, 2, NULL, stream, &unjudged, &error), TUTTI_OK);
  fclose(stream);
  assert_string_equal(again, text);
  tutti_tuning_close(mended);
  free(again);
  free(text);
}

TEST(test_steps)
{
  FREED_BY(close_tuning)
  tutti_tuning *tuning = fixture_open("openmpi-4.1", "1\n7 2\n4 2\n0 0 0 0\n1000 6 0 0\n8 1\n0 1 0 0\n");
  tutti_step_table table;
  assert_int_equal(tutti_tuning_steps(tuning, TUTTI_COLL_BCAST, 0, &table, &error), TUTTI_OK);
  assert_int_equal(table.row_count, 2);
  assert_int_equal(table.rows[1].ranks, 8);
  assert_int_equal(table.rows[0].count, 2);
  assert_int_equal(table.rows[0].steps[0].method, -1);
  assert_int_equal(table.rows[0].steps[1].bytes, 1000);
  tutti_step_table_free(&table);
  assert_int_equal(tutti_tuning_steps(tuning, TUTTI_COLL_REDUCE, 0, &table, &error), TUTTI_OK);
  assert_false(tutti_step_table_answers(&table));
  tutti_step_table_free(&table);
}
