/* Collectives on the tree of a group, by the schedules that take any tree. */
#include "algorithms/catalogue/builders.h"
#include "algorithms/mpi/run_state.h"
#include "groups/endpoint.h"

/* ---- running a schedule ---- */

/* A schedule of the group, whose ranks are those of the endpoint's view. NULL if memory is short. */
static tutti_builder *create_builder(const tutti_group *group)
{
  return tutti_builder_create(group->endpoint->view.size, group->endpoint->view.rank);
}

static bool is_run(const void *run)
{
  return tutti_run_done(run);
}

/* On the endpoint's view with one of the group's tags. */
static tutti_status drive(tutti_endpoint *endpoint, const tutti_schedule *schedule, int topic, int tag,
                          const tutti_bindings *bindings, tutti_arena *arena, tutti_error *error)
{
  tutti_progress *own = tutti_arena_alloc(arena, sizeof *own);
  struct run *run = tutti_arena_alloc(arena, sizeof *run);
  tutti_view view = endpoint->view;
  int groups = (view.tag_count - TUTTI_ENDPOINT_TAGS) / TAGS_OF_GROUP;
  tag += view.first_tag + TUTTI_ENDPOINT_TAGS + topic % groups * TAGS_OF_GROUP;
  if (!own || !run)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for an operation", view.rank);
  *own = (tutti_progress){.arena = arena};
  if (!view.progress)
    view.progress = own;
  tutti_status status = tutti_run_prepare(run, schedule, &view, tag, bindings, arena, error);
  if (status != TUTTI_OK)
    return status;
  tutti_run_start(run);
  status = tutti_endpoint_drive(endpoint, view.progress, is_run, run, error);
  return run->status == TUTTI_OK ? status : run->status;
}

static tutti_status seal_and_drive(tutti_endpoint *endpoint, tutti_builder *builder, int topic, int tag,
                                   const tutti_bindings *bindings, tutti_error *error)
{
  tutti_arena arena;
  tutti_schedule schedule;
  tutti_arena_init(&arena);
  tutti_status status =
      builder ? tutti_schedule_seal(builder, &arena, &schedule, error)
              : tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for an operation", endpoint->view.rank);
  tutti_builder_free(builder);
  if (status == TUTTI_OK)
    status = drive(endpoint, &schedule, topic, tag, bindings, &arena, error);
  if (status == TUTTI_OK)
    tutti_arena_release(&arena); /* after a failure messages may be in flight, whose memory must stay */
  return status;
}

/* Run what was built, with the tag of that number, and free the builder. */
static tutti_status perform(const tutti_group *group, tutti_builder *builder, int tag, const void *input, void *output,
                            MPI_Datatype type, MPI_Op op, tutti_error *error)
{
  tutti_bindings bindings = {.input = input, .input_type = type, .output = output, .output_type = type, .op = op};
  return seal_and_drive(group->endpoint, builder, group->actor->topic, tag, &bindings, error);
}

tutti_status tutti_endpoint_barrier(tutti_endpoint *endpoint, tutti_error *error)
{
  enum { BRANCHING = 2 };
  const tutti_view *view = &endpoint->view;
  tutti_bindings bindings = {.input_type = MPI_BYTE, .output_type = MPI_BYTE, .op = MPI_OP_NULL};
  tutti_tree tree;
  if (view->tag_count < TUTTI_ENDPOINT_TAGS + TAGS_OF_GROUP)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: a barrier needs a view with %d tags, not %d", view->rank,
                      TUTTI_ENDPOINT_TAGS + TAGS_OF_GROUP, view->tag_count);
  tutti_status status = tutti_tree_init(&tree, TUTTI_TREE_KARY, BRANCHING, view->size, 0, view->rank, error);
  if (status != TUTTI_OK)
    return status;
  tutti_builder *builder = tutti_builder_create(view->size, view->rank);
  if (builder)
    tutti_build_barrier_on_tree(builder, &tree);
  return seal_and_drive(endpoint, builder, 0, TAG_OF_COLLECTIVES, &bindings, error);
}

/* ---- collectives ---- */

enum { OUTSTANDING = TUTTI_DEFAULT_OUTSTANDING };

static tutti_tree tree_of(const tutti_group *group)
{
  tutti_tree tree;
  tutti_membership place = tutti_group_protocol_membership(group->actor);
  tutti_tree_init_explicit(&tree, place.size, place.parent < 0 ? group->endpoint->view.rank : TUTTI_NO_PROCESS,
                           group->endpoint->view.rank, place.parent, place.children, place.child_count);
  return tree;
}

/* The call of a collective; `what` is for errors. */
static tutti_status call_of(const tutti_group *group, const char *what, uint64_t count, MPI_Datatype type,
                            tutti_call *call, tutti_error *error)
{
  int bytes;
  tutti_status status = tutti_group_check(group, what, error);
  if (status != TUTTI_OK)
    return status;
  if (MPI_Type_size(type, &bytes) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Type_size failed", group->endpoint->view.rank);
  *call = (tutti_call){.size = group->endpoint->view.size,
                       .rank = group->endpoint->view.rank,
                       .count = bytes > 0 ? count : 0,
                       .type_size = (uint64_t)bytes,
                       .commutative = true,
                       .parameters = {.segment_bytes = group->segment_bytes, .outstanding = OUTSTANDING}};
  return TUTTI_OK;
}

static tutti_status check_op(const tutti_group *group, MPI_Op op, tutti_error *error)
{
  int commutes;
  if (MPI_Op_commutative(op, &commutes) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Op_commutative failed", group->endpoint->view.rank);
  return commutes ? TUTTI_OK
                  : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                               "rank %d: a system-ranked group reduces by operations that "
                               "commute only",
                               group->endpoint->view.rank);
}

static void add_bcast(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree)
{
  tutti_segmentation segments = tutti_segments(call, 0, call->count);
  tutti_build_segments_on_tree(builder, call, tree, &segments);
}

/* The root has to have all before it broadcasts; the others are ready to receive early. */
static void add_allreduce(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree)
{
  tutti_scope part = tutti_scope_of_all(builder, TUTTI_NO_VERTEX);
  tutti_builder_enter(builder, &part);
  tutti_build_reduce_on_tree(builder, call, tree);
  tutti_vertex_id reduced = tutti_builder_leave(builder);
  part = tutti_scope_of_all(builder, tree->parent < 0 ? reduced : TUTTI_NO_VERTEX);
  tutti_builder_enter(builder, &part);
  add_bcast(builder, call, tree);
  tutti_builder_leave(builder);
}

static void add_barrier(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree)
{
  (void)call;
  tutti_build_barrier_on_tree(builder, tree);
}

typedef void (*adder)(tutti_builder *builder, const tutti_call *call, const tutti_tree *tree);

static tutti_status run_on_tree(const tutti_group *group, adder add, const tutti_call *call, const void *input,
                                void *output, MPI_Datatype type, MPI_Op op, tutti_error *error)
{
  tutti_tree tree = tree_of(group);
  tutti_builder *builder = create_builder(group);
  if (builder)
    add(builder, call, &tree);
  return perform(group, builder, TAG_OF_COLLECTIVES, input, output, type, op, error);
}

tutti_status tutti_group_bcast(tutti_group *group, void *buffer, uint64_t count, MPI_Datatype type, tutti_error *error)
{
  tutti_call call;
  tutti_status status = call_of(group, "a broadcast", count, type, &call, error);
  return status == TUTTI_OK ? run_on_tree(group, add_bcast, &call, NULL, buffer, type, MPI_OP_NULL, error) : status;
}

static tutti_status reduce(tutti_group *group, const char *what, adder add, const void *input, void *output,
                           uint64_t count, MPI_Datatype type, MPI_Op op, tutti_error *error)
{
  tutti_call call;
  tutti_status status = call_of(group, what, count, type, &call, error);
  if (status == TUTTI_OK)
    status = check_op(group, op, error);
  if (status == TUTTI_OK && count > 0 && (input == MPI_IN_PLACE || output == MPI_IN_PLACE || input == output))
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: %s takes two buffers, not the same one or MPI_IN_PLACE",
                        group->endpoint->view.rank, what);
  return status == TUTTI_OK ? run_on_tree(group, add, &call, input, output, type, op, error) : status;
}

tutti_status tutti_group_reduce(tutti_group *group, const void *input, void *output, uint64_t count, MPI_Datatype type,
                                MPI_Op op, tutti_error *error)
{
  return reduce(group, "a reduction", tutti_build_reduce_on_tree, input, output, count, type, op, error);
}

tutti_status tutti_group_allreduce(tutti_group *group, const void *input, void *output, uint64_t count,
                                   MPI_Datatype type, MPI_Op op, tutti_error *error)
{
  return reduce(group, "an allreduction", add_allreduce, input, output, count, type, op, error);
}

tutti_status tutti_group_barrier(tutti_group *group, tutti_error *error)
{
  tutti_status status = tutti_group_check(group, "a barrier", error);
  return status == TUTTI_OK ? run_on_tree(group, add_barrier, NULL, NULL, NULL, MPI_BYTE, MPI_OP_NULL, error) : status;
}

/* ---- messages between ranks of a group ---- */

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
  tutti_builder *builder = create_builder(group);
  if (builder)
    add(builder, id, block);
  return perform(group, builder, TAG_OF_MESSAGES, input, output, type, MPI_OP_NULL, error);
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
