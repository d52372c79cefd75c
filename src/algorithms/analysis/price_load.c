/* The schedules of all ranks in the compact form of price_state.h, and the memory that holds them. */
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/analysis/price_state.h"

/* ---- where the ranks of a pricing are kept ---- */

struct price_block {
  struct price_block *next;
  size_t capacity;
  alignas(64) char bytes[];
};

static struct price_block *add_block(struct price_chunk *chunk, size_t bytes)
{
  enum { USUAL = 32 << 10 };
  size_t capacity = bytes < USUAL ? USUAL : bytes;
  struct price_block *block = aligned_alloc(64, sizeof *block + capacity);
  if (!block)
    return NULL;
  *block = (struct price_block){.next = chunk->blocks, .capacity = capacity};
  chunk->blocks = block;
  chunk->used = 0;
  return block;
}

/* @p bytes, a multiple of 64, of the memory of a chunk; adds what it took from malloc() to @p taken. NULL: none left.
 */
static void *take_bytes(struct price_chunk *chunk, size_t bytes, uint64_t *taken)
{
  struct price_block *block = chunk->blocks;
  if (!block || block->capacity - chunk->used < bytes) {
    block = add_block(chunk, bytes);
    *taken += block ? sizeof *block + block->capacity : 0;
  }
  if (!block)
    return NULL;
  chunk->used += bytes;
  return block->bytes + chunk->used - bytes;
}

static void free_chunk(struct price_chunk *chunk)
{
  while (chunk->blocks) {
    struct price_block *block = chunk->blocks;
    chunk->blocks = block->next;
    free(block);
  }
}

void tutti_price_retire(struct price_state *state, uint32_t rank)
{
  struct price_chunk *chunk = &state->chunks[rank / PRICE_CHUNK];
  state->ranks[rank].vertices = NULL;
  if (--chunk->left == 0)
    free_chunk(chunk);
}

/* The arrays by rank. False if out of memory. */
static bool make_ranks(struct price_state *state)
{
  size_t size = (size_t)state->size, chunks = (size + PRICE_CHUNK - 1) / PRICE_CHUNK;
  state->chunks = calloc(chunks, sizeof *state->chunks);
  state->ranks = aligned_alloc(64, size * sizeof *state->ranks);
  state->asides = calloc(size, sizeof *state->asides);
  state->is_dirty = calloc(size, sizeof *state->is_dirty);
  if (state->options->path)
    state->trails = calloc(size, sizeof *state->trails);
  state->bytes = size * (sizeof *state->ranks + sizeof *state->asides + sizeof *state->is_dirty +
                         (state->trails ? sizeof *state->trails : 0)) +
                 chunks * sizeof *state->chunks;
  if (state->ranks)
    memset(state->ranks, 0, size * sizeof *state->ranks);
  return state->chunks && state->ranks && state->asides && state->is_dirty && (state->trails || !state->options->path);
}

void tutti_price_unload(struct price_state *state)
{
  for (int r = 0; r < state->size && state->chunks; r += PRICE_CHUNK)
    free_chunk(&state->chunks[r / PRICE_CHUNK]);
  for (int r = 0; r < state->size && state->trails; r++)
    free(state->trails[r].notes);
  free(state->chunks);
  free(state->ranks);
  free(state->asides);
  free(state->trails);
  free(state->is_dirty);
  free(state->complete.items);
  free(state->dirty.items);
  free(state->departed.items);
  tutti_calendar_free(&state->calendar);
}

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
  struct price_channel *channels = price_channels_of(r);
  uint32_t count = 0;
  bool sorted = true;
  for (uint32_t v = 0; v < r->vertex_count; v++) {
    bool head = r->vertices[v].kind == TUTTI_RECV && !r->vertices[v].met;
    r->vertices[v].met = 0;
    if (!head)
      continue;
    sorted &= count == 0 || channels[count - 1].peer < r->vertices[v].peer;
    channels[count++] = (struct price_channel){r->vertices[v].peer, v};
  }
  if (!sorted)
    qsort(channels, count, sizeof *channels, compare_channels);
}

static void clear(struct price_rank *r, const tutti_schedule *s)
{
  *r = (struct price_rank){.vertex_count = s->vertex_count, .edge_count = s->edge_count, .left = s->vertex_count};
  for (int i = 0; i < PRICE_LISTS; i++)
    r->heads[i] = PRICE_NONE;
}

/* Space for the maximum number of channels; little of it stays unused. Two vertices share a line of the cache. */
static size_t room_of(const tutti_schedule *s)
{
  enum { LINE = 64 };
  size_t receives = 0;
  for (uint32_t v = 0; v < s->vertex_count; v++)
    receives += s->vertices[v].kind == TUTTI_RECV;
  size_t bytes = s->vertex_count * sizeof(struct price_vertex) + s->edge_count * sizeof(uint32_t) +
                 receives * sizeof(struct price_channel);
  return (bytes + LINE - 1) / LINE * LINE;
}

static void fill(struct price_rank *r, const tutti_schedule *s, uint64_t type_size)
{
  for (uint32_t v = 0; v < s->vertex_count; v++)
    take_vertex(s, v, type_size, &r->vertices[v]);
  r->channel_count = count_channels(s, r->vertices);
  take_channels(r);
  take_edges(s, price_edges_of(r));
}

static bool begin_trail(struct price_trail *trail, uint32_t vertices)
{
  *trail = (struct price_trail){.processor_user = PRICE_NONE, .send_user = PRICE_NONE, .receive_user = PRICE_NONE};
  trail->notes = malloc((vertices + 1) * sizeof *trail->notes);
  for (uint32_t v = 0; trail->notes && v < vertices; v++)
    trail->notes[v] = (struct price_note){.cause_rank = PRICE_NONE, .cause_vertex = PRICE_NONE, .behind = PRICE_NONE};
  return trail->notes;
}

/* ---- all ranks, by several threads ---- */

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
  const uint64_t most = type_size ? (UINT64_C(1) << 60) / type_size : 1;
  for (uint32_t v = 0; v < s->vertex_count; v++)
    if (s->vertices[v].count >= most)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "rank %d, vertex %u: %llu elements of %llu bytes %s", s->rank,
                        (unsigned)v, (unsigned long long)s->vertices[v].count, (unsigned long long)type_size,
                        type_size ? "are too many" : "have no size");
  return TUTTI_OK;
}

static void count_rank(struct loader *l, const struct price_rank *r)
{
  l->vertices += r->vertex_count;
  if (l->most_vertices < r->vertex_count)
    l->most_vertices = r->vertex_count;
  for (uint32_t v = 0; v < r->vertex_count; v++)
    if (l->most_bytes < r->vertices[v].bytes)
      l->most_bytes = r->vertices[v].bytes;
}

/* The rank in its compact form. False if out of memory. */
static bool take_rank(struct loader *l, int rank, const tutti_schedule *schedule)
{
  struct price_state *state = l->loading->state;
  struct price_chunk *chunk = &state->chunks[rank / PRICE_CHUNK];
  struct price_rank *r = &state->ranks[rank];
  clear(r, schedule);
  if (schedule->vertex_count == 0)
    return true;
  r->vertices = take_bytes(chunk, room_of(schedule), &l->bytes);
  if (!r->vertices)
    return false;
  chunk->left++;
  fill(r, schedule, l->loading->type_size);
  return true;
}

static tutti_status take_schedule(struct loader *l, int rank, const tutti_schedule *schedule)
{
  struct price_state *state = l->loading->state;
  struct price_trail *trail = state->trails ? &state->trails[rank] : NULL;
  tutti_status status = check_sizes(schedule, l->loading->type_size, &l->error);
  if (status != TUTTI_OK)
    return status;
  if (!take_rank(l, rank, schedule) || (trail && !begin_trail(trail, schedule->vertex_count)))
    return tutti_fail(&l->error, TUTTI_ERR_MEMORY, "rank %d: out of memory while pricing", rank);
  l->bytes += trail ? schedule->vertex_count * sizeof *trail->notes : 0;
  count_rank(l, &state->ranks[rank]);
  return TUTTI_OK;
}

static tutti_status load_rank(struct loader *l, tutti_arena *arena, int rank)
{
  tutti_schedule schedule;
  tutti_status status = l->loading->source(l->loading->context, rank, arena, &schedule, &l->error);
  if (status == TUTTI_OK)
    status = take_schedule(l, rank, &schedule);
  tutti_arena_release(arena);
  return status;
}

static void *load_ranks(void *argument)
{
  struct loader *l = argument;
  int size = l->loading->state->size;
  tutti_arena arena;
  tutti_arena_init(&arena);
  for (int first; l->status == TUTTI_OK && (first = atomic_fetch_add(&l->loading->next, PRICE_CHUNK)) < size;)
    for (int r = first; r < size && r < first + PRICE_CHUNK && l->status == TUTTI_OK; r++)
      l->status = load_rank(l, &arena, r);
  return NULL;
}

/* The fault of the lowest thread is reported; ranks are alike, so it hardly matters which. */
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

static tutti_status load_by_threads(struct price_state *state, struct loader *loaders, int threads, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 1; i < threads; i++) /* one that does not start leaves its share to the others */
    loaders[i].started = pthread_create(&loaders[i].thread, NULL, load_ranks, &loaders[i]) == 0;
  load_ranks(&loaders[0]);
  for (int i = 0; i < threads; i++) {
    if (loaders[i].started)
      pthread_join(loaders[i].thread, NULL);
    status = take_loader(state, &loaders[i], status, error);
  }
  return status;
}

tutti_status tutti_price_load(struct price_state *state, price_source source, const void *context, uint64_t type_size,
                              tutti_error *error)
{
  enum { MOST = 64 };
  struct loading loading = {.state = state, .source = source, .context = context, .type_size = type_size};
  int threads = state->options->threads < 1 ? 1 : state->options->threads > MOST ? MOST : state->options->threads;
  struct loader *loaders = calloc((size_t)threads, sizeof *loaders);
  for (int i = 0; loaders && i < threads; i++)
    loaders[i].loading = &loading;
  tutti_status status =
      loaders && make_ranks(state)
          ? load_by_threads(state, loaders, threads, error)
          : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the schedules of %d ranks", state->size);
  free(loaders);
  return status;
}
