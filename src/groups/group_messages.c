/* Messages between ranks of a group. */
#include "groups/group.h"

/* A look-up under way. */
struct lookup {
  tutti_actor *actor;
  int rank;
};

/* An answer is remembered, so asking again sends nothing. */
static bool is_found(const void *argument)
{
  const struct lookup *lookup = argument;
  int id;
  return tutti_group_protocol_find(lookup->actor, lookup->rank, &id, NULL) != TUTTI_OK || id != TUTTI_NO_PROCESS;
}

tutti_status tutti_group_find(tutti_group *group, int rank, int *id, tutti_error *error)
{
  struct lookup lookup = {group->actor, rank};
  tutti_status status = tutti_group_check(group, "a look-up", error);
  if (status == TUTTI_OK)
    status = tutti_group_protocol_find(group->actor, rank, id, error);
  if (status != TUTTI_OK || *id != TUTTI_NO_PROCESS)
    return status;
  status = tutti_endpoint_wait(group->endpoint, is_found, &lookup, error);
  return status == TUTTI_OK ? tutti_group_protocol_find(group->actor, rank, id, error) : status;
}

/* To or from whom. */
static tutti_status find_other(tutti_group *group, int rank, int *id, tutti_error *error)
{
  tutti_status status = tutti_group_find(group, rank, id, error);
  if (status == TUTTI_OK && *id == group->endpoint->view.rank)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: a message between rank %d of its group, which it is itself",
                      *id, rank);
  return status;
}

/* The schedule of one vertex, which `add` adds: to or from rank `rank`. */
static tutti_status exchange(tutti_group *group, tutti_vertex_id (*add)(tutti_builder *, int, tutti_block),
                             tutti_block block, const void *input, void *output, MPI_Datatype type, int rank,
                             tutti_error *error)
{
  int id;
  tutti_status status = find_other(group, rank, &id, error);
  if (status != TUTTI_OK)
    return status;
  tutti_builder *builder = tutti_group_schedule(group);
  if (builder)
    add(builder, id, block);
  return tutti_group_perform(group, builder, TAG_OF_MESSAGES, input, output, type, MPI_OP_NULL, error);
}

tutti_status tutti_group_send(tutti_group *group, const void *buffer, uint64_t count, MPI_Datatype type, int rank,
                              tutti_error *error)
{
  return exchange(group, tutti_add_send, tutti_block_of(TUTTI_INPUT, 0, count), buffer, NULL, type, rank, error);
}

tutti_status tutti_group_recv(tutti_group *group, void *buffer, uint64_t count, MPI_Datatype type, int rank,
                              tutti_error *error)
{
  return exchange(group, tutti_add_recv, tutti_block_of(TUTTI_OUTPUT, 0, count), NULL, buffer, type, rank, error);
}
