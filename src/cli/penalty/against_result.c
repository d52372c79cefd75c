/* What decisions gain over one of them, as penalties: results that can be kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/penalty/report_against.h"

static int compare(const void *left, const void *right)
{
  const double *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

/* Percent of the reference's time, at all points where both are known; how many those are. */
static size_t compute(const struct against *against, const struct against_row *row, uint64_t ranks, double *percent)
{
  const tutti_decision_map *map = against->map;
  size_t count = 0;
  for (int r = 0; r < map->ranks_count; r++)
    for (int s = 0; s < map->size_count && (ranks == 0 || (uint64_t)map->ranks[r] == ranks); s++) {
      size_t at = (size_t)r * (size_t)map->size_count + (size_t)s;
      double reference = against->reference[at];
      if (reference > 0 && !isnan(row->times[at]))
        percent[count++] = 100 * (row->times[at] - reference) / reference;
    }
  qsort(percent, count, sizeof *percent, compare);
  return count;
}

tutti_status against_result(const struct against *against, const struct against_row *row, uint64_t ranks,
                            tutti_result *result, tutti_error *error)
{
  size_t points = (size_t)against->map->ranks_count * (size_t)against->map->size_count;
  double *percent = calloc(points, sizeof *percent), sum = 0;
  if (!percent)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu points", points);
  size_t count = compute(against, row, ranks, percent);
  *result = (tutti_result){.kind = TUTTI_RESULT_PENALTY};
  tutti_result_set_word(result, TUTTI_PENALTY_FIELD_COLLECTIVE, tutti_collective_name(against->map->collective));
  for (size_t i = 0; i < count; i++)
    sum += percent[i];
  if (count > 0) {
    tutti_value *values = result->values;
    values[TUTTI_PENALTY_FIELD_POINTS].whole = values[TUTTI_PENALTY_FIELD_SERVED].whole = count;
    values[TUTTI_PENALTY_FIELD_MINIMUM].real = percent[0];
    values[TUTTI_PENALTY_FIELD_MEAN].real = sum / (double)count;
    values[TUTTI_PENALTY_FIELD_MEDIAN].real = (percent[(count - 1) / 2] + percent[count / 2]) / 2;
    values[TUTTI_PENALTY_FIELD_MAXIMUM].real = percent[count - 1];
  }
  free(percent);
  return TUTTI_OK;
}
