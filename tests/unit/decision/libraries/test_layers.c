/* What runs under files beside those that are exported: selections of MPICH's device layers, rules of coll/han,
   parameters and variables. */
#include "decision/libraries/mpich/mpich.h"
#include "unit/decision/libraries/target_fixture.h"

#define ALLREDUCE(text) "{\"collective=allreduce\": {\"comm_type=intra\": {" text "}}}"
#define BCAST_BY(text)  "bcast/native/selector=" text
#define CH4(text)       "\"composition=MPIDI_Allreduce_intra_composition_" text "\": {}"

#define SHARED "\"algorithm=MPIDI_POSIX_mpi_allreduce_release_gather\": {}"

static const char shared[] = ALLREDUCE("\"is_commutative=yes\": {" SHARED "}");
static const char few[] =
    ALLREDUCE("\"avg_msg_size<=8\": {\"comm_type=inter\": {" SHARED "}}, \"avg_msg_size=any\": {" SHARED "}");
static const char parent[] = ALLREDUCE("\"comm_hierarchy=parent\": {\"is_commutative=yes\": {" CH4(
    "alpha") "}}, \"comm_hierarchy=any\": {" CH4("beta") "}");
static const char alpha[] = ALLREDUCE(CH4("alpha")), delta[] = ALLREDUCE(CH4("delta"));

/* On all ranks, from 4 on, and within and among nodes. */
static const char han[] = "1\nbcast\n3\n2\n2\n1\n1\n0 han\n4\n2\n0 basic\n1000 tuned\n0\n1\n1\n1\n0 sm\n1\n1\n1\n2\n"
                          "0 tuned\n8 libnbc\n";
static const char han_number[] = "1\nbcast\n1\n2\n1\n1\n1\n0 3\n";

static const char set[] =
    "coll_tuned_use_dynamic_rules = 1\ncoll_tuned_bcast_algorithm = 1\ncoll_tuned_bcast_algorithm = 2\n"
    "coll_tuned_bcast_algorithm_chain_fanout = 4\ncoll_tuned_bcast_algorithm_segmentsize = 1024\n"
    "coll_tuned_allgather_algorithm = recursive_doubling\ncoll_tuned_reduce_algorithm = 99\n";
static const char agent[] = "plm_rsh_agent = srun\ncoll_tuned_use_dynamic_rules = 1\ncoll = tuned,basic,env srun\n"
                            "coll_tuned_bcast_algorithm = 1\n";
static const char off[] = "export OMPI_MCA_coll_tuned_bcast_algorithm=1\n";
static const char before[] = "OMPI_MCA_coll_tuned_use_dynamic_rules='1' OMPI_MCA_coll_tuned_bcast_algorithm=1 ./a\n";
static const char launched[] =
    "export OMPI_MCA_btl=self\nmpirun --mca coll_tuned_use_dynamic_rules 1 \\\n  -x OMPI_MCA_"
    "coll_tuned_bcast_algorithm=1 -n 8 ./a\n";
static const char genv[] = "export MPICH_PATH=/opt\nmpiexec -n 8 -genv MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=ring ./a\n";
static const char without[] = "OMPI_MCA_coll=^tuned\nOMPI_MCA_coll_tuned_use_dynamic_rules=1\n"
                              "OMPI_MCA_coll_tuned_bcast_algorithm=1\n";
static const char variables[] = "export MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=ring\nMPICH_BCAST_INTRA_ALGORITHM='smp'\n"
                                "MPIR_CVAR_REDUCE_INTRA_ALGORITHM=none\n";
static const char strict[] = "MPIR_CVAR_COLLECTIVE_FALLBACK=error\nMPIR_CVAR_BCAST_INTRA_ALGORITHM=smp\n";

#define LEAF                                                                                                           \
  "spread3d(segsize=1048576, axes=first_second_third), halved_ring(segsize=65536), pipeline(segsize=4096), ring"
static const char tree[] =
    "======\nheader:\n  version: 1.0\n\nbcast:\n  case proc_count:\n    match 0 .. 8:\n"
    "      if msg_size * proc_count < 1024:\n        split_binary_tree(segsize=512)\n      else:\n"
    "        torus, pipeline\n    match _:\n      if node_count == 2:\n        default\n\nscan:\n  if x:\n    y\n"
    "reduce:\n  mesh\nallgather:\n  " LEAF "\n";

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
#define POSIX_METHOD  "allreduce/native/selector=release_gather"
    {"mpich-4.2", shared, TUTTI_COLL_ALLREDUCE, 2, 0, 8, false, POSIX_NAME, POSIX_METHOD, RUNS},
    {"mpich-4.2", shared, TUTTI_COLL_ALLREDUCE, 4, 4, 8, false, POSIX_NAME, POSIX_METHOD, RUNS},
    {"mpich-4.2", shared, TUTTI_COLL_ALLREDUCE, 4, 2, 8, false, MPIR_DOUBLING, OWN},
    {"mpich-4.2", shared, TUTTI_COLL_ALLREDUCE, 2, 0, 8, true, MPIR_DOUBLING, OWN},
    {"mpich-4.2", shared, TUTTI_COLL_GATHER, 2, 0, 8, false, "MPIR_Gather_intra_binomial", "gather/binomial", OWN},
    {"mpich-4.0", shared, TUTTI_COLL_ALLREDUCE, 2, 0, 8, false, MPIR_DOUBLING, OWN},
    {"mpich-4.2", few, TUTTI_COLL_ALLREDUCE, 2, 0, 8, false, MPIR_DOUBLING, RUNS},
    {"mpich-4.2", few, TUTTI_COLL_ALLREDUCE, 2, 0, 9, false, POSIX_NAME, POSIX_METHOD, RUNS},
    {"mpich-4.0", parent, TUTTI_COLL_ALLREDUCE, 8, 4, 8, false, CH4_NAME("alpha"),
     "allreduce/two-level/reduce=in-order-binomial/bcast=in-order-binomial", RUNS},
    {"mpich-4.0", parent, TUTTI_COLL_ALLREDUCE, 8, 1, 8, false, CH4_NAME("beta"), "allreduce/recursive-doubling", RUNS},
    {"mpich-4.0", parent, TUTTI_COLL_ALLREDUCE, 8, 4, 8, true, MPIR_DOUBLING, OWN},
    {"mpich-4.0", parent, TUTTI_COLL_GATHER, 8, 1, 8, false, "MPIR_Gather_intra_binomial", "gather/binomial", OWN},
    {"mpich-4.0", alpha, TUTTI_COLL_ALLREDUCE, 8, 1, 8, false, CH4_NAME("alpha"), NULL, FAILS},
    {"mpich-4.0", delta, TUTTI_COLL_ALLREDUCE, 8, 4, 8, false, "none", NULL, FAILS},
    {"openmpi-4.1", han, TUTTI_COLL_BCAST, 4, 2, 999, false, "basic", BCAST_BY("basic"), RUNS},
    {"openmpi-4.1", han, TUTTI_COLL_BCAST, 8, 2, 1000, false, "tuned: knomial", "bcast/k-nomial", OWN},
    {"openmpi-4.1", han, TUTTI_COLL_BCAST, 8, 8, 8, false, "tuned: binary_tree", "bcast/binary", OWN},
    {"openmpi-5", han, TUTTI_COLL_BCAST, 3, 2, 8, false, "han: sm within, libnbc among nodes", NULL, RUNS},
    {"openmpi-5", han, TUTTI_COLL_BCAST, 3, 2, 7, false, "han: sm within, tuned among nodes", NULL, RUNS},
    {"openmpi-5", han, TUTTI_COLL_BCAST, 4, 2, 1000, false, "tuned", BCAST_BY("tuned"), RUNS},
    {"openmpi-5", han, TUTTI_COLL_REDUCE, 4, 2, 8, false, "han", NULL, OWN},
    {"openmpi-5", han, TUTTI_COLL_GATHER, 4, 2, 8, false, "han: default within, default among nodes", NULL, OWN},
    {"openmpi-4.1", han, TUTTI_COLL_BCAST, 3, 2, 7, false, "han", BCAST_BY("han"), RUNS},
    {"openmpi-4.1", han, TUTTI_COLL_REDUCE, 4, 2, 8, false, "han", NULL, OWN},
    {"openmpi-4.1", han, TUTTI_COLL_SCAN, 4, 2, 8, false, "tuned: coll/basic", "scan/linear", OWN},
    {"openmpi-4.1", han_number, TUTTI_COLL_BCAST, 4, 0, 8, false, "han", NULL, OWN},
    {"openmpi-4.1", set, TUTTI_COLL_BCAST, 8, 0, 8, false, "chain, segments of 1024 B, fan-out 4", "bcast/chain/1KB",
     RUNS},
    {"openmpi-4.1", set, TUTTI_COLL_ALLGATHER, 6, 0, 8, false, "recursive_doubling", "allgather/bruck", RUNS},
    {"openmpi-4.1", set, TUTTI_COLL_REDUCE, 8, 0, 8, false, "binary", "reduce/binary", OWN},
    {"openmpi-4.1", set, TUTTI_COLL_BARRIER, 8, 0, 0, false, "recursive_doubling", "barrier/recursive-doubling", OWN},
    {"openmpi-4.1", off, TUTTI_COLL_BCAST, 8, 0, 1024, false, "knomial", "bcast/k-nomial", OWN},
    {"openmpi-4.1", agent, TUTTI_COLL_BCAST, 8, 0, 1024, false, "basic_linear", "bcast/linear", RUNS},
    {"openmpi-4.1", before, TUTTI_COLL_BCAST, 8, 0, 1024, false, "basic_linear", "bcast/linear", RUNS},
    {"openmpi-4.1", launched, TUTTI_COLL_BCAST, 8, 0, 1024, false, "basic_linear", "bcast/linear", RUNS},
    {"mpich-4.0", genv, TUTTI_COLL_ALLGATHER, 8, 0, 8, false, "MPIR_Allgather_intra_ring", "allgather/ring", RUNS},
    {"openmpi-4.1", without, TUTTI_COLL_BCAST, 8, 0, 1024, false, "knomial", "bcast/k-nomial", OWN},
    {"openmpi-4.1", tree, TUTTI_COLL_BCAST, 8, 0, 127, false, "split_binary_tree, segments of 512 B",
     "bcast/split-binary/512B", RUNS},
    {"openmpi-4.1", tree, TUTTI_COLL_BCAST, 8, 0, 128, false, "torus, pipeline", NULL, RUNS},
    {"openmpi-4.1", tree, TUTTI_COLL_BCAST, 16, 8, 1024, false, "knomial", "bcast/k-nomial", OWN},
    {"openmpi-4.1", tree, TUTTI_COLL_BCAST, 9, 1, 1024, false, "none", NULL, RUNS},
    {"openmpi-4.1", tree, TUTTI_COLL_REDUCE, 9, 1, 1024, false, "mesh", NULL, RUNS},
    {"openmpi-4.1", tree, TUTTI_COLL_ALLGATHER, 9, 1, 8, false, LEAF, NULL, RUNS},
    {"openmpi-4.1", tree, TUTTI_COLL_GATHER, 9, 1, 8, false, "binomial", "gather/binomial", OWN},
    {"mpich-4.0", variables, TUTTI_COLL_ALLGATHER, 8, 0, 8, false, "MPIR_Allgather_intra_ring", "allgather/ring", RUNS},
    {"mpich-4.0", variables, TUTTI_COLL_BCAST, 8, 1, 8, false, "MPIR_Bcast_intra_binomial", "bcast/in-order-binomial",
     OWN},
    {"mpich-4.0", variables, TUTTI_COLL_BCAST, 8, 2, 8, false, "MPIR_Bcast_intra_smp",
     "bcast/two-level/outer=in-order-binomial/inner=in-order-binomial", RUNS},
    {"mpich-4.0", variables, TUTTI_COLL_REDUCE, 8, 2, 8, false, "none", NULL, FAILS},
    {"mpich-4.0", strict, TUTTI_COLL_BCAST, 8, 1, 8, false, "MPIR_Bcast_intra_smp", NULL, FAILS},
    {"mpich-4.3", delta, TUTTI_COLL_ALLREDUCE, 8, 4, 8, false, CH4_NAME("delta"), "allreduce/native/selector=delta",
     RUNS},
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

/* The table is searched by halving. */
TEST(test_names)
{
  static const char *const names[] = {
#define COLLECTIVE(...)
#define ALGORITHM(name, ...) name,
#include "decision/libraries/mpich/names.def"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_string_equal(tutti_mpich_algorithm(names[i])->name, names[i]);
  assert_null(tutti_mpich_algorithm("Bcast_intra_binomial"));
}
