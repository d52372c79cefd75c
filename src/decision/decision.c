/* Decision functions: what they have in common, the simplest of them, and what one gains over another (Pjesivac-Grbovic
 * 2007, section 6.6). */
#include "tutti/decision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tutti_decision_free(tutti_decision *decision)
{
  if (decision->free_data)
    decision->free_data(decision->data);
  free(decision->name);
  memset(decision, 0, sizeof *decision);
}

static bool decide_single(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  *method = *(const tutti_method *)decision->data;
  return method->algorithm->collective == question->collective;
}

tutti_status tutti_decision_single(const tutti_method *method, tutti_decision *decision, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH];
  tutti_method *copy = malloc(sizeof *copy);
  *decision = (tutti_decision){.name = strdup(tutti_method_format(method, name)),
                               .collective = method->algorithm->collective,
                               .decide = decide_single,
                               .free_data = free,
                               .data = copy};
  if (!copy || !decision->name) {
    tutti_decision_free(decision);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the decision function %s", name);
  }
  *copy = *method;
  return TUTTI_OK;
}

/* ---- times and gains ---- */

static double time_at(const tutti_decision_map *map, const tutti_decision *decision, int ranks_index, int size_index)
{
  const tutti_question question = tutti_decision_map_question(map, ranks_index, size_index);
  tutti_method method;
  return decision->decide(decision, &question, &method)
             ? tutti_decision_map_serving_time(map, ranks_index, size_index, &method)
             : NAN;
}

void tutti_decision_times(const tutti_decision_map *map, const tutti_decision *decision, double *times)
{
  for (int r = 0; r < map->ranks_count; r++)
    for (int s = 0; s < map->size_count; s++)
      *times++ = time_at(map, decision, r, s);
}

tutti_improvement tutti_improvement_over(const double *times, const double *reference, size_t count)
{
  tutti_improvement improvement = {.minimum = NAN, .maximum = NAN, .mean = NAN};
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    if (isnan(times[i]) || !(reference[i] > 0)) {
      improvement.missing++;
      continue;
    }
    double percent = 100 * (reference[i] - times[i]) / reference[i];
    improvement.minimum = fmin(improvement.minimum, percent); /* ignores NaN */
    improvement.maximum = fmax(improvement.maximum, percent);
    improvement.points++;
    sum += percent;
  }
  if (improvement.points > 0)
    improvement.mean = sum / improvement.points;
  return improvement;
}
