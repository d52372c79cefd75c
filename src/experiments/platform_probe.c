#include "experiments/launcher.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process.h"
#include "tutti/record.h"

enum { OUTPUT_LENGTH = 1 << 16, PROBE_SECONDS = 600 };

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

static tutti_status write_hosts(const tutti_platform *platform, const char *path, tutti_error *error)
{
  FILE *stream = fopen(path, "w");
  int written = stream ? fprintf(stream, "%s\n%s\n", platform->hosts[0], platform->hosts[1]) : -1;
  if (stream && fclose(stream) == 0 && written > 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
}

static tutti_status stage_open(const tutti_platform *platform, const char *program, struct stage *stage,
                               tutti_error *error)
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
                          tutti_xprintf("%s/tutti-pingpong", directory), tutti_xprintf("%s/hosts", directory)};
  tutti_status status = link_to(platform->path, stage->platform, error);
  if (status == TUTTI_OK)
    status = link_to(program, stage->program, error);
  return status == TUTTI_OK ? write_hosts(platform, stage->hosts, error) : status;
}

static tutti_status parse_line(const char *line, platform_probe *probe, bool *ended, tutti_error *error)
{
  tutti_record record;
  tutti_error reason;
  double time;
  if (sscanf(line, "tutti-pingpong v=1 bytes=%*u time_s=%lf", &time) == 1)
    probe->sizes++;
  if (sscanf(line, "tutti-pingpong-fit v=1 alpha_s=%lf beta_s_per_B=%lf", &probe->alpha, &probe->beta) == 2)
    return TUTTI_OK;
  if (strncmp(line, "tutti-end ", strlen("tutti-end ")) != 0)
    return TUTTI_OK;
  if (tutti_record_parse(line, &record, &reason) != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s", reason.message);
  *ended = record.kind == TUTTI_RECORD_END && record.measurements == (uint64_t)probe->sizes;
  return TUTTI_OK;
}

tutti_status tutti_platform_probe_parse(char *output, platform_probe *probe, tutti_error *error)
{
  bool ended = false;
  tutti_status status = TUTTI_OK;
  *probe = (platform_probe){NAN, NAN, 0};
  for (char *line; status == TUTTI_OK && (line = strsep(&output, "\n"));)
    status = parse_line(line, probe, &ended, error);
  if (status != TUTTI_OK)
    return status;
  if (!ended)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "no closing record for %d measurements", probe->sizes);
  if (!isfinite(probe->alpha) || !isfinite(probe->beta))
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "no fit of alpha and beta");
  return TUTTI_OK;
}

/* The line that explains the failure best: the first of SimGrid's, else the first. */
static const char *failure_line(const char *output, int *length)
{
  const char *line = strstr(output, "CRITICAL] ");
  if (!line)
    line = strstr(output, "ERROR] ");
  line = line ? strchr(line, ' ') + 1 : output;
  *length = (int)strcspn(line, "\n");
  return line;
}

static tutti_status run(const tutti_platform *platform, const struct stage *stage, char *command, char *output,
                        platform_probe *probe, tutti_error *error)
{
  tutti_error reason;
  char *arguments[] = {command,
                       "-np",
                       "2",
                       "-platform",
                       stage->platform,
                       "-hostfile",
                       stage->hosts,
                       "-no-privatize",
                       "--log=root.thres:warning",
                       stage->program,
                       NULL};
  const struct tutti_command smpirun = {.arguments = arguments, .directory = -1, .seconds = PROBE_SECONDS};
  int length, code = tutti_process_capture(&smpirun, output, OUTPUT_LENGTH);
  const char *said = failure_line(output, &length);
  if (code == TUTTI_CAPTURE_LATE)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: smpirun did not end within %d s", platform->path, PROBE_SECONDS);
  if (code != 0)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: smpirun ended with status %d: %.*s", platform->path, code, length,
                      said);
  char *copy = tutti_xstrdup(output);
  tutti_status status = tutti_platform_probe_parse(copy, probe, &reason);
  free(copy);
  if (status != TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "%s: %s: %.*s", platform->path, reason.message, length, said);
  return TUTTI_OK;
}

static tutti_status check(const tutti_platform *platform, const char *program, tutti_error *error)
{
  if (platform->host_count < 2)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: measuring needs two hosts, it has %d", platform->path,
                      platform->host_count);
  if (access(program, X_OK) != 0)
    return tutti_fail(error, TUTTI_ERR_LAUNCH, "no measuring program: %s: %s (built where smpicc is installed)",
                      program, strerror(errno));
  return TUTTI_OK;
}

tutti_status tutti_platform_probe_run(const tutti_platform *platform, const char *program, platform_probe *probe,
                                      tutti_error *error)
{
  struct stage stage = {0};
  tutti_status status = check(platform, program, error);
  if (status != TUTTI_OK)
    return status;
  char *command = tutti_program_find("smpirun"), *output = tutti_xmalloc(OUTPUT_LENGTH);
  status = command
               ? stage_open(platform, program, &stage, error)
               : tutti_fail(error, TUTTI_ERR_LAUNCH, "smpirun not found in PATH: install SimGrid (Debian: simgrid)");
  if (status == TUTTI_OK)
    status = run(platform, &stage, command, output, probe, error);
  stage_close(&stage);
  free(output);
  free(command);
  return status;
}
