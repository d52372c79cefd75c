/* Numbers by name, in a balanced tree: a reader finds names that it has met before without a linear search. */
#ifndef TUTTI_BASE_INDEX_H
#define TUTTI_BASE_INDEX_H

#include <stddef.h>

/* The number of a name in an index, which is NULL in the beginning; 0 of a new name, and the caller may set another
   one. Out of memory ends the program. */
size_t *tutti_index_number(void **index, const char *name);

/* The number that was set before, or 0. */
size_t tutti_index_find(void *const *index, const char *name);

/* A name with that number, NULL: none. Looks at all. */
const char *tutti_index_name(void *const *index, size_t number);

void tutti_index_free(void **index);

#endif
