/* tutti explain --sensitivity by simulation: how the time of what runs depends on the platform, between which factors
   of its latency, bandwidth and costs it stays the best, and on which links. */
#include <math.h>

#include "cli/explain/explain.h"
#include "cli/options/common.h"
#include "harness/engine/riders/link_slopes.h"
#include "harness/engine/riders/method_slopes.h"

/* Of more ranks nothing is said. Intervals take some dozen simulations of each method: of larger calls and machines
   there are none, and none of a method that is not the best. */
enum { MAX_RANKS = 1024, MAX_INTERVAL_RANKS = 128, MAX_INTERVAL_LINKS = 20000 };

static const char model[] = "engine";

/* A method on the machine as it is. */
struct unchanged {
  bool known;
  double seconds;
  struct engine_slope slopes;
};

struct simulated {
  struct engine_machine machine;
  tutti_call call;
  tutti_method *methods;        /* [0]: what runs; then what could, as far as it is simulated */
  struct unchanged *unchanged;  /* [count] */
  const tutti_method *measured; /* the best of what was measured */
  int count, parameter;         /* enum engine_parameter */
};

static tutti_status time_changed(const struct simulated *s, int function, const struct engine_change *change,
                                 double *seconds, struct engine_slope *slopes, tutti_error *error)
{
  struct engine_machine machine = s->machine;
  machine.change = change;
  return tutti_method_slopes(&machine, &s->methods[function], &s->call, seconds, slopes, error);
}

static tutti_status time_of_links(const void *context, const struct engine_change *change, double *seconds,
                                  struct engine_slope *slopes, tutti_error *error)
{
  return time_changed(context, 0, change, seconds, slopes, error);
}

static tutti_status time_at(const void *context, int function, double x, tutti_line *line, tutti_error *error)
{
  const struct simulated *s = context;
  struct unchanged changed = {.known = false}, *times = x == 1 ? &s->unchanged[function] : &changed;
  struct engine_change change = tutti_slopes_unchanged();
  tutti_status status = TUTTI_OK;
  change.of[s->parameter] = fmax(x, 1e-12);
  if (!times->known)
    status = time_changed(s, function, &change, &times->seconds, &times->slopes, error);
  times->known = status == TUTTI_OK;
  *line = (tutti_line){x, times->seconds, times->slopes.of[s->parameter]};
  return status;
}

static const struct sensitivity_row empty = {
    .model = model, .unit = "1", .value = 1, .from = NAN, .to = NAN, .more = {NAN, NAN, NAN}, .jump = NAN};

/* With an interval where the method is the best. */
static tutti_status add_row(struct simulated *s, int parameter, bool best, struct sensitivity_rows *rows,
                            tutti_error *error)
{
  struct sensitivity_row row = empty;
  tutti_interval interval = {NAN, NAN, -1, -1};
  const bool large = s->call.size > MAX_INTERVAL_RANKS || s->machine.network.link_count > MAX_INTERVAL_LINKS,
             rest = parameter == ENGINE_CONSTANT;
  tutti_status status = TUTTI_OK;
  s->parameter = parameter;
  const tutti_times_of_x times = {time_at, s, s->count, tutti_method_slopes_least(&s->machine, parameter)};
  row.slope = s->unchanged[0].slopes.of[parameter];
  row.share_percent = 100 * row.slope / s->unchanged[0].seconds;
  if (!large && best && !rest)
    status = tutti_sensitivity_interval(&times, 0, 1, &interval, error);
  if (status == TUTTI_OK && !large && !rest)
    status = tutti_sensitivity_tolerances(&times, 0, 1, row.more, &row.jump, error);
  if (status != TUTTI_OK)
    return status;
  snprintf(row.parameter, sizeof row.parameter, "%s", rest ? "rest" : tutti_slopes_name(parameter));
  row.from = interval.from;
  row.to = interval.to;
  if (!isnan(row.from) && interval.below >= 0)
    row.below = s->methods[interval.below];
  if (!isnan(row.from) && interval.above >= 0)
    row.above = s->methods[interval.above];
  tutti_xpush(rows, row);
  return TUTTI_OK;
}

/* The best of all, by times alone: a simulation ends when it is longer than the best so far. Methods that are not
   simulated go. */
static int find_best(struct simulated *s, double least)
{
  const struct engine_change change = tutti_slopes_unchanged();
  int best = 0, kept = 1;
  for (int i = 1; i < s->count; i++) {
    double seconds;
    patience_at("compare methods on the platform", (double)i / s->count);
    s->methods[kept] = s->methods[i];
    s->machine.stops_at = least;
    if (time_changed(s, kept, &change, &seconds, NULL, NULL) != TUTTI_OK)
      continue;
    if (seconds < least * (1 - 1e-9)) {
      least = seconds;
      best = kept;
    }
    kept++;
  }
  s->machine.stops_at = 0;
  s->count = kept;
  return best;
}

static tutti_status add_rows(struct simulated *s, struct sensitivity_rows *rows, tutti_error *error)
{
  static const int parameters[] = {ENGINE_LATENCY, ENGINE_BYTE, ENGINE_OVERHEAD, ENGINE_REDUCTION, ENGINE_CONSTANT};
  const int count = sizeof parameters / sizeof *parameters;
  struct unchanged *here = &s->unchanged[0];
  struct link_slopes links;
  tutti_line line;
  tutti_status status = time_at(s, 0, 1, &line, error);
  if (status != TUTTI_OK)
    return status;
  const int best = find_best(s, here->seconds);
  for (int i = 0; i < count && status == TUTTI_OK && here->seconds > 0; i++) {
    patience_at("vary the platform", (double)i / count);
    if (fabs(here->slopes.of[parameters[i]]) > 1e-9 * here->seconds)
      status = add_row(s, parameters[i], best == 0, rows, error);
  }
  patience_at("find links", 0);
  if (status == TUTTI_OK)
    status = tutti_link_slopes_find(&s->machine, time_of_links, s, &links, error);
  if (status == TUTTI_OK) {
    sensitivity_add_links(&empty, &s->machine, here->seconds, &links, rows);
    explain_note_better(model, &s->methods[0], &s->methods[best], s->measured, rows);
  }
  return status;
}

void explain_add_platform(const struct explain_options *options, const tutti_method *methods, int count, int chosen,
                          const tutti_method *measured, struct sensitivity_rows *rows)
{
  const tutti_explained_call *call = &options->call;
  const uint64_t type = call->type_bytes ? call->type_bytes : 1;
  struct simulated s = {
      .measured = measured,
      .call = {
          .size = call->ranks, .count = call->rank_bytes / type, .type_size = type, .commutative = !call->ordered}};
  tutti_platform platform;
  tutti_error reason;
  if (call->ranks > MAX_RANKS || platform_load(options->selection.platform_argument, &platform, NULL) != TUTTI_OK)
    return;
  tutti_status status = tutti_machine_read(platform.path, &s.machine, &reason);
  tutti_platform_free(&platform);
  if (status == TUTTI_OK) {
    if (call->ranks_per_node > 0)
      s.machine.ranks_per_node = call->ranks_per_node;
    s.methods = tutti_xcalloc((size_t)count, sizeof *s.methods);
    s.unchanged = tutti_xcalloc((size_t)count, sizeof *s.unchanged);
    s.methods[s.count++] = methods[chosen];
    for (int i = 0; i < count; i++)
      if (i != chosen)
        s.methods[s.count++] = methods[i];
    status = add_rows(&s, rows, &reason);
    tutti_machine_free(&s.machine);
    free(s.methods);
    free(s.unchanged);
  }
  if (status != TUTTI_OK)
    tutti_xpush(&rows->notes, tutti_xprintf("%s: %s", model, reason.message));
}
