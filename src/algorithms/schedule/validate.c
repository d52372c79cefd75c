/* The invariants of a sealed schedule, checked from scratch. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/schedule/builder.h"
#include "tutti/schedule.h"

static tutti_status fault(const tutti_schedule *s, uint32_t vertex, const char *what, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d of %d, vertex %u: %s", s->rank, s->size, (unsigned)vertex, what);
}

static bool known_buffer(const tutti_schedule *s, uint32_t buffer)
{
  return buffer < TUTTI_FIRST_TEMPORARY + s->temporary_count;
}

/* Temporaries say how long they are; the caller's buffers are checked where their extent is known. */
static bool fits_temporary(const tutti_schedule *s, tutti_block block)
{
  if (block.first > UINT64_MAX - block.count)
    return false;
  if (block.buffer < TUTTI_FIRST_TEMPORARY || block.count == 0)
    return true;
  return block.first + block.count <= s->temporary_counts[block.buffer - TUTTI_FIRST_TEMPORARY];
}

static bool overlap(tutti_block a, tutti_block b)
{
  return a.count > 0 && a.buffer == b.buffer && a.first < b.first + b.count && b.first < a.first + a.count;
}

static const char *vertex_fault(const tutti_schedule *s, const tutti_vertex *v)
{
  tutti_block block = tutti_block_of(v->buffer, v->first, v->count);
  if (v->kind > TUTTI_COPY)
    return "unknown kind";
  if (!known_buffer(s, v->buffer))
    return "unknown buffer";
  if (!fits_temporary(s, block))
    return "block exceeds its buffer";
  if (v->kind == TUTTI_SEND || v->kind == TUTTI_RECV)
    return v->peer < 0 || v->peer >= s->size || v->peer == s->rank ? "peer is not another rank of the group" : NULL;
  if (v->peer < 0 || v->peer > UINT16_MAX || !known_buffer(s, (uint32_t)v->peer))
    return "unknown target buffer";
  if (!fits_temporary(s, tutti_vertex_target(v)))
    return "target block exceeds its buffer";
  return overlap(block, tutti_vertex_target(v)) ? "source and target overlap" : NULL;
}

/* mark[v] is the last vertex that named v as its successor. */
static tutti_status check_edges(const tutti_schedule *s, uint32_t *prerequisites, uint32_t *mark, tutti_error *error)
{
  for (uint32_t v = 0; v < s->vertex_count; v++)
    mark[v] = TUTTI_NO_VERTEX;
  if (s->successor_first[0] != 0 || s->successor_first[s->vertex_count] != s->edge_count)
    return fault(s, 0, "the successor index does not cover the edges", error);
  for (uint32_t v = 0; v < s->vertex_count; v++) {
    if (s->successor_first[v] > s->successor_first[v + 1] || s->successor_first[v + 1] > s->edge_count)
      return fault(s, v, "the successor index is not ascending", error);
    for (uint32_t i = s->successor_first[v]; i < s->successor_first[v + 1]; i++) {
      if (s->successors[i] <= v || s->successors[i] >= s->vertex_count)
        return fault(s, v, "a successor is not a later vertex", error);
      if (mark[s->successors[i]] == v)
        return fault(s, v, "a successor is named twice", error);
      mark[s->successors[i]] = v;
      prerequisites[s->successors[i]]++;
    }
  }
  return TUTTI_OK;
}

static tutti_status check_counts(const tutti_schedule *s, uint32_t *prerequisites, uint32_t *next, tutti_error *error)
{
  tutti_status status = check_edges(s, prerequisites, next, error);
  if (status != TUTTI_OK)
    return status;
  if (!tutti_link_channels(s->vertices, s->vertex_count, next, prerequisites))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory while validating a schedule");
  for (uint32_t v = 0; v < s->vertex_count; v++) {
    if (next[v] != s->channel_next[v])
      return fault(s, v, "wrong next vertex of its channel", error);
    if (prerequisites[v] != s->prerequisites[v])
      return fault(s, v, "wrong number of prerequisites", error);
  }
  return TUTTI_OK;
}

tutti_status tutti_schedule_validate(const tutti_schedule *s, tutti_error *error)
{
  if (s->size < 1 || s->rank < 0 || s->rank >= s->size)
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d is not in a group of %d ranks", s->rank, s->size);
  if (s->temporary_count > UINT16_MAX - TUTTI_FIRST_TEMPORARY)
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d: %u temporaries, more than buffers have names", s->rank,
                      (unsigned)s->temporary_count);
  for (uint32_t v = 0; v < s->vertex_count; v++) {
    const char *what = vertex_fault(s, &s->vertices[v]);
    if (what)
      return fault(s, v, what, error);
  }
  size_t bytes = ((size_t)s->vertex_count + 1) * sizeof(uint32_t);
  uint32_t *scratch = calloc(2, bytes);
  if (!scratch)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory while validating a schedule");
  tutti_status status = check_counts(s, scratch, scratch + s->vertex_count + 1, error);
  free(scratch);
  return status;
}
