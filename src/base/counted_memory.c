/* Counted memory: arenas, pieces that are freed one by one, and vectors of int. */
#include <limits.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tutti/counted_memory.h"

/* Memory comes from the newest chunk only; the arena knows how much of it is used. */
struct tutti_arena_chunk {
  struct tutti_arena_chunk *next;
  size_t capacity;
  alignas(max_align_t) unsigned char bytes[];
};

/* Chunks grow with what is held already, so that an operation of any size makes O(log size) calls of malloc(), but by
   a quarter of it only: 131,072 simulated ranks hold an arena each. */
enum { SMALLEST_CHUNK = 240, LARGEST_CHUNK = 1 << 20 };

void tutti_arena_init(tutti_arena *arena)
{
  *arena = (tutti_arena){0};
}

static size_t next_capacity(const tutti_arena *arena, size_t bytes)
{
  size_t capacity = arena->reserved / 4;
  if (capacity < SMALLEST_CHUNK)
    capacity = SMALLEST_CHUNK;
  if (capacity > LARGEST_CHUNK)
    capacity = LARGEST_CHUNK;
  return capacity < bytes ? bytes : capacity;
}

static struct tutti_arena_chunk *add_chunk(tutti_arena *arena, size_t bytes)
{
  size_t capacity = next_capacity(arena, bytes);
  if (capacity > SIZE_MAX - sizeof(struct tutti_arena_chunk))
    return NULL;
  struct tutti_arena_chunk *chunk = malloc(sizeof *chunk + capacity);
  if (!chunk)
    return NULL;
  *chunk = (struct tutti_arena_chunk){.next = arena->chunks, .capacity = capacity};
  arena->chunks = chunk;
  arena->chunk_used = 0;
  arena->reserved += sizeof *chunk + capacity;
  if (arena->peak < arena->reserved)
    arena->peak = arena->reserved;
  return chunk;
}

void *tutti_arena_alloc(tutti_arena *arena, size_t bytes)
{
  const size_t alignment = alignof(max_align_t);
  if (bytes > SIZE_MAX - alignment)
    return NULL;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  struct tutti_arena_chunk *chunk = arena->chunks;
  if (!chunk || chunk->capacity - arena->chunk_used < bytes)
    chunk = add_chunk(arena, bytes);
  if (!chunk)
    return NULL;
  void *memory = chunk->bytes + arena->chunk_used;
  arena->chunk_used += bytes;
  arena->used += bytes;
  return memory;
}

void tutti_arena_release(tutti_arena *arena)
{
  while (arena->chunks) {
    struct tutti_arena_chunk *chunk = arena->chunks;
    arena->chunks = chunk->next;
    free(chunk);
  }
  arena->used = 0;
  arena->reserved = 0;
}

size_t tutti_arena_used(const tutti_arena *arena)
{
  return arena->used;
}

size_t tutti_arena_peak(const tutti_arena *arena)
{
  return arena->peak;
}

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
