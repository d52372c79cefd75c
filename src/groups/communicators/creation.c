/* Creation of communicators from groups: collective over the group (procedure 2) and nonblocking. */
#include <stdlib.h>

#include "groups/communicators/context_pool.h"

/* Do not copy or move: the view points into it. */
struct joined {
  const tutti_map *group;   /* ranks of the parent */
  const tutti_view *parent; /* on the context pool */
  tutti_lookup lookup;
  tutti_view view; /* has the tags of operations of the parent */
};

static int select_joined(const void *map, int rank)
{
  const struct joined *joined = map;
  return tutti_view_base_rank(joined->parent, tutti_map_select(joined->group, rank));
}

static int rank_joined(const void *map, int member)
{
  const struct joined *joined = map;
  int rank = tutti_view_rank_of(joined->parent, member);
  return rank >= 0 ? tutti_map_rank(joined->group, rank) : -1;
}

/* TUTTI_ERR_ARGUMENT if the group leaves the parent, or the calling process is not in it. */
static tutti_status joined_make(struct joined *joined, tutti_comm *parent, const tutti_map *group, tutti_error *error)
{
  tutti_context_pool *contexts = parent->contexts;
  tutti_status status = tutti_comm_check(parent, error);
  if (status != TUTTI_OK)
    return status;
  if (tutti_map_world(group) > parent->view.size)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a group of %d ranks for a parent of %d", tutti_map_world(group),
                      parent->view.size);
  *joined = (struct joined){.group = group, .parent = &parent->view};
  joined->lookup = (tutti_lookup){joined, tutti_map_size(group), contexts->size, select_joined, rank_joined};
  status = tutti_view_mapped(&contexts->world.view, &joined->lookup, &joined->view, error);
  if (status != TUTTI_OK)
    return status;
  tutti_comm_set_tags(parent, &joined->view);
  if (joined->view.rank >= 0)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d of the parent creates a group that it is not in",
                    parent->view.rank);
}

/* Whether the group is first .. last of the parent. Constant time. */
static bool joined_is_range(const tutti_map *group, int *first, int *last)
{
  *first = tutti_map_select(group, 0);
  *last = tutti_map_select(group, tutti_map_size(group) - 1);
  return tutti_map_is_ordered(group) && *last - *first + 1 == tutti_map_size(group);
}

/* Procedure 2 (Kamal, Mirtaheri, Wagner 2010, section 4): rank 0 of the group gathers the bits and chooses the leader;
 * the group itself need not be sent. The paper's rank 0 receives from one member after the other; here it is a binomial
 * tree. */

static tutti_status ask(tutti_comm *parent, const tutti_map *group, struct answer *answer, tutti_error *error)
{
  struct joined joined;
  tutti_status status = joined_make(&joined, parent, group, error);
  if (status == TUTTI_OK)
    status = tutti_split_ask(parent->contexts, &joined.view, answer, error);
  return status == TUTTI_OK ? tutti_share_check(parent, answer, error) : status;
}

/* Ranks of the view are those of the group, by which it is sorted already. */
tutti_status tutti_comm_create(tutti_comm *parent, const tutti_map *group, tutti_comm **made, tutti_error *error)
{
  struct answer answer;
  struct shared_map *shared;
  tutti_map *map = NULL;
  *made = NULL;
  tutti_status status = ask(parent, group, &answer, error);
  if (status != TUTTI_OK)
    return status;
  tutti_status translated =
      answer.previous < 0 ? tutti_comm_translate_map(parent->contexts, &parent->view, group, &map, error) : TUTTI_OK;
  status = tutti_share_map(parent, &answer, map, &shared, translated == TUTTI_OK ? error : NULL);
  if (translated != TUTTI_OK || status != TUTTI_OK)
    return translated != TUTTI_OK ? translated : status;
  return tutti_share_adopt(parent->contexts, &answer, shared, made, error);
}

/* Nonblocking creation (Axtmann, Wiebigke, Sanders 2018, section VI): a range at once, another group by one broadcast
 * of its id. The id is one of the bits of rank 0, whose tag range is private; when all are set, <a, b> of the paper
 * with b counted on from there, and a hashed tag range. */

/* Broadcast by rank 0. */
struct choice {
  tutti_status status;
  int leader, index;
  int unused;
  uint64_t serial;
};

struct creation {
  struct joined joined;
  struct choice choice;
  tutti_request *request;
};

/* ---- the id ---- */

static tutti_context context_of(const struct choice *choice)
{
  return (tutti_context){.leader = choice->leader, .index = choice->index, .last = -1};
}

enum { TRIES = 8 }; /* hashed tag ranges that are in use here already */

static void choose(tutti_comm *comm, struct choice *choice, tutti_error *error)
{
  tutti_context_pool *contexts = comm->contexts;
  *choice = (struct choice){.leader = contexts->rank, .serial = tutti_context_pool_next_serial(contexts)};
  for (int i = 0; i < TRIES; i++) {
    int index = leader_free_index(contexts->led);
    choice->index = index >= 0 ? index : TUTTI_LEADER_CONTEXTS + contexts->more_ids++;
    tutti_context context = context_of(choice);
    choice->status = tutti_comm_claim(comm, &context, error);
    if (choice->status != TUTTI_ERR_UNSUPPORTED)
      return;
  }
}

/* ---- the map ---- */

static tutti_status make_map(tutti_comm *comm, struct shared_map **shared, tutti_error *error)
{
  const struct joined *joined = &comm->creation->joined;
  tutti_map *map;
  tutti_status status = tutti_comm_translate_map(comm->contexts, joined->parent, joined->group, &map, error);
  if (status != TUTTI_OK)
    return status;
  *shared = tutti_shared_map_new(map, comm->contexts->rank);
  if (*shared)
    return TUTTI_OK;
  tutti_map_free(map);
  return tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a map", comm->contexts->rank);
}

/* "Create or get": no process waits, because every member has the group. On real MPI each process has its own map, as
 * it is not known yet which members are on one node. */
static tutti_status create_or_get(tutti_comm *comm, struct shared_map **shared, tutti_error *error)
{
  tutti_context_pool *contexts = comm->contexts;
  const struct choice *choice = &comm->creation->choice;
  struct pool_key key = {choice->leader, choice->index, choice->serial, contexts->location};
  bool shares = tutti_pool_is_common() && contexts->options.sharing != TUTTI_SHARE_NOTHING;
  *shared = shares ? tutti_pool_find(contexts->pool, &key) : NULL;
  if (*shared)
    return TUTTI_OK;
  tutti_status status = make_map(comm, shared, error);
  if (status == TUTTI_OK && shares)
    tutti_pool_show(contexts->pool, &key, *shared);
  return status;
}

static tutti_status adopt(tutti_comm *comm, tutti_error *error)
{
  struct shared_map *shared;
  tutti_context context = context_of(&comm->creation->choice);
  tutti_status status = comm->creation->choice.status;
  if (status != TUTTI_OK)
    return tutti_fail(error, status, "process %d: the group's first process, %d, could not choose a context id",
                      comm->contexts->rank, context.leader);
  if (comm->tag_range < 0)
    status = tutti_comm_claim(comm, &context, error);
  if (status == TUTTI_OK)
    status = create_or_get(comm, &shared, error);
  return status == TUTTI_OK ? tutti_comm_set_map(comm, shared, error) : status;
}

/* ---- beginning and completion ---- */

/* A view of one tag for a nonblocking operation, which takes the second one of a tag range of three. */
static void set_tag(tutti_view *view, int tag)
{
  view->first_tag = tag - 1;
  view->tag_count = 3;
}

static tutti_status begin_creation(tutti_comm *comm, int tag, tutti_error *error)
{
  struct creation *creation = comm->creation;
  tutti_method binomial = tutti_method_default(tutti_algorithm_find(TUTTI_COLL_BCAST, "binomial"));
  if (creation->joined.view.rank == 0)
    choose(comm, &creation->choice, error);
  set_tag(&creation->joined.view, tag);
  return tutti_ibcast(&binomial, &creation->choice, sizeof creation->choice, MPI_BYTE, 0, &creation->joined.view,
                      &creation->request, error);
}

static tutti_status start(tutti_comm *parent, const tutti_map *group, int tag, tutti_comm **made, tutti_error *error)
{
  tutti_comm *comm = tutti_comm_new(parent->contexts);
  struct creation *creation = calloc(1, sizeof *creation);
  tutti_status status =
      comm && creation
          ? joined_make(&creation->joined, parent, group, error)
          : tutti_fail(error, TUTTI_ERR_MEMORY, "process %d: out of memory for a communicator", parent->contexts->rank);
  if (status == TUTTI_OK) {
    comm->creation = creation;
    status = begin_creation(comm, comm_tag(parent, TAG_RANGE_CREATIONS + tag), error);
  }
  if (status == TUTTI_OK) {
    *made = comm;
    return TUTTI_OK;
  }
  free(creation);
  if (comm)
    tutti_comm_abandon(comm);
  return status;
}

tutti_status tutti_icomm_create_group(tutti_comm *parent, const tutti_map *group, int tag, tutti_comm **made,
                                      tutti_error *error)
{
  int first, last;
  *made = NULL;
  if (tag < 0 || tag >= TAG_RANGE_USER - TAG_RANGE_CREATIONS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "no tag %d for a creation: 0..%d", tag,
                      TAG_RANGE_USER - TAG_RANGE_CREATIONS - 1);
  if (joined_is_range(group, &first, &last))
    return tutti_comm_range(parent, first, last, made, error);
  return start(parent, group, tag, made, error);
}

static tutti_status finish(tutti_comm *comm, tutti_error *error)
{
  tutti_status status = adopt(comm, error);
  free(comm->creation);
  comm->creation = NULL;
  return status;
}

tutti_status tutti_comm_wait(tutti_comm *comm, tutti_error *error)
{
  if (!comm->creation)
    return TUTTI_OK;
  tutti_status status = tutti_wait(&comm->creation->request, error);
  return status == TUTTI_OK ? finish(comm, error) : status;
}

tutti_status tutti_comm_test(tutti_comm *comm, bool *done, tutti_error *error)
{
  *done = true;
  if (!comm->creation)
    return TUTTI_OK;
  tutti_status status = tutti_test(&comm->creation->request, done, error);
  return status == TUTTI_OK && *done ? finish(comm, error) : status;
}
