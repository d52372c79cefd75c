/* Child processes: what they are started with, what is heard of them, and how they end. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"

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

static void output_and_errors_are_heard(void **state)
{
  (void)state;
  char *arguments[4];
  struct tutti_command command = shell(arguments, "echo out; echo err >&2; exit 3");
  assert_says(&command, "out\nerr\n", 3);
  command = shell(arguments, "cat"); /* the input is empty */
  assert_says(&command, "", 0);
}

static void what_does_not_fit_is_read_all_the_same(void **state)
{
  (void)state;
  char *arguments[4], text[8];
  struct tutti_command command =
      shell(arguments, "i=0; while [ $i -lt 20000 ]; do echo 12345678; i=$((i+1)); done; exit 4");
  assert_int_equal(tutti_process_capture(&command, text, sizeof text), 4);
  assert_string_equal(text, "1234567");
}

static void variables_are_set_and_unset(void **state)
{
  (void)state;
  char *arguments[4];
  setenv("TUTTI_TEST_GONE", "here", 1);
  const struct tutti_variable variables[] = {{"TUTTI_TEST_SET", "a b"}, {"TUTTI_TEST_GONE", NULL}, {NULL, NULL}};
  struct tutti_command command = shell(arguments, "echo $TUTTI_TEST_SET,${TUTTI_TEST_GONE-gone}");
  command.variables = variables;
  assert_says(&command, "a b,gone\n", 0);
  assert_string_equal(getenv("TUTTI_TEST_GONE"), "here");
  assert_null(getenv("TUTTI_TEST_SET"));
}

static void it_runs_in_a_directory(void **state)
{
  (void)state;
  char *arguments[4];
  struct tutti_command command = shell(arguments, "pwd");
  command.directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  assert_says(&command, "/\n", 0);
  close(command.directory);
}

static void it_leads_a_group_with_default_signals(void **state)
{
  (void)state;
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

static void another_program_takes_the_name(void **state)
{
  (void)state;
  char *arguments[] = {"tutti-name", "-c", "echo $0", NULL};
  struct tutti_command command = {
      .arguments = arguments, .program = "/bin/sh", .directory = -1, .output = -1, .errors = -1};
  assert_says(&command, "tutti-name\n", 0);
}

static void a_failure_to_start_is_told(void **state)
{
  (void)state;
  char *arguments[] = {"/nowhere/program", NULL}, text[64];
  struct tutti_command command = {.arguments = arguments, .directory = -1, .output = -1, .errors = -1};
  pid_t process;
  tutti_error error = {.status = TUTTI_OK};
  assert_int_equal(tutti_process_start(&command, &process, &error), TUTTI_ERR_LAUNCH);
  assert_string_equal(error.message, "cannot start /nowhere/program: No such file or directory");
  assert_int_equal(tutti_process_capture(&command, text, sizeof text), -1);
  assert_string_equal(text, "");
}

/* The parent is killed, and its child with it: its end of the pipe is closed. */
static void no_child_outlives_its_parent(void **state)
{
  (void)state;
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

static void programs_are_found_in_the_path(void **state)
{
  (void)state;
  char *found = tutti_program_find("sh");
  assert_non_null(found);
  assert_int_equal(found[0], '/');
  assert_int_equal(access(found, X_OK), 0);
  free(found);
  assert_null(tutti_program_find("tutti-no-such-program"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(output_and_errors_are_heard),
      cmocka_unit_test(what_does_not_fit_is_read_all_the_same),
      cmocka_unit_test(variables_are_set_and_unset),
      cmocka_unit_test(it_runs_in_a_directory),
      cmocka_unit_test(it_leads_a_group_with_default_signals),
      cmocka_unit_test(another_program_takes_the_name),
      cmocka_unit_test(a_failure_to_start_is_told),
      cmocka_unit_test(no_child_outlives_its_parent),
      cmocka_unit_test(programs_are_found_in_the_path),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
