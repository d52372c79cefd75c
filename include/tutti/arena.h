/**
 * @file arena.h
 * @ingroup base
 * Memory of one operation: allocated piece by piece, freed at once, and counted.
 *
 * All memory that a collective operation needs comes from one arena, so that it can be freed in one call and so that
 * O(k), O(log n) and O(n) memory is a number that was counted and not one that was computed.
 */
#ifndef TUTTI_ARENA_H
#define TUTTI_ARENA_H

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

#ifdef __cplusplus
}
#endif
#endif
