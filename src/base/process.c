#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the child ---- */

static void set_signals(bool to_default)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD};
  for (size_t i = 0; to_default && i < sizeof numbers / sizeof *numbers; i++)
    signal(numbers[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void set_variables(const struct tutti_variable *variables)
{
  for (; variables && variables->name; variables++)
    if (variables->value)
      setenv(variables->name, variables->value, 1);
    else
      unsetenv(variables->name);
}

/* Only what may be done between fork() and exec() of a process with one thread. The reason of a failure goes into
   `report`, which is closed by exec(). */
static _Noreturn void become(const struct tutti_command *command, pid_t parent, int report)
{
  if (command->group)
    setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  int input = open("/dev/null", O_RDONLY);
  dup2(input, STDIN_FILENO);
  if (command->output >= 0)
    dup2(command->output, STDOUT_FILENO);
  if (command->errors >= 0)
    dup2(command->errors, STDERR_FILENO);
  set_signals(command->group);
  set_variables(command->variables);
  if (command->directory < 0 || fchdir(command->directory) == 0)
    execvp(command->program ? command->program : command->arguments[0], command->arguments);
  int reason = errno;
  if (write(report, &reason, sizeof reason) != sizeof reason)
    _exit(126);
  _exit(127);
}

/* ---- the parent ---- */

static void close_pair(const int pair[2])
{
  close(pair[0]);
  close(pair[1]);
}

static tutti_status fail_start(const struct tutti_command *command, int reason, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "cannot start %s: %s",
                    command->program ? command->program : command->arguments[0], strerror(reason));
}

/* Why the child could not become the program; 0 if it did. */
static int read_report(int report)
{
  int reason = 0;
  ssize_t got;
  do
    got = read(report, &reason, sizeof reason);
  while (got < 0 && errno == EINTR);
  return got == sizeof reason ? reason : 0;
}

tutti_status tutti_process_start(const struct tutti_command *command, pid_t *process, tutti_error *error)
{
  int report[2];
  pid_t parent = getpid();
  if (pipe2(report, O_CLOEXEC) != 0)
    return fail_start(command, errno, error);
  *process = fork();
  if (*process < 0) {
    int reason = errno;
    close_pair(report);
    return fail_start(command, reason, error);
  }
  if (*process == 0)
    become(command, parent, report[1]);
  if (command->group)
    setpgid(*process, *process);
  close(report[1]);
  int reason = read_report(report[0]);
  close(report[0]);
  if (reason == 0)
    return TUTTI_OK;
  tutti_process_wait(*process);
  return fail_start(command, reason, error);
}

int tutti_process_wait(pid_t process)
{
  int status;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return status;
}

/* All that comes is read, so that the writer is never blocked; what fits is kept. */
static void read_all(int input, char *text, size_t length)
{
  char rest[512];
  size_t used = 0;
  for (;;) {
    bool fits = used + 1 < length;
    ssize_t got = fits ? read(input, text + used, length - 1 - used) : read(input, rest, sizeof rest);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    used += fits ? (size_t)got : 0;
  }
  text[used] = '\0';
}

int tutti_process_capture(const struct tutti_command *command, char *text, size_t length)
{
  int pipes[2], status = -1;
  pid_t process;
  text[0] = '\0';
  if (pipe2(pipes, O_CLOEXEC) != 0)
    return -1;
  struct tutti_command piped = *command;
  piped.output = piped.errors = pipes[1];
  bool started = tutti_process_start(&piped, &process, NULL) == TUTTI_OK;
  close(pipes[1]);
  if (started) {
    read_all(pipes[0], text, length);
    status = tutti_process_wait(process);
  }
  close(pipes[0]);
  return started && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- finding programs ---- */

static bool is_executable(const char *path)
{
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* The path of a program in one directory of PATH, absolute, because it may be started elsewhere. */
static char *candidate_path(const char *directory, size_t length, const char *name)
{
  char *here = length > 0 && directory[0] == '/' ? strdup("") : getcwd(NULL, 0), *path;
  int printed = here ? asprintf(&path, "%s%s%.*s/%s", here, *here ? "/" : "", (int)length, directory, name) : -1;
  free(here);
  return printed < 0 ? NULL : path;
}

char *tutti_program_find(const char *name)
{
  const char *path = getenv("PATH");
  for (path = path ? path : "/usr/local/bin:/usr/bin:/bin"; *path;) {
    size_t length = strcspn(path, ":");
    char *candidate = candidate_path(path, length, name);
    if (!candidate || is_executable(candidate))
      return candidate;
    free(candidate);
    path += length + (path[length] == ':');
  }
  return NULL;
}

/* ---- beside the executable ---- */

char *tutti_self_directory(void)
{
  char *executable = realpath("/proc/self/exe", NULL);
  char *slash = executable ? strrchr(executable, '/') : NULL;
  if (slash)
    *slash = '\0';
  return executable;
}

char *tutti_self_path(const char *relative)
{
  char *directory = tutti_self_directory(), *path = NULL;
  if (directory && asprintf(&path, "%s/%s", directory, relative) < 0)
    path = NULL;
  free(directory);
  return path;
}
