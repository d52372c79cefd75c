/* tutti schedule: GOAL and DOT files, timelines. */
#include "cli/schedule/schedule_files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options/model_option.h"
#include "cli/plot/plot_gnuplot.h"
#include "cli/schedule/schedule_timeline.h"

enum { KEY_GOAL = 0x400, KEY_UNIT, KEY_DOT, KEY_TIMELINE, KEY_MODEL, KEY_GAMMA, KEY_DELTA, KEY_PATH };

static const struct argp_option options[] = {
    {"goal", KEY_GOAL, "FILE", 0, "write the schedules as GOAL, for LogGOPSim", 0},
    {"unit", KEY_UNIT, "TIME", 0, "unit of time of GOAL, in which LogGOPSim takes L, o, g and G too (default 1ns)", 0},
    {"dot", KEY_DOT, "FILE", 0, "draw the schedules as a graph for Graphviz (`dot -Tsvg`)", 0},
    {"timeline", KEY_TIMELINE, "FILE", 0,
     "draw FILE.svg, FILE.png or FILE.pdf: when each vertex takes place under --model (needs gnuplot)", 0},
    {"critical-path", KEY_PATH, NULL, 0, "print the vertices on which the completion time hangs under --model", 0},
    {"model", KEY_MODEL, "MODEL", 0, "hockney:alpha=110us,beta=85.1ns or loggp:L=50us,o=1us,g=3us,G=85.1ns", 0},
    {"gamma", KEY_GAMMA, "TIME", 0, "what reducing a byte costs in all of these (\"3.2ns\"; default 0)", 0},
    {"delta", KEY_DELTA, "TIME", 0, "what copying a byte costs there (default 0)", 0},
    {0},
};

struct schedule_files schedule_files_defaults(void)
{
  return (struct schedule_files){.times = {.unit = 1e-9}};
}

/* ---- options ---- */

static void take_unit(struct argp_state *state, struct schedule_files *files, const char *text)
{
  parse_time(state, "unit", text, &files->times.unit);
  if (!(files->times.unit > 0))
    argp_error(state, "--unit: a unit of time is more than %s", text);
  files->has_unit = true;
}

static void take_model(struct argp_state *state, struct schedule_files *files, const char *text)
{
  tutti_error error;
  if (model_option_parse(text, &files->network, &error) != TUTTI_OK)
    argp_error(state, "--model: %s", error.message);
  files->has_model = true;
}

static void take_computing(struct argp_state *state, struct schedule_files *files, int key, const char *text)
{
  files->computing = key == KEY_GAMMA ? "gamma" : "delta";
  parse_time(state, files->computing, text, key == KEY_GAMMA ? &files->times.gamma : &files->times.delta);
}

static void check_all(struct argp_state *state, const struct schedule_files *files)
{
  bool priced = files->timeline || files->path;
  if (priced && !files->has_model)
    argp_error(state, "--%s: under which --model?", files->timeline ? "timeline" : "critical-path");
  if (files->has_model && !priced)
    argp_error(state, "--model: only with --timeline or --critical-path");
  if (files->has_unit && !files->goal)
    argp_error(state, "--unit: only with --goal");
  if (files->computing && !files->goal && !priced)
    argp_error(state, "--%s: only with --goal, --timeline or --critical-path", files->computing);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
  struct schedule_files *files = state->input;
  if (key == KEY_GOAL)
    files->goal = text;
  else if (key == KEY_DOT)
    files->dot = text;
  else if (key == KEY_UNIT)
    take_unit(state, files, text);
  else if (key == KEY_TIMELINE)
    files->timeline = gnuplot_parse_path(state, "timeline", text);
  else if (key == KEY_MODEL)
    take_model(state, files, text);
  else if (key == KEY_GAMMA || key == KEY_DELTA)
    take_computing(state, files, key, text);
  else if (key == KEY_PATH)
    files->path = true;
  else if (key == ARGP_KEY_END)
    check_all(state, files);
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
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

static tutti_status draw(const struct writing *writing, struct timeline *timeline, double seconds, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH], title[TUTTI_METHOD_LENGTH + 128];
  const tutti_call *call = writing->call;
  snprintf(title, sizeof title, "%s, %d ranks, %s%llu B, %s: %.6g us", tutti_method_format(writing->method, name),
           call->size,
           tutti_collective_traits(writing->method->algorithm->collective) & TUTTI_HAS_BLOCKS ? "blocks of " : "",
           (unsigned long long)(call->count * call->type_size), tutti_model_kind_name(writing->files->network.kind),
           seconds * 1e6);
  return timeline_draw(timeline, title, writing->files->timeline, error);
}

/* The model of the command line, whole. */
static tutti_status take_whole_model(const struct schedule_files *files, tutti_model *model, tutti_error *error)
{
  *model = files->network;
  model->gamma = files->times.gamma;
  model->delta = files->times.delta;
  return tutti_model_check(model, error);
}

static tutti_status write_timeline(const struct writing *writing, const tutti_model *model, tutti_error *error)
{
  tutti_price price;
  struct timeline timeline = {.ranks = writing->call->size};
  tutti_price_options priced = {.trace = timeline_add, .context = &timeline};
  tutti_costs costs = tutti_model_costs(model);
  tutti_status status = tutti_price_method(writing->method, writing->call, &costs, &priced, &price, error);
  if (status == TUTTI_OK) {
    status = draw(writing, &timeline, price.seconds, error);
    tutti_price_free(&price);
  }
  timeline_free(&timeline);
  return status;
}

static tutti_status write_priced(const struct writing *writing, tutti_error *error)
{
  tutti_model model;
  tutti_status status = take_whole_model(writing->files, &model, error);
  if (status == TUTTI_OK && writing->files->path)
    status = schedule_path_print(writing->method, writing->call, &model, error);
  if (status == TUTTI_OK && writing->files->timeline)
    status = write_timeline(writing, &model, error);
  return status;
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
  if (status == TUTTI_OK && files->has_model)
    status = write_priced(&writing, error);
  return status;
}
