#include "tutti/collectives.h"

#include <limits.h>

static tutti_status check_collective(const tutti_method *method, tutti_collective wanted, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH];
  if (method->algorithm->collective == wanted)
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method %s is not a %s method", tutti_method_format(method, name),
                    tutti_collective_name(wanted));
}

/* Build, run and forget. The count is that of an MPI call and refused on all ranks alike, so that none waits for one
   that has given up. If a run fails messages may be in flight, and their memory must stay. */
static tutti_status run_once(const tutti_method *method, const tutti_call *call, const tutti_view *view,
                             const tutti_bindings *bindings, tutti_error *error)
{
  tutti_arena arena;
  tutti_schedule schedule;
  if (call->count > INT_MAX)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%llu elements in one call; MPI counts to %d",
                      (unsigned long long)call->count, INT_MAX);
  tutti_arena_init(&arena);
  tutti_status status = tutti_method_schedule(method, call, &arena, &schedule, error);
  if (status != TUTTI_OK) {
    tutti_arena_release(&arena);
    return status;
  }
  status = tutti_run(&schedule, view, bindings, &arena, error);
  if (status == TUTTI_OK)
    tutti_arena_release(&arena);
  return status;
}

static tutti_status size_of(MPI_Datatype type, uint64_t *bytes, tutti_error *error)
{
  int size;
  if (MPI_Type_size(type, &size) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "MPI_Type_size failed");
  *bytes = (uint64_t)size;
  return TUTTI_OK;
}

tutti_status tutti_bcast(const tutti_method *method, void *buffer, uint64_t count, MPI_Datatype type, int root,
                         const tutti_view *view, tutti_error *error)
{
  tutti_call call = {
      .size = view->size, .rank = view->rank, .root = root, .count = count, .type_size = 0, .commutative = true};
  tutti_bindings bindings = {.input_type = MPI_DATATYPE_NULL, .output = buffer, .output_type = type, .op = MPI_OP_NULL};
  tutti_status status = check_collective(method, TUTTI_COLL_BCAST, error);
  if (status == TUTTI_OK)
    status = size_of(type, &call.type_size, error);
  return status == TUTTI_OK ? run_once(method, &call, view, &bindings, error) : status;
}

tutti_status tutti_barrier(const tutti_method *method, const tutti_view *view, tutti_error *error)
{
  tutti_call call = {.size = view->size, .rank = view->rank, .type_size = 1, .commutative = true};
  tutti_bindings bindings = {.input_type = MPI_DATATYPE_NULL, .output_type = MPI_DATATYPE_NULL, .op = MPI_OP_NULL};
  tutti_status status = check_collective(method, TUTTI_COLL_BARRIER, error);
  return status == TUTTI_OK ? run_once(method, &call, view, &bindings, error) : status;
}

tutti_status tutti_reduce(const tutti_method *method, const void *input, void *output, uint64_t count,
                          MPI_Datatype type, MPI_Op op, int root, const tutti_view *view, tutti_error *error)
{
  int commutative;
  tutti_call call = {.size = view->size, .rank = view->rank, .root = root, .count = count};
  tutti_bindings bindings = {.input = input, .input_type = type, .output = output, .output_type = type, .op = op};
  tutti_status status = check_collective(method, TUTTI_COLL_REDUCE, error);
  if (status == TUTTI_OK)
    status = size_of(type, &call.type_size, error);
  if (status != TUTTI_OK)
    return status;
  if (MPI_Op_commutative(op, &commutative) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "MPI_Op_commutative failed");
  call.commutative = commutative;
  return run_once(method, &call, view, &bindings, error);
}
