/* The pool in simulation: one hash table for all ranks, in the heap, which they share however SMPI privatizes globals.
 * Ranks run one at a time and give way in SimGrid's calls only, so the table needs no lock. */
#include "groups/communicators/pool.h"

#ifdef SMPI_HELPERS_H

#include <simgrid/cond.h>
#include <simgrid/host.h>
#include <simgrid/mutex.h>
#include <stdlib.h>

#include "base/splitmix64.h"
#include "tutti/collectives.h"

struct pool_entry {
  struct pool *pool;
  struct pool_entry *next; /* of the same bucket */
  struct pool_key key;
  struct shared_map *shared;
  bool ready;       /* shared is known */
  int waiting;      /* ranks in await() */
  int to_come;      /* processes that will still ask for it; below 0 until given */
  sg_mutex_t mutex; /* NULL until a rank waits */
  sg_cond_t given;
};

struct pool {
  int users;
  size_t count, bucket_count; /* a power of two */
  struct pool_entry **buckets;
};

/* ---- the table ---- */

static size_t hash(const struct pool_key *key)
{
  uint64_t context = (uint64_t)(uint32_t)key->leader << 32 | (uint32_t)key->index;
  return (size_t)tutti_splitmix64(tutti_splitmix64(tutti_splitmix64(context) + key->serial) + key->location);
}

static struct pool_entry **bucket_of(const struct pool *pool, const struct pool_key *key)
{
  return &pool->buckets[hash(key) & (pool->bucket_count - 1)];
}

static bool is_same(const struct pool_key *a, const struct pool_key *b)
{
  return a->leader == b->leader && a->index == b->index && a->serial == b->serial && a->location == b->location;
}

static struct pool_entry *find(const struct pool *pool, const struct pool_key *key)
{
  struct pool_entry *entry = *bucket_of(pool, key);
  while (entry && !is_same(&entry->key, key))
    entry = entry->next;
  return entry;
}

/* Without memory for a larger table the old one stays. */
static void grow(struct pool *pool)
{
  size_t before = pool->bucket_count;
  struct pool_entry **old = pool->buckets, **buckets = calloc(2 * before, sizeof(struct pool_entry *));
  if (!buckets)
    return;
  pool->buckets = buckets;
  pool->bucket_count = 2 * before;
  for (size_t b = 0; b < before; b++)
    for (struct pool_entry *entry = old[b], *next; entry; entry = next) {
      struct pool_entry **bucket = bucket_of(pool, &entry->key);
      next = entry->next;
      entry->next = *bucket;
      *bucket = entry;
    }
  free(old);
}

/* An entry for the key, if there is memory. */
static struct pool_entry *find_or_add(struct pool *pool, const struct pool_key *key)
{
  struct pool_entry *entry = find(pool, key);
  if (entry || !(entry = malloc(sizeof *entry)))
    return entry;
  if (pool->count >= pool->bucket_count)
    grow(pool);
  struct pool_entry **bucket = bucket_of(pool, key);
  *entry = (struct pool_entry){.pool = pool, .next = *bucket, .key = *key, .to_come = -1};
  *bucket = entry;
  pool->count++;
  return entry;
}

void tutti_pool_entry_remove(struct pool_entry *entry)
{
  struct pool_entry **at = bucket_of(entry->pool, &entry->key);
  while (*at != entry)
    at = &(*at)->next;
  *at = entry->next;
  entry->pool->count--;
  if (entry->mutex) {
    sg_cond_destroy(entry->given);
    sg_mutex_destroy(entry->mutex);
  }
  free(entry);
}

/* ---- giving and taking ---- */

bool tutti_pool_is_common(void)
{
  return true;
}

bool tutti_pool_give(struct pool *pool, const struct pool_key *key, struct shared_map *shared, int holders)
{
  if (holders == 1)
    return true;
  struct pool_entry *entry = find_or_add(pool, key);
  if (!entry)
    return false;
  if (shared)
    shared->references = holders;
  entry->shared = shared;
  entry->to_come = holders - 1;
  entry->ready = true;
  if (entry->waiting > 0) {
    sg_mutex_lock(entry->mutex);
    sg_cond_notify_all(entry->given);
    sg_mutex_unlock(entry->mutex);
  }
  return true;
}

static void wait_until_given(struct pool_entry *entry)
{
  if (entry->ready)
    return;
  if (!entry->mutex) {
    entry->mutex = sg_mutex_init();
    entry->given = sg_cond_init();
  }
  entry->waiting++;
  sg_mutex_lock(entry->mutex);
  while (!entry->ready)
    sg_cond_wait(entry->given, entry->mutex);
  sg_mutex_unlock(entry->mutex);
  entry->waiting--;
}

struct shared_map *tutti_pool_await(struct pool *pool, const struct pool_key *key)
{
  struct pool_entry *entry = find_or_add(pool, key);
  if (!entry)
    return NULL;
  wait_until_given(entry);
  struct shared_map *shared = entry->shared;
  if (--entry->to_come == 0)
    tutti_pool_entry_remove(entry);
  return shared;
}

struct shared_map *tutti_pool_find(struct pool *pool, const struct pool_key *key)
{
  struct pool_entry *entry = find(pool, key);
  if (!entry)
    return NULL;
  tutti_shared_map_hold(entry->shared);
  return entry->shared;
}

void tutti_pool_show(struct pool *pool, const struct pool_key *key, struct shared_map *shared)
{
  struct pool_entry *entry = find_or_add(pool, key);
  if (!entry)
    return; /* then each has its own */
  entry->shared = shared;
  shared->entry = entry;
}

/* ---- opening ---- */

static struct pool *create_pool(int users)
{
  struct pool *pool = malloc(sizeof *pool);
  struct pool_entry **buckets = calloc(1, sizeof *buckets);
  if (pool && buckets) {
    *pool = (struct pool){.users = users, .bucket_count = 1, .buckets = buckets};
    return pool;
  }
  free(pool);
  free(buckets);
  return NULL;
}

tutti_status tutti_pool_open(const tutti_view *view, struct pool **pool, tutti_error *error)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "binomial"));
  struct pool *address = view->rank == 0 ? create_pool(view->size) : NULL;
  tutti_status status = tutti_bcast(&method, &address, sizeof address, MPI_BYTE, 0, view, error);
  if (status == TUTTI_OK && !address)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "process 0: out of memory for the table of shared maps");
  *pool = address;
  return status;
}

void tutti_pool_close(struct pool *pool)
{
  if (!pool || --pool->users > 0)
    return;
  free(pool->buckets);
  free(pool);
}

tutti_status tutti_pool_find_node(const tutti_view *view, uint64_t *location, tutti_error *error)
{
  (void)view, (void)error;
  *location = (uint64_t)(uintptr_t)sg_host_self();
  return TUTTI_OK;
}

#endif
