/**
 * @file heap.h
 * @ingroup base
 * Counted memory of one process in a protocol: pieces that come and go, with the largest sum ever held.
 *
 * An arena (arena.h) frees everything at once; protocols free as they go, and what they show is O(1) or O(log n) memory
 * at any moment. Whoever frees a piece says how large it was, so that no piece carries a header.
 */
#ifndef TUTTI_HEAP_H
#define TUTTI_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One process's memory. Zero-initialise; nothing to free of its own. */
typedef struct tutti_heap {
  size_t used; /**< bytes held now */
  size_t peak; /**< largest value of used */
} tutti_heap;

/** @p bytes bytes (> 0), aligned for any type, not zeroed; NULL if the allocation fails. */
void *tutti_heap_alloc(tutti_heap *heap, size_t bytes);

/**
 * Move what is in a piece of @p bytes bytes into one of @p larger bytes. The old piece, which may be NULL, is freed
 * once it has been copied, and counts until then.
 * @return NULL, and nothing changed, if the allocation fails
 */
void *tutti_heap_enlarge(tutti_heap *heap, void *piece, size_t bytes, size_t larger);

/** Free a piece of @p bytes bytes. NULL is allowed. */
void tutti_heap_free(tutti_heap *heap, void *piece, size_t bytes);

/** An array on the heap that grows: of @c int, the word of protocols. Zero-initialise. */
typedef struct tutti_words {
  int *items; /**< [count] owned by the heap that it was grown with */
  int count;
  int capacity;
} tutti_words;

/** Append @p count items. False, and nothing changed, if the allocation fails. */
bool tutti_words_append(tutti_heap *heap, tutti_words *words, const int *items, int count);

/** Append one item. */
bool tutti_words_add(tutti_heap *heap, tutti_words *words, int item);

/** Free the array; it is empty afterwards. */
void tutti_words_free(tutti_heap *heap, tutti_words *words);

#ifdef __cplusplus
}
#endif
#endif
