#include "analysis/barrier_check.h"

#include <stdlib.h>

static void add_rank(uint64_t *set, int rank)
{
  set[rank / 64] |= UINT64_C(1) << rank % 64;
}

static void add_all(uint64_t *set, const uint64_t *other, size_t words)
{
  for (size_t w = 0; w < words; w++)
    set[w] |= other[w];
}

tutti_status tutti_barrier_check_create(struct barrier_check *k, const struct ensemble *e, tutti_error *error)
{
  *k = (struct barrier_check){.ensemble = e, .words = ((size_t)e->size + 63) / 64};
  k->start = calloc(e->first[e->size] + 1, k->words * sizeof *k->start);
  k->at_end = calloc((size_t)e->size, k->words * sizeof *k->at_end);
  if (!k->start || !k->at_end)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for what %d ranks know of each other", e->size);
  for (int r = 0; r < e->size; r++) {
    add_rank(&k->at_end[(size_t)r * k->words], r);
    for (size_t g = e->first[r]; g < e->first[r + 1]; g++)
      add_rank(&k->start[g * k->words], r);
  }
  return TUTTI_OK;
}

void tutti_barrier_check_free(struct barrier_check *k)
{
  free(k->start);
  free(k->at_end);
  *k = (struct barrier_check){0};
}

/* What is known when a vertex completes is known to all that wait for it. */
static void spread(struct barrier_check *k, int rank, size_t vertex, const uint64_t *known)
{
  const tutti_schedule *s = &k->ensemble->schedules[rank];
  size_t base = k->ensemble->first[rank], local = vertex - base;
  for (uint32_t i = s->successor_first[local]; i < s->successor_first[local + 1]; i++)
    add_all(&k->start[(base + s->successors[i]) * k->words], known, k->words);
  add_all(&k->at_end[(size_t)rank * k->words], known, k->words);
}

tutti_status tutti_barrier_check_visit(void *context, const struct event *event, tutti_error *error)
{
  struct barrier_check *k = context;
  (void)error;
  const uint64_t *known = &k->start[event->vertex * k->words];
  if (event->receive != NO_PARTNER) {
    uint64_t *learned = &k->start[event->receive * k->words];
    add_all(learned, known, k->words);
    spread(k, event->receiver, event->receive, learned);
  }
  spread(k, event->rank, event->vertex, known);
  return TUTTI_OK;
}

tutti_status tutti_barrier_check_result(const struct barrier_check *k, tutti_error *error)
{
  int size = k->ensemble->size;
  for (int r = 0; r < size; r++)
    for (int other = 0; other < size; other++)
      if (!(k->at_end[(size_t)r * k->words + (size_t)other / 64] >> other % 64 & 1))
        return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d can leave before rank %d has entered", r, other);
  return TUTTI_OK;
}
