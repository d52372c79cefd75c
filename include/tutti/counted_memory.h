/**
 * @file counted_memory.h
 * @ingroup base
 * Memory that is counted, in two forms, so that O(k), O(log n) and O(n) memory is a counted number, not a computed one.
 *
 * An *arena* is the memory of one operation: allocated piece by piece, freed at once. All memory that a collective
 * operation needs comes from one arena.
 *
 * *Counted memory* is that of one process in a protocol: pieces that are allocated and freed one by one, with the
 * largest sum ever held. The caller who frees a piece gives its size, so pieces have no header.
 */
#ifndef TUTTI_COUNTED_MEMORY_H
#define TUTTI_COUNTED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One arena. Treat the members as private; read the counters through the functions below. */
typedef struct tutti_arena {
  struct tutti_arena_chunk *chunks; /**< newest first */
  size_t chunk_used;                /**< bytes handed out of the newest chunk */
  size_t used;                      /**< bytes handed out */
  size_t reserved;                  /**< bytes taken from malloc() */
  size_t peak;                      /**< largest value of reserved */
} tutti_arena;

/** An empty arena. Takes no memory until the first tutti_arena_alloc(). */
void tutti_arena_init(tutti_arena *arena);

/**
 * @p bytes bytes, aligned for any type, valid until tutti_arena_release(). Not zeroed. A request of zero bytes returns
 * a valid pointer that must not be read. Returns NULL if the allocation fails; the arena stays usable.
 */
void *tutti_arena_alloc(tutti_arena *arena, size_t bytes);

/** Free everything handed out so far. The counter @c peak is kept; the arena can be used again. */
void tutti_arena_release(tutti_arena *arena);

/** Bytes handed out since the last release. */
size_t tutti_arena_used(const tutti_arena *arena);

/** Largest number of bytes ever held from malloc() at one time. */
size_t tutti_arena_peak(const tutti_arena *arena);

/** One process's memory. Zero-initialize; nothing to free of its own. */
typedef struct tutti_counted_memory {
  size_t used; /**< bytes held now */
  size_t peak; /**< largest value of used */
} tutti_counted_memory;

/** @p bytes bytes (> 0), aligned for any type, not zeroed; NULL if the allocation fails. */
void *tutti_counted_alloc(tutti_counted_memory *memory, size_t bytes);

/**
 * Move what is in a piece of @p bytes bytes into one of @p larger bytes. The old piece, which may be NULL, is freed
 * once it has been copied, and counts until then.
 * @return NULL, and nothing changed, if the allocation fails
 */
void *tutti_counted_enlarge(tutti_counted_memory *memory, void *piece, size_t bytes, size_t larger);

/** Free a piece of @p bytes bytes. NULL is allowed. */
void tutti_counted_free(tutti_counted_memory *memory, void *piece, size_t bytes);

/** An array on the heap that grows: of @c int, the word of protocols. Zero-initialize. */
typedef struct tutti_int_vector {
  int *items; /**< [count] owned by the heap that it was grown with */
  int count;
  int capacity;
} tutti_int_vector;

/** Append @p count items. False, and nothing changed, if the allocation fails. */
bool tutti_int_vector_append(tutti_counted_memory *memory, tutti_int_vector *words, const int *items, int count);

/** Append one item. */
bool tutti_int_vector_add(tutti_counted_memory *memory, tutti_int_vector *words, int item);

/** Free the array; it is empty afterwards. */
void tutti_int_vector_free(tutti_counted_memory *memory, tutti_int_vector *words);

#ifdef __cplusplus
}
#endif
#endif
