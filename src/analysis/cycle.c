#include "analysis/cycle.h"

#include <stdio.h>
#include <string.h>

/* A vertex of a rank. */
struct place {
  int rank;
  size_t vertex;
};

/* The vertex that `at` waits for. A posted message waits for its other end, any other for an incomplete prerequisite:
   an edge into it, or the vertex before it in its channel that has not been posted. */
static struct place cause(const struct ensemble *e, const unsigned char *state, struct place at)
{
  const tutti_schedule *s = &e->schedules[at.rank];
  size_t base = e->first[at.rank], local = at.vertex - base;
  if (state[at.vertex] == VERTEX_POSTED)
    return (struct place){s->vertices[local].peer, e->partner[at.vertex]};
  for (size_t v = 0; v < local; v++) {
    if (state[base + v] == VERTEX_WAITING && s->channel_next[v] == local)
      return (struct place){at.rank, base + v};
    for (uint32_t i = s->successor_first[v]; i < s->successor_first[v + 1]; i++)
      if (s->successors[i] == local && state[base + v] != VERTEX_COMPLETE)
        return (struct place){at.rank, base + v};
  }
  return at;
}

static struct place first_incomplete(const struct ensemble *e, const unsigned char *state)
{
  for (int r = 0; r < e->size; r++)
    for (size_t g = e->first[r]; g < e->first[r + 1]; g++)
      if (state[g] != VERTEX_COMPLETE)
        return (struct place){r, g};
  return (struct place){0, 0};
}

static void describe(const struct ensemble *e, struct place at, char *text, size_t length)
{
  const tutti_vertex *v = tutti_ensemble_vertex(e, at.rank, at.vertex);
  static const char *const verbs[] = {"send to", "receive from"};
  size_t local = at.vertex - e->first[at.rank], used = strlen(text);
  if (v->kind == TUTTI_SEND || v->kind == TUTTI_RECV)
    snprintf(text + used, length - used, " rank %d vertex %zu (%s %d);", at.rank, local, verbs[v->kind], v->peer);
  else
    snprintf(text + used, length - used, " rank %d vertex %zu;", at.rank, local);
}

tutti_status tutti_report_cycle(const struct ensemble *e, const unsigned char *state, tutti_error *error)
{
  struct place at = first_incomplete(e, state);
  for (size_t i = 0; i < e->first[e->size]; i++) /* after that many steps the walk is on the cycle */
    at = cause(e, state, at);
  struct place start = at;
  char text[TUTTI_ERROR_LENGTH - 64] = "";
  do {
    describe(e, at, text, sizeof text);
    at = cause(e, state, at);
  } while (at.vertex != start.vertex && strlen(text) < sizeof text - 64);
  return tutti_fail(error, TUTTI_ERR_FAULT, "cyclic wait, each for the next:%s", text);
}
