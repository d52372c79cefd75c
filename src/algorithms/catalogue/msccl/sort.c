/* One order for the vertices of all ranks: breadth first, each message on both ends together. Messages between two
   ranks on different channels have no order of their own, but those of a schedule have. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/catalogue/msccl/program.h"

/* An end of a message. */
struct end {
  int from, to, channel;
  size_t vertex; /* numbered through all ranks */
};

struct ends {
  TUTTI_VECTOR(struct end);
};

#define NO_PARTNER SIZE_MAX

struct sorting {
  const struct msccl_algorithm *algorithm;
  size_t *first;               /* [size + 1] vertices of ranks, numbered through */
  int *ranks;                  /* [vertices] */
  size_t *partner;             /* [vertices] the other end of a message */
  uint32_t *left;              /* [vertices] waits that are not complete */
  size_t *place;               /* [vertices] in the order; SIZE_MAX: not yet */
  size_t *queue;               /* [vertices] */
  size_t *after_first, *after; /* who waits for a vertex */
  size_t taken, pushed, placed;
};

static int compare_ends(const void *a, const void *b)
{
  const struct end *l = a, *r = b;
  if (l->from != r->from)
    return l->from < r->from ? -1 : 1;
  if (l->to != r->to)
    return l->to < r->to ? -1 : 1;
  if (l->channel != r->channel)
    return l->channel < r->channel ? -1 : 1;
  return l->vertex < r->vertex ? -1 : l->vertex > r->vertex;
}

static bool is_same(const struct end *a, const struct end *b)
{
  return a->from == b->from && a->to == b->to && a->channel == b->channel;
}

static const struct msccl_vertex *vertex_of(const struct sorting *s, size_t vertex)
{
  const int rank = s->ranks[vertex];
  return &s->algorithm->programs[rank].items[vertex - s->first[rank]];
}

static size_t end_of_waits(const struct msccl_program *program, size_t vertex)
{
  return vertex + 1 < program->count ? program->items[vertex + 1].before : program->waits.count;
}

/* Find the other ends. *matched false: some have none. TUTTI_ERR_MEMORY. */
static bool match(struct sorting *s, bool *matched)
{
  struct ends ends[2] = {{0}};
  bool memory = true;
  const size_t all = s->first[s->algorithm->size];
  for (size_t v = 0; v < all && memory; v++) {
    const struct msccl_vertex *vertex = vertex_of(s, v);
    s->partner[v] = NO_PARTNER;
    if (vertex->kind == TUTTI_SEND)
      memory = tutti_vector_push(&ends[0], (struct end){s->ranks[v], vertex->peer, vertex->channel, v});
    else if (vertex->kind == TUTTI_RECV)
      memory = tutti_vector_push(&ends[1], (struct end){vertex->peer, s->ranks[v], vertex->channel, v});
  }
  tutti_vector_sort(&ends[0], compare_ends);
  tutti_vector_sort(&ends[1], compare_ends);
  *matched = memory && ends[0].count == ends[1].count;
  for (size_t i = 0; *matched && i < ends[0].count; i++) {
    const struct end *send = &ends[0].items[i], *recv = &ends[1].items[i];
    *matched = is_same(send, recv);
    s->partner[send->vertex] = recv->vertex;
    s->partner[recv->vertex] = send->vertex;
  }
  tutti_vector_free(&ends[0]);
  tutti_vector_free(&ends[1]);
  return memory;
}

/* ---- the order ---- */

static bool allocate(struct sorting *s)
{
  const int size = s->algorithm->size;
  size_t waits = 0;
  s->first = calloc((size_t)size + 1, sizeof *s->first);
  if (!s->first)
    return false;
  for (int r = 0; r < size; r++) {
    s->first[r + 1] = s->first[r] + s->algorithm->programs[r].count;
    waits += s->algorithm->programs[r].waits.count;
  }
  const size_t all = s->first[size];
  s->ranks = calloc(all + 1, sizeof *s->ranks);
  s->partner = calloc(all + 1, sizeof *s->partner);
  s->left = calloc(all + 1, sizeof *s->left);
  s->place = calloc(all + 1, sizeof *s->place);
  s->queue = calloc(all + 1, sizeof *s->queue);
  s->after_first = calloc(all + 2, sizeof *s->after_first);
  s->after = calloc(waits + 1, sizeof *s->after);
  return s->ranks && s->partner && s->left && s->place && s->queue && s->after_first && s->after;
}

/* Numbers, and who waits for whom. */
static void number(struct sorting *s)
{
  const size_t all = s->first[s->algorithm->size];
  for (int r = 0; r < s->algorithm->size; r++) {
    const struct msccl_program *program = &s->algorithm->programs[r];
    for (size_t v = 0; v < program->count; v++) {
      s->ranks[s->first[r] + v] = r;
      s->left[s->first[r] + v] = (uint32_t)(end_of_waits(program, v) - program->items[v].before);
    }
    for (size_t w = 0; w < program->waits.count; w++)
      s->after_first[s->first[r] + program->waits.items[w] + 1]++;
  }
  for (size_t v = 0; v < all; v++) {
    s->after_first[v + 1] += s->after_first[v];
    s->queue[v] = s->after_first[v];
  }
  for (int r = 0; r < s->algorithm->size; r++) {
    const struct msccl_program *program = &s->algorithm->programs[r];
    for (size_t v = 0; v < program->count; v++)
      for (size_t w = program->items[v].before; w < end_of_waits(program, v); w++)
        s->after[s->queue[s->first[r] + program->waits.items[w]]++] = s->first[r] + v;
  }
}

static void complete(struct sorting *s, size_t vertex)
{
  s->place[vertex] = s->placed++;
  for (size_t i = s->after_first[vertex]; i < s->after_first[vertex + 1]; i++)
    if (--s->left[s->after[i]] == 0)
      s->queue[s->pushed++] = s->after[i];
}

/* Whether every vertex takes place. An end that is ready first waits for the other one. */
static bool execute(struct sorting *s)
{
  const size_t all = s->first[s->algorithm->size];
  bool *ready = calloc(all + 1, sizeof *ready);
  for (size_t v = 0; v < all; v++)
    if (s->left[v] == 0)
      s->queue[s->pushed++] = v;
  while (ready && s->taken < s->pushed) {
    const size_t vertex = s->queue[s->taken++], partner = s->partner[vertex];
    ready[vertex] = true;
    if (partner == NO_PARTNER || ready[partner])
      complete(s, vertex);
    if (partner != NO_PARTNER && ready[partner])
      complete(s, partner);
  }
  free(ready);
  return s->placed == all;
}

/* ---- vertices in that order ---- */

static int compare_places(const void *a, const void *b)
{
  const size_t *l = a, *r = b;
  if (l[0] != r[0])
    return l[0] < r[0] ? -1 : 1;
  return l[1] < r[1] ? -1 : l[1] > r[1];
}

static bool sort_program(const struct sorting *s, int rank)
{
  struct msccl_program *program = &s->algorithm->programs[rank], sorted = {0};
  const size_t count = program->count, *place = s->place + s->first[rank];
  size_t(*pairs)[2] = calloc(count + 1, sizeof *pairs);
  uint32_t *moved = calloc(count + 1, sizeof *moved);
  bool good = pairs && moved, numbered = true;
  for (size_t v = 0; v < count; v++)
    numbered = numbered && program->items[v].at >= 0;
  for (size_t v = 0; v < count && good; v++) {
    pairs[v][0] = numbered ? (size_t)program->items[v].at : place[v];
    pairs[v][1] = v;
  }
  if (good)
    qsort(pairs, count, sizeof *pairs, compare_places);
  for (size_t i = 0; i < count && good; i++)
    moved[pairs[i][1]] = (uint32_t)i;
  for (size_t i = 0; i < count && good; i++) {
    const size_t v = pairs[i][1];
    struct msccl_vertex vertex = program->items[v];
    vertex.before = (uint32_t)sorted.waits.count;
    good = tutti_vector_push(&sorted, vertex);
    for (size_t w = program->items[v].before; w < end_of_waits(program, v) && good; w++)
      good = tutti_vector_push(&sorted.waits, moved[program->waits.items[w]]);
  }
  free(pairs);
  free(moved);
  memcpy(sorted.chunks, program->chunks, sizeof sorted.chunks);
  struct msccl_program *gone = good ? program : &sorted;
  tutti_vector_free(gone);
  tutti_vector_free(&gone->waits);
  if (good)
    *program = sorted;
  return good;
}

static void clean(struct sorting *s)
{
  free(s->first);
  free(s->ranks);
  free(s->partner);
  free(s->left);
  free(s->place);
  free(s->queue);
  free(s->after_first);
  free(s->after);
}

tutti_status tutti_msccl_sort(struct msccl_algorithm *algorithm, tutti_error *error)
{
  struct sorting s = {.algorithm = algorithm};
  bool matched = false, memory = allocate(&s);
  if (memory) {
    number(&s);
    memory = match(&s, &matched);
  }
  if (memory && matched && execute(&s))
    for (int r = 0; r < algorithm->size && memory; r++)
      memory = sort_program(&s, r);
  clean(&s);
  return memory ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for an algorithm of MSCCL");
}
