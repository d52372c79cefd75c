/* Sharing on real MPI. The members on a node form a chain, each of which forwards what it received: a chain,
 * because each needs only two others, and at most as many as cores.
 *
 *     --- where, length --->    a segment of shared memory, or the bytes to come
 *     <--- opened? ---------    of a segment; if not, it is dropped, and the bytes come instead
 *     --- bytes ----------->
 *
 * The first makes the segment; the last, when all the others have it open, removes its name, so that nothing
 * remains whenever a program ends. Maps that cannot be read in place come as bytes: each has its own copy then. */
#include "groups/communicators/context_pool.h"
#include "groups/communicators/pool.h"

#ifndef SMPI_HELPERS_H

#include <stdlib.h>

/* The message along the chain. */
struct link {
  uint64_t length; /* 0: the map could not be made */
  int32_t in_segment;
  int32_t maker; /* of the segment, as rank of the context pool */
};

/* State of a member. */
struct holding {
  tutti_comm *parent;
  const struct answer *answer;
  struct link link;
  const unsigned char *bytes; /* in the segment or in copy; NULL: the map could not be made */
  unsigned char *copy;        /* to be freed */
  void *segment;
  char name[SEGMENT_NAME];
};

static tutti_status no_memory(const struct holding *h, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a map of %llu bytes",
                    h->parent->contexts->rank, (unsigned long long)h->link.length);
}

/* ---- from the one before ---- */

static tutti_status receive_copy(struct holding *h, tutti_error *error)
{
  h->link.in_segment = 0;
  h->copy = malloc(h->link.length);
  h->bytes = h->copy;
  return h->copy ? tutti_share_receive(h->parent, h->copy, h->link.length, h->answer->previous, error)
                 : no_memory(h, error);
}

static tutti_status receive(struct holding *h, tutti_error *error)
{
  tutti_status status = tutti_share_receive(h->parent, &h->link, sizeof h->link, h->answer->previous, error);
  if (status != TUTTI_OK || h->link.length == 0)
    return status;
  if (!h->link.in_segment)
    return receive_copy(h, error);
  h->segment = tutti_segment_open(h->name, h->link.length);
  h->bytes = h->segment;
  int32_t opened = h->segment != NULL;
  status = tutti_share_send(h->parent, &opened, sizeof opened, h->answer->previous, error);
  return status == TUTTI_OK && !opened ? receive_copy(h, error) : status;
}

/* ---- to the next one ---- */

static tutti_status hand_on(struct holding *h, tutti_error *error)
{
  int32_t opened = 0;
  if (h->answer->next < 0) {
    if (h->link.in_segment)
      tutti_segment_forget(h->name);
    return TUTTI_OK;
  }
  if (!h->bytes)
    h->link = (struct link){.length = 0};
  tutti_status status = tutti_share_send(h->parent, &h->link, sizeof h->link, h->answer->next, error);
  if (status == TUTTI_OK && h->link.in_segment)
    status = tutti_share_receive(h->parent, &opened, sizeof opened, h->answer->next, error);
  if (status != TUTTI_OK || !h->bytes || opened)
    return status;
  if (h->link.in_segment)
    tutti_segment_forget(h->name);
  return tutti_share_send(h->parent, h->bytes, h->link.length, h->answer->next, error);
}

/* ---- the map ---- */

/* A handle of the map in the segment, which takes over the segment; NULL: no segment, or it cannot be read in place. */
static struct shared_map *attach(struct holding *h)
{
  tutti_map *map;
  if (!h->segment || tutti_map_attach(h->segment, h->link.length, &map, NULL) != TUTTI_OK)
    return NULL;
  struct shared_map *shared = tutti_shared_map_new(map, h->link.maker);
  if (!shared) {
    tutti_map_free(map);
    return NULL;
  }
  shared->segment = h->segment;
  shared->segment_length = h->link.length;
  h->segment = NULL;
  return shared;
}

/* A handle of an own map. */
static tutti_status own(struct holding *h, tutti_map *map, struct shared_map **shared, tutti_error *error)
{
  *shared = tutti_shared_map_new(map, h->parent->contexts->rank);
  if (*shared)
    return TUTTI_OK;
  tutti_map_free(map);
  return no_memory(h, error);
}

/* The first: put its map into a segment, if there are others and it can be read there. */
static tutti_status share_copy(struct holding *h, const tutti_map *map, struct shared_map **shared, tutti_error *error)
{
  size_t length;
  tutti_status status = tutti_map_serialize(map, &h->copy, &length, error);
  if (status != TUTTI_OK)
    return status;
  h->bytes = h->copy;
  h->link = (struct link){.length = length, .maker = h->parent->contexts->rank};
  h->segment = tutti_segment_make(h->name, h->copy, length);
  *shared = attach(h);
  h->link.in_segment = *shared != NULL;
  if (h->segment)
    tutti_segment_forget(h->name);
  return TUTTI_OK;
}

static tutti_status publish(struct holding *h, tutti_map *map, struct shared_map **shared, tutti_error *error)
{
  *shared = NULL;
  tutti_status status = map && h->answer->next >= 0 ? share_copy(h, map, shared, error) : TUTTI_OK;
  tutti_status sent = hand_on(h, status == TUTTI_OK ? error : NULL);
  status = status == TUTTI_OK ? sent : status;
  if (status != TUTTI_OK || *shared || !map) {
    tutti_map_free(map);
    return status;
  }
  return own(h, map, shared, error);
}

static tutti_status obtain(struct holding *h, struct shared_map **shared, tutti_error *error)
{
  tutti_map *map;
  tutti_status status = receive(h, error);
  if (status == TUTTI_OK && !h->bytes)
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: the process that makes the map it would share could not",
                        h->parent->contexts->rank);
  tutti_status sent = hand_on(h, status == TUTTI_OK ? error : NULL);
  status = status == TUTTI_OK ? sent : status;
  if (status != TUTTI_OK || (*shared = attach(h)))
    return status;
  status = tutti_map_deserialize(h->bytes, h->link.length, &map, error);
  return status == TUTTI_OK ? own(h, map, shared, error) : status;
}

tutti_status tutti_share_map(tutti_comm *parent, const struct answer *answer, tutti_map *map,
                             struct shared_map **shared, tutti_error *error)
{
  struct holding h = {.parent = parent, .answer = answer};
  struct pool_key key = share_key(parent->contexts, answer);
  tutti_segment_name(parent->contexts->pool, &key, h.name);
  tutti_status status = answer->previous >= 0 ? obtain(&h, shared, error) : publish(&h, map, shared, error);
  if (h.segment)
    tutti_segment_close(h.segment, h.link.length);
  free(h.copy);
  return status;
}

#endif
