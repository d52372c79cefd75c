#include "base/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

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

/* Report the reason in errno. */
static _Noreturn void report_reason(int report)
{
  int reason = errno;
  if (write(report, &reason, sizeof reason) != sizeof reason)
    _exit(126);
  _exit(127);
}

/* Only what may be done between fork() and exec() of a process with one thread. The reason of a failure goes into
   `report`, which is closed by exec(). */
static _Noreturn void become(const struct tutti_command *command, pid_t parent, int report)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  int input = command->input ? command->input : open("/dev/null", O_RDONLY);
  dup2(input, STDIN_FILENO);
  if (command->output >= 0)
    dup2(command->output, STDOUT_FILENO);
  if (command->errors >= 0)
    dup2(command->errors, STDERR_FILENO);
  set_signals(command->group);
  set_variables(command->variables);
  if (command->directory < 0 || fchdir(command->directory) == 0)
    execvp(command->program ? command->program : command->arguments[0], command->arguments);
  report_reason(report);
}

/* ---- the guard: between the caller and a program that leads a group ---- */

/* Asks a guard to kill all; it also gets it when its parent dies. Programs do not send this one to their group, and
   valgrind keeps the last one for itself. */
static int end_signal(void)
{
  return SIGRTMAX - 3;
}

/* The parent of a process, by "17 (name) S 3 ..."; the name may contain anything. 0: unknown. */
static pid_t parent_of(const char *process)
{
  char path[280], text[512];
  int parent = 0;
  snprintf(path, sizeof path, "/proc/%s/stat", process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0)
    close(file);
  text[length > 0 ? length : 0] = '\0';
  const char *end = strrchr(text, ')');
  return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

static void kill_children(void)
{
  DIR *processes = opendir("/proc");
  pid_t own = getpid();
  if (!processes)
    kill(0, SIGKILL); /* at least the group, with this process */
  for (struct dirent *entry; processes && (entry = readdir(processes));)
    if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name) == own)
      kill(atoi(entry->d_name), SIGKILL);
  if (processes)
    closedir(processes);
}

/* Wait for the program and then kill what it leaves: when a process dies, its children come here and die next. Returns
   the status of the program. */
static int watch(pid_t program)
{
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, end_signal());
  bool ending = false;
  int got, status = W_EXITCODE(127, 0);
  for (;;) {
    pid_t ended = waitpid(-1, &got, WNOHANG);
    if (ended < 0)
      return status;
    if (ended == program) {
      status = got;
      ending = true;
    }
    if (ended > 0)
      continue;
    if (ending)
      kill_children();
    ending = sigwaitinfo(&awaited, NULL) == end_signal() || ending;
  }
}

/* The guard closes the caller's files, because locks and pipes must not last longer, except the output of the program:
   its reader sees the end when all of the program has ended. */
static void close_files(int output)
{
  DIR *files = opendir("/proc/self/fd");
  for (struct dirent *entry; files && (entry = readdir(files));)
    if (atoi(entry->d_name) > STDERR_FILENO && atoi(entry->d_name) != dirfd(files) && atoi(entry->d_name) != output)
      close(atoi(entry->d_name));
  if (files)
    closedir(files);
}

/* End as the program did. Other signals that came since stay blocked. */
static _Noreturn void end_as(int status)
{
  if (WIFSIGNALED(status)) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, WTERMSIG(status));
    prctl(PR_SET_DUMPABLE, 0); /* no second core */
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    sigprocmask(SIG_UNBLOCK, &one, NULL);
  }
  _exit(WEXITSTATUS(status));
}

static _Noreturn void guard(const struct tutti_command *command, pid_t parent, int report)
{
  sigset_t all;
  pid_t own = getpid();
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  signal(SIGCHLD, SIG_DFL);
  setpgid(0, 0);
  prctl(PR_SET_NAME, "guard"); /* so that killing the caller by name does not kill it */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, end_signal());
  if (getppid() != parent)
    _exit(127);
  pid_t program = fork();
  if (program == 0)
    become(command, own, report);
  if (program < 0)
    report_reason(report);
  close_files(command->output);
  end_as(watch(program));
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
  if (*process == 0 && command->group)
    guard(command, parent, report[1]);
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

void tutti_process_end(pid_t process)
{
  kill(process, end_signal());
}

/* ---- capturing ---- */

/* Something to poll for the signals that would end the caller but are blocked; they stay pending. */
static int open_signals(void)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  sigset_t blocked, ends;
  sigemptyset(&ends);
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigismember(&blocked, numbers[i]))
      sigaddset(&ends, numbers[i]);
  return signalfd(-1, &ends, SFD_CLOEXEC);
}

/* Wait until there is something to read, for 0; else the reason to end it. */
static int await_output(int input, int signals, double deadline)
{
  struct pollfd waited[] = {{.fd = input, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
  double left = deadline - tutti_clock(CLOCK_MONOTONIC);
  int ready = poll(waited, 2, left > 0 ? 1 + (int)(1e3 * left) : 0);
  if (ready > 0)
    return waited[1].revents ? TUTTI_CAPTURE_INTERRUPTED : 0;
  return ready < 0 || left > 0 ? 0 : TUTTI_CAPTURE_LATE;
}

/* All that comes is read, so that the writer is never blocked; what fits is kept. 0 at its end, or the reason to end it
   before. */
static int read_all(int input, int signals, double deadline, char *text, size_t length)
{
  char rest[512];
  size_t used = 0;
  int reason;
  while ((reason = await_output(input, signals, deadline)) == 0) {
    bool fits = used + 1 < length;
    ssize_t got = fits ? read(input, text + used, length - 1 - used) : read(input, rest, sizeof rest);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (got <= 0)
      break;
    used += fits ? (size_t)got : 0;
  }
  text[used] = '\0';
  return reason;
}

static int capture_output(const struct tutti_command *command, pid_t process, int input, char *text, size_t length)
{
  int seconds = command->seconds > 0 ? command->seconds : TUTTI_CAPTURE_SECONDS;
  int signals = command->finish ? -1 : open_signals();
  int reason = read_all(input, signals, tutti_clock(CLOCK_MONOTONIC) + seconds, text, length);
  if (reason)
    tutti_process_end(process);
  int status = tutti_process_wait(process);
  if (signals >= 0)
    close(signals);
  return reason ? reason : WIFEXITED(status) ? WEXITSTATUS(status) : TUTTI_CAPTURE_FAILED;
}

int tutti_process_capture(const struct tutti_command *command, char *text, size_t length)
{
  int pipes[2], status = TUTTI_CAPTURE_FAILED;
  pid_t process;
  text[0] = '\0';
  if (pipe2(pipes, O_CLOEXEC) != 0)
    return TUTTI_CAPTURE_FAILED;
  fcntl(pipes[0], F_SETFL, O_NONBLOCK);
  struct tutti_command piped = *command;
  piped.output = piped.errors = pipes[1];
  piped.group = true;
  bool started = tutti_process_start(&piped, &process, NULL) == TUTTI_OK;
  close(pipes[1]);
  if (started)
    status = capture_output(command, process, pipes[0], text, length);
  close(pipes[0]);
  return status;
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
  char *directory = tutti_self_directory(), *path = NULL, *slash;
  while (strncmp(relative, "../", 3) == 0 && directory && (slash = strrchr(directory, '/'))) {
    *slash = '\0'; /* it has no links */
    relative += 3;
  }
  if (directory && asprintf(&path, "%s/%s", directory, relative) < 0)
    path = NULL;
  free(directory);
  return path;
}
