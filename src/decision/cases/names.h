/* Lists of names, and of attributes. */
#ifndef TUTTI_DECISION_NAMES_H
#define TUTTI_DECISION_NAMES_H

#include "tutti/cases.h"

/* Free what names_copy() made; @p names may be NULL. @{ */
void names_free(char **names, int count);
void names_free_attributes(tutti_attribute *attributes, int count);
/* @} */

/* Copies with room for at least one; NULL if there is no memory. @{ */
char **names_copy(char *const *names, int count);
tutti_attribute *names_copy_attributes(const tutti_attribute *attributes, int count);
/* @} */

/* Index of a name, -1 if it is not there. @{ */
int names_find(char *const *names, int count, const char *name);
int names_find_attribute(const tutti_attribute *attributes, int count, const char *name);
/* @} */

/*
 * Append a copy of @p name to a list that was made by this, or went through names_make_room(): its room is the least
 * power of two that holds it. False if there is no memory.
 */
bool names_append(char ***names, int *count, const char *name);
bool names_make_room(char ***names, int count);

#endif
