#include <stdlib.h>

#include "communicators/pool_entry.h"
#include "communicators/segment.h"
#include "tutti/communicator.h"

struct shared_map *tutti_shared_map_new(tutti_map *map, int maker)
{
  struct shared_map *shared = malloc(sizeof *shared);
  if (shared)
    *shared = (struct shared_map){.map = map, .lookup = tutti_map_lookup(map), .references = 1, .maker = maker};
  return shared;
}

void tutti_shared_map_hold(struct shared_map *shared)
{
  shared->references++;
}

void tutti_shared_map_release(struct shared_map *shared)
{
  if (!shared || --shared->references > 0)
    return;
  if (shared->entry)
    tutti_pool_entry_remove(shared->entry);
  tutti_map_free(shared->map);
  if (shared->segment)
    tutti_segment_close(shared->segment, shared->segment_length);
  free(shared);
}

/* One that is shared through a segment has a handle of it in each process. */
size_t tutti_shared_map_bytes(const struct shared_map *shared, int process)
{
  bool makes = shared->maker == process;
  size_t handle = sizeof *shared + tutti_map_bytes(shared->map);
  if (shared->segment)
    return handle + (makes ? tutti_segment_bytes(shared->segment_length) : 0);
  return makes ? handle : 0;
}
