/**
 * @file merge.h
 * @ingroup store
 * Merging stores that were filled on different machines.
 */
#ifndef TUTTI_MERGE_H
#define TUTTI_MERGE_H

#include "tutti/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What one store had for another. A survey of the parameters of a machine counts as one row, because it is taken, or
    left, as a whole. */
typedef struct tutti_merged {
  size_t added;   /**< rows that were not there */
  size_t same;    /**< that were there, to the last bit */
  size_t differs; /**< that were there with other values: of the same point in the same environment */
} tutti_merged;

/**
 * Add all that is in @p count stores to @p store, in one transaction: all of it or nothing. Environments and methods
 * are matched by what they say, not by their numbers. Of a row that differs the later one replaces the earlier, the
 * stores being taken in their order and @p store being the earliest; with @p keep the earliest stays.
 * @param merged  [count], what each had
 * @return TUTTI_ERR_IO naming the store that is missing, damaged, newer than this program, or @p store itself;
 *         TUTTI_ERR_ARGUMENT if a row cannot be in a store; TUTTI_ERR_MEMORY.
 */
tutti_status tutti_store_merge(tutti_store *store, const char *const *paths, size_t count, bool keep,
                               tutti_merged *merged, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
