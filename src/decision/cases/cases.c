/* Tables of cases: in memory, and growing while a file is read. */
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

/* ---- a table that grows while a file is read ---- */

tutti_status tutti_cases_no_memory(cases_place *place)
{
  return tutti_fail(place->lines.error, TUTTI_ERR_MEMORY, "%s:%d: out of memory", place->lines.path,
                    place->lines.number);
}

/* Append to one of the lists. */
static tutti_status add_name(cases_place *place, int list, char ***names, int *count, const char *name)
{
  const char *what = list == NAMES_OF_CLASSES ? "class" : "value";
  if (!*name)
    return tutti_cases_fault(place, "%s without a name", what);
  if (tutti_names_index_find(place->names, list, name) >= 0)
    return tutti_cases_fault(place, "%s '%.80s' stands there twice", what, name);
  if (!tutti_names_append(names, count, name) ||
      !tutti_names_index_add(place->names, list, (*names)[*count - 1], *count - 1))
    return tutti_cases_no_memory(place);
  return TUTTI_OK;
}

tutti_status tutti_cases_add_class(cases_place *place, char ***classes, int *count, const char *name)
{
  return add_name(place, NAMES_OF_CLASSES, classes, count, name);
}

tutti_status tutti_cases_add_value(cases_place *place, tutti_cases *cases, int attribute, const char *name)
{
  tutti_attribute *a = &cases->attributes[attribute];
  return add_name(place, attribute, &a->values, &a->value_count, name);
}

/* Room for one more, by doubling. */
static bool make_room(tutti_cases *cases)
{
  size_t count = (size_t)cases->attribute_count;
  if ((count & (count - 1)) != 0)
    return true;
  size_t room = count ? 2 * count : 1;
  tutti_attribute *attributes = reallocarray(cases->attributes, room, sizeof *attributes);
  if (attributes)
    cases->attributes = attributes;
  double **values = reallocarray(cases->values, room, sizeof *values);
  if (values)
    cases->values = values;
  return attributes && values;
}

tutti_status tutti_cases_add_attribute(cases_place *place, tutti_cases *cases, const char *name)
{
  int count = cases->attribute_count;
  if (!*name)
    return tutti_cases_fault(place, "an attribute without a name");
  if (tutti_names_index_find(place->names, NAMES_OF_ATTRIBUTES, name) >= 0)
    return tutti_cases_fault(place, "attribute '%.80s' stands there twice", name);
  char *copy = make_room(cases) ? strdup(name) : NULL;
  if (!copy)
    return tutti_cases_no_memory(place);
  cases->attributes[count] = (tutti_attribute){.name = copy};
  cases->values[count] = NULL;
  cases->attribute_count++;
  return tutti_names_index_add(place->names, NAMES_OF_ATTRIBUTES, copy, count) ? TUTTI_OK
                                                                               : tutti_cases_no_memory(place);
}

static bool grow(cases_table *table)
{
  tutti_cases *cases = table->cases;
  size_t room = table->room ? 2 * table->room : 64;
  int *labels = reallocarray(cases->labels, room, sizeof *labels);
  if (!labels)
    return false;
  cases->labels = labels;
  for (int a = 0; a < cases->attribute_count; a++) {
    double *values = reallocarray(cases->values[a], room, sizeof *values);
    if (!values)
      return false;
    cases->values[a] = values;
  }
  table->room = room;
  return true;
}

tutti_status tutti_cases_add_row(cases_place *place, cases_table *table)
{
  tutti_cases *cases = table->cases;
  if (cases->count == table->room && !grow(table))
    return tutti_cases_no_memory(place);
  for (int a = 0; a < cases->attribute_count; a++)
    cases->values[a][cases->count] = NAN;
  cases->labels[cases->count++] = 0;
  return TUTTI_OK;
}

bool tutti_cases_parse_number(const char *text, double *value)
{
  return !text[strspn(text, "+-.0123456789eE")] && tutti_parse_real(text, value);
}

tutti_status tutti_cases_set_value(cases_place *place, tutti_cases *cases, int attribute, const char *text)
{
  const tutti_attribute *a = &cases->attributes[attribute];
  double *value = &cases->values[attribute][cases->count - 1];
  if (a->value_count == 0)
    return tutti_cases_parse_number(text, value)
               ? TUTTI_OK
               : tutti_cases_fault(place, "attribute '%.80s': '%.80s' is not a number", a->name, text);
  int index = tutti_names_index_find(place->names, attribute, text);
  if (index < 0)
    return tutti_cases_fault(place, "attribute '%.80s' has no value '%.80s'", a->name, text);
  *value = index;
  return TUTTI_OK;
}

tutti_status tutti_cases_set_label(cases_place *place, tutti_cases *cases, const char *text)
{
  int label = tutti_names_index_find(place->names, NAMES_OF_CLASSES, text);
  if (label < 0)
    return tutti_cases_fault(place, "there is no class '%.80s'", text);
  cases->labels[cases->count - 1] = label;
  return TUTTI_OK;
}

char *tutti_cases_format_number(double value, char *text)
{
  snprintf(text, 32, "%.15g", value);
  if (strtod(text, NULL) != value)
    snprintf(text, 32, "%.17g", value);
  return text;
}
