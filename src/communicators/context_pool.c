/* Opening and closing a space. */
#include "communicators/context_pool.h"

#include <stdlib.h>

_Static_assert(WINDOW_FIRST_TAG >= TUTTI_FIRST_TAG + TUTTI_TAG_COUNT, "views without a space keep their tags");

static tutti_status count_windows(tutti_space *space, tutti_error *error)
{
  int *bound, found = 0;
  if (MPI_Comm_get_attr(space->comm, MPI_TAG_UB, &bound, &found) != MPI_SUCCESS || !found)
    return tutti_fail(error, TUTTI_ERR_MPI, "process %d: MPI does not tell its greatest tag", space->rank);
  return tutti_window_count(*bound, space->size, &space->windows, error);
}

/* Windows are there; the location is that of a process that shares with nobody. */
static void view_all(tutti_space *space, tutti_view *view)
{
  tutti_comm *world = &space->world;
  world->space = space;
  world->context = (tutti_context){.leader = space->size, .last = -1};
  world->view = *view;
  world->view.progress = &space->progress;
  tutti_comm_set_tags(world, &world->view);
}

static tutti_status find_location(tutti_space *space, tutti_error *error)
{
  switch (space->options.sharing) {
  case TUTTI_SHARE_NOTHING:
    space->location = (uint64_t)space->rank;
    return TUTTI_OK;
  case TUTTI_SHARE_NODE:
    if (space->options.ranks_per_node > 0) {
      space->location = (uint64_t)(space->rank / space->options.ranks_per_node);
      return TUTTI_OK;
    }
    return tutti_pool_find_node(&space->world.view, &space->location, error);
  case TUTTI_SHARE_WORLD:
    space->location = 0;
    if (tutti_pool_is_common())
      return TUTTI_OK;
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "one map for all processes can be had in simulation only");
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no way of sharing has the number %d", (int)space->options.sharing);
}

static tutti_status open_on(tutti_space *space, MPI_Comm comm, tutti_error *error)
{
  tutti_view view;
  if (comm == MPI_COMM_NULL)
    return tutti_fail(error, TUTTI_ERR_MPI, "a space needs a communicator, not MPI_COMM_NULL");
  if (!tutti_map_strategy_name(space->options.strategy))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no strategy for maps has the number %d",
                      (int)space->options.strategy);
  if (space->options.ranks_per_node < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d ranks per node", space->options.ranks_per_node);
  space->comm = comm;
  if (!space->options.borrowed && MPI_Comm_dup(comm, &space->comm) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "a space needs a valid communicator to duplicate");
  space->duplicated = !space->options.borrowed;
  tutti_status status = tutti_view_of(space->comm, &view, error);
  if (status != TUTTI_OK)
    return status;
  space->size = view.size;
  space->rank = view.rank;
  status = count_windows(space, error);
  if (status != TUTTI_OK)
    return status;
  view_all(space, &view);
  status = find_location(space, error);
  return status == TUTTI_OK ? tutti_pool_open(&space->world.view, &space->pool, error) : status;
}

static void release(tutti_space *space)
{
  tutti_pool_close(space->pool);
  tutti_progress_free(&space->progress);
  tutti_live_contexts_free(&space->live);
  if (space->duplicated)
    MPI_Comm_free(&space->comm);
  free(space);
}

tutti_status tutti_space_open(MPI_Comm comm, const tutti_space_options *options, tutti_space **space,
                              tutti_error *error)
{
  tutti_space *opened = calloc(1, sizeof *opened);
  if (!opened)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a space of communicators");
  if (options)
    opened->options = *options;
  tutti_progress_init(&opened->progress);
  tutti_status status = open_on(opened, comm, error);
  if (status == TUTTI_OK)
    *space = opened;
  else
    release(opened);
  return status;
}

tutti_status tutti_space_close(tutti_space *space, tutti_error *error)
{
  if (!space)
    return TUTTI_OK;
  if (space->count > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "process %d: %d communicators of the space are not freed", space->rank,
                      space->count);
  release(space);
  return TUTTI_OK;
}

tutti_comm *tutti_space_world(tutti_space *space)
{
  return &space->world;
}

uint64_t tutti_space_next_serial(tutti_space *space)
{
  return (uint64_t)space->rank << 32 | (uint32_t)space->serial++;
}
