/* The table of a pool in simulation. */
#ifndef TUTTI_COMMUNICATORS_POOL_ENTRY_H
#define TUTTI_COMMUNICATORS_POOL_ENTRY_H

#include "communicators/pool.h"

struct pool_entry;

/* Remove and free; the map is not touched. */
void tutti_pool_entry_remove(struct pool_entry *entry);

#endif
