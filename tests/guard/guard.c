/*
 * Run a command and end it at its first system call that writes a file or starts a program that was not named.
 *
 * usage: guard [--write PATTERN]... [--run PATTERN]... [--never PATTERN]... COMMAND [ARGUMENT]...
 *
 * PATTERN is a shell pattern (fnmatch(3), in which '*' also stands for '/') of an absolute path without links. --write:
 * files that may be created, written, renamed or removed; /dev/null and
 * /dev/tty always may. --run: programs that may be started,
 * the command itself always may. --never: files that may not be opened at all, not even to read. No connection to
 * another machine is allowed. The exit status is that of the command, 128 + the signal that ended it, or 99 after a
 * line "guard: ..." on standard error that says what was refused.
 *
 * The kernel stops each of these calls before it takes effect (seccomp(2), ptrace(2)), in the command and in all that
 * it starts, whatever libraries they use. A sanitizer's search for leaks needs ptrace(2) itself: switch it off.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REFUSED = 99, MAX_PATTERNS = 64 };

/* ---- what is allowed ---- */

struct patterns {
  const char *items[MAX_PATTERNS];
  int count;
};

static struct patterns writes, runs, nevers;

static bool matches(const struct patterns *patterns, const char *path)
{
  for (int i = 0; i < patterns->count; i++)
    if (fnmatch(patterns->items[i], path, 0) == 0)
      return true;
  return false;
}

/* ---- the calls that are stopped ---- */

enum kind { OPEN, OPEN_HOW, CHANGE, RUN, CONNECT, RING };

/* The arguments that are the descriptor of a folder (-1: none, it is the working directory) and a path. */
struct call {
  int number;
  enum kind kind;
  int folder, path;
};

static const struct call calls[] = {
    {SYS_openat, OPEN, 0, 1},      {SYS_openat2, OPEN_HOW, 0, 1},      {SYS_execve, RUN, -1, 0},
    {SYS_execveat, RUN, 0, 1},     {SYS_renameat2, CHANGE, 0, 1}, /* which takes the file away */
    {SYS_renameat2, CHANGE, 2, 3}, {SYS_unlinkat, CHANGE, 0, 1},       {SYS_mkdirat, CHANGE, 0, 1},
    {SYS_mknodat, CHANGE, 0, 1},   {SYS_linkat, CHANGE, 2, 3},         {SYS_symlinkat, CHANGE, 1, 2},
    {SYS_truncate, CHANGE, -1, 0}, {SYS_fchmodat, CHANGE, 0, 1},       {SYS_fchownat, CHANGE, 0, 1},
    {SYS_connect, CONNECT, -1, 1}, {SYS_io_uring_setup, RING, -1, -1}, /* whose calls nobody sees */
#ifdef SYS_open                                                        /* those that younger machines do not have */
    {SYS_open, OPEN, -1, 0},       {SYS_creat, CHANGE, -1, 0},         {SYS_rename, CHANGE, -1, 0},
    {SYS_rename, CHANGE, -1, 1},   {SYS_unlink, CHANGE, -1, 0},        {SYS_mkdir, CHANGE, -1, 0},
    {SYS_rmdir, CHANGE, -1, 0},    {SYS_mknod, CHANGE, -1, 0},         {SYS_link, CHANGE, -1, 1},
    {SYS_symlink, CHANGE, -1, 1},  {SYS_chmod, CHANGE, -1, 0},         {SYS_chown, CHANGE, -1, 0},
    {SYS_lchown, CHANGE, -1, 0},
#endif
#ifdef SYS_renameat
    {SYS_renameat, CHANGE, 0, 1},  {SYS_renameat, CHANGE, 2, 3},
#endif
};

enum { CALLS = sizeof calls / sizeof *calls };

/* Stop in each of them. */
static void install_filter(void)
{
  struct sock_filter code[2 * CALLS + 2] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
  };
  int length = 1;
  for (int i = 0; i < CALLS; i++) {
    code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number, 0, 1);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  }
  code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog program = {.len = (unsigned short)length, .filter = code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("guard: no filter of system calls");
    _exit(2);
  }
}

/* ---- the process that made the call ---- */

static size_t copy_from(pid_t process, uint64_t address, void *to, size_t length)
{
  const struct iovec local = {to, length}, remote = {(void *)(uintptr_t)address, length};
  const ssize_t got = process_vm_readv(process, &local, 1, &remote, 1, 0);
  return got < 0 ? 0 : (size_t)got;
}

/* Page by page: the next one may not be there. */
static void copy_text(pid_t process, uint64_t address, char text[PATH_MAX])
{
  enum { PAGE = 4096 };
  size_t used = 0;
  while (used + 1 < PATH_MAX && !memchr(text, '\0', used)) {
    size_t part = PAGE - (address + used) % PAGE;
    part = part < PATH_MAX - 1 - used ? part : PATH_MAX - 1 - used;
    const size_t got = copy_from(process, address + used, text + used, part);
    used += got;
    if (got < part)
      break;
  }
  text[used] = '\0';
}

/* The path that the call means: absolute, without links but perhaps for a last part that is not there. Calls that do
   not follow a last link mean the link, others its target: @p follow. */
static void resolve(pid_t process, int folder, const char *given, bool follow, char path[PATH_MAX])
{
  char joined[2 * PATH_MAX], parent[PATH_MAX];
  if (given[0] == '/')
    snprintf(joined, sizeof joined, "%s", strncmp(given, "/proc/self/", 11) == 0 ? "" : given);
  else if (folder == AT_FDCWD)
    snprintf(joined, sizeof joined, "/proc/%d/cwd/%s", process, given);
  else
    snprintf(joined, sizeof joined, "/proc/%d/fd/%d%s%s", process, folder, *given ? "/" : "", given);
  if (!*joined)
    snprintf(joined, sizeof joined, "/proc/%d/%s", process, given + 11);
  if (follow && realpath(joined, path))
    return;
  char *slash = strrchr(joined, '/');
  *slash = '\0';
  if (!realpath(*joined ? joined : "/", parent))
    snprintf(parent, sizeof parent, "%.*s", PATH_MAX - 1, joined);
  snprintf(path, PATH_MAX, "%.2000s/%.2000s", strcmp(parent, "/") == 0 ? "" : parent, slash + 1);
}

/* ---- the verdict ---- */

static bool refuse(pid_t process, const char *what, const char *path)
{
  char name[64] = "";
  char file[32];
  snprintf(file, sizeof file, "/proc/%d/comm", process);
  FILE *stream = fopen(file, "r");
  if (stream) {
    if (!fgets(name, sizeof name, stream))
      name[0] = '\0';
    fclose(stream);
  }
  fprintf(stderr, "guard: %.*s %s %s\n", (int)strcspn(name, "\n"), name, what, path);
  return false;
}

static bool may_open(pid_t process, uint64_t flags, const char *path)
{
  if (matches(&nevers, path))
    return refuse(process, "opens", path);
  const bool to_write = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
  const bool always = strcmp(path, "/dev/null") == 0 || strcmp(path, "/dev/tty") == 0;
  if (to_write && !always && !matches(&writes, path))
    return refuse(process, "writes", path);
  return true;
}

static bool may_connect(pid_t process, const uint64_t *arguments)
{
  sa_family_t family = AF_UNSPEC;
  copy_from(process, arguments[1], &family, sizeof family);
  return family == AF_UNIX || family == AF_UNSPEC || refuse(process, "connects to", "another machine");
}

/* A program that is not there is not started: shells look for one folder after the other. */
static bool may_run(pid_t process, const char *path)
{
  return access(path, F_OK) != 0 || matches(&runs, path) || refuse(process, "starts", path);
}

static bool judge(pid_t process, const struct call *call, const uint64_t *arguments)
{
  char given[PATH_MAX] = "", path[PATH_MAX];
  struct open_how how = {.flags = O_RDWR};
  if (call->kind == CONNECT)
    return may_connect(process, arguments);
  if (call->kind == RING)
    return refuse(process, "uses", "io_uring");
  copy_text(process, arguments[call->path], given);
  const int folder = call->folder < 0 ? AT_FDCWD : (int)arguments[call->folder];
  const bool removes = call->kind == CHANGE && call->number != SYS_truncate;
  resolve(process, folder, given, !removes, path);
  if (call->kind == OPEN_HOW)
    copy_from(process, arguments[2], &how, sizeof how);
  switch (call->kind) {
  case OPEN:
    return may_open(process, arguments[call->path + 1], path);
  case OPEN_HOW:
    return may_open(process, how.flags, path);
  case RUN:
    return may_run(process, path);
  default:
    return matches(&writes, path) || refuse(process, "changes", path);
  }
}

static bool is_allowed(pid_t process)
{
  struct __ptrace_syscall_info info;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof info, &info) <= 0 || info.op != PTRACE_SYSCALL_INFO_SECCOMP)
    return errno == ESRCH || refuse(process, "cannot be looked at:", strerror(errno));
  for (int i = 0; i < CALLS; i++)
    if ((uint64_t)calls[i].number == info.seccomp.nr && !judge(process, &calls[i], (const uint64_t *)info.seccomp.args))
      return false;
  return true;
}

/* ---- following ---- */

/* The signal that a stopped process goes on with; @p allowed becomes false where it may not go on. */
static int signal_of(pid_t process, int status, bool *allowed)
{
  const int event = status >> 16, number = WSTOPSIG(status);
  if (event == PTRACE_EVENT_SECCOMP)
    *allowed = is_allowed(process);
  return event ? 0 : number;
}

/* Until the command has ended: its status. What it leaves behind ends with the guard. */
static int follow(pid_t command)
{
  for (int status;;) {
    const pid_t process = waitpid(-1, &status, __WALL);
    if (process < 0 && errno != EINTR)
      return 2;
    if (process == command && WIFEXITED(status))
      return WEXITSTATUS(status);
    if (process == command && WIFSIGNALED(status))
      return 128 + WTERMSIG(status);
    if (process < 0 || !WIFSTOPPED(status))
      continue;
    bool allowed = true;
    const int number = signal_of(process, status, &allowed);
    if (!allowed)
      return REFUSED;
    const bool halted = status >> 16 == PTRACE_EVENT_STOP && WSTOPSIG(status) != SIGTRAP;
    ptrace(halted ? PTRACE_LISTEN : PTRACE_CONT, process, NULL, halted ? 0L : (long)number);
  }
}

static _Noreturn void become(char **command, int ready)
{
  char byte;
  if (read(ready, &byte, 1) != 1)
    _exit(2);
  close(ready);
  install_filter();
  execvp(command[0], command);
  fprintf(stderr, "guard: %s: %s\n", command[0], strerror(errno));
  _exit(127);
}

static int run(char **command)
{
  int ready[2];
  const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                       PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
  if (pipe2(ready, O_CLOEXEC) != 0)
    return 2;
  const pid_t process = fork();
  if (process == 0) {
    close(ready[1]);
    become(command, ready[0]);
  }
  close(ready[0]);
  if (process < 0 || ptrace(PTRACE_SEIZE, process, NULL, options) != 0 || write(ready[1], "", 1) != 1) {
    perror("guard: cannot follow the command");
    return 2;
  }
  close(ready[1]);
  return follow(process);
}

/* ---- options ---- */

static struct patterns *option_of(const char *word)
{
  return strcmp(word, "--write") == 0   ? &writes
         : strcmp(word, "--run") == 0   ? &runs
         : strcmp(word, "--never") == 0 ? &nevers
                                        : NULL;
}

/* The command itself, found as execvp() does. */
static void allow_command(const char *name)
{
  static char path[PATH_MAX];
  const char *folders = strchr(name, '/') ? "" : getenv("PATH");
  for (size_t length; folders; folders = folders[length] ? folders + length + 1 : NULL) {
    char file[2 * PATH_MAX];
    length = strcspn(folders, ":");
    snprintf(file, sizeof file, "%.*s%s%s", (int)length, folders, length ? "/" : "", name);
    if (access(file, X_OK) == 0 && realpath(file, path))
      break;
  }
  runs.items[runs.count++] = path;
}

int main(int argc, char **argv)
{
  int at = 1;
  for (struct patterns *patterns; at + 1 < argc && (patterns = option_of(argv[at])); at += 2)
    if (patterns->count < MAX_PATTERNS - 1)
      patterns->items[patterns->count++] = argv[at + 1];
  if (at >= argc || argv[at][0] == '-') {
    fprintf(stderr,
            "usage: guard [--write PATTERN]... [--run PATTERN]... [--never PATTERN]... COMMAND [ARGUMENT]...\n");
    return 2;
  }
  allow_command(argv[at]);
  return run(argv + at);
}
