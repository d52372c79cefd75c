/* Tables of cases: lists of names and of attributes, an index of them, so that files with a hundred thousand are read
   in time, and a table that grows while a file is read. */
#ifndef TUTTI_DECISION_CASES_H
#define TUTTI_DECISION_CASES_H

#include "base/text.h"
#include "tutti/classifier.h"

/* ---- names.c: lists of names ---- */

/* Free what tutti_names_copy() made; @p names may be NULL. @{ */
void tutti_names_free(char **names, int count);
void tutti_names_free_attributes(tutti_attribute *attributes, int count);
/* @} */

/* Copies with space for at least one; NULL without memory. @{ */
char **tutti_names_copy(char *const *names, int count);
tutti_attribute *tutti_names_copy_attributes(const tutti_attribute *attributes, int count);
/* @} */

/* Index of a name, -1 if it is not there. */
int tutti_names_find(char *const *names, int count, const char *name);

/*
 * Append a copy of @p name to a list that was made by this, or went through tutti_names_make_room(): its capacity is
 * the smallest power of two that holds it. False without memory.
 */
bool tutti_names_append(char ***names, int *count, const char *name);
bool tutti_names_make_room(char ***names, int count);

/* ---- names.c: an index of names ---- */

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

/* Enter an absent name; false without memory. */
bool tutti_names_index_add(names_index *index, int list, const char *name, int at);

/* Enter all names of a table or of a classifier; of two that are the same the first is found. @{ */
bool tutti_names_index_add_list(names_index *index, int list, char *const *names, int count);
bool tutti_names_index_add_attributes(names_index *index, const tutti_attribute *attributes, int count);
/* @} */

/* ---- cases.c: a table that is being read ---- */

/* The position in a file, and the names read so far. */
typedef struct cases_place {
  struct tutti_lines lines;
  names_index *names; /* of attributes, their values and classes */
} cases_place;

/* A fault of the line: TUTTI_ERR_ARGUMENT "PATH:LINE: ...". */
#define tutti_cases_fault(place, ...) tutti_lines_fault(&(place)->lines, __VA_ARGS__)

/* "PATH:LINE: out of memory". */
tutti_status tutti_cases_no_memory(cases_place *place);

/* A table being filled; the room is for whole rows. */
typedef struct cases_table {
  tutti_cases *cases;
  size_t room;
} cases_table;

/* Append attribute, class or value; refuses an empty name and one that is there already. @{ */
tutti_status tutti_cases_add_attribute(cases_place *place, tutti_cases *cases, const char *name);
tutti_status tutti_cases_add_class(cases_place *place, char ***classes, int *count, const char *name);
tutti_status tutti_cases_add_value(cases_place *place, tutti_cases *cases, int attribute, const char *name);
/* @} */

/* Append a row: all values unknown, label 0. */
tutti_status tutti_cases_add_row(cases_place *place, cases_table *table);

/* Set a value of the last row from text: a number, or a value of the attribute. */
tutti_status tutti_cases_set_value(cases_place *place, tutti_cases *cases, int attribute, const char *text);

/* Set the class of the last row. */
tutti_status tutti_cases_set_label(cases_place *place, tutti_cases *cases, const char *text);

/* A finite decimal number and nothing else. */
bool tutti_cases_parse_number(const char *text, double *value);

/* Write a number that reads back the same, the shortest of 15 and 17 digits; @p text has 32 bytes. */
char *tutti_cases_format_number(double value, char *text);

#endif
