/* Sealing a schedule: channels, successors, and the layout in one block of memory. */
#include <stdlib.h>
#include <string.h>

#include "algorithms/schedule/builder.h"

/* An open hash table from (kind, peer) to the last vertex seen; empty slots hold TUTTI_NO_VERTEX. Most schedules have
   few vertices, so a small table on the stack serves them without an allocation. */
enum { SMALL_TABLE = 64 };

struct table {
  tutti_vertex_id *slots;
  uint32_t mask;
  tutti_vertex_id small[SMALL_TABLE];
};

static bool is_message(const tutti_vertex *vertex)
{
  return vertex->kind == TUTTI_SEND || vertex->kind == TUTTI_RECV;
}

static bool table_create(struct table *table, uint32_t count)
{
  uint64_t slots = SMALL_TABLE;
  while (slots < 2 * (uint64_t)count)
    slots *= 2;
  table->slots = slots == SMALL_TABLE ? table->small : malloc(slots * sizeof *table->slots);
  if (!table->slots)
    return false;
  table->mask = (uint32_t)(slots - 1);
  for (uint64_t i = 0; i < slots; i++)
    table->slots[i] = TUTTI_NO_VERTEX;
  return true;
}

static tutti_vertex_id *table_find(struct table *table, const tutti_vertex *vertices, const tutti_vertex *wanted)
{
  uint32_t hash = ((uint32_t)wanted->peer * 2 + wanted->kind) * 2654435761u; /* Knuth's multiplier, 2^32 / phi */
  for (uint32_t i = hash >> 7;; i++) {
    tutti_vertex_id *slot = &table->slots[i & table->mask];
    if (*slot == TUTTI_NO_VERTEX)
      return slot;
    if (vertices[*slot].peer == wanted->peer && vertices[*slot].kind == wanted->kind)
      return slot;
  }
}

bool tutti_link_channels(const tutti_vertex *vertices, uint32_t count, tutti_vertex_id *next, uint32_t *prerequisites)
{
  struct table table;
  if (!table_create(&table, count))
    return false;
  for (tutti_vertex_id v = 0; v < count; v++) {
    next[v] = TUTTI_NO_VERTEX;
    if (!is_message(&vertices[v]))
      continue;
    tutti_vertex_id *last = table_find(&table, vertices, &vertices[v]);
    if (*last != TUTTI_NO_VERTEX) {
      next[*last] = v;
      prerequisites[v]++;
    }
    *last = v;
  }
  if (table.slots != table.small)
    free(table.slots);
  return true;
}

/* Sealing lays a schedule out once, in exactly the memory it needs, because a simulation holds one sealed schedule for
   each of 131,072 ranks. */

/* The arrays of a sealed schedule, writable while they are filled in. */
struct layout {
  tutti_vertex *vertices;
  uint32_t *successor_first;
  tutti_vertex_id *successors;
  uint32_t *prerequisites;
  tutti_vertex_id *channel_next;
  uint64_t *temporaries;
};

static bool allocate_layout(const tutti_builder *builder, tutti_arena *arena, struct layout *layout)
{
  size_t v = builder->vertex_count, e = builder->edge_count, t = builder->temporary_count;
  size_t wide = v * sizeof *layout->vertices + t * sizeof *layout->temporaries;
  size_t narrow = ((v + 1) + e + v + v) * sizeof(uint32_t);
  unsigned char *memory = tutti_arena_alloc(arena, wide + narrow);
  if (!memory)
    return false;
  layout->vertices = (tutti_vertex *)memory;
  layout->temporaries = (uint64_t *)(layout->vertices + v);
  layout->successor_first = (uint32_t *)(layout->temporaries + t);
  layout->successors = layout->successor_first + v + 1;
  layout->prerequisites = layout->successors + e;
  layout->channel_next = layout->prerequisites + v;
  return true;
}

/* Counting sort of the edges by the vertex that must complete first. */
static void fill_successors(const tutti_builder *builder, struct layout *layout)
{
  uint32_t v = builder->vertex_count;
  memset(layout->successor_first, 0, (v + 1) * sizeof *layout->successor_first);
  memset(layout->prerequisites, 0, v * sizeof *layout->prerequisites);
  for (uint32_t i = 0; i < builder->edge_count; i++) {
    layout->successor_first[builder->edges[i].before]++;
    layout->prerequisites[builder->edges[i].after]++;
  }
  for (uint32_t i = 0, sum = 0; i <= v; i++) {
    uint32_t degree = i < v ? layout->successor_first[i] : 0;
    sum += degree;
    layout->successor_first[i] = sum; /* the end of the range; the loop below moves it to its beginning */
  }
  for (uint32_t i = builder->edge_count; i-- > 0;) {
    struct edge edge = builder->edges[i];
    layout->successors[--layout->successor_first[edge.before]] = edge.after;
  }
}

/* An edge that was added twice counts once: who counts completions counts each vertex once. `mark` is scratch. */
static uint32_t drop_repeated(const tutti_builder *builder, struct layout *layout, tutti_vertex_id *mark)
{
  uint32_t kept = 0, begin = 0;
  for (uint32_t v = 0; v < builder->vertex_count; v++)
    mark[v] = TUTTI_NO_VERTEX;
  for (uint32_t v = 0; v < builder->vertex_count; v++) {
    uint32_t end = layout->successor_first[v + 1];
    layout->successor_first[v] = kept;
    for (uint32_t i = begin; i < end; i++) {
      tutti_vertex_id successor = layout->successors[i];
      if (mark[successor] == v) {
        layout->prerequisites[successor]--;
        continue;
      }
      mark[successor] = v;
      layout->successors[kept++] = successor;
    }
    begin = end;
  }
  layout->successor_first[builder->vertex_count] = kept;
  return kept;
}

static tutti_status fill_layout(const tutti_builder *builder, struct layout *layout, uint32_t *edge_count,
                                tutti_error *error)
{
  if (builder->vertex_count > 0)
    memcpy(layout->vertices, builder->vertices, builder->vertex_count * sizeof *builder->vertices);
  if (builder->temporary_count > 0)
    memcpy(layout->temporaries, builder->temporaries, builder->temporary_count * sizeof *builder->temporaries);
  fill_successors(builder, layout);
  *edge_count = drop_repeated(builder, layout, layout->channel_next);
  if (!tutti_link_channels(layout->vertices, builder->vertex_count, layout->channel_next, layout->prerequisites))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory while sealing a schedule", builder->rank);
  return TUTTI_OK;
}

tutti_status tutti_schedule_seal(const tutti_builder *builder, tutti_arena *arena, tutti_schedule *schedule,
                                 tutti_error *error)
{
  struct layout layout;
  uint32_t edge_count = 0;
  *schedule = (tutti_schedule){.size = builder->whole_size, .rank = builder->whole_rank};
  if (builder->fault.status == TUTTI_ERR_MEMORY)
    return tutti_fail(error, builder->fault.status, "%s", builder->fault.message);
  if (!allocate_layout(builder, arena, &layout))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "rank %d: out of memory while sealing a schedule of %u vertices",
                      builder->rank, (unsigned)builder->vertex_count);
  tutti_status status = fill_layout(builder, &layout, &edge_count, error);
  *schedule = (tutti_schedule){.size = builder->whole_size,
                               .rank = builder->whole_rank,
                               .vertex_count = builder->vertex_count,
                               .edge_count = edge_count,
                               .temporary_count = builder->temporary_count,
                               .vertices = layout.vertices,
                               .successor_first = layout.successor_first,
                               .successors = layout.successors,
                               .prerequisites = layout.prerequisites,
                               .channel_next = layout.channel_next,
                               .temporary_counts = layout.temporaries};
  return builder->fault.status == TUTTI_OK ? status
                                           : tutti_fail(error, builder->fault.status, "%s", builder->fault.message);
}

uint64_t tutti_schedule_fresh_bytes(const tutti_schedule *schedule, uint64_t type_size)
{
  uint64_t fresh = 0;
  for (uint32_t t = 0; t < schedule->temporary_count; t++) {
    const uint64_t bytes = schedule->temporary_counts[t] * type_size;
    fresh += bytes >= TUTTI_FRESH_BYTES ? bytes : 0;
  }
  return fresh;
}
