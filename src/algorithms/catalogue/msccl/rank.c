/* The program of a rank. Steps are done in an order that its thread blocks allow. A clock of each step says up to which
   step of every block others must be complete before it; two vertices that touch the same chunk, one of them writing,
   wait for each other if the clocks say so. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/catalogue/msccl/program.h"

enum { MAX_CLOCKS = 1 << 24, MAX_COMPARISONS = 1 << 28, TRACKED = MSCCL_HELD };

/* A vertex that touches a chunk. */
struct access {
  uint32_t vertex;
  bool writes;
};

struct chunk {
  TUTTI_VECTOR(struct access);
};

struct place {
  uint8_t memory;
  int first;
};

struct compiling {
  const char *path;
  const struct msccl_file *file;
  const struct msccl_rank *source;
  int rank, root;
  struct msccl_program *program;
  tutti_error *error;
  tutti_status status;
  int extents[MSCCL_HELD];       /* chunks of what is tracked */
  bool copies;                   /* the input is copied first, as steps change it */
  int block, step;               /* at work */
  size_t *first;                 /* [blocks + 1] steps, numbered through */
  int *clocks;                   /* [steps][blocks] the last step of each block before it; -1: none */
  uint32_t *ordered;             /* [steps] the vertex that others wait for, counted from 1; 0: there is none */
  struct chunk *chunks[TRACKED]; /* [extents] */
  uint32_t *marks;               /* [vertices] the last one that waits for it, counted from 1 */
  size_t mark_capacity;
  size_t *comparisons; /* of all ranks */
};

#define fail(c, format, ...)                                                                                           \
  MSCCL_FAIL(c, TUTTI_ERR_ARGUMENT, "%s: gpu %d, thread block %d, step %d: " format, (c)->path, (c)->rank, (c)->block, \
             (c)->step, ##__VA_ARGS__)

/* ---- where buffers are ---- */

static int share_of(const struct compiling *c)
{
  return c->file->chunks / c->file->size;
}

static bool rank_is(const struct compiling *c, tutti_collective collective)
{
  return c->file->collective == collective;
}

/* Chunks of the buffers of the call. */
static void find_extents(struct compiling *c)
{
  const int all = c->file->chunks, blocks = all * c->file->size;
  int *in = &c->extents[MSCCL_CALL_INPUT], *out = &c->extents[MSCCL_CALL_OUTPUT];
  *in = *out = all;
  if (rank_is(c, TUTTI_COLL_BCAST))
    *in = 0;
  else if (rank_is(c, TUTTI_COLL_ALLGATHER))
    *in = share_of(c);
  else if (rank_is(c, TUTTI_COLL_REDUCE_SCATTER_BLOCK))
    *out = share_of(c);
  else if (rank_is(c, TUTTI_COLL_REDUCE))
    *out = c->rank == c->root ? all : 0;
  else if (rank_is(c, TUTTI_COLL_GATHER))
    *out = c->rank == c->root ? blocks : 0;
  else if (rank_is(c, TUTTI_COLL_SCATTER))
    *in = c->rank == c->root ? blocks : 0;
  c->extents[MSCCL_TEMPORARY] = c->source->chunks[MSCCL_SCRATCH];
}

static bool writes_input(const struct msccl_rank *rank)
{
  static const bool writes[MSCCL_TYPES] = {[MSCCL_RECV] = true,
                                           [MSCCL_RECV_COPY_SEND] = true,
                                           [MSCCL_RECV_REDUCE_COPY] = true,
                                           [MSCCL_RECV_REDUCE_COPY_SEND] = true,
                                           [MSCCL_COPY] = true,
                                           [MSCCL_REDUCE] = true};
  for (size_t b = 0; b < rank->count; b++)
    for (size_t s = 0; s < rank->items[b].count; s++) {
      const struct msccl_step *step = &rank->items[b].items[s];
      if (writes[step->type] && step->target_buffer == MSCCL_INPUT && step->count > 0)
        return true;
    }
  return false;
}

/* Input and output of a file in place are one memory: the output of the call where that is whole, else a copy of the
   input. Of a broadcast, the call has the output only. */
static struct place find_place(const struct compiling *c, int buffer, int chunk)
{
  const bool in_place = c->file->in_place, input = buffer == MSCCL_INPUT;
  if (buffer == MSCCL_SCRATCH)
    return (struct place){MSCCL_TEMPORARY, chunk};
  if (rank_is(c, TUTTI_COLL_BCAST) ||
      (in_place && (rank_is(c, TUTTI_COLL_ALLREDUCE) || rank_is(c, TUTTI_COLL_ALLTOALL))))
    return (struct place){MSCCL_CALL_OUTPUT, chunk};
  if (in_place && rank_is(c, TUTTI_COLL_ALLGATHER))
    return (struct place){MSCCL_CALL_OUTPUT, input ? c->rank * share_of(c) + chunk : chunk};
  if (in_place && rank_is(c, TUTTI_COLL_REDUCE_SCATTER_BLOCK))
    return (struct place){MSCCL_WORK, input ? chunk : c->rank * share_of(c) + chunk};
  if (in_place && rank_is(c, TUTTI_COLL_REDUCE))
    return (struct place){MSCCL_WORK, chunk};
  return (struct place){input && c->copies ? MSCCL_WORK : input ? MSCCL_CALL_INPUT : MSCCL_CALL_OUTPUT, chunk};
}

/* ---- vertices ---- */

static bool comes_before(const struct compiling *c, const struct msccl_vertex *u, const struct msccl_vertex *v)
{
  if (u->block == MSCCL_FIRST || v->block == MSCCL_LAST)
    return true;
  return c->clocks[(c->first[v->block] + (size_t)v->step) * c->source->count + (size_t)u->block] >= u->step;
}

static bool push_wait(struct compiling *c, uint32_t vertex, uint32_t waits)
{
  if (c->marks[vertex] == waits + 1)
    return true;
  c->marks[vertex] = waits + 1;
  return tutti_vector_push(&c->program->waits, vertex) ? true : MSCCL_FAIL_MEMORY(c);
}

/* What the last vertex waits for at a chunk. A write that waits for all others stands for them. */
static bool touch_chunk(struct compiling *c, struct chunk *chunk, bool writes)
{
  const uint32_t own = (uint32_t)c->program->count - 1;
  size_t kept = 0;
  *c->comparisons += chunk->count;
  if (*c->comparisons > MAX_COMPARISONS)
    return fail(c, "too many steps touch the same chunks");
  for (size_t i = 0; i < chunk->count; i++) {
    const struct access *earlier = &chunk->items[i];
    const bool conflict = (writes || earlier->writes) && earlier->vertex != own;
    const bool before = conflict && comes_before(c, &c->program->items[earlier->vertex], &c->program->items[own]);
    if (before && !push_wait(c, earlier->vertex, own))
      return false;
    if (!(before && writes))
      chunk->items[kept++] = *earlier;
  }
  chunk->count = kept;
  return tutti_vector_push(chunk, (struct access){own, writes}) ? true : MSCCL_FAIL_MEMORY(c);
}

/* What was received has a place of its own, which nobody else touches. */
static bool touch(struct compiling *c, struct place place, int count, bool writes)
{
  if (place.memory == MSCCL_HELD)
    return true;
  if (place.first < 0 || place.first > c->extents[place.memory] - count)
    return fail(c, "chunks %d to %d of a buffer of %d", place.first, place.first + count - 1, c->extents[place.memory]);
  for (int i = 0; i < count; i++)
    if (!touch_chunk(c, &c->chunks[place.memory][place.first + i], writes))
      return false;
  return true;
}

static bool push_vertex(struct compiling *c, tutti_kind kind, struct place place, struct place target, int count,
                        int peer)
{
  const int channel = c->block >= 0 ? c->source->items[c->block].channel : -1;
  const struct msccl_vertex vertex = {.kind = (uint8_t)kind,
                                      .memory = place.memory,
                                      .target = target.memory,
                                      .first = place.first,
                                      .target_first = target.first,
                                      .count = count,
                                      .peer = peer,
                                      .channel = channel,
                                      .at = c->block >= 0 ? c->source->items[c->block].items[c->step].at : -1,
                                      .block = c->block,
                                      .step = c->step,
                                      .before = (uint32_t)c->program->waits.count};
  if (!tutti_vector_push(c->program, vertex) ||
      !tutti_grow(&c->marks, c->program->count - 1, &c->mark_capacity, 1, sizeof *c->marks))
    return MSCCL_FAIL_MEMORY(c);
  c->marks[c->program->count - 1] = 0;
  return true;
}

/* The last vertex waits for the one before it, of the same step. */
static bool push_chain(struct compiling *c)
{
  const uint32_t own = (uint32_t)c->program->count - 1;
  return push_wait(c, own - 1, own);
}

static const struct place nowhere = {MSCCL_CALL_OUTPUT, 0};

static bool add_send(struct compiling *c, struct place from, int count)
{
  return push_vertex(c, TUTTI_SEND, from, nowhere, count, c->source->items[c->block].send) &&
         touch(c, from, count, false);
}

static bool wait_for_ordered(struct compiling *c, uint32_t ordered)
{
  return ordered == 0 || push_wait(c, ordered - 1, (uint32_t)c->program->count - 1);
}

/* The last vertex, a send or a reduction, waits for the one a window before it in its block, and for those that the
   step, and those without an action just before it, name. */
static bool keep_order(struct compiling *c, int window)
{
  const struct msccl_block *block = &c->source->items[c->block];
  const uint32_t *ordered = c->ordered + c->first[c->block];
  int left = window;
  bool good = true, named = true;
  for (int step = c->step; step >= 0 && left > 0 && good; step--) {
    const struct msccl_step *s = &block->items[step];
    named = named && (step == c->step || s->type == MSCCL_NOP);
    left -= step < c->step && ordered[step] > 0;
    if (step < c->step && left == 0)
      good = wait_for_ordered(c, ordered[step]);
    if (named && s->wait_block >= 0)
      good = good && wait_for_ordered(c, c->ordered[c->first[s->wait_block] + (size_t)s->wait_step]);
  }
  c->ordered[c->first[c->block] + (size_t)c->step] = (uint32_t)c->program->count;
  return good;
}

/* The last vertex, the only one of its step, waits for all that is named. */
static bool keep_waits(struct compiling *c)
{
  const struct msccl_block *block = &c->source->items[c->block];
  bool good = true;
  for (int step = c->step; step >= 0 && good && (step == c->step || block->items[step].type == MSCCL_NOP); step--) {
    const struct msccl_step *s = &block->items[step];
    if (s->wait_block >= 0)
      good = wait_for_ordered(c, c->ordered[c->first[s->wait_block] + (size_t)s->wait_step]);
  }
  c->ordered[c->first[c->block] + (size_t)c->step] = (uint32_t)c->program->count;
  return good;
}

static bool add_recv(struct compiling *c, struct place to, int count)
{
  return push_vertex(c, TUTTI_RECV, to, nowhere, count, c->source->items[c->block].recv) && touch(c, to, count, true);
}

static bool add_local(struct compiling *c, tutti_kind kind, struct place from, struct place to, int count)
{
  return push_vertex(c, kind, from, to, count, -1) && touch(c, from, count, false) && touch(c, to, count, true);
}

/* ---- steps ---- */

/* Received, combined with what is here, and kept or sent. */
static bool add_combined(struct compiling *c, const struct msccl_step *step, struct place from, struct place to)
{
  const int count = step->count;
  const struct place held = {MSCCL_HELD, c->program->chunks[MSCCL_HELD]};
  const bool keeps = step->type != MSCCL_RECV_REDUCE_SEND, sends = step->type != MSCCL_RECV_REDUCE_COPY;
  const bool same = keeps && from.memory == to.memory && from.first == to.first;
  c->program->chunks[MSCCL_HELD] += count;
  if (!add_recv(c, held, count) || !add_local(c, TUTTI_REDUCE, same ? held : from, same ? to : held, count) ||
      !push_chain(c))
    return false;
  if (keeps && !same && (!add_local(c, TUTTI_COPY, held, to, count) || !push_chain(c)))
    return false;
  return !sends || (add_send(c, keeps ? to : held, count) && push_chain(c));
}

static bool add_step(struct compiling *c, const struct msccl_step *step)
{
  const int count = step->count;
  const struct place from = find_place(c, step->source_buffer, step->source);
  const struct place to = find_place(c, step->target_buffer, step->target);
  if (count == 0 && step->type == MSCCL_COPY && c->file->waits) /* a join of ours */
    return push_vertex(c, TUTTI_COPY, nowhere, nowhere, 0, -1);
  if (count == 0 || step->type == MSCCL_NOP)
    return true;
  switch ((enum msccl_type)step->type) {
  case MSCCL_SEND:
    return add_send(c, from, count) && (c->file->window == 0 || keep_order(c, c->file->window));
  case MSCCL_RECV:
    return add_recv(c, to, count);
  case MSCCL_RECV_COPY_SEND:
    return add_recv(c, to, count) && add_send(c, to, count);
  case MSCCL_COPY:
    return (from.memory == to.memory && from.first == to.first) || add_local(c, TUTTI_COPY, from, to, count);
  case MSCCL_REDUCE:
    return add_local(c, TUTTI_REDUCE, from, to, count) && (c->file->sums == 0 || keep_order(c, 1));
  default:
    return add_combined(c, step, from, to);
  }
}

/* A step of another block that tells nobody is waited for in vain. */
static bool check_wait(struct compiling *c, const struct msccl_step *step)
{
  const size_t block = (size_t)step->wait_block, other = (size_t)step->wait_step;
  if (step->wait_block < 0)
    return true;
  if (block >= c->source->count || step->wait_step < 0 || other >= c->source->items[block].count)
    return fail(c, "waits for step %d of thread block %d, which there is not", step->wait_step, step->wait_block);
  if (!c->source->items[block].items[other].waited)
    return fail(c, "waits for step %d of thread block %d, which has hasdep=\"0\"", step->wait_step, step->wait_block);
  return true;
}

static void set_clock(struct compiling *c, const struct msccl_step *step)
{
  const size_t blocks = c->source->count, number = c->first[c->block] + (size_t)c->step;
  int *clock = c->clocks + number * blocks;
  for (size_t b = 0; b < blocks; b++)
    clock[b] = c->step > 0 ? (clock - blocks)[b] : -1;
  if (step->wait_block >= 0) {
    const int *other = c->clocks + (c->first[step->wait_block] + (size_t)step->wait_step) * blocks;
    for (size_t b = 0; b < blocks; b++)
      clock[b] = other[b] > clock[b] ? other[b] : clock[b];
  }
  clock[c->block] = c->step;
}

/* Do as many steps of a block as its waits allow. */
static bool advance(struct compiling *c, int *done, int block, bool *progress)
{
  const struct msccl_block *source = &c->source->items[block];
  while ((size_t)done[block] < source->count) {
    const struct msccl_step *step = &source->items[done[block]];
    c->block = block;
    c->step = done[block];
    if (!check_wait(c, step))
      return false;
    if (step->wait_block >= 0 && done[step->wait_block] <= step->wait_step)
      return true;
    set_clock(c, step);
    const size_t vertices = c->program->count;
    if (!add_step(c, step) || (c->file->waits && c->program->count == vertices + 1 && !keep_waits(c)))
      return false;
    done[block]++;
    *progress = true;
  }
  return true;
}

static bool add_steps(struct compiling *c)
{
  const int blocks = (int)c->source->count;
  int *done = calloc((size_t)blocks + 1, sizeof *done);
  bool progress = true, good = done != NULL;
  if (!done)
    return MSCCL_FAIL_MEMORY(c);
  while (progress && good) {
    progress = false;
    for (int b = 0; b < blocks && good; b++)
      good = advance(c, done, b, &progress);
  }
  for (int b = 0; b < blocks && good; b++)
    if ((size_t)done[b] < c->source->items[b].count) {
      c->block = b;
      c->step = done[b];
      good = fail(c, "waits in a circle of thread blocks");
    }
  free(done);
  return good;
}

/* ---- a rank ---- */

/* Copies before and after the steps, where the file is in place or changes its input. */
static bool add_first(struct compiling *c)
{
  const struct place input = {MSCCL_CALL_INPUT, 0}, own = find_place(c, MSCCL_INPUT, 0);
  const int chunks = c->extents[MSCCL_CALL_INPUT];
  c->block = MSCCL_FIRST;
  return own.memory == MSCCL_CALL_INPUT || chunks == 0 || add_local(c, TUTTI_COPY, input, own, chunks);
}

static bool add_last(struct compiling *c)
{
  const struct place output = {MSCCL_CALL_OUTPUT, 0}, own = find_place(c, MSCCL_OUTPUT, 0);
  const int chunks = c->extents[MSCCL_CALL_OUTPUT];
  c->block = MSCCL_LAST;
  return own.memory == MSCCL_CALL_OUTPUT || chunks == 0 || add_local(c, TUTTI_COPY, own, output, chunks);
}

static bool prepare(struct compiling *c)
{
  const size_t blocks = c->source->count;
  c->first = calloc(blocks + 1, sizeof *c->first);
  if (!c->first)
    return MSCCL_FAIL_MEMORY(c);
  for (size_t b = 0; b < blocks; b++)
    c->first[b + 1] = c->first[b] + c->source->items[b].count;
  if (blocks > 0 && c->first[blocks] > MAX_CLOCKS / blocks)
    return fail(c, "%zu steps in %zu thread blocks are too many", c->first[blocks], blocks);
  find_extents(c);
  c->copies = writes_input(c->source);
  const int memory = find_place(c, MSCCL_INPUT, 0).memory;
  c->extents[MSCCL_WORK] = memory == MSCCL_WORK ? c->extents[MSCCL_CALL_INPUT] : 0;
  c->program->chunks[MSCCL_TEMPORARY] = c->extents[MSCCL_TEMPORARY];
  c->program->chunks[MSCCL_WORK] = c->extents[MSCCL_WORK];
  c->clocks = calloc(c->first[blocks] * blocks + 1, sizeof *c->clocks);
  c->ordered = calloc(c->first[blocks] + 1, sizeof *c->ordered);
  bool good = c->clocks && c->ordered;
  for (int m = 0; m < TRACKED; m++) {
    c->chunks[m] = calloc((size_t)c->extents[m] + 1, sizeof *c->chunks[m]);
    good = good && c->chunks[m];
  }
  return good ? true : MSCCL_FAIL_MEMORY(c);
}

static void clean(struct compiling *c)
{
  for (int m = 0; m < TRACKED; m++) {
    for (int i = 0; c->chunks[m] && i < c->extents[m]; i++)
      tutti_vector_free(&c->chunks[m][i]);
    free(c->chunks[m]);
  }
  free(c->first);
  free(c->clocks);
  free(c->ordered);
  free(c->marks);
}

tutti_status tutti_msccl_compile_rank(const char *path, const struct msccl_file *file, int rank, int root, size_t *work,
                                      struct msccl_program *program, tutti_error *error)
{
  struct compiling c = {.path = path,
                        .file = file,
                        .source = &file->ranks[rank],
                        .rank = rank,
                        .root = root,
                        .program = program,
                        .comparisons = work,
                        .error = error};
  if (prepare(&c) && add_first(&c) && add_steps(&c))
    add_last(&c);
  clean(&c);
  return c.status;
}
