#include "base/vector.h"

#include <string.h>

enum { FIRST_CAPACITY = 8 };

bool tutti_grow(void *array, size_t count, size_t *capacity, size_t more, size_t size)
{
  if (more <= *capacity - count)
    return true;
  size_t larger = *capacity > 0 ? 2 * *capacity : FIRST_CAPACITY;
  if (larger - count < more)
    larger = count + more;
  if (larger < more || larger > SIZE_MAX / 2 / size)
    return false;
  void *items;
  memcpy(&items, array, sizeof items); /* a pointer of any type */
  items = realloc(items, larger * size);
  if (!items)
    return false;
  memcpy(array, &items, sizeof items);
  *capacity = larger;
  return true;
}
