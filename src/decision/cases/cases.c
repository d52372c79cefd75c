/* Tables of cases in memory. */
#include "tutti/classifier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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

void tutti_cases_create(const char *name, int attribute_count, int class_count, size_t count, tutti_cases *cases)
{
  *cases = (tutti_cases){.name = tutti_xstrdup(name),
                         .count = count,
                         .attribute_count = attribute_count,
                         .class_count = class_count,
                         .attributes = tutti_xcalloc((size_t)attribute_count, sizeof *cases->attributes),
                         .values = tutti_xcalloc((size_t)attribute_count, sizeof *cases->values),
                         .classes = tutti_xcalloc((size_t)class_count, sizeof *cases->classes),
                         .labels = tutti_xcalloc(count, sizeof *cases->labels)};
  for (int a = 0; a < attribute_count; a++) {
    cases->values[a] = tutti_xcalloc(count, sizeof **cases->values);
    for (size_t i = 0; i < count; i++)
      cases->values[a][i] = NAN;
  }
}

char *tutti_cases_format_number(double value, char *text)
{
  snprintf(text, 32, "%.15g", value);
  if (strtod(text, NULL) != value)
    snprintf(text, 32, "%.17g", value);
  return text;
}
