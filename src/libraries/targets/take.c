/* Making a decision fit a target: foreign methods replaced. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "libraries/targets/native.h"
#include "tutti/decision_tree.h"

struct taking {
  const tutti_target *target;
  const tutti_decision *decision;
  const tutti_range *range;
  tutti_step_table *table;
  tutti_error *error;
};

static tutti_status method_index(const struct taking *taking, const tutti_method *method, int *index)
{
  tutti_step_table *table = taking->table;
  for (*index = 0; *index < table->method_count; ++*index)
    if (tutti_method_compare(&table->methods[*index], method) == 0)
      return TUTTI_OK;
  tutti_method *grown = reallocarray(table->methods, (size_t)table->method_count + 1, sizeof *grown);
  if (!grown)
    return tutti_fail(taking->error, TUTTI_ERR_MEMORY, "out of memory for a table of steps");
  table->methods = grown;
  grown[table->method_count++] = *method;
  return TUTTI_OK;
}

/* The best native method of some points, which stands for `wanted`. */
static tutti_status replace(const struct taking *taking, const struct native_points *points, int ranks, int wanted,
                            const char *why, int *index)
{
  char name[TUTTI_METHOD_LENGTH], known[256];
  const tutti_decision_map *map = taking->range->map;
  int best = points ? tutti_native_best(taking->target, map, points, ranks) : -1;
  if (best >= 0)
    return method_index(taking, &map->methods[best], index);
  tutti_method_format(&taking->table->methods[wanted], name);
  if (!map)
    return tutti_fail(taking->error, TUTTI_ERR_ARGUMENT,
                      "%s: %s (%d ranks) %s %s; measurements (--platform) would show which other one costs least",
                      taking->decision->name, name, ranks, why, taking->target->name);
  return tutti_fail(taking->error, TUTTI_ERR_ARGUMENT,
                    "%s: %s (%d ranks) %s %s, and no method was measured there that it knows: measure %s",
                    taking->decision->name, name, ranks, why, taking->target->name,
                    tutti_target_known(taking->target, taking->table->collective, ranks, known, sizeof known));
}

static bool native(const struct taking *taking, int method, int ranks)
{
  return method < 0 || taking->target->knows(&taking->table->methods[method], ranks);
}

static tutti_status fit_step(const struct taking *taking, tutti_step_row *row, int index)
{
  const tutti_decision_map *map = taking->range->map;
  tutti_step *step = &row->steps[index];
  struct native_points points;
  if (native(taking, step->method, row->ranks))
    return TUTTI_OK;
  if (map)
    points = tutti_native_points_of(map, row->ranks, step->bytes, index + 1 < row->count ? step[1].bytes : UINT64_MAX);
  return replace(taking, map ? &points : NULL, row->ranks, step->method, "is foreign to", &step->method);
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
static tutti_status flatten(const struct taking *taking, tutti_step_row *row)
{
  const tutti_decision_map *map = taking->range->map;
  struct native_points points;
  int method = -1;
  bool several = false;
  for (int i = 0; i < row->count; i++) {
    several = several || (method >= 0 && row->steps[i].method >= 0 && row->steps[i].method != method);
    method = method < 0 ? row->steps[i].method : method;
  }
  row->count = 1;
  row->steps[0].method = method;
  if (!several && native(taking, method, row->ranks))
    return TUTTI_OK;
  if (map)
    points = tutti_native_points_of(map, row->ranks, 0, UINT64_MAX);
  return replace(taking, map ? &points : NULL, row->ranks, method,
                 several ? "is for some messages only, at whose size nothing looks in" : "is foreign to",
                 &row->steps[0].method);
}

static tutti_status fit_row(const struct taking *taking, tutti_step_row *row)
{
  tutti_status status = TUTTI_OK;
  if (taking->target->unit(taking->table->collective) == TUTTI_UNIT_NONE)
    return flatten(taking, row);
  for (int i = 0; i < row->count && status == TUTTI_OK; i++)
    status = fit_step(taking, row, i);
  if (status == TUTTI_OK)
    join_steps(row);
  return status;
}

/* ---- one method for everything ---- */

/* The method for all calls, before substitutes: the library has its own. False if there are several. */
static bool only_method(const struct taking *taking, tutti_method *only)
{
  const tutti_step_table *table = taking->table;
  tutti_question question = {.collective = table->collective, .ranks_per_node = table->ranks_per_node};
  tutti_method method;
  bool found = false;
  for (int i = 0; i < table->row_count; i++)
    for (int j = 0; j < table->rows[i].count; j++) {
      question.ranks = table->rows[i].ranks;
      question.rank_bytes = table->rows[i].steps[j].bytes;
      if (table->rows[i].steps[j].method < 0 || !taking->decision->decide(taking->decision, &question, &method))
        continue;
      if (found && tutti_method_compare(&method, only) != 0)
        return false;
      *only = method;
      found = true;
    }
  return found;
}

static tutti_status fit_all(const struct taking *taking)
{
  tutti_step_table *table = taking->table;
  const tutti_decision_map *map = taking->range->map;
  struct native_points points = map ? tutti_native_everywhere(map) : (struct native_points){0};
  int ranks = taking->range->most_ranks, index = 0;
  tutti_method only;
  bool single = only_method(taking, &only);
  tutti_status status = single ? method_index(taking, &only, &index) : TUTTI_OK;
  if (status == TUTTI_OK && !(single && taking->target->knows(&only, ranks)))
    status = replace(taking, map ? &points : NULL, ranks, index,
                     single ? "is foreign to" : "is for some calls only, between which there is no choice in", &index);
  for (int i = 1; i < table->row_count; i++)
    free(table->rows[i].steps);
  table->row_count = 1;
  table->rows[0].count = 1;
  table->rows[0].steps[0].method = index;
  return status;
}

static tutti_status fit(const struct taking *taking)
{
  tutti_status status = TUTTI_OK;
  if (taking->target->single)
    return fit_all(taking);
  for (int i = 0; i < taking->table->row_count && status == TUTTI_OK; i++)
    status = fit_row(taking, &taking->table->rows[i]);
  return status;
}

void tutti_handover_free(tutti_handover *handover)
{
  tutti_step_table_free(&handover->table);
  memset(handover, 0, sizeof *handover);
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
                          "%s: its tree of %s tests '%s', which is no step of the message size, and %s knows nothing "
                          "else (c and tutti do)",
                          decision->name, tutti_collective_name(collective), tree->definitions[a], target->name);
    }
    break;
  }
  return TUTTI_OK;
}

tutti_status tutti_target_take(const tutti_target *target, const tutti_decision *decision, tutti_collective collective,
                               const tutti_range *range, tutti_handover *handover, tutti_error *error)
{
  struct taking taking = {target, decision, range, &handover->table, error};
  *handover = (tutti_handover){.decision = decision, .map = range->map, .range = *range};
  if (target->unit(collective) == TUTTI_UNIT_ABSENT)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: %s has no choice of algorithms for %s", decision->name,
                      target->name, tutti_collective_name(collective));
  tutti_status status = check_steps(target, decision, collective, error);
  if (status == TUTTI_OK)
    status = tutti_step_table_create(decision, collective, range, &handover->table, error);
  if (status == TUTTI_OK && !tutti_step_table_answers(&handover->table))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no answer for %s in the range asked about", decision->name,
                        tutti_collective_name(collective));
  if (status == TUTTI_OK)
    status = fit(&taking);
  /* Totals of different communicators are different keys: joining such rows is left to tutti_target_blocks_create(). */
  if (status == TUTTI_OK && target->unit(collective) != TUTTI_UNIT_TOTAL)
    tutti_step_table_merge(&handover->table);
  if (status == TUTTI_OK && range->map)
    status = tutti_handover_count_loss(handover, error);
  if (status != TUTTI_OK)
    tutti_handover_free(handover);
  return status;
}
