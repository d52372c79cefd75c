#include "schedule/races.h"

#include <stdlib.h>
#include <string.h>

/* What a vertex does to one buffer. */
struct access {
  tutti_block block;
  bool writes;
};

enum { MOST_ACCESSES = 2 };

static int accesses_of(const tutti_vertex *v, struct access access[MOST_ACCESSES])
{
  tutti_block block = tutti_block_of(v->buffer, v->first, v->count);
  switch ((tutti_kind)v->kind) {
  case TUTTI_SEND:
    access[0] = (struct access){block, false};
    return 1;
  case TUTTI_RECV:
    access[0] = (struct access){block, true};
    return 1;
  case TUTTI_REDUCE:
  case TUTTI_COPY:
    access[0] = (struct access){block, false};
    access[1] = (struct access){tutti_vertex_target(v), true};
    return 2;
  }
  return 0;
}

static bool conflict(const struct access *a, const struct access *b)
{
  if (a->block.count == 0 || b->block.count == 0)
    return false;
  return (a->writes || b->writes) && a->block.buffer == b->block.buffer &&
         a->block.first < b->block.first + b->block.count && b->block.first < a->block.first + a->block.count;
}

static bool vertices_conflict(const tutti_vertex *left, const tutti_vertex *right)
{
  struct access a[MOST_ACCESSES], b[MOST_ACCESSES];
  int count_a = accesses_of(left, a), count_b = accesses_of(right, b);
  for (int i = 0; i < count_a; i++)
    for (int j = 0; j < count_b; j++)
      if (conflict(&a[i], &b[j]))
        return true;
  return false;
}

/* A bit matrix: row v has the vertices that must wait for v. */
struct reach {
  uint64_t *bits;
  size_t words;
};

static bool reaches(const struct reach *reach, uint32_t from, uint32_t to)
{
  return reach->bits[from * reach->words + to / 64] >> to % 64 & 1;
}

/* Every edge leads to a later vertex, so rows are filled in from the last to the first. */
static bool fill_reach(const tutti_schedule *s, struct reach *reach)
{
  reach->words = (s->vertex_count + 63) / 64;
  reach->bits = calloc((size_t)s->vertex_count + 1, (reach->words + 1) * sizeof *reach->bits);
  if (!reach->bits)
    return false;
  for (uint32_t v = s->vertex_count; v-- > 0;)
    for (uint32_t i = s->successor_first[v]; i < s->successor_first[v + 1]; i++) {
      uint64_t *row = &reach->bits[v * reach->words];
      const uint64_t *later = &reach->bits[s->successors[i] * reach->words];
      for (size_t w = 0; w < reach->words; w++)
        row[w] |= later[w];
      row[s->successors[i] / 64] |= UINT64_C(1) << s->successors[i] % 64;
    }
  return true;
}

static tutti_status check_input(const tutti_schedule *s, tutti_error *error)
{
  for (uint32_t v = 0; v < s->vertex_count; v++) {
    struct access access[MOST_ACCESSES];
    int count = accesses_of(&s->vertices[v], access);
    for (int i = 0; i < count; i++)
      if (access[i].writes && access[i].block.buffer == TUTTI_INPUT && access[i].block.count > 0)
        return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d, vertex %u writes the input buffer", s->rank, (unsigned)v);
  }
  return TUTTI_OK;
}

tutti_status tutti_check_races(const tutti_schedule *s, tutti_error *error)
{
  struct reach reach;
  tutti_status status = check_input(s, error);
  if (status != TUTTI_OK)
    return status;
  if (!fill_reach(s, &reach))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory while looking for races", s->rank);
  for (uint32_t a = 0; a < s->vertex_count && status == TUTTI_OK; a++)
    for (uint32_t b = a + 1; b < s->vertex_count && status == TUTTI_OK; b++)
      if (vertices_conflict(&s->vertices[a], &s->vertices[b]) && !reaches(&reach, a, b))
        status = tutti_fail(error, TUTTI_ERR_FAULT,
                            "rank %d: vertices %u and %u touch the same element and neither waits for the other",
                            s->rank, (unsigned)a, (unsigned)b);
  free(reach.bits);
  return status;
}
