/* Importing: the numbers of ranks that the launcher's line says, and the failures that launchers report. */
#include "unit/harness/store/import_fixture.h"

#define TIMES "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n1024  7.50\n"

/* "RANKS/RANKS_PER_NODE" of a log's last time; else the message. */
static const char *ranks_of(int ranks, int ranks_per_node, const char *lines)
{
  static char text[TUTTI_ERROR_LENGTH];
  char log[2048];
  const tutti_import_how how = {.format = TUTTI_IMPORT_GUESS, .ranks = ranks, .ranks_per_node = ranks_per_node};
  FREED_BY(tutti_imported_free) tutti_imported imported = {.passed.strict = true};
  snprintf(log, sizeof log, "%s\n" TIMES, lines);
  if (read_text(&imported, &how, log, REASON) == TUTTI_OK) {
    const tutti_measurement *last = &imported.items[imported.count - 1].measurement;
    snprintf(text, sizeof text, "%d/%d", last->ranks, last->ranks_per_node);
  } else
    memcpy(text, error.message, sizeof text);
  return text;
}

TEST(test_ranks)
{
  static const struct {
    const char *line, *ranks;
  } lines[] = {
      {"+ mpirun -np 16 ./osu_bcast", "16/1"},
      {"$SUBMIT -n 16 osu_bcast -m 4", "16/1"},
      {"+ /opt/mpi/bin/mpiexec.hydra -n 16 -ppn 4 ./osu_bcast -n 3", "16/4"},
      {"+ mpirun -n 6 -npernode 2 ./osu_bcast : -n 10 ./osu_bcast", "16/2"},
      {"+ mpirun -N 4 -np 16 osu_bcast", "16/4"},
      {"+ srun -n16 -N4 ./osu_bcast", "16/4"},
      {"+ srun --ntasks=16 --nodes=2 ./osu_bcast", "16/8"},
      {"+ srun -N 4 --ntasks-per-node 4 ./osu_bcast", "16/4"},
      {"+ srun --ntasks 16 --nodes 3 ./osu_bcast", "16/1"},
      {"+ timeout 60 'mpirun' -np 16 osu_bcast\nsrun: job 12 queued -n 3\n", "16/1"},
      {"+ mpirun -np 8 osu_reduce\n+ mpirun -np 16 osu_bcast", "16/1"},
      {"+ mpirun -np 2 -npernode 4 osu_bcast", "2/2"},
      {"mpirun -np 16 --map-by ppr:4:node osu_bcast", "16/4"},
      {"aprun -n 16 -N 8 osu_bcast", "16/8"},
      {"# mpirun -np 16 osu_bcast", "16/1"},
      {"time jsrun -n 8 -a 2 -c 1 -r 2 -l cpu-cpu osu_bcast", "16/4"},
      {"jsrun --nrs=16 osu_bcast", "16/1"},
      {"jsrun -p 16 osu_bcast", "16/1"},
      {"lrun -N 4 -T 4 osu_bcast", "16/4"},
      {"lrun -N2 -n 16 osu_bcast", "16/8"},
      {"flux run -N4 --tasks-per-node=4 osu_bcast", "16/4"},
      {"flux mini run -n 16 -N 2 osu_bcast", "16/8"},
      {"prun -n 16 osu_bcast", "16/1"},
      {"ibrun -n 16 osu_bcast", "16/1"},
      {"runjob --np 16 --ranks-per-node=4 : osu_bcast", "16/4"},
      {"#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=4\n", "16/4"},
      {"#SBATCH -n 16 -N 2\n+ srun osu_bcast", "16/8"},
      {"#SBATCH -N 4 --ntasks-per-node=8\n+ srun -N 2 osu_bcast", "16/8"},
      {"#SBATCH -N 4 --ntasks-per-node=8\n+ srun -n 16 osu_bcast", "16/1"},
      {"#PBS -l select=4:ncpus=8:mpiprocs=4\nmpirun osu_bcast", "16/4"},
      {"#PBS -l nodes=4:ppn=4", "16/4"},
      {"#BSUB -n 16 -R \"span[ptile=4]\"", "16/4"},
      {"#FLUX: -N 4 --tasks-per-node=4\nibrun osu_bcast", "16/4"},
      {"Processes: 16\n", "16/1"},
      {"+ mpirun -np 16 -npernode 4 b\n# Number of MPI processes = 16\n", "16/4"},
      {"mpirun -np 8 b\n" TIMES "=====\nprocesses: 16\n", "16/1"},
      {"mpirun -np 16 b\nProcesses: 8 of 16 failed\nranks : none\nnp: 0\nprocesses:\n", "16/1"},
      {"SLURM_NTASKS=16\nSLURM_NNODES=4\nibrun osu_bcast", "16/4"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    assert_string_equal(ranks_of(0, 0, lines[i].line), lines[i].ranks);
  assert_string_equal(ranks_of(16, 8, "+ mpirun -np 16 -npernode 4 b"), "16/8");
  assert_string_equal(ranks_of(16, 0, "mpirun -np $RANKS b"), "16/1");
  assert_string_equal(
      ranks_of(8, 0, "\n+ mpirun -np 16 b"),
      "out.txt:3: not the number of --ranks: correct it, or leave it out: line 2 starts 16 ranks, --ranks "
      "says 8");
  assert_non_null(strstr(ranks_of(8, 0, "Processes: 16"), "line 1 starts 16 ranks, --ranks says 8"));
  static const char *const unsaid[] = {"+ mpirun -np 16 b\n+ mpirun b", "#SBATCH -n 16\nsrun -n $N b",
                                       "flux capacitor -n 16", "#PBS -l nodes=2:ppn=4+1:ppn=8",
                                       "mpirun -np 99999999999 b"};
  for (size_t i = 0; i < sizeof unsaid / sizeof *unsaid; i++)
    assert_non_null(strstr(ranks_of(0, 0, unsaid[i]), "say it with --ranks"));
}

/* What prints its number is believed. */
TEST(test_own_ranks)
{
  static const char log[] = "mpirun -np 16 -N 2 IMB-MPI1\n#    Intel(R) MPI Benchmarks 2021.7, MPI-1 part\n"
                            "# Benchmarking Bcast\n# #processes = 4\n"
                            "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n8 1000 0.04 0.06 0.05\n";
  const tutti_import_how how = {.format = TUTTI_IMPORT_GUESS, .ranks = 8};
  tutti_imported imported = {.items = NULL};
  assert_int_equal(read_text(&imported, &how, log, REASON), TUTTI_OK);
  assert_int_equal(imported.items[0].measurement.ranks, 4);
  assert_int_equal(imported.items[0].measurement.ranks_per_node, 2);
  assert_true(imported.own_ranks);
  tutti_imported_free(&imported);
  assert_int_equal(read_text(&imported, &how, TIMES, REASON), TUTTI_OK);
  assert_false(imported.own_ranks);
  tutti_imported_free(&imported);
}

/* A table whose number of ranks contradicts --ranks is passed over with all of its rows, in each format. */
TEST(test_contradicting_ranks)
{
  static const char *const tables[] = {
      TIMES "2048 8.00\n",
      "# Benchmarking Allreduce\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n4 9 1 3 2\n8 9 1 3 2\n",
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 64 warmup iters: 5 iters: 20\n"
      "#  size  count  type  redop  root  time  algbw  busbw #wrong\n8 2 float sum -1 3 0 0 0\n16 4 float sum -1 3 0 0 "
      "0\n",
  };
  const tutti_import_how how = {.format = TUTTI_IMPORT_GUESS, .ranks = 8};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    char log[1024];
    FREED_BY(tutti_imported_free) tutti_imported imported = {.items = NULL};
    snprintf(log, sizeof log, "mpirun -n 16 -N 4 benchmark\n%s", tables[i]);
    assert_ok(read_text(&imported, &how, log, REASON), error);
    if (imported.count != 0 || passed_over(&imported, "not the number of --ranks", "line 1 starts 16 ranks") != 1 ||
        !strstr(imported.passed.reasons.items[0].places.items[0], "(2 rows)"))
      fail_msg("table %zu", i);
  }
}

/* A failure is told once a file, and is no line that starts ranks. */
TEST(test_failures)
{
  static const char *const lines[] = {
      "mpirun noticed that process rank 3 with PID 0 on node n1 exited on signal 9 (Killed).",
      "srun: error: n1: task 3: Out Of Memory",
      "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES",
      "MPI_ABORT was invoked on rank 3 in communicator MPI_COMM_WORLD",
  };
  const tutti_import_how how = {.format = TUTTI_IMPORT_GUESS};
  tutti_imported imported = {.items = NULL};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    char log[1024], expected[300];
    snprintf(log, sizeof log, "mpirun -np 4 osu_bcast\n" TIMES "%s\n%s\n" TIMES, lines[i], lines[i]);
    assert_int_equal(read_text(&imported, &how, log, REASON), TUTTI_OK);
    snprintf(expected, sizeof expected,
             "out.txt:5: ranks failed ('%s'): times may be missing or disturbed; what there is was stored\n",
             lines[i] + strspn(lines[i], "= "));
    assert_string_equal(imported.warnings, expected);
    assert_int_equal(imported.items[1].measurement.ranks, 4);
    tutti_imported_free(&imported);
  }
  assert_int_equal(read_text(&imported, &how, "mpirun -np 4 osu_bcast\n" TIMES, REASON), TUTTI_OK);
  assert_null(imported.warnings);
  tutti_imported_free(&imported);
}
