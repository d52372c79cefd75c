#include "algorithms/analysis/ensemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool count_buffers(struct memory *m)
{
  const struct ensemble *e = m->ensemble;
  m->first_buffer = calloc((size_t)e->size + 1, sizeof *m->first_buffer);
  if (!m->first_buffer)
    return false;
  for (int r = 0; r < e->size; r++)
    m->first_buffer[r + 1] = m->first_buffer[r] + TUTTI_FIRST_TEMPORARY + e->schedules[r].temporary_count;
  size_t buffers = m->first_buffer[e->size];
  m->extent = calloc(buffers, sizeof *m->extent);
  m->buffer = calloc(buffers, sizeof *m->buffer);
  m->origin = calloc(buffers, sizeof *m->origin);
  return m->extent && m->buffer && m->origin;
}

static bool reduces(const struct ensemble *e)
{
  for (int r = 0; r < e->size; r++)
    for (uint32_t v = 0; v < e->schedules[r].vertex_count; v++)
      if (e->schedules[r].vertices[v].kind == TUTTI_REDUCE)
        return true;
  return false;
}

/* For a reduction the input of each rank is its contribution. */
static bool fill_origins(struct memory *m, int rank, size_t buffer, bool contributed)
{
  m->origin[buffer] = calloc(m->extent[buffer] + 1, sizeof **m->origin);
  if (!m->origin[buffer])
    return false;
  const tutti_call *call = &m->calls[rank];
  for (uint64_t i = 0; contributed && i < m->extent[buffer]; i++) {
    const int number = call->leaves ? (int)(call->leaves[rank] + i / call->count) : rank;
    m->origin[buffer][i] = (struct origin){number, number + 1, call->leaves ? i % call->count : i};
  }
  return true;
}

/* Symbols of all ranks that are still verified: 4 GiB of them. */
#define MAX_SYMBOLS (UINT64_C(1) << 28)

static tutti_status check_size(const struct ensemble *e, const tutti_call *calls, const tutti_contract *contract,
                               tutti_error *error)
{
  uint64_t left = MAX_SYMBOLS;
  for (int r = 0; r < e->size; r++) {
    uint64_t input = contract->extent(&calls[r], TUTTI_INPUT), output = contract->extent(&calls[r], TUTTI_OUTPUT);
    bool fits = input <= left && output <= left - input;
    left -= fits ? input + output : left;
    for (uint32_t t = 0; t < e->schedules[r].temporary_count && fits; t++) {
      fits = e->schedules[r].temporary_counts[t] <= left;
      left -= fits ? e->schedules[r].temporary_counts[t] : left;
    }
    if (!fits)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the buffers of %d ranks have too many elements to verify each",
                        e->size);
  }
  return TUTTI_OK;
}

static bool fill_buffers(struct memory *m, int rank)
{
  const tutti_schedule *s = &m->ensemble->schedules[rank];
  const tutti_call *call = &m->calls[rank];
  for (uint32_t b = 0; b < TUTTI_FIRST_TEMPORARY + s->temporary_count; b++) {
    bool temporary = b >= TUTTI_FIRST_TEMPORARY;
    size_t g = m->first_buffer[rank] + b;
    m->extent[g] =
        temporary ? s->temporary_counts[b - TUTTI_FIRST_TEMPORARY] : m->contract->extent(call, (tutti_buffer)b);
    m->buffer[g] = calloc(m->extent[g] + 1, sizeof **m->buffer);
    if (!m->buffer[g])
      return false;
    for (uint64_t i = 0; !temporary && i < m->extent[g]; i++)
      m->buffer[g][i] = m->contract->initial(call, (tutti_buffer)b, i);
    if (m->ordered && !fill_origins(m, rank, g, b == TUTTI_INPUT))
      return false;
  }
  return true;
}

static bool within(const struct memory *m, int rank, tutti_block block)
{
  return block.count == 0 || block.first + block.count <= m->extent[m->first_buffer[rank] + block.buffer];
}

static tutti_status check_bounds(const struct memory *m, int rank, tutti_error *error)
{
  const tutti_schedule *s = &m->ensemble->schedules[rank];
  for (uint32_t v = 0; v < s->vertex_count; v++) {
    const tutti_vertex *vertex = &s->vertices[v];
    bool local = vertex->kind == TUTTI_REDUCE || vertex->kind == TUTTI_COPY;
    if (!within(m, rank, tutti_block_of(vertex->buffer, vertex->first, vertex->count)) ||
        (local && !within(m, rank, tutti_vertex_target(vertex))))
      return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d, vertex %u (%s) reaches beyond the end of a buffer", rank,
                        (unsigned)v, tutti_vertex_format(vertex, (char[TUTTI_VERTEX_LENGTH]){""}));
  }
  return TUTTI_OK;
}

tutti_status tutti_memory_create(struct memory *m, const struct ensemble *ensemble, const tutti_call *calls,
                                 const tutti_contract *contract, tutti_error *error)
{
  *m = (struct memory){.ensemble = ensemble,
                       .calls = calls,
                       .contract = contract,
                       .reduces = reduces(ensemble),
                       .combine = tutti_symbol_concatenate};
  m->ordered = !calls[0].commutative && m->reduces;
  tutti_status status = check_size(ensemble, calls, contract, error);
  if (status != TUTTI_OK)
    return status;
  bool allocated = count_buffers(m);
  for (int r = 0; r < ensemble->size && allocated; r++)
    allocated = fill_buffers(m, r);
  if (!allocated)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the buffers of %d ranks", ensemble->size);
  for (int r = 0; r < ensemble->size && status == TUTTI_OK; r++)
    status = check_bounds(m, r, error);
  return status;
}

void tutti_memory_free(struct memory *m)
{
  size_t buffers = m->buffer ? m->first_buffer[m->ensemble->size] : 0;
  for (size_t b = 0; b < buffers; b++)
    free(m->buffer[b]);
  for (size_t b = 0; b < buffers && m->origin; b++)
    free(m->origin[b]);
  free(m->origin);
  free(m->buffer);
  free(m->extent);
  free(m->first_buffer);
  *m = (struct memory){0};
}

static tutti_symbol *at(const struct memory *m, int rank, tutti_buffer buffer, uint64_t first)
{
  return m->buffer[m->first_buffer[rank] + buffer] + first;
}

static struct origin *origins_at(const struct memory *m, int rank, tutti_buffer buffer, uint64_t first)
{
  return m->origin[m->first_buffer[rank] + buffer] + first;
}

/* The block that receives the elements of an event. */
static tutti_block target_of(const struct memory *m, const struct event *event, const tutti_vertex *v)
{
  if (event->receive == NO_PARTNER)
    return tutti_vertex_target(v);
  const tutti_vertex *receive = tutti_ensemble_vertex(m->ensemble, event->receiver, event->receive);
  return tutti_block_of(receive->buffer, receive->first, receive->count);
}

enum { PLACE = TUTTI_VERTEX_LENGTH + 48 };

/* Returns @p text. */
static const char *place_of(const struct memory *m, const struct event *event, char text[PLACE])
{
  char vertex[TUTTI_VERTEX_LENGTH];
  snprintf(text, PLACE, "rank %d, vertex %zu (%s)", event->rank, event->vertex - m->ensemble->first[event->rank],
           tutti_vertex_format(tutti_ensemble_vertex(m->ensemble, event->rank, event->vertex), vertex));
  return text;
}

/* A program's operation gets the operands of every reduction, even if its result is not used: so all must be defined.
 */
static tutti_status check_defined(const struct memory *m, const struct event *event, uint64_t count,
                                  const tutti_symbol *left, const tutti_symbol *right, tutti_error *error)
{
  char place[PLACE];
  for (uint64_t i = 0; i < count; i++)
    if (left[i].hash == 0 || right[i].hash == 0)
      return tutti_fail(error, TUTTI_ERR_FAULT, "%s combines element %llu of a block with nothing",
                        place_of(m, event, place), (unsigned long long)i);
  return TUTTI_OK;
}

/* The same element of neighboring ranks, the lower ones on the left. */
static tutti_status combine_origins(const struct memory *m, const struct event *event, uint64_t count,
                                    const struct origin *left, struct origin *right, tutti_error *error)
{
  char place[PLACE];
  for (uint64_t i = 0; i < count; i++) {
    if (left[i].index != right[i].index)
      return tutti_fail(error, TUTTI_ERR_FAULT, "%s combines element %llu of the contributions with element %llu",
                        place_of(m, event, place), (unsigned long long)left[i].index,
                        (unsigned long long)right[i].index);
    if (left[i].end != right[i].first)
      return tutti_fail(error, TUTTI_ERR_FAULT, "%s combines ranks %d to %d with ranks %d to %d",
                        place_of(m, event, place), left[i].first, left[i].end - 1, right[i].first, right[i].end - 1);
    right[i].first = left[i].first;
  }
  return TUTTI_OK;
}

static tutti_status move_origins(const struct memory *m, const struct event *event, const tutti_vertex *v,
                                 tutti_block target, tutti_error *error)
{
  int receiver = event->receive == NO_PARTNER ? event->rank : event->receiver;
  const struct origin *from = origins_at(m, event->rank, v->buffer, v->first);
  struct origin *to = origins_at(m, receiver, target.buffer, target.first);
  if (v->kind == TUTTI_REDUCE)
    return combine_origins(m, event, v->count, from, to, error);
  memmove(to, from, v->count * sizeof *to);
  return TUTTI_OK;
}

tutti_status tutti_memory_visit(void *context, const struct event *event, tutti_error *error)
{
  const struct memory *m = context;
  const tutti_vertex *v = tutti_ensemble_vertex(m->ensemble, event->rank, event->vertex);
  if (v->count == 0)
    return TUTTI_OK;
  const tutti_block to = target_of(m, event, v);
  const tutti_symbol *source = at(m, event->rank, v->buffer, v->first);
  tutti_symbol *target = at(m, event->receive == NO_PARTNER ? event->rank : event->receiver, to.buffer, to.first);
  tutti_status status = TUTTI_OK;
  if (v->kind == TUTTI_REDUCE)
    status = check_defined(m, event, v->count, source, target, error);
  if (status == TUTTI_OK && m->ordered)
    status = move_origins(m, event, v, to, error);
  for (uint64_t i = 0; i < v->count && status == TUTTI_OK; i++)
    target[i] = v->kind == TUTTI_REDUCE ? m->combine(source[i], target[i]) : source[i];
  return status;
}

static tutti_status fail_content(const struct memory *m, int rank, uint64_t index, tutti_symbol expected,
                                 tutti_error *error)
{
  const tutti_symbol held = at(m, rank, TUTTI_OUTPUT, 0)[index];
  char holds[80], promise[80];
  if (held.hash == 0)
    return tutti_fail(error, TUTTI_ERR_FAULT, "rank %d ends with nothing in element %llu of its output", rank,
                      (unsigned long long)index);
  return tutti_fail(error, TUTTI_ERR_FAULT,
                    "rank %d ends with the wrong content in element %llu of its output: it holds %s, not %s", rank,
                    (unsigned long long)index, tutti_content_format(m, held, holds, sizeof holds),
                    tutti_content_format(m, expected, promise, sizeof promise));
}

/* The combination of element @p index of the inputs of the first ranks. */
struct combined {
  int ranks;
  tutti_symbol symbol;
};

/* Ranks ascend, so each continues where the previous one ended: a rank takes fewer steps than there are ranks. */
static tutti_symbol promised(const struct memory *m, struct combined *words, int rank, uint64_t index)
{
  uint64_t element = index;
  int ranks = words ? m->contract->combines(&m->calls[rank], &element) : 0;
  if (ranks == 0)
    return m->contract->promised(&m->calls[rank], index);
  struct combined *word = &words[element];
  if (word->ranks == 0)
    *word = (struct combined){1, m->contract->initial(&m->calls[0], TUTTI_INPUT, element)};
  for (; word->ranks < ranks; word->ranks++)
    word->symbol =
        tutti_symbol_concatenate(word->symbol, m->contract->initial(&m->calls[word->ranks], TUTTI_INPUT, element));
  return word->symbol;
}

static tutti_status check_promise(const struct memory *m, struct combined *words, tutti_error *error)
{
  for (int r = 0; r < m->ensemble->size; r++) {
    const tutti_symbol *output = at(m, r, TUTTI_OUTPUT, 0);
    tutti_watch_tell(m->ensemble->watch, "promise", (size_t)r, (size_t)m->ensemble->size);
    for (uint64_t i = 0; i < m->extent[m->first_buffer[r] + TUTTI_OUTPUT]; i++) {
      tutti_symbol expected = promised(m, words, r, i);
      if (expected.hash != 0 && !tutti_symbol_equal(output[i], expected))
        return fail_content(m, r, i, expected, error);
    }
  }
  return TUTTI_OK;
}

tutti_status tutti_memory_check(const struct memory *m, tutti_error *error)
{
  struct combined *words = NULL;
  if (m->contract->combines && !(words = calloc(m->extent[TUTTI_INPUT] + 1, sizeof *words)))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the promise of a reduction");
  tutti_status status = check_promise(m, words, error);
  free(words);
  return status;
}
