/* The pool on real MPI: what a process has to know to name segments of shared memory. */
#include "communicators/pool_entry.h"

#ifndef SMPI_HELPERS_H

#include <stdlib.h>

struct pool_entry {
  int none;
};

struct pool {
  int none;
};

void pool_entry_remove(struct pool_entry *entry)
{
  (void)entry;
}

bool pool_is_common(void)
{
  return false;
}

bool pool_give(struct pool *pool, const struct pool_key *key, struct shared_map *shared, int holders)
{
  (void)pool, (void)key, (void)shared;
  return holders == 1;
}

struct shared_map *pool_await(struct pool *pool, const struct pool_key *key)
{
  (void)pool, (void)key;
  return NULL;
}

struct shared_map *pool_find(struct pool *pool, const struct pool_key *key)
{
  (void)pool, (void)key;
  return NULL;
}

void pool_show(struct pool *pool, const struct pool_key *key, struct shared_map *shared)
{
  (void)pool, (void)key, (void)shared;
}

tutti_status pool_open(const tutti_view *view, struct pool **pool, tutti_error *error)
{
  (void)view, (void)error;
  *pool = NULL;
  return TUTTI_OK;
}

void pool_close(struct pool *pool)
{
  free(pool);
}

/* By the lowest rank on it. */
static int find_leader(MPI_Comm comm, int *leader)
{
  MPI_Comm node;
  int result = MPI_Comm_rank(comm, leader);
  if (result == MPI_SUCCESS)
    result = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, *leader, MPI_INFO_NULL, &node);
  if (result != MPI_SUCCESS)
    return result;
  result = MPI_Bcast(leader, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  return result;
}

tutti_status pool_find_node(const tutti_view *view, uint64_t *location, tutti_error *error)
{
  int leader;
  if (find_leader(view->comm, &leader) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "process %d: the processes of its node could not be found", view->rank);
  *location = (uint64_t)leader;
  return TUTTI_OK;
}

#endif
