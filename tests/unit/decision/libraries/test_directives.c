/* What libraries are told to run methods of their own. */
#include "tutti/library.h"
#include "unit/test.h"

/* "NAME=VALUE NAME=VALUE", or why it cannot be told. */
static const char *told_version(const char *name, int ranks, uint64_t bytes, const char *library)
{
  static char text[1024];
  tutti_method method;
  tutti_directives directives;
  if (tutti_method_parse(name, &method, &error) != TUTTI_OK ||
      tutti_method_directives(&method, ranks, bytes, library, &directives, &error) != TUTTI_OK) {
    snprintf(text, sizeof text, "%s", error.message);
    return text;
  }
  *text = '\0';
  for (int i = 0; i < directives.count; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s=%s", i ? " " : "", directives.items[i].name,
             directives.items[i].value);
  return text;
}

static const char *told(const char *name, int ranks, uint64_t bytes)
{
  return told_version(name, ranks, bytes, NULL);
}

#define TUNED                                                                                                          \
  "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename= "                               \
  "OMPI_MCA_coll_tuned_priority=100 OMPI_MCA_coll_tuned_"

TEST(settings_of_methods)
{
  assert_string_equal(told("bcast/binomial", 8, 100), "");
  assert_string_equal(told("bcast/native", 8, 100), "");
  assert_string_equal(told("bcast/native/selector=ompi", 8, 100), "");
  assert_non_null(strstr(told("bcast/native/selector=beta", 8, 100), "mpich cannot be told to run this"));
  assert_string_equal(told_version("bcast/native/selector=beta", 8, 100, "MPICH-4.2.1"),
                      "MPIR_CVAR_BCAST_COMPOSITION=2");
  assert_string_equal(told("bcast/native/selector=han", 8, 100), "OMPI_MCA_coll_han_priority=100");
  assert_string_equal(told("bcast/linear@openmpi", 8, 100), TUNED "bcast_algorithm=1");
  assert_string_equal(told("bcast/chain/8KB/k=3@openmpi", 8, 100),
                      TUNED "bcast_algorithm=2 OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize=8192 "
                            "OMPI_MCA_coll_tuned_bcast_algorithm_chain_fanout=3");
  assert_string_equal(told("bcast/binomial@openmpi", 8, 100),
                      TUNED "bcast_algorithm=6 OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize=0");
  assert_string_equal(told("reduce/in-order-binomial@openmpi", 8, 100),
                      TUNED "reduce_algorithm=5 OMPI_MCA_coll_tuned_reduce_algorithm_segmentsize=0 "
                            "OMPI_MCA_coll_tuned_reduce_algorithm_max_requests=0");
  assert_string_equal(told("allgather/bruck@openmpi", 8, 100),
                      TUNED "allgather_algorithm=2 OMPI_MCA_coll_tuned_allgather_algorithm_tree_fanout=2");
  assert_string_equal(told("bcast/k-nomial/k=7@openmpi", 8, 100),
                      TUNED "bcast_algorithm=7 OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize=0 "
                            "OMPI_MCA_coll_tuned_bcast_algorithm_knomial_radix=7");
  assert_string_equal(told("alltoall/linear-sync/max_requests=3@openmpi", 8, 100),
                      TUNED "alltoall_algorithm=4 OMPI_MCA_coll_tuned_alltoall_algorithm_max_requests=3");
  assert_string_equal(told("allreduce/reduce-bcast@openmpi", 8, 100), TUNED "allreduce_algorithm=2");
  assert_string_equal(told("allreduce/recursive-doubling@mpich", 8, 100),
                      "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling");
  assert_string_equal(told("reduce_scatter_block/pairwise@mpich", 8, 100),
                      "MPIR_CVAR_REDUCE_SCATTER_BLOCK_INTRA_ALGORITHM=pairwise");
  assert_string_equal(told("barrier/linear@smpi", 8, 0), "smpi/barrier=ompi_basic_linear");
}

/* A name that MPICH changed in 4.1. Versions that are not known are taken for that of Debian 12. */
TEST(versions_of_libraries)
{
  static const char *const older[] = {NULL, "MPICH-4.0.2", "MPICH", "MPICH-3.4"};
  static const char *const newer[] = {"MPICH-4.1", "MPICH-4.2.1", "mpich-5.0.2"};
  for (size_t i = 0; i < sizeof older / sizeof *older; i++)
    assert_string_equal(told_version("barrier/bruck@mpich", 5, 0, older[i]),
                        "MPIR_CVAR_BARRIER_INTRA_ALGORITHM=dissemination");
  for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
    assert_string_equal(told_version("barrier/bruck@mpich", 5, 0, newer[i]),
                        "MPIR_CVAR_BARRIER_INTRA_ALGORITHM=k_dissemination MPIR_CVAR_BARRIER_DISSEM_KVAL=2");
  assert_string_equal(told_version("barrier/bruck@openmpi", 5, 0, "OpenMPI-6.0.0"), TUNED "barrier_algorithm=4");
  assert_non_null(strstr(told_version("allgather/sparbit@openmpi", 5, 8, "OpenMPI-4.1.4"), "cannot be told"));
  assert_string_equal(told_version("allgather/sparbit@openmpi", 5, 8, "OpenMPI-5.0.7"), TUNED "allgather_algorithm=7");
  assert_string_equal(told_version("allgatherv/sparbit@openmpi", 5, 8, "OpenMPI-5.0.7"),
                      TUNED "allgatherv_algorithm=6");
  assert_non_null(strstr(told_version("allgather/direct-messaging@openmpi", 5, 8, "OpenMPI-5.0.7"), "cannot be told"));
  assert_string_equal(told_version("allgather/direct-messaging@openmpi", 5, 8, "OpenMPI-6.0.0"),
                      TUNED "allgather_algorithm=8");
  assert_non_null(strstr(told_version("allgather/k-bruck/k=3@openmpi", 5, 8, "OpenMPI-5.0.7"), "cannot be told"));
  assert_string_equal(told_version("allgather/k-bruck/k=3@openmpi", 5, 8, "OpenMPI-6.0.0"),
                      TUNED "allgather_algorithm=2 OMPI_MCA_coll_tuned_allgather_algorithm_tree_fanout=3");
  assert_string_equal(told_version("barrier/two-process@openmpi", 2, 0, "OpenMPI-4.1.4"), TUNED "barrier_algorithm=5");
  assert_string_equal(told_version("alltoall/two-process@openmpi", 2, 8, "OpenMPI-4.1.4"),
                      TUNED "alltoall_algorithm=5");
  assert_string_equal(told_version("scatter/linear-nonblocking@openmpi", 5, 8, "OpenMPI-4.1.4"),
                      TUNED "scatter_algorithm=3");
  assert_string_equal(told_version("allreduce/allgather-reduce@openmpi", 5, 8, "OpenMPI-6.0.0"),
                      TUNED "allreduce_algorithm=7");
  assert_string_equal(told_version("reduce/k-nomial/k=3@openmpi", 5, 8, "OpenMPI-6.0.0"),
                      TUNED "reduce_algorithm=8 OMPI_MCA_coll_tuned_reduce_algorithm_knomial_radix=3");
}

/* Radixes and kinds of trees of MPICH's later versions are variables of their own. */
TEST(parameters_of_mpich)
{
  static const struct {
    const char *method, *version, *told;
  } cases[] = {
      {"allgather/k-bruck/k=3", "MPICH-4.1.2", "ALLGATHER_INTRA_ALGORITHM=k_brucks MPIR_CVAR_ALLGATHER_BRUCKS_KVAL=3"},
      {"allgather/recursive-exchange/k=5", "MPICH-4.2.1",
       "ALLGATHER_INTRA_ALGORITHM=recexch_doubling MPIR_CVAR_ALLGATHER_RECEXCH_KVAL=5"},
      {"allgather/recursive-exchange-halving/k=3", "MPICH-4.2.1",
       "ALLGATHER_INTRA_ALGORITHM=recexch_halving MPIR_CVAR_ALLGATHER_RECEXCH_KVAL=3"},
      {"allreduce/ring", "MPICH-4.1.2", "ALLREDUCE_INTRA_ALGORITHM=ring"},
      {"allreduce/ring", "MPICH-4.0.2", NULL},
      {"barrier/recursive-exchange/k=4", "MPICH-4.1.2",
       "BARRIER_INTRA_ALGORITHM=recexch MPIR_CVAR_BARRIER_RECEXCH_KVAL=4"},
      {"allreduce/recursive-exchange/k=2", "MPICH-4.1.2",
       "ALLREDUCE_INTRA_ALGORITHM=recexch MPIR_CVAR_ALLREDUCE_RECEXCH_KVAL=2"},
      {"allreduce/recursive-multiplying/k=3", "MPICH-4.3.0",
       "ALLREDUCE_INTRA_ALGORITHM=recursive_multiplying MPIR_CVAR_ALLREDUCE_RECURSIVE_MULTIPLYING_KVAL=3"},
      {"alltoall/bruck/radix=5", "MPICH-4.1.2", "ALLTOALL_INTRA_ALGORITHM=k_brucks MPIR_CVAR_ALLTOALL_BRUCKS_KVAL=5"},
      {"alltoall/bruck", "MPICH-4.1.2", "ALLTOALL_INTRA_ALGORITHM=brucks"},
      {"barrier/k-dissemination/k=3", "MPICH-4.1.2",
       "BARRIER_INTRA_ALGORITHM=k_dissemination MPIR_CVAR_BARRIER_DISSEM_KVAL=3"},
      {"bcast/k-nomial-1/k=3", "MPICH-4.1.2",
       "BCAST_INTRA_ALGORITHM=tree MPIR_CVAR_BCAST_TREE_TYPE=knomial_1 MPIR_CVAR_BCAST_TREE_KVAL=3"},
      {"bcast/k-ary/8KB/k=2", "MPICH-4.1.2",
       "BCAST_INTRA_ALGORITHM=pipelined_tree MPIR_CVAR_BCAST_TREE_TYPE=kary MPIR_CVAR_BCAST_TREE_KVAL=2 "
       "MPIR_CVAR_BCAST_TREE_PIPELINE_CHUNK_SIZE=8192"},
      {"allreduce/k-nomial/k=3", "MPICH-4.1.2",
       "ALLREDUCE_INTRA_ALGORITHM=tree MPIR_CVAR_ALLREDUCE_TREE_TYPE=knomial_2 MPIR_CVAR_ALLREDUCE_TREE_KVAL=3 "
       "MPIR_CVAR_ALLREDUCE_TREE_BUFFER_PER_CHILD=1"},
      {"allreduce/k-ary/8KB/k=2/buffers=1", "MPICH-4.1.2",
       "ALLREDUCE_INTRA_ALGORITHM=tree MPIR_CVAR_ALLREDUCE_TREE_TYPE=kary MPIR_CVAR_ALLREDUCE_TREE_KVAL=2 "
       "MPIR_CVAR_ALLREDUCE_TREE_PIPELINE_CHUNK_SIZE=8192 MPIR_CVAR_ALLREDUCE_TREE_BUFFER_PER_CHILD=0"},
      {"allreduce/k-nomial-1/buffers=3", "MPICH-4.1.2", NULL},
      {"allreduce/k-nomial-1", "MPICH-4.0.2", NULL},
      {"allreduce/recursive-multiplying/k=3", "MPICH-4.2.1", NULL},
      {"allgather/recursive-exchange/k=5", "MPICH-4.1.2", NULL},
      {"bcast/k-nomial-1/k=3", "MPICH-4.0.2", NULL},
      {"alltoall/bruck/radix=5", "MPICH-4.0.2", NULL},
      {"alltoall/pairwise-by-rank", "MPICH-4.3.0", NULL}, /* in place only */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char method[TUTTI_METHOD_LENGTH];
    snprintf(method, sizeof method, "%s@mpich", cases[i].method);
    const char *text = told_version(method, 5, 8 * (strncmp(method, "barrier", 7) != 0), cases[i].version);
    if (!cases[i].told)
      assert_non_null(strstr(text, "cannot be told"));
    else if (strncmp(text, "MPIR_CVAR_", 10) != 0 || strcmp(text + 10, cases[i].told) != 0)
      fail_msg("%s: %s", method, text);
  }
}

/* Where the library would run something else it is not said to run the method. */
TEST(what_would_not_run)
{
  assert_string_equal(told("allreduce/ring@openmpi", 8, 8),
                      "allreduce/ring@openmpi: openmpi cannot be told to run this on 8 ranks with 8B: it would run "
                      "allreduce/recursive-doubling");
  assert_string_equal(told("allreduce/ring@openmpi", 8, 64), TUNED "allreduce_algorithm=4");
  assert_non_null(strstr(told("allgather/recursive-doubling@openmpi", 6, 8),
                         "6 ranks with 8B: needs a number of ranks that is a power of two"));
  assert_non_null(strstr(told("allreduce/rabenseifner@mpich", 8, 8), "cannot be told"));
  assert_non_null(strstr(told("bcast/linear/8KB@openmpi", 8, 8), "cannot be told"));
  assert_non_null(strstr(told("bcast/linear/8KB@openmpi", 8, 8), ": it has no setting for these parameters, and takes "
                                                                 "bcast/linear@openmpi"));
  assert_non_null(strstr(told("allreduce/reduce-bcast/bcast=chain@openmpi", 8, 8), "cannot be told"));
}

/* The value of NAME in "NAME=VALUE NAME=VALUE". */
static const char *value_in(const char *name, const void *context)
{
  static char value[40];
  size_t length = strlen(name);
  for (const char *at = context; (at = strstr(at, name)); at += length)
    if (at[length] == '=') {
      snprintf(value, sizeof value, "%.*s", (int)strcspn(at + length + 1, " "), at + length + 1);
      return value;
    }
  return NULL;
}

/* The method of a collective under settings, or why it is not known. */
static const char *told_by(const char *settings, tutti_collective collective, tutti_implementation implementation)
{
  static char text[TUTTI_ERROR_LENGTH];
  tutti_method method;
  tutti_directive told;
  if (tutti_method_told(collective, implementation, NULL, 8, value_in, settings, &method, &told, &error) != TUTTI_OK)
    snprintf(text, sizeof text, "%s", error.message);
  else {
    assert_int_equal(*told.name != '\0', !tutti_method_is_native(&method));
    tutti_method_format(&method, text);
  }
  return text;
}

/* Every method of a library that can be told is found by what it is told, with its parameters. */
TEST(settings_say_the_method)
{
  static const char *const names[] = {
      "bcast/binomial/8KB@openmpi",         "bcast/chain/8KB/k=3@openmpi",
      "bcast/k-nomial/k=7@openmpi",         "alltoall/linear-sync/max_requests=3@openmpi",
      "allreduce/reduce-bcast@openmpi",     "allreduce/recursive-doubling@mpich",
      "reduce_scatter_block/pairwise@mpich"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    tutti_method method;
    assert_int_equal(tutti_method_parse(names[i], &method, NULL), TUTTI_OK);
    assert_string_equal(told_by(told(names[i], 8, 1 << 20), method.algorithm->collective, method.implementation),
                        names[i]);
  }
  assert_string_equal(told_by("", TUTTI_COLL_BCAST, TUTTI_IMPLEMENTATION_OPENMPI), "bcast/native");
  assert_string_equal(told_by(TUNED "bcast_algorithm=6", TUTTI_COLL_REDUCE, TUTTI_IMPLEMENTATION_OPENMPI),
                      "reduce/native");
  assert_string_equal(told_by(TUNED "bcast_algorithm=0", TUTTI_COLL_BCAST, TUTTI_IMPLEMENTATION_OPENMPI),
                      "bcast/native");
  assert_string_equal(told_by(TUNED "bcast_algorithm=77", TUTTI_COLL_BCAST, TUTTI_IMPLEMENTATION_OPENMPI),
                      "OMPI_MCA_coll_tuned_bcast_algorithm=77 is no algorithm of the catalogue that runs on 8 ranks");
  assert_string_equal(told_by("OMPI_MCA_coll_tuned_bcast_algorithm=6", TUTTI_COLL_BCAST, TUTTI_IMPLEMENTATION_OPENMPI),
                      "OMPI_MCA_coll_tuned_bcast_algorithm is set, but not OMPI_MCA_coll_tuned_use_dynamic_rules=1, "
                      "without which the library ignores it");
  assert_string_equal(told_by("OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_bcast_algorithm=6 "
                              "OMPI_MCA_coll_tuned_dynamic_rules_filename=x",
                              TUTTI_COLL_BCAST, TUTTI_IMPLEMENTATION_OPENMPI),
                      "OMPI_MCA_coll_tuned_bcast_algorithm is set, but OMPI_MCA_coll_tuned_dynamic_rules_filename=x "
                      "goes before it");
}

/* Open MPI takes the names of its algorithms, too. */
TEST(settings_name_algorithms)
{
  static const char dynamic[] = "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_";
  static const char *const names[][2] = {
      {"bcast_algorithm=binomial", "bcast/binomial@openmpi"},
      {"bcast_algorithm=0x6", "bcast/binomial@openmpi"},
      {"bcast_algorithm=ignore", "bcast/native"},
      {"reduce_algorithm=rabenseifner", "reduce/rabenseifner@openmpi"},
      {"allgather_algorithm=recursive_doubling", "allgather/recursive-doubling@openmpi"}};
  char settings[200];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    tutti_method method;
    snprintf(settings, sizeof settings, "%s%s", dynamic, names[i][0]);
    assert_int_equal(tutti_method_parse(names[i][1], &method, NULL), TUTTI_OK);
    assert_string_equal(told_by(settings, method.algorithm->collective, TUTTI_IMPLEMENTATION_OPENMPI), names[i][1]);
  }
  snprintf(settings, sizeof settings, "%sbcast_algorithm=binomail", dynamic);
  assert_string_equal(told_by(settings, TUTTI_COLL_BCAST, TUTTI_IMPLEMENTATION_OPENMPI),
                      "OMPI_MCA_coll_tuned_bcast_algorithm=binomail is no algorithm of the catalogue that runs on 8 "
                      "ranks");
}
