#include "experiments/simulation.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "experiments/launcher.h"

/* A directory with plain names: smpirun splits its arguments at blanks and expands globs in them. */
struct stage {
  char *directory, *platform, *program, *hosts;
};

static void stage_close(struct stage *stage)
{
  char *const paths[] = {stage->platform, stage->program, stage->hosts};
  for (int i = 0; i < 3; i++) {
    if (paths[i])
      unlink(paths[i]);
    free(paths[i]);
  }
  if (stage->directory)
    rmdir(stage->directory);
  free(stage->directory);
}

static tutti_status link_to(const char *target, const char *link, tutti_error *error)
{
  char *absolute = realpath(target, NULL);
  if (!absolute)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", target, strerror(errno));
  int failed = symlink(absolute, link), reason = errno;
  free(absolute);
  return failed ? tutti_fail(error, TUTTI_ERR_IO, "%s: %s", link, strerror(reason)) : TUTTI_OK;
}

static tutti_status write_hosts(const struct simulation *simulation, const char *path, tutti_error *error)
{
  FILE *stream = fopen(path, "w");
  if (!stream)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  tutti_status status = tutti_platform_write_hostfile(simulation->platform, simulation->ranks, stream, error);
  if (fclose(stream) != 0 && status == TUTTI_OK)
    status = tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  return status;
}

static tutti_status stage_open(const struct simulation *simulation, struct stage *stage, tutti_error *error)
{
  const char *temporary = getenv("TMPDIR");
  char *directory = tutti_xprintf(
      "%s/tutti-XXXXXX", temporary && *temporary == '/' && tutti_launcher_is_plain(temporary) ? temporary : "/tmp");
  if (!mkdtemp(directory)) {
    tutti_fail(error, TUTTI_ERR_IO, "%s: %s", directory, strerror(errno));
    free(directory);
    return TUTTI_ERR_IO;
  }
  *stage = (struct stage){directory, tutti_xprintf("%s/platform.xml", directory),
                          tutti_xprintf("%s/program", directory), tutti_xprintf("%s/hosts", directory)};
  tutti_status status = link_to(simulation->platform->path, stage->platform, error);
  if (status == TUTTI_OK)
    status = link_to(simulation->program, stage->program, error);
  return status == TUTTI_OK ? write_hosts(simulation, stage->hosts, error) : status;
}

const char *tutti_simulation_fault(const char *output, int *length)
{
  const char *line = strstr(output, "CRITICAL] ");
  if (!line)
    line = strstr(output, "ERROR] ");
  line = line ? strchr(line, ' ') + 1 : output;
  *length = (int)strcspn(line, "\n");
  return line;
}

const char *tutti_simulation_early_end(const char *output)
{
  /* of SimGrid 3.32 to 4; the first may lead to the second */
  static const char *const sentences[][2] = {
      {"WARNING] MPI_Abort was called", "a rank called MPI_Abort"},
      {"CRITICAL] Oops! Deadlock detected", "deadlock: ranks wait for messages that never come"},
  };
  for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
    if (strstr(output, sentences[i][0]))
      return sentences[i][1];
  return NULL;
}

static int count_words(char *const *words)
{
  int count = 0;
  while (words && words[count])
    count++;
  return count;
}

static tutti_status check_words(const struct simulation *simulation, tutti_error *error)
{
  for (int i = 0; i < count_words(simulation->words); i++)
    if (!tutti_launcher_is_plain(simulation->words[i]))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: smpirun would change the argument '%s'", simulation->name,
                        simulation->words[i]);
  return TUTTI_OK;
}

/* The arguments of smpirun, in one block owned by the caller; @p ranks is its text. A selector, NULL if there is none,
   comes after the options of the platform, which it overrules. */
static char **list_arguments(const struct simulation *simulation, const struct stage *stage, char *command,
                             const tutti_platform_options *options, char *ranks, char *selector)
{
  enum { FIXED = 13 };
  int words = count_words(simulation->words), count = 0;
  char **arguments = tutti_xcalloc((size_t)(FIXED + options->count + words + 1), sizeof *arguments);
  char *const fixed[] = {command,
                         "-np",
                         ranks,
                         "-platform",
                         stage->platform,
                         "-hostfile",
                         stage->hosts,
                         "--log=root.thres:warning",
                         "--cfg=smpi/simulate-computation:no"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    arguments[count++] = fixed[i];
  if (simulation->shares_variables)
    arguments[count++] = "-no-privatize";
  for (int i = 0; i < options->count; i++)
    arguments[count++] = (char *)options->items[i];
  if (selector)
    arguments[count++] = selector;
  arguments[count++] = stage->program;
  for (int i = 0; i < words; i++)
    arguments[count++] = simulation->words[i];
  return arguments;
}

static tutti_status judge(const struct simulation *simulation, int code, const char *output, tutti_error *error)
{
  int length;
  const char *said = tutti_simulation_fault(output, &length);
  if (code == TUTTI_CAPTURE_LATE)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: smpirun did not end within %d s", simulation->name,
                      simulation->seconds);
  if (code == TUTTI_CAPTURE_INTERRUPTED)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: interrupted", simulation->name);
  if (tutti_simulation_early_end(output))
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: did not run to its end: %s", simulation->name,
                      tutti_simulation_early_end(output));
  if (code == 0)
    return TUTTI_OK;
  const char *other = strstr(output, "cannot dynamically load") ? ": is it compiled with smpicc?" : "";
  return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: smpirun ended with status %d: %.*s%s", simulation->name, code, length,
                    said, other);
}

static tutti_status run(const struct simulation *simulation, const struct stage *stage, char *command, char *output,
                        size_t size, tutti_error *error)
{
  tutti_platform_options options;
  char ranks[16];
  tutti_status status = tutti_launcher_platform_options(command, simulation->platform, &options, error);
  if (status != TUTTI_OK)
    return status;
  snprintf(ranks, sizeof ranks, "%d", simulation->ranks);
  char *selector = simulation->selector ? tutti_xprintf(LAUNCHER_SELECTOR "%s", simulation->selector) : NULL;
  char **arguments = list_arguments(simulation, stage, command, &options, ranks, selector);
  const struct tutti_command smpirun = {.arguments = arguments, .directory = -1, .seconds = simulation->seconds};
  int code = tutti_process_capture(&smpirun, output, size);
  free(arguments);
  free(selector);
  return judge(simulation, code, output, error);
}

tutti_status tutti_simulation_run(const struct simulation *simulation, char *output, size_t length, tutti_error *error)
{
  struct stage stage = {0};
  tutti_status status = check_words(simulation, error);
  if (status != TUTTI_OK)
    return status;
  char *command = tutti_launcher_smpirun(error);
  status = command ? stage_open(simulation, &stage, error) : TUTTI_ERR_LAUNCH;
  if (status == TUTTI_OK)
    status = run(simulation, &stage, command, output, length, error);
  stage_close(&stage);
  free(command);
  return status;
}
