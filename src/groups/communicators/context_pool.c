/* Opening and closing a context pool. */
#include "groups/communicators/context_pool.h"

#include <stdlib.h>

_Static_assert(TAG_RANGE_FIRST_TAG >= TUTTI_FIRST_TAG + TUTTI_TAG_COUNT,
               "views without a context pool keep their tags");

static tutti_status count_tag_ranges(tutti_context_pool *contexts, tutti_error *error)
{
  int *bound, found = 0;
  if (MPI_Comm_get_attr(contexts->comm, MPI_TAG_UB, &bound, &found) != MPI_SUCCESS || !found)
    return tutti_fail(error, TUTTI_ERR_MPI, "process %d: MPI does not tell its greatest tag", contexts->rank);
  return tutti_tag_range_count(*bound, contexts->size, &contexts->tag_ranges, error);
}

/* Tag ranges are there; the location is that of a process that shares with no other. */
static void view_all(tutti_context_pool *contexts, tutti_view *view)
{
  tutti_comm *world = &contexts->world;
  world->contexts = contexts;
  world->context = (tutti_context){.leader = contexts->size, .last = -1};
  world->view = *view;
  world->view.progress = &contexts->progress;
  tutti_comm_set_tags(world, &world->view);
}

static tutti_status find_location(tutti_context_pool *contexts, tutti_error *error)
{
  switch (contexts->options.sharing) {
  case TUTTI_SHARE_NOTHING:
    contexts->location = (uint64_t)contexts->rank;
    return TUTTI_OK;
  case TUTTI_SHARE_NODE:
    if (contexts->options.ranks_per_node > 0) {
      contexts->location = (uint64_t)(contexts->rank / contexts->options.ranks_per_node);
      return TUTTI_OK;
    }
    return tutti_pool_find_node(&contexts->world.view, &contexts->location, error);
  case TUTTI_SHARE_WORLD:
    contexts->location = 0;
    if (tutti_pool_is_common())
      return TUTTI_OK;
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "one map for all processes can be had in simulation only");
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no way of sharing has the number %d", (int)contexts->options.sharing);
}

static tutti_status open_on(tutti_context_pool *contexts, MPI_Comm comm, tutti_error *error)
{
  tutti_view view;
  if (comm == MPI_COMM_NULL)
    return tutti_fail(error, TUTTI_ERR_MPI, "a context pool needs a communicator, not MPI_COMM_NULL");
  if (!tutti_map_strategy_name(contexts->options.strategy))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no strategy for maps has the number %d",
                      (int)contexts->options.strategy);
  if (contexts->options.ranks_per_node < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d ranks per node", contexts->options.ranks_per_node);
  contexts->comm = comm;
  if (!contexts->options.borrowed && MPI_Comm_dup(comm, &contexts->comm) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "a context pool needs a valid communicator to duplicate");
  contexts->duplicated = !contexts->options.borrowed;
  tutti_status status = tutti_view_of(contexts->comm, &view, error);
  if (status != TUTTI_OK)
    return status;
  contexts->size = view.size;
  contexts->rank = view.rank;
  status = count_tag_ranges(contexts, error);
  if (status != TUTTI_OK)
    return status;
  view_all(contexts, &view);
  status = find_location(contexts, error);
  return status == TUTTI_OK ? tutti_pool_open(&contexts->world.view, &contexts->pool, error) : status;
}

static void release(tutti_context_pool *contexts)
{
  tutti_pool_close(contexts->pool);
  tutti_progress_free(&contexts->progress);
  tutti_live_contexts_free(&contexts->live);
  if (contexts->duplicated)
    MPI_Comm_free(&contexts->comm);
  free(contexts);
}

tutti_status tutti_context_pool_open(MPI_Comm comm, const tutti_context_pool_options *options,
                                     tutti_context_pool **contexts, tutti_error *error)
{
  tutti_context_pool *opened = calloc(1, sizeof *opened);
  if (!opened)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a context pool");
  if (options)
    opened->options = *options;
  tutti_progress_init(&opened->progress);
  tutti_status status = open_on(opened, comm, error);
  if (status == TUTTI_OK)
    *contexts = opened;
  else
    release(opened);
  return status;
}

tutti_status tutti_context_pool_close(tutti_context_pool *contexts, tutti_error *error)
{
  if (!contexts)
    return TUTTI_OK;
  if (contexts->count > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "process %d: %d communicators of the context pool are not freed",
                      contexts->rank, contexts->count);
  release(contexts);
  return TUTTI_OK;
}

tutti_comm *tutti_context_pool_world(tutti_context_pool *contexts)
{
  return &contexts->world;
}

uint64_t tutti_context_pool_next_serial(tutti_context_pool *contexts)
{
  return (uint64_t)contexts->rank << 32 | (uint32_t)contexts->serial++;
}
