#include "groups/endpoint.h"

#include <stdlib.h>

#include "base/splitmix64.h"

/* ---- topics ---- */

enum { TOPIC_OF_ALL = 1, TOPIC_BITS = 30, TOPIC_HASHED = 1 << TOPIC_BITS };

static int bits_of(int number)
{
  int bits = 0;
  for (; number > 0; number /= 2)
    bits++;
  return bits;
}

/* The topic of split `number` >= 1 of a parent, known to all its processes without a message. Groups that share a
   process differ in the numbers of the splits that led to them: these are concatenated in Elias's gamma code, so that
   no two are equal. Where that takes more than TOPIC_BITS, as after some thousand splits or in very deep nestings, a
   hash of it is used; if it collides with one in use, attaching the actor fails. */
static int topic_of_split(int parent, int number)
{
  int length = 2 * bits_of(number) - 1;
  if (parent < TOPIC_HASHED && bits_of(parent) + length <= TOPIC_BITS)
    return parent << length | number;
  return TOPIC_HASHED | (int)(tutti_splitmix64(((uint64_t)parent << 32) + (uint64_t)number) % TOPIC_HASHED);
}

/* ---- splitting ---- */

/* The topic of the next split, which counts from now on. */
static int take_topic(tutti_endpoint *endpoint, tutti_group *parent)
{
  return parent ? topic_of_split(parent->actor->topic, ++parent->splits)
                : topic_of_split(TOPIC_OF_ALL, ++endpoint->splits);
}

static tutti_status check_split(const tutti_endpoint *endpoint, const tutti_group *parent, const tutti_split *how,
                                tutti_error *error)
{
  if (how->ranks_per_node < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: %d ranks per node", endpoint->view.rank,
                      how->ranks_per_node);
  if (parent && parent->endpoint != endpoint)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: a group of another endpoint is split", endpoint->view.rank);
  if (endpoint->view.tag_count < TUTTI_ENDPOINT_TAGS + TAGS_OF_GROUP)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: groups need a view with %d tags, not %d",
                      endpoint->view.rank, TUTTI_ENDPOINT_TAGS + TAGS_OF_GROUP, endpoint->view.tag_count);
  return parent ? tutti_group_check(parent, "a split", error) : TUTTI_OK;
}

/* The place of this process in the tree that the group is built in. */
static tutti_status find_place(tutti_group *group, const tutti_split *how, tutti_error *error)
{
  const tutti_view *view = &group->endpoint->view;
  if (!group->parent)
    return tutti_tree_init(&group->tree, TUTTI_TREE_KARY, how->branching, view->size, 0, view->rank, error);
  tutti_membership place = tutti_group_protocol_membership(group->parent->actor);
  int root = place.parent < 0 ? view->rank : TUTTI_NO_PROCESS; /* which others do not know */
  tutti_tree_init_explicit(&group->tree, place.size, root, view->rank, place.parent, place.children, place.child_count);
  return TUTTI_OK;
}

static tutti_status create_actor(tutti_group *group, const tutti_split *how, int color, int topic, tutti_error *error)
{
  static const int of_no_children[1]; /* marks the tree of a group even where a leaf has no sizes */
  tutti_endpoint *endpoint = group->endpoint;
  tutti_group_request request = {.builder = how->builder,
                                 .tree = &group->tree,
                                 .branching = how->branching,
                                 .colors = how->colors ? how->colors : 1,
                                 .color = color,
                                 .ranks_per_node = how->ranks_per_node ? how->ranks_per_node : 1};
  if (group->parent) {
    const int *sizes = tutti_group_protocol_membership(group->parent->actor).sizes;
    request.sizes = sizes ? sizes : of_no_children;
  }
  group->actor = tutti_group_protocol_create(&request, &endpoint->transport, endpoint->view.rank, topic, error);
  return group->actor ? tutti_endpoint_attach(endpoint, group->actor, error) : error->status;
}

static void release(tutti_group *group)
{
  if (group->actor)
    tutti_endpoint_detach(group->endpoint, group->actor);
  tutti_actor_free(group->actor);
  free(group);
}

static tutti_status start_actor(tutti_group *group, tutti_error *error)
{
  tutti_actor *actor = group->actor;
  actor->error = error;
  tutti_actor_start(actor);
  actor->error = NULL; /* each waiting call has an error of its own */
  if (actor->status == TUTTI_OK && group->parent)
    group->parent->groups++;
  return actor->status;
}

static tutti_status open_group(tutti_group *group, const tutti_split *how, int color, int topic, tutti_error *error)
{
  tutti_status status = find_place(group, how, error);
  if (status == TUTTI_OK)
    status = create_actor(group, how, color, topic, error);
  return status == TUTTI_OK ? start_actor(group, error) : status;
}

tutti_status tutti_group_isplit(tutti_endpoint *endpoint, tutti_group *parent, const tutti_split *how, int color,
                                tutti_group **group, tutti_error *error)
{
  tutti_error own = {.status = TUTTI_OK};
  if (!error)
    error = &own;
  *group = NULL;
  int topic = take_topic(endpoint, parent); /* also if it is refused here: elsewhere it may not be */
  tutti_status status = check_split(endpoint, parent, how, error);
  if (status != TUTTI_OK)
    return status;
  tutti_group *made = calloc(1, sizeof *made);
  if (!made)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for a group", endpoint->view.rank);
  *made = (tutti_group){.endpoint = endpoint, .parent = parent, .segment_bytes = how->segment_bytes};
  status = open_group(made, how, color, topic, error);
  if (status == TUTTI_OK)
    *group = made;
  else
    release(made);
  return status;
}

tutti_status tutti_group_split(tutti_endpoint *endpoint, tutti_group *parent, const tutti_split *how, int color,
                               tutti_group **group, tutti_error *error)
{
  tutti_status status = tutti_group_isplit(endpoint, parent, how, color, group, error);
  return status == TUTTI_OK ? tutti_group_wait(*group, error) : status;
}

/* ---- completing ---- */

tutti_status tutti_group_test(tutti_group *group, bool *done, tutti_error *error)
{
  tutti_status status = group->actor->done ? TUTTI_OK : tutti_endpoint_poll(group->endpoint, error);
  *done = group->actor->done;
  return status;
}

static bool is_done(const void *group)
{
  return ((const tutti_group *)group)->actor->done;
}

tutti_status tutti_group_wait(tutti_group *group, tutti_error *error)
{
  return tutti_endpoint_wait(group->endpoint, is_done, group, error);
}

tutti_status tutti_group_waitall(size_t count, tutti_group *const *groups, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t g = 0; g < count && status == TUTTI_OK; g++)
    status = tutti_group_wait(groups[g], error);
  return status;
}

/* ---- made ---- */

tutti_membership tutti_group_membership(const tutti_group *group)
{
  if (group->actor->done)
    return tutti_group_protocol_membership(group->actor);
  return (tutti_membership){.rank = -1, .parent = TUTTI_NO_PROCESS};
}

const tutti_actor *tutti_group_actor(const tutti_group *group)
{
  return group->actor;
}

tutti_status tutti_group_check(const tutti_group *group, const char *what, tutti_error *error)
{
  int rank = group->endpoint->view.rank;
  if (!group->actor->done)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: %s of a group that is not complete", rank, what);
  if (tutti_group_protocol_membership(group->actor).size == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: %s of a group that it is not in", rank, what);
  return TUTTI_OK;
}

tutti_status tutti_group_free(tutti_group *group, tutti_error *error)
{
  if (!group)
    return TUTTI_OK;
  int rank = group->endpoint->view.rank;
  if (!group->actor->done && group->actor->status == TUTTI_OK)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: a group is freed that is not complete", rank);
  if (group->groups > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: a group is freed before %d groups that were split off it",
                      rank, group->groups);
  if (group->parent)
    group->parent->groups--;
  release(group);
  return TUTTI_OK;
}
