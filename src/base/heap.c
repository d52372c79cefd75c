#include "tutti/heap.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void *tutti_heap_alloc(tutti_heap *heap, size_t bytes)
{
  void *piece = malloc(bytes);
  if (!piece)
    return NULL;
  heap->used += bytes;
  if (heap->peak < heap->used)
    heap->peak = heap->used;
  return piece;
}

void tutti_heap_free(tutti_heap *heap, void *piece, size_t bytes)
{
  if (!piece)
    return;
  heap->used -= bytes;
  free(piece);
}

void *tutti_heap_enlarge(tutti_heap *heap, void *piece, size_t bytes, size_t larger)
{
  void *moved = tutti_heap_alloc(heap, larger);
  if (moved && piece)
    memcpy(moved, piece, bytes);
  if (moved)
    tutti_heap_free(heap, piece, bytes);
  return moved;
}

static bool grow(tutti_heap *heap, tutti_words *words, int needed)
{
  int capacity = words->capacity > INT_MAX / 2 ? needed : 2 * words->capacity;
  if (capacity < needed)
    capacity = needed;
  int *items =
      tutti_heap_enlarge(heap, words->items, (size_t)words->capacity * sizeof *items, (size_t)capacity * sizeof *items);
  if (!items)
    return false;
  words->items = items;
  words->capacity = capacity;
  return true;
}

bool tutti_words_append(tutti_heap *heap, tutti_words *words, const int *items, int count)
{
  if (count == 0)
    return true;
  if (count > INT_MAX - words->count ||
      (count > words->capacity - words->count && !grow(heap, words, words->count + count)))
    return false;
  memcpy(words->items + words->count, items, (size_t)count * sizeof *items);
  words->count += count;
  return true;
}

bool tutti_words_add(tutti_heap *heap, tutti_words *words, int item)
{
  return tutti_words_append(heap, words, &item, 1);
}

void tutti_words_free(tutti_heap *heap, tutti_words *words)
{
  tutti_heap_free(heap, words->items, (size_t)words->capacity * sizeof *words->items);
  *words = (tutti_words){0};
}
