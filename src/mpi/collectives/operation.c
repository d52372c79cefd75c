#include "mpi/collectives/operation.h"

static tutti_status refuse_collective(const tutti_method *method, tutti_collective wanted, tutti_error *error)
{
  char name[TUTTI_METHOD_LENGTH];
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "method %s is not a %s method", tutti_method_format(method, name),
                    tutti_collective_name(wanted));
}

static tutti_status refuse_stranger(const tutti_view *view, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the calling process is not in the view of %d ranks", view->size);
}

/* The schedule and what it is bound to. */
static tutti_status prepare(const tutti_method *method, const struct arguments *arguments, const tutti_view *view,
                            int tag, tutti_method *ran, struct operation *o, tutti_error *error)
{
  tutti_call call;
  tutti_status status = tutti_arguments_pack(arguments, view, &o->arena, &o->input, &o->output, &call, error);
  if (status == TUTTI_OK && ran) {
    *ran = tutti_method_serving(method, &call);
    method = ran;
  }
  if (status == TUTTI_OK)
    status = tutti_method_schedule(method, &call, &o->arena, &o->schedule, error);
  if (status != TUTTI_OK)
    return status;
  tutti_bindings bindings = {.input = o->input.base,
                             .input_type = o->input.type,
                             .output = o->output.base,
                             .output_type = o->output.type,
                             .op = arguments->op};
  tutti_view progressing = *view;
  o->own = (tutti_progress){.arena = &o->arena};
  if (!progressing.progress)
    progressing.progress = &o->own;
  return tutti_run_prepare(&o->run, &o->schedule, &progressing, tag, &bindings, &o->arena, error);
}

tutti_status tutti_operation_create(const tutti_method *method, const struct arguments *arguments,
                                    const tutti_view *view, int tag, tutti_method *ran, struct operation **operation,
                                    tutti_error *error)
{
  tutti_arena arena;
  if (method->algorithm->collective != arguments->collective)
    return refuse_collective(method, arguments->collective, error);
  if (view->rank < 0)
    return refuse_stranger(view, error);
  tutti_arena_init(&arena);
  struct operation *o = tutti_arena_alloc(&arena, sizeof *o);
  if (!o)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for an operation", view->rank);
  o->arena = arena; /* the operation lies in its own arena */
  tutti_status status = prepare(method, arguments, view, tag, ran, o, error);
  if (status == TUTTI_OK)
    *operation = o;
  else
    tutti_operation_free(o);
  return status;
}

void tutti_operation_free(struct operation *operation)
{
  tutti_arena arena = operation->arena;
  tutti_arena_release(&arena);
}

void tutti_operation_start(struct operation *operation)
{
  struct run *run = &operation->run;
  run->status = tutti_pack_load(&operation->input, run->view.comm, run->error);
  if (run->status == TUTTI_OK)
    run->status = tutti_pack_load(&operation->output, run->view.comm, run->error);
  if (run->status == TUTTI_OK)
    tutti_run_start(run);
}

tutti_status tutti_operation_finish(struct operation *operation)
{
  struct run *run = &operation->run;
  return run->status == TUTTI_OK ? tutti_pack_store(&operation->output, run->view.comm, run->error) : run->status;
}
