/* What libraries choose, at thresholds looked up by hand in their sources, and that each choice can be run. */
#include "tutti/library.h"
#include "tutti/tuning.h"
#include "unit/test.h"

struct expected {
  const char *library;
  tutti_collective collective;
  int ranks;
  uint64_t bytes;
  const char *method; /* "-": no answer */
};

/* Both sides of a threshold, and each thing that the libraries do instead of what the rule says. */
static const struct expected table[] = {
    {"openmpi-4.1", TUTTI_COLL_BCAST, 3, 31, "bcast/pipeline"},
    {"openmpi-4.1", TUTTI_COLL_BCAST, 3, 32, "bcast/binary"},
    {"openmpi-4.1", TUTTI_COLL_BCAST, 4, 1048576, "bcast/chain/k=1"},
    {"openmpi-4.1", TUTTI_COLL_BCAST, 24, 4095, "bcast/k-nomial"},
    {"openmpi-4.1", TUTTI_COLL_BCAST, 24, 4096, "bcast/binomial"},
    {"openmpi-4.1", TUTTI_COLL_BCAST, 24, 1048576, "bcast/scatter-recursive-doubling"},
    {"openmpi-4.1", TUTTI_COLL_BCAST, 64, 1, "bcast/k-nomial"},
    {"openmpi-4.1", TUTTI_COLL_BCAST, 4096, 8192, "bcast/binary"},
    {"openmpi-4.1", TUTTI_COLL_REDUCE, 7, 4095, "reduce/binary"},
    {"openmpi-4.1", TUTTI_COLL_REDUCE, 7, 4096, "reduce/chain/k=1"},
    {"openmpi-4.1", TUTTI_COLL_REDUCE, 3, 4, "reduce/linear"},
    {"openmpi-4.1", TUTTI_COLL_REDUCE, 300, 8192, "reduce/in-order-binary"},
    {"openmpi-4.1", TUTTI_COLL_ALLREDUCE, 16, 24, "allreduce/recursive-doubling"},
    {"openmpi-4.1", TUTTI_COLL_ALLREDUCE, 16, 63, "allreduce/ring"},
    {"openmpi-4.1", TUTTI_COLL_ALLREDUCE, 40, 128, "allreduce/reduce-bcast/reduce=linear/bcast=linear"},
    {"openmpi-4.1", TUTTI_COLL_ALLREDUCE, 40, 256, "allreduce/rabenseifner"},
    {"openmpi-4.1", TUTTI_COLL_ALLREDUCE, 91, 24, "allreduce/recursive-doubling"},
    {"openmpi-4.1", TUTTI_COLL_ALLREDUCE, 128, 24, "allreduce/reduce-bcast/bcast=binary"},
    {"openmpi-4.1", TUTTI_COLL_ALLGATHER, 2, 8, "allgather/two-process"},
    {"openmpi-4.1", TUTTI_COLL_ALLGATHER, 8, 8, "allgather/recursive-doubling"},
    {"openmpi-4.1", TUTTI_COLL_ALLGATHER, 9, 8, "allgather/bruck"},
    {"openmpi-4.1", TUTTI_COLL_ALLGATHER, 33, 1024, "allgather/ring"},
    {"openmpi-4.1", TUTTI_COLL_ALLGATHER, 34, 1024, "allgather/neighbor-exchange"},
    {"openmpi-4.1", TUTTI_COLL_ALLGATHERV, 16, 127, "allgatherv/gather-bcast/bcast=k-nomial"},
    {"openmpi-4.1", TUTTI_COLL_ALLTOALL, 2, 3, "alltoall/two-process"},
    {"openmpi-4.1", TUTTI_COLL_ALLTOALL, 8, 1, "alltoall/linear-sync/max_requests=7"},
    {"openmpi-4.1", TUTTI_COLL_ALLTOALL, 16, 511, "alltoall/bruck"},
    {"openmpi-4.1", TUTTI_COLL_BARRIER, 7, 0, "barrier/linear"},
    {"openmpi-4.1", TUTTI_COLL_BARRIER, 8, 0, "barrier/recursive-doubling"},
    {"openmpi-4.1", TUTTI_COLL_BARRIER, 256, 0, "barrier/tree"},
    {"openmpi-4.1", TUTTI_COLL_REDUCE_SCATTER, 4, 1, "reduce_scatter/reduce-scatter/reduce=binary"},
    {"openmpi-4.1", TUTTI_COLL_REDUCE_SCATTER, 4, 65535, "reduce_scatter/recursive-halving"},
    {"openmpi-4.1", TUTTI_COLL_REDUCE_SCATTER, 4, 65536, "reduce_scatter/ring"},
    {"openmpi-4.1", TUTTI_COLL_SCAN, 8, 8, "scan/linear"},
    {"openmpi-1.x", TUTTI_COLL_BCAST, 64, 2047, "bcast/binomial"},
    {"openmpi-1.x", TUTTI_COLL_BCAST, 64, 2048, "bcast/split-binary/1KB"},
    {"openmpi-1.x", TUTTI_COLL_BCAST, 64, 370727, "bcast/split-binary/1KB"},
    {"openmpi-1.x", TUTTI_COLL_BCAST, 64, 370728, "bcast/pipeline/8KB"},
    /* 1.6134e-6 m + 2.1102 passes 4 ranks at 1,171,315 bytes; 2.3679e-6 m + 1.1787 passes 24 at 9,637,780. */
    {"openmpi-1.x", TUTTI_COLL_BCAST, 4, 1171314, "bcast/split-binary/8KB"},
    {"openmpi-1.x", TUTTI_COLL_BCAST, 4, 1171316, "bcast/pipeline/128KB"},
    {"openmpi-1.x", TUTTI_COLL_BCAST, 24, 9637779, "bcast/pipeline/16KB"},
    {"openmpi-1.x", TUTTI_COLL_BCAST, 24, 9637781, "bcast/pipeline/64KB"},
    {"openmpi-1.x", TUTTI_COLL_REDUCE, 7, 511, "reduce/linear"},
    {"openmpi-1.x", TUTTI_COLL_REDUCE, 7, 512, "reduce/in-order-binomial"},
    {"openmpi-1.x", TUTTI_COLL_REDUCE, 64, 2048, "reduce/binary/1KB"},
    {"openmpi-1.x", TUTTI_COLL_REDUCE, 64, 1048576, "reduce/pipeline/1KB"},
    {"openmpi-1.x", TUTTI_COLL_ALLREDUCE, 4, 9999, "allreduce/recursive-doubling"},
    {"openmpi-1.x", TUTTI_COLL_ALLREDUCE, 4, 4194304, "allreduce/ring"},
    {"openmpi-1.x", TUTTI_COLL_ALLREDUCE, 4, 4194305, "allreduce/ring-segmented/1MB"},
    {"openmpi-1.x", TUTTI_COLL_ALLGATHER, 5, 9999, "allgather/bruck"},
    {"openmpi-1.x", TUTTI_COLL_ALLGATHER, 5, 10000, "allgather/ring"},
    {"openmpi-1.x", TUTTI_COLL_ALLGATHER, 6, 10000, "allgather/neighbor-exchange"},
    {"openmpi-1.x", TUTTI_COLL_ALLTOALL, 13, 199, "alltoall/bruck"},
    {"openmpi-1.x", TUTTI_COLL_ALLTOALL, 12, 199, "alltoall/linear"},
    {"openmpi-1.x", TUTTI_COLL_ALLTOALL, 13, 3000, "alltoall/pairwise"},
    {"openmpi-1.x", TUTTI_COLL_BARRIER, 6, 0, "barrier/bruck"},
    {"openmpi-1.x", TUTTI_COLL_REDUCE_SCATTER, 24, 513, "reduce_scatter/recursive-halving"},
    {"openmpi-1.x", TUTTI_COLL_REDUCE_SCATTER, 24, 16384, "reduce_scatter/ring"},
    {"openmpi-1.x", TUTTI_COLL_SCAN, 8, 8, "-"},
    {"mpich-4.0", TUTTI_COLL_BCAST, 7, 1048576, "bcast/in-order-binomial"},
    {"mpich-4.0", TUTTI_COLL_BCAST, 8, 12288, "bcast/in-order-binomial"},
    {"mpich-4.0", TUTTI_COLL_BCAST, 8, 12289, "bcast/scatter-recursive-doubling"},
    {"mpich-4.0", TUTTI_COLL_BCAST, 9, 12289, "bcast/scatter-ring"},
    {"mpich-4.0", TUTTI_COLL_BCAST, 8, 524289, "bcast/scatter-ring"},
    {"mpich-4.0", TUTTI_COLL_REDUCE, 8, 2048, "reduce/in-order-binomial"},
    {"mpich-4.0", TUTTI_COLL_REDUCE, 8, 2056, "reduce/rabenseifner"},
    {"mpich-4.0", TUTTI_COLL_REDUCE, 1024, 2056, "reduce/in-order-binomial"},
    {"mpich-4.0", TUTTI_COLL_ALLREDUCE, 4, 8, "allreduce/recursive-doubling"},
    {"mpich-4.0", TUTTI_COLL_ALLREDUCE, 4, 32, "allreduce/rabenseifner"},
    {"mpich2-1.0", TUTTI_COLL_ALLREDUCE, 4, 32, "allreduce/recursive-doubling"},
    {"mpich-4.0", TUTTI_COLL_ALLREDUCE, 64, 24, "allreduce/recursive-doubling"},
    {"mpich-4.0", TUTTI_COLL_ALLGATHER, 8, 65535, "allgather/recursive-doubling"},
    {"mpich-4.0", TUTTI_COLL_ALLGATHER, 8, 65536, "allgather/ring"},
    {"mpich-4.0", TUTTI_COLL_ALLGATHER, 5, 16383, "allgather/bruck"},
    {"mpich-4.0", TUTTI_COLL_ALLGATHER, 5, 16384, "allgather/ring"},
    {"mpich-4.0", TUTTI_COLL_ALLTOALL, 8, 256, "alltoall/linear-sync/max_requests=32"},
    {"mpich-4.0", TUTTI_COLL_ALLTOALL, 9, 256, "alltoall/bruck"},
    {"mpich-4.0", TUTTI_COLL_ALLTOALL, 8, 32769, "alltoall/pairwise"},
    {"mpich-4.0", TUTTI_COLL_BARRIER, 8, 0, "barrier/bruck"},
    {"mpich-4.0", TUTTI_COLL_SCATTERV, 8, 8, "scatterv/linear"},
    {"mpich2-1.0", TUTTI_COLL_BCAST, 64, 12289, "bcast/scatter-recursive-doubling"},
    {"mpich2-1.0", TUTTI_COLL_BARRIER, 8, 0, "-"},
};

static void answer(const struct expected *expected, char name[TUTTI_METHOD_LENGTH])
{
  char library[40] = "library:";
  tutti_question question = {expected->collective, expected->ranks, 1, expected->bytes};
  tutti_decision decision;
  tutti_method method;
  strcpy(name, "-");
  strcat(library, expected->library);
  if (tutti_decision_library(library, expected->collective, &decision, NULL) != TUTTI_OK)
    return;
  if (decision.decide(&decision, &question, &method))
    tutti_method_format(&method, name);
  tutti_decision_free(&decision);
}

TEST(test_thresholds)
{
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char name[TUTTI_METHOD_LENGTH];
    answer(&table[i], name);
    if (strcmp(name, table[i].method) != 0)
      fail_msg("%s, %s on %d ranks, %llu B: %s, not %s", table[i].library, tutti_collective_name(table[i].collective),
               table[i].ranks, (unsigned long long)table[i].bytes, name, table[i].method);
  }
}

/* The method serves a call of that many ranks and bytes, and its name reads back. */
static void assert_usable(const tutti_method *method, const tutti_question *question)
{
  char name[TUTTI_METHOD_LENGTH];
  tutti_method read;
  tutti_call call = {.size = question->ranks, .count = question->rank_bytes, .type_size = 1, .commutative = true};
  assert_ok(tutti_method_check(method, &call, REASON), error);
  assert_int_equal(method->algorithm->collective, question->collective);
  assert_int_equal(tutti_method_parse(tutti_method_format(method, name), &read, REASON), TUTTI_OK);
  assert_int_equal(tutti_method_compare(method, &read), 0);
}

static void check_everywhere(const tutti_decision *decision, tutti_collective collective)
{
  static const int ranks[] = {1, 2, 3, 4, 5, 7, 8, 15, 16, 24, 31, 33, 64, 100, 128, 300, 600, 1024, 3000, 5000};
  tutti_question question = {.collective = collective};
  tutti_method method;
  for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++)
    for (int shift = 0; shift <= 26; shift++)
      for (uint64_t more = 0; more < 2; more++) {
        question.ranks = ranks[r];
        question.rank_bytes = collective == TUTTI_COLL_BARRIER ? 0 : (UINT64_C(1) << shift) - more;
        assert_true(decision->decide(decision, &question, &method));
        assert_usable(&method, &question);
      }
}

TEST(test_usable)
{
  int rules = 0;
  const char *name;
  for (size_t i = 0; (name = tutti_library_name(i)); i++)
    for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
      tutti_decision decision;
      if (tutti_decision_library(name, (tutti_collective)c, &decision, NULL) != TUTTI_OK)
        continue;
      rules++;
      check_everywhere(&decision, (tutti_collective)c);
      tutti_decision_free(&decision);
    }
  assert_int_equal(rules, 17 + 9 + 17 + 6);
}

/* What is picked for 32 TB is picked for all larger messages: a size times the ranks is no small number again. */
static void check_largest(const tutti_decision *decision, tutti_collective collective)
{
  static const int ranks[] = {2, 4, 6, 16, 100, 1024};
  for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++)
    for (int shift = 46; shift < 64; shift++) {
      char names[2][TUTTI_METHOD_LENGTH];
      tutti_question questions[] = {{.collective = collective, .ranks = ranks[r], .rank_bytes = UINT64_C(1) << 45},
                                    {.collective = collective, .ranks = ranks[r], .rank_bytes = UINT64_C(1) << shift}};
      for (int i = 0; i < 2; i++) {
        tutti_method method;
        assert_true(decision->decide(decision, &questions[i], &method));
        tutti_method_format(&method, names[i]);
      }
      if (strcmp(names[0], names[1]) != 0)
        fail_msg("%s: %s on %d ranks for 2^45 B, %s for 2^%d B", decision->name, names[0], ranks[r], names[1], shift);
    }
}

TEST(test_largest)
{
  const char *name;
  for (size_t i = 0; (name = tutti_library_name(i)); i++)
    for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
      tutti_decision decision;
      if (c == TUTTI_COLL_BARRIER || tutti_decision_library(name, (tutti_collective)c, &decision, NULL) != TUTTI_OK)
        continue;
      check_largest(&decision, (tutti_collective)c);
      tutti_decision_free(&decision);
    }
}

TEST(test_unknown)
{
  tutti_decision decision;
  assert_true(tutti_library_named("library:x"));
  assert_false(tutti_library_named("libraries/x"));
  assert_fails(tutti_decision_library("library:x", TUTTI_COLL_BCAST, &decision, REASON), TUTTI_ERR_ARGUMENT, error,
               "library:x");
  assert_non_null(strstr(error.message, "library:mpich-4.0"));
  assert_fails(tutti_decision_library("library:openmpi-1.x", TUTTI_COLL_SCAN, &decision, REASON), TUTTI_ERR_ARGUMENT,
               error, "no rule for scan");
}

/* Settings of measurements, of the one library and of the other. */
TEST(test_untuned_under)
{
  static const struct {
    const char *version, *settings;
    bool untuned;
  } cases[] = {
      {"openmpi-4.1", "", true},
      {"openmpi-4.1", "OMPI_MCA_btl=^ofi OMPI_MCA_coll_tuned_use_dynamic_rules=1", true},
      {"openmpi-4.1", "OMPI_MCA_coll_tuned_dynamic_rules_filename=", true},
      {"openmpi-4.1", "OMPI_MCA_btl=^ofi OMPI_MCA_coll_tuned_dynamic_rules_filename=1f2e", false},
      {"openmpi-4.1", "OMPI_MCA_coll_tuned_bcast_algorithm=6", false},
      {"openmpi-4.1", "OMPI_MCA_coll_tuned_bcast_algorithm=0", true},
      {"openmpi-4.1", "OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize=1024", true},
      {"mpich-4.0", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=1f2e", false},
      {"mpich-4.0", "MPICH_COLL_SELECTION_TUNING_JSON_FILE=1f2e", false},
      {"mpich-4.0", "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial", false},
      {"mpich-4.0", "MPIR_CVAR_BCAST_INTRA_ALGORITHM=auto bind-to=core", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tutti_library_version version;
    assert_int_equal(tutti_library_version_parse(cases[i].version, &version, NULL), TUTTI_OK);
    if (tutti_untuned_under(version.library, cases[i].settings) != cases[i].untuned)
      fail_msg("%s under '%s'", cases[i].version, cases[i].settings);
  }
}
