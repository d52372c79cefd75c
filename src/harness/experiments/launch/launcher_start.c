/* Starting a job: arguments, links for awkward names, the new process. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/index.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/text.h"
#include "harness/experiments/launch/launcher.h"
#include "tutti/plugin.h"

#define PROGRAM_LINK  "tutti-program"
#define PLATFORM_LINK "platform.xml"

enum { MAX_ARGUMENTS = 24 + TUTTI_OVERHEADS + TUTTI_MAX_DIRECTIVES };

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
  if (!launcher->simulated || launcher->fast)
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
  char directives[TUTTI_MAX_DIRECTIVES][sizeof(tutti_directive) + sizeof "--cfg=:"];
};

static void append(struct arguments *arguments, const char *const *words)
{
  for (; *words; words++)
    arguments->values[arguments->count++] = (char *)*words;
  arguments->values[arguments->count] = NULL;
}

static void append_native(struct arguments *arguments, const struct launcher *launcher, const struct launch *launch)
{
  if (!launcher->eager)
    append(arguments, (const char *[]){LAUNCHER_BUFFERED, NULL});
  if (launch->selector) {
    snprintf(arguments->selector, sizeof arguments->selector, LAUNCHER_SELECTOR "%s", launch->selector);
    append(arguments, (const char *[]){arguments->selector, NULL});
  }
  for (int i = 0; launch->directives && i < launch->directives->count; i++) {
    const tutti_directive *directive = &launch->directives->items[i];
    char *option = arguments->directives[i];
    snprintf(option, sizeof arguments->directives[i], "--cfg=%s:%s", directive->name, directive->value);
    append(arguments, (const char *[]){option, NULL});
  }
}

static void append_simulation(struct arguments *arguments, const struct launcher *launcher, const struct launch *launch)
{
  append(arguments,
         (const char *[]){"-np", arguments->ranks, "-platform", launcher->platform, "-hostfile", arguments->hosts,
                          "-no-privatize", "--log=root.thres:warning", "--cfg=smpi/simulate-computation:no", NULL});
  for (int i = 0; i < launcher->options.count; i++)
    append(arguments, (const char *[]){launcher->options.items[i], NULL});
  /* Where links are shared, most of the time is spent on computing the shares of messages that last 0.2 us; times of
     builds differ by 0.1 %. Only for groups: in other programs it would also queue the computation of ranks on one
     node. */
  if (launcher->queued)
    append(arguments, (const char *[]){"--cfg=maxmin/concurrency-limit:1", NULL});
  if (launch->native)
    append_native(arguments, launcher, launch);
  if (launch->ranks >= LAUNCHER_MANY_RANKS)
    append(arguments, (const char *[]){"--cfg=contexts/stack-size:64", "--cfg=contexts/guard-size:0", NULL});
}

/* The engine is its own launcher. */
static void append_fast(struct arguments *arguments, const struct launcher *launcher)
{
  append(arguments, (const char *[]){launcher->program, "--ranks", arguments->ranks, "--platform", launcher->platform,
                                     "--points", arguments->points, NULL});
  if (launcher->queued)
    append(arguments, (const char *[]){"--queued", NULL});
  if (strcmp(launcher->flavor, TUTTI_FLAVOR_FLOW) == 0)
    append(arguments, (const char *[]){"--flow", NULL});
}

static void append_real(struct arguments *arguments, const struct launcher *launcher)
{
  static const char *const handed_on[] = {TUTTI_PLUGINS_VARIABLE, TUTTI_INPUT_VARIABLE};
  bool openmpi = launcher->kind == LAUNCHER_OPENMPI, srun = launcher->kind == LAUNCHER_SRUN;
  if ((openmpi || srun) && launcher->oversubscribe)
    append(arguments, (const char *[]){srun ? "--overcommit" : "--oversubscribe", NULL});
  /* In jobs that were submitted with --export=NONE srun exports nothing, and the library would have other settings. */
  if (srun)
    append(arguments, (const char *[]){"--export=ALL", NULL});
  append(arguments, (const char *[]){openmpi ? "-np" : "-n", arguments->ranks, NULL});
  for (int i = 0; openmpi && i < (int)(sizeof handed_on / sizeof *handed_on); i++) /* the others hand all on */
    if (getenv(handed_on[i]))
      append(arguments, (const char *[]){"-x", handed_on[i], NULL});
  if (launcher->hosts)
    append(arguments, (const char *[]){openmpi ? "--hostfile" : "-f", arguments->hosts, NULL});
  if (launcher->extra)
    append(arguments, (const char *const *)launcher->extra);
}

/* What an installation sets: mpirun of Open MPI exports only its own variables to other nodes. */
static void append_settings(struct arguments *arguments, const struct launcher *launcher)
{
  const struct tutti_variable *variables = launcher->installation->variables;
  for (; launcher->kind == LAUNCHER_OPENMPI && variables->name; variables++)
    if (strncmp(variables->name, "OMPI_", 5) != 0)
      append(arguments, (const char *[]){"-x", variables->name, NULL});
}

static void append_launched(struct arguments *arguments, const struct launcher *launcher, const struct launch *launch)
{
  const char *points = launcher->installation ? "/dev/stdin" : arguments->points;
  if (launcher->installation)
    append(arguments, (const char *const *)launcher->installation->words);
  else
    append(arguments, (const char *[]){launcher->command, NULL});
  if (launcher->simulated)
    append_simulation(arguments, launcher, launch);
  else
    append_real(arguments, launcher);
  if (launcher->installation)
    append_settings(arguments, launcher);
  append(arguments, (const char *[]){launcher->program, "--points", points, NULL});
}

static int count_words(char *const *words)
{
  int count = 0;
  while (words && words[count])
    count++;
  return count;
}

char **tutti_launcher_arguments(const struct launcher *launcher, const struct launch *launch)
{
  const struct tutti_installation *installation = launcher->installation;
  size_t max = MAX_ARGUMENTS + 1 + (size_t)count_words(launcher->extra) +
               (installation ? (size_t)count_words(installation->words) + 2 * INSTALLATION_VARIABLES : 0);
  char **values = tutti_xcalloc(1, max * sizeof *values + sizeof(struct arguments));
  struct arguments *arguments = (struct arguments *)(values + max);
  arguments->values = values;
  snprintf(arguments->ranks, sizeof arguments->ranks, "%d", launch->ranks);
  tutti_work_name(launch->chunk, "points", arguments->points);
  tutti_work_name(launch->chunk, "hosts", arguments->hosts);
  if (launcher->fast)
    append_fast(arguments, launcher);
  else
    append_launched(arguments, launcher, launch);
  return arguments->values;
}

static const char tunables[] = "GLIBC_TUNABLES";

/* Launchers export variables of libraries to other hosts: mpirun those that begin with OMPI_, Hydra and srun all. */
void tutti_launcher_environment(const struct launcher *launcher, const struct launch *launch, char *preload,
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
  if (launcher->simulated && launcher->preload && launch->ranks >= LAUNCHER_MANY_RANKS) {
    const char *others = getenv("LD_PRELOAD");
    snprintf(preload, LAUNCH_PRELOAD_LENGTH, "%s%s%s", LAUNCHER_PRELOAD, others && *others ? ":" : "",
             others ? others : "");
    variables[count++] = (struct tutti_variable){"LD_PRELOAD", preload};
  }
  if (launcher->fast && !getenv(tunables)) /* its tables are large, and accesses are spread all over them */
    variables[count++] = (struct tutti_variable){tunables, "glibc.malloc.hugetlb=1"};
  for (int i = 0; !launcher->simulated && launch->directives && i < launch->directives->count; i++)
    variables[count++] = (struct tutti_variable){launch->directives->items[i].name, launch->directives->items[i].value};
  const struct tutti_variable *own = launcher->installation ? launcher->installation->variables : NULL;
  for (; own && own->name; own++)
    variables[count++] = *own;
  for (const struct tutti_variable *more = launch->variables; more && more->name && count < LAUNCH_VARIABLES; more++)
    variables[count++] = *more;
  variables[count] = (struct tutti_variable){NULL, NULL};
}

static tutti_status start(const struct launcher *launcher, const struct work *work, const struct launch *launch,
                          int output, int errors, pid_t *process, tutti_error *error)
{
  int points = 0;
  if (launcher->installation && (points = tutti_work_file(work, launch->chunk, "points", O_RDONLY, error)) < 0)
    return TUTTI_ERR_IO;
  char preload[LAUNCH_PRELOAD_LENGTH];
  struct tutti_variable variables[LAUNCH_VARIABLES + 1];
  tutti_launcher_environment(launcher, launch, preload, variables);
  char **arguments = tutti_launcher_arguments(launcher, launch);
  const struct tutti_command command = {.arguments = arguments,
                                        .variables = variables,
                                        .directory = work->directory,
                                        .input = points,
                                        .output = output,
                                        .errors = errors,
                                        .group = true};
  tutti_status status = tutti_process_start(&command, process, error);
  if (points > 0)
    close(points);
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

/* ---- hosts of a real machine: read from either way of writing them, written as a launcher wants them ---- */

enum { MAX_SLOTS = 1 << 20 };

/* A number of slots, or 0. */
static int parse_slots(const char *text)
{
  uint64_t slots;
  return tutti_parse_integer(text, 1, MAX_SLOTS, &slots) ? (int)slots : 0;
}

/* "slots = 2" is "slots=2". */
static void join_equals(char *line)
{
  char *to = line;
  for (const char *from = line; *from; from++) {
    while (*from == '=' && to > line && strchr(" \t", to[-1]))
      to--;
    *to++ = *from;
    if (*from == '=')
      from += strspn(from + 1, " \t");
  }
  *to = '\0';
}

/* Whether it is a host name for any launcher. A leading '-' would be an option of the ssh that it starts, and a shell
   may read other signs. */
static bool is_host_name(const char *text)
{
  for (const char *c = text; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("._-@[]", *c))
      return false;
  return *text && *text != '-';
}

/* Parse one line without its comment; *name is within it, NULL for a blank line. False for an invalid name or number.
 */
static bool parse_line(char *line, char **name, int *slots)
{
  char *rest = NULL;
  *slots = 1;
  join_equals(line);
  *name = strtok_r(line, " \t\r\n", &rest);
  char *colon = *name ? strchr(*name, ':') : NULL;
  if (colon) {
    *colon = '\0';
    *slots = parse_slots(colon + 1);
  }
  for (char *word = *name ? strtok_r(NULL, " \t\r\n", &rest) : NULL; word; word = strtok_r(NULL, " \t\r\n", &rest))
    if (strncmp(word, "slots=", 6) == 0)
      *slots = parse_slots(word + 6);
  return *slots > 0 && (!*name || is_host_name(*name));
}

static bool was_named(void **names, const char *name)
{
  size_t *number = tutti_index_number(names, name);
  return (*number)++ > 0;
}

static void add_line(struct tutti_lines *lines, struct hosts *hosts, void **names)
{
  char *name;
  int slots;
  lines->text[strcspn(lines->text, "#")] = '\0';
  if (!parse_line(lines->text, &name, &slots))
    tutti_lines_fault(lines, "expected NAME, NAME:SLOTS or NAME slots=SLOTS");
  else if (name && was_named(names, name))
    tutti_lines_fault(lines, "host %s is named twice", name);
  else if (name && hosts->count > 0 && slots != hosts->slots)
    tutti_lines_fault(lines, "host %s has %d slots, those before it %d: a measurement has one number of ranks per node",
                      name, slots, hosts->slots);
  else if (name) {
    hosts->slots = slots;
    tutti_xpush(hosts, tutti_xstrdup(name));
  }
}

tutti_status tutti_hosts_read(const char *path, struct hosts *hosts, tutti_error *error)
{
  void *names = NULL;
  struct tutti_lines lines;
  *hosts = (struct hosts){.count = 0};
  tutti_lines_open(&lines, path, TUTTI_INPUT_TEXT, error);
  while (tutti_lines_next(&lines))
    add_line(&lines, hosts, &names);
  tutti_status status = tutti_lines_close(&lines);
  tutti_index_free(&names);
  if (status == TUTTI_OK && hosts->count == 0)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: names no host", path);
  if (status != TUTTI_OK)
    tutti_hosts_free(hosts);
  return status;
}

/* Write hosts in the format of that kind of launcher. TUTTI_ERR_IO if the stream fails. */
static tutti_status write_hosts(const struct hosts *hosts, enum launcher_kind kind, FILE *stream, tutti_error *error)
{
  for (size_t i = 0; i < hosts->count; i++)
    fprintf(stream, kind == LAUNCHER_OPENMPI ? "%s slots=%d\n" : "%s:%d\n", hosts->items[i], hosts->slots);
  return ferror(stream) ? tutti_fail(error, TUTTI_ERR_IO, "cannot write the hostfile of a job") : TUTTI_OK;
}

void tutti_hosts_free(struct hosts *hosts)
{
  for (size_t i = 0; i < hosts->count; i++)
    free(hosts->items[i]);
  tutti_vector_free(hosts);
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
                                 : write_hosts(hosts, launcher->kind, stream, error);
  bool written =
      status == TUTTI_OK || status == TUTTI_ERR_IO; /* as far as space allows: finishing the file names the place */
  tutti_status finished = tutti_work_finish(work, stream, written ? error : NULL);
  return written ? finished : status;
}
