#include "communicators/share.h"

#include <stdlib.h>

static tutti_status no_memory(const tutti_space *space, size_t bytes, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a map of %zu bytes", space->rank, bytes);
}

static tutti_status not_made(const tutti_space *space, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: the process that makes the map it would share could not",
                    space->rank);
}

tutti_status share_check(const tutti_comm *parent, const struct answer *answer, tutti_error *error)
{
  if (answer->status == TUTTI_ERR_UNSUPPORTED)
    return tutti_fail(error, answer->status,
                      "process %d: no context id for its group of %d: each of them leads %d contexts already",
                      parent->space->rank, answer->size, TUTTI_LEADER_CONTEXTS);
  if (answer->status != TUTTI_OK)
    return tutti_fail(error, answer->status, "process %d: the root could not decide on groups: %s", parent->space->rank,
                      tutti_status_name(answer->status));
  return TUTTI_OK;
}

/* ---- messages ---- */

tutti_view share_view(tutti_comm *parent)
{
  tutti_view view = parent->space->world.view;
  view.message_tag = comm_tag(parent, WINDOW_PROTOCOL);
  view.message_tags = 1;
  return view;
}

tutti_status share_send(tutti_comm *parent, const void *bytes, uint64_t length, int to, tutti_error *error)
{
  tutti_view view = share_view(parent);
  return tutti_send(bytes, length, MPI_BYTE, to, 0, &view, error);
}

tutti_status share_receive(tutti_comm *parent, void *bytes, uint64_t length, int from, tutti_error *error)
{
  tutti_view view = share_view(parent);
  return tutti_recv(bytes, length, MPI_BYTE, from, 0, &view, MPI_STATUS_IGNORE, error);
}

/* ---- one heap ---- */

static struct pool_key key_of(const tutti_space *space, const struct answer *answer)
{
  return (struct pool_key){answer->leader, answer->index, answer->serial, space->location};
}

static tutti_status share_in_heap(tutti_space *space, const struct answer *answer, tutti_map *map,
                                  struct shared_map **shared, tutti_error *error)
{
  struct pool_key key = key_of(space, answer);
  if (answer->previous >= 0) {
    *shared = pool_await(space->pool, &key);
    return *shared ? TUTTI_OK : not_made(space, error);
  }
  *shared = map ? shared_map_new(map, space->rank) : NULL;
  if (map && !*shared)
    tutti_map_free(map);
  bool given = pool_give(space->pool, &key, *shared, answer->sharers);
  return *shared && given ? TUTTI_OK : no_memory(space, map ? tutti_map_bytes(map) : 0, error);
}

/* ---- processes ----
 *
 * The members that live together are a chain. Each hands on what it gets: a chain, because each needs to know but two
 * others, and there are no more of them than cores. */

/* A map goes on as bytes. @param bytes  NULL: it could not be made */
static tutti_status hand_on(tutti_comm *parent, const struct answer *answer, const unsigned char *bytes, size_t length,
                            tutti_error *error)
{
  uint64_t announced = bytes ? length : 0;
  if (answer->next < 0)
    return TUTTI_OK;
  tutti_status status = share_send(parent, &announced, sizeof announced, answer->next, error);
  return status == TUTTI_OK && announced ? share_send(parent, bytes, length, answer->next, error) : status;
}

static tutti_status take_over(tutti_comm *parent, const struct answer *answer, tutti_map **map, tutti_error *error)
{
  uint64_t length;
  tutti_status status = share_receive(parent, &length, sizeof length, answer->previous, error);
  if (status != TUTTI_OK)
    return status;
  unsigned char *bytes = length ? malloc(length) : NULL;
  if (bytes)
    status = share_receive(parent, bytes, length, answer->previous, error);
  else
    status = length ? no_memory(parent->space, length, error) : not_made(parent->space, error);
  tutti_status sent = hand_on(parent, answer, status == TUTTI_OK ? bytes : NULL, length, error);
  status = status == TUTTI_OK ? sent : status;
  if (status == TUTTI_OK)
    status = tutti_map_deserialise(bytes, length, map, error);
  free(bytes);
  return status;
}

static tutti_status hand_out(tutti_comm *parent, const struct answer *answer, const tutti_map *map, tutti_error *error)
{
  unsigned char *bytes = NULL;
  size_t length = 0;
  if (answer->next < 0)
    return TUTTI_OK;
  tutti_status status = map ? tutti_map_serialise(map, &bytes, &length, error) : TUTTI_OK;
  tutti_status sent = hand_on(parent, answer, bytes, length, error);
  free(bytes);
  return status == TUTTI_OK ? sent : status;
}

static tutti_status share_along_chain(tutti_comm *parent, const struct answer *answer, tutti_map *map,
                                      struct shared_map **shared, tutti_error *error)
{
  tutti_status status =
      answer->previous >= 0 ? take_over(parent, answer, &map, error) : hand_out(parent, answer, map, error);
  if (status == TUTTI_OK && map && (*shared = shared_map_new(map, parent->space->rank)))
    return TUTTI_OK;
  tutti_map_free(map);
  return status == TUTTI_OK ? no_memory(parent->space, sizeof **shared, error) : status;
}

/* ---- all of it ---- */

tutti_status share_map(tutti_comm *parent, const struct answer *answer, tutti_map *map, struct shared_map **shared,
                       tutti_error *error)
{
  return pool_is_common() ? share_in_heap(parent->space, answer, map, shared, error)
                          : share_along_chain(parent, answer, map, shared, error);
}

tutti_status share_adopt(tutti_space *space, const struct answer *answer, struct shared_map *shared, tutti_comm **made,
                         tutti_error *error)
{
  tutti_context context = {.leader = answer->leader, .index = answer->index, .last = -1};
  tutti_comm *comm = comm_new(space);
  tutti_status status =
      comm ? comm_claim(comm, &context, error)
           : tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a communicator", space->rank);
  if (status == TUTTI_OK)
    status = comm_set_map(comm, shared, error);
  if (status == TUTTI_OK) {
    *made = comm;
    return TUTTI_OK;
  }
  shared_map_release(shared);
  if (comm)
    comm_abandon(comm);
  return status;
}
