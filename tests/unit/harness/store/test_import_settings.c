/* Importing: the method that the library was told, by what the log of a job says above the times. */
#include "unit/harness/store/import_fixture.h"
#include "unit/patience.h"

/* The log of a job: what the library is told above the times says the method; a launch that says nothing is native. */
TEST(test_told)
{
  static const char times[] = "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n1024  7.50\n";
  static const char *const methods[] = {"bcast/binomial/8KB@openmpi", "bcast/chain/k=3@openmpi", "bcast/native",
                                        "bcast/pipeline@openmpi"};
  char log[2048], method[TUTTI_METHOD_LENGTH];
  tutti_import_how how = four;
  tutti_imported imported = {.passed.strict = true};
  tutti_method binary;
  snprintf(
      log, sizeof log,
      "+ export OMPI_MCA_coll_tuned_use_dynamic_rules=1\n"
      "+ mpirun --mca coll_tuned_bcast_algorithm 6 --mca coll_tuned_bcast_algorithm_segmentsize 8192 osu_bcast\n%s"
      "+ mpirun -x OMPI_MCA_coll_tuned_bcast_algorithm=2 -x OMPI_MCA_coll_tuned_bcast_algorithm_chain_fanout=3 b\n%s"
      "+ mpirun osu_bcast\n%s"
      "+ export 'OMPI_MCA_coll_tuned_bcast_algorithm=3'\n%s",
      times, times, times, times);
  how.implementation = TUTTI_IMPLEMENTATION_OPENMPI;
  assert_ok(read_text(&imported, &how, log, REASON), error);
  assert_int_equal(imported.count, 4);
  for (size_t i = 0; i < 4; i++)
    assert_string_equal(tutti_method_format(&imported.items[i].measurement.method, method), methods[i]);
  assert_string_equal(imported.told, "out.txt:5: bcast/binomial/8KB@openmpi (OMPI_MCA_coll_tuned_bcast_algorithm=6)\n"
                                     "out.txt:9: bcast/chain/k=3@openmpi (OMPI_MCA_coll_tuned_bcast_algorithm=2)\n"
                                     "out.txt:17: bcast/pipeline@openmpi (OMPI_MCA_coll_tuned_bcast_algorithm=3)\n");
  tutti_imported_free(&imported);

  /* What the caller says goes before that. */
  assert_int_equal(tutti_method_parse("bcast/binary@openmpi", &binary, NULL), TUTTI_OK);
  how.methods = &binary;
  how.method_count = 1;
  assert_int_equal(read_text(&imported, &how, log, REASON), TUTTI_OK);
  for (size_t i = 0; i < 4; i++)
    assert_string_equal(tutti_method_format(&imported.items[i].measurement.method, method), "bcast/binary@openmpi");
  assert_null(imported.told);
  tutti_imported_free(&imported);
}

/* Settings of Intel MPI and MVAPICH are not understood: a run that they force is not what the library chooses itself.
 */
TEST(test_told_in_other_words)
{
  static const char times[] = "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n1024  7.50\n";
  static const struct {
    const char *line, *library, *refused; /* NULL: it is native */
  } cases[] = {
      {"I_MPI_ADJUST_BCAST=3", "IntelMPI-2021", "I_MPI_ADJUST_BCAST=3"},
      {"mpirun -genv I_MPI_ADJUST_BCAST 3 -n 4 osu_bcast", "Intel MPI 2021", "I_MPI_ADJUST_BCAST=3"},
      {"+ export MV2_INTER_BCAST_TUNING=5", "MVAPICH2-2.3", "MV2_INTER_BCAST_TUNING=5"},
      {"export I_MPI_ADJUST_BCAST=0", "IntelMPI-2021", NULL},
      {"export I_MPI_ADJUST_ALLREDUCE=3 MV2_ENABLE_AFFINITY=0", "IntelMPI-2021", NULL},
      {"I_MPI_ADJUST_BCAST=3", "MPICH-4.0.2", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tutti_import_how how = four;
    tutti_imported imported = {.passed.strict = true};
    char log[512], expected[TUTTI_ERROR_LENGTH];
    how.implementation = TUTTI_IMPLEMENTATION_MPICH;
    how.library = cases[i].library;
    snprintf(log, sizeof log, "%s\n%s", cases[i].line, times);
    tutti_status status = read_text(&imported, &how, log, REASON);
    if ((status == TUTTI_OK) != !cases[i].refused)
      fail_msg("%s: %s", cases[i].line, error.message);
    if (!cases[i].refused)
      assert_true(tutti_method_is_native(&imported.items[0].measurement.method));
    else {
      snprintf(expected, sizeof expected,
               "out.txt:4: which method was it? (say it with --as): %s chooses one in words of %s, ", cases[i].refused,
               cases[i].library);
      assert_memory_equal(error.message, expected, strlen(expected));
    }
    tutti_imported_free(&imported);
  }

  /* In the environment of a pipe; and the caller knows. */
  tutti_import_how how = four;
  tutti_imported imported = {.passed.strict = true};
  tutti_method told;
  how.implementation = TUTTI_IMPLEMENTATION_MPICH;
  how.library = "IntelMPI-2021";
  how.environment = true;
  setenv("I_MPI_ADJUST_BCAST", "3", 1);
  assert_int_equal(read_text(&imported, &how, times, NULL), TUTTI_ERR_ARGUMENT);
  assert_int_equal(tutti_method_parse("bcast/scatter-ring@mpich", &told, NULL), TUTTI_OK);
  how.methods = &told;
  how.method_count = 1;
  assert_int_equal(read_text(&imported, &how, times, NULL), TUTTI_OK);
  unsetenv("I_MPI_ADJUST_BCAST");
  tutti_imported_free(&imported);
}

/* The environment counts only where the benchmark printed into a pipe of ours; what it ignores is refused. */
TEST(test_told_by_environment)
{
  static const char times[] = "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n1024  7.50\n";
  static const char key[] = "OMPI_MCA_coll_tuned_bcast_algorithm", rules[] = "OMPI_MCA_coll_tuned_use_dynamic_rules";
  tutti_import_how how = four;
  FREED_BY(tutti_imported_free) tutti_imported imported = {.passed.strict = true};
  how.implementation = TUTTI_IMPLEMENTATION_OPENMPI;
  setenv(key, "1", 1);
  assert_int_equal(read_text(&imported, &how, times, REASON), TUTTI_OK);
  assert_true(tutti_method_is_native(&imported.items[0].measurement.method));
  how.environment = true;
  assert_int_equal(read_text(&imported, &how, times, REASON), TUTTI_ERR_ARGUMENT);
  assert_string_equal(
      error.message,
      "out.txt:3: which method was it? (say it with --as): OMPI_MCA_coll_tuned_bcast_algorithm is set, but "
      "not OMPI_MCA_coll_tuned_use_dynamic_rules=1, without which the library ignores "
      "it");
  setenv(rules, "1", 1);
  assert_int_equal(read_text(&imported, &how, times, REASON), TUTTI_OK);
  assert_false(tutti_method_is_native(&imported.items[1].measurement.method));
  unsetenv(key);
  unsetenv(rules);
}

#define TIMES "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n1024  7.50\n"
#define RULES "OMPI_MCA_coll_tuned_use_dynamic_rules=1"
#define BCAST "OMPI_MCA_coll_tuned_bcast_algorithm"

/* The method, and the settings after a blank, of a log's last time; else the message. */
static const char *method_of(tutti_implementation implementation, const char *lines)
{
  static char text[TUTTI_ERROR_LENGTH];
  char log[2048], method[TUTTI_METHOD_LENGTH];
  tutti_import_how how = four;
  FREED_BY(tutti_imported_free) tutti_imported imported = {.passed.strict = true};
  how.implementation = implementation;
  snprintf(log, sizeof log, "%s\n" TIMES, lines);
  if (read_text(&imported, &how, log, REASON) == TUTTI_OK) {
    const tutti_import_item *item = &imported.items[imported.count - 1];
    snprintf(text, sizeof text, "%s%s%s", tutti_method_format(&item->measurement.method, method),
             item->settings ? " " : "", item->settings ? item->settings : "");
  } else
    memcpy(text, error.message, sizeof text);
  return text;
}

/* However launchers and shells are told. */
TEST(test_forms)
{
  static const char *const chains[] = {
      "+ srun -n 4 --mpi=pmix --export=ALL," RULES "," BCAST "=2,LANG=C ./osu_bcast",
      "+ srun --export ALL," RULES "," BCAST "=2 ./osu_bcast",
      "+ srun --export=" BCAST "=2," RULES " ./osu_bcast",
      "+ srun '--export=ALL," RULES "," BCAST "=2' ./osu_bcast",
      "setenv OMPI_MCA_coll_tuned_use_dynamic_rules 1\nsetenv " BCAST " 2",
      "export OMPI_MCA_coll_tuned_use_dynamic_rules=\"1\" " BCAST "='2'",
      RULES "; " BCAST "=2;export " BCAST "\n+ mpirun -x OMPI_MCA_coll_tuned_use_dynamic_rules -x " BCAST " osu_bcast",
      "export " RULES " " BCAST "=2\n+ srun --export=ALL," BCAST " ./osu_bcast",
      "+ " RULES " " BCAST "=2 ./osu_bcast",
      "+ mpirun -np 4 \n  --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm 2 ./osu_bcast",
      RULES " " BCAST "=2 of the environment\n+ mpirun osu_bcast",
      "export " RULES "; env " BCAST "=2 mpirun osu_bcast",
      "export " RULES "\nexport " BCAST "=\"2\"\nmpirun osu_bcast",
  };
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
    assert_string_equal(method_of(TUTTI_IMPLEMENTATION_OPENMPI, chains[i]), "bcast/chain@openmpi");
  static const char *const natives[] = {
      "+ export " RULES " " BCAST "=2\n+ unset LANG " BCAST,
      "+ " RULES " " BCAST "=2 ./osu_bcast\n+ mpirun osu_bcast",
      "$ " RULES " " BCAST "=2 mpirun osu_bcast\n$ mpirun osu_bcast",
      "export " RULES "\nenv " BCAST "=2 ./osu_bcast\nmpirun osu_bcast",
      "export " RULES " " BCAST "=2\nenv -u " BCAST " mpirun osu_bcast",
      "export " RULES " " BCAST "=2\nexport -n " BCAST,
      "export " RULES " " BCAST "=2\n" BCAST "=",
      "setenv " BCAST " 2\nunsetenv " BCAST,
      "Command: " RULES " " BCAST "=2 mpirun osu_bcast\nCommand: mpirun osu_bcast",
  };
  for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
    assert_string_equal(method_of(TUTTI_IMPLEMENTATION_OPENMPI, natives[i]), "bcast/native");
  assert_string_equal(method_of(TUTTI_IMPLEMENTATION_OPENMPI, "./run_algorithm_study coll_tuned_priority"),
                      "bcast/native");
  assert_string_equal(method_of(TUTTI_IMPLEMENTATION_OPENMPI, "coll_tuned_reduce_algorithm: not this collective"),
                      "bcast/native");
}

/* Times under a file are native, in an environment of their own. */
TEST(test_tuning_files)
{
  static const char file[] = "OMPI_MCA_coll_tuned_dynamic_rules_filename";
  static const char under[] = "bcast/native OMPI_MCA_coll_tuned_dynamic_rules_filename=/etc/site.rules " RULES;
  static const char *const logs[] = {
      "mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename /etc/site.rules ./osu_bcast",
      "srun --export=ALL," RULES ",OMPI_MCA_coll_tuned_dynamic_rules_filename=/etc/site.rules ./osu_bcast"};
  for (size_t i = 0; i < 2; i++)
    assert_string_equal(method_of(TUTTI_IMPLEMENTATION_OPENMPI, logs[i]), under);
  assert_string_equal(method_of(TUTTI_IMPLEMENTATION_MPICH,
                                "mpiexec -genv MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE /etc/x.json -n 4 osu_bcast"),
                      "bcast/native MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=/etc/x.json");
  assert_string_equal(method_of(TUTTI_IMPLEMENTATION_MPICH, "MPICH_COLL_SELECTION_TUNING_JSON_FILE=x.json mpiexec b"),
                      "bcast/native MPICH_COLL_SELECTION_TUNING_JSON_FILE=x.json");
  const char *message = method_of(TUTTI_IMPLEMENTATION_OPENMPI, "export OMPI_MCA_coll_tuned_dynamic_rules_filename=f");
  assert_non_null(strstr(message, file));
  assert_non_null(strstr(message, "=f is set, but not " RULES));
  message = method_of(TUTTI_IMPLEMENTATION_OPENMPI,
                      "export " RULES " OMPI_MCA_coll_tuned_dynamic_rules_filename=f " BCAST "=2");
  assert_non_null(strstr(message, "filename=f goes before it"));
}

/* What is mentioned in another form, or is not followed, is refused for the collectives that it may be about. */
TEST(test_refuses_what_it_does_not_understand)
{
  static const char *const lines[][2] = {
      {"mpirun --mca coll_tuned_bcast_algorithm 5 b > out; mpirun b", BCAST},
      {"MCA coll tuned: parameter \"coll_tuned_bcast_algorithm\" (current value: \"binomial\"", BCAST},
      {"coll_tuned_bcast_algorithm = 6", BCAST},
      {"mpirun --mca coll_adapt_bcast_algorithm 3 osu_bcast", "coll_adapt_bcast_algorithm"},
      {"export HCOLL_BCAST_ALGORITHM=2", "HCOLL_BCAST_ALGORITHM"},
      {"+ export MPIR_CVAR_${NAME}_INTRA_ALGORITHM", "_INTRA_ALGORITHM"},
      {"mpirun --mca coll_han_dynamic_rules_filename f osu_bcast", "coll_han_dynamic_rules_filename"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    char expected[300];
    snprintf(expected, sizeof expected,
             "out.txt:4: which method was it? (say it with --as): line 1 mentions %s, and its value, or what it does, "
             "is not understood%s",
             lines[i][1], i < 3 ? " (write the setting above the times as NAME=VALUE)" : "");
    assert_string_equal(method_of(TUTTI_IMPLEMENTATION_OPENMPI, lines[i][0]), expected);
  }
  assert_string_equal(method_of(TUTTI_IMPLEMENTATION_OPENMPI, "mpirun -x UCC_TL_UCP_TUNE=\xe4 b"),
                      "out.txt:4: settings or names that are not UTF-8: UCC_TL_UCP_TUNE=?");
  assert_begins(method_of(TUTTI_IMPLEMENTATION_TUTTI, "mpirun --mca coll_tuned_bcast_algorithm 3 b"),
                "out.txt:4: which method was it? (say it with --as): line 1 sets " BCAST "=3, and the library is ");
  assert_string_equal(method_of(TUTTI_IMPLEMENTATION_TUTTI, "mpirun --mca coll_tuned_reduce_algorithm 3 b"),
                      "bcast/native");
  assert_string_equal(
      method_of(TUTTI_IMPLEMENTATION_OPENMPI, "coll_tuned_bcast_algorithm = 6\nexport " RULES " " BCAST "=6"),
      "bcast/binomial@openmpi");
}

/* Times of other components are kept apart, and an algorithm of coll/tuned is none of theirs. */
TEST(test_components)
{
#define FORCED  "mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm 3 "
#define REFUSED "out.txt:4: which method was it? (say it with --as): " BCAST " is set, but "
  static const char *const lines[][2] = {
      {"mpirun --mca coll ^tuned osu_bcast", "bcast/native OMPI_MCA_coll=^tuned"},
      {"mpirun --mca coll basic,self b\n+ mpirun b", "bcast/native"},
      {"export OMPI_MCA_coll_han_priority=100 OMPI_MCA_coll_base_verbose=10\nmpirun --mca coll_hcoll_enable 1 b",
       "bcast/native OMPI_MCA_coll_han_priority=100 OMPI_MCA_coll_hcoll_enable=1"},
      {"mpirun --mca coll_ucc_enable 1 -x UCC_TL_UCP_TUNE=bcast:@knomial b",
       "bcast/native OMPI_MCA_coll_ucc_enable=1 UCC_TL_UCP_TUNE=bcast:@knomial"},
      {"mpirun -x HCOLL_ENABLE_SHARP=3 b", "bcast/native HCOLL_ENABLE_SHARP=3"},
      {"export " RULES " OMPI_MCA_coll_tuned_dynamic_rules_filename=f OMPI_MCA_coll=^han OMPI_MCA_coll_sm_priority=9",
       "bcast/native OMPI_MCA_coll=^han OMPI_MCA_coll_sm_priority=9 "
       "OMPI_MCA_coll_tuned_dynamic_rules_filename=f " RULES},
      {"mpirun --tune t.conf --am a.conf -n 4 b", "bcast/native OMPI_MCA_mca_base_envar_file_prefix=t.conf "
                                                  "OMPI_MCA_mca_base_param_file_prefix=a.conf"},
      {"export \"OMPI_MCA_mca_base_param_files=a.conf\"", "bcast/native OMPI_MCA_mca_base_param_files=a.conf"},
      {FORCED "b", "bcast/pipeline@openmpi"},
      {FORCED "--mca coll ^han,hcoll --mca coll_hcoll_enable 1 b", "bcast/pipeline@openmpi"},
      {FORCED "--mca coll_hcoll_enable 0 --mca coll_hcoll_priority 90 b", "bcast/pipeline@openmpi"},
      {FORCED "--mca coll_han_priority 20 --mca coll_ucc_enable 1 --mca coll_tuned_priority 100 b",
       "bcast/pipeline@openmpi"},
      {FORCED "--mca coll ^tuned b", REFUSED "OMPI_MCA_coll=^tuned leaves coll/tuned out"},
      {FORCED "--mca coll basic,self b", REFUSED "OMPI_MCA_coll=basic,self leaves coll/tuned out"},
      {FORCED "--mca coll_ucc_enable 1 b",
       REFUSED "OMPI_MCA_coll_ucc_enable=1 lets another component go before coll/tuned"},
      {FORCED "--mca coll_han_priority 35 b",
       REFUSED "OMPI_MCA_coll_han_priority=35 lets another component go before coll/tuned"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    assert_string_equal(method_of(TUTTI_IMPLEMENTATION_OPENMPI, lines[i][0]), lines[i][1]);
  char many[2048] = "";
  for (int i = 0; i < 65; i++)
    snprintf(many + strlen(many), sizeof many - strlen(many), "UCC_TL_%d=%d\n", i, i);
  assert_non_null(strstr(method_of(TUTTI_IMPLEMENTATION_OPENMPI, many), "are too many: more than 64"));
  setenv("OMPI_MCA_coll_sm_priority", "99", 1);
  assert_string_equal(method_of(TUTTI_IMPLEMENTATION_OPENMPI, ""), "bcast/native");
  unsetenv("OMPI_MCA_coll_sm_priority");
}

/* Each row has settings of its own; those before it stay, or are over with the next launch. */
static void read_many_settings(const char *format)
{
  enum { MANY = UNLESS_WATCHED(30000, 3000) };
  tutti_import_how how = four;
  FREED_BY(tutti_imported_free) tutti_imported imported = {.passed.strict = true};
  FREED_BY(free_memory) char *log = NULL;
  size_t length;
  FILE *stream = open_memstream(&log, &length);
  assert_non_null(stream);
  how.implementation = TUTTI_IMPLEMENTATION_MPICH;
  how.library = "IntelMPI-2021";
  for (int i = 1; i <= MANY; i++)
    fprintf(stream, format, i, i, i);
  assert_int_equal(fclose(stream), 0);
  limit_processor_time(20);
  assert_ok(read_text(&imported, &how, log, REASON), error);
  assert_int_equal(imported.count, MANY);
  assert_true(tutti_method_is_native(&imported.items[MANY - 1].measurement.method));
}

TEST(test_many_settings)
{
  read_many_settings("I_MPI_ADJUST_BARRIER_%d=1 coll_tuned_barrier_algorithm_%d\n"
                     "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n%d  7.50\n");
  read_many_settings("I_MPI_ADJUST_BARRIER_%d=1\nmpirun -genv I_MPI_ADJUST_SCAN_%d 1 -n 4 osu_bcast\n"
                     "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n%d  7.50\n");
}
