/* Sharing where all processes have one heap: in simulation. */
#include "communicators/share.h"

#ifdef SMPI_HELPERS_H

static tutti_status no_memory(const tutti_space *space, size_t bytes, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a map of %zu bytes", space->rank, bytes);
}

static tutti_status not_made(const tutti_space *space, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: the process that makes the map it would share could not",
                    space->rank);
}

tutti_status tutti_share_map(tutti_comm *parent, const struct answer *answer, tutti_map *map,
                             struct shared_map **shared, tutti_error *error)
{
  tutti_space *space = parent->space;
  struct pool_key key = share_key(space, answer);
  if (answer->previous >= 0) {
    *shared = tutti_pool_await(space->pool, &key);
    return *shared ? TUTTI_OK : not_made(space, error);
  }
  *shared = map ? tutti_shared_map_new(map, space->rank) : NULL;
  if (map && !*shared)
    tutti_map_free(map);
  bool given = tutti_pool_give(space->pool, &key, *shared, answer->sharers);
  return *shared && given ? TUTTI_OK : no_memory(space, map ? tutti_map_bytes(map) : 0, error);
}

#endif
