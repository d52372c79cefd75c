/* A table of cases that grows while a file is read, and where in the file the reader is. */
#ifndef TUTTI_DECISION_CASES_TABLE_H
#define TUTTI_DECISION_CASES_TABLE_H

#include <stdio.h>

#include "decision/cases/names_index.h"

/* Where we are in a file, for messages; and the names that it has had. */
typedef struct cases_place {
  const char *path;
  int line;
  tutti_error *error;
  names_index *names; /* of attributes, their values and classes */
} cases_place;

/* TUTTI_ERR_ARGUMENT "PATH:LINE: ...". */
tutti_status tutti_cases_fault(const cases_place *place, const char *format, ...) __attribute__((format(printf, 2, 3)));
tutti_status tutti_cases_no_memory(const cases_place *place);
tutti_status tutti_cases_cannot_read(const cases_place *place);

/* A table being filled; the room is for whole rows. */
typedef struct cases_table {
  tutti_cases *cases;
  size_t room;
} cases_table;

/* Append attribute, class or value; refuses an empty name and one that is there already. @{ */
tutti_status tutti_cases_add_attribute(const cases_place *place, tutti_cases *cases, const char *name);
tutti_status tutti_cases_add_class(const cases_place *place, char ***classes, int *count, const char *name);
tutti_status tutti_cases_add_value(const cases_place *place, tutti_cases *cases, int attribute, const char *name);
/* @} */

/* Append a row: all values unknown, label 0. */
tutti_status tutti_cases_add_row(const cases_place *place, cases_table *table);

/* Set a value of the last row from text: a number, or a value of the attribute. */
tutti_status tutti_cases_set_value(const cases_place *place, tutti_cases *cases, int attribute, const char *text);

/* Set the class of the last row. */
tutti_status tutti_cases_set_label(const cases_place *place, tutti_cases *cases, const char *text);

/* A finite decimal number and nothing else. */
bool tutti_cases_parse_number(const char *text, double *value);

/* Write a number that reads back the same, the shortest of 15 and 17 digits; @p text has 32 bytes. */
char *tutti_cases_format_number(double value, char *text);

#endif
