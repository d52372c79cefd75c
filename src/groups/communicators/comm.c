/* Handles of communicators, and ranges of them. */
#include <stdlib.h>

#include "groups/communicators/context_pool.h"

void tutti_comm_set_tags(const tutti_comm *comm, tutti_view *view)
{
  view->first_tag = comm_tag(comm, 0);
  view->tag_count = TAG_RANGE_PROTOCOL;
  view->message_tag = comm_tag(comm, TAG_RANGE_USER);
  view->message_tags = TUTTI_CONTEXT_TAGS - TAG_RANGE_USER;
  view->begun = view->prepared = 0;
}

tutti_status tutti_comm_check(const tutti_comm *comm, tutti_error *error)
{
  if (!comm->creation)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "process %d: the communicator is not yet created", comm->contexts->rank);
}

/* ---- from the beginning to the end ---- */

tutti_comm *tutti_comm_new(tutti_context_pool *contexts)
{
  tutti_comm *comm = calloc(1, sizeof *comm);
  if (!comm)
    return NULL;
  comm->contexts = contexts;
  comm->tag_range = -1;
  contexts->count++;
  return comm;
}

tutti_status tutti_comm_claim(tutti_comm *comm, const tutti_context *context, tutti_error *error)
{
  tutti_context_pool *contexts = comm->contexts;
  int64_t tag_range = tutti_tag_range_of(context, contexts->size, contexts->tag_ranges);
  tutti_status status = tutti_live_contexts_add(&contexts->live, tag_range, context, contexts->rank, error);
  if (status != TUTTI_OK)
    return status;
  comm->context = *context;
  comm->tag_range = tag_range;
  comm->leads = context->last < 0 && context->leader == contexts->rank && context->index < TUTTI_LEADER_CONTEXTS;
  if (comm->leads)
    contexts->led = leader_take(contexts->led, context->index);
  return TUTTI_OK;
}

void tutti_comm_abandon(tutti_comm *comm)
{
  tutti_context_pool *contexts = comm->contexts;
  if (comm->tag_range >= 0)
    tutti_live_contexts_remove(&contexts->live, comm->tag_range);
  if (comm->leads)
    contexts->led = leader_give_back(contexts->led, comm->context.index);
  contexts->count--;
  free(comm);
}

tutti_status tutti_comm_free(tutti_comm **comm, tutti_error *error)
{
  tutti_comm *freed = *comm;
  if (!freed)
    return TUTTI_OK;
  tutti_context_pool *contexts = freed->contexts;
  if (freed == &contexts->world)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the communicator of all processes belongs to its context pool");
  tutti_status status = tutti_comm_check(freed, error);
  if (status != TUTTI_OK)
    return status;
  tutti_shared_map_release(freed->map);
  tutti_comm_abandon(freed);
  *comm = NULL;
  return TUTTI_OK;
}

/* ---- maps ---- */

tutti_status tutti_comm_set_map(tutti_comm *comm, struct shared_map *map, tutti_error *error)
{
  comm->map = map;
  comm->has_map = true;
  tutti_status status = tutti_view_mapped(&comm->contexts->world.view, &map->lookup, &comm->view, error);
  tutti_comm_set_tags(comm, &comm->view);
  return status;
}

tutti_status tutti_comm_translate_map(const tutti_context_pool *contexts, const tutti_view *parent,
                                      const tutti_map *group, tutti_map **map, tutti_error *error)
{
  int size = tutti_map_size(group);
  int *members = malloc((size_t)size * sizeof *members);
  if (!members)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a group of %d", contexts->rank, size);
  tutti_map_select_all(group, 0, size, members);
  for (int i = 0; i < size; i++)
    members[i] = tutti_view_base_rank(parent, members[i]);
  tutti_status status = tutti_map_choose(contexts->options.strategy, members, size, contexts->size, NULL, map, error);
  free(members);
  return status;
}

/* ---- what it is ---- */

tutti_view *tutti_comm_view(tutti_comm *comm)
{
  return comm->creation ? NULL : &comm->view;
}

tutti_context tutti_comm_context(const tutti_comm *comm)
{
  return comm->context;
}

const tutti_map *tutti_comm_map(const tutti_comm *comm)
{
  return comm->has_map ? comm->map->map : NULL;
}

size_t tutti_comm_bytes(const tutti_comm *comm)
{
  return sizeof *comm + (comm->has_map ? tutti_shared_map_bytes(comm->map, comm->contexts->rank) : 0);
}

/* ---- ranges: no message (Axtmann, Wiebigke, Sanders 2018, section VI) ---- */

/* <a, b, f + f', f + l', c + 1> in the parent <a, b, f, l, c>. */
static tutti_context context_of(const tutti_context *parent, int first, int last)
{
  tutti_context context = *parent;
  bool agreed = parent->last < 0;
  context.first = (agreed ? 0 : parent->first) + first;
  context.last = (agreed ? 0 : parent->first) + last;
  context.count = (agreed ? 0 : parent->count) + 1;
  return context;
}

tutti_status tutti_comm_range(tutti_comm *parent, int first, int last, tutti_comm **made, tutti_error *error)
{
  tutti_view view;
  tutti_status status = tutti_comm_check(parent, error);
  if (status == TUTTI_OK)
    status = tutti_view_range(&parent->view, first, last, 1, &view, error);
  if (status != TUTTI_OK)
    return status;
  if (view.rank < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d is not in the range %d..%d", parent->view.rank, first, last);
  tutti_context context = context_of(&parent->context, first, last);
  tutti_comm *comm = tutti_comm_new(parent->contexts);
  if (!comm)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a communicator", parent->contexts->rank);
  status = tutti_comm_claim(comm, &context, error);
  if (status != TUTTI_OK) {
    tutti_comm_abandon(comm);
    return status;
  }
  comm->view = view;
  tutti_comm_set_tags(comm, &comm->view);
  comm->map = parent->map;
  if (comm->map)
    tutti_shared_map_hold(comm->map);
  *made = comm;
  return TUTTI_OK;
}
