#include "tutti/counted_memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void *tutti_counted_alloc(tutti_counted_memory *memory, size_t bytes)
{
  void *piece = malloc(bytes);
  if (!piece)
    return NULL;
  memory->used += bytes;
  if (memory->peak < memory->used)
    memory->peak = memory->used;
  return piece;
}

void tutti_counted_free(tutti_counted_memory *memory, void *piece, size_t bytes)
{
  if (!piece)
    return;
  memory->used -= bytes;
  free(piece);
}

void *tutti_counted_enlarge(tutti_counted_memory *memory, void *piece, size_t bytes, size_t larger)
{
  void *moved = tutti_counted_alloc(memory, larger);
  if (moved && piece)
    memcpy(moved, piece, bytes);
  if (moved)
    tutti_counted_free(memory, piece, bytes);
  return moved;
}

static bool grow(tutti_counted_memory *memory, tutti_int_vector *words, int needed)
{
  int capacity = words->capacity > INT_MAX / 2 ? needed : 2 * words->capacity;
  if (capacity < needed)
    capacity = needed;
  int *items = tutti_counted_enlarge(memory, words->items, (size_t)words->capacity * sizeof *items,
                                     (size_t)capacity * sizeof *items);
  if (!items)
    return false;
  words->items = items;
  words->capacity = capacity;
  return true;
}

bool tutti_int_vector_append(tutti_counted_memory *memory, tutti_int_vector *words, const int *items, int count)
{
  if (count == 0)
    return true;
  if (count > INT_MAX - words->count ||
      (count > words->capacity - words->count && !grow(memory, words, words->count + count)))
    return false;
  memcpy(words->items + words->count, items, (size_t)count * sizeof *items);
  words->count += count;
  return true;
}

bool tutti_int_vector_add(tutti_counted_memory *memory, tutti_int_vector *words, int item)
{
  return tutti_int_vector_append(memory, words, &item, 1);
}

void tutti_int_vector_free(tutti_counted_memory *memory, tutti_int_vector *words)
{
  tutti_counted_free(memory, words->items, (size_t)words->capacity * sizeof *words->items);
  *words = (tutti_int_vector){0};
}
