/* Finding programs, and hearing what they say. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/launcher.h"

static bool is_executable(const char *path)
{
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* The path of @p name in one directory of PATH, absolute, because it is started from the work directory; links are not
 * followed, because programs look at the name they are called by. */
static char *candidate_path(const char *directory, size_t length, const char *name)
{
  char here[4096] = "", *path;
  if ((length == 0 || directory[0] != '/') && !getcwd(here, sizeof here))
    return NULL;
  if (asprintf(&path, "%s%s%.*s/%s", here, *here ? "/" : "", (int)length, directory, name) < 0)
    return NULL;
  return path;
}

char *tutti_launcher_find(const char *name)
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

static void become(char *const *arguments, const char *preload, int output)
{
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int input = open("/dev/null", O_RDONLY);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (preload)
    setenv("LD_PRELOAD", preload, 1);
  execv(arguments[0], arguments);
  _exit(127);
}

/* All that comes is read, lest the writer blocks; what fits is kept. */
static void read_all(int input, char *text, size_t length)
{
  char rest[512];
  size_t used = 0;
  for (;;) {
    bool room = used + 1 < length;
    ssize_t got = room ? read(input, text + used, length - 1 - used) : read(input, rest, sizeof rest);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    used += room ? (size_t)got : 0;
  }
  text[used] = '\0';
}

int tutti_launcher_capture(char *const *arguments, const char *preload, char *text, size_t length)
{
  int pipes[2], status = -1;
  text[0] = '\0';
  if (pipe2(pipes, O_CLOEXEC) != 0)
    return -1;
  pid_t process = fork();
  if (process == 0)
    become(arguments, preload, pipes[1]);
  close(pipes[1]);
  if (process > 0) {
    read_all(pipes[0], text, length);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
      continue;
  }
  close(pipes[0]);
  return process > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
