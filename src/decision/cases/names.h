/* Lists of names, and of attributes. */
#ifndef TUTTI_DECISION_NAMES_H
#define TUTTI_DECISION_NAMES_H

#include "tutti/cases.h"

/* Free what tutti_names_copy() made; @p names may be NULL. @{ */
void tutti_names_free(char **names, int count);
void tutti_names_free_attributes(tutti_attribute *attributes, int count);
/* @} */

/* Copies with room for at least one; NULL if there is no memory. @{ */
char **tutti_names_copy(char *const *names, int count);
tutti_attribute *tutti_names_copy_attributes(const tutti_attribute *attributes, int count);
/* @} */

/* Index of a name, -1 if it is not there. @{ */
int tutti_names_find(char *const *names, int count, const char *name);
int tutti_names_find_attribute(const tutti_attribute *attributes, int count, const char *name);
/* @} */

/*
 * Append a copy of @p name to a list that was made by this, or went through tutti_names_make_room(): its room is the
 * least power of two that holds it. False if there is no memory.
 */
bool tutti_names_append(char ***names, int *count, const char *name);
bool tutti_names_make_room(char ***names, int count);

#endif
