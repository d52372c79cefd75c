/* Child processes: what they are started with, what is heard of them, and how they end. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/process.h"
#include "unit/test.h"

static struct tutti_command shell(char *arguments[4], const char *script)
{
  arguments[0] = "sh", arguments[1] = "-c", arguments[2] = (char *)script, arguments[3] = NULL;
  return (struct tutti_command){.arguments = arguments, .directory = -1, .output = -1, .errors = -1};
}

static void assert_says(const struct tutti_command *command, const char *expected, int status)
{
  char text[256];
  assert_int_equal(tutti_process_capture(command, text, sizeof text), status);
  assert_string_equal(text, expected);
}

TEST(output_and_errors_are_heard)
{
  char *arguments[4];
  struct tutti_command command = shell(arguments, "echo out; echo err >&2; exit 3");
  assert_says(&command, "out\nerr\n", 3);
  command = shell(arguments, "cat"); /* the input is empty */
  assert_says(&command, "", 0);
}

TEST(what_does_not_fit_is_read_all_the_same)
{
  char *arguments[4], text[8];
  struct tutti_command command =
      shell(arguments, "i=0; while [ $i -lt 20000 ]; do echo 12345678; i=$((i+1)); done; exit 4");
  assert_int_equal(tutti_process_capture(&command, text, sizeof text), 4);
  assert_string_equal(text, "1234567");
}

TEST(variables_are_set_and_unset)
{
  char *arguments[4];
  setenv("TUTTI_TEST_GONE", "here", 1);
  const struct tutti_variable variables[] = {{"TUTTI_TEST_SET", "a b"}, {"TUTTI_TEST_GONE", NULL}, {NULL, NULL}};
  struct tutti_command command = shell(arguments, "echo $TUTTI_TEST_SET,${TUTTI_TEST_GONE-gone}");
  command.variables = variables;
  assert_says(&command, "a b,gone\n", 0);
  assert_string_equal(getenv("TUTTI_TEST_GONE"), "here");
  assert_null(getenv("TUTTI_TEST_SET"));
}

TEST(it_runs_in_a_directory)
{
  char *arguments[4];
  struct tutti_command command = shell(arguments, "pwd");
  command.directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  assert_says(&command, "/\n", 0);
  close(command.directory);
}

TEST(it_leads_a_group_with_default_signals)
{
  char *arguments[4];
  pid_t process;
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  struct tutti_command command = shell(arguments, "sleep 100");
  command.group = true;
  assert_int_equal(tutti_process_start(&command, &process, NULL), TUTTI_OK);
  assert_int_equal(getpgid(process), process);
  kill(-process, SIGTERM);
  int status = tutti_process_wait(process);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  sigprocmask(SIG_SETMASK, &before, NULL);
  assert_int_equal(tutti_process_wait(process), -1);
}

TEST(another_program_takes_the_name)
{
  char *arguments[] = {"tutti-name", "-c", "echo $0", NULL};
  struct tutti_command command = {
      .arguments = arguments, .program = "/bin/sh", .directory = -1, .output = -1, .errors = -1};
  assert_says(&command, "tutti-name\n", 0);
}

TEST(a_failure_to_start_is_told)
{
  char *arguments[] = {"/nowhere/program", NULL}, text[64];
  struct tutti_command command = {.arguments = arguments, .directory = -1, .output = -1, .errors = -1};
  pid_t process;
  assert_int_equal(tutti_process_start(&command, &process, REASON), TUTTI_ERR_LAUNCH);
  assert_string_equal(error.message, "cannot start /nowhere/program: No such file or directory");
  assert_int_equal(tutti_process_capture(&command, text, sizeof text), -1);
  assert_string_equal(text, "");
}

/* The parent is killed, and its child with it: its end of the pipe is closed. */
TEST(no_child_outlives_its_parent)
{
  int pipes[2];
  char *arguments[4], byte;
  assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
  struct tutti_command command = shell(arguments, "echo ready; exec sleep 100");
  pid_t parent = fork();
  if (parent == 0) {
    pid_t process;
    command.output = pipes[1];
    if (tutti_process_start(&command, &process, NULL) != TUTTI_OK)
      _exit(1);
    pause();
    _exit(0);
  }
  close(pipes[1]);
  for (int i = 0; i < 6; i++) /* "ready\n" */
    assert_int_equal(read(pipes[0], &byte, 1), 1);
  kill(parent, SIGKILL);
  assert_int_equal(read(pipes[0], &byte, 1), 0);
  tutti_process_wait(parent);
  close(pipes[0]);
}

/* Start a script in a group, its output in the pipe. */
static pid_t start_group(const char *script, int pipes[2])
{
  char *arguments[4];
  pid_t process;
  struct tutti_command command = shell(arguments, script);
  assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
  command.group = true;
  command.output = pipes[1];
  assert_int_equal(tutti_process_start(&command, &process, NULL), TUTTI_OK);
  close(pipes[1]);
  return process;
}

static void read_ready(int input)
{
  char text[7] = "";
  for (int i = 0; i < 6; i++)
    assert_int_equal(read(input, text + i, 1), 1);
  assert_string_equal(text, "ready\n");
}

/* All that holds the other end of the pipe is gone. */
static void assert_closed(int input)
{
  char byte;
  assert_int_equal(read(input, &byte, 1), 0);
  close(input);
}

static int run_group(const char *script)
{
  int pipes[2];
  pid_t process = start_group(script, pipes);
  assert_closed(pipes[0]);
  return tutti_process_wait(process);
}

TEST(a_guard_ends_as_its_program)
{
  assert_int_equal(run_group("exit 0"), W_EXITCODE(0, 0));
  assert_int_equal(run_group("exit 37"), W_EXITCODE(37, 0));
  static const int signals[] = {SIGKILL, SIGTERM, SIGSEGV, SIGABRT, SIGINT, SIGPIPE};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    char script[32];
    snprintf(script, sizeof script, "kill -%d $$", signals[i]);
    int status = run_group(script);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), signals[i]);
  }
}

/* A program that leaves descendants which hold its output, ignore signals and lead sessions of their own. */
#define RESISTING "trap '' INT TERM HUP; setsid sh -c 'sleep 1000 & sleep 1000 & echo ready; sleep 1000' & "

TEST(orphans_of_a_guarded_program_are_killed)
{
  int pipes[2];
  pid_t process = start_group(RESISTING "sleep 0.3; exit 5", pipes);
  read_ready(pipes[0]);
  assert_closed(pipes[0]);
  assert_int_equal(tutti_process_wait(process), W_EXITCODE(5, 0));
}

TEST(a_guarded_program_is_ended_with_all_below_it)
{
  int pipes[2];
  pid_t process = start_group(RESISTING "sleep 1000", pipes);
  read_ready(pipes[0]);
  kill(-process, SIGTERM);
  assert_int_equal(waitpid(process, NULL, WNOHANG), 0);
  tutti_process_end(process);
  assert_closed(pipes[0]);
  int status = tutti_process_wait(process);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(nothing_below_a_guard_outlives_its_parent)
{
  int report[2], pipes[2];
  assert_int_equal(pipe2(report, O_CLOEXEC), 0);
  pid_t parent = fork();
  if (parent == 0) {
    start_group(RESISTING "sleep 1000", pipes);
    read_ready(pipes[0]);
    if (write(report[1], "ready\n", 6) == 6)
      pause();
    _exit(0);
  }
  close(report[1]);
  read_ready(report[0]);
  kill(parent, SIGKILL);
  tutti_process_wait(parent);
  assert_closed(report[0]);
}

/* ---- what is captured has limits ---- */

TEST(a_capture_ends_after_its_limit)
{
  char *arguments[4];
  struct tutti_command command = shell(arguments, "echo some; exec >&- 2>&-; " RESISTING "sleep 1000");
  command.seconds = 1;
  assert_says(&command, "some\n", TUTTI_CAPTURE_LATE);
}

TEST(a_capture_ends_with_its_program)
{
  char *arguments[4];
  struct tutti_command command = shell(arguments, "sleep 1000 & echo some; exit 3");
  assert_says(&command, "some\n", 3);
}

TEST(a_blocked_signal_ends_a_capture)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  char *arguments[4];
  sigset_t blocked, before;
  sigemptyset(&blocked);
  for (size_t i = 0; i < 3; i++)
    sigaddset(&blocked, numbers[i]);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  for (size_t i = 0; i < 3; i++) {
    char script[160], text[16];
    int taken;
    snprintf(script, sizeof script, "kill -%d %d; sleep 1000", numbers[i], (int)getpid());
    struct tutti_command command = shell(arguments, script);
    assert_int_equal(tutti_process_capture(&command, text, sizeof text), TUTTI_CAPTURE_INTERRUPTED);
    assert_int_equal(sigwait(&blocked, &taken), 0); /* it is still there to be taken */
    assert_int_equal(taken, numbers[i]);
    snprintf(script, sizeof script, "kill -%d %d; sleep 0.1; echo some", numbers[i], (int)getpid());
    command.finish = true;
    assert_says(&command, "some\n", 0);
    assert_int_equal(sigwait(&blocked, &taken), 0);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
}

TEST(programs_are_found_in_the_path)
{
  char *found = tutti_program_find("sh");
  assert_non_null(found);
  assert_int_equal(found[0], '/');
  assert_int_equal(access(found, X_OK), 0);
  free(found);
  assert_null(tutti_program_find("tutti-no-such-program"));
}
