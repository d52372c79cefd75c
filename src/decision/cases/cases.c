/* Tables of cases in memory. */
#include "tutti/classifier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/cases/names.h"

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

/* At least one element each: calloc(0) may be NULL. */
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

/* Names into a table that has none yet. */
static bool copy_names(const tutti_cases *from, tutti_cases *to)
{
  free(to->attributes);
  free(to->classes);
  to->attributes = tutti_names_copy_attributes(from->attributes, from->attribute_count);
  to->classes = tutti_names_copy(from->classes, from->class_count);
  return to->attributes && to->classes;
}

tutti_status tutti_cases_select(const tutti_cases *cases, const size_t *rows, size_t count, tutti_cases *selected,
                                tutti_error *error)
{
  tutti_status status =
      tutti_cases_create(cases->name, cases->attribute_count, cases->class_count, count, selected, error);
  if (status != TUTTI_OK)
    return status;
  if (!copy_names(cases, selected)) {
    tutti_cases_free(selected);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", cases->name);
  }
  for (size_t i = 0; i < count; i++) {
    for (int a = 0; a < cases->attribute_count; a++)
      selected->values[a][i] = cases->values[a][rows[i]];
    selected->labels[i] = cases->labels[rows[i]];
  }
  return TUTTI_OK;
}
