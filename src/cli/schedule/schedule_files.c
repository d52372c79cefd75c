/* tutti schedule: GOAL, DOT and MSCCL files, timelines. */
#include "cli/schedule/schedule.h"

#include <errno.h>
#include <inttypes.h>

#include "cli/plot/plot.h"
#include "harness/platforms/platform_private.h"

static void read_unit(void *member, const char *text)
{
  double *unit = member;
  must(tutti_platform_parse_time(text, unit, &failure));
  if (!(*unit > 0))
    die("a unit of time is more than %s", text);
}

static void check(void *values)
{
  const struct schedule_files *files = values;
  bool priced = files->timeline || files->path;
  if (priced && !files->has_model)
    die("--%s: under which --model?", files->timeline ? "timeline" : "critical-path");
  if (files->has_model && !priced)
    die("--model: only with --timeline or --critical-path");
  if (files->has_unit && !files->goal)
    die("--unit: only with --goal");
  if ((files->has_gamma || files->has_delta) && !files->goal && !priced)
    die("--%s: only with --goal, --timeline or --critical-path", files->has_gamma ? "gamma" : "delta");
  gnuplot_check_title(files->title, files->timeline, "timeline");
}

const struct option_row schedule_files_table[] = {
    OPTION_STRING("goal", "FILE", struct schedule_files, goal, "write the schedules as GOAL, for LogGOPSim",
                  .writes = WRITES_TEXT),
    OPTION_PARSE("unit", "TIME", struct schedule_files, times.unit, read_unit,
                 "unit of time of GOAL, in which LogGOPSim takes L, o, g and G too", .initial = "1ns",
                 OPTION_GIVEN(struct schedule_files, has_unit)),
    OPTION_STRING("dot", "FILE", struct schedule_files, dot, "draw the schedules as a graph for Graphviz (`dot -Tsvg`)",
                  .writes = WRITES_TEXT),
    OPTION_STRING("msccl", "FILE", struct schedule_files, msccl,
                  "write the schedules as an algorithm of MSCCL, which RCCL and others run on GPUs",
                  .writes = WRITES_TEXT),
    OPTION_PARSE("timeline", "FILE", struct schedule_files, timeline, gnuplot_option,
                 "draw FILE.svg, FILE.png or FILE.pdf: when each vertex takes place under --model (needs gnuplot)"),
    OPTION_TITLE(struct schedule_files, title),
    OPTION_FLAG("critical-path", struct schedule_files, path,
                "print the vertices that determine the completion time under --model"),
    OPTION_PARSE("model", "MODEL", struct schedule_files, network, option_model,
                 "hockney:alpha=110us,beta=85.1ns or loggp:L=50us,o=1us,g=3us,G=85.1ns",
                 OPTION_GIVEN(struct schedule_files, has_model)),
    OPTION_TIME("gamma", struct schedule_files, times.gamma,
                "what reducing a byte costs in all of these, such as 3.2ns", .otherwise = "0",
                OPTION_GIVEN(struct schedule_files, has_gamma)),
    OPTION_TIME("delta", struct schedule_files, times.delta, "what copying a byte costs there", .otherwise = "0",
                OPTION_GIVEN(struct schedule_files, has_delta)),
    OPTION_CHECK(check),
    OPTION_END};

/* ---- the critical path ---- */

static const char *const verbs[] = {"sends to", "receives from", "reduces", "copies"};

static void print_step(const tutti_price_step *step)
{
  char peer[16] = "";
  if (step->peer >= 0)
    snprintf(peer, sizeof peer, " %d", step->peer);
  tutti_say(stdout, "  %14.3f %14.3f  %7d  %s%s, %" PRIu64 " B\n", 1e6 * step->start, 1e6 * step->end, step->rank,
            verbs[step->kind], peer, step->bytes);
}

/* The steps of the critical path, on standard output. */
static void print_path(const tutti_method *method, const tutti_call *call, const tutti_model *model)
{
  tutti_price price;
  const tutti_price_options options = {.path = true};
  tutti_costs costs = tutti_model_costs(model);
  must(tutti_price_method(method, call, &costs, &options, &price, &failure));
  tutti_say(stdout, "critical path    %.3f us under %s, %zu steps\n\n      begin [us]       end [us]     rank\n",
            1e6 * price.seconds, tutti_model_kind_name(model->kind), price.path_length);
  for (size_t i = 0; i < price.path_length; i++)
    print_step(&price.path[i]);
  tutti_price_free(&price);
}

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

static tutti_status write_msccl(const struct writing *writing, FILE *file, tutti_error *error)
{
  return tutti_export_msccl(writing->method, writing->call, file, error);
}

static void write_file(const char *path, write_function write, const struct writing *writing)
{
  struct tutti_output output;
  tutti_error cause;
  output_begin(path, &output);
  tutti_status status = write(writing, output.stream, &cause);
  if (status == TUTTI_OK && fflush(output.stream) != 0)
    status = tutti_fail(&cause, TUTTI_ERR_IO, "could not be written: %s", strerror(errno));
  if (status != TUTTI_OK)
    must(tutti_fail(&failure, status, "%s: %s", path, cause.message));
  output_end(&output);
}

static void draw(const struct writing *writing, struct timeline *timeline, double seconds)
{
  char name[TUTTI_METHOD_LENGTH], title[TUTTI_METHOD_LENGTH + 128];
  const tutti_call *call = writing->call;
  snprintf(title, sizeof title, "%s, %d rank%s, %s%llu B, %s: %.6g us", tutti_method_format(writing->method, name),
           call->size, tutti_plural((uint64_t)call->size),
           tutti_collective_traits(writing->method->algorithm->collective) & TUTTI_HAS_BLOCKS ? "blocks of " : "",
           (unsigned long long)(call->count * call->type_size), tutti_model_kind_name(writing->files->network.kind),
           seconds * 1e6);
  must(timeline_draw(timeline, writing->files->title ? writing->files->title : title, writing->files->timeline,
                     &failure));
}

/* The model of the command line, whole. */
static void complete_model(const struct schedule_files *files, tutti_model *model)
{
  *model = files->network;
  model->gamma = files->times.gamma;
  model->delta = files->times.delta;
  must(tutti_model_check(model, &failure));
}

static void write_timeline(const struct writing *writing, const tutti_model *model)
{
  tutti_price price;
  struct timeline timeline = {.ranks = writing->call->size};
  tutti_price_options priced = {.trace = timeline_add, .context = &timeline};
  tutti_costs costs = tutti_model_costs(model);
  must(tutti_price_method(writing->method, writing->call, &costs, &priced, &price, &failure));
  draw(writing, &timeline, price.seconds);
  tutti_price_free(&price);
  timeline_free(&timeline);
}

static void write_priced(const struct writing *writing)
{
  tutti_model model;
  complete_model(writing->files, &model);
  if (writing->files->path)
    print_path(writing->method, writing->call, &model);
  if (writing->files->timeline)
    write_timeline(writing, &model);
}

void schedule_files_write(const struct schedule_files *files, const tutti_method *method, const tutti_call *call)
{
  struct writing writing = {files, method, call};
  if (files->goal)
    write_file(files->goal, write_goal, &writing);
  if (files->dot)
    write_file(files->dot, write_dot, &writing);
  if (files->msccl)
    write_file(files->msccl, write_msccl, &writing);
  if (files->has_model)
    write_priced(&writing);
}
