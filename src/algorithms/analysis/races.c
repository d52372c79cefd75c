#include "algorithms/analysis/ensemble.h"

#include <stdlib.h>
#include <string.h>

/* An access of a vertex to one buffer. */
struct access {
  tutti_block block;
  uint32_t vertex;
  bool writes;
};

enum { MAX_ACCESSES = 2 };

static int accesses_of(const tutti_vertex *v, struct access access[MAX_ACCESSES])
{
  tutti_block block = tutti_block_of(v->buffer, v->first, v->count);
  switch ((tutti_kind)v->kind) {
  case TUTTI_SEND:
    access[0] = (struct access){.block = block};
    return 1;
  case TUTTI_RECV:
    access[0] = (struct access){.block = block, .writes = true};
    return 1;
  case TUTTI_REDUCE:
  case TUTTI_COPY:
    access[0] = (struct access){.block = block};
    access[1] = (struct access){.block = tutti_vertex_target(v), .writes = true};
    return 2;
  }
  return 0;
}

/* All accesses of a schedule that touch elements, by buffer and first element. */
struct accesses {
  struct access *access;
  size_t count;
};

static int compare_accesses(const void *left, const void *right)
{
  const struct access *a = left, *b = right;
  if (a->block.buffer != b->block.buffer)
    return a->block.buffer < b->block.buffer ? -1 : 1;
  if (a->block.first != b->block.first)
    return a->block.first < b->block.first ? -1 : 1;
  return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static bool list_accesses(const tutti_schedule *s, struct accesses *list)
{
  *list = (struct accesses){calloc((size_t)s->vertex_count * MAX_ACCESSES + 1, sizeof *list->access), 0};
  for (uint32_t v = 0; list->access && v < s->vertex_count; v++) {
    struct access access[MAX_ACCESSES];
    int count = accesses_of(&s->vertices[v], access);
    for (int i = 0; i < count; i++)
      if (access[i].block.count > 0 && access[i].block.buffer != TUTTI_INPUT) {
        access[i].vertex = v;
        list->access[list->count++] = access[i];
      }
  }
  if (list->access)
    qsort(list->access, list->count, sizeof *list->access, compare_accesses);
  return list->access;
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
    struct access access[MAX_ACCESSES];
    int count = accesses_of(&s->vertices[v], access);
    for (int i = 0; i < count; i++)
      if (access[i].writes && access[i].block.buffer == TUTTI_INPUT && access[i].block.count > 0)
        return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d, vertex %u (%s) writes the input buffer", s->rank,
                          (unsigned)v, tutti_vertex_format(&s->vertices[v], (char[TUTTI_VERTEX_LENGTH]){""}));
  }
  return TUTTI_OK;
}

/* Two vertices, the earlier one first. */
struct pair {
  uint32_t earlier, later;
};

static bool races(const struct reach *reach, const struct access *a, const struct access *b, struct pair *pair)
{
  bool in_order = a->vertex < b->vertex;
  *pair = (struct pair){in_order ? a->vertex : b->vertex, in_order ? b->vertex : a->vertex};
  return a->vertex != b->vertex && (a->writes || b->writes) && !reaches(reach, pair->earlier, pair->later);
}

static bool precedes(const struct pair *a, const struct pair *b)
{
  return a->earlier != b->earlier ? a->earlier < b->earlier : a->later < b->later;
}

/* The first pair that races, if any: only accesses that begin before another one's end can overlap it. */
static bool find_race(const struct reach *reach, const struct accesses *list, struct pair *first)
{
  const struct access *end = list->access + list->count;
  struct pair pair;
  *first = (struct pair){UINT32_MAX, UINT32_MAX};
  for (const struct access *a = list->access; a < end; a++)
    for (const struct access *b = a + 1;
         b < end && b->block.buffer == a->block.buffer && b->block.first < a->block.first + a->block.count; b++)
      if (races(reach, a, b, &pair) && precedes(&pair, first))
        *first = pair;
  return first->earlier != UINT32_MAX;
}

static tutti_status fail_race(const tutti_schedule *s, const struct pair *pair, tutti_error *error)
{
  char earlier[TUTTI_VERTEX_LENGTH], later[TUTTI_VERTEX_LENGTH];
  return tutti_fail(error, TUTTI_ERR_FAULT,
                    "rank %d: vertices %u and %u touch the same element and neither waits for the other: %.90s; %.90s",
                    s->rank, (unsigned)pair->earlier, (unsigned)pair->later,
                    tutti_vertex_format(&s->vertices[pair->earlier], earlier),
                    tutti_vertex_format(&s->vertices[pair->later], later));
}

tutti_status tutti_check_races(const tutti_schedule *s, tutti_error *error)
{
  struct reach reach = {NULL, 0};
  struct accesses list = {NULL, 0};
  struct pair pair;
  tutti_status status = check_input(s, error);
  if (status != TUTTI_OK)
    return status;
  if (!fill_reach(s, &reach) || !list_accesses(s, &list))
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory while looking for races", s->rank);
  else if (find_race(&reach, &list, &pair))
    status = fail_race(s, &pair, error);
  free(reach.bits);
  free(list.access);
  return status;
}
