/* What runs under files beside those that are exported: selections of MPICH's device layers, rules of coll/han. */
#include "decision/libraries/libraries.h"
#include "unit/decision/libraries/target_fixture.h"

#define ALLREDUCE(text) "{\"collective=allreduce\": {\"comm_type=intra\": {" text "}}}"
#define CH4(text)       "\"composition=MPIDI_Allreduce_intra_composition_" text "\": {}"

static const char shared[] =
    ALLREDUCE("\"is_commutative=yes\": {\"algorithm=MPIDI_POSIX_mpi_allreduce_release_gather\": {}}");
static const char parent[] = ALLREDUCE("\"comm_hierarchy=parent\": {\"is_commutative=yes\": {" CH4(
    "alpha") "}}, \"comm_hierarchy=any\": {" CH4("beta") "}");
static const char alpha[] = ALLREDUCE(CH4("alpha")), delta[] = ALLREDUCE(CH4("delta"));

/* On all ranks, from 4 on, and within and among nodes. */
static const char han[] = "1\nbcast\n3\n2\n2\n1\n1\n0 han\n4\n2\n0 basic\n1000 tuned\n0\n1\n1\n1\n0 sm\n1\n1\n1\n2\n"
                          "0 tuned\n8 libnbc\n";
static const char han_number[] = "1\nbcast\n1\n2\n1\n1\n1\n0 3\n";

/* The library chooses itself, or the call fails. */
enum outcome { RUNS, OWN, FAILS };

/* Methods NULL: they are not known. */
static const struct {
  const char *target, *text;
  tutti_collective collective;
  int ranks, per_node, bytes;
  bool ordered;
  const char *algorithm, *method;
  enum outcome outcome;
} calls[] = {
#define MPIR_DOUBLING "MPIR_Allreduce_intra_recursive_doubling", "allreduce/recursive-doubling"
#define CH4_NAME(x)   "MPIDI_Allreduce_intra_composition_" x
#define POSIX_NAME    "MPIDI_POSIX_mpi_allreduce_release_gather"
    {"mpich-4.0", shared, TUTTI_COLL_ALLREDUCE, 2, 0, 8, false, POSIX_NAME, NULL, RUNS},
    {"mpich-4.0", shared, TUTTI_COLL_ALLREDUCE, 4, 4, 8, false, POSIX_NAME, NULL, RUNS},
    {"mpich-4.0", shared, TUTTI_COLL_ALLREDUCE, 4, 2, 8, false, MPIR_DOUBLING, OWN},
    {"mpich-4.0", shared, TUTTI_COLL_ALLREDUCE, 2, 0, 8, true, MPIR_DOUBLING, OWN},
    {"mpich-4.0", parent, TUTTI_COLL_ALLREDUCE, 8, 4, 8, false, CH4_NAME("alpha"), NULL, RUNS},
    {"mpich-4.0", parent, TUTTI_COLL_ALLREDUCE, 8, 1, 8, false, CH4_NAME("beta"), "allreduce/recursive-doubling", RUNS},
    {"mpich-4.0", parent, TUTTI_COLL_ALLREDUCE, 8, 4, 8, true, MPIR_DOUBLING, OWN},
    {"mpich-4.0", parent, TUTTI_COLL_GATHER, 8, 1, 8, false, "MPIR_Gather_intra_binomial", "gather/binomial", OWN},
    {"mpich-4.0", alpha, TUTTI_COLL_ALLREDUCE, 8, 1, 8, false, CH4_NAME("alpha"), NULL, FAILS},
    {"mpich-4.0", delta, TUTTI_COLL_ALLREDUCE, 8, 4, 8, false, "none", NULL, FAILS},
    {"openmpi-4.1", han, TUTTI_COLL_BCAST, 4, 2, 999, false, "basic", NULL, RUNS},
    {"openmpi-4.1", han, TUTTI_COLL_BCAST, 8, 2, 1000, false, "tuned: knomial", "bcast/k-nomial", RUNS},
    {"openmpi-4.1", han, TUTTI_COLL_BCAST, 3, 2, 8, false, "han: sm within, libnbc among nodes", NULL, RUNS},
    {"openmpi-4.1", han, TUTTI_COLL_BCAST, 3, 2, 7, false, "han: sm within, tuned among nodes", NULL, RUNS},
    {"openmpi-4.1", han, TUTTI_COLL_BCAST, 3, 0, 7, false, "han", NULL, RUNS},
    {"openmpi-4.1", han, TUTTI_COLL_REDUCE, 4, 2, 8, false, "han: default within, default among nodes", NULL, OWN},
    {"openmpi-4.1", han, TUTTI_COLL_SCAN, 4, 2, 8, false, "tuned: coll/basic", "scan/linear", OWN},
    {"openmpi-4.1", han_number, TUTTI_COLL_BCAST, 4, 0, 8, false, "han", NULL, OWN},
    {"mpich-4.1", delta, TUTTI_COLL_ALLREDUCE, 8, 4, 8, false, CH4_NAME("delta"), NULL, RUNS},
};

static bool is_right(size_t i, const tutti_explanation *answer)
{
  char name[TUTTI_METHOD_LENGTH];
  const char *method = answer->known && !answer->fails ? tutti_method_format(&answer->method, name) : "";
  const enum outcome outcome = answer->fails ? FAILS : answer->own_choice ? OWN : RUNS;
  if (strcmp(answer->algorithm, calls[i].algorithm) == 0 && outcome == calls[i].outcome &&
      strcmp(method, calls[i].method ? calls[i].method : "") == 0)
    return true;
  print_error("call %zu: %s, '%s', outcome %d\n", i, answer->algorithm, method, (int)outcome);
  return false;
}

TEST(test_calls)
{
  int wrong = 0;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    const tutti_explained_call call = {.collective = calls[i].collective,
                                       .ranks = calls[i].ranks,
                                       .ranks_per_node = calls[i].per_node,
                                       .rank_bytes = (uint64_t)calls[i].bytes,
                                       .ordered = calls[i].ordered};
    tutti_explanation answer;
    tutti_tuning *tuning = fixture_open(calls[i].target, calls[i].text);
    assert_int_equal(tutti_explain(tuning, &call, &answer, REASON), TUTTI_OK);
    wrong += !is_right(i, &answer);
    tutti_explanation_free(&answer);
    tutti_tuning_close(tuning);
  }
  assert_int_equal(wrong, 0);
}
