/* Maps that processes share.
 *
 * In simulation all ranks have one heap: the pool is a table that rank 0 makes when the context pool is opened, and the
 * others receive its address. On real MPI a pool names segments of POSIX shared memory. */
#ifndef TUTTI_COMMUNICATORS_POOL_H
#define TUTTI_COMMUNICATORS_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/map.h"
#include "tutti/view.h"

struct pool;

/* One map, and how many hold it. In simulation several ranks may hold one; else it is a process's own handle. */
struct shared_map {
  tutti_map *map;
  tutti_lookup lookup; /* of map */
  int references;
  void *segment; /* mapped memory with the map, or NULL */
  size_t segment_length;
  struct pool_entry *entry; /* by which others find it; NULL: by none */
  int maker;                /* the process that counts its bytes, as rank of the context pool */
  struct shared_map *below; /* map has ranks of this one, which is held once; NULL: map has ranks of the context pool */
};

/* The key of a map: a use of a context id at a location. */
struct pool_key {
  int leader, index;
  uint64_t serial, location;
};

/* Collective over the view of all processes of a context pool. */
tutti_status tutti_pool_open(const tutti_view *view, struct pool **pool, tutti_error *error);
void tutti_pool_close(struct pool *pool);

/* A number for the node of the calling process. Collective over the communicator of the
   view. */
tutti_status tutti_pool_find_node(const tutti_view *view, uint64_t *location, tutti_error *error);

/* A handle that takes over @p map, held once. NULL: no memory. */
struct shared_map *tutti_shared_map_new(tutti_map *map, int maker);

void tutti_shared_map_hold(struct shared_map *shared);

/* The members of the map are ranks of @p below, which has none below itself, and is held as long as this one. No effect
   if another holder has set it already. */
void tutti_shared_map_lay(struct shared_map *shared, struct shared_map *below);

/* One holder less; the last one frees it. */
void tutti_shared_map_release(struct shared_map *shared);

/* Bytes of the map and its handle that count at a process, given as rank of the context pool. */
size_t tutti_shared_map_bytes(const struct shared_map *shared, int process);

/* Whether ranks can reach one another's memory: in simulation. The next three are for there only. */
bool tutti_pool_is_common(void);

/* The first of @p holders that share a map gives it to the others, NULL if it could not be made; all hold it then.
   @return false: no memory, and the others learn of it */
bool tutti_pool_give(struct pool *pool, const struct pool_key *key, struct shared_map *shared, int holders);

/* The others: wait for it in no simulated time. It is held already. NULL: it could not be made. */
struct shared_map *tutti_pool_await(struct pool *pool, const struct pool_key *key);

/* Find an existing map, and hold it, or NULL. */
struct shared_map *tutti_pool_find(struct pool *pool, const struct pool_key *key);

/* Let others find a map as long as a process holds it. */
void tutti_pool_show(struct pool *pool, const struct pool_key *key, struct shared_map *shared);

/* ---- the table of a pool in simulation ---- */

struct pool_entry;

/* Remove and free; the map is not touched. */
void tutti_pool_entry_remove(struct pool_entry *entry);

/* ---- segments of POSIX shared memory that hold a serialized map. Not in simulation ---- */

enum { SEGMENT_NAME = 96 };

/* The name of the segment for a key; unique by the random number of the pool. */
void tutti_segment_name(const struct pool *pool, const struct pool_key *key, char name[SEGMENT_NAME]);

/* Make a segment of these bytes, and map it. NULL: it failed and is removed. */
void *tutti_segment_make(const char *name, const unsigned char *bytes, size_t length);

/* Map a segment that is there, to be read. NULL: it is not. */
void *tutti_segment_open(const char *name, size_t length);

/* Remove its name: the segment is gone when the last process that has mapped it unmaps it, or ends. */
void tutti_segment_forget(const char *name);

void tutti_segment_close(void *segment, size_t length);

/* The size of a segment: whole pages. */
size_t tutti_segment_bytes(size_t length);

#endif
