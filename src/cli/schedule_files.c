/* tutti schedule: GOAL and DOT files. */
#include "cli/schedule_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "harness/platform_units.h"

enum { KEY_GOAL = 0x400, KEY_DOT, KEY_GAMMA, KEY_DELTA, KEY_UNIT };

static const struct argp_option options[] = {
    {"goal", KEY_GOAL, "FILE", 0, "write the schedules as GOAL, for LogGOPSim", 0},
    {"gamma", KEY_GAMMA, "TIME", 0, "reducing a byte costs this in GOAL (\"3.2ns\"; default 0)", 0},
    {"delta", KEY_DELTA, "TIME", 0, "copying a byte costs this in GOAL (default 0)", 0},
    {"unit", KEY_UNIT, "TIME", 0, "unit of time of GOAL, in which LogGOPSim takes L, o, g and G too (default 1ns)", 0},
    {"dot", KEY_DOT, "FILE", 0, "draw the schedules as a graph for Graphviz (`dot -Tsvg`)", 0},
    {0},
};

struct schedule_files schedule_files_defaults(void)
{
  return (struct schedule_files){.times = {.unit = 1e-9}};
}

static void take_time(struct argp_state *state, struct schedule_files *files, const char *option, const char *text,
                      double *seconds)
{
  tutti_error error;
  if (platform_parse_time(text, seconds, &error) != TUTTI_OK)
    argp_error(state, "--%s: %s", option, error.message);
  files->timed = option;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct schedule_files *files = state->input;
  switch (key) {
  case KEY_GOAL:
    files->goal = text;
    return 0;
  case KEY_DOT:
    files->dot = text;
    return 0;
  case KEY_GAMMA:
    take_time(state, files, "gamma", text, &files->times.gamma);
    return 0;
  case KEY_DELTA:
    take_time(state, files, "delta", text, &files->times.delta);
    return 0;
  case KEY_UNIT:
    take_time(state, files, "unit", text, &files->times.unit);
    if (!(files->times.unit > 0))
      argp_error(state, "--unit: a unit of time is more than %s", text);
    return 0;
  case ARGP_KEY_END:
    if (files->timed && !files->goal)
      argp_error(state, "--%s: only with --goal", files->timed);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp schedule_files_argp = {.options = options, .parser = parse};

/* ---- writing ---- */

struct writing {
  const struct schedule_files *files;
  const tutti_method *method;
  const tutti_call *call;
};

typedef tutti_status (*write_function)(const struct writing *writing, FILE *file, tutti_error *error);

static tutti_status write_goal(const struct writing *writing, FILE *file, tutti_error *error)
{
  return tutti_export_goal(writing->method, writing->call, &writing->files->times, file, error);
}

static tutti_status write_dot(const struct writing *writing, FILE *file, tutti_error *error)
{
  return tutti_export_dot(writing->method, writing->call, file, error);
}

/* A file that could not be completed is left empty, which no reader takes for a schedule. */
static tutti_status write_file(const char *path, write_function write, const struct writing *writing,
                               tutti_error *error)
{
  tutti_error cause;
  FILE *file = fopen(path, "w");
  if (!file)
    return tutti_fail(error, TUTTI_ERR_IO, "%s: %s", path, strerror(errno));
  tutti_status status = write(writing, file, &cause);
  if (status == TUTTI_OK && fflush(file) != 0)
    status = tutti_fail(&cause, TUTTI_ERR_IO, "could not be written: %s", strerror(errno));
  if (fclose(file) != 0 && status == TUTTI_OK)
    status = tutti_fail(&cause, TUTTI_ERR_IO, "could not be written: %s", strerror(errno));
  if (status == TUTTI_OK)
    return TUTTI_OK;
  (void)!truncate(path, 0); /* fails on pipes and devices */
  return tutti_fail(error, cause.status, "%s: %s", path, cause.message);
}

tutti_status schedule_files_write(const struct schedule_files *files, const tutti_method *method,
                                  const tutti_call *call, tutti_error *error)
{
  struct writing writing = {files, method, call};
  tutti_status status = TUTTI_OK;
  if (files->goal)
    status = write_file(files->goal, write_goal, &writing, error);
  if (status == TUTTI_OK && files->dot)
    status = write_file(files->dot, write_dot, &writing, error);
  return status;
}
