/* Starting a job: arguments, links for awkward names, the new process. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "experiments/launcher.h"

#define PROGRAM_LINK  "tutti-program"
#define PLATFORM_LINK "platform.xml"

enum { MAX_ARGUMENTS = 24 };

bool tutti_launcher_is_plain(const char *path)
{
  for (; *path; path++)
    if (!isalnum((unsigned char)*path) && !strchr("/._-+,=@%", *path))
      return false;
  return true;
}

static tutti_status link_path(char **path, const char *name, const struct work *work, tutti_error *error)
{
  if (!*path || tutti_launcher_is_plain(*path))
    return TUTTI_OK;
  unlinkat(work->directory, name, 0);
  if (symlinkat(*path, work->directory, name) != 0)
    return tutti_fail(error, TUTTI_ERR_IO, "%s/%s: cannot make a link to %s: %s", work->path, name, *path,
                      strerror(errno));
  free(*path);
  *path = tutti_xprintf("./%s", name);
  return TUTTI_OK;
}

tutti_status tutti_launcher_link(struct launcher *launcher, const struct work *work, tutti_error *error)
{
  if (!launcher->simulated)
    return TUTTI_OK;
  tutti_status status = link_path(&launcher->program, PROGRAM_LINK, work, error);
  return status == TUTTI_OK ? link_path(&launcher->platform, PLATFORM_LINK, work, error) : status;
}

void tutti_launcher_unlink(const struct work *work)
{
  unlinkat(work->directory, PROGRAM_LINK, 0);
  unlinkat(work->directory, PLATFORM_LINK, 0);
}

/* Arguments being put together. */
struct arguments {
  char **values; /* before it in the same block */
  int count;
  char ranks[16], selector[40], points[WORK_NAME_LENGTH], hosts[WORK_NAME_LENGTH];
};

static void append(struct arguments *arguments, const char *const *words)
{
  for (; *words; words++)
    arguments->values[arguments->count++] = (char *)*words;
  arguments->values[arguments->count] = NULL;
}

/* Libraries buffer small messages, and some of SMPI's copies of their algorithms rely on it (impi's broadcast of 1 B,
   with synchronous sends a deadlock): the simulator's own default. */
static void append_native(struct arguments *arguments, const struct launch *launch)
{
  append(arguments, (const char *[]){"--cfg=smpi/send-is-detached-thresh:65536", NULL});
  if (!launch->selector)
    return;
  snprintf(arguments->selector, sizeof arguments->selector, "--cfg=smpi/coll-selector:%s", launch->selector);
  append(arguments, (const char *[]){arguments->selector, NULL});
}

static void append_simulation(struct arguments *arguments, const struct launcher *launcher, const struct launch *launch)
{
  /* smpirun runs the simulator in the background of a shell, which would leave it behind when killed. */
  if (launcher->guarded)
    append(arguments, (const char *[]){"-wrapper", "setpriv --pdeathsig KILL", NULL});
  append(arguments, (const char *[]){"-np", arguments->ranks, "-platform", launcher->platform, "-hostfile",
                                     arguments->hosts, "-no-privatize", "--log=root.thres:warning", NULL});
  /* Where links are shared, most of the time goes into computing the shares of messages that last 0.2 us; times of
     builds differ by 0.1 %. Not for other programs: it would also queue the computation of ranks on one node. */
  if (launcher->queued)
    append(arguments, (const char *[]){"--cfg=maxmin/concurrency-limit:1", NULL});
  if (launch->native)
    append_native(arguments, launch);
  if (launch->ranks >= LAUNCHER_MANY_RANKS)
    append(arguments, (const char *[]){"--cfg=contexts/stack-size:64", "--cfg=contexts/guard-size:0", NULL});
}

static void append_real(struct arguments *arguments, const struct launcher *launcher)
{
  bool openmpi = launcher->kind == LAUNCHER_OPENMPI;
  if (openmpi && !launcher->placed)
    append(arguments, (const char *[]){"--oversubscribe", NULL});
  append(arguments, (const char *[]){openmpi ? "-np" : "-n", arguments->ranks, NULL});
  if (launcher->hosts)
    append(arguments, (const char *[]){openmpi ? "--hostfile" : "-f", arguments->hosts, NULL});
  if (launcher->extra)
    append(arguments, (const char *const *)launcher->extra);
}

static int count_extra(const struct launcher *launcher)
{
  int count = 0;
  while (launcher->extra && launcher->extra[count])
    count++;
  return count;
}

char **tutti_launcher_arguments(const struct launcher *launcher, const struct launch *launch)
{
  size_t most = MAX_ARGUMENTS + 1 + (size_t)count_extra(launcher);
  char **values = tutti_xcalloc(1, most * sizeof *values + sizeof(struct arguments));
  struct arguments *arguments = (struct arguments *)(values + most);
  arguments->values = values;
  snprintf(arguments->ranks, sizeof arguments->ranks, "%d", launch->ranks);
  tutti_work_name(launch->chunk, "points", arguments->points);
  tutti_work_name(launch->chunk, "hosts", arguments->hosts);
  append(arguments, (const char *[]){launcher->command, NULL});
  if (launcher->simulated)
    append_simulation(arguments, launcher, launch);
  else
    append_real(arguments, launcher);
  append(arguments, (const char *[]){launcher->program, "--points", arguments->points, NULL});
  return arguments->values;
}

void tutti_launcher_environment(const struct launcher *launcher, int ranks, char *preload,
                                struct tutti_variable variables[LAUNCH_VARIABLES + 1])
{
  int count = 0;
  if (!launcher->simulated && strcmp(launcher->flavor, "openmpi") == 0 && geteuid() == 0) {
    variables[count++] = (struct tutti_variable){"OMPI_ALLOW_RUN_AS_ROOT", "1"};
    variables[count++] = (struct tutti_variable){"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"};
  }
  /* smpirun puts it into an argument that it splits at blanks. */
  const char *temporary = getenv("TMPDIR");
  if (launcher->simulated && temporary && !tutti_launcher_is_plain(temporary))
    variables[count++] = (struct tutti_variable){"TMPDIR", NULL};
  if (launcher->simulated && launcher->preload && ranks >= LAUNCHER_MANY_RANKS) {
    const char *others = getenv("LD_PRELOAD");
    snprintf(preload, LAUNCH_PRELOAD_LENGTH, "%s%s%s", LAUNCHER_PRELOAD, others && *others ? ":" : "",
             others ? others : "");
    variables[count++] = (struct tutti_variable){"LD_PRELOAD", preload};
  }
  variables[count] = (struct tutti_variable){NULL, NULL};
}

static tutti_status start(const struct launcher *launcher, const struct work *work, const struct launch *launch,
                          int output, int errors, pid_t *process, tutti_error *error)
{
  char preload[LAUNCH_PRELOAD_LENGTH];
  struct tutti_variable variables[LAUNCH_VARIABLES + 1];
  tutti_launcher_environment(launcher, launch->ranks, preload, variables);
  char **arguments = tutti_launcher_arguments(launcher, launch);
  const struct tutti_command command = {.arguments = arguments,
                                        .variables = variables,
                                        .directory = work->directory,
                                        .output = output,
                                        .errors = errors,
                                        .group = true};
  tutti_status status = tutti_process_start(&command, process, error);
  free(arguments);
  return status;
}

tutti_status tutti_launcher_start(const struct launcher *launcher, const struct work *work, const struct launch *launch,
                                  pid_t *process, int *records, tutti_error *error)
{
  const int flags = O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  *records = tutti_work_file(work, launch->chunk, "records", flags, error);
  int errors = *records < 0 ? -1 : tutti_work_file(work, launch->chunk, "err", flags, error);
  if (errors < 0)
    return TUTTI_ERR_IO;
  tutti_status status = start(launcher, work, launch, *records, errors, process, error);
  close(errors);
  return status;
}

tutti_status tutti_launcher_write_hosts(const struct launcher *launcher, const struct work *work,
                                        const struct launch *launch, const tutti_platform *platform,
                                        const struct hosts *hosts, tutti_error *error)
{
  if (!platform && !hosts)
    return TUTTI_OK;
  FILE *stream = tutti_work_create(work, launch->chunk, "hosts", error);
  if (!stream)
    return TUTTI_ERR_IO;
  tutti_status status = platform ? tutti_platform_write_hostfile(platform, launch->ranks, stream, error)
                                 : tutti_hosts_write(hosts, launcher->kind, stream, error);
  bool written = status == TUTTI_OK || status == TUTTI_ERR_IO; /* as far as there was room: finishing names the place */
  tutti_status finished = tutti_work_finish(work, stream, written ? error : NULL);
  return written ? finished : status;
}
