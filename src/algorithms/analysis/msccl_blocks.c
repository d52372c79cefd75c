/* Thread blocks: a rank has one for each peer that it sends to, one for each that it receives from, and those of its
   copies and reductions. The steps of each are in the order of one execution of all ranks that respects every wait, so
   that blocks, which do one step after the other, cannot wait for each other in a circle. */
#include <inttypes.h>
#include <stdlib.h>

#include "algorithms/analysis/msccl_blocks.h"

/* ---- chunks ---- */

static uint64_t divisor(uint64_t a, uint64_t b)
{
  for (uint64_t rest; b > 0; a = b, b = rest)
    rest = a % b;
  return a;
}

uint64_t tutti_msccl_extent(const struct msccl_writing *w, int rank, tutti_buffer buffer)
{
  return tutti_contract_of(w->collective)->extent(&w->calls[rank], buffer);
}

uint64_t tutti_msccl_find_chunk(const struct msccl_writing *w)
{
  uint64_t chunk = 0;
  for (int r = 0; r < w->ensemble->size; r++) {
    const tutti_schedule *s = &w->ensemble->schedules[r];
    chunk = divisor(divisor(chunk, tutti_msccl_extent(w, r, TUTTI_INPUT)), tutti_msccl_extent(w, r, TUTTI_OUTPUT));
    for (uint32_t v = 0; v < s->vertex_count; v++) {
      const tutti_vertex *vertex = &s->vertices[v];
      if (vertex->count > 0)
        chunk = divisor(divisor(chunk, vertex->first), vertex->count);
      if (vertex->count > 0 && vertex->kind >= TUTTI_REDUCE)
        chunk = divisor(chunk, vertex->target_first);
    }
  }
  return chunk;
}

uint64_t tutti_msccl_scratch(const struct msccl_writing *w, const tutti_schedule *s, uint32_t temporaries)
{
  uint64_t chunks = 0;
  for (uint32_t t = 0; t < temporaries; t++)
    chunks += (s->temporary_counts[t] + w->chunk - 1) / w->chunk;
  return chunks;
}

/* Buffer and first chunk of a block of a schedule. */
static int find_place(const struct msccl_writing *w, const tutti_schedule *s, tutti_block block, uint8_t *buffer)
{
  const uint64_t chunk = block.first / w->chunk;
  *buffer = block.buffer == TUTTI_INPUT ? MSCCL_INPUT : block.buffer == TUTTI_OUTPUT ? MSCCL_OUTPUT : MSCCL_SCRATCH;
  return (int)(*buffer == MSCCL_SCRATCH ? chunk + tutti_msccl_scratch(w, s, block.buffer - TUTTI_FIRST_TEMPORARY)
                                        : chunk);
}

tutti_status tutti_msccl_check_chunks(const struct msccl_writing *w, tutti_error *error)
{
  const uint64_t loop = tutti_msccl_elements(w->collective, w->calls);
  if (w->chunk == 0)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "MSCCL has no schedules without data");
  if (loop / w->chunk > MSCCL_MAX_CHUNKS)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "all blocks consist of chunks of %" PRIu64 " element%s only, %" PRIu64 " of them, and MSCCL "
                      "counts %d: another number of elements, as a multiple of the %d ranks, gives larger ones",
                      w->chunk, w->chunk == 1 ? "" : "s", loop / w->chunk, MSCCL_MAX_CHUNKS, w->ensemble->size);
  for (int r = 0; r < w->ensemble->size; r++) {
    const tutti_schedule *s = &w->ensemble->schedules[r];
    const uint64_t chunks = tutti_msccl_scratch(w, s, s->temporary_count);
    if (chunks > MSCCL_MAX_CHUNKS)
      return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "rank %d has temporaries of %" PRIu64 " chunks, MSCCL counts %d",
                        r, chunks, MSCCL_MAX_CHUNKS);
    for (uint32_t v = 0; v < s->vertex_count; v++)
      if (s->vertices[v].count == 0 && s->vertices[v].kind <= TUTTI_RECV)
        return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "rank %d has a message without data, which MSCCL has not", r);
  }
  return TUTTI_OK;
}

/* ---- blocks of a rank ---- */

/* Both ends of a message find the same. */
static int find_channel(const struct msccl_writing *w, int from, int to)
{
  const int size = w->ensemble->size;
  return (to - from + size) % size / MSCCL_MAX_PEERS;
}

static tutti_status fail_blocks(const struct msccl_writing *w, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "rank %d needs more than %d thread blocks%s", w->schedule->rank,
                    w->most_blocks, w->unlimited ? "" : ", the most of MSCCL");
}

static tutti_status begin_block(struct msccl_writing *w, struct msccl_block block, tutti_error *error)
{
  if (w->count == w->most_blocks)
    return fail_blocks(w, error);
  if (block.channel >= MSCCL_ALL_CHANNELS)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "rank %d needs more than the %d channels of MSCCL",
                      w->schedule->rank, MSCCL_MAX_CHANNELS);
  const size_t number = (size_t)w->count++, most = (size_t)w->most_blocks;
  w->blocks[number] = block;
  w->messages[number] = 0;
  for (size_t other = 0; other < most; other++)
    w->reached[number * most + other] = -1;
  return TUTTI_OK;
}

/* The block of a vertex, for so many more steps, of which @p pieces are its own; a new one of copies and reductions
   begins where one is full, one of messages on the next channel. *before: the block that it follows; -1: none. */
static tutti_status find_block(struct msccl_writing *w, const tutti_vertex *vertex, size_t steps, size_t pieces,
                               int *found, int *before, tutti_error *error)
{
  const int own = w->schedule->rank, send = vertex->kind == TUTTI_SEND ? vertex->peer : -1,
            recv = vertex->kind == TUTTI_RECV ? vertex->peer : -1;
  const bool local = send < 0 && recv < 0;
  struct msccl_block block = {.send = send, .recv = recv};
  if (!local)
    block.channel = find_channel(w, send >= 0 ? own : recv, send >= 0 ? send : own);
  int b = w->count - 1;
  while (b >= 0 && !(w->blocks[b].send == send && w->blocks[b].recv == recv))
    b--;
  *before = -1;
  const bool filled = b >= 0 && w->blocks[b].count > 0 && !w->unlimited,
             full = filled && local && w->blocks[b].count + steps > MSCCL_MAX_STEPS,
             passed = filled && !local && w->split && (size_t)w->messages[b] + pieces > MSCCL_SPLIT;
  if (passed) {
    *before = b;
    block.channel = w->blocks[b].channel + MSCCL_MAX_CHANNELS;
  }
  if (b < 0 || full || passed) {
    const tutti_status status = begin_block(w, block, error);
    if (status != TUTTI_OK)
      return status;
    b = w->count - 1;
  }
  w->messages[b] += local ? 0 : (int)pieces;
  *found = b;
  return TUTTI_OK;
}

static bool push_step(struct msccl_block *block, struct msccl_step step)
{
  return tutti_vector_push(block, step);
}

/* One more step to wait for, before the next step of a block. */
static bool push_wait(struct msccl_writing *w, struct msccl_place need, int own, struct msccl_place *last)
{
  int *reached = &w->reached[(size_t)own * (size_t)w->most_blocks + (size_t)need.block];
  if (!w->waits && (need.block == own || need.step <= *reached))
    return true;
  *reached = need.step;
  w->blocks[need.block].items[need.step].waited = true;
  if ((w->waits || need.block != last->block) && last->block >= 0 &&
      !push_step(&w->blocks[own], (struct msccl_step){.type = MSCCL_NOP,
                                                      .target_buffer = MSCCL_OUTPUT,
                                                      .source = -1,
                                                      .target = -1,
                                                      .at = -1,
                                                      .wait_block = last->block,
                                                      .wait_step = last->step}))
    return false;
  *last = need;
  return true;
}

/* Wait for the steps of other blocks that a vertex needs, and for the end of the one @p before its own; -1: none. The
   last of them is waited for with its first step. False: no memory. */
static bool push_waits(struct msccl_writing *w, uint32_t v, int own, int before, struct msccl_place *last)
{
  bool good = true;
  *last = (struct msccl_place){-1, -1};
  for (uint32_t i = w->before_first[v]; i < w->before_first[v + 1] && good; i++)
    good = push_wait(w, w->places[w->before[i]], own, last);
  if (before >= 0 && w->window > 0)
    good = good && push_wait(w, (struct msccl_place){before, (int)w->blocks[before].count - 1}, own, last);
  return good;
}

/* Source and target of a vertex, where a message has the other one at its peer. */
static struct msccl_step find_ends(const struct msccl_writing *w, uint32_t v)
{
  static const uint8_t types[] = {MSCCL_SEND, MSCCL_RECV, MSCCL_REDUCE, MSCCL_COPY};
  const tutti_vertex *vertex = &w->schedule->vertices[v];
  const tutti_schedule *there = w->schedule;
  struct msccl_step step = {.type = types[vertex->kind]};
  const tutti_block here = tutti_block_of(vertex->buffer, vertex->first, vertex->count);
  tutti_block other = here;
  if (vertex->kind <= TUTTI_RECV) {
    const size_t partner = w->ensemble->partner[w->ensemble->first[w->schedule->rank] + v];
    const tutti_vertex *end = tutti_ensemble_vertex(w->ensemble, vertex->peer, partner);
    other = tutti_block_of(end->buffer, end->first, end->count);
    there = &w->ensemble->schedules[vertex->peer];
  } else {
    other = tutti_vertex_target(vertex);
  }
  if (vertex->kind == TUTTI_RECV) {
    step.source = find_place(w, there, other, &step.source_buffer);
    step.target = find_place(w, w->schedule, here, &step.target_buffer);
  } else {
    step.source = find_place(w, w->schedule, here, &step.source_buffer);
    step.target = find_place(w, there, other, &step.target_buffer);
  }
  return step;
}

/* A join becomes a copy of no chunks, for which others can wait. So that a reader does not join reductions of different
   lengths into one, each is one that others wait for. */
static bool push_pieces(struct msccl_writing *w, uint32_t v, int own, struct msccl_place wait)
{
  const tutti_vertex *vertex = &w->schedule->vertices[v];
  const int most = w->unlimited ? MSCCL_MAX_CHUNKS : MSCCL_MAX_COUNT;
  int left = (int)(vertex->count / w->chunk);
  struct msccl_step step = {.type = MSCCL_COPY, .target_buffer = MSCCL_OUTPUT, .source = -1, .target = -1};
  if (left > 0)
    step = find_ends(w, v);
  step.waited = step.type == MSCCL_REDUCE;
  step.at = w->numbered ? (int)v : -1;
  step.wait_block = wait.block;
  step.wait_step = wait.step;
  do {
    step.count = left < most ? left : most;
    if (!push_step(&w->blocks[own], step))
      return false;
    left -= step.count;
    step.source += step.count;
    step.target += step.count;
    step.wait_block = step.wait_step = -1;
  } while (left > 0);
  return true;
}

static tutti_status add_vertex(struct msccl_writing *w, uint32_t v, tutti_error *error)
{
  const tutti_vertex *vertex = &w->schedule->vertices[v];
  const size_t pieces = (size_t)(vertex->count / w->chunk) / MSCCL_MAX_COUNT + 1;
  const size_t waits = w->before_first[v + 1] - w->before_first[v];
  struct msccl_place wait;
  int own = 0, before;
  tutti_status status = find_block(w, vertex, pieces + waits, pieces, &own, &before, error);
  if (status != TUTTI_OK)
    return status;
  if (!push_waits(w, v, own, before, &wait) || !push_pieces(w, v, own, wait))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for steps", w->schedule->rank);
  const struct msccl_block *block = &w->blocks[own];
  if (block->count > MSCCL_MAX_STEPS && !w->unlimited)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "rank %d needs more than the %d steps of a thread block of MSCCL: fewer segments have fewer",
                      w->schedule->rank, MSCCL_MAX_STEPS);
  w->channels[block->channel] = true;
  w->places[v] = (struct msccl_place){own, (int)block->count - 1};
  return TUTTI_OK;
}

/* ---- a rank ---- */

static int compare_pairs(const void *a, const void *b)
{
  const size_t *left = a, *right = b;
  return *left < *right ? -1 : *left > *right;
}

/* The vertices as they take place, and what each waits for. */
static bool sort_vertices(struct msccl_writing *w)
{
  const tutti_schedule *s = w->schedule;
  const size_t first = w->ensemble->first[s->rank], count = s->vertex_count;
  size_t(*pairs)[2] = malloc((count + 1) * sizeof *pairs);
  if (!pairs)
    return false;
  for (size_t v = 0; v < count; v++) {
    pairs[v][0] = w->order[first + v];
    pairs[v][1] = v;
    w->before_first[v + 1] = 0;
  }
  qsort(pairs, count, sizeof *pairs, compare_pairs);
  for (size_t v = 0; v < count; v++)
    w->sorted[v] = (uint32_t)pairs[v][1];
  for (uint32_t e = 0; e < s->edge_count; e++)
    w->before_first[s->successors[e] + 1]++;
  w->before_first[0] = 0;
  for (size_t v = 0; v < count; v++) {
    pairs[v][0] = w->before_first[v];
    w->before_first[v + 1] += w->before_first[v];
  }
  for (uint32_t v = 0; v < count; v++)
    for (uint32_t e = s->successor_first[v]; e < s->successor_first[v + 1]; e++)
      w->before[pairs[s->successors[e]][0]++] = v;
  free(pairs);
  return true;
}

static tutti_status check_nodes(const struct msccl_writing *w, tutti_error *error)
{
  size_t nodes = 1 + (size_t)w->ensemble->size;
  for (int b = 0; b < w->count; b++)
    nodes += 1 + w->blocks[b].count;
  return nodes < MSCCL_MAX_NODES || w->unlimited
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                          "rank %d needs %zu steps and thread blocks, and readers of MSCCL take %d", w->schedule->rank,
                          nodes, MSCCL_MAX_NODES);
}

tutti_status tutti_msccl_make_rank(struct msccl_writing *w, int rank, tutti_error *error)
{
  w->schedule = &w->ensemble->schedules[rank];
  w->count = 0;
  const size_t vertices = w->schedule->vertex_count;
  w->sorted = malloc((vertices + 1) * sizeof *w->sorted);
  w->before_first = malloc((vertices + 1) * sizeof *w->before_first);
  w->before = malloc((w->schedule->edge_count + (size_t)1) * sizeof *w->before);
  w->places = malloc((vertices + 1) * sizeof *w->places);
  tutti_status status = TUTTI_OK;
  if (!w->sorted || !w->before_first || !w->before || !w->places || !sort_vertices(w))
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory for its thread blocks", rank);
  for (size_t i = 0; i < vertices && status == TUTTI_OK; i++)
    status = add_vertex(w, w->sorted[i], error);
  if (status == TUTTI_OK)
    status = check_nodes(w, error);
  free(w->sorted);
  free(w->before_first);
  free(w->before);
  free(w->places);
  return status;
}

void tutti_msccl_free_rank(struct msccl_writing *w)
{
  for (int b = 0; b < w->count; b++)
    tutti_vector_free(&w->blocks[b]);
  w->count = 0;
}
