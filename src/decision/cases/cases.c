/* Tables of cases in memory. */
#include "tutti/classifier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/cases/cases.h"

void tutti_cases_free(tutti_cases *cases)
{
  for (int a = 0; cases->values && a < cases->attribute_count; a++)
    free(cases->values[a]);
  free(cases->values);
  tutti_names_free_attributes(cases->attributes, cases->attribute_count);
  tutti_names_free(cases->classes, cases->class_count);
  free(cases->labels);
  free(cases->name);
  *cases = (tutti_cases){.name = NULL};
}

static bool create_column(tutti_cases *cases, int attribute)
{
  double *column = calloc(cases->count ? cases->count : 1, sizeof *column);
  for (size_t i = 0; column && i < cases->count; i++)
    column[i] = NAN;
  cases->values[attribute] = column;
  return column;
}

/* At least one element in each: calloc(0) may be NULL. */
static bool create_arrays(tutti_cases *cases, int attribute_count, int class_count)
{
  cases->attributes = calloc((size_t)attribute_count + 1, sizeof *cases->attributes);
  cases->values = calloc((size_t)attribute_count + 1, sizeof *cases->values);
  cases->classes = calloc((size_t)class_count + 1, sizeof *cases->classes);
  cases->labels = calloc(cases->count + 1, sizeof *cases->labels);
  if (!cases->attributes || !cases->values || !cases->classes || !cases->labels)
    return false;
  cases->attribute_count = attribute_count;
  cases->class_count = class_count;
  for (int a = 0; a < attribute_count; a++)
    if (!create_column(cases, a))
      return false;
  return true;
}

tutti_status tutti_cases_create(const char *name, int attribute_count, int class_count, size_t count,
                                tutti_cases *cases, tutti_error *error)
{
  *cases = (tutti_cases){.name = strdup(name), .count = count};
  if (cases->name && create_arrays(cases, attribute_count, class_count))
    return TUTTI_OK;
  tutti_cases_free(cases);
  return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory for %zu cases of %d attributes", name, count,
                    attribute_count);
}

char *tutti_cases_format_number(double value, char *text)
{
  snprintf(text, 32, "%.15g", value);
  if (strtod(text, NULL) != value)
    snprintf(text, 32, "%.17g", value);
  return text;
}
