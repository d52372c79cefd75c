#include "tutti/analysis.h"

#include <stdlib.h>

#include "algorithms/analysis/ensemble.h"

static uint64_t larger(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static void count_vertex(tutti_count *count, const tutti_vertex *vertex)
{
  switch ((tutti_kind)vertex->kind) {
  case TUTTI_SEND:
    count->sends++;
    count->elements_sent += vertex->count;
    count->largest_message = larger(count->largest_message, vertex->count);
    break;
  case TUTTI_RECV:
    count->receives++;
    break;
  case TUTTI_REDUCE:
    count->elements_reduced += vertex->count;
    break;
  case TUTTI_COPY:
    count->elements_copied += vertex->count;
    break;
  }
}

tutti_count tutti_count_schedule(const tutti_schedule *schedule)
{
  tutti_count count = {.vertices = schedule->vertex_count};
  for (uint32_t v = 0; v < schedule->vertex_count; v++)
    count_vertex(&count, &schedule->vertices[v]);
  for (uint32_t t = 0; t < schedule->temporary_count; t++)
    count.temporary_elements += schedule->temporary_counts[t];
  return count;
}

static void add_to_total(tutti_total *total, const tutti_count *count)
{
  tutti_count *sum = &total->sum, *maximum = &total->maximum;
#define ADD(member) (sum->member += count->member, maximum->member = larger(maximum->member, count->member))
  ADD(vertices);
  ADD(sends);
  ADD(receives);
  ADD(elements_sent);
  ADD(elements_reduced);
  ADD(elements_copied);
  ADD(temporary_elements);
#undef ADD
  maximum->largest_message = larger(maximum->largest_message, count->largest_message);
  sum->largest_message = maximum->largest_message;
}

/* depth[v]: messages on the longest chain that ends before v starts. */
struct depths {
  const struct ensemble *ensemble;
  uint64_t *depth;
  uint64_t deepest;
};

static void pass_on(struct depths *d, int rank, size_t vertex, uint64_t depth)
{
  const tutti_schedule *s = &d->ensemble->schedules[rank];
  size_t base = d->ensemble->first[rank], local = vertex - base;
  for (uint32_t i = s->successor_first[local]; i < s->successor_first[local + 1]; i++) {
    uint64_t *later = &d->depth[base + s->successors[i]];
    *later = larger(*later, depth);
  }
  d->deepest = larger(d->deepest, depth);
}

static tutti_status visit(void *context, const struct event *event, tutti_error *error)
{
  struct depths *d = context;
  (void)error;
  uint64_t depth = d->depth[event->vertex];
  if (event->receive != NO_PARTNER) {
    depth = larger(depth, d->depth[event->receive]) + 1;
    pass_on(d, event->receiver, event->receive, depth);
  }
  pass_on(d, event->rank, event->vertex, depth);
  return TUTTI_OK;
}

static tutti_status find_depth(const struct ensemble *e, uint64_t *deepest, tutti_error *error)
{
  struct depths depths = {.ensemble = e, .depth = calloc(e->first[e->size] + 1, sizeof *depths.depth)};
  if (!depths.depth)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory while counting %zu vertices", e->first[e->size]);
  tutti_status status = tutti_ensemble_run(e, visit, &depths, error);
  *deepest = depths.deepest;
  free(depths.depth);
  return status;
}

tutti_status tutti_count_all(const tutti_schedule *schedules, int size, tutti_total *total, tutti_error *error)
{
  struct ensemble ensemble;
  *total = (tutti_total){.depth = 0};
  for (int r = 0; r < size; r++) {
    tutti_count count = tutti_count_schedule(&schedules[r]);
    add_to_total(total, &count);
  }
  tutti_status status = tutti_ensemble_create(&ensemble, schedules, size, error);
  if (status == TUTTI_OK)
    status = find_depth(&ensemble, &total->depth, error);
  tutti_ensemble_free(&ensemble);
  return status;
}

tutti_status tutti_count_method(const tutti_method *method, const tutti_call *call, tutti_total *total,
                                tutti_error *error)
{
  tutti_arena arena;
  tutti_call *calls;
  tutti_schedule *schedules;
  tutti_arena_init(&arena);
  tutti_status status = tutti_calls_of(call, &arena, &calls, error);
  if (status == TUTTI_OK)
    status = tutti_schedules_of(method, calls, NULL, &arena, &schedules, error);
  if (status == TUTTI_OK) {
    status = tutti_count_all(schedules, call->size, total, error);
    if (status == TUTTI_ERR_FAULT)
      tutti_method_blame(method, call, error);
  }
  tutti_arena_release(&arena);
  return status;
}
