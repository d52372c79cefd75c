/**
 * @file counted_memory.h
 * @ingroup base
 * Counted memory of one process in a protocol: pieces that come and go, with the largest sum ever held.
 *
 * An arena (arena.h) frees everything at once; protocols free as they go, and what they show is O(1) or O(log n) memory
 * at any moment. Whoever frees a piece says how large it was, so that no piece carries a header.
 */
#ifndef TUTTI_COUNTED_MEMORY_H
#define TUTTI_COUNTED_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

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
