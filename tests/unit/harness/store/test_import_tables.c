/* Importing: nccl-tests, outputs of Open MPI's tuning scripts, and tables by a map of their headings. */
#include "unit/harness/store/import_fixture.h"

#define NCCL_BANNER                                                                                                    \
  "# nThread 1 nGpus 1 minBytes 8 maxBytes 64 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1\n"
#define NCCL_RANK(n) "#  Rank  " #n " Group  0 Pid  17" #n " on  node" #n " device  0 [0x01] Some GPU\n"
#define NCCL_RANKS                                                                                                     \
  NCCL_BANNER NCCL_RANK(0) NCCL_RANK(1) "#  Rank  2 Group  0 Pid  9 on  node1 device  1 [0x02] G\n" NCCL_RANK(3)
#define NCCL_HEADINGS                                                                                                  \
  "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "     \
  "#wrong\n"                                                                                                           \
  "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n"
#define NCCL   NCCL_RANKS NCCL_HEADINGS
#define SHORT  NCCL_BANNER NCCL_RANK(0) "# ...\n" NCCL_RANK(3) NCCL_HEADINGS
#define ROW    "8 2 float sum -1 3 0 0 0 N/A 0 0 0\n"
#define DETAIL "#Nnodes    Message_size basic_linear         binomial             linear_sync          tuned\n"
#define BEST                                                                                                           \
  "#Nnodes    Message_size Best_Algorithm  Best_Latency         Ref_Algorithm   Ref_Latency          Speedup\n"

/* The first and the last time: "METHOD RANKS/RANKS_PER_NODE root=R COUNTxTYPE N*US SETTINGS". */
static void show(const tutti_import_item *item, char *text, size_t length)
{
  const tutti_measurement *m = &item->measurement;
  char method[TUTTI_METHOD_LENGTH];
  snprintf(text, length, "%s %d/%d %d %dx%d %d*%g %s", tutti_method_format(&m->method, method), m->ranks,
           m->ranks_per_node, m->root, (int)m->count, (int)m->type_size, m->repetitions, 1e6 * m->median,
           item->settings ? item->settings : "-");
}

TEST(test_tables)
{
  static const struct {
    const char *text, *map;         /* of csv */
    int ranks_per_node, collective; /* 1 + it */
    size_t count;
    const char *first, *last, *why, *place;
  } files[] = {
      {NCCL "8 2 float sum -1 3 0 0 0 4 0 0 0\n", NULL, 0, 0, 2, "allreduce/native 4/2 0 2x4 20*3 -",
       "allreduce/native 4/2 0 2x4 20*4 buffer=in-place", NULL, NULL},
      {"mpirun -x NCCL_ALGO=Ring all_gather_perf -b 8\n" NCCL "64 2 double none -1 3 0 0 0 4 0 0 0\n", NULL, 0, 0, 2,
       "allgather/native 4/2 0 2x8 20*3 NCCL_ALGO=Ring",
       "allgather/native 4/2 0 2x8 20*4 NCCL_ALGO=Ring buffer=in-place", NULL, NULL},
      {"# Collective test starting: reduce_scatter_perf\n" NCCL "64 4 float sum -1 3 0 0 0 4 0 0 0\n", NULL, 0, 0, 2,
       "reduce_scatter_block/native 4/2 0 4x4 20*3 -", NULL, NULL, NULL},
      {NCCL "64 4 float sum -1 3 0 0 0 4 0 0 0\n8 2 half sum 2 3 0 0 N/A 4 0 0 N/A\n", NULL, 0, 0, 4,
       "reduce_scatter_block/native 4/2 0 4x4 20*3 -", "reduce/native 4/2 2 2x2 20*4 buffer=in-place", NULL, NULL},
      {NCCL "8 2 float none 1 3 0 0 0 N/A N/A N/A N/A\n8 2 float sum -1 3 0 0 5 4 0 0 0\n", NULL, 0, 0, 2,
       "bcast/native 4/2 1 2x4 20*3 -", "allreduce/native 4/2 0 2x4 20*4 buffer=in-place",
       "the benchmark found its results wrong", ":9: 5"},
      {NCCL "64 2 double none -1 3 0 0 0 4 0 0 0\n64 2 odd sum -1 3 0 0 0 4 0 0 0\n", NULL, 0, 0, 0, NULL, NULL,
       "which collective was it?", ":8: size 64"},
      {SHORT ROW, NULL, 0, 0, 1, "allreduce/native 4/1 0 2x4 20*3 -", NULL, NULL, NULL},
      {"mpirun -n 8 -N 4 all_reduce_perf\n" SHORT ROW, NULL, 0, 0, 1, "allreduce/native 8/4 0 2x4 20*3 -", NULL, NULL,
       NULL},
      {"mpirun -n 2 all_reduce_perf\n" SHORT ROW, NULL, 0, 0, 0, NULL, NULL, "not as many ranks are listed",
       ":6: up to rank 3, line 1 starts 2 (1 row)"},
      {"mpirun -n 8 all_reduce_perf\n" NCCL ROW, NULL, 0, 0, 0, NULL, NULL, "not as many ranks are listed",
       ":7: up to rank 3, line 1 starts 8 (1 row)"},
      {"mpirun -n 2 all_reduce_perf -g 4\n# nThread 1 nGpus 4 minBytes 8\n" NCCL_HEADINGS ROW, NULL, 0, 0, 1,
       "allreduce/native 8/1 0 2x4 1*3 -", NULL, NULL, NULL},
      {"srun -n 1 hostname\n" NCCL ROW, NULL, 0, 0, 1, "allreduce/native 4/2 0 2x4 20*3 -", NULL, NULL, NULL},
      {NCCL "8 2 float sum -1 0.00 0 0 0 4 0 0 0\n", NULL, 0, 0, 1, "allreduce/native 4/2 0 2x4 20*4 buffer=in-place",
       NULL, "a time of 0", ":8: allreduce, 8 bytes"},
      {NCCL "64 2 double none -1 3 0 0 0 N/A 0 0 0\n", NULL, 0, 1 + TUTTI_COLL_ALLTOALL, 1,
       "alltoall/native 4/2 0 2x8 20*3 -", NULL, NULL, NULL},
      {"sendrecv_perf -g 1\n" NCCL "8 2 float none -1 3 0 0 0 4 0 0 0\n", NULL, 0, 0, 0, NULL, NULL,
       "no benchmark of a collective", ":7: nccl-tests (1 row)"},
      {NCCL "8 2 float sum -1 3 0 0 0 4 0 0 0\n4000 1000 float sum -1 3 1.33 1.33 0 4 1.3 1.3 0\n", NULL, 0, 0, 0, NULL,
       NULL, "no benchmark of a collective", ":9: nccl-tests, sendrecv by its bandwidths (2 rows)"},
      {NCCL "4000 1000 float sum -1 3 1.33 2.00 0 4 1.3 1.95 0\n", NULL, 0, 0, 2,
       "allreduce/native 4/2 0 1000x4 20*3 -", NULL, NULL, NULL},
      {NCCL_BANNER NCCL_RANK(0) NCCL_RANK(1) NCCL_HEADINGS "8 2 float sum -1 3 0 0 0 4 0 0 0\n", NULL, 0, 0, 0, NULL,
       NULL, "which collective was it?", ":6: size 8"},
      {"all_reduce_perf\n" NCCL_BANNER NCCL_RANK(0) NCCL_RANK(1) NCCL_HEADINGS "8 2 float sum -1 3 0 0 0 4 0 0 0\n",
       NULL, 0, 0, 2, "allreduce/native 2/1 0 2x4 20*3 -", NULL, NULL, NULL},
      {" 0: # a part of a log\n 0: " NCCL_HEADINGS " 0: 8 2 float sum -1 3 0 0 0 4 0 0 0\n", NULL, 0, 0, 0, NULL, NULL,
       "no line '# Rank' above the times", ":2: nccl-tests (1 row)"},
      {NCCL_BANNER NCCL_RANK(0) "#  Rank  0 Group  1 Pid  9 on n\n" NCCL_HEADINGS "8 2 float sum -1 3 0 0 0 4 0 0 0\n",
       NULL, 0, 0, 0, NULL, NULL, "several groups at once", ":4: "},
      {NCCL "8 2 int32 sum -1 3 0 0 0 4 0 0 0\n", NULL, 0, 0, 2, "allreduce/native 4/2 0 2x4 20*3 type=int32",
       "allreduce/native 4/2 0 2x4 20*4 buffer=in-place type=int32", NULL, NULL},
      {NCCL_BANNER NCCL_RANK(0) "# ...\n" NCCL_RANK(
           3) "# size count type redop time algbw busbw error time algbw busbw error\n"
              "8 2 float sum 3 0 0 2e-07 4 0 0 1e+00\n8 2 float sum 3 0 0 nan 4 0 0 0e+00\n",
       NULL, 0, 0, 2, "allreduce/native 4/1 0 2x4 20*3 -", "allreduce/native 4/1 0 2x4 20*4 buffer=in-place",
       "the benchmark found its results wrong", ": 1e+00"},
      {NCCL_BANNER NCCL_RANK(0) "# ...\n" NCCL_RANK(
           3) "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong timestamp\n"
              "8 2 float sum -1 3 0 0 0 4 0 0 0 2026-01-02 12:00:00\n",
       NULL, 0, 0, 2, "allreduce/native 4/1 0 2x4 20*3 -", NULL, NULL, NULL},
      {NCCL ROW "mpirun -np 8 all_reduce_perf\n" NCCL_HEADINGS ROW, NULL, 0, 0, 2, NULL,
       "allreduce/native 8/1 0 2x4 20*3 -", NULL, NULL},
      {"np,\"a\"\"b\",us\n4,\"\"\"5\",3\n8,1,4\n", "ranks=np,us=us,bytes=a\"b", 0, 1 + TUTTI_COLL_BCAST, 1,
       "bcast/native 8/1 0 1x1 1*4 -", NULL, "not a number that can be used", ":2: bytes '\"5'"},
      {"size,np,size,us\n1,4,8,1\n", "ranks=np,us=us,bytes=size", 0, 1 + TUTTI_COLL_BCAST, 0, NULL, NULL,
       "no line has the headings", ":1: 'size' is twice among 'size', 'np'"},
      {DETAIL "2 8 64.5(0.94) 107.25(0.83) 2393(35.2) 50\n4 8 1(0) x(1) 2(1) 3(1)\n", NULL, 4, 0, 7,
       "gather/linear@openmpi 8/4 0 8x1 1*64.5 -", "gather/native 16/4 0 8x1 1*3 -", "not a time", ":3: 'x(1)'"},
      {BEST "2 8 binomial 4(1) tuned 5(1) 1.25\n2 16 tuned 6(1) tuned 6(1) 1\n", NULL, 1, 1 + TUTTI_COLL_GATHER, 3,
       "gather/binomial@openmpi 2/1 0 8x1 1*4 -", "gather/native 2/1 0 16x1 1*6 -", NULL, NULL},
      {BEST "2 8 binomial 4(1) tuned 5(1) 1.25\n", NULL, 1, 0, 0, NULL, NULL, "which collective was it?",
       ":2: 2 times"},
      {DETAIL "2 8 1 2 3 4\n", NULL, 0, 0, 0, NULL, NULL, "how many ranks were on a node?", ":2: 4 times"},
      {BEST "2 8 odd 4(1) tuned 5(1) 1.25\n", NULL, 1, 1 + TUTTI_COLL_BCAST, 1, "bcast/native 2/1 0 8x1 1*5 -", NULL,
       "methods that", ":2: bcast/odd"},
      {"a comment\nnp; alg ;size;t\n4;binomial;1KB;3e-6\n4;binomial;1024;5e-6\n4;ring;8\n4;none;8;1\n",
       "ranks=np,method=alg,bytes=size,seconds=t", 2, 1 + TUTTI_COLL_BCAST, 1,
       "bcast/binomial@openmpi 4/2 0 1024x1 2*4 -", NULL, "not as many cells as headings", ":5: 3 under 4"},
      {"nodes\tppn\top\tcount\tb\tms\tn\n2\t4\tMPI_Iallreduce\t3\t8\t0.25\t7\n",
       "nodes=nodes,ranks_per_node=ppn,collective=op,count=count,type_size=b,ms=ms,repetitions=n", 0, 0, 1,
       "allreduce/native 8/4 0 3x8 7*250 form=nonblocking", NULL, NULL, NULL},
      {"\"op\",\"np\",\"size\",\"us\"\nAll-to-All,4,6,1.5\nSendrecv,4,8,1\nreduce,4,6,1\nreduce,0,8,1\n",
       "collective=op,ranks=np,bytes=size,us=us", 0, 0, 1, "alltoall/native 4/1 0 6x1 1*1.5 -", NULL, "no collective",
       ":3: 'Sendrecv'"},
      {"np size us\n4 8 1\n", "ranks=np,bytes=size,us=us", 0, 0, 0, NULL, NULL, "which collective was it?", ":2: ''"},
      {"np size us\n4 8 1\n", "ranks=np,bytes=size,ns=us!", 0, 0, 0, NULL, NULL, "no line has the headings",
       "out.txt:1: 'us!' is none of 'np', 'size', 'us'"},
      {"\nnp,size\nnp,alg,size,t,x\n4,Ring,8,1\n4,Default,16,1,,\n4,6,8,1,2\n4,7,8,1,2,3\n4,99,8,1,2\n",
       "ranks=np,method=alg,bytes=size,us=t", 0, 1 + TUTTI_COLL_BCAST, 2, "bcast/native 4/1 0 16x1 1*1 -",
       "bcast/binomial@openmpi 4/1 0 8x1 1*1 -", "methods that Tutti does not have", ":4: bcast/Ring"},
      {"where,np,us,try,bw\ncore,4,1,1,2.5\nmy socket,4,3,2,3\nnode,8,5,1,3\n", "ranks=np,us=us", 0,
       1 + TUTTI_COLL_BARRIER, 2, "barrier/native 4/1 0 0x1 2*2 -", "barrier/native 8/1 0 0x1 1*5 -", NULL, NULL},
      {"where,np,us,n,try\ncore,4,1,9,1\nmy socket,4,3,9,2\n", "ranks=np,us=us,repetitions=n", 0,
       1 + TUTTI_COLL_BARRIER, 2, "barrier/native 4/1 0 0x1 9*1 -", "barrier/native 4/1 0 0x1 9*3 -", NULL, NULL},
      {"where,np,us,try,op\ncore,4,1,1,Barrier\nmy socket,4,3,1,Ibarrier\n,4,3,1,barrier\ncore,4,5,1,barrier\n",
       "ranks=np,us=us,collective=op,setting:where=where,setting:a=try", 0, 0, 3,
       "barrier/native 4/1 0 0x1 2*3 a=1 where=core", "barrier/native 4/1 0 0x1 1*3 a=1", NULL, NULL},
      {"np,alg,size,t\n4,Recursive doubling,8,1\n4,SEGMENTED_RING,8,1\n4,0,8,1\n",
       "ranks=np,method=alg,bytes=size,us=t", 0, 1 + TUTTI_COLL_ALLREDUCE, 3,
       "allreduce/recursive-doubling@openmpi 4/1 0 2x4 1*1 -", "allreduce/native 4/1 0 2x4 1*1 -", NULL, NULL},
  };
  static const char differing[] = "out.txt:1: columns 'where', 'try' differ between lines of one point";
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    FREED_BY(tutti_imported_free) tutti_imported imported = {.items = NULL};
    const tutti_import_how how = {.format = files[i].map ? TUTTI_IMPORT_CSV : TUTTI_IMPORT_GUESS,
                                  .map = files[i].map,
                                  .ranks_per_node = files[i].ranks_per_node,
                                  .collective = files[i].collective,
                                  .implementation = TUTTI_IMPLEMENTATION_OPENMPI,
                                  .library = "OpenMPI-4.1.4"};
    char first[256] = "", last[256] = "";
    assert_ok(read_text(&imported, &how, files[i].text, REASON), error);
    if (imported.count > 0) {
      show(&imported.items[0], first, sizeof first);
      show(&imported.items[imported.count - 1], last, sizeof last);
    }
    if (imported.count != files[i].count || (files[i].first && strcmp(first, files[i].first) != 0) ||
        (files[i].last && strcmp(last, files[i].last) != 0))
      fail_msg("file %zu: %zu times, '%s', '%s'", i, imported.count, first, last);
    if (strncmp(files[i].text, "where,np,us", 11) == 0 && !files[i].collective == !!imported.told)
      fail_msg("file %zu: '%s'", i, imported.told ? imported.told : "");
    if (imported.told && strstr(imported.told, "column"))
      assert_begins(imported.told, differing);
    if (files[i].place && passed_over(&imported, files[i].why, files[i].place) == 0)
      fail_msg("file %zu: '%s' is not passed over at '%s'", i, files[i].why, files[i].place);
  }
}

TEST(test_maps)
{
  static const char *const wrong[][2] = {{"ranks=np,us", "'us' is not COLUMN=HEADING"},
                                         {"rank=np,us=t", "'rank=np' is not COLUMN=HEADING"},
                                         {"ranks=np", "one of seconds, ms, us and ns is needed"},
                                         {"us=a,ns=b", "only one of seconds, ms, us and ns is needed"},
                                         {"us=a,bytes=b,count=c", "only one of bytes and count is needed"},
                                         {"us=a,setting:=b", "'setting:=b' is not COLUMN=HEADING"},
                                         {"us=a,setting:x y=b", "'setting:x y=b' is not COLUMN=HEADING"},
                                         {"", "'' is not"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(tutti_import_map_check(wrong[i][0], REASON), TUTTI_ERR_ARGUMENT);
    assert_begins(error.message, wrong[i][1]);
  }
  assert_int_equal(tutti_import_map_check("us=a b,bytes=size (B)", REASON), TUTTI_OK);
}

/* Times of one point in files of several libraries. */
TEST(test_spread)
{
  static const struct {
    const char *texts[3];
    const char *map;
    size_t points, fastest, slowest; /* lines */
  } cases[] = {
      {{"np,us\n4,1\n8,1\n", "np,us\n4,2.9\n8,3\n"}, "ranks=np,us=us", 0, 0, 0},
      {{"np,us\n4,1\n8,1\n", "np,us\n4,2\n\n8,2\n", "np,us\n\n4,3.5\n8,9\n"}, "ranks=np,us=us", 2, 3, 4},
      {{"np,us\n4,0\n", "np,us\n4,9\n"}, "ranks=np,us=us", 0, 0, 0},
      {{"np,us,m\n4,1,a\n", "np,us,m\n4,9,b\n"}, "ranks=np,us=us,setting:m=m", 0, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    FREED_BY(tutti_imported_free) tutti_imported imported = {.items = NULL};
    const tutti_import_how how = {
        .format = TUTTI_IMPORT_CSV, .map = cases[i].map, .collective = 1 + TUTTI_COLL_BARRIER};
    for (int t = 0; t < 3 && cases[i].texts[t]; t++)
      assert_ok(read_text(&imported, &how, cases[i].texts[t], REASON), error);
    const tutti_import_spread found = tutti_import_find_spread(&imported);
    assert_int_equal(found.points, cases[i].points);
    assert_int_equal(found.fastest ? found.fastest->line : 0, cases[i].fastest);
    assert_int_equal(found.slowest ? found.slowest->line : 0, cases[i].slowest);
  }
}
