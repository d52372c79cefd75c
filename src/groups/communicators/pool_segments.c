/* Maps in segments of POSIX shared memory, and the pool on real MPI. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "groups/communicators/pool.h"

/* The context pool is taken at once: a full file system shows here, not as a signal when the bytes are written. */
static void *fill(int file, const unsigned char *bytes, size_t length)
{
  if (posix_fallocate(file, 0, (off_t)length) != 0)
    return NULL;
  void *segment = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (segment == MAP_FAILED)
    return NULL;
  memcpy(segment, bytes, length);
  mprotect(segment, length, PROT_READ);
  return segment;
}

void *tutti_segment_make(const char *name, const unsigned char *bytes, size_t length)
{
  int file = shm_open(name, O_CREAT | O_EXCL | O_RDWR, S_IRUSR | S_IWUSR);
  if (file < 0)
    return NULL;
  void *segment = fill(file, bytes, length);
  close(file);
  if (!segment)
    shm_unlink(name);
  return segment;
}

void *tutti_segment_open(const char *name, size_t length)
{
  int file = shm_open(name, O_RDONLY, 0);
  if (file < 0)
    return NULL;
  void *segment = mmap(NULL, length, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  return segment == MAP_FAILED ? NULL : segment;
}

void tutti_segment_forget(const char *name)
{
  shm_unlink(name);
}

void tutti_segment_close(void *segment, size_t length)
{
  munmap(segment, length);
}

size_t tutti_segment_bytes(size_t length)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (length + page - 1) / page * page;
}

/* ---- the pool on real MPI: what a process has to know to name segments of shared memory ---- */

#ifndef SMPI_HELPERS_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "tutti/collectives.h"

struct pool {
  uint64_t number; /* drawn at opening: in the names of segments */
};

/* There are no entries: a process finds a map only by the name of its segment, which it has received. */

void tutti_pool_entry_remove(struct pool_entry *entry)
{
  (void)entry;
}

bool tutti_pool_is_common(void)
{
  return false;
}

struct shared_map *tutti_pool_find(struct pool *pool, const struct pool_key *key)
{
  (void)pool, (void)key;
  return NULL;
}

void tutti_pool_show(struct pool *pool, const struct pool_key *key, struct shared_map *shared)
{
  (void)pool, (void)key, (void)shared;
}

void tutti_segment_name(const struct pool *pool, const struct pool_key *key, char name[SEGMENT_NAME])
{
  snprintf(name, SEGMENT_NAME, "/tutti-%016llx-%d-%d-%llx-%llx", (unsigned long long)pool->number, key->leader,
           key->index, (unsigned long long)key->serial, (unsigned long long)key->location);
}

tutti_status tutti_pool_open(const tutti_view *view, struct pool **pool, tutti_error *error)
{
  tutti_method method = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "binomial"));
  uint64_t number = 0;
  ssize_t drawn = view->rank == 0 ? getrandom(&number, sizeof number, 0) : (ssize_t)sizeof number;
  tutti_status status = tutti_bcast(&method, &number, sizeof number, MPI_BYTE, 0, view, error);
  if (status != TUTTI_OK)
    return status;
  if (drawn != (ssize_t)sizeof number)
    return tutti_fail(error, TUTTI_ERR_IO, "process 0: no random number for the names of shared memory");
  *pool = malloc(sizeof **pool);
  if (!*pool)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a context pool", view->rank);
  (*pool)->number = number;
  return TUTTI_OK;
}

void tutti_pool_close(struct pool *pool)
{
  free(pool);
}

tutti_status tutti_pool_find_node(const tutti_view *view, uint64_t *location, tutti_error *error)
{
  int leader;
  if (tutti_node_leader(view->comm, &leader) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "process %d: the processes of its node could not be found", view->rank);
  *location = (uint64_t)leader;
  return TUTTI_OK;
}

#endif
