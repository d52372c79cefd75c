/* The launcher: arguments for each flavor, and the last words of a job. */
#include <sched.h>

#include "harness/experiments/jobs/job.h"
#include "unit/base/scratch_file.h"
#include "unit/patience.h"
#include "unit/test.h"

static char *joined(const struct launcher *launcher, const struct launch *launch, char *text, size_t length)
{
  char **arguments = tutti_launcher_arguments(launcher, launch);
  text[0] = '\0';
  for (int i = 0; arguments[i]; i++)
    snprintf(text + strlen(text), length - strlen(text), "%s%s", i ? "|" : "", arguments[i]);
  free(arguments);
  return text;
}

static char *joined_arguments(const struct launcher *launcher, int ranks, char *text, size_t length)
{
  const struct launch launch = {.ranks = ranks, .chunk = 5};
  return joined(launcher, &launch, text, length);
}

static const struct launcher smpi = {
    .flavor = "smpi", .command = "/bin/smpirun", .program = "/b/tutti-bench", .platform = "/p.xml", .simulated = true};

TEST(test_selector)
{
  char text[1024];
  struct launcher launcher = smpi;
  const struct launch launch = {.ranks = 28, .chunk = 5, .native = true, .selector = "mvapich2"};
  assert_string_equal(
      joined(&launcher, &launch, text, sizeof text),
      "/bin/smpirun|-np|28|-platform|/p.xml|-hostfile|000005.hosts|-no-privatize|"
      "--log=root.thres:warning|--cfg=smpi/simulate-computation:no|--cfg=smpi/send-is-detached-thresh:65536|"
      "--cfg=smpi/coll-selector:mvapich2|/b/tutti-bench|--points|000005.points");
}

/* A simulator is told by options, a library by its environment. */
TEST(test_directives)
{
  char text[1024], preload[LAUNCH_PRELOAD_LENGTH];
  struct launcher launcher = smpi;
  const tutti_directives directives = {1, {{"smpi/bcast", "flattree"}}};
  const struct launch launch = {.ranks = 28, .chunk = 5, .native = true, .directives = &directives};
  struct tutti_variable variables[LAUNCH_VARIABLES + 1];
  assert_string_equal(
      joined(&launcher, &launch, text, sizeof text),
      "/bin/smpirun|-np|28|-platform|/p.xml|-hostfile|000005.hosts|-no-privatize|"
      "--log=root.thres:warning|--cfg=smpi/simulate-computation:no|--cfg=smpi/send-is-detached-thresh:65536|"
      "--cfg=smpi/bcast:flattree|/b/tutti-bench|--points|000005.points");
  launcher = (struct launcher){
      .flavor = "mpich", .kind = LAUNCHER_MPICH, .command = "/bin/mpiexec", .program = "/b/tutti-bench"};
  const tutti_directives cvars = {1, {{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"}}};
  const struct launch real = {.ranks = 4, .chunk = 5, .native = true, .directives = &cvars};
  assert_string_equal(joined(&launcher, &real, text, sizeof text),
                      "/bin/mpiexec|-n|4|/b/tutti-bench|--points|000005.points");
  tutti_launcher_environment(&launcher, &real, preload, variables);
  assert_string_equal(variables[0].name, "MPIR_CVAR_BCAST_INTRA_ALGORITHM");
  assert_string_equal(variables[0].value, "binomial");
  assert_null(variables[1].name);
}

TEST(test_arguments)
{
  char text[1024];
  struct launcher launcher = smpi;
  assert_string_equal(
      joined_arguments(&launcher, 28, text, sizeof text),
      "/bin/smpirun|-np|28|-platform|/p.xml|-hostfile|000005.hosts|-no-privatize|"
      "--log=root.thres:warning|--cfg=smpi/simulate-computation:no|/b/tutti-bench|--points|000005.points");
  assert_string_equal(joined_arguments(&launcher, 131072, text, sizeof text),
                      "/bin/smpirun|-np|131072|-platform|/p.xml|-hostfile|"
                      "000005.hosts|-no-privatize|--log=root.thres:warning|--cfg=smpi/"
                      "simulate-computation:no|--cfg=contexts/stack-size:64|"
                      "--cfg=contexts/guard-size:0|/b/tutti-bench|--points|000005.points");
  launcher.options = (tutti_platform_options){.count = 2, .items = {"--cfg=smpi/os:0.5", "--cfg=smpi/ois:0.5"}};
  assert_string_equal(joined_arguments(&launcher, 28, text, sizeof text),
                      "/bin/smpirun|-np|28|-platform|/p.xml|-hostfile|000005.hosts|-no-privatize|"
                      "--log=root.thres:warning|--cfg=smpi/simulate-computation:no|--cfg=smpi/os:0.5|--cfg=smpi/"
                      "ois:0.5|/b/tutti-bench|--points|"
                      "000005.points");
  launcher = (struct launcher){
      .flavor = "openmpi", .kind = LAUNCHER_OPENMPI, .command = "/bin/mpiexec", .program = "/b/tutti-bench"};
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|-np|4|/b/tutti-bench|--points|000005.points");
  launcher.oversubscribe = true;
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|--oversubscribe|-np|4|/b/tutti-bench|--points|000005.points");
  launcher.oversubscribe = false;
  setenv("TUTTI_PLUGINS", "/x.so", 1); /* handed on to other hosts */
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|-np|4|-x|TUTTI_PLUGINS|/b/tutti-bench|--points|000005.points");
  unsetenv("TUTTI_PLUGINS");
  launcher.hosts = launcher.placed = true;
  launcher.extra = (char *[]){"--bind-to", "core", NULL};
  assert_string_equal(
      joined_arguments(&launcher, 4, text, sizeof text),
      "/bin/mpiexec|-np|4|--hostfile|000005.hosts|--bind-to|core|/b/tutti-bench|--points|000005.points");
  launcher.kind = LAUNCHER_MPICH;
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|-n|4|-f|000005.hosts|--bind-to|core|/b/tutti-bench|--points|000005.points");
  launcher.kind = LAUNCHER_SRUN;
  launcher.hosts = false;
  launcher.extra = (char *[]){"--mpi=pmix", NULL};
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|--export=ALL|-n|4|--mpi=pmix|/b/tutti-bench|--points|000005.points");
  launcher.oversubscribe = true;
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|--overcommit|--export=ALL|-n|4|--mpi=pmix|/b/tutti-bench|--points|000005.points");
  launcher = (struct launcher){
      .flavor = "mpich", .kind = LAUNCHER_MPICH, .command = "/bin/mpiexec", .program = "/b/tutti-bench"};
  assert_string_equal(joined_arguments(&launcher, 4, text, sizeof text),
                      "/bin/mpiexec|-n|4|/b/tutti-bench|--points|000005.points");
}

/* This process may run on one core: two ranks are one too many. */
TEST(test_more_ranks_than_cores)
{
  cpu_set_t before, one;
  struct launcher launcher = {.flavor = "mpich"};
  unsetenv("SLURM_JOB_CPUS_PER_NODE");
  assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
  assert_int_equal(tutti_launcher_cores(&launcher), CPU_COUNT(&before));
  CPU_ZERO(&one);
  for (int i = 0; CPU_COUNT(&one) == 0; i++)
    if (CPU_ISSET(i, &before))
      CPU_SET(i, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 1, "x.xml", REASON), TUTTI_OK);
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 2, "x.xml", REASON), TUTTI_ERR_ARGUMENT);
  assert_string_equal(error.message,
                      "x.xml: 2 ranks are more than the 1 core that they can have, so that times would be "
                      "those of ranks that wait for a core: --oversubscribe measures them all the same");
  launcher.oversubscribe = true;
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 2, "x.xml", REASON), TUTTI_OK);
  launcher.oversubscribe = false;
  setenv("SLURM_JOB_CPUS_PER_NODE", "4(x2),3", 1);
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 11, "x.xml", REASON), TUTTI_OK);
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 12, "x.xml", REASON), TUTTI_ERR_ARGUMENT);
  unsetenv("SLURM_JOB_CPUS_PER_NODE");
  launcher.placed = true;
  assert_int_equal(tutti_launcher_check_ranks(&launcher, 100, "x.xml", REASON), TUTTI_OK);
  assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST(test_allocations)
{
  static const struct {
    const char *text;
    int cores;
  } cases[] = {{"1", 1},
               {"2,3", 5},
               {"4(x2),3", 11},
               {"72(x128)", 9216},
               {"", 0},
               {"x", 0},
               {"4(x", 0},
               {"4(x2", 0},
               {"4(x0)", 0},
               {"-1", 0},
               {"4;3", 0},
               {"4(x2)3", 0},
               {"2147483647(x2)", 0},
               {"0", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (tutti_launcher_count_allocated(cases[i].text) != cases[i].cores)
      fail_msg("'%s' is not %d cores", cases[i].text, cases[i].cores);
}

static const char *last_words(const char *text, char *line)
{
  FILE *stream = tmpfile();
  assert_non_null(stream);
  fputs(text, stream);
  fflush(stream);
  tutti_job_last_words(fileno(stream), line, 240);
  fclose(stream);
  return line;
}

TEST(test_last_words)
{
  char line[240];
  assert_string_equal(last_words("", line), "");
  assert_string_equal(last_words("\n  \n----\n", line), "");
  assert_string_equal(last_words("first\n  last\t\n\n", line), "last ");
  assert_string_equal(last_words("an error came up\nbacktrace\n", line), "an error came up");
  assert_string_equal(last_words("first error\nsecond error\n", line), "first error");
  assert_string_equal(last_words("tutti-bench: rank 3 is ill\nMPI_Abort was called\nbye\n", line), "rank 3 is ill");
  assert_string_equal(last_words("no newline", line), "no newline");
  assert_string_equal(last_words("note: 4 ranks take turns\n", line), "");
}

#define RULE "--------------------------------------------------------------------------\n"

/* The first paragraph of a text of Open MPI names the error, all others give advice. */
TEST(test_last_words_of_launchers)
{
  char line[240];
  assert_string_equal(last_words(RULE "The policy is not recognized:\n\n  Policy: odd\n\nCheck for an error, or ensure "
                                      "that it is\none.\n" RULE,
                                 line),
                      "The policy is not recognized: Policy: odd");
  assert_string_equal(last_words("ssh: Could not resolve hostname a: x\n" RULE "ORTE was unable to start.\n\n* an "
                                 "error\n" RULE "this is an internal error\n",
                                 line),
                      "ssh: Could not resolve hostname a: x");
  assert_string_equal(last_words("it broke here\n" RULE "Primary job  terminated normally, but one\n" RULE, line),
                      "it broke here");
  assert_string_equal(
      last_words(RULE "Primary job  terminated\n" RULE RULE "mpirun noticed that rank 0\nwas killed.\n" RULE, line),
      "mpirun noticed that rank 0 was killed.");
  assert_string_equal(last_words("[mpiexec@a] match_arg: unrecognized\n[mpiexec@a] main: error parsing\n", line),
                      "[mpiexec@a] match_arg: unrecognized");
}

#define BACKTRACE                                                                                                      \
  "Backtrace (displayed in actor maestro):\n"                                                                          \
  "  ->  0# xbt_backtrace_display_current in libsimgrid.so.3.32\n"                                                     \
  "  ->  1# 0x00007F14341CBEC0 in libsimgrid.so.3.32\n\n"
#define SMPIRUN_END(status)                                                                                            \
  "./a --cfg=smpi/privatization:1 --cfg=surf/precision:1e-9 p.xml\nExecution failed with code " status ".\n"

/* What SimGrid and SMPI print when they end a simulation, as smpirun hands it on. */
TEST(test_last_words_of_simgrid)
{
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"[0.000000] ./src/surf/network_cm02.cpp:322: [root/CRITICAL] You're trying to send data from a to c but there "
       "is no connecting path between these two hosts.\n" BACKTRACE "Aborted\n" SMPIRUN_END("134"),
       "You're trying to send data from a to c but there is no connecting path between these two hosts."},
      {"[n0:0:(1) 0.000000] ./include/xbt/sysdep.h:52: [root/CRITICAL] Memory allocation of 18446744071562067968 bytes "
       "failed\n" BACKTRACE "Aborted\n" SMPIRUN_END("134"),
       "Memory allocation of 18446744071562067968 bytes failed"},
      {"[0.000010] ./src/kernel/resource/Model.cpp:99: [root/CRITICAL] The Impossible Did Happen (yet "
       "again)\nAborted\n",
       "The Impossible Did Happen, as when a rank computes on a host of speed 0"},
      {"[0.4] ./src/kernel/lmm/maxmin.cpp:217: [root/CRITICAL] Cannot saturate more a constraint that has no active "
       "element! You may want to change the maxmin precision\n\tFor the record, the usage of this constraint is 0\n"
       "Aborted\n",
       "SMPI ends at a rounding in its solver (Cannot saturate more a constraint), where --engine fast goes on"},
      {"[0.000000] ./src/xbt/exception.cpp:48: [xbt_exception/CRITICAL] Uncaught exception std::invalid_argument: Link "
       "not found: nolink\n[0.000000] ./src/xbt/exception.cpp:75: [xbt_exception/CRITICAL] Current "
       "backtrace:\n" BACKTRACE "Aborted\n",
       "Uncaught exception std::invalid_argument: Link not found: nolink"},
      {"[0.000000] [xbt_exception/ERROR] Parse error at p.xml:3: Unknown host b\n"
       "[0.000000] [xbt_exception/ERROR] Exiting now.\nAborted\n" SMPIRUN_END("134"),
       "Parse error at p.xml:3: Unknown host b"},
      {"[0.000000] [xbt_cfg/WARNING] Option network/crosstraffic has been moved\n"
       "\x1b[31m[0.000006] [ker_engine/CRITICAL] Oops! Deadlock detected, some activities never complete.\x1b[0m\n"
       "[0.000006] [ker_engine/WARNING] Process called exit when leaving - Skipping cleanups\n",
       "Oops! Deadlock detected, some activities never complete."},
      {"[n1:1:(2) 0.000000] ./src/smpi/bindings/smpi_pmpi.cpp:138: [smpi_pmpi/WARNING] MPI_Abort was called, something "
       "went wrong\n[0.000000] [ker_engine/CRITICAL] Oops! Deadlock detected\n",
       "MPI_Abort was called, something went wrong"},
      {"[n1:1:(2) 0.0] a.cpp:645: [smpi_kernel/WARNING] SMPI process did not return 0. Return value : 5\n"
       "[0.000000] [ker_engine/CRITICAL] Oops! Deadlock detected\n" SMPIRUN_END("5"),
       "SMPI process did not return 0. Return value : 5"},
      {"[n0:0:(1) 0.0] a.cpp:268: [smpi_pmpi/WARNING] PMPI_Send: param 4 dst (=77) cannot be < 0 or > 3\n" BACKTRACE
       "[n0:0:(1) 0.0] b.cpp:257: [root/CRITICAL] MPI_Send - returned MPI_ERR_RANK instead of MPI_SUCCESS\n"
       "Aborted\n",
       "PMPI_Send: param 4 dst (=77) cannot be < 0 or > 3"},
      {"[n1:1:(2) 0.000006] c.cpp:1052: [root/CRITICAL] recv - returned MPI_ERR_TRUNCATE instead of MPI_SUCCESS\n",
       "recv - returned MPI_ERR_TRUNCATE instead of MPI_SUCCESS"},
      {"Segmentation fault.\nTry to enable SMPI variable privatization with --cfg=smpi/privatization:yes.\n"
       "Segmentation fault\n" SMPIRUN_END("139"),
       "the method, or a rounding in SMPI's solver, where --engine fast goes on"},
      {"it printed this\nSegmentation fault.\nSegmentation fault\n" SMPIRUN_END("139"), "it printed this"},
      {"Access violation or Bus error detected.\nThis probably comes from a programming error in your code, or from a "
       "stack\noverflow.\nSegmentation fault\n" SMPIRUN_END("139"),
       "Access violation or Bus error detected."},
      {"terminate called after throwing an instance of 'std::runtime_error'\n  what():  Could not map the "
       "stack\nAborted\n",
       "Could not map the stack"},
      {"terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\nAborted\n",
       "std::bad_alloc"},
      {"[0.0] d.cpp:1: [ker_context/CRITICAL] Failed to allocate stack: Cannot allocate memory\n" BACKTRACE,
       "Failed to allocate stack: Cannot allocate memory"},
      {"[smpirun] ** error: the file 'p.xml' does not exist. Aborting.\n",
       "[smpirun] ** error: the file 'p.xml' does not exist. Aborting."},
      {"[0.0] e.cpp:48: [xbt_exception/CRITICAL] Uncaught exception std::out_of_range: Bad config key: foo/bar\n"
       "Existing config keys:\n  bmf/error: (int)1000\n",
       "Uncaught exception std::out_of_range: Bad config key: foo/bar"},
  };
  char line[240];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(last_words(cases[i].text, line), cases[i].words);
}

#define HYDRA_END(code, how)                                                                                           \
  "\n===================================================================================\n"                            \
  "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   PID 14623 RUNNING AT vm\n=   EXIT CODE: " code        \
  "\n=   CLEANING UP REMAINING PROCESSES\n=   YOU CAN IGNORE THE BELOW CLEANUP MESSAGES\n"                             \
  "===================================================================================\n"                              \
  "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: " how                                                             \
  "\nThis typically refers to a problem with your application.\nPlease see the FAQ page for debugging suggestions\n"
#define PRIMARY_JOB                                                                                                    \
  RULE "Primary job  terminated normally, but 1 process returned\na non-zero exit code. Per user-direction, the job "  \
       "has been aborted.\n" RULE

/* Ranks that fail under real launchers: MPICH, Open MPI, srun. */
TEST(test_last_words_of_ranks)
{
  static const struct {
    const char *text, *words;
  } cases[] = {
      {HYDRA_END("9", "Killed (signal 9)"), "Killed (signal 9)"},
      {"it broke here\n" HYDRA_END("6", "Aborted (signal 6)"), "it broke here"},
      {"[vm:14:0:14] Caught signal 11 (Segmentation fault: address not mapped to object at address (nil))\n"
       "==== backtrace (tid:  14) ====\n 0  /lib/libucs.so.0(ucs_handle_error+0x2dc) [0x7f704880e9c]\n"
       "=================================\n" HYDRA_END("11", "Segmentation fault (signal 11)"),
       "[vm:14:0:14] Caught signal 11 (Segmentation fault: address not mapped to object at address (nil))"},
      {"cannot read the deck\nAbort(3) on node 1 (rank 1 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 3) - "
       "process 1\n",
       "cannot read the deck"},
      {"Abort(67248142) on node 1 (rank 1 in comm 0): Fatal error in internal_Recv: Message truncated, error stack:\n"
       "internal_Recv(127): MPI_Recv(buf=0x7f, count=8) failed\n(unknown)(): Message truncated\n",
       "Abort(67248142) on node 1 (rank 1 in comm 0): Fatal error in internal_Recv: Message truncated, error stack:"},
      {"[vm:7] *** Process received signal ***\n[vm:7] Signal: Segmentation fault (11)\n[vm:7] Signal code: Address "
       "not "
       "mapped (1)\n[vm:7] Failing at address: (nil)\n[vm:7] [ 0] /lib/libc.so.6(+0x3c050)[0x7fa1cd25c050]\n"
       "[vm:7] *** End of error message ***\n" PRIMARY_JOB RULE "mpiexec noticed that process rank 1 with PID 0 on "
       "node vm exited on signal 11 (Segmentation fault).\n" RULE,
       "[vm:7] Signal: Segmentation fault (11)"},
      {"[vm:7] *** An error occurred in MPI_Recv\n[vm:7] *** reported by process [1429078017,1]\n[vm:7] *** on "
       "communicator MPI_COMM_WORLD\n[vm:7] *** MPI_ERR_TRUNCATE: message truncated\n[vm:7] *** MPI_ERRORS_ARE_FATAL "
       "(processes in this communicator will now abort,\n[vm:7] ***    and potentially your MPI job)\n",
       "MPI_ERR_TRUNCATE: message truncated"},
      {PRIMARY_JOB RULE "mpiexec noticed that process rank 1 with PID 0 on node vm exited on signal 9 (Killed).\n" RULE,
       "mpiexec noticed that process rank 1 with PID 0 on node vm exited on signal 9 (Killed)."},
      {"it broke here\n" PRIMARY_JOB RULE "mpiexec detected that one or more processes exited with non-zero status, "
       "thus causing\nthe job to be terminated. The first process to do so was:\n\n  Exit code:    5\n" RULE,
       "it broke here"},
      {"it broke here\n" RULE "mpiexec has exited due to process rank 1 with PID 0 on\nnode vm exiting "
       "improperly.\n" RULE,
       "it broke here"},
      {"./g: error while loading shared libraries: libf.so: cannot open shared object file: No such file or "
       "directory\n" PRIMARY_JOB,
       "./g: error while loading shared libraries: libf.so: cannot open shared object file: No such file or directory"},
      {"./g: /lib/libc.so.6: version `GLIBC_2.99' not found (required by ./g)\n" PRIMARY_JOB,
       "./g: /lib/libc.so.6: version `GLIBC_2.99' not found (required by ./g)"},
      {"cannot read the deck\nsrun: error: n1: task 3: Exited with exit code 1\nsrun: Terminating StepId=5.0\n",
       "cannot read the deck"},
      {"srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\nslurmstepd: error: *** STEP 5.0 ON "
       "n1 "
       "CANCELLED AT 2024-01-01T00:00:00 DUE TO TIME LIMIT ***\nsrun: error: n1: task 0: Terminated\n",
       "slurmstepd: error: *** STEP 5.0 ON n1 CANCELLED AT 2024-01-01T00:00:00 DUE TO TIME LIMIT ***"},
      {"srun: error: n1: task 3: Exited with exit code 1\nslurmstepd: error: Detected 1 oom_kill event in StepId=5.0. "
       "Some of the step tasks have been OOM Killed.\n",
       "slurmstepd: error: Detected 1 oom_kill event in StepId=5.0. Some of the step tasks have been OOM Killed."},
      {"srun: error: n1: task 3: Out Of Memory\n", "srun: error: n1: task 3: Out Of Memory"},
      {"slurmstepd: error: execve(): ./a: No such file or directory\nsrun: error: n1: task 0: Exited with exit code "
       "2\n",
       "slurmstepd: error: execve(): ./a: No such file or directory"},
      {"srun: error: n1: tasks 0-3: Killed\n", "srun: error: n1: tasks 0-3: Killed"},
  };
  char line[240];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(last_words(cases[i].text, line), cases[i].words);
}

/* Names are found among those before without going through all of them. */
TEST(test_many_hosts)
{
  enum { MANY = 100003 };
  FREED_BY(free_memory) char *text = NULL;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  FREED_BY(tutti_hosts_free) struct hosts hosts = {0};
  assert_non_null(stream);
  for (int i = 0; i < MANY; i++)
    fprintf(stream, "node%d:2\n", i);
  assert_int_equal(fclose(stream), 0);
  struct scratch_file file = scratch_write("hosts", text);
  limit_processor_time(5);
  assert_int_equal(tutti_hosts_read(file.path, &hosts, REASON), TUTTI_OK);
  assert_int_equal(hosts.count, MANY);
  scratch_remove(&file);
}
