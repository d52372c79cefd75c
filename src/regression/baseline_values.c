/* Lines of baselines: their values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regression/baseline_private.h"

/* The metric of NAME=NUMBER, and where its number begins; TUTTI_METRICS if it is another word. */
static int metric_of(const char *word, const char **number)
{
  for (int m = 0; m < TUTTI_METRICS; m++) {
    const char *name = tutti_metric_name((tutti_metric)m);
    size_t length = strlen(name);
    if (strncmp(word, name, length) == 0 && word[length] == '=') {
      *number = word + length + 1;
      return m;
    }
  }
  return TUTTI_METRICS;
}

/* Numbers that are counted are whole ones that a double has exactly. */
static bool is_value(int metric, const char *text, double *value)
{
  char *end;
  *value = strtod(text, &end);
  if (end == text || *end || !isfinite(*value) || strpbrk(text, "xXpP"))
    return false;
  if (metric == TUTTI_METRIC_TIME)
    return true;
  return *value >= 0 &&
         (metric == TUTTI_METRIC_MEAN || metric == TUTTI_METRIC_WORST || (*value == floor(*value) && *value <= 0x1p53));
}

tutti_status tutti_baseline_cut_values(char *line, double *values, tutti_error *error)
{
  for (int m = 0; m < TUTTI_METRICS; m++)
    values[m] = NAN;
  for (char *word; (word = strrchr(line, ' '));) {
    const char *number = NULL;
    int metric = metric_of(word + 1, &number);
    if (metric == TUTTI_METRICS)
      return TUTTI_OK;
    if (!isnan(values[metric]) || !is_value(metric, number, &values[metric]))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "cannot use the value '%.80s'", word + 1);
    *word = '\0';
    for (size_t length = strlen(line); length > 0 && line[length - 1] == ' ';)
      line[--length] = '\0';
  }
  return TUTTI_OK;
}

tutti_status tutti_baseline_check_values(const tutti_baseline_entry *entry, const double *values, tutti_error *error)
{
  for (int m = 0; m < TUTTI_METRICS; m++) {
    bool penalty = tutti_metric_aspect((tutti_metric)m) == TUTTI_ASPECT_PENALTY;
    if (!isnan(values[m]) && penalty != (entry->kind == TUTTI_BASELINE_DECISION))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "such a line has no %s=", tutti_metric_name((tutti_metric)m));
  }
  return TUTTI_OK;
}
