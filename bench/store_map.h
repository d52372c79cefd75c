/* Maps of a store, as benchmarks name them. */
#ifndef TUTTI_BENCH_STORE_MAP_H
#define TUTTI_BENCH_STORE_MAP_H

#include "tutti/decision_map.h"
#include "tutti/store.h"

/* The measurements of a collective on a platform, or, NULL, on the only one; of the selection its scheme and patterns
 * hold. Free the map. */
tutti_status store_map_read(const char *path, const char *platform, const char *collective, tutti_selection selection,
                            tutti_decision_map *map, tutti_error *error);

#endif
