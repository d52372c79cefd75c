/* Importing tables of machines that PICO measured: whose code ran and in which form, sizes of blocks, the nodes of a
 * run; what cannot be used names its line. */
#include "harness/store/import_file.h"
#include "harness/store/import_pico.h"
#include "unit/harness/store/import_fixture.h"
#include "unit/patience.h"

static const tutti_import_how pico = {.format = TUTTI_IMPORT_PICO};

#define HEADINGS                                                                                                       \
  "machine\tnodes\tranks_per_node\tcollective\tlibrary\tsettings\tbytes\tmethod\trepetitions\tmin_ns\tmedian_ns\t"     \
  "mean_ns\tmax_ns\trun\n"

TEST(test_names)
{
  static const struct {
    tutti_collective collective;
    const char *name, *method, *variant; /* method NULL: there is none */
    bool utofu;
  } names[] = {
      {TUTTI_COLL_ALLREDUCE, "recursive_doubling_ompi", "allreduce/recursive-doubling@openmpi", NULL, false},
      {TUTTI_COLL_ALLREDUCE, "recursive_doubling_mpich", "allreduce/recursive-doubling@mpich", NULL, false},
      {TUTTI_COLL_ALLREDUCE, "recursive_doubling_over", "allreduce/recursive-doubling", NULL, false},
      {TUTTI_COLL_ALLREDUCE, "default_mpich", "allreduce/native", NULL, false},
      {TUTTI_COLL_BCAST, "binomial_mpich", "bcast/in-order-binomial@mpich", NULL, false},
      {TUTTI_COLL_BCAST, "binomial_ompi", "bcast/binomial@openmpi", NULL, false},
      {TUTTI_COLL_BCAST, "default-default", "bcast/native", NULL, false},
      {TUTTI_COLL_ALLREDUCE, "bine_bdw_static_over", "allreduce/bine", "static", false},
      {TUTTI_COLL_ALLREDUCE, "bine_bdw_remap_segmented_over_16384", NULL, NULL, false},
      {TUTTI_COLL_ALLREDUCE, "non_blocking_mpich", NULL, NULL, false},
      {TUTTI_COLL_ALLGATHER, "bine_block_by_block_over_any_even", "allgather/swing", "any-even", false},
      {TUTTI_COLL_REDUCE_SCATTER, "bine_block_by_block_any_even", "reduce_scatter/swing", "any-even", false},
      {TUTTI_COLL_REDUCE, "binomial_ompi", "reduce/in-order-binomial@openmpi", NULL, false},
      {TUTTI_COLL_BCAST, "default-split-binary-tree", "bcast/split-binary@openmpi", NULL, false},
      {TUTTI_COLL_BCAST, "BINE-BINOMIAL_TREE-UTOFU-4096-1", "bcast/bine/4KB", NULL, true},
      {TUTTI_COLL_BCAST, "BINE-BINOMIAL_TREE-UTOFU-4096-3", NULL, NULL, false},
      {TUTTI_COLL_BCAST, "BINE-BINOMIAL_TREE-UTOFU-4096", NULL, NULL, false},
      {TUTTI_COLL_REDUCE, "BINE-BINOMIAL_TREE-MPI-1048576-1", "reduce/bine/1MB", NULL, false},
      {TUTTI_COLL_ALLREDUCE, "RECDOUB-B_CONT-UTOFU-65536-1", NULL, NULL, false}, /* ours takes no segments */
      {TUTTI_COLL_GATHER, "BINE-BINOMIAL_TREE_CONT_PERMUTE-DEC-UTOFU-0-1", "gather/bine", "decreasing", true},
      {TUTTI_COLL_SCATTER, "linear_nb_ompi", "scatter/linear-nonblocking@openmpi", NULL, false},
      {TUTTI_COLL_GATHER, "default-simple", "gather/linear-nonblocking", NULL, false},
      {TUTTI_COLL_ALLGATHER, "default-3dtorus", "allgather/bucket-blocks/torus=4x2", NULL, false},
      {TUTTI_COLL_BCAST, "default-trinaryx6", NULL, NULL, false}, /* too few neighbors */
      {TUTTI_COLL_BCAST, "default-trinaryx3", "bcast/torus-trees/32KB/torus=4x2/trees=3", NULL, false},
      {TUTTI_COLL_ALLREDUCE, "default-trix3", "allreduce/torus-trees/32KB/torus=4x2/trees=3", NULL, false},
      {TUTTI_COLL_ALLREDUCE, "default-basic_linear", "allreduce/reduce-bcast/reduce=linear/bcast=linear", NULL, false},
      {TUTTI_COLL_ALLREDUCE, "default-rdbc", NULL, NULL, false},
      {TUTTI_COLL_BCAST, "a_name_that_is_longer_than_any_method_that_there_is_on_any_of_the_machines", NULL, NULL,
       false},
  };
  char text[TUTTI_METHOD_LENGTH];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct pico_method found;
    assert_int_equal(tutti_pico_method(names[i].collective, names[i].name, "4x2", "", &found), names[i].method != NULL);
    if (!names[i].method)
      continue;
    assert_string_equal(tutti_method_format(&found.method, text), names[i].method);
    assert_string_equal(found.variant ? found.variant : "", names[i].variant ? names[i].variant : "");
    assert_int_equal(found.utofu, names[i].utofu);
  }
}

static void assert_time(double seconds, double nanoseconds)
{
  assert_true(fabs(seconds - 1e-9 * nanoseconds) < 1e-15);
}

TEST(test_row)
{
  static const char text[] = HEADINGS
      "fugaku\t2x2x2\t4\tallgather\tFJMPI-4.0.1\ta b\t2052\tBINE-VEC_DOUBLING_CONT_SEND-UTOFU-0-1\t100\t10\t20\t30\t"
      "40\tr/2\n"
      "fugaku\t2x2x2\t4\tallgather\tFJMPI-4.0.1\t\t100\tdefault-ring\t100\t10\t20\t30\t40\tr/2\n"
      "fugaku\t2x2x2\t4\tallreduce\tFJMPI-4.0.1\tA=1\t100\tdefault-rdbc\t100\t10\t20\t30\t40\tr/2\n"
      "fugaku\t2x2x2\t4\tallreduce\tFJMPI-4.0.1\tA=1\t100\tdefault-ring\t100\t10\t20\t30\t40\tr/2\n";
  FREED_BY(tutti_imported_free) tutti_imported imported = {.items = NULL};
  assert_int_equal(read_text(&imported, &pico, text, REASON), TUTTI_OK);
  assert_int_equal(imported.count, 2);
  assert_int_equal(passed_over(&imported, "the size is not", "out.txt:3: 100"), 1); /* of 32 ranks */
  assert_int_equal(passed_over(&imported, "methods that", "out.txt:4: allreduce/default-rdbc"), 1);
  const tutti_measurement *row = &imported.items[0].measurement;
  assert_int_equal(row->scheme, TUTTI_SCHEME_PICO);
  assert_int_equal(row->ranks, 32);
  assert_int_equal(row->ranks_per_node, 4);
  assert_int_equal(row->count, 16); /* 2052 / 32 = 64 bytes and an eighth */
  assert_int_equal(row->repetitions, 100);
  assert_time(row->minimum, 10);
  assert_time(row->median, 20);
  assert_time(row->mean, 30);
  assert_time(row->maximum, 40);
  assert_string_equal(imported.items[0].settings, "interface=utofu note=a_b run=r/2 torus=2x2x2");
  assert_string_equal(imported.items[1].settings, "A=1 run=r/2 torus=2x2x2");
  assert_int_equal(imported.items[1].measurement.count, 25);
}

TEST(test_refuses)
{
  static const struct {
    const char *text, *message;
  } faults[] = {
      {"lumi\t1\n", "out.txt:1: a row before the headings"},
      {HEADINGS "lumi\t1\t1\n", "out.txt:2: not as many fields as headings: 14 are"},
      {HEADINGS "lumi\t0\t1\tbcast\tOMPI\t\t4\tring_over\t1\t1\t1\t1\t1\tr\n", "out.txt:2: not a number of nodes: '0'"},
      {HEADINGS "lumi\t4x\t1\tbcast\tOMPI\t\t4\tring_over\t1\t1\t1\t1\t1\tr\n", "not a number of nodes: '4x'"},
      {HEADINGS "lumi\t9999x9999\t1\tbcast\tOMPI\t\t4\tring_over\t1\t1\t1\t1\t1\tr\n", "not a number of nodes"},
      {HEADINGS "lumi\t4\t9999999999\tbcast\tOMPI\t\t4\tx\t1\t1\t1\t1\t1\tr\n", "not a number of ranks on a node"},
      {HEADINGS "lumi\t4\t1\tdance\tOMPI\t\t4\tring_over\t1\t1\t1\t1\t1\tr\n", "no collective: 'dance'"},
      {HEADINGS "lumi\t4\t1\tbcast\tOMPI\t\tmuch\tring_over\t1\t1\t1\t1\t1\tr\n", "not a size: 'much'"},
      {HEADINGS "lumi\t4\t1\tbcast\tOMPI\t\t4\tring_over\t0\t1\t1\t1\t1\tr\n", "not a number of repetitions: '0'"},
      {HEADINGS "lumi\t4\t1\tbcast\tOMPI\t\t4\tbinomial_over\t1\t1\t-1\t1\t1\tr\n", "not a time: '-1'"},
      {HEADINGS "lumi\t4\t1\tbcast\tOMPI\t\t4\tbinomial_over\t1\t5\t4\t5\t6\tr\n", "out.txt:2: "},
      {HEADINGS "lumi\t4\t1\tbcast\tOMPI\t\t4\tbinomial_over\t1\t1\t1\t1\t1\t\n", "the run is missing"},
      {"machine\trun\tnodes_by_rank\nlumi\tr\n", "out.txt:2: a machine, a run and its nodes"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    tutti_imported imported = {.passed.strict = true};
    assert_int_equal(read_text(&imported, &pico, faults[i].text, REASON), TUTTI_ERR_ARGUMENT);
    if (!strstr(error.message, faults[i].message))
      fail_msg("'%s' is not in '%s'", faults[i].message, error.message);
    tutti_imported_free(&imported);
  }
  tutti_imported imported = {.passed.strict = true};
  assert_fails(read_text(&imported, &four, HEADINGS, REASON), TUTTI_ERR_ARGUMENT, error, "use --format pico");
  tutti_imported_free(&imported);
}

/* Each run is an environment. */
static void store_many(const tutti_imported *imported, const char *path)
{
  const tutti_import_machine machine = {.platform = NULL};
  tutti_import_stored counts;
  FREED_BY(close_store) tutti_store *store = open_store(path);
  assert_int_equal(tutti_import_store(imported, &machine, store, &counts, &error), TUTTI_OK);
  assert_int_equal(counts.replaced + counts.repeated, 0);
}

/* Each row of a run of its own, or of a method that is not known, and each run with its nodes: what was met before is
   not gone through for each. */
STORE_TEST(test_many)
{
  enum { MANY = UNLESS_WATCHED(50000, 2000) };
  FREED_BY(tutti_imported_free) tutti_imported imported = {.items = NULL};
  FREED_BY(free_memory) char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  assert_non_null(stream);
  fputs(HEADINGS, stream);
  for (int i = 0; i < MANY; i++)
    fprintf(stream,
            "lumi\t16\t1\tallreduce\tCRAY_MPICH-8\t\t64\tring_over\t50\t1\t2\t3\t4\tr%d/0\n"
            "lumi\t16\t1\tallreduce\tCRAY_MPICH-8\t\t64\tx%d\t50\t1\t2\t3\t4\tr/0\n",
            i, i);
  fputs("machine\trun\tnodes_by_rank\n", stream);
  for (int i = 0; i < MANY; i++)
    fprintf(stream, "lumi\tr%d/alloc%s.csv\tn%d\n", i, i % 2 ? "" : "_16", i);
  assert_int_equal(fclose(stream), 0);
  stream = fmemopen(text, length, "r");
  limit_processor_time(20);
  assert_int_equal(tutti_import_read(&imported, &pico, stream, "many", &error), TUTTI_OK);
  fclose(stream);
  assert_int_equal(imported.count, MANY);
  assert_int_equal(passed_over(&imported, "methods that", ""), MANY);
  assert_int_equal(imported.origins.count, MANY);
  for (size_t i = 0; i < MANY; i++)
    assert_string_equal(tutti_import_hosts(&imported, &imported.origins.items[i]), imported.allocations.items[i].hosts);
  store_many(&imported, place->path);
}
