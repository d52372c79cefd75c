#include "tutti/counted_memory.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

/* Only the newest chunk is handed out from; the arena knows how much of it is used. */
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
