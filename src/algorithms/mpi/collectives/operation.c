#include "algorithms/mpi/collectives/operation.h"

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

/* Make the schedule in the operation's own arena, and set the places of data on this rank. */
static tutti_status place(struct operation *o, struct pack_memory *memory, tutti_error *error)
{
  tutti_vertex *vertices = (tutti_vertex *)(uintptr_t)o->schedule.vertices;
  tutti_status status = tutti_pack_place(&o->input, TUTTI_INPUT, vertices, o->schedule.vertex_count, memory, error);
  return status == TUTTI_OK
             ? tutti_pack_place(&o->output, TUTTI_OUTPUT, vertices, o->schedule.vertex_count, memory, error)
             : status;
}

/* The schedule and what it is bound to. */
static tutti_status prepare(const tutti_method *method, const struct arguments *arguments, const tutti_view *view,
                            int tag, tutti_method *ran, struct operation *o, tutti_error *error)
{
  tutti_call call;
  struct pack_memory memory = {.arena = &o->arena};
  tutti_status status = tutti_arguments_pack(arguments, view, &memory, &o->input, &o->output, &call, error);
  if (status == TUTTI_OK && ran) {
    *ran = tutti_method_serving(method, &call);
    method = ran;
  }
  if (status == TUTTI_OK)
    status = tutti_method_schedule(method, &call, &o->arena, &o->schedule, error);
  if (status == TUTTI_OK)
    status = place(o, &memory, error);
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
  o->place = (struct operation_place){arguments->input.base, arguments->output.base, NULL};
  status = tutti_run_lay_out(&o->run, &o->schedule, &progressing, tag, &bindings, &o->arena, &memory.scratch, error);
  o->scratch_bytes = memory.scratch;
  return status;
}

tutti_status tutti_operation_lay_out(const tutti_method *method, const struct arguments *arguments,
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
  o->arena = arena; /* the operation is in its own arena */
  tutti_status status = prepare(method, arguments, view, tag, ran, o, error);
  if (status == TUTTI_OK)
    *operation = o;
  else
    tutti_operation_free(o);
  return status;
}

void tutti_operation_bind(struct operation *operation, const struct operation_place *place)
{
  const uintptr_t input_by = (uintptr_t)place->input - (uintptr_t)operation->place.input,
                  output_by = (uintptr_t)place->output - (uintptr_t)operation->place.output,
                  scratch_by = (uintptr_t)place->scratch - (uintptr_t)operation->place.scratch;
  struct run *run = &operation->run;
  if ((input_by | output_by | scratch_by) == 0)
    return;
  operation->place = *place;
  tutti_pack_move(&operation->input, operation->input.of_output ? output_by : input_by, scratch_by);
  tutti_pack_move(&operation->output, output_by, scratch_by);
  run->input.base = operation->input.base;
  run->output.base = operation->output.base;
  if (scratch_by != 0)
    tutti_run_move_scratch(run, scratch_by);
}

tutti_status tutti_operation_create(const tutti_method *method, const struct arguments *arguments,
                                    const tutti_view *view, int tag, tutti_method *ran, struct operation **operation,
                                    tutti_error *error)
{
  tutti_status status = tutti_operation_lay_out(method, arguments, view, tag, ran, operation, error);
  if (status != TUTTI_OK || (*operation)->scratch_bytes == 0)
    return status;
  struct operation *o = *operation;
  struct operation_place place = o->place;
  place.scratch = tutti_arena_alloc(&o->arena, o->scratch_bytes);
  if (place.scratch) {
    tutti_operation_bind(o, &place);
    return TUTTI_OK;
  }
  status =
      tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu bytes of a collective operation", o->scratch_bytes);
  tutti_operation_free(o);
  return status;
}

void tutti_operation_free(struct operation *operation)
{
  tutti_arena arena = operation->arena;
  tutti_arena_release(&arena);
}

static tutti_status refuse_own_block(const struct operation *operation)
{
  const struct run *run = &operation->run;
  const uint64_t sent = operation->input.own, received = operation->output.own;
  tutti_fail(run->error, TUTTI_ERR_MPI,
             "rank %d: it sends %llu bytes to itself and receives %llu: another count or datatype", run->schedule->rank,
             (unsigned long long)sent, (unsigned long long)received);
  if (run->error && sent > received)
    run->error->mpi_code = MPI_ERR_TRUNCATE;
  return TUTTI_ERR_MPI;
}

/* Load the packed buffers. */
static void load(struct operation *operation)
{
  struct run *run = &operation->run;
  run->status = operation->input.own == operation->output.own ? TUTTI_OK : refuse_own_block(operation);
  if (operation->input.apart && run->status == TUTTI_OK)
    run->status = tutti_pack_load(&operation->input, run->view.comm, run->error);
  if (operation->output.apart && run->status == TUTTI_OK)
    run->status = tutti_pack_load(&operation->output, run->view.comm, run->error);
}

void tutti_operation_start(struct operation *operation)
{
  load(operation);
  tutti_run_start(&operation->run); /* after a failure, too: others may wait for its messages */
}

tutti_status tutti_operation_run(struct operation *operation)
{
  struct run *run = &operation->run;
  const tutti_progress *progress = run->view.progress;
  load(operation);
  if (run->steps && progress->active == 0 && !progress->sought)
    tutti_run_steps(run);
  else {
    tutti_run_start(run);
    tutti_progress_wait(run);
  }
  return tutti_operation_finish(operation);
}

tutti_status tutti_operation_run_once(struct operation *operation)
{
  const tutti_status status = tutti_operation_run(operation);
  if (!operation->run.broken)
    tutti_operation_free(operation);
  return status;
}

void tutti_operation_find_steps(struct operation *operation)
{
  struct run *run = &operation->run;
  tutti_run_find_steps(run, &operation->arena);
  operation->direct = run->steps && run->view.progress == &operation->own && !operation->input.apart &&
                      !operation->output.apart && operation->input.own == operation->output.own;
}

tutti_status tutti_operation_finish(struct operation *operation)
{
  struct run *run = &operation->run;
  if (run->status != TUTTI_OK || !operation->output.apart)
    return run->status;
  return tutti_pack_store(&operation->output, run->view.comm, run->error);
}
