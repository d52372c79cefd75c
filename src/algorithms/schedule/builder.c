#include "algorithms/schedule/builder.h"

#include <stdlib.h>

tutti_builder *tutti_builder_create(int size, int rank)
{
  tutti_builder *builder = calloc(1, sizeof *builder);
  if (!builder)
    return NULL;
  builder->size = builder->whole_size = size;
  builder->rank = builder->whole_rank = rank;
  if (size < 1 || rank < 0 || rank >= size)
    tutti_fail(&builder->fault, TUTTI_ERR_ARGUMENT, "rank %d is not in a group of %d ranks", rank, size);
  return builder;
}

void tutti_builder_free(tutti_builder *builder)
{
  if (!builder)
    return;
  free(builder->vertices);
  free(builder->edges);
  free(builder->temporaries);
  while (builder->scratch) {
    struct scratch *scratch = builder->scratch;
    builder->scratch = scratch->next;
    free(scratch);
  }
  free(builder);
}

/* Remember the first fault: the later ones are its consequences. */
#define remember(builder, ...)                                                                                         \
  do {                                                                                                                 \
    if ((builder)->fault.status == TUTTI_OK)                                                                           \
      tutti_fail(&(builder)->fault, __VA_ARGS__);                                                                      \
  } while (0)

void tutti_builder_fault(tutti_builder *builder, const tutti_error *fault)
{
  if (builder->fault.status == TUTTI_OK)
    builder->fault = *fault;
}

static bool grow(tutti_builder *builder, void *array, uint32_t *capacity, uint64_t wanted, size_t item)
{
  if (wanted <= *capacity)
    return true;
  if (wanted > TUTTI_MAX_VERTICES) {
    remember(builder, TUTTI_ERR_UNSUPPORTED, "rank %d: a schedule of %llu vertices or edges; use larger segments",
             builder->rank, (unsigned long long)wanted);
    return false;
  }
  uint32_t larger = *capacity ? *capacity : 8;
  while (larger < wanted)
    larger *= 2;
  void **place = array, *moved = realloc(*place, larger * item);
  if (!moved) {
    remember(builder, TUTTI_ERR_MEMORY, "rank %d: out of memory while building a schedule of %llu vertices",
             builder->rank, (unsigned long long)wanted);
    return false;
  }
  *place = moved;
  *capacity = larger;
  return true;
}

bool tutti_builder_reserve(tutti_builder *builder, uint64_t vertices, uint64_t edges)
{
  return grow(builder, &builder->vertices, &builder->vertex_capacity, vertices, sizeof *builder->vertices) &&
         grow(builder, &builder->edges, &builder->edge_capacity, edges, sizeof *builder->edges);
}

tutti_buffer tutti_builder_temporary(tutti_builder *builder, uint64_t count)
{
  uint32_t index = builder->temporary_count;
  if (index >= UINT16_MAX - TUTTI_FIRST_TEMPORARY)
    remember(builder, TUTTI_ERR_UNSUPPORTED, "rank %d: a schedule of more than %d temporaries; use larger segments",
             builder->rank, UINT16_MAX - TUTTI_FIRST_TEMPORARY);
  if (builder->fault.status != TUTTI_OK ||
      !grow(builder, &builder->temporaries, &builder->temporary_capacity, index + 1, sizeof *builder->temporaries))
    return TUTTI_OUTPUT;
  builder->temporaries[index] = count;
  builder->temporary_count++;
  return (tutti_buffer)(TUTTI_FIRST_TEMPORARY + index);
}

static tutti_vertex_id append_vertex(tutti_builder *builder, tutti_vertex vertex)
{
  if (builder->fault.status != TUTTI_OK ||
      !grow(builder, &builder->vertices, &builder->vertex_capacity, builder->vertex_count + 1, sizeof vertex))
    return TUTTI_NO_VERTEX;
  builder->vertices[builder->vertex_count] = vertex;
  return builder->vertex_count++;
}

tutti_vertex_id tutti_builder_next(const tutti_builder *builder)
{
  return builder->vertex_count;
}

void *tutti_builder_scratch(tutti_builder *builder, uint64_t bytes)
{
  struct scratch *scratch = bytes < SIZE_MAX / 2 ? malloc(sizeof *scratch + bytes) : NULL;
  if (!scratch) {
    remember(builder, TUTTI_ERR_MEMORY, "rank %d: out of memory for %llu bytes while building a schedule",
             builder->rank, (unsigned long long)bytes);
    return NULL;
  }
  scratch->next = builder->scratch;
  builder->scratch = scratch;
  return scratch->memory;
}

/* The position of a block of the innermost scope in the buffers of the operation. */
static tutti_block resolve_block(const tutti_builder *builder, tutti_block block)
{
  for (const tutti_scope *scope = builder->scope; scope && block.buffer < TUTTI_FIRST_TEMPORARY; scope = scope->outer) {
    const tutti_block *place = block.buffer == TUTTI_INPUT ? &scope->input : &scope->output;
    block.buffer = place->buffer;
    block.first += place->first;
  }
  return block;
}

static int resolve_peer(const tutti_builder *builder, int peer)
{
  for (const tutti_scope *scope = builder->scope; scope; scope = scope->outer)
    peer = scope->ranks ? scope->ranks[peer] : scope->first + peer * scope->stride;
  return peer;
}

static void check_peer(tutti_builder *builder, int peer)
{
  if (peer < 0 || peer >= builder->size || peer == builder->rank)
    remember(builder, TUTTI_ERR_ARGUMENT, "rank %d of %d: vertex %u has peer %d", builder->rank, builder->size,
             (unsigned)builder->vertex_count, peer);
}

static void check_block(tutti_builder *builder, tutti_block block)
{
  if (block.buffer >= TUTTI_FIRST_TEMPORARY + builder->temporary_count)
    remember(builder, TUTTI_ERR_ARGUMENT, "rank %d: vertex %u names unknown buffer %u", builder->rank,
             (unsigned)builder->vertex_count, (unsigned)block.buffer);
}

static tutti_vertex_id add_message(tutti_builder *builder, tutti_kind kind, int peer, tutti_block block)
{
  check_peer(builder, peer);
  check_block(builder, block);
  if (builder->fault.status != TUTTI_OK)
    return TUTTI_NO_VERTEX;
  tutti_block own = resolve_block(builder, block);
  int resolved = resolve_peer(builder, peer);
  if (resolved < 0 || resolved >= builder->whole_size || resolved == builder->whole_rank)
    remember(builder, TUTTI_ERR_ARGUMENT, "rank %d of %d: vertex %u of a part has peer %d", builder->whole_rank,
             builder->whole_size, (unsigned)builder->vertex_count, resolved);
  return append_vertex(
      builder,
      (tutti_vertex){.kind = kind, .buffer = own.buffer, .peer = resolved, .first = own.first, .count = own.count});
}

tutti_vertex_id tutti_add_send(tutti_builder *builder, int peer, tutti_block block)
{
  return add_message(builder, TUTTI_SEND, peer, block);
}

tutti_vertex_id tutti_add_recv(tutti_builder *builder, int peer, tutti_block block)
{
  return add_message(builder, TUTTI_RECV, peer, block);
}

static tutti_vertex_id add_local(tutti_builder *builder, tutti_kind kind, tutti_block source, tutti_block target)
{
  check_block(builder, source);
  check_block(builder, target);
  if (source.count != target.count)
    remember(builder, TUTTI_ERR_ARGUMENT, "rank %d: vertex %u has %llu source but %llu target elements", builder->rank,
             (unsigned)builder->vertex_count, (unsigned long long)source.count, (unsigned long long)target.count);
  source = resolve_block(builder, source);
  target = resolve_block(builder, target);
  if (source.count > 0 && source.buffer == target.buffer && source.first < target.first + target.count &&
      target.first < source.first + source.count)
    remember(builder, TUTTI_ERR_ARGUMENT, "rank %d: source and target of vertex %u overlap", builder->rank,
             (unsigned)builder->vertex_count);
  return append_vertex(builder, (tutti_vertex){.kind = kind,
                                               .buffer = source.buffer,
                                               .peer = target.buffer,
                                               .first = source.first,
                                               .count = source.count,
                                               .target_first = target.first});
}

tutti_vertex_id tutti_add_reduce(tutti_builder *builder, tutti_block source, tutti_block target)
{
  return add_local(builder, TUTTI_REDUCE, source, target);
}

tutti_vertex_id tutti_add_copy(tutti_builder *builder, tutti_block source, tutti_block target)
{
  return add_local(builder, TUTTI_COPY, source, target);
}

void tutti_add_after(tutti_builder *builder, tutti_vertex_id vertex, tutti_vertex_id prerequisite)
{
  if (vertex == TUTTI_NO_VERTEX || prerequisite == TUTTI_NO_VERTEX)
    return;
  if (builder->scope && vertex < builder->scope->first_vertex)
    remember(builder, TUTTI_ERR_ARGUMENT, "rank %d: vertex %u is not in the part that is being built", builder->rank,
             (unsigned)vertex);
  if (vertex >= builder->vertex_count || prerequisite >= vertex)
    remember(builder, TUTTI_ERR_ARGUMENT, "rank %d: vertex %u cannot wait for vertex %u, which is not before it",
             builder->rank, (unsigned)vertex, (unsigned)prerequisite);
  if (builder->fault.status != TUTTI_OK ||
      !grow(builder, &builder->edges, &builder->edge_capacity, builder->edge_count + 1, sizeof *builder->edges))
    return;
  builder->edges[builder->edge_count++] = (struct edge){.before = prerequisite, .after = vertex};
}

/* ---- parts of a schedule: algorithms made of algorithms ---- */

tutti_scope tutti_scope_of_all(const tutti_builder *builder, tutti_vertex_id after)
{
  return (tutti_scope){.size = builder->size,
                       .rank = builder->rank,
                       .stride = 1,
                       .input = {.buffer = TUTTI_INPUT},
                       .output = {.buffer = TUTTI_OUTPUT},
                       .after = after};
}

void tutti_builder_enter(tutti_builder *builder, tutti_scope *scope)
{
  scope->outer = builder->scope;
  scope->first_vertex = builder->vertex_count;
  scope->first_edge = builder->edge_count;
  builder->scope = scope;
  builder->size = scope->size;
  builder->rank = scope->rank;
}

/* Facts from the edges of the part about each of its vertices. */
enum { HAS_BEFORE = 1, HAS_AFTER = 2 };

static unsigned char *mark_ends(tutti_builder *builder, const tutti_scope *scope)
{
  uint32_t count = builder->vertex_count - scope->first_vertex;
  unsigned char *marks = tutti_builder_scratch(builder, count);
  for (uint32_t v = 0; marks && v < count; v++)
    marks[v] = 0;
  for (uint32_t e = scope->first_edge; marks && e < builder->edge_count; e++) {
    if (builder->edges[e].before < scope->first_vertex) /* its prerequisite is not in the part */
      continue;
    marks[builder->edges[e].after - scope->first_vertex] |= HAS_BEFORE;
    marks[builder->edges[e].before - scope->first_vertex] |= HAS_AFTER;
  }
  return marks;
}

static tutti_vertex_id join_ends(tutti_builder *builder, const tutti_scope *scope, const unsigned char *marks)
{
  uint32_t count = builder->vertex_count - scope->first_vertex, ends = 0;
  tutti_vertex_id last = TUTTI_NO_VERTEX;
  for (uint32_t v = 0; v < count; v++) {
    if (!(marks[v] & HAS_BEFORE))
      tutti_add_after(builder, scope->first_vertex + v, scope->after);
    if (!(marks[v] & HAS_AFTER)) {
      last = scope->first_vertex + v;
      ends++;
    }
  }
  if (ends == 1)
    return last;
  tutti_vertex_id join = tutti_add_join(builder);
  for (uint32_t v = 0; v < count; v++)
    if (!(marks[v] & HAS_AFTER))
      tutti_add_after(builder, join, scope->first_vertex + v);
  return join;
}

tutti_vertex_id tutti_builder_leave(tutti_builder *builder)
{
  tutti_scope *scope = builder->scope;
  tutti_vertex_id end = scope->after;
  if (builder->vertex_count > scope->first_vertex) {
    const unsigned char *marks = mark_ends(builder, scope);
    if (marks)
      end = join_ends(builder, scope, marks);
  }
  builder->scope = scope->outer;
  builder->size = scope->outer ? scope->outer->size : builder->whole_size;
  builder->rank = scope->outer ? scope->outer->rank : builder->whole_rank;
  return end;
}
