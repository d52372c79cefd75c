#include "algorithms/mpi/levels.h"

#include <limits.h>
#include <stdlib.h>

#include "base/input.h"

/* ---- the own process; by the PMPI_ names, as nodes (view.c) ---- */

static void get_host(char host[MPI_MAX_PROCESSOR_NAME])
{
  int length;
  if (PMPI_Get_processor_name(host, &length) != MPI_SUCCESS)
    host[0] = '\0';
}

void tutti_own_parts(const struct node_table *table, int *parts)
{
  char host[MPI_MAX_PROCESSOR_NAME];
  int node;
  get_host(host);
  const struct node_range *range = tutti_node_number(host, &node) ? tutti_node_table_find(table, node) : NULL;
  for (int i = 0; i < table->level_count; i++)
    parts[i] = range ? (int)range->parts[i] : -1;
}

tutti_status tutti_node_is_missing(const char *path, int rank, tutti_error *error)
{
  char host[MPI_MAX_PROCESSOR_NAME];
  get_host(host);
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the node '%.80s', of rank %d, is not in %s", host, rank, path);
}

/* ---- all ranks of a view ---- */

static tutti_status make_room(const tutti_view *view, int count, tutti_view_levels *levels, tutti_error *error)
{
  for (int i = 0; i < count; i++)
    if (!(levels->ids[i] = malloc((size_t)view->size * sizeof *levels->ids[i])))
      return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for the levels", view->rank);
  levels->count = count;
  return TUTTI_OK;
}

static tutti_status find_own(const tutti_view *view, const char *path, int *parts, tutti_view_levels *levels,
                             tutti_error *error)
{
  struct node_table table;
  tutti_status status = tutti_input_permit_handing_on(path, error);
  table = (struct node_table){.level_count = 0};
  if (status == TUTTI_OK)
    status = tutti_node_table_read(path, &table, error);
  if (status == TUTTI_OK) {
    tutti_own_parts(&table, parts);
    status = parts[0] < 0 ? tutti_node_is_missing(path, view->rank, error)
                          : make_room(view, table.level_count, levels, error);
  }
  tutti_vector_free(&table);
  return status;
}

/* All ranks must fail together, before the next message. */
static tutti_status agree_on_status(const tutti_view *view, tutti_status own, int count, tutti_error *error)
{
  int least[3] = {own == TUTTI_OK ? INT_MAX : view->rank, count, -count};
  if (PMPI_Allreduce(MPI_IN_PLACE, least, 3, MPI_INT, MPI_MIN, view->comm) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: the levels could not be told to all", view->rank);
  if (own != TUTTI_OK)
    return own;
  if (least[0] != INT_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d does not know its levels", least[0]);
  if (least[1] != -least[2])
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "some ranks have %d levels, some %d", least[1], -least[2]);
  return TUTTI_OK;
}

static tutti_status gather(const tutti_view *view, const int *parts, const tutti_view_levels *levels,
                           tutti_error *error)
{
  for (int i = 0; i < levels->count; i++)
    if (PMPI_Allgather(&parts[i], 1, MPI_INT, levels->ids[i], 1, MPI_INT, view->comm) != MPI_SUCCESS)
      return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: the levels could not be told to all", view->rank);
  return TUTTI_OK;
}

tutti_status tutti_view_find_levels(tutti_view *view, const char *path, tutti_view_levels *levels, tutti_error *error)
{
  int parts[TUTTI_VIEW_LEVELS];
  const char *named = path ? path : getenv("TUTTI_LEVELS");
  *levels = (tutti_view_levels){.count = 0};
  if (!tutti_view_is_whole(view))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "levels are found on the view of a whole communicator");
  tutti_status status = named && *named ? find_own(view, named, parts, levels, error) : TUTTI_OK;
  status = agree_on_status(view, status, levels->count, error);
  if (status == TUTTI_OK)
    status = gather(view, parts, levels, error);
  if (status == TUTTI_OK && levels->count > 0)
    view->levels = levels;
  return status;
}

void tutti_view_levels_free(tutti_view_levels *levels)
{
  for (int i = 0; i < TUTTI_VIEW_LEVELS; i++)
    free(levels->ids[i]);
  *levels = (tutti_view_levels){.count = 0};
}
