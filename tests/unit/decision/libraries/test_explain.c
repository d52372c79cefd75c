/* Look-ups in rules of Open MPI beside those of a reader that knows nothing of ours (openmpi_reader.h), and the sizes
   for which an explanation holds. */
#include "base/clock.h"
#include "decision/libraries/export/export.h"
#include "decision/libraries/openmpi/openmpi.h"
#include "unit/decision/libraries/openmpi_reader.h"
#include "unit/decision/libraries/target_fixture.h"
#include "unit/patience.h"

static void write_block(FILE *stream, uint64_t *random)
{
  int rules = (int)random_below(random, 5);
  long bytes = 0;
  fprintf(stream, "%d # rules\n", rules + 1);
  for (int r = 0; r <= rules; r++) {
    fprintf(stream, "%ld %d 0 0\n", bytes, (int)random_below(random, 7));
    bytes += 1 + (long)random_below(random, 1000);
  }
}

static void write_rules(FILE *stream, uint64_t *random)
{
  static const int ids[] = {7, 2, 11};
  fprintf(stream, "3\n");
  for (int c = 0; c < 3; c++) {
    int blocks = 1 + (int)random_below(random, 4), ranks = (int)random_below(random, 6);
    fprintf(stream, "%d %d\n", ids[c], blocks);
    for (int b = 0; b < blocks; b++) {
      fprintf(stream, "%d ", ranks);
      write_block(stream, random);
      ranks += 1 + (int)random_below(random, 9);
    }
  }
}

static char *random_rules(uint64_t *random)
{
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  assert_non_null(stream);
  write_rules(stream, random);
  fclose(stream);
  return text;
}

static void compare(const struct openmpi_rules *ours, const struct openmpi_read_file *theirs, long ranks, long bytes)
{
  static const int ids[] = {7, 2, 11, 3};
  for (int i = 0; i < 4; i++) {
    const struct openmpi_read_rule *wanted = openmpi_look_up(theirs, ids[i], ranks, bytes);
    struct openmpi_found found = tutti_openmpi_look(ours, ids[i], ranks, TUTTI_PLACED_ANYHOW, bytes);
    long algorithm = found.rule ? found.rule->values[FIELD_ALGORITHM] : 0;
    assert_int_equal(algorithm, wanted ? wanted->algorithm : 0);
    if (wanted)
      assert_int_equal(found.rule->values[FIELD_BYTES], wanted->bytes);
  }
}

TEST(test_both_readers)
{
  uint64_t random = 8;
  for (int trial = 0; trial < 100; trial++) {
    char *text = random_rules(&random);
    FILE *stream = fmemopen(text, strlen(text), "r");
    struct openmpi_read_file theirs = openmpi_read(stream);
    struct tuning_file file = {.text = text, .length = strlen(text), .version = {&tutti_library_openmpi, 4, 1, -1}};
    struct openmpi_rules ours = {.dropped = false};
    tutti_openmpi_read(&file, &ours);
    assert_false(ours.dropped);
    for (long ranks = 1; ranks < 40; ranks++)
      for (long bytes = 0; bytes < 5000; bytes += 1 + bytes / 3)
        compare(&ours, &theirs, ranks, bytes);
    tutti_openmpi_rules_free(&ours);
    openmpi_read_free(&theirs);
    fclose(stream);
    free(text);
  }
}

static tutti_tuning *open_rules(const char *text)
{
  return fixture_open("openmpi-4.1", text);
}

/* From the nearest decision above back to here, and so through all sizes. */
TEST(test_neighbors)
{
  FREED_BY(close_tuning)
  tutti_tuning *tuning = open_rules("1 9 1 0 3\n0 1 0 0\n1000 2 0 0\n5000 3 0 0\n"); /* gather: sizes times ranks */
  tutti_explained_call call = {.collective = TUTTI_COLL_GATHER, .ranks = 8};
  static const uint64_t starts[] = {125, 625};
  tutti_explanation other;
  uint64_t bytes;
  bool found;
  for (int i = 0; i < 2; i++) {
    assert_int_equal(tutti_explain_next(tuning, &call, true, &found, &bytes, &other, &error), TUTTI_OK);
    assert_true(found);
    assert_int_equal(bytes, starts[i]);
    tutti_explanation_free(&other);
    call.rank_bytes = bytes;
    assert_int_equal(tutti_explain_next(tuning, &call, false, &found, &bytes, &other, &error), TUTTI_OK);
    assert_true(found);
    assert_int_equal(bytes, starts[i] - 1);
    tutti_explanation_free(&other);
  }
  assert_int_equal(tutti_explain_next(tuning, &call, true, &found, &bytes, &other, &error), TUTTI_OK);
  assert_false(found);
}

/* ---- files without rules, and the largest calls ---- */

/* A block without rules in a file without any: its gap is that of all sizes. */
TEST(test_no_rules)
{
  static const char *const files[][2] = {
      {"openmpi-4.1", "1\n7 1\n4 0\n"},
      {"openmpi-4.1", "1\n7 0\n"},
      {"openmpi-6", "1\n7 1\n4 0\n"},
      {"openmpi-6", "{\"collectives\": {\"bcast\": [{\"comm_size_min\": 0, \"rules\": []}]}}"},
      {"openmpi-6", "{\"collectives\": {\"bcast\": []}}"},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    tutti_tuning *tuning = fixture_open(files[i][0], files[i][1]);
    tutti_explained_call call = {.collective = TUTTI_COLL_BCAST, .ranks = 8, .rank_bytes = 100};
    tutti_explanation explanation;
    assert_int_equal(tutti_explain(tuning, &call, &explanation, &error), TUTTI_OK);
    assert_true(explanation.own_choice);
    tutti_explanation_free(&explanation);
    tutti_tuning_close(tuning);
  }
}

/* The node count of MPICH rounds up; 2,147,483,647 ranks on nodes of 64 are 33,554,432 nodes. */
TEST(test_most_ranks)
{
  FREED_BY(close_tuning)
  tutti_tuning *tuning = fixture_open(
      "mpich-4.0", "{\"collective=bcast\": {\"comm_avg_ppn<=64\": {\"algorithm=MPIR_Bcast_intra_binomial\": {}}, "
                   "\"comm_size=any\": {\"algorithm=MPIR_Bcast_intra_scatter_ring_allgather\": {}}}}");
  static const int per_node[] = {0, 1, 2, 63, 64, 65, 128, INT_MAX};
  for (size_t i = 0; i < sizeof per_node / sizeof *per_node; i++) {
    tutti_explained_call call = {
        .collective = TUTTI_COLL_BCAST, .ranks = INT_MAX, .ranks_per_node = per_node[i], .rank_bytes = UINT64_MAX};
    tutti_explanation explanation;
    assert_int_equal(tutti_explain(tuning, &call, &explanation, &error), TUTTI_OK);
    assert_string_equal(explanation.algorithm,
                        per_node[i] <= 64 ? "MPIR_Bcast_intra_binomial" : "MPIR_Bcast_intra_scatter_ring_allgather");
    tutti_explanation_free(&explanation);
  }
}

TEST(test_refusals)
{
  tutti_tuning *tuning = open_rules("0\n");
  tutti_explanation explanation;
  tutti_library_version version = {&tutti_library_openmpi, 4, 1, -1};
  assert_int_equal(tutti_explain(tuning, &(tutti_explained_call){.ranks = 0}, &explanation, &error),
                   TUTTI_ERR_ARGUMENT);
  tutti_tuning_close(tuning);
  assert_int_equal(tutti_tuning_open("/nowhere/rules", &version, &tuning, &error), TUTTI_ERR_IO);
  assert_null(tuning);
}

/* As many conditions one after the other, the last of which holds. */
static char *write_conditions(int count)
{
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  fprintf(stream, "{\"collective=bcast\":{\"comm_type=intra\":{\n");
  for (int i = 0; i < count; i++)
    fprintf(stream, "\"avg_msg_size<=%d\":{\"algorithm=MPIR_Bcast_intra_binomial\":{}},\n", i);
  fprintf(stream, "\"avg_msg_size=any\":{\"algorithm=MPIR_Bcast_intra_scatter_ring_allgather\":{}}}}}\n");
  fclose(stream);
  return text;
}

/* Seconds of the processor for reading the file and explaining a call with all its steps, the least of three times. */
static double time_conditions(int count)
{
  const tutti_library_version version = {&tutti_library_mpich, 4, 1, 0};
  const tutti_explained_call call = {.collective = TUTTI_COLL_BCAST, .ranks = 4, .rank_bytes = 1 << 30};
  double least = 1e9;
  FREED_BY(free_memory) char *text = write_conditions(count);
  SCRATCH_FILE(file, "large.json", text);
  for (int i = 0; i < 3; i++) {
    tutti_tuning *tuning;
    tutti_explanation explanation;
    double begin = tutti_clock(CLOCK_PROCESS_CPUTIME_ID);
    assert_int_equal(tutti_tuning_open(file.path, &version, &tuning, &error), TUTTI_OK);
    assert_int_equal(tutti_explain(tuning, &call, &explanation, &error), TUTTI_OK);
    double seconds = tutti_clock(CLOCK_PROCESS_CPUTIME_ID) - begin;
    least = seconds < least ? seconds : least;
    assert_true(explanation.step_count > (size_t)count);
    assert_int_equal(explanation.steps[explanation.step_count - 2].line, count + 2);
    tutti_explanation_free(&explanation);
    tutti_tuning_close(tuning);
  }
  return least;
}

/* Neither reading nor saying where each step stands looks at the whole file again for each condition. */
TEST(test_time_grows_with_the_file)
{
  double small = time_conditions(2000), large = time_conditions(16000);
  if (large > 24 * small)
    fail_msg("%g s for 2000 conditions, %g s for 16000", small, large);
}

/* Ranges of sizes in disorder, of communicators from 4 ranks on or of a few; of one method, or of one each. */
static char *many_rules(int count, bool few_ranks)
{
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_non_null(stream);
  for (int i = 0; i < count; i++) {
    const long long bytes = i * 7919LL % count * 8;
    if (few_ranks)
      fprintf(stream, "bcast/pipeline/%d ranks=%d bytes=%lld..%lld\n", i + 1, i % 1000 + 4, bytes, bytes + 6);
    else
      fprintf(stream, "bcast/binomial ranks=4.. bytes=%lld..%lld\n", bytes, bytes + 7);
  }
  assert_int_equal(fclose(stream), 0);
  return text;
}

TEST(test_many_rules)
{
  enum { MANY = UNLESS_WATCHED(100003, 10007) };
  tutti_explained_call call = {.collective = TUTTI_COLL_BCAST, .ranks = 4};
  tutti_explanation answer;
  limit_processor_time(20);
  for (int few_ranks = 0; few_ranks < 2; few_ranks++) {
    char *text = many_rules(MANY, few_ranks);
    call.rank_bytes = few_ranks ? 3 : 80;
    tutti_tuning *tuning = fixture_open("tutti", text);
    assert_int_equal(tutti_explain(tuning, &call, &answer, &error), TUTTI_OK);
    assert_int_equal(answer.min, 0);
    assert_int_equal(answer.max, few_ranks ? 6 : 8 * (uint64_t)MANY - 1);
    tutti_explanation_free(&answer);
    tutti_step_table table;
    const tutti_range range = tutti_range_without_map(few_ranks ? 2000 : 4);
    assert_int_equal(tutti_step_table_create(tuning->decision, TUTTI_COLL_BCAST, &range, &table, &error), TUTTI_OK);
    assert_int_equal(table.method_count, few_ranks ? MANY : 1);
    tutti_step_table_free(&table);
    tutti_tuning_close(tuning);
    free(text);
  }
}
