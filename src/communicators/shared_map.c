#include <stdlib.h>
#include <sys/mman.h>

#include "communicators/pool_entry.h"
#include "tutti/map_view.h"

struct shared_map *shared_map_new(tutti_map *map, int maker)
{
  struct shared_map *shared = malloc(sizeof *shared);
  if (shared)
    *shared = (struct shared_map){.map = map, .lookup = tutti_map_lookup(map), .references = 1, .maker = maker};
  return shared;
}

void shared_map_hold(struct shared_map *shared)
{
  shared->references++;
}

void shared_map_release(struct shared_map *shared)
{
  if (!shared || --shared->references > 0)
    return;
  if (shared->entry)
    pool_entry_remove(shared->entry);
  tutti_map_free(shared->map);
  if (shared->segment)
    munmap(shared->segment, shared->segment_bytes);
  free(shared);
}

size_t shared_map_bytes(const struct shared_map *shared)
{
  return sizeof *shared + (shared->segment ? shared->segment_bytes : 0) + tutti_map_bytes(shared->map);
}
