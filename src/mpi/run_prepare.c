/* Memory of a running schedule: all of it from one arena. */
#include <stdlib.h>
#include <string.h>

#include "mpi/copy.h"
#include "mpi/run_state.h"

static tutti_status out_of_memory(const struct run *run, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory while running a schedule of %u vertices",
                    run->schedule->rank, (unsigned)run->schedule->vertex_count);
}

/* An allocation that may be of zero bytes. */
static bool allocate(tutti_arena *arena, void *place, size_t count, size_t item)
{
  void *memory = count > SIZE_MAX / item ? NULL : tutti_arena_alloc(arena, count * item);
  memcpy(place, &memory, sizeof memory);
  return memory != NULL;
}

static tutti_status bind_temporaries(struct run *run, tutti_arena *arena, tutti_error *error)
{
  const tutti_schedule *s = run->schedule;
  if (s->temporary_count == 0)
    return TUTTI_OK;
  if (!allocate(arena, &run->temporaries, s->temporary_count, sizeof *run->temporaries))
    return out_of_memory(run, error);
  for (uint32_t t = 0; t < s->temporary_count; t++) {
    MPI_Aint before;
    char *memory = tutti_elements_alloc(arena, s->temporary_counts[t], run->output.type, &before);
    if (!memory)
      return out_of_memory(run, error);
    run->temporaries[t] = memory + before;
  }
  return TUTTI_OK;
}

static tutti_status bind(struct place *place, const void *base, MPI_Datatype type, int rank, tutti_error *error)
{
  MPI_Aint lower;
  *place = (struct place){.type = type};
  memcpy(&place->base, &base, sizeof base); /* the input is never written: validate() and races.c see to it */
  if (type != MPI_DATATYPE_NULL && MPI_Type_get_extent(type, &lower, &place->extent) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Type_get_extent failed", rank);
  return TUTTI_OK;
}

/* Before anything is posted: a call that fails later leaves messages in flight. */
static tutti_status check(const tutti_schedule *s, const tutti_view *view, const tutti_bindings *bindings,
                          tutti_error *error)
{
  if (s->size != view->size || s->rank != view->rank)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d of %d runs the schedule of rank %d of %d", view->rank,
                      view->size, s->rank, s->size);
  for (uint32_t v = 0; bindings->input_type != bindings->output_type && v < s->vertex_count; v++)
    if (s->vertices[v].kind == TUTTI_REDUCE && s->vertices[v].buffer == TUTTI_INPUT)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: a reduction from one type into another", s->rank);
  return TUTTI_OK;
}

static tutti_status bind_buffers(struct run *run, const tutti_bindings *bindings, tutti_arena *arena,
                                 tutti_error *error)
{
  int rank = run->schedule->rank;
  tutti_status status = bind(&run->input, bindings->input, bindings->input_type, rank, error);
  if (status == TUTTI_OK)
    status = bind(&run->output, bindings->output, bindings->output_type, rank, error);
  if (status == TUTTI_OK && bindings->output_type != MPI_DATATYPE_NULL &&
      MPI_Type_size(bindings->output_type, &run->type_size) != MPI_SUCCESS)
    status = tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Type_size failed", rank);
  run->plain = status == TUTTI_OK && bindings->output_type != MPI_DATATYPE_NULL &&
               (bindings->input_type == bindings->output_type || bindings->input_type == MPI_DATATYPE_NULL) &&
               tutti_type_is_plain(bindings->output_type, &run->type_size);
  return status == TUTTI_OK ? bind_temporaries(run, arena, error) : status;
}

tutti_status tutti_run_prepare(struct run *run, const tutti_schedule *schedule, const tutti_view *view, int tag,
                               const tutti_bindings *bindings, tutti_arena *arena, tutti_error *error)
{
  *run = (struct run){.schedule = schedule,
                      .view = *view,
                      .tag = tag,
                      .op = bindings->op,
                      .ready_first = TUTTI_NO_VERTEX,
                      .ready_last = TUTTI_NO_VERTEX,
                      .error = error};
  tutti_status status = check(schedule, view, bindings, error);
  if (status == TUTTI_OK)
    status = bind_buffers(run, bindings, arena, error);
  if (status == TUTTI_OK && !allocate(arena, &run->pending, schedule->vertex_count, sizeof *run->pending))
    status = out_of_memory(run, error);
  return status;
}
