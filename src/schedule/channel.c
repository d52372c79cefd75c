#include "schedule/channel.h"

#include <stdlib.h>

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
