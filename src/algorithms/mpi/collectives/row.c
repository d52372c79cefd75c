/* Reductions of numbers in a row, of which each rank holds some. */
#include "tutti/collectives.h"

/* The call of this rank. */
static tutti_status describe(const tutti_method *method, const uint64_t *leaves, uint64_t count, MPI_Datatype type,
                             MPI_Op op, int root, const tutti_view *view, tutti_call *call, tutti_error *error)
{
  int type_size, commutative;
  if (MPI_Type_size(type, &type_size) != MPI_SUCCESS || MPI_Op_commutative(op, &commutative) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: the datatype or the operation is not valid", view->rank);
  *call = (tutti_call){.size = view->size,
                       .rank = view->rank,
                       .root = method->algorithm->collective == TUTTI_COLL_REDUCE ? root : 0,
                       .count = count,
                       .type_size = (uint64_t)type_size,
                       .commutative = commutative,
                       .leaves = leaves};
  return TUTTI_OK;
}

tutti_status tutti_combine_row(const tutti_method *method, const void *input, const uint64_t *leaves, void *output,
                               uint64_t count, MPI_Datatype type, MPI_Op op, int root, const tutti_view *view,
                               tutti_error *error)
{
  const tutti_bindings bindings = {input, type, output, type, op};
  tutti_arena arena;
  tutti_schedule schedule;
  tutti_call call;
  tutti_status status = describe(method, leaves, count, type, op, root, view, &call, error);
  if (status != TUTTI_OK)
    return status;
  tutti_arena_init(&arena);
  status = tutti_method_schedule(method, &call, &arena, &schedule, error);
  if (status == TUTTI_OK)
    status = tutti_run(&schedule, view, &bindings, &arena, error);
  tutti_arena_release(&arena);
  return status;
}
