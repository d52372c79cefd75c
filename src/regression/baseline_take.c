/* Values of the lines of a baseline: from the store, and from counting schedules. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regression/baseline_private.h"
#include "tutti/analysis.h"

/* The line of a point; NULL if the store has it from another experiment. *enough says whether memory was. */
static tutti_baseline_entry *line_of(tutti_baseline_section *section, const tutti_point *point, bool *enough)
{
  tutti_baseline_entry key, *found = NULL;
  *enough = tutti_baseline_entry_of_point(point, &key);
  if (*enough)
    found = tutti_baseline_find(section, &key);
  tutti_baseline_entry_free(&key);
  return found;
}

static tutti_status out_of_memory(const tutti_baseline_section *section, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for its values", section->name);
}

/* ---- operations ---- */

/* Those of this section are moved to the front; *count is their number. */
static tutti_status take_measurements(tutti_baseline_section *section, tutti_measurement *measurements, size_t *count,
                                      tutti_error *error)
{
  size_t kept = 0;
  for (size_t i = 0; i < *count; i++) {
    const tutti_measurement *measured = &measurements[i];
    bool enough;
    tutti_point point = {.ranks = measured->ranks,
                         .method = measured->method,
                         .root = measured->root,
                         .count = measured->count,
                         .type_size = measured->type_size};
    tutti_baseline_entry *entry = line_of(section, &point, &enough);
    if (!enough)
      return out_of_memory(section, error);
    if (!entry)
      continue;
    entry->values[TUTTI_METRIC_TIME] = measured->median;
    measurements[kept++] = *measured;
  }
  *count = kept;
  return TUTTI_OK;
}

static tutti_status append(const tutti_measurement *more, size_t more_count, tutti_measurement **all, size_t *count)
{
  if (more_count == 0)
    return TUTTI_OK;
  tutti_measurement *grown = reallocarray(*all, *count + more_count, sizeof *grown);
  if (!grown)
    return TUTTI_ERR_MEMORY;
  memcpy(grown + *count, more, more_count * sizeof *more);
  *all = grown;
  *count += more_count;
  return TUTTI_OK;
}

static tutti_status take_collective(tutti_store *store, const tutti_selection *selection,
                                    tutti_baseline_section *section, tutti_measurement **all, size_t *count,
                                    tutti_error *error)
{
  tutti_measurement *measurements = NULL;
  size_t found = 0;
  tutti_status status = tutti_store_read(store, selection, &measurements, &found, error);
  if (status == TUTTI_OK)
    status = take_measurements(section, measurements, &found, error);
  if (status == TUTTI_OK && append(measurements, found, all, count) != TUTTI_OK)
    status = out_of_memory(section, error);
  free(measurements);
  return status;
}

static bool has_collective(const tutti_experiment *experiment, int collective)
{
  for (int i = 0; i < experiment->sweep_count; i++)
    if ((int)experiment->sweeps[i].collective == collective)
      return true;
  return false;
}

/* ---- groups, sorts, ranges ---- */

static void set_build(tutti_baseline_entry *entry, const tutti_group_run *build)
{
  entry->values[TUTTI_METRIC_TIME] = build->median;
  entry->values[TUTTI_METRIC_MESSAGES] = (double)tutti_group_counted_messages(&build->counts);
  entry->values[TUTTI_METRIC_SENT] = (double)build->counts.sums[TUTTI_GROUP_BYTES];
  entry->values[TUTTI_METRIC_MEMORY] = (double)build->counts.maxima[TUTTI_GROUP_MEMORY];
}

static tutti_status take_builds(tutti_store *store, const tutti_selection *selection, tutti_baseline_section *section,
                                tutti_error *error)
{
  tutti_group_run *builds = NULL;
  size_t count = 0;
  bool enough = true;
  tutti_status status = tutti_store_read_builds(store, selection, &builds, &count, error);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++) {
    tutti_point point = {.ranks = builds[i].point.sample.size, .build = builds[i].point};
    tutti_baseline_entry *entry = line_of(section, &point, &enough);
    if (entry)
      set_build(entry, &builds[i]);
    if (!enough)
      status = out_of_memory(section, error);
  }
  free(builds);
  return status;
}

static void set_result(tutti_baseline_entry *entry, const tutti_result *result)
{
  if (result->kind == TUTTI_RESULT_RANGE) {
    entry->values[TUTTI_METRIC_TIME] = result->values[TUTTI_RANGE_FIELD_MEDIAN].seconds;
    return;
  }
  entry->values[TUTTI_METRIC_TIME] = result->values[TUTTI_SORT_FIELD_MEDIAN].seconds;
  entry->values[TUTTI_METRIC_MESSAGES] = (double)result->values[TUTTI_SORT_FIELD_MESSAGES].whole;
  entry->values[TUTTI_METRIC_SENT] = (double)result->values[TUTTI_SORT_FIELD_SENT].whole;
}

static tutti_status take_results(tutti_store *store, const tutti_selection *selection, tutti_result_kind kind,
                                 tutti_baseline_section *section, tutti_error *error)
{
  tutti_result *results = NULL;
  size_t count = 0;
  bool enough = true;
  tutti_status status = tutti_store_read_results(store, selection, kind, &results, &count, error);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++) {
    tutti_point point = {.ranks = tutti_result_ranks(&results[i], 0), .result = &results[i]};
    tutti_baseline_entry *entry = line_of(section, &point, &enough);
    if (entry)
      set_result(entry, &results[i]);
    if (!enough)
      status = out_of_memory(section, error);
  }
  free(results);
  return status;
}

/* ---- all ---- */

static tutti_status check_complete(const tutti_baseline_section *section, tutti_error *error)
{
  for (size_t i = 0; i < section->count; i++)
    if (isnan(section->entries[i].values[TUTTI_METRIC_TIME]))
      return tutti_fail(error, TUTTI_ERR_FAULT, "%s: %s was measured, but is not in the store", section->name,
                        section->entries[i].key);
  return TUTTI_OK;
}

tutti_status tutti_baseline_take_times(tutti_store *store, const tutti_experiment *experiment,
                                       tutti_baseline_section *section, tutti_measurement **measurements, size_t *count,
                                       tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  tutti_selection selection = {.platform = section->platform,
                               .platform_hash = section->platform_hash,
                               .library = section->library,
                               .scheme = (int)experiment->measure.scheme};
  for (int c = 0; c < TUTTI_COLL_COUNT && status == TUTTI_OK; c++)
    if (has_collective(experiment, c)) {
      selection.collective = (tutti_collective)c;
      status = take_collective(store, &selection, section, measurements, count, error);
    }
  if (status == TUTTI_OK && experiment->group_count > 0)
    status = take_builds(store, &selection, section, error);
  if (status == TUTTI_OK && experiment->result_count > 0)
    status = take_results(store, &selection, experiment->result_kind, section, error);
  return status == TUTTI_OK ? check_complete(section, error) : status;
}

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

tutti_status tutti_baseline_take_counts(tutti_baseline_section *section, tutti_error *error)
{
  tutti_error reason;
  for (size_t i = 0; i < section->count; i++) {
    tutti_baseline_entry *entry = &section->entries[i];
    if (entry->kind != TUTTI_BASELINE_COLLECTIVE || tutti_method_is_native(&entry->method))
      continue;
    tutti_status status = count_entry(entry, &reason);
    if (status != TUTTI_OK)
      return tutti_fail(error, status, "%s: %.400s", entry->key, reason.message);
  }
  return TUTTI_OK;
}
