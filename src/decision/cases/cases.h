/* Tables of cases: lists of names and of attributes; numbers as text. */
#ifndef TUTTI_DECISION_CASES_H
#define TUTTI_DECISION_CASES_H

#include "tutti/classifier.h"

/* Free what tutti_names_copy() made; @p names may be NULL. @{ */
void tutti_names_free(char **names, int count);
void tutti_names_free_attributes(tutti_attribute *attributes, int count);
/* @} */

/* Copies with space for at least one. @{ */
char **tutti_names_copy(char *const *names, int count);
tutti_attribute *tutti_names_copy_attributes(const tutti_attribute *attributes, int count);
/* @} */

/* Index of a name, -1 if it is not there. */
int tutti_names_find(char *const *names, int count, const char *name);

/* Append a copy of @p name to a list that was made by this, or went through tutti_names_make_room(): its capacity is
   the smallest power of two that holds it. */
void tutti_names_append(char ***names, int *count, const char *name);
void tutti_names_make_room(char ***names, int count);

/* Write a number that reads back the same, the shortest of 15 and 17 digits; @p text has 32 bytes. */
char *tutti_cases_format_number(double value, char *text);

#endif
