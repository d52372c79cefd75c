/* tutti penalty --against: what decisions gain over one of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/penalty/penalty.h"
#include "cli/penalty/penalty_keep.h"
#include "cli/penalty/report_against.h"

static tutti_status allocate_times(const struct measured_map *measured, double **times, tutti_error *error)
{
  size_t points = (size_t)measured->map.ranks_count * (size_t)measured->map.size_count;
  *times = reallocarray(NULL, points, sizeof **times);
  return *times ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the times of %zu points", points);
}

/* All decisions must be about the collective of the first one, whose map @p measured has from then on. */
static tutti_status take_times(const struct penalty_options *chosen, const char *name, struct measured_map *measured,
                               double **times, tutti_error *error)
{
  struct evaluated evaluated = {0};
  tutti_collective before = measured->map.collective;
  bool first = !measured->map.best;
  tutti_status status = penalty_read_decision(chosen, name, &evaluated, measured, error);
  if (status == TUTTI_OK && !first && measured->map.collective != before)
    status =
        tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s is about %s, %s about %s: what could it gain over it?", name,
                   tutti_collective_name(measured->map.collective), chosen->against, tutti_collective_name(before));
  if (status == TUTTI_OK)
    status = allocate_times(measured, times, error);
  if (status == TUTTI_OK)
    tutti_decision_times(&measured->map, &evaluated.decision, *times);
  evaluated_free(&evaluated);
  return status;
}

static tutti_status fill_against(const struct penalty_options *chosen, struct measured_map *measured,
                                 struct against *against, tutti_error *error)
{
  tutti_status status = take_times(chosen, chosen->against, measured, &against->reference, error);
  against->rows[0].name = "best measured";
  if (status == TUTTI_OK)
    status = allocate_times(measured, &against->rows[0].times, error);
  if (status == TUTTI_OK)
    against_best_times(&measured->map, against->rows[0].times);
  for (int i = 0; i < chosen->count && status == TUTTI_OK; i++) {
    against->rows[1 + i].name = chosen->names[i];
    status = take_times(chosen, chosen->names[i], measured, &against->rows[1 + i].times, error);
  }
  return status;
}

static void free_against(struct against *against)
{
  for (int i = 0; against->rows && i < against->count; i++)
    free(against->rows[i].times);
  free(against->rows);
  free(against->reference);
}

/* "best", "best/ranks=24": of all points, or of those of a number of ranks. */
static tutti_status keep_row(const struct penalty_options *chosen, const struct measured_map *measured,
                             const struct against *against, int row, uint64_t ranks, tutti_error *error)
{
  const char *name = chosen->keep_as ? chosen->keep_as : row > 0 ? against->rows[row].name : "best";
  tutti_result result;
  char text[2 * TUTTI_RESULT_WORD];
  int length = ranks > 0 ? snprintf(text, sizeof text, "%s/ranks=%d", name, (int)ranks)
                         : snprintf(text, sizeof text, "%s", name);
  if (length >= TUTTI_RESULT_WORD || strlen(against->name) >= TUTTI_RESULT_WORD)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%s' against '%s' is too long to be kept", name, against->name);
  tutti_status status = against_result(against, &against->rows[row], ranks, &result, error);
  if (status != TUTTI_OK || result.values[TUTTI_PENALTY_FIELD_POINTS].whole == 0)
    return status;
  result.ranks_per_node = measured->ranks_per_node;
  tutti_result_set_word(&result, TUTTI_PENALTY_FIELD_DECISION, text);
  tutti_result_set_word(&result, TUTTI_PENALTY_FIELD_BASIS, against->name);
  result.values[TUTTI_PENALTY_FIELD_ROOT].whole = (uint64_t)measured->root;
  return penalty_keep_result(&chosen->selection, measured->map.collective, &result, error);
}

static tutti_status keep_all(const struct penalty_options *chosen, const struct measured_map *measured,
                             const struct against *against, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  int parts = against->ranks_count > 0 ? against->ranks_count : 1;
  for (int row = 0; row < against->count; row++)
    for (int part = 0; part < parts && status == TUTTI_OK; part++)
      status = keep_row(chosen, measured, against, row, against->ranks_count > 0 ? against->ranks[part] : 0, error);
  return status;
}

tutti_status penalty_show_against(const struct penalty_options *chosen, tutti_error *error)
{
  struct measured_map measured = {0};
  struct against against = {.map = &measured.map,
                            .platform = chosen->selection.platform,
                            .name = chosen->against,
                            .ranks_count = chosen->ranks_count,
                            .ranks = chosen->ranks,
                            .times = chosen->times,
                            .count = 1 + chosen->count,
                            .rows = calloc(1 + (size_t)chosen->count, sizeof *against.rows)};
  tutti_status status = against.rows
                            ? fill_against(chosen, &measured, &against, error)
                            : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %d decisions", chosen->count);
  against.scheme = measured.basis_name;
  if (status == TUTTI_OK && chosen->json)
    report_against_print_json(&against);
  else if (status == TUTTI_OK)
    report_against_print(&against);
  if (status == TUTTI_OK && chosen->keep)
    status = keep_all(chosen, &measured, &against, error);
  free_against(&against);
  tutti_decision_map_free(&measured.map);
  return status;
}
