#include "harness/experiments/calibrate/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "harness/experiments/calibrate/call_table.h"
#include "tutti/analysis.h"

/* ---- points ---- */

void tutti_simulated_add(struct simulated_points *points, const tutti_method *method, const char *nodes, int ranks,
                         int ranks_per_node, uint64_t element, uint64_t bytes)
{
  const bool blocks = tutti_collective_traits(method->algorithm->collective) & TUTTI_HAS_BLOCKS;
  const uint64_t count = bytes / (blocks ? (uint64_t)ranks : 1) / element;
  const tutti_measurement call = {.method = *method,
                                  .ranks = ranks,
                                  .ranks_per_node = ranks_per_node,
                                  .count = count,
                                  .type_size = element,
                                  .rank_bytes = count * element};
  struct simulated added = {.bytes = bytes, .point = tutti_fit_point(&call, NULL)};
  tutti_total_bytes(&added.point.measured, &added.point.measured.total_bytes);
  tutti_error reason;
  if (count == 0 && bytes > 0)
    tutti_fail(&reason, TUTTI_ERR_UNSUPPORTED, "%llu bytes are less than an element of %llu bytes for each block",
               (unsigned long long)bytes, (unsigned long long)element);
  else
    reason.status = tutti_fit_point_check(&added.point, &reason);
  if (reason.status != TUTTI_OK) {
    if (points->unfit++ == 0)
      points->reason = reason;
    return;
  }
  added.nodes = tutti_xstrdup(nodes);
  added.point.run = strchr(nodes, 'x') ? tutti_xprintf("torus=%s", nodes) : tutti_xstrdup("");
  tutti_xpush(points, added);
}

static void free_point(struct simulated *point)
{
  free(point->point.run);
  free(point->nodes);
  free(point->name);
  free(point->run);
}

void tutti_simulated_free(struct simulated_points *points)
{
  for (size_t i = 0; i < points->count; i++)
    free_point(&points->items[i]);
  tutti_vector_free(points);
}

static void drop_left_out(struct simulated_points *points)
{
  size_t kept = 0;
  for (size_t i = 0; i < points->count; i++)
    if (points->items[i].left_out)
      free_point(&points->items[i]);
    else
      points->items[kept++] = points->items[i];
  points->count = kept;
}

/* ---- tables ---- */

struct reading {
  struct simulated_points *points;
  const char *path;
};

static void add_row(void *context, const struct call_row *row)
{
  const struct reading *reading = context;
  struct simulated_points *points = reading->points;
  const size_t before = points->count;
  if (!row->known) {
    points->unknown++;
    return;
  }
  tutti_simulated_add(points, &row->found.method, row->nodes, row->ranks, row->ranks_per_node, CALL_ELEMENT,
                      row->bytes);
  if (points->count > before) {
    points->items[before].name = tutti_xstrdup(row->name);
    points->items[before].run = *row->run ? tutti_xstrdup(row->run) : NULL;
    points->items[before].table = reading->path;
    points->items[before].line = row->line;
  }
}

tutti_status tutti_simulated_read(const char *path, tutti_collective collective, const char *machine,
                                  struct simulated_points *points, tutti_error *error)
{
  return tutti_call_table_read(&(struct call_table){.path = path, .collective = collective, .machine = machine}, NULL,
                               add_row, &(struct reading){points, path}, error);
}

/* ---- simulating ---- */

static bool is_same_place(const struct simulated *left, const struct simulated *right)
{
  return left->point.scenario.number == right->point.scenario.number && left->bytes == right->bytes &&
         left->point.measured.ranks_per_node == right->point.measured.ranks_per_node &&
         strcmp(left->nodes, right->nodes) == 0;
}

char *tutti_simulated_place(const struct simulated *each, const char *more)
{
  return tutti_xprintf("%d %llu %d %s %s", each->point.scenario.number, (unsigned long long)each->bytes,
                       each->point.measured.ranks_per_node, each->nodes, more);
}

static double count_messages(const tutti_measurement *measured)
{
  tutti_method method = measured->method;
  double messages;
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  const tutti_call call = {
      .size = measured->ranks, .count = measured->count, .type_size = measured->type_size, .commutative = true};
  return tutti_estimate_messages(&method, &call, &messages, NULL) == TUTTI_OK ? messages : INFINITY;
}

/* Each rank but one at least receives a message or sends one. */
static bool has_more_messages(struct simulated *each, double most)
{
  const tutti_measurement *measured = &each->point.measured;
  if (measured->ranks - 1 > most)
    return true;
  if (each->messages == 0)
    each->messages = count_messages(measured);
  return each->messages > most;
}

/* The first one with the same schedule on the same nodes, whose time it has: another name of its method, or another
   library's code; NULL: it is the first. The index, NULL in the beginning, has those before it. */
static const struct simulated *find_twin(void **index, const struct simulated_points *points,
                                         const struct simulated *at)
{
  char text[TUTTI_METHOD_LENGTH];
  tutti_method method = at->point.measured.method;
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  char *name = tutti_simulated_place(at, tutti_method_format(&method, text));
  size_t *first = tutti_index_number(index, name);
  free(name);
  if (*first > 0)
    return &points->items[*first - 1];
  *first = (size_t)(at - points->items) + 1;
  return NULL;
}

/* The engine needs longest for methods that Hockney's model has far behind its best one at a place: crowds of messages
   that share links only make them slower. */
static tutti_status drop_slow(struct fit_machines *machines, struct simulated_points *points, tutti_error *error)
{
  enum { FAR_BEHIND = 20 };
  tutti_predictor hockney;
  const tutti_status status = tutti_fit_model_read(machines, &hockney, error);
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++)
    tutti_fit_model_price(&hockney, &points->items[i].point);
  for (size_t i = 0, first = 0; i < points->count && status == TUTTI_OK; i++) {
    struct simulated *each = &points->items[i];
    double best = INFINITY;
    while (!is_same_place(&points->items[first], each))
      first++;
    for (size_t j = first; j < points->count && is_same_place(&points->items[j], each); j++)
      best = fmin(best, points->items[j].point.modelled);
    each->left_out = each->point.modelled > FAR_BEHIND * best;
    points->slow += each->left_out;
  }
  drop_left_out(points);
  return status;
}

static tutti_status check_room(struct fit_machines *machines, const struct simulated_points *points, tutti_error *error)
{
  for (size_t i = 0; i < points->count; i++) {
    tutti_error reason;
    const struct simulated *each = &points->items[i];
    if (tutti_fit_machines_check_room(machines, &each->point, &reason) == TUTTI_OK)
      continue;
    return each->table ? tutti_fail(error, reason.status, "%s:%d: %.400s", each->table, each->line, reason.message)
                       : tutti_fail(error, reason.status, "%s", reason.message);
  }
  return TUTTI_OK;
}

/* What has too many messages for the engine, priced by a model: by the published formula, which takes no time, else by
   its schedule, up to so many times the messages that are simulated. */
static tutti_status price_large(struct fit_machines *machines, double most_messages, struct simulated *each,
                                tutti_error *error)
{
  enum { MORE_THAN_SIMULATED = 100 };
  tutti_predictor hockney;
  const tutti_status status = tutti_fit_model_read(machines, &hockney, error);
  if (status != TUTTI_OK)
    return status;
  hockney.by = TUTTI_BY_FORMULA;
  tutti_fit_model_price(&hockney, &each->point);
  hockney.by = TUTTI_BY_SCHEDULE;
  if (isnan(each->point.modelled) && !has_more_messages(each, MORE_THAN_SIMULATED * most_messages))
    tutti_fit_model_price(&hockney, &each->point);
  each->point.seconds = each->point.modelled;
  each->left_out = isnan(each->point.seconds);
  return TUTTI_OK;
}

static tutti_status simulate_point(const struct simulation_request *request, struct fit_machines *machines,
                                   struct placement *placement, const struct simulated *twin, struct simulated *each,
                                   tutti_error *error)
{
  if (twin) {
    each->point.seconds = twin->point.seconds;
    each->left_out = twin->left_out;
    return TUTTI_OK;
  }
  const tutti_status status = tutti_placement_find(placement, request->machine, &each->point, error);
  each->left_out = request->most_messages > 0 && has_more_messages(each, (double)request->most_messages);
  if (status == TUTTI_OK && each->left_out && request->model_large)
    return price_large(machines, request->most_messages, each, error);
  return status != TUTTI_OK || each->left_out ? status : tutti_fit_machines_simulate(machines, &each->point, error);
}

/* Before the models find what is far too slow, which takes long, too: that is counted as well. */
static void announce(const struct simulation_request *request, struct simulated_points *points)
{
  const double most = request->most_messages > 0 ? (double)request->most_messages : INFINITY;
  size_t calls = 0;
  double messages = 0;
  void *index = NULL;
  for (size_t i = 0; i < points->count; i++) {
    struct simulated *each = &points->items[i];
    if (find_twin(&index, points, each) || has_more_messages(each, most) || !isfinite(each->messages))
      continue;
    messages += each->messages;
    calls++;
  }
  tutti_index_free(&index);
  request->announce(request, calls, messages);
}

static tutti_status simulate(const struct simulation_request *request, struct fit_machines *machines,
                             struct placement *placement, struct simulated_points *points, tutti_error *error)
{
  void *index = NULL;
  tutti_status status = tutti_placement_read(&request->placement, request->platform_path, placement, error);
  if (status == TUTTI_OK)
    status = check_room(machines, points, error);
  if (status == TUTTI_OK && request->announce)
    announce(request, points);
  if (status == TUTTI_OK && request->all)
    status = drop_slow(machines, points, error);
  for (size_t i = 0; i < points->count && status == TUTTI_OK; i++) {
    struct simulated *each = &points->items[i];
    request->progress((double)i / (double)points->count);
    status = simulate_point(request, machines, placement, find_twin(&index, points, each), each, error);
    points->large += each->left_out;
  }
  tutti_index_free(&index);
  drop_left_out(points);
  return status;
}

tutti_status tutti_simulated_run(const struct simulation_request *request, const struct spread *spread, bool corrected,
                                 struct simulated_points *points, tutti_error *error)
{
  struct fit_machines machines = {.path = request->platform_path, .tolerance = request->tolerance};
  struct placement placement;
  const tutti_status status = simulate(request, &machines, &placement, points, error);
  for (size_t i = 0; i < points->count; i++) {
    tutti_spread_apply(spread, corrected, &points->items[i].point);
    points->items[i].point.hosts = NULL; /* which are the placement's */
  }
  tutti_simulated_judge(points);
  tutti_placement_free(&placement);
  tutti_fit_machines_free(&machines);
  return status;
}
