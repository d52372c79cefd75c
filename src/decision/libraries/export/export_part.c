/* Making a decision fit a target: methods that it does not support are replaced, and the loss is counted. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "decision/libraries/export/export.h"
#include "decision/libraries/libraries.h"
#include "tutti/decision_tree.h"
#include "tutti/reproducible.h"

struct fitting {
  const tutti_target *target;
  const tutti_decision *decision;
  const tutti_range *range;
  tutti_step_table *table;
  tutti_tuning
      *tuning; /* the other parts of the file, by which the library picks parts of methods; NULL: it does not */
  tutti_error *error;
};

/* ---- what the target supports ---- */

/* Whether classes are asked of a reduction: nothing is left to the library, whose own choice has none. */
static bool is_asked(const struct fitting *fitting)
{
  return fitting->range->reproducible && tutti_collective_traits(fitting->table->collective) & TUTTI_REDUCES;
}

static bool reproduces(const struct fitting *fitting, const tutti_method *method)
{
  return tutti_target_reproduces(fitting->target, method, fitting->range->reproducible);
}

static bool has(const struct fitting *fitting, const tutti_method *method, int ranks)
{
  return tutti_target_supports(fitting->target, method, ranks) && reproduces(fitting, method);
}

/* Whether it is one of our methods made of others, whose parts the library picks. Told such a method, the library runs
   it with its own parts. */
static bool is_composite(const struct fitting *fitting, const tutti_method *method)
{
  return fitting->tuning && method->algorithm->parts[0].name && method->implementation == TUTTI_IMPLEMENTATION_TUTTI;
}

/* Whether the library runs this very method at a point. */
static bool supports_at(const struct fitting *fitting, const tutti_method *method, int ranks, uint64_t bytes)
{
  const tutti_explained_call call = {.collective = fitting->table->collective,
                                     .ranks = ranks,
                                     .ranks_per_node = fitting->range->ranks_per_node,
                                     .rank_bytes = bytes};
  if (!has(fitting, method, ranks))
    return false;
  return !is_composite(fitting, method) || tutti_tuning_runs(fitting->tuning, &call, method);
}

/* At the first and all measured sizes of the messages from `bytes` up to before `end`? */
static bool supports_over(const struct fitting *fitting, const tutti_method *method, int ranks, uint64_t bytes,
                          uint64_t end)
{
  const tutti_decision_map *map = fitting->range->map;
  if (!supports_at(fitting, method, ranks, bytes))
    return false;
  for (int i = 0; is_composite(fitting, method) && map && i < map->size_count; i++)
    if (map->sizes[i] > bytes && map->sizes[i] < end && !supports_at(fitting, method, ranks, map->sizes[i]))
      return false;
  return true;
}

/* ---- the best method that a target supports: the smallest sum of penalties over measured points ---- */

/* Points of a map: indices from first to last, inclusive. */
struct map_points {
  int first_ranks, last_ranks, first_size, last_size;
};

/* The messages of a step: from `bytes` up to before `end`. */
struct extent {
  int ranks;
  uint64_t bytes, end;
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

/* The points of messages from `bytes` up to before `end` at the measured communicator size nearest to `ranks`; else the
   one of the size nearest to `bytes`. */
static struct map_points map_points_of(const tutti_decision_map *map, const struct extent *extent)
{
  int row = nearest_ranks(map, extent->ranks), first = 0, last = map->size_count - 1;
  while (first < map->size_count && map->sizes[first] < extent->bytes)
    first++;
  while (last >= 0 && map->sizes[last] >= extent->end)
    last--;
  if (first > last)
    first = last = nearest_size(map, extent->bytes);
  return (struct map_points){row, row, first, last};
}

/* The loss of a method over some points. */
struct loss {
  int points;
  double percents;
};

static void add_loss(const tutti_decision_map *map, int i, int j, int method, struct loss *loss)
{
  int best = tutti_decision_map_best_at(map, i, j);
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

/* Index into the map's methods of the supported one with the smallest sum of penalties over the points; a method
   measured at more of them goes first. -1 if the target supports no measured one. */
static int best_supported(const struct fitting *fitting, const struct map_points *points, const struct extent *extent)
{
  const tutti_decision_map *map = fitting->range->map;
  struct loss min = {0};
  int best = -1;
  for (int method = 0; method < map->method_count; method++) {
    if (!tutti_candidates_have(&map->candidates, &map->methods[method]) ||
        !supports_over(fitting, &map->methods[method], extent->ranks, extent->bytes, extent->end))
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

/* A supported variant of an algorithm, by its name: "in-order-binomial" for "binomial". NULL: there is none. */
static const char *find_variant(const struct fitting *fitting, const tutti_method *method, int ranks)
{
  const tutti_algorithm *algorithm;
  const size_t length = strlen(method->algorithm->name);
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++) {
    const tutti_method other = tutti_method_default(algorithm);
    const size_t before = strlen(algorithm->name) - length;
    if (algorithm->collective == method->algorithm->collective && strlen(algorithm->name) > length &&
        algorithm->name[before - 1] == '-' && strcmp(algorithm->name + before, method->algorithm->name) == 0 &&
        has(fitting, &other, ranks))
      return algorithm->name;
  }
  return NULL;
}

enum { RANKS_TRIED = 64 };

/* " (7 ranks)" where the target has the method, for other numbers of ranks. */
static void name_ranks(const struct fitting *fitting, const tutti_method *method, int ranks, char text[32])
{
  bool elsewhere = false;
  for (int other = 2; other <= RANKS_TRIED && !elsewhere; other++)
    elsewhere = has(fitting, method, other);
  *text = '\0';
  if (elsewhere)
    snprintf(text, 32, " (%d ranks)", ranks);
}

/* The best supported method of some points (NULL: no map), which replaces `wanted`. */
static tutti_status replace(const struct fitting *fitting, const struct map_points *points, const struct extent *extent,
                            int wanted, const char *why, int *index)
{
  char name[TUTTI_METHOD_LENGTH] = "what the library chooses itself", remedy[480], on[32] = "", variant[80] = "";
  const tutti_method *method = wanted >= 0 ? &fitting->table->methods[wanted] : NULL;
  const tutti_decision_map *map = fitting->range->map;
  int best = points ? best_supported(fitting, points, extent) : -1, ranks = extent->ranks;
  if (best >= 0) {
    *index = tutti_step_table_method(fitting->table, &map->methods[best]);
    return TUTTI_OK;
  }
  const char *found = method ? find_variant(fitting, method, ranks) : NULL;
  if (method) {
    tutti_method_format(method, name);
    name_ranks(fitting, method, ranks, on);
  }
  if (found)
    snprintf(variant, sizeof variant, ", which has %.40s", found);
  if (!map)
    return tutti_fail(fitting->error, TUTTI_ERR_ARGUMENT,
                      "%s: %s%s %s %s%s; measurements (--platform) would show which other one costs least",
                      fitting->decision->name, name, on, why, fitting->target->name, variant);
  return tutti_fail(
      fitting->error, TUTTI_ERR_ARGUMENT, "%s: %s%s %s %s%s, and no method was measured there that it supports; %s%s",
      fitting->decision->name, name, on, why, fitting->target->name, variant,
      tutti_export_remedy(fitting->target, fitting->table->collective, ranks, fitting->range->reproducible, remedy,
                          sizeof remedy),
      is_asked(fitting) ? "" : " (after tutti bench --budget the store of its --output-db has all times)");
}

static bool supported(const struct fitting *fitting, int method, int ranks, uint64_t bytes)
{
  return method < 0 ? !is_asked(fitting) : supports_at(fitting, &fitting->table->methods[method], ranks, bytes);
}

static const char *why_not(const struct fitting *fitting, int method, int ranks)
{
  if (method < 0 || !reproduces(fitting, &fitting->table->methods[method]))
    return "lacks a class of reproducibility that was asked for, on";
  return tutti_target_supports(fitting->target, &fitting->table->methods[method], ranks)
             ? "has other parts than those of"
             : "is not supported by";
}

/* Steps are supported over all of their messages, or over none. */
static tutti_status fit_step(const struct fitting *fitting, tutti_step_row *row, int index)
{
  const tutti_decision_map *map = fitting->range->map;
  tutti_step *step = &row->steps[index];
  const struct extent extent = {row->ranks, step->bytes, index + 1 < row->count ? step[1].bytes : UINT64_MAX};
  struct map_points points;
  if (supported(fitting, step->method, row->ranks, step->bytes))
    return TUTTI_OK;
  if (map)
    points = map_points_of(map, &extent);
  return replace(fitting, map ? &points : NULL, &extent, step->method, why_not(fitting, step->method, row->ranks),
                 &step->method);
}

/* ---- steps of methods whose parts the library picks: cut where it picks others ---- */

/* Steps in the making. */
struct cutting {
  const struct fitting *fitting;
  int ranks;
  TUTTI_VECTOR(tutti_step);
};

static void add_cut(struct cutting *cutting, uint64_t bytes, int method)
{
  tutti_xpush(cutting, ((tutti_step){bytes, method}));
}

/* The cut between two messages of a step, if one is supported and the other is not. */
static void add_change(struct cutting *cutting, uint64_t low, uint64_t high, int method)
{
  bool first = supported(cutting->fitting, method, cutting->ranks, low);
  if (supported(cutting->fitting, method, cutting->ranks, high) == first)
    return;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (supported(cutting->fitting, method, cutting->ranks, middle) == first)
      low = middle;
    else
      high = middle;
  }
  add_cut(cutting, high, method);
}

/* The next message that is looked at: a measured one, a power of two, the last one before `end`. */
static uint64_t next_message(const tutti_decision_map *map, uint64_t bytes, uint64_t end)
{
  uint64_t next = end - 1, power = 1;
  while (power <= bytes && power < UINT64_C(1) << 62)
    power *= 2;
  next = power > bytes && power < next ? power : next;
  for (int i = 0; map && i < map->size_count; i++)
    if (map->sizes[i] > bytes && map->sizes[i] < next)
      next = map->sizes[i];
  return next;
}

static void cut_step(struct cutting *cutting, const tutti_step *step, uint64_t end)
{
  add_cut(cutting, step->bytes, step->method);
  if (step->method < 0 || !is_composite(cutting->fitting, &cutting->fitting->table->methods[step->method]))
    return;
  for (uint64_t low = step->bytes, high; low < end - 1; low = high) {
    high = next_message(cutting->fitting->range->map, low, end);
    add_change(cutting, low, high, step->method);
  }
}

static void cut_row(const struct fitting *fitting, tutti_step_row *row)
{
  struct cutting cutting = {.fitting = fitting, .ranks = row->ranks};
  for (int i = 0; i < row->count; i++)
    cut_step(&cutting, &row->steps[i], i + 1 < row->count ? row->steps[i + 1].bytes : UINT64_MAX);
  free(row->steps);
  row->steps = cutting.items;
  row->count = (int)cutting.count;
}

/* A row whose messages the target cannot distinguish, or which must all have one tree: the method of all its steps, or
 * the best one. */
static tutti_status flatten(const struct fitting *fitting, tutti_step_row *row)
{
  const tutti_decision_map *map = fitting->range->map;
  const struct extent all = {row->ranks, 0, UINT64_MAX};
  struct map_points points;
  int method = -1;
  bool several = false;
  for (int i = 0; i < row->count; i++) {
    several = several || (method >= 0 && row->steps[i].method >= 0 && row->steps[i].method != method);
    method = method < 0 ? row->steps[i].method : method;
  }
  row->count = 1;
  row->steps[0].method = method;
  if (method < 0 ? !is_asked(fitting)
                 : !several && supports_over(fitting, &fitting->table->methods[method], row->ranks, 0, UINT64_MAX))
    return TUTTI_OK;
  if (map)
    points = map_points_of(map, &all);
  return replace(fitting, map ? &points : NULL, &all, method,
                 several ? is_asked(fitting) ? "has not the tree of the other sizes, on"
                                             : "serves some message sizes only, which are all the same to"
                         : why_not(fitting, method, row->ranks),
                 &row->steps[0].method);
}

/* Whether a result of the row keeps its bits at all sizes where that is asked: by one method, or by one tree of
 * several.
 */
static bool keeps_bits(const struct fitting *fitting, const tutti_step_row *row)
{
  bool aligned = true;
  for (int i = 0; i < row->count && is_asked(fitting); i++)
    aligned = aligned && tutti_target_reproduces(fitting->target, &fitting->table->methods[row->steps[i].method],
                                                 TUTTI_REPRODUCIBLE_ALIGNED);
  return !is_asked(fitting) || !(fitting->range->reproducible & TUTTI_REPRODUCIBLE_SIZE) || row->count == 1 || aligned;
}

static tutti_status fit_row(const struct fitting *fitting, tutti_step_row *row)
{
  tutti_status status = TUTTI_OK;
  if (fitting->target->unit(fitting->table->collective) == TUTTI_UNIT_NONE)
    return flatten(fitting, row);
  if (fitting->tuning)
    cut_row(fitting, row);
  for (int i = 0; i < row->count && status == TUTTI_OK; i++)
    status = fit_step(fitting, row, i);
  if (status == TUTTI_OK)
    tutti_step_row_join(row);
  return status == TUTTI_OK && !keeps_bits(fitting, row) ? flatten(fitting, row) : status;
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
  const struct extent all = {fitting->range->max_ranks, 0, UINT64_MAX};
  tutti_method only;
  tutti_status status = TUTTI_OK;
  bool single = only_method(fitting, &only);
  int index = single ? tutti_step_table_method(table, &only) : 0;
  if (!(single && has(fitting, &only, all.ranks)))
    status = replace(fitting, map ? &points : NULL, &all, index,
                     single ? why_not(fitting, index, all.ranks) : "serves some calls only, which are all the same to",
                     &index);
  for (int i = 1; i < table->row_count; i++)
    free(table->rows[i].steps);
  table->row_count = 1;
  table->rows[0].count = 1;
  table->rows[0].steps[0].method = index;
  return status;
}

/* ---- content of files: names without an implementation, and nothing where the library chooses ---- */

/* The method of the table for one of a file; -1: the library's own choice. */
static int spell(const struct fitting *fitting, int method)
{
  const tutti_method as_is = fitting->table->methods[method];
  const tutti_method ours = tutti_method_as(&as_is, TUTTI_IMPLEMENTATION_TUTTI);
  const bool own = fitting->target->own_choice && tutti_method_is_native(&as_is) && as_is.parameters.k == 0;
  return own ? -1 : tutti_step_table_method(fitting->table, &ours);
}

static void spell_all(const struct fitting *fitting)
{
  for (int i = 0; i < fitting->table->row_count; i++) {
    tutti_step_row *row = &fitting->table->rows[i];
    for (int j = 0; j < row->count; j++)
      if (row->steps[j].method >= 0)
        row->steps[j].method = spell(fitting, row->steps[j].method);
    tutti_step_row_join(row);
  }
}

static tutti_status fit(const struct fitting *fitting)
{
  tutti_status status = TUTTI_OK;
  if (fitting->target->single)
    status = fit_all(fitting);
  for (int i = 0; !fitting->target->single && i < fitting->table->row_count && status == TUTTI_OK; i++)
    status = fit_row(fitting, &fitting->table->rows[i]);
  if (status == TUTTI_OK)
    spell_all(fitting);
  return status;
}

/* ---- a part ---- */

void tutti_export_part_free(tutti_export_part *part)
{
  tutti_step_table_free(&part->table);
  memset(part, 0, sizeof *part);
}

/* The tests of a tree must be steps of the message size, or the steps would differ from it. */
static tutti_status check_steps(const tutti_target *target, const tutti_decision *decision, tutti_collective collective,
                                bool holds_trees, tutti_error *error)
{
  const tutti_decision_trees *trees = tutti_decision_get_trees(decision);
  for (int i = 0; trees && !holds_trees && i < trees->count; i++) {
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

/* Only the library itself can be told to run its algorithms. Exported trees may name more methods than their steps. */
static tutti_status check_implementations(const tutti_target *target, const tutti_decision *decision,
                                          const tutti_step_table *table, tutti_error *error)
{
  tutti_implementation own = tutti_target_implementation(target), named = TUTTI_IMPLEMENTATION_TUTTI;
  if (target->trees && tutti_decision_get_trees(decision))
    named = decision->implementation;
  for (int i = 0; i < table->method_count && (named == TUTTI_IMPLEMENTATION_TUTTI || named == own); i++)
    named = table->methods[i].implementation;
  if (named == TUTTI_IMPLEMENTATION_TUTTI || named == own)
    return TUTTI_OK;
  const char *name = tutti_implementation_name(named);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                    "%s names algorithms as %s runs them (%s/...@%s): only files for %s can say them, not %s",
                    decision->name, name, tutti_collective_name(table->collective), name, name, target->name);
}

/* The library's picks are only needed for methods made of others. */
static bool has_composites(const tutti_step_table *table, const tutti_decision_map *map)
{
  for (int i = 0; i < table->method_count; i++)
    if (table->methods[i].algorithm->parts[0].name)
      return true;
  for (int i = 0; map && i < map->method_count; i++)
    if (map->methods[i].algorithm->parts[0].name)
      return true;
  return false;
}

static tutti_status fit_beside(struct fitting *fitting, const tutti_export_part *others, int count)
{
  bool picks = tutti_library_version_of_target(fitting->target).library->pick_parts;
  tutti_status status = picks && has_composites(fitting->table, fitting->range->map)
                            ? tutti_tuning_of_parts(fitting->target, others, count, &fitting->tuning, fitting->error)
                            : TUTTI_OK;
  if (status == TUTTI_OK)
    status = fit(fitting);
  tutti_tuning_close(fitting->tuning);
  return status;
}

bool tutti_export_comes_last(tutti_collective collective)
{
  const tutti_algorithm *algorithm;
  for (size_t i = 0; (algorithm = tutti_algorithm_at(i)); i++)
    for (int p = 0; algorithm->collective == collective && p < TUTTI_MAX_PARTS && algorithm->parts[p].name; p++)
      if (algorithm->parts[p].collective != collective)
        return true;
  return false;
}

tutti_status tutti_export_part_create(const tutti_target *target, const tutti_decision *decision,
                                      tutti_collective collective, const tutti_range *range,
                                      const tutti_export_part *others, int other_count, tutti_export_part *part,
                                      tutti_error *error)
{
  struct fitting fitting = {
      .target = target, .decision = decision, .range = range, .table = &part->table, .error = error};
  *part = (tutti_export_part){.decision = decision, .map = range->map, .range = *range};
  if (target->unit(collective) == TUTTI_UNIT_ABSENT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s has no choice of algorithms for %s", decision->name,
                      target->name, tutti_collective_name(collective));
  tutti_status status = check_steps(target, decision, collective, target->trees && !range->reproducible, error);
  if (status == TUTTI_OK)
    status = tutti_step_table_create(decision, collective, range, &part->table, error);
  if (status == TUTTI_OK && !tutti_step_table_answers(&part->table))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no answer for %s in the range asked about", decision->name,
                        tutti_collective_name(collective));
  if (status == TUTTI_OK)
    status = check_implementations(target, decision, &part->table, error);
  if (status == TUTTI_OK)
    status = fit_beside(&fitting, others, other_count);
  if (status == TUTTI_OK)
    status = tutti_export_leave_own_choice(target, &part->table, is_asked(&fitting), error);
  if (status == TUTTI_OK && range->map)
    status = tutti_export_count_loss(target, others, other_count, part, error);
  if (status != TUTTI_OK)
    tutti_export_part_free(part);
  return status;
}
