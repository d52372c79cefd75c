/* Making a decision fit a target: methods that it does not support are replaced, and the loss is counted. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libraries/export/export.h"
#include "tutti/decision_tree.h"

/* ---- the best method that a target supports: the least sum of penalties over measured points ---- */

/* Points of a map: indices from first to last, inclusive. */
struct map_points {
  int first_ranks, last_ranks, first_size, last_size;
};

/* All points of a map. */
static struct map_points map_points_all(const tutti_decision_map *map)
{
  return (struct map_points){0, map->ranks_count - 1, 0, map->size_count - 1};
}

/* Nearest in ratio, of two the smaller. */
static int nearest_ranks(const tutti_decision_map *map, int ranks)
{
  int nearest = 0;
  for (int i = 1; i < map->ranks_count; i++)
    if (fabs(log((double)map->ranks[i] / ranks)) < fabs(log((double)map->ranks[nearest] / ranks)))
      nearest = i;
  return nearest;
}

static double size_distance(const tutti_decision_map *map, int index, uint64_t bytes)
{
  return fabs(log(((double)map->sizes[index] + 1) / ((double)bytes + 1)));
}

static int nearest_size(const tutti_decision_map *map, uint64_t bytes)
{
  int nearest = 0;
  for (int i = 1; i < map->size_count; i++)
    if (size_distance(map, i, bytes) < size_distance(map, nearest, bytes))
      nearest = i;
  return nearest;
}

/* The points of messages from `bytes` up to before `end` at the measured communicator size nearest to `ranks`; if there
   is none, the one of the size nearest to `bytes`. */
static struct map_points map_points_of(const tutti_decision_map *map, int ranks, uint64_t bytes, uint64_t end)
{
  int row = nearest_ranks(map, ranks), first = 0, last = map->size_count - 1;
  while (first < map->size_count && map->sizes[first] < bytes)
    first++;
  while (last >= 0 && map->sizes[last] >= end)
    last--;
  if (first > last)
    first = last = nearest_size(map, bytes);
  return (struct map_points){row, row, first, last};
}

/* What a method loses over some points. */
struct loss {
  int points;
  double percents;
};

static void add_loss(const tutti_decision_map *map, int i, int j, int method, struct loss *loss)
{
  int best = map->best[(size_t)i * (size_t)map->size_count + (size_t)j];
  if (best < 0)
    return;
  double min = tutti_decision_map_time(map, i, j, best), time = tutti_decision_map_time(map, i, j, method);
  if (!(min > 0) || isnan(time))
    return;
  loss->points++;
  loss->percents += 100 * (time - min) / min;
}

static struct loss loss_of(const tutti_decision_map *map, const struct map_points *points, int method)
{
  struct loss loss = {0};
  for (int i = points->first_ranks; i <= points->last_ranks; i++)
    for (int j = points->first_size; j <= points->last_size; j++)
      add_loss(map, i, j, method, &loss);
  return loss;
}

/* Index into the map's methods of the one that the target supports with the least sum of penalties over the points; one
   measured at more of them goes first. -1 if the target supports none of the measured ones. */
static int best_supported(const tutti_target *target, const tutti_decision_map *map, const struct map_points *points,
                          int ranks)
{
  struct loss min = {0};
  int best = -1;
  for (int method = 0; method < map->method_count; method++) {
    if (!target->supports(&map->methods[method], ranks))
      continue;
    struct loss loss = loss_of(map, points, method);
    if (loss.points > min.points || (loss.points > 0 && loss.points == min.points && loss.percents < min.percents)) {
      min = loss;
      best = method;
    }
  }
  return best;
}

/* ---- replacing ---- */

struct fitting {
  const tutti_target *target;
  const tutti_decision *decision;
  const tutti_range *range;
  tutti_step_table *table;
  tutti_error *error;
};

static tutti_status find_method(const struct fitting *fitting, const tutti_method *method, int *index)
{
  *index = tutti_step_table_method(fitting->table, method);
  return *index >= 0 ? TUTTI_OK : tutti_fail(fitting->error, TUTTI_ERR_MEMORY, "out of memory for a table of steps");
}

/* The best supported method of some points, which stands for `wanted`. */
static tutti_status replace(const struct fitting *fitting, const struct map_points *points, int ranks, int wanted,
                            const char *why, int *index)
{
  char name[TUTTI_METHOD_LENGTH], known[256];
  const tutti_decision_map *map = fitting->range->map;
  int best = points ? best_supported(fitting->target, map, points, ranks) : -1;
  if (best >= 0)
    return find_method(fitting, &map->methods[best], index);
  tutti_method_format(&fitting->table->methods[wanted], name);
  if (!map)
    return tutti_fail(fitting->error, TUTTI_ERR_ARGUMENT,
                      "%s: %s (%d ranks) %s %s; measurements (--platform) would show which other one costs least",
                      fitting->decision->name, name, ranks, why, fitting->target->name);
  return tutti_fail(fitting->error, TUTTI_ERR_ARGUMENT,
                    "%s: %s (%d ranks) %s %s, and no method was measured there that it supports; measure %s",
                    fitting->decision->name, name, ranks, why, fitting->target->name,
                    tutti_target_supported(fitting->target, fitting->table->collective, ranks, known, sizeof known));
}

static bool supported(const struct fitting *fitting, int method, int ranks)
{
  return method < 0 || fitting->target->supports(&fitting->table->methods[method], ranks);
}

static tutti_status fit_step(const struct fitting *fitting, tutti_step_row *row, int index)
{
  const tutti_decision_map *map = fitting->range->map;
  tutti_step *step = &row->steps[index];
  struct map_points points;
  if (supported(fitting, step->method, row->ranks))
    return TUTTI_OK;
  if (map)
    points = map_points_of(map, row->ranks, step->bytes, index + 1 < row->count ? step[1].bytes : UINT64_MAX);
  return replace(fitting, map ? &points : NULL, row->ranks, step->method, "is not supported by", &step->method);
}

static void join_steps(tutti_step_row *row)
{
  int kept = 1;
  for (int i = 1; i < row->count; i++)
    if (row->steps[i].method != row->steps[kept - 1].method)
      row->steps[kept++] = row->steps[i];
  row->count = kept;
}

/* A row whose messages the target cannot tell apart: the method of all its steps, or the best one. */
static tutti_status flatten(const struct fitting *fitting, tutti_step_row *row)
{
  const tutti_decision_map *map = fitting->range->map;
  struct map_points points;
  int method = -1;
  bool several = false;
  for (int i = 0; i < row->count; i++) {
    several = several || (method >= 0 && row->steps[i].method >= 0 && row->steps[i].method != method);
    method = method < 0 ? row->steps[i].method : method;
  }
  row->count = 1;
  row->steps[0].method = method;
  if (!several && supported(fitting, method, row->ranks))
    return TUTTI_OK;
  if (map)
    points = map_points_of(map, row->ranks, 0, UINT64_MAX);
  return replace(fitting, map ? &points : NULL, row->ranks, method,
                 several ? "serves some message sizes only, which are all the same to" : "is not supported by",
                 &row->steps[0].method);
}

static tutti_status fit_row(const struct fitting *fitting, tutti_step_row *row)
{
  tutti_status status = TUTTI_OK;
  if (fitting->target->unit(fitting->table->collective) == TUTTI_UNIT_NONE)
    return flatten(fitting, row);
  for (int i = 0; i < row->count && status == TUTTI_OK; i++)
    status = fit_step(fitting, row, i);
  if (status == TUTTI_OK)
    join_steps(row);
  return status;
}

/* ---- one method for everything ---- */

/* The method for all calls, before substitutes: the library has its own. False if there are several. */
static bool only_method(const struct fitting *fitting, tutti_method *only)
{
  const tutti_step_table *table = fitting->table;
  tutti_question question = {.collective = table->collective, .ranks_per_node = table->ranks_per_node};
  tutti_method method;
  bool found = false;
  for (int i = 0; i < table->row_count; i++)
    for (int j = 0; j < table->rows[i].count; j++) {
      question.ranks = table->rows[i].ranks;
      question.rank_bytes = table->rows[i].steps[j].bytes;
      if (table->rows[i].steps[j].method < 0 || !fitting->decision->decide(fitting->decision, &question, &method))
        continue;
      if (found && tutti_method_compare(&method, only) != 0)
        return false;
      *only = method;
      found = true;
    }
  return found;
}

static tutti_status fit_all(const struct fitting *fitting)
{
  tutti_step_table *table = fitting->table;
  const tutti_decision_map *map = fitting->range->map;
  struct map_points points = map ? map_points_all(map) : (struct map_points){0};
  int ranks = fitting->range->max_ranks, index = 0;
  tutti_method only;
  bool single = only_method(fitting, &only);
  tutti_status status = single ? find_method(fitting, &only, &index) : TUTTI_OK;
  if (status == TUTTI_OK && !(single && fitting->target->supports(&only, ranks)))
    status = replace(fitting, map ? &points : NULL, ranks, index,
                     single ? "is not supported by" : "serves some calls only, which are all the same to", &index);
  for (int i = 1; i < table->row_count; i++)
    free(table->rows[i].steps);
  table->row_count = 1;
  table->rows[0].count = 1;
  table->rows[0].steps[0].method = index;
  return status;
}

static tutti_status fit(const struct fitting *fitting)
{
  tutti_status status = TUTTI_OK;
  if (fitting->target->single)
    return fit_all(fitting);
  for (int i = 0; i < fitting->table->row_count && status == TUTTI_OK; i++)
    status = fit_row(fitting, &fitting->table->rows[i]);
  return status;
}

/* ---- what is lost ---- */

static void count_point(tutti_export_part *part, int ranks, uint64_t bytes)
{
  tutti_question question = {part->table.collective, ranks, part->map->ranks_per_node, bytes};
  tutti_method wanted;
  if (!part->decision->decide(part->decision, &question, &wanted))
    return;
  int index = tutti_step_table_find(&part->table, ranks, bytes);
  part->points++;
  part->replaced += index < 0 || tutti_method_compare(&wanted, &part->table.methods[index]) != 0;
}

static tutti_status count_loss(tutti_export_part *part, tutti_error *error)
{
  const tutti_decision_map *map = part->map;
  tutti_decision written;
  for (int i = 0; i < map->ranks_count; i++)
    for (int j = 0; j < map->size_count; j++)
      if (map->best[(size_t)i * (size_t)map->size_count + (size_t)j] >= 0)
        count_point(part, map->ranks[i], map->sizes[j]);
  tutti_status status = tutti_step_table_decision(&part->table, &written, error);
  if (status != TUTTI_OK)
    return status;
  /* A decision that was not measured anywhere has no penalty: that is said by points being 0. */
  (void)tutti_penalty_compute(map, part->decision, &part->before, NULL);
  (void)tutti_penalty_compute(map, &written, &part->after, NULL);
  tutti_decision_free(&written);
  return TUTTI_OK;
}

/* ---- all of it ---- */

void tutti_export_part_free(tutti_export_part *part)
{
  tutti_step_table_free(&part->table);
  memset(part, 0, sizeof *part);
}

/* What a tree tests must be a step of the message size, or the steps would say something else. */
static tutti_status check_steps(const tutti_target *target, const tutti_decision *decision, tutti_collective collective,
                                tutti_error *error)
{
  const tutti_decision_trees *trees = tutti_decision_get_trees(decision);
  for (int i = 0; trees && !target->trees && i < trees->count; i++) {
    const tutti_decision_tree *tree = &trees->items[i];
    if (!tree->answers[collective])
      continue;
    for (int n = 0; n < tree->classifier.node_count; n++) {
      int a = tree->classifier.nodes[n].attribute;
      if (a >= 0 && !tutti_expression_is_monotone(tree->expressions[a]))
        return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                          "%s: its tree of %s tests '%s', which is not monotone in the message size; %s can only hold "
                          "steps of the size (c and tutti can hold trees)",
                          decision->name, tutti_collective_name(collective), tree->definitions[a], target->name);
    }
    break;
  }
  return TUTTI_OK;
}

tutti_status tutti_export_part_create(const tutti_target *target, const tutti_decision *decision,
                                      tutti_collective collective, const tutti_range *range, tutti_export_part *part,
                                      tutti_error *error)
{
  struct fitting fitting = {target, decision, range, &part->table, error};
  *part = (tutti_export_part){.decision = decision, .map = range->map, .range = *range};
  if (target->unit(collective) == TUTTI_UNIT_ABSENT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s has no choice of algorithms for %s", decision->name,
                      target->name, tutti_collective_name(collective));
  tutti_status status = check_steps(target, decision, collective, error);
  if (status == TUTTI_OK)
    status = tutti_step_table_create(decision, collective, range, &part->table, error);
  if (status == TUTTI_OK && !tutti_step_table_answers(&part->table))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no answer for %s in the range asked about", decision->name,
                        tutti_collective_name(collective));
  if (status == TUTTI_OK)
    status = fit(&fitting);
  /* Totals of different communicators are different keys: joining such rows is left to tutti_size_blocks_create(). */
  if (status == TUTTI_OK && target->unit(collective) != TUTTI_UNIT_TOTAL)
    tutti_step_table_merge(&part->table);
  if (status == TUTTI_OK && range->map)
    status = count_loss(part, error);
  if (status != TUTTI_OK)
    tutti_export_part_free(part);
  return status;
}
