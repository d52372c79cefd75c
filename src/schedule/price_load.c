/* The schedules of all ranks in the compact form of price_state.h. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "schedule/price_state.h"

/* ---- one rank ---- */

static bool moves(const tutti_vertex *v)
{
  return v->kind == TUTTI_SEND || v->kind == TUTTI_RECV;
}

/* Mark the vertices that follow another one in their channel, and count the channels of receives. */
static uint32_t count_channels(const tutti_schedule *s, struct price_vertex *vertices)
{
  uint32_t channels = 0;
  for (uint32_t v = 0; v < s->vertex_count; v++) {
    channels += s->vertices[v].kind == TUTTI_RECV && !vertices[v].met;
    if (moves(&s->vertices[v]) && s->channel_next[v] != TUTTI_NO_VERTEX)
      vertices[s->channel_next[v]].met = 1;
  }
  return channels;
}

static void take_vertex(const tutti_schedule *s, uint32_t v, uint64_t type_size, struct price_vertex *out)
{
  const tutti_vertex *in = &s->vertices[v];
  *out = (struct price_vertex){.bytes = in->count * type_size,
                               .kind = in->kind,
                               .peer = (uint32_t)in->peer,
                               .pending = s->prerequisites[v],
                               .successors = PRICE_NONE,
                               .channel_next = moves(in) ? s->channel_next[v] : PRICE_NONE,
                               .next = PRICE_NONE,
                               .mate = PRICE_NONE};
  if (s->successor_first[v] < s->successor_first[v + 1])
    out->successors = s->successor_first[v];
}

static void take_edges(const tutti_schedule *s, uint32_t *edges)
{
  memcpy(edges, s->successors, s->edge_count * sizeof *edges);
  for (uint32_t v = 0; v < s->vertex_count; v++)
    if (s->successor_first[v] < s->successor_first[v + 1])
      edges[s->successor_first[v + 1] - 1] |= PRICE_LAST_EDGE;
}

static int compare_channels(const void *left, const void *right)
{
  const struct price_channel *a = left, *b = right;
  return (a->peer > b->peer) - (a->peer < b->peer);
}

static void take_channels(struct price_rank *r)
{
  uint32_t count = 0;
  bool sorted = true;
  for (uint32_t v = 0; v < r->vertex_count; v++) {
    bool head = r->vertices[v].kind == TUTTI_RECV && !r->vertices[v].met;
    r->vertices[v].met = 0;
    if (!head)
      continue;
    sorted &= count == 0 || r->channels[count - 1].peer < r->vertices[v].peer;
    r->channels[count++] = (struct price_channel){r->vertices[v].peer, v};
  }
  if (!sorted)
    qsort(r->channels, count, sizeof *r->channels, compare_channels);
}

/* One allocation: vertices, notes, channels, edges. */
static bool make_room(struct price_rank *r, const tutti_schedule *s, uint32_t channels, bool notes)
{
  size_t vertices = s->vertex_count * sizeof *r->vertices, noted = notes ? s->vertex_count * sizeof *r->notes : 0;
  r->bytes = vertices + noted + channels * sizeof *r->channels + s->edge_count * sizeof *r->edges;
  char *room = realloc(r->vertices, r->bytes);
  if (!room)
    return false;
  r->vertices = (struct price_vertex *)room;
  r->notes = notes ? (struct price_note *)(room + vertices) : NULL;
  r->channels = (struct price_channel *)(room + vertices + noted);
  r->edges = (uint32_t *)(r->channels + channels);
  return true;
}

static void clear(struct price_rank *r, const tutti_schedule *s)
{
  *r = (struct price_rank){.vertex_count = s->vertex_count,
                           .left = s->vertex_count,
                           .processor_user = PRICE_NONE,
                           .send_user = PRICE_NONE,
                           .receive_user = PRICE_NONE};
  for (int i = 0; i < PRICE_LISTS; i++)
    r->lists[i] = (struct price_list){PRICE_NONE, PRICE_NONE};
}

static bool fill(struct price_rank *r, const tutti_schedule *s, uint64_t type_size, bool notes)
{
  clear(r, s);
  if (s->vertex_count == 0)
    return true;
  r->vertices = malloc(s->vertex_count * sizeof *r->vertices);
  if (!r->vertices)
    return false;
  for (uint32_t v = 0; v < s->vertex_count; v++)
    take_vertex(s, v, type_size, &r->vertices[v]);
  r->channel_count = count_channels(s, r->vertices);
  if (!make_room(r, s, r->channel_count, notes))
    return false;
  for (uint32_t v = 0; v < s->vertex_count && notes; v++)
    r->notes[v] = (struct price_note){.cause_rank = PRICE_NONE, .cause_vertex = PRICE_NONE};
  take_channels(r);
  take_edges(s, r->edges);
  return true;
}

/* ---- all ranks, by several threads ---- */

enum { CHUNK = 256 }; /* ranks a thread takes at a time */

struct loading {
  struct price_state *state;
  price_source source;
  const void *context;
  uint64_t type_size;
  atomic_int next; /* rank */
};

struct loader {
  struct loading *loading;
  pthread_t thread;
  bool started;
  uint64_t most_vertices, most_bytes, vertices, bytes;
  tutti_status status;
  tutti_error error;
};

static tutti_status check_sizes(const tutti_schedule *s, uint64_t type_size, tutti_error *error)
{
  const uint64_t most = (UINT64_C(1) << 60) / (type_size ? type_size : 1);
  for (uint32_t v = 0; v < s->vertex_count; v++)
    if (s->vertices[v].count >= most)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d, vertex %u: %llu elements of %llu bytes are too many",
                        s->rank, (unsigned)v, (unsigned long long)s->vertices[v].count, (unsigned long long)type_size);
  return TUTTI_OK;
}

static void count_rank(struct loader *l, const struct price_rank *r)
{
  l->vertices += r->vertex_count;
  l->bytes += r->bytes;
  if (l->most_vertices < r->vertex_count)
    l->most_vertices = r->vertex_count;
  for (uint32_t v = 0; v < r->vertex_count; v++)
    if (l->most_bytes < r->vertices[v].bytes)
      l->most_bytes = r->vertices[v].bytes;
}

static tutti_status load_rank(struct loader *l, tutti_arena *arena, int rank)
{
  const struct loading *all = l->loading;
  struct price_rank *r = &all->state->ranks[rank];
  tutti_schedule schedule;
  tutti_status status = all->source(all->context, rank, arena, &schedule, &l->error);
  if (status == TUTTI_OK)
    status = check_sizes(&schedule, all->type_size, &l->error);
  if (status == TUTTI_OK && !fill(r, &schedule, all->type_size, all->state->options->path))
    status = tutti_fail(&l->error, TUTTI_ERR_MEMORY, "rank %d: out of memory while pricing", rank);
  if (status == TUTTI_OK)
    count_rank(l, r);
  tutti_arena_release(arena);
  return status;
}

static void *load_ranks(void *argument)
{
  struct loader *l = argument;
  int size = l->loading->state->size;
  tutti_arena arena;
  tutti_arena_init(&arena);
  for (int first; l->status == TUTTI_OK && (first = atomic_fetch_add(&l->loading->next, CHUNK)) < size;)
    for (int r = first; r < size && r < first + CHUNK && l->status == TUTTI_OK; r++)
      l->status = load_rank(l, &arena, r);
  return NULL;
}

/* Of several faults that of the lowest thread is reported; ranks are alike, so it hardly matters which. */
static tutti_status take_loader(struct price_state *state, const struct loader *l, tutti_status status,
                                tutti_error *error)
{
  state->vertices += l->vertices;
  state->bytes += l->bytes;
  if (state->most_vertices < l->most_vertices)
    state->most_vertices = l->most_vertices;
  if (state->most_bytes < l->most_bytes)
    state->most_bytes = l->most_bytes;
  if (status == TUTTI_OK && l->status != TUTTI_OK && error)
    *error = l->error;
  return status == TUTTI_OK ? l->status : status;
}

tutti_status tutti_price_load(struct price_state *state, price_source source, const void *context, uint64_t type_size,
                              tutti_error *error)
{
  enum { MOST = 64 };
  struct loading loading = {.state = state, .source = source, .context = context, .type_size = type_size};
  int threads = state->options->threads < 1 ? 1 : state->options->threads > MOST ? MOST : state->options->threads;
  struct loader *loaders = calloc((size_t)threads, sizeof *loaders);
  state->ranks = calloc((size_t)state->size, sizeof *state->ranks);
  if (!state->ranks || !loaders) {
    free(loaders);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the schedules of %d ranks", state->size);
  }
  state->bytes = (uint64_t)state->size * sizeof *state->ranks;
  for (int i = 0; i < threads; i++)
    loaders[i].loading = &loading;
  for (int i = 1; i < threads; i++) /* one that does not start leaves its share to the others */
    loaders[i].started = pthread_create(&loaders[i].thread, NULL, load_ranks, &loaders[i]) == 0;
  load_ranks(&loaders[0]);
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < threads; i++) {
    if (loaders[i].started)
      pthread_join(loaders[i].thread, NULL);
    status = take_loader(state, &loaders[i], status, error);
  }
  free(loaders);
  return status;
}

void tutti_price_unload(struct price_state *state)
{
  for (int r = 0; r < state->size && state->ranks; r++)
    free(state->ranks[r].vertices);
  free(state->ranks);
  free(state->complete.items);
  free(state->dirty.items);
  free(state->departed.items);
  tutti_calendar_free(&state->calendar);
}
