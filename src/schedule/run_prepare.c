/* Memory of a running schedule: all of it from one arena. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "schedule/run_state.h"

static tutti_status out_of_memory(const struct run *run, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory while running a schedule of %u vertices",
                    run->view->rank, (unsigned)run->schedule->vertex_count);
}

/* An allocation that may be of zero bytes. */
static bool allocate(tutti_arena *arena, void *place, size_t count, size_t item)
{
  void *memory = count > SIZE_MAX / item ? NULL : tutti_arena_alloc(arena, count * item);
  memcpy(place, &memory, sizeof memory);
  return memory != NULL;
}

/* Temporaries have the type of the output; the true lower bound may lie before their first element. */
static tutti_status bind_temporaries(struct run *run, tutti_arena *arena, tutti_error *error)
{
  const tutti_schedule *s = run->schedule;
  MPI_Aint lower, span;
  if (s->temporary_count == 0)
    return TUTTI_OK;
  if (MPI_Type_get_true_extent(run->output.type, &lower, &span) != MPI_SUCCESS)
    return tutti_fail(error, TUTTI_ERR_MPI, "rank %d: MPI_Type_get_true_extent failed", run->view->rank);
  if (!allocate(arena, &run->temporaries, s->temporary_count, sizeof *run->temporaries))
    return out_of_memory(run, error);
  size_t stretch = (size_t)(run->output.extent < 0 ? -run->output.extent : run->output.extent);
  for (uint32_t t = 0; t < s->temporary_count; t++) {
    uint64_t count = s->temporary_counts[t];
    char *memory;
    if (stretch > 0 && count > (SIZE_MAX / 2 - (size_t)span) / stretch)
      return out_of_memory(run, error);
    if (!allocate(arena, &memory, count * stretch + (size_t)span, 1))
      return out_of_memory(run, error);
    size_t before = run->output.extent < 0 && count > 0 ? (count - 1) * stretch : 0;
    run->temporaries[t] = memory - lower + before;
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
static tutti_status check(const struct run *run, const tutti_bindings *bindings, tutti_error *error)
{
  const tutti_schedule *s = run->schedule;
  if (s->size != run->view->size || s->rank != run->view->rank)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d of %d runs the schedule of rank %d of %d", run->view->rank,
                      run->view->size, s->rank, s->size);
  for (uint32_t v = 0; v < s->vertex_count; v++) {
    if (s->vertices[v].count > INT_MAX)
      return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "rank %d: a block of %llu elements exceeds %d", s->rank,
                        (unsigned long long)s->vertices[v].count, INT_MAX);
    if (s->vertices[v].kind == TUTTI_REDUCE && s->vertices[v].buffer == TUTTI_INPUT &&
        bindings->input_type != bindings->output_type)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d: a reduction from one type into another", s->rank);
  }
  return TUTTI_OK;
}

tutti_status tutti_run_prepare(struct run *run, const tutti_bindings *bindings, tutti_arena *arena, tutti_error *error)
{
  const tutti_schedule *s = run->schedule;
  run->arena = arena;
  run->ready_first = run->ready_last = TUTTI_NO_VERTEX;
  tutti_status status = check(run, bindings, error);
  if (status == TUTTI_OK)
    status = bind(&run->input, bindings->input, bindings->input_type, run->view->rank, error);
  if (status == TUTTI_OK)
    status = bind(&run->output, bindings->output, bindings->output_type, run->view->rank, error);
  if (status == TUTTI_OK)
    status = bind_temporaries(run, arena, error);
  if (status != TUTTI_OK)
    return status;
  if (!allocate(arena, &run->pending, s->vertex_count, sizeof *run->pending))
    return out_of_memory(run, error);
  if (s->vertex_count > 0)
    memcpy(run->pending, s->prerequisites, s->vertex_count * sizeof *run->pending);
  return TUTTI_OK;
}

/* Few messages are in flight at a time in most algorithms, and twice as many each time they are not enough. */
enum { FIRST_CAPACITY = 4 };

tutti_status tutti_run_make_room(struct run *run, tutti_error *error)
{
  MPI_Request *requests;
  tutti_vertex_id *carried;
  if (run->active < run->capacity)
    return TUTTI_OK;
  size_t capacity = run->capacity ? 2 * (size_t)run->capacity : FIRST_CAPACITY;
  if (capacity > INT_MAX || !allocate(run->arena, &requests, capacity, sizeof *requests) ||
      !allocate(run->arena, &carried, capacity, sizeof *carried))
    return out_of_memory(run, error);
  if (run->active > 0) {
    memcpy(requests, run->requests, (size_t)run->active * sizeof *requests);
    memcpy(carried, run->carried, (size_t)run->active * sizeof *carried);
  }
  run->requests = requests;
  run->carried = carried;
  run->capacity = (int)capacity;
  return TUTTI_OK;
}
