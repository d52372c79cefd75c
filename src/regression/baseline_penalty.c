/* Decision functions in baselines: their penalties on what was measured. */
#include <stdlib.h>
#include <string.h>

#include "regression/baseline_private.h"
#include "tutti/decision_tree.h"
#include "tutti/library.h"

/* The name of a library, a method, or a file. */
static tutti_status read_decision(const tutti_baseline *baseline, const tutti_baseline_entry *line,
                                  tutti_decision *decision, tutti_error *error)
{
  tutti_method method;
  if (tutti_library_named(line->decision))
    return tutti_decision_library(line->decision, line->collective, decision, error);
  if (tutti_method_parse(line->decision, &method, NULL) == TUTTI_OK)
    return tutti_decision_single(&method, decision, error);
  char *path = tutti_baseline_beside(baseline, line->decision);
  if (!path)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", baseline->path);
  tutti_status status = tutti_decision_read(path, decision, error);
  free(path);
  if (status == TUTTI_OK)
    decision->collective = line->collective;
  return status;
}

/* Those of one collective, from the front of @p some, which has room for all. */
static size_t select_collective(const tutti_measurement *measurements, size_t count, tutti_collective collective,
                                tutti_measurement *some)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (measurements[i].method.algorithm->collective == collective)
      some[kept++] = measurements[i];
  return kept;
}

static tutti_status make_map(const tutti_measurement *measurements, size_t count, tutti_collective collective,
                             tutti_decision_map *map, tutti_error *error)
{
  tutti_measurement *some = calloc(count + 1, sizeof *some);
  if (!some)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu measurements", count);
  size_t kept = select_collective(measurements, count, collective, some);
  tutti_status status = kept ? tutti_decision_map_create(some, kept, map, error)
                             : tutti_fail(error, TUTTI_ERR_ARGUMENT, "no operation of %s is measured in its section",
                                          tutti_collective_name(collective));
  free(some);
  return status;
}

static tutti_status compute(const tutti_baseline *baseline, const tutti_baseline_entry *line,
                            const tutti_measurement *measurements, size_t count, tutti_penalty *penalty,
                            tutti_error *error)
{
  tutti_decision decision = {0};
  tutti_decision_map map = {0};
  tutti_status status = read_decision(baseline, line, &decision, error);
  if (status != TUTTI_OK)
    return status;
  status = make_map(measurements, count, line->collective, &map, error);
  if (status == TUTTI_OK)
    status = tutti_penalty_compute(&map, &decision, penalty, error);
  tutti_decision_map_free(&map);
  tutti_decision_free(&decision);
  return status;
}

static tutti_status append(const tutti_baseline_entry *line, const tutti_penalty *penalty,
                           tutti_baseline_section *section, tutti_error *error)
{
  tutti_baseline_entry entry;
  if (!tutti_baseline_entry_of_decision(line->decision, line->collective, &entry)) {
    tutti_baseline_entry_free(&entry);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", line->key);
  }
  entry.values[TUTTI_METRIC_MEAN] = penalty->mean;
  entry.values[TUTTI_METRIC_WORST] = penalty->maximum;
  entry.values[TUTTI_METRIC_POINTS] = penalty->points;
  return tutti_baseline_append(section, &entry, error);
}

tutti_status tutti_baseline_take_penalties(const tutti_baseline *baseline, const tutti_baseline_section *asked,
                                           const tutti_measurement *measurements, size_t count,
                                           tutti_baseline_section *section, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < asked->count && status == TUTTI_OK; i++) {
    const tutti_baseline_entry *line = &asked->entries[i];
    tutti_penalty penalty;
    tutti_error reason;
    if (line->kind != TUTTI_BASELINE_DECISION)
      continue;
    status = compute(baseline, line, measurements, count, &penalty, &reason);
    if (status != TUTTI_OK)
      return tutti_fail(error, status, "%s:%d: %.400s", baseline->path, line->line, reason.message);
    status = append(line, &penalty, section, error);
  }
  tutti_baseline_sort(section);
  return status;
}
