/* Values of the lines of a baseline: from the store, from counting schedules, and penalties of decisions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiments/plan/plan.h"
#include "harness/experiments/regression/private.h"
#include "harness/store/rows.h"
#include "tutti/analysis.h"
#include "tutti/decision_tree.h"

/* Measured values of a section. */
struct measured {
  TUTTI_VECTOR(tutti_measurement);
};

/* The line of the same point, whose key is freed; NULL if the store has it from another experiment. */
static tutti_baseline_entry *line_of(tutti_baseline_section *section, tutti_baseline_entry key)
{
  tutti_baseline_entry *found = tutti_baseline_find(section, &key);
  tutti_baseline_entry_free(&key);
  return found;
}

/* ---- the store ---- */

static void add_measurement(tutti_baseline_section *section, const tutti_measurement *row, struct measured *measured)
{
  const tutti_point point = {
      .ranks = row->ranks, .method = row->method, .root = row->root, .count = row->count, .type_size = row->type_size};
  tutti_baseline_entry *entry = line_of(section, tutti_baseline_entry_of_point(&point));
  if (!entry)
    return;
  entry->values[TUTTI_METRIC_TIME] = row->median;
  tutti_xpush(measured, *row);
}

static tutti_status read_collective(tutti_store *store, const tutti_selection *selection,
                                    tutti_baseline_section *section, struct measured *measured, tutti_error *error)
{
  tutti_measurement *rows = NULL;
  size_t count = 0;
  tutti_status status = tutti_store_read(store, selection, &rows, &count, error);
  for (size_t i = 0; i < count; i++)
    add_measurement(section, &rows[i], measured);
  free(rows);
  return status;
}

/* Metrics have the names of columns. */
static void set_row(tutti_baseline_section *section, enum tutti_row kind, const void *row)
{
  tutti_baseline_entry *entry = line_of(section, tutti_baseline_entry_of_row(kind, row));
  for (int m = 0; entry && m < TUTTI_METRICS; m++) {
    const char *name = m == TUTTI_METRIC_TIME ? "median_s" : tutti_metric_name((tutti_metric)m);
    const struct tutti_row_column *column = tutti_column_find(tutti_kind_of(kind), name);
    if (column)
      entry->values[m] = tutti_row_number(column, row);
  }
}

static tutti_status read_rows(tutti_store *store, const tutti_selection *selection, enum tutti_row kind,
                              tutti_baseline_section *section, tutti_error *error)
{
  void *rows = NULL;
  size_t count = 0;
  tutti_status status = tutti_store_read_rows(store, kind, selection, &rows, &count, NULL, error);
  for (size_t i = 0; i < count; i++)
    set_row(section, kind, (const char *)rows + i * tutti_kind_of(kind)->size);
  free(rows);
  return status;
}

static tutti_status check_complete(const tutti_baseline_section *section, tutti_error *error)
{
  for (size_t i = 0; i < section->count; i++)
    if (isnan(section->entries[i].values[TUTTI_METRIC_TIME]))
      return tutti_fail(error, TUTTI_ERR_FAULT, "%s: %s was measured, but is not in the store", section->name,
                        section->entries[i].key);
  return TUTTI_OK;
}

static tutti_status read_times(tutti_store *store, const tutti_experiment *experiment, tutti_baseline_section *section,
                               struct measured *measured, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  tutti_selection selection = {.platform = section->platform,
                               .platform_hash = section->platform_hash,
                               .library = section->library,
                               .scheme = (int)experiment->measure.scheme};
  for (int c = 0; c < TUTTI_COLL_COUNT && status == TUTTI_OK; c++)
    if (tutti_experiment_has(experiment, (tutti_collective)c)) {
      selection.collective = (tutti_collective)c;
      status = read_collective(store, &selection, section, measured, error);
    }
  if (status == TUTTI_OK && experiment->group_count > 0)
    status = read_rows(store, &selection, TUTTI_ROW_GROUP, section, error);
  if (status == TUTTI_OK && experiment->result_count > 0)
    status = read_rows(store, &selection, (enum tutti_row)(TUTTI_ROW_SORT + experiment->result_kind), section, error);
  return status == TUTTI_OK ? check_complete(section, error) : status;
}

/* ---- schedules ---- */

/* Elements of the measuring program have one byte each. */
static tutti_status count_entry(tutti_baseline_entry *entry, tutti_error *error)
{
  tutti_total total;
  tutti_call call = {
      .size = entry->ranks, .root = entry->root, .count = entry->bytes, .type_size = 1, .commutative = true};
  tutti_status status = tutti_count_method(&entry->method, &call, &total, error);
  if (status != TUTTI_OK)
    return status;
  entry->values[TUTTI_METRIC_MESSAGES] = (double)total.sum.sends;
  entry->values[TUTTI_METRIC_SENT] = (double)total.sum.elements_sent;
  entry->values[TUTTI_METRIC_MEMORY] = (double)total.maximum.temporary_elements;
  return TUTTI_OK;
}

static tutti_status count_entries(tutti_baseline_section *section, tutti_error *error)
{
  tutti_error reason;
  for (size_t i = 0; i < section->count; i++) {
    tutti_baseline_entry *entry = &section->entries[i];
    if (entry->kind != TUTTI_BASELINE_COLLECTIVE || tutti_method_is_library(&entry->method))
      continue;
    tutti_status status = count_entry(entry, &reason);
    if (status != TUTTI_OK)
      return tutti_fail(error, status, "%s: %.400s", entry->key, reason.message);
  }
  return TUTTI_OK;
}

/* ---- penalties ---- */

/* The name of a library, a method, or a file. */
static tutti_status read_decision(const tutti_baseline *baseline, const tutti_baseline_entry *line,
                                  tutti_decision *decision, tutti_error *error)
{
  tutti_method method;
  if (tutti_library_named(line->decision))
    return tutti_decision_library(line->decision, line->collective, decision, error);
  if (tutti_method_parse(line->decision, &method, NULL) == TUTTI_OK) {
    *decision = tutti_decision_single(&method);
    return TUTTI_OK;
  }
  char *path = tutti_baseline_beside(baseline, line->decision);
  tutti_status status = tutti_decision_read(path, decision, error);
  free(path);
  if (status == TUTTI_OK)
    decision->collective = line->collective;
  return status;
}

static tutti_status make_map(const struct measured *measured, tutti_collective collective, tutti_decision_map *map,
                             tutti_error *error)
{
  struct measured some = {0};
  for (size_t i = 0; i < measured->count; i++)
    if (measured->items[i].method.algorithm->collective == collective)
      tutti_xpush(&some, measured->items[i]);
  tutti_status status = some.count > 0
                            ? tutti_decision_map_create(some.items, some.count, map, error)
                            : tutti_fail(error, TUTTI_ERR_ARGUMENT, "no operation of %s is measured in its section",
                                         tutti_collective_name(collective));
  tutti_vector_free(&some);
  return status;
}

static tutti_status compute(const tutti_baseline *baseline, const tutti_baseline_entry *line,
                            const struct measured *measured, tutti_penalty *penalty, tutti_error *error)
{
  tutti_decision decision = {0};
  tutti_decision_map map = {0};
  tutti_status status = read_decision(baseline, line, &decision, error);
  if (status != TUTTI_OK)
    return status;
  status = make_map(measured, line->collective, &map, error);
  if (status == TUTTI_OK)
    status = tutti_penalty_compute(&map, &decision, penalty, error);
  tutti_decision_map_free(&map);
  tutti_decision_free(&decision);
  return status;
}

static tutti_status add_penalties(const tutti_baseline *baseline, const tutti_baseline_section *asked,
                                  const struct measured *measured, tutti_baseline_section *section, tutti_error *error)
{
  for (size_t i = 0; i < asked->count; i++) {
    const tutti_baseline_entry *line = &asked->entries[i];
    tutti_penalty penalty;
    tutti_error reason;
    if (line->kind != TUTTI_BASELINE_DECISION)
      continue;
    tutti_status status = compute(baseline, line, measured, &penalty, &reason);
    if (status != TUTTI_OK)
      return tutti_fail(error, status, "%s:%d: %.400s", baseline->path, line->line, reason.message);
    tutti_baseline_entry entry = tutti_baseline_entry_of_decision(line->decision, line->collective);
    entry.values[TUTTI_METRIC_MEAN] = penalty.mean;
    entry.values[TUTTI_METRIC_WORST] = penalty.max;
    entry.values[TUTTI_METRIC_POINTS] = penalty.points;
    tutti_baseline_append(section, entry);
  }
  tutti_baseline_sort(section);
  return TUTTI_OK;
}

tutti_status tutti_baseline_take_values(const tutti_baseline *baseline, const tutti_baseline_section *asked,
                                        const tutti_experiment *experiment, tutti_store *store,
                                        tutti_baseline_section *section, tutti_error *error)
{
  struct measured measured = {0};
  tutti_status status = read_times(store, experiment, section, &measured, error);
  if (status == TUTTI_OK)
    status = count_entries(section, error);
  if (status == TUTTI_OK)
    status = add_penalties(baseline, asked, &measured, section, error);
  tutti_vector_free(&measured);
  return status;
}
