/* Handles of shared maps, and how a communicator gets its map. */
#include "groups/communicators/context_pool.h"

#include <stdlib.h>

#include "groups/communicators/pool.h"
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

static int select_through(const void *map, int rank)
{
  const struct shared_map *shared = map;
  return tutti_map_select(shared->below->map, tutti_map_select(shared->map, rank));
}

static int rank_through(const void *map, int member)
{
  const struct shared_map *shared = map;
  return tutti_map_rank(shared->map, tutti_map_rank(shared->below->map, member));
}

void tutti_shared_map_lay(struct shared_map *shared, struct shared_map *below)
{
  if (shared->below)
    return;
  shared->below = below;
  shared->lookup =
      (tutti_lookup){shared, tutti_map_size(shared->map), below->lookup.world, select_through, rank_through};
  tutti_shared_map_hold(below);
}

void tutti_shared_map_release(struct shared_map *shared)
{
  if (!shared || --shared->references > 0)
    return;
  tutti_shared_map_release(shared->below);
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

tutti_status tutti_share_check(const tutti_comm *parent, const struct answer *answer, tutti_error *error)
{
  if (answer->status == TUTTI_ERR_UNSUPPORTED)
    return tutti_fail(error, answer->status,
                      "process %d: no context id for its group of %d: each of them leads %d contexts already",
                      parent->contexts->rank, answer->size, TUTTI_LEADER_CONTEXTS);
  if (answer->status != TUTTI_OK)
    return tutti_fail(error, answer->status, "process %d: the root could not decide on groups: %s",
                      parent->contexts->rank, tutti_status_name(answer->status));
  return TUTTI_OK;
}

/* ---- messages ---- */

tutti_view tutti_share_view(tutti_comm *parent)
{
  tutti_view view = parent->contexts->world.view;
  view.message_tag = comm_tag(parent, TAG_RANGE_PROTOCOL);
  view.message_tags = 1;
  return view;
}

tutti_status tutti_share_send(tutti_comm *parent, const void *bytes, uint64_t length, int to, tutti_error *error)
{
  tutti_view view = tutti_share_view(parent);
  return tutti_send(bytes, length, MPI_BYTE, to, 0, &view, error);
}

tutti_status tutti_share_receive(tutti_comm *parent, void *bytes, uint64_t length, int from, tutti_error *error)
{
  tutti_view view = tutti_share_view(parent);
  return tutti_recv(bytes, length, MPI_BYTE, from, 0, &view, MPI_STATUS_IGNORE, error);
}

/* ---- the communicator ---- */

tutti_status tutti_share_adopt(tutti_context_pool *contexts, const struct answer *answer, struct shared_map *shared,
                               tutti_comm **made, tutti_error *error)
{
  tutti_context context = {.leader = answer->leader, .index = answer->index, .last = -1};
  tutti_comm *comm = tutti_comm_new(contexts);
  tutti_status status =
      comm ? tutti_comm_claim(comm, &context, error)
           : tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a communicator", contexts->rank);
  if (status == TUTTI_OK)
    status = tutti_comm_set_map(comm, shared, error);
  if (status == TUTTI_OK) {
    *made = comm;
    return TUTTI_OK;
  }
  tutti_shared_map_release(shared);
  if (comm)
    tutti_comm_abandon(comm);
  return status;
}

/* ---- sharing where all processes have one heap: in simulation ---- */

#ifdef SMPI_HELPERS_H

static tutti_status no_memory(const tutti_context_pool *contexts, size_t bytes, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a map of %zu bytes", contexts->rank, bytes);
}

static tutti_status not_made(const tutti_context_pool *contexts, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: the process that makes the map it would share could not",
                    contexts->rank);
}

tutti_status tutti_share_map(tutti_comm *parent, const struct answer *answer, tutti_map *map,
                             struct shared_map **shared, tutti_error *error)
{
  tutti_context_pool *contexts = parent->contexts;
  struct pool_key key = share_key(contexts, answer);
  if (answer->previous >= 0) {
    *shared = tutti_pool_await(contexts->pool, &key);
    return *shared ? TUTTI_OK : not_made(contexts, error);
  }
  *shared = map ? tutti_shared_map_new(map, contexts->rank) : NULL;
  if (map && !*shared)
    tutti_map_free(map);
  bool given = tutti_pool_give(contexts->pool, &key, *shared, answer->sharers);
  return *shared && given ? TUTTI_OK : no_memory(contexts, map ? tutti_map_bytes(map) : 0, error);
}

#endif
