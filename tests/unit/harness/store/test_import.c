/* Importing other benchmarks: their files in several versions, sizes as the store has them, times in seconds; what is
 * refused names its line; all or nothing is stored. */
#include "unit/harness/store/import_fixture.h"
#include "unit/patience.h"

static const tutti_import_how unknown = {.format = TUTTI_IMPORT_GUESS, .ranks_per_node = 1};

/* A sample of tests/import. */
static tutti_imported read_sample(const char *name, const tutti_import_how *how)
{
  char path[512];
  tutti_imported imported = {.items = NULL};
  snprintf(path, sizeof path, "%s/tests/import/%s", TUTTI_SOURCE_DIR, name);
  FILE *stream = fopen(path, "r");
  assert_non_null(stream);
  assert_ok(tutti_import_read(&imported, how, stream, name, REASON), error);
  fclose(stream);
  return imported;
}

static const char unequal[] = "the size is not the same", gave_up[] = "the benchmark gave up",
                  others[] = "no benchmark of a collective";

/* What a measurement should be; times in microseconds. */
struct expected {
  const char *method, *program;
  int ranks, root, repetitions;
  uint64_t count, type_size, total_bytes;
  double minimum, median, mean, maximum;
};

static bool is_time(double seconds, double microseconds)
{
  return fabs(seconds - 1e-6 * microseconds) < 1e-15;
}

static void assert_items(const tutti_imported *imported, tutti_scheme scheme, const struct expected *expected,
                         size_t count)
{
  char method[TUTTI_METHOD_LENGTH];
  assert_int_equal(imported->count, count);
  for (size_t i = 0; i < count; i++, expected++) {
    const tutti_measurement *m = &imported->items[i].measurement;
    assert_string_equal(tutti_method_format(&m->method, method), expected->method);
    assert_string_equal(imported->items[i].program, expected->program);
    assert_int_equal(m->scheme, scheme);
    assert_int_equal(m->ranks, expected->ranks);
    assert_int_equal(m->root, expected->root);
    assert_int_equal(m->repetitions, expected->repetitions);
    assert_int_equal(m->count, expected->count);
    assert_int_equal(m->type_size, expected->type_size);
    assert_int_equal(m->rank_bytes, expected->count * expected->type_size);
    assert_int_equal(m->total_bytes, expected->total_bytes);
    assert_true(is_time(m->minimum, expected->minimum) && is_time(m->median, expected->median));
    assert_true(is_time(m->mean, expected->mean) && is_time(m->maximum, expected->maximum));
  }
}

TEST(test_osu)
{
  static const struct expected plain[] = {
      {"bcast/native", "osu-5.9", 4, 0, 1, 1, 1, 1, 3.25, 3.25, 3.25, 3.25},
      {"bcast/native", "osu-5.9", 4, 0, 1, 2, 1, 2, 3.31, 3.31, 3.31, 3.31},
      {"bcast/native", "osu-5.9", 4, 0, 1, 1024, 1, 1024, 7.5, 7.5, 7.5, 7.5},
      {"bcast/native", "osu-5.9", 4, 0, 1, 4096, 1, 4096, 12.75, 12.75, 12.75, 12.75}};
  static const struct expected full[] = {
      {"allreduce/native", "osu-5.6.3", 4, 0, 1000, 1, 4, 4, 4.75, 5.5, 5.5, 6.25},
      {"allreduce/native", "osu-5.6.3", 4, 0, 1000, 2, 4, 8, 5, 5.75, 5.75, 6.5},
      {"allreduce/native", "osu-5.6.3", 4, 0, 100, 4096, 4, 16384, 58.5, 61.25, 61.25, 64}};
  /* 16 and 128 bytes of reduce_scatter are 4 and 32 of each rank; 4 and 24 cannot be dealt out. */
  static const struct expected seven[] = {{"alltoall/native", "osu-7.3", 4, 0, 1000, 1, 1, 4, 10.25, 11.5, 11.5, 12.75},
                                          {"alltoall/native", "osu-7.3", 4, 0, 1000, 64, 1, 256, 13, 14, 14, 15},
                                          {"reduce_scatter/native", "osu-7.3", 4, 0, 1, 1, 4, 16, 4.5, 4.5, 4.5, 4.5},
                                          {"reduce_scatter/native", "osu-7.3", 4, 0, 1, 8, 4, 128, 6, 6, 6, 6},
                                          {"allgather/native", "osu-7.3", 4, 0, 1, 32, 1, 128, 9, 9, 9, 9},
                                          {"barrier/native", "osu-7.3", 4, 0, 1000, 0, 1, 0, 2.25, 2.75, 2.75, 3.25}};
  static const struct expected three[] = {{"gather/native", "osu-3.9", 4, 0, 1, 8, 1, 32, 6.25, 6.25, 6.25, 6.25}};
  static const struct {
    const char *name;
    const struct expected *expected;
    size_t count, unequal;
  } samples[] = {{"osu_bcast_5.txt", plain, 4, 0},
                 {"osu_allreduce_5_full.txt", full, 3, 0},
                 {"osu_7.txt", seven, 6, 2},
                 {"osu_3.txt", three, 1, 0}};
  for (int i = 0; i < 4; i++) {
    tutti_imported imported = read_sample(samples[i].name, &four);
    assert_items(&imported, TUTTI_SCHEME_OSU, samples[i].expected, samples[i].count);
    assert_int_equal(passed_over(&imported, unequal, samples[i].name), samples[i].unequal);
    assert_int_equal(imported.items[0].measurement.ranks_per_node, 2);
    tutti_imported_free(&imported);
  }
}

TEST(test_imb)
{
  static const struct expected many[] = {
      {"allreduce/native", "imb-2021.7", 2, 0, 1000, 0, 4, 0, .25, .25, .25, .5},
      {"allreduce/native", "imb-2021.7", 2, 0, 1000, 1, 4, 4, 1.25, 1.5, 1.5, 1.75},
      {"allreduce/native", "imb-2021.7", 4, 0, 1000, 1, 4, 4, 2.25, 2.5, 2.5, 2.75},
      {"allreduce/native", "imb-2021.7", 4, 0, 640, 1024, 4, 4096, 12.25, 13, 13, 13.75},
      {"reduce_scatter/native", "imb-2021.7", 4, 0, 1000, 2, 4, 32, 3.25, 3.5, 3.5, 3.75}, /* 8 bytes of each */
      {"alltoall/native", "imb-2021.7", 4, 0, 1000, 1, 1, 4, 4.25, 4.5, 4.5, 4.75},
      {"barrier/native", "imb-2021.7", 4, 0, 1000, 0, 1, 0, 1, 1.25, 1.25, 1.5}};
  static const struct expected old[] = {
      /* 32 bytes of all; 4 cannot be dealt out */
      {"reduce_scatter/native", "imb-4.0.0", 4, 0, 1000, 2, 4, 32, 3.25, 3.5, 3.5, 3.75}};
  tutti_imported imported = read_sample("imb_2021.txt", &unknown);
  assert_items(&imported, TUTTI_SCHEME_IMB, many, 7);
  assert_int_equal(passed_over(&imported, gave_up, "imb_2021.txt:"), 1);
  assert_int_equal(passed_over(&imported, others, "PingPong"), 1);
  tutti_imported_free(&imported);
  imported = read_sample("imb_4.txt", &unknown);
  assert_items(&imported, TUTTI_SCHEME_IMB, old, 1);
  assert_int_equal(passed_over(&imported, unequal, ""), 1);
  assert_int_equal(passed_over(&imported, others, "Multi-Allreduce"), 1);
  tutti_imported_free(&imported);
}

/* Medians of an odd and an even number of repetitions; those outside their window do not count. */
TEST(test_repro)
{
  static const struct expected raw[] = {{"bcast/native", "reprompi", 4, 1, 5, 2, 4, 8, 3, 5, 5.6, 9},
                                        {"allgather/native", "reprompi", 4, 0, 2, 16, 4, 256, 10, 15, 15, 20}};
  static const struct expected window[] = {{"barrier/native", "reprompi", 8, 0, 2, 0, 1, 0, 6, 7, 7, 8}};
  static const struct expected summary[] = {
      {"reduce_scatter_block/native", "reprompi", 16, 0, 98, 4, 8, 512, 25, 30, 31, 50}};
  tutti_imported imported = read_sample("repro_raw.txt", &unknown);
  assert_items(&imported, TUTTI_SCHEME_REPRO, raw, 2);
  assert_true(passed_over(&imported, others, "GL_Allreduce_as_ReduceBcast") > 0);
  tutti_imported_free(&imported);
  imported = read_sample("repro_window.txt", &unknown);
  assert_items(&imported, TUTTI_SCHEME_REPRO, window, 1);
  assert_int_equal(passed_over(&imported, gave_up, ""), 1);
  tutti_imported_free(&imported);
  imported = read_sample("repro_summary.txt", &unknown);
  assert_items(&imported, TUTTI_SCHEME_REPRO, summary, 1);
  assert_int_equal(passed_over(&imported, gave_up, ""), 1);
  tutti_imported_free(&imported);
}

/* Two runs in one file, by their settings; sizes in bytes of a type that does not divide them. */
/* Repetitions of many points in turn. */
TEST(test_repro_many)
{
  enum { MANY = UNLESS_WATCHED(100000, 10000) };
  FREED_BY(tutti_imported_free) tutti_imported imported = {.items = NULL};
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  assert_non_null(stream);
  fputs("#@datatype_size_bytes=4\n#@nprocs=4\ntest nrep count runtime_sec\n", stream);
  for (int i = 0; i < 2 * MANY; i++)
    fprintf(stream, "MPI_Bcast %d %d 0.00000%d\n", i / MANY, i % MANY, 3 + i / MANY);
  assert_int_equal(fclose(stream), 0);
  limit_processor_time(20);
  assert_ok(read_text(&imported, &four, text, REASON), error);
  assert_int_equal(imported.count, MANY);
  assert_int_equal(imported.items[MANY - 1].measurement.repetitions, 2);
  assert_int_equal(imported.items[MANY - 1].measurement.count, MANY - 1);
}

TEST(test_repro_runs)
{
  static const struct expected two[] = {{"scan/native", "reprompi", 4, 0, 1, 2, 4, 8, 2, 2, 2, 2},
                                        {"scan/native", "reprompi", 8, 0, 1, 7, 1, 7, 3, 3, 3, 3}};
  FREED_BY(tutti_imported_free) tutti_imported imported = {.items = NULL};
  const char *text = "#@datatype_size_bytes=4\n#@nprocs=4\ntest nrep msize_bytes runtime_sec\nMPI_Scan 0 8 2e-6\n"
                     "#@datatype_size_bytes=4\n#@nprocs=8\ntest nrep msize_bytes runtime_sec\nMPI_Scan 0 7 3e-6\n";
  assert_int_equal(read_text(&imported, &unknown, text, REASON), TUTTI_OK);
  assert_items(&imported, TUTTI_SCHEME_REPRO, two, 2);
}

#define OSU(title)  "# OSU MPI " title " Latency Test v7.0\n"
#define OSU_HEADER  "# Size  Avg Latency(us)\n"
#define IMB(name)   "# Benchmarking " name " \n# #processes = 2 \n"
#define IMB_HEADER  "  #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
#define REPRO       "#@nprocs=4\n#@datatype_size_bytes=1\n"
#define REPRO_TABLE REPRO "test nrep count runtime_sec\n"

static const struct {
  const char *text, *message;
} faults[] = {
    {"", "out.txt: no known benchmark printed this"},
    {"1 2.5\n", "out.txt: no known benchmark printed this"},
    {OSU("Broadcast"), "out.txt: no times of a collective"},
    {OSU("Broadcast") "1 2.5\n", "out.txt:2: a row before its header"},
    {OSU("Broadcast") OSU_HEADER "1 2.5 3\n", "out.txt:3: not as many words as headings: 3 under 2"},
    {OSU("Broadcast") OSU_HEADER "1 nan\n", "out.txt:3: not a time: 'nan'"},
    {OSU("Broadcast") OSU_HEADER "1 -2.5\n", "out.txt:3: not a time: '-2.5'"},
    {OSU("Broadcast") OSU_HEADER "1 1e999\n", "out.txt:3: not a time: '1e999'"},
    {OSU("Broadcast") OSU_HEADER "99999999999999999999 2.5\n", "out.txt:3: not a size: '99999999999999999999'"},
    {OSU("Alltoall") OSU_HEADER "9223372036854775807 2.5\n", "out.txt:3: "},
    {OSU("Neighborhood Allgather"), "out.txt:1: no benchmark of a collective: Neighborhood Allgather Latency"},
    {"# OSU MPI Latency Test v7.0\n# Size Latency (us)\n0 1.5\n", "out.txt:1: "},
    {"# OSU MPI Bandwidth Test v7.0\n", "out.txt:1: no benchmark of a collective: Bandwidth Test v7.0"},
    {OSU("Broadcast") "# Size  Sum(us) Avg Latency(us)\n",
     "out.txt:2: headings that are not understood: bcast without its column of times"},
    {OSU("Broadcast") "# Avg Latency(us)\n",
     "out.txt:2: headings that are not understood: bcast without its column of sizes"},
    {OSU("Barrier") OSU_HEADER, "out.txt:2: headings that are not understood: barrier without its column of sizes"},
    {OSU("Reduce") "# Datatype: MPI_COMPLEX.\n", "out.txt:2: unknown type: MPI_COMPLEX"},
    {OSU("Reduce") OSU_HEADER "6 2.5\n", "out.txt:3: no whole number of elements (--type-size): 6 bytes, of 4"},
    {OSU("Reduce") "# Size Avg Latency(us) Validation\n4 2.5 Fail\n",
     "out.txt:3: the benchmark found its results wrong"},
    {OSU("Reduce") "# Size Avg Latency(us) Min Latency(us)\n4 2.5 3.5\n",
     "out.txt:3: no valid measurement: tutti-measurement: field 'minimum_s' is larger than 'median_s' (reduce/native "
     "root=0 count=1 "
     "type_B=4)"},
    {IMB("Bcast") "#bytes #repetitions t_min[usec]\n",
     "out.txt:3: headings that are not understood: bcast without its column of times"},
    {IMB("Bcast") "#bytes bandwidth\n",
     "out.txt:3: headings that are not understood: bcast without its column of times"},
    {IMB("Bcast") "8 1000 1 2 3\n", "out.txt:3: a row before its header"},
    {IMB("Bcast") IMB_HEADER "8 0 1 3 2\n", "out.txt:4: not a number of repetitions: '0'"},
    {IMB("Reduce_scatter") IMB_HEADER, "out.txt:3: the size of Reduce_scatter means one thing up to 2018"},
    {"# Benchmarking Bcast\n" IMB_HEADER, "out.txt:2: no line '# #processes = N' before the table"},
    {"# Benchmarking Bcast\n# #processes = none\n", "out.txt:2: not a number of processes: 'none'"},
    {REPRO "process test nrep count loc_tstart_sec loc_tend_sec\n", "out.txt:3: times of single processes"},
    {REPRO "test total_nrep valid_nrep median_sec\n", "out.txt:3: the header lacks one of 'test' and"},
    {REPRO "test count total_nrep valid_nrep mean_sec\n", "out.txt:3: a summary without median_sec"},
    {REPRO "MPI_Bcast 0 8 1e-6\n", "out.txt:3: not as many words as headings: 4 under 0"},
    {REPRO_TABLE "MPI_Bcast 0 8\n", "out.txt:4: not as many words as headings: 3 under 4"},
    {REPRO_TABLE "MPI_Bcast 0 eight 1e-6\n", "out.txt:4: not a size: 'eight'"},
    {REPRO_TABLE "MPI_Bcast 0 8 soon\n", "out.txt:4: not a time: 'soon'"},
    {"#@nprocs=0\n", "out.txt:1: not a number that can be used: 'nprocs=0'"},
    {"#@nprocs=4\n#@root_proc=4\n#@datatype_size_bytes=1\ntest nrep count runtime_sec\nMPI_Bcast 0 8 1e-6\n",
     "out.txt:5: no valid measurement: tutti-measurement: the root is not one of the ranks (bcast/native root=4 "
     "count=8 type_B=1)"},
    {"# Intel(R) MPI Benchmarks 2021.7, MPI-1 part\n# Benchmarking Sendrecv\n# Benchmarking \n",
     "out.txt:3: a benchmark without a name"},
    {"#@nprocs=4\ntest nrep count runtime_sec\nMPI_Bcast 0 8 1e-6\n", "out.txt:3: elements of a type that is not said"},
};

TEST(test_refuses)
{
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    tutti_imported imported = {.passed.strict = true};
    const tutti_import_how *how = strstr(faults[i].text, "OSU") ? &four : &unknown;
    if (*faults[i].text == '\0') {
      FILE *stream = fopen("/dev/null", "r");
      assert_int_equal(tutti_import_read(&imported, how, stream, "out.txt", REASON), TUTTI_ERR_ARGUMENT);
      fclose(stream);
    } else if (read_text(&imported, how, faults[i].text, REASON) != TUTTI_ERR_ARGUMENT)
      fail_msg("taken: %s", faults[i].text);
    assert_begins(error.message, faults[i].message);
    tutti_imported_free(&imported);
  }
}

/* The times that are understood, and what is passed over; forms of a call are settings, so that they stand apart. */
TEST(test_goes_on)
{
#define OSU_NONBLOCKING "# Size  Overall(us) Compute(us) Pure Comm.(us) Overlap(%)\n"
  static const struct {
    const char *text;
    size_t count; /* of times, the last of them of that method, program and settings */
    const char *last, *why, *place;
    uint64_t passed;
  } files[] = {
      {OSU("Broadcast") OSU_HEADER "1 2.5\n2 much\n4 3.5\n", 2, "bcast osu-7.0 3.5 -", "not a time", ":4: 'much'", 1},
      {OSU("Broadcast") "# Size  Avg Latency(us)  Sum of it(us)\n1 2.5 7 8\n", 1, "bcast osu-7.0 2.5 -", NULL, NULL, 0},
      {OSU("Allreduce Persistent") OSU_HEADER "4 2.5\n", 1, "allreduce osu-7.0 2.5 form=persistent", NULL, NULL, 0},
      {OSU("Non-blocking Broadcast") OSU_NONBLOCKING "4 9 5 4 12\n", 1, "bcast osu-7.0 4.0 form=nonblocking", NULL,
       NULL, 0},
      {OSU("All-to-All Personalized Exchange Persistent") OSU_HEADER "4 2.5\n", 1,
       "alltoall osu-7.0 2.5 form=persistent", NULL, NULL, 0},
      {OSU("All-to-Allv Personalized Exchange") OSU_HEADER "4 2.5\n", 1, "alltoallv osu-7.0 2.5 -", NULL, NULL, 0},
      {OSU("Reduce Persistent") OSU_HEADER "4 1\n" OSU("Reduce") OSU_HEADER "4 2.5\n", 2, "reduce osu-7.0 2.5 -", NULL,
       NULL, 0},
      {"# OSU MPI-ZE Allreduce Latency Test v7.5\n" OSU_HEADER "4 2.5\n", 1, "allreduce osu-7.5-ZE 2.5 -", NULL, NULL,
       0},
      {"# OSU NCCL Allreduce Latency Test v7.4\n" OSU_HEADER "4 2.5\n", 1, "allreduce osu-7.4-NCCL 2.5 -", NULL, NULL,
       0},
      {"# OSU OpenSHMEM Broadcast Latency Test v7.4\n" OSU_HEADER "4 2.5\n" OSU("Reduce") OSU_HEADER "4 2.5\n", 1,
       "reduce osu-7.0 2.5 -", "no benchmark of a collective", ":1: Broadcast Latency Test v7.4 (1 row)", 1},
      {"# OSU MPI Latency Test v7.0\n# Size Latency (us)\n0 1.5\n8 2\n" OSU(
           "Barrier") "# Avg Latency(us)\n2.5\n"
                      "# OSU MPI Bandwidth Test v7.0\n# Size Bandwidth (MB/s)\n1 3\n",
       1, "barrier osu-7.0 2.5 -", "no benchmark of a collective", ":1: Latency Test v7.0 (2 rows)", 2},
      {OSU("Reduce") "# Datatype: MPI_COMPLEX.\n" OSU_HEADER "8 1\n# Datatype: MPI_DOUBLE.\n" OSU_HEADER "8 2.5\n", 1,
       "reduce osu-7.0 2.5 -", "unknown type", ":2: MPI_COMPLEX (1 row)", 1},
      {"# this job runs OSU MPI benchmarks\n1 2\n" OSU("Reduce") OSU_HEADER "4 2.5\n", 1, "reduce osu-7.0 2.5 -", NULL,
       NULL, 0},
      {IMB("PingPong") "#bytes #repetitions t[usec]\n0 1000 1\n" IMB("Bcast") IMB_HEADER "4 9 1 3 2\n4 9 1 3 x\n", 1,
       "bcast imb 2.0 -", "not a time", ":9: 'x'", 2},
      {IMB("Ibcast_pure") IMB_HEADER "4 9 1 3 2\n" IMB(
           "Iallreduce") "#bytes #repetitions t_ovrl[usec] t_pure[usec] t_CPU[usec] overlap[%]\n4 9 1 3 2 50\n",
       2, "allreduce imb 3.0 form=nonblocking", NULL, NULL, 0},
      {"# Intel(R) MPI Benchmarks 2021.7, MPI-1 part\n# MPI_Datatype for reductions : MPI_REAL16\n" IMB("Reduce")
           IMB_HEADER "4 9 1 3 2\n" IMB("Bcast") IMB_HEADER "4 9 1 3 2\n",
       1, "bcast imb-2021.7 2.0 -", "unknown type", ":2: MPI_REAL16", 2},
      {REPRO_TABLE "MPI_Bcast 0 8 0.0\nMPI_Bcast 1 8 1e-6\nMPI_Bcast 2 8 2e-6\nMPI_Bcast 3 8 3e-6\n", 1,
       "bcast reprompi 2.0 -", "a time of 0", ":4: bcast, 8 bytes", 1},
      {REPRO_TABLE "MPI_Bcast 0 8 1e-6\nMPI_Bcast 0 eight 1e-6\n", 1, "bcast reprompi 1.0 -", "not a size",
       ":5: 'eight'", 1},
      {"[1,0]<stdout>:" OSU("Reduce") "[1,0]<stdout>:" OSU_HEADER "[1,0]<stdout>:4 2.5\n", 1, "reduce osu-7.0 2.5 -",
       NULL, NULL, 0},
      {"0: " OSU("Reduce") " 0: " OSU_HEADER "0: 4 2.5\n[0] 8 3.5\n", 2, "reduce osu-7.0 3.5 -", NULL, NULL, 0},
      {"Sat[j@1,0]<stderr>: " OSU("Reduce") "0:\n0: " OSU_HEADER "[1,0]<stdout>: 4 2.5\n", 1, "reduce osu-7.0 2.5 -",
       NULL, NULL, 0},
      {"\xef\xbb\xbf" OSU("Reduce") OSU_HEADER "4 2.5\n", 1, "reduce osu-7.0 2.5 -", NULL, NULL, 0},
      {OSU("Reduce") OSU_HEADER "4 2.5\n256 0\n", 1, "reduce osu-7.0 2.5 -", "a time of 0", ":4: reduce, 256 bytes", 1},
      {IMB("Bcast") IMB_HEADER "4 9 0.00 0.01 0.01\n8 9 0.00 0.00 0.00\n", 1, "bcast imb 0.0 -", "a time of 0",
       ":5: bcast", 1},
      {OSU("Reduce") OSU_HEADER "4 2.50\n256 3", 1, "reduce osu-7.0 2.5 -", "the file ends within", ":4: '256 3'", 1},
      {OSU("Reduce") OSU_HEADER "4 2.50\n256 3.5", 1, "reduce osu-7.0 2.5 -", "the file ends within", ":4: '256 3.5'",
       1},
      {OSU("Reduce") OSU_HEADER "4 2.50\n256 3.51", 2, "reduce osu-7.0 3.5 -", NULL, NULL, 0},
      {OSU("Reduce") OSU_HEADER "4 2.50\n256 2\n512 3", 3, "reduce osu-7.0 3.0 -", NULL, NULL, 0},
      {OSU("Barrier") "# Avg Latency(us)\n2.51\n" OSU("Barrier") "# Avg Latency(us)\n3", 1, "barrier osu-7.0 2.5 -",
       "the file ends within", ":6: '3'", 1},
      {OSU("Reduce") "# Size  Avg Latency(us)  Sum of it(us)\n4 2.50 7 8\n256 3 9", 1, "reduce osu-7.0 2.5 -",
       "the file ends within", ":4: '256 3 9'", 1},
      {REPRO_TABLE "MPI_Bcast 0 8 1e-06\nMPI_Bcast 1 8 1e-0", 1, "bcast reprompi 1.0 -", "the file ends within",
       ":5: 'MPI_Bcast 1 8 1e-0'", 1},
      {"\033[1m" OSU("Reduce") "\033[0m" OSU_HEADER "\033[33m4 2.5\033[0m\n", 1, "reduce osu-7.0 2.5 -", NULL, NULL, 0},
      {"[12:00:01] " OSU("Reduce") "12:00:01.5 " OSU_HEADER "2026-01-02T12:00:01.123Z 4 2.5\n", 1,
       "reduce osu-7.0 2.5 -", NULL, NULL, 0},
      {"Jan  2 12:00:01 n1 osu[12]: " OSU("Reduce") "1767355201.25 " OSU_HEADER "2026-01-02 12:00:01,5: 4 2.5\n", 1,
       "reduce osu-7.0 2.5 -", NULL, NULL, 0},
      {"nid0001: " OSU("Reduce") "launcher-0: " OSU_HEADER "| 4 2.5\n> 8 3.5\n", 2, "reduce osu-7.0 3.5 -", NULL, NULL,
       0},
      {OSU("Reduce") "# Datatype: MPI_FLOAT.\n" OSU_HEADER "4 1\n# Datatype: MPI_INT.\n" OSU_HEADER "4 2.5\n", 2,
       "reduce osu-7.0 2.5 type=int", NULL, NULL, 0},
      {OSU("Reduce Persistent") "# Datatype: MPI_INT.\n" OSU_HEADER "4 2.5\n", 1,
       "reduce osu-7.0 2.5 form=persistent type=int", NULL, NULL, 0},
      {OSU("Broadcast") "# Datatype: MPI_INT.\n" OSU_HEADER "4 2.5\n", 1, "bcast osu-7.0 2.5 -", NULL, NULL, 0},
      {"# Intel(R) MPI Benchmarks 2021.7, MPI-1 part\n# MPI_Datatype for reductions : MPI_INT\n" IMB("Bcast") IMB_HEADER
       "4 9 1 3 2\n" IMB("Ireduce") IMB_HEADER "4 9 1 3 2\n",
       2, "reduce imb-2021.7 2.0 form=nonblocking type=int", NULL, NULL, 0},
      {OSU("Reduce") OSU_HEADER "4 2.5\n8 99999999999999999999999.00\n16 1e-320\n", 1, "reduce osu-7.0 2.5 -",
       "not a time", ":4: '999", 2},
      {IMB("Bcast") "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] defects\n4 9 1 3 2 0.00\n8 9 1 3 2 1.00\n",
       1, "bcast imb 2.0 -", "the benchmark found its results wrong", ":5: '1.00'", 1},
      {"1 2.5\n", 0, NULL, "no known benchmark", "out.txt", 1},
      {OSU("Broadcast"), 0, NULL, "no times of a collective", "out.txt", 1},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    FREED_BY(tutti_imported_free) tutti_imported imported = {.items = NULL};
    char text[256] = "";
    assert_ok(read_text(&imported, strstr(files[i].text, "OSU") ? &four : &unknown, files[i].text, REASON), error);
    const tutti_import_item *last = imported.count > 0 ? &imported.items[imported.count - 1] : NULL;
    if (last)
      snprintf(text, sizeof text, "%s %s %.1f %s",
               tutti_collective_name(last->measurement.method.algorithm->collective), last->program,
               1e6 * last->measurement.mean, last->settings ? last->settings : "-");
    if (imported.count != files[i].count || imported.passed.count != files[i].passed ||
        (files[i].last && strcmp(text, files[i].last) != 0))
      fail_msg("file %zu: %zu times, %d passed over, '%s'", i, imported.count, (int)imported.passed.count, text);
    if (files[i].why)
      assert_true(passed_over(&imported, files[i].why, files[i].place) > 0);
  }
}

TEST(test_needs_ranks)
{
  FREED_BY(tutti_imported_free) tutti_imported imported = {.passed.strict = true};
  assert_fails(read_text(&imported, &unknown, OSU("Reduce") OSU_HEADER "4 2.5\n", REASON), TUTTI_ERR_ARGUMENT, error,
               "--ranks");
  assert_int_equal(read_text(&imported, &unknown, "test nrep count runtime_sec\nMPI_Barrier 0 0 1e-6\n", REASON),
                   TUTTI_ERR_ARGUMENT);
  /* Said on the command line, and a type as well; a format that cannot be guessed. */
  tutti_import_how how = {.format = TUTTI_IMPORT_GUESS, .ranks = 4, .ranks_per_node = 1, .type_size = 8};
  assert_int_equal(read_text(&imported, &how, "test nrep count runtime_sec\nMPI_Reduce 0 3 1e-6\n", REASON), TUTTI_OK);
  assert_int_equal(imported.items[0].measurement.rank_bytes, 24);
  how.format = TUTTI_IMPORT_IMB;
  assert_int_equal(read_text(&imported, &how, "1 2\n", REASON), TUTTI_ERR_ARGUMENT);
}

STORE_TEST(test_stores)
{
  tutti_import_stored counts;
  const tutti_import_machine machine = {"cluster", NULL, "Open MPI 4.1.4"};
  tutti_imported imported = read_sample("osu_bcast_5.txt", &four);
  tutti_store *store = open_store(place->path);
  assert_int_equal(tutti_import_store(&imported, &machine, store, &counts, REASON), TUTTI_OK);
  assert_int_equal(counts.replaced + counts.repeated, 0);
  assert_int_equal(tutti_import_store(&imported, &machine, store, &counts, REASON), TUTTI_OK);
  assert_int_equal(counts.replaced, 4);
  /* One that cannot be stored undoes those before it. */
  imported.items[0].measurement.ranks = 5;
  imported.items[3].measurement.repetitions = 0;
  assert_int_equal(tutti_import_store(&imported, &machine, store, &counts, REASON), TUTTI_ERR_ARGUMENT);
  tutti_store_close(store);
  tutti_imported_free(&imported);
  assert_int_equal(query(place->path, "SELECT count(*) FROM measurement WHERE scheme = 'osu' AND ranks = 4"), 4);
  assert_int_equal(query(place->path, "SELECT count(*) FROM measurement"), 4);
  assert_int_equal(query(place->path, "SELECT count(*) FROM environment WHERE platform = 'cluster' AND"
                                      " platform_hash = '' AND flavor = 'openmpi' AND library = 'Open MPI 4.1.4' AND"
                                      " tutti = 'osu-5.9'"),
                   1);
}

/* Another run is a further launch of its points, though it has one time as before; a file that has grown is the same
   run; a run of other sizes begins with the first launch. */
STORE_TEST(test_repeats)
{
#define BCAST_TIMES "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n"
  static const struct {
    const char *text;
    size_t replaced, repeated;
  } files[] = {
      {BCAST_TIMES "1 3.00\n2 4.00\n", 0, 0},
      {BCAST_TIMES "1 3.00\n2 5.00\n", 0, 2},
      {BCAST_TIMES "1 3.00\n2 5.00\n" BCAST_TIMES "1 3.00\n2 4.00\n4 6.00\n", 4, 0},
      {BCAST_TIMES "1 3.50\n2 8.00\n8 9.00\n" BCAST_TIMES "1 3.10\n", 0, 3},
  };
  const tutti_import_machine machine = {"cluster", NULL, "Open MPI 4.1.4"};
  const tutti_selection any = {.collective = TUTTI_COLL_BCAST, .scheme = -1};
  tutti_store *store = open_store(place->path);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    tutti_imported imported = {.items = NULL};
    tutti_import_stored counts;
    assert_int_equal(read_text(&imported, &four, files[i].text, REASON), TUTTI_OK);
    assert_int_equal(tutti_import_store(&imported, &machine, store, &counts, REASON), TUTTI_OK);
    assert_int_equal(counts.replaced, files[i].replaced);
    assert_int_equal(counts.repeated, files[i].repeated);
    tutti_imported_free(&imported);
  }
  tutti_measurement *read;
  size_t count;
  assert_int_equal(tutti_store_read(store, &any, &read, &count, REASON), TUTTI_OK);
  assert_int_equal(count, 4);
  assert_true(is_time(read[0].median, 3.05) && is_time(read[1].median, 5));
  assert_true(read[1].spread > 30);
  free(read);
  tutti_store_close(store);
  assert_int_equal(query(place->path, "SELECT count(*) FROM measurement WHERE launch = 0"), 4);
  assert_int_equal(query(place->path, "SELECT max(launch) FROM measurement"), 3);
}

TEST(test_flavors)
{
  static const char *const names[][2] = {{"Open MPI 4.1.4", "openmpi"}, {"openmpi/5.0", "openmpi"},
                                         {"OpenMPI-4.1.4", "openmpi"},  {"MPICH-4.0.2", "mpich"},
                                         {"cray-mpich 8", "mpich"},     {"MVAPICH2 2.3", "mpich"},
                                         {"Intel MPI 2021", "mpich"},   {"Platform MPI", "other"},
                                         {"NCCL-2.19", "other"},        {"HPE MPI", "other"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_string_equal(tutti_import_flavor(names[i][0]), names[i][1]);
}
