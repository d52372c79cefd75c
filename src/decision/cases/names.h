/* Lists of names and of attributes, and an index of them, so that files with a hundred thousand are read in time. */
#ifndef TUTTI_DECISION_NAMES_H
#define TUTTI_DECISION_NAMES_H

#include "tutti/classifier.h"

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

/* Lists other than the values of attribute 0, 1, ... */
enum { NAMES_OF_CLASSES = -1, NAMES_OF_ATTRIBUTES = -2 };

/* A name of a list, and its index in it; the name is not owned and stays where it is. */
typedef struct names_slot {
  const char *name; /* NULL: free */
  int list, index;
} names_slot;

/* A hash table with linear probing, at most half full. Begin with {0}. */
typedef struct names_index {
  names_slot *slots;
  size_t count, room; /* a power of two */
} names_index;

void tutti_names_index_free(names_index *index);

/* Index of a name in a list, -1 if it is not there. */
int tutti_names_index_find(const names_index *index, int list, const char *name);

/* Enter a name that is not there; false if there is no memory. */
bool tutti_names_index_add(names_index *index, int list, const char *name, int at);

/* Enter all names of a table or of a classifier; of two that are the same the first is found. @{ */
bool tutti_names_index_add_list(names_index *index, int list, char *const *names, int count);
bool tutti_names_index_add_attributes(names_index *index, const tutti_attribute *attributes, int count);
/* @} */

#endif
