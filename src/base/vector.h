/* Growing arrays. A vector is a struct of three members, which TUTTI_VECTOR() declares; zero-initialize it.

       struct names { TUTTI_VECTOR(char *); } names = {0};
       if (!tutti_vector_push(&names, name))
         return out_of_memory;
       tutti_vector_free(&names);

   The items move when the vector grows. What the items own is the owner's to free. */
#ifndef TUTTI_BASE_VECTOR_H
#define TUTTI_BASE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define TUTTI_VECTOR(type)                                                                                             \
  type *items;                                                                                                         \
  size_t count, capacity

/* Make space for MORE items after the last one; false, and nothing changed, if the allocation fails. */
#define tutti_vector_reserve(vector, more)                                                                             \
  tutti_grow(&(vector)->items, (vector)->count, &(vector)->capacity, (more), sizeof *(vector)->items)

/* Append one item; false, and nothing changed, if the allocation fails. */
#define tutti_vector_push(vector, ...)                                                                                 \
  (tutti_vector_reserve((vector), 1) && ((vector)->items[(vector)->count++] = (__VA_ARGS__), true))

/* Sort the items, as qsort() does, which takes no NULL for an empty array. */
#define tutti_vector_sort(vector, compare)                                                                             \
  ((vector)->count > 0 ? qsort((vector)->items, (size_t)(vector)->count, sizeof *(vector)->items, (compare)) : (void)0)

/* Free the array; the vector is empty afterwards. */
#define tutti_vector_free(vector)                                                                                      \
  (free((vector)->items), (vector)->items = NULL, (vector)->count = (vector)->capacity = 0)

/**
 * Make space in an array of @p count items of @p size bytes for @p more items, at least doubling it.
 * @param array     address of the pointer to the items, which may be NULL; allocated by malloc()
 * @param capacity  number of items that fit
 * @return false, and nothing changed, if the allocation fails or its size overflows
 */
bool tutti_grow(void *array, size_t count, size_t *capacity, size_t more, size_t size);

#endif
