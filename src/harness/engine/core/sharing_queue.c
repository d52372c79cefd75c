/* Flows that wait for links that carry one flow at a time. Flows with the same links form one queue, as they find their
   links busy or free together: only the first of each queue is looked at. */
#include <string.h>

#include "base/memory.h"
#include "harness/engine/core/sharing.h"

enum { FIRST_CAPACITY = 64 };

void tutti_queue_init(struct sharing *s)
{
  s->waits = (struct sharing_waits){.unused = ENGINE_NONE};
  s->waits.lists = tutti_xmalloc(s->link_count * sizeof *s->waits.lists);
  memset(s->waits.lists, 0xff, s->link_count * sizeof *s->waits.lists);
}

void tutti_queue_free(struct sharing *s)
{
  free(s->waits.lists);
  tutti_vector_free(&s->waits.nodes);
  tutti_vector_free(&s->waits.queues);
  tutti_vector_free(&s->waits.places);
  tutti_vector_free(&s->waits.slots);
}

/* ---- the queue of the same links ---- */

static uint32_t hash_of(const uint32_t *hops, uint32_t count)
{
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; i++)
    hash = (hash ^ hops[i]) * UINT64_C(0x9E3779B97F4A7C15);
  return (uint32_t)(hash >> 32);
}

/* The slot of the queue of these links, or the free slot for it. */
static uint32_t *find(const struct sharing *s, const uint32_t *hops, uint32_t count)
{
  const uint32_t mask = (uint32_t)s->waits.slots.count - 1;
  for (uint32_t place = hash_of(hops, count) & mask;; place = (place + 1) & mask) {
    uint32_t *slot = &s->waits.slots.items[place];
    if (*slot == ENGINE_NONE)
      return slot;
    const struct sharing_queue *queue = &s->waits.queues.items[*slot];
    if (queue->flows != ENGINE_NONE && queue->hop_count == count &&
        memcmp(&s->hops.items[queue->first_hop], hops, count * sizeof *hops) == 0)
      return slot;
  }
}

/* Make space for one more: queues that have ended lose their slots. */
static void make_room(struct sharing *s)
{
  const struct sharing_queue *queues = s->waits.queues.items;
  size_t used = 0, capacity = FIRST_CAPACITY;
  for (uint32_t q = 0; q < s->waits.queues.count; q++)
    used += queues[q].flows != ENGINE_NONE;
  while (capacity < 4 * (used + 1))
    capacity *= 2;
  s->waits.slots.count = 0;
  if (!tutti_vector_reserve(&s->waits.slots, capacity))
    tutti_out_of_memory();
  s->waits.slots.count = capacity;
  memset(s->waits.slots.items, 0xff, capacity * sizeof *s->waits.slots.items);
  for (uint32_t q = 0; q < s->waits.queues.count; q++)
    if (queues[q].flows != ENGINE_NONE)
      *find(s, &s->hops.items[queues[q].first_hop], queues[q].hop_count) = q;
  s->waits.used_slots = (uint32_t)used;
}

/* ---- the queues of a link, by the creation of their first flows ---- */

static uint32_t key_of(const struct sharing *s, uint32_t hop)
{
  return s->waits.queues.items[s->waits.places.items[hop].queue].key;
}

/* From both ends: those that are new are newer than most, and those whose first flow has gone are often older. */
static void put_in(struct sharing *s, uint32_t hop)
{
  struct sharing_place *places = s->waits.places.items;
  struct sharing_list *list = &s->waits.lists[s->hops.items[hop]];
  const uint32_t key = key_of(s, hop);
  uint32_t front = list->first, back = list->last;
  while (back != ENGINE_NONE && heap_before(key, key_of(s, back)) && heap_before(key_of(s, front), key)) {
    front = places[front].next;
    back = places[back].previous;
  }
  if (back != ENGINE_NONE && heap_before(key, key_of(s, back)))
    back = places[front].previous;
  places[hop].previous = back;
  places[hop].next = back == ENGINE_NONE ? list->first : places[back].next;
  *(back == ENGINE_NONE ? &list->first : &places[back].next) = hop;
  *(places[hop].next == ENGINE_NONE ? &list->last : &places[places[hop].next].previous) = hop;
}

static void take_out(struct sharing *s, uint32_t hop)
{
  struct sharing_place *places = s->waits.places.items;
  struct sharing_list *list = &s->waits.lists[s->hops.items[hop]];
  const struct sharing_place place = places[hop];
  *(place.previous == ENGINE_NONE ? &list->first : &places[place.previous].next) = place.next;
  *(place.next == ENGINE_NONE ? &list->last : &places[place.next].previous) = place.previous;
}

/* The first flow of a queue is another one than before. */
static void move_queue(struct sharing *s, uint32_t q)
{
  struct sharing_queue *queue = &s->waits.queues.items[q];
  for (uint32_t hop = queue->first_hop; hop < queue->first_hop + queue->hop_count; hop++)
    take_out(s, hop);
  queue->key = s->waits.nodes.items[queue->flows].key;
  for (uint32_t hop = queue->first_hop; hop < queue->first_hop + queue->hop_count; hop++)
    put_in(s, hop);
}

/* ---- queues ---- */

static uint32_t new_queue(struct sharing *s)
{
  const uint32_t queue = s->waits.unused;
  if (queue == ENGINE_NONE) {
    tutti_xpush(&s->waits.queues, (struct sharing_queue){.flows = ENGINE_NONE});
    return (uint32_t)s->waits.queues.count - 1;
  }
  s->waits.unused = s->waits.queues.items[queue].first_hop;
  return queue;
}

static void begin_queue(struct sharing *s, uint32_t f, uint32_t *slot)
{
  const uint32_t q = new_queue(s), count = s->flows.items[f].hop_count, first = tutti_hops_new(s, count);
  memcpy(&s->hops.items[first], sharing_hops(s, &s->flows.items[f]), count * sizeof *s->hops.items);
  if (!tutti_vector_reserve(&s->waits.places, s->hops.count - s->waits.places.count))
    tutti_out_of_memory();
  s->waits.places.count = s->hops.count;
  s->waits.queues.items[q] =
      (struct sharing_queue){.flows = f, .key = s->waits.nodes.items[f].key, .first_hop = first, .hop_count = count};
  for (uint32_t hop = first; hop < first + count; hop++) {
    s->waits.places.items[hop].queue = q;
    put_in(s, hop);
  }
  *slot = q;
  s->waits.used_slots++;
}

static void end_queue(struct sharing *s, uint32_t q)
{
  struct sharing_queue *queue = &s->waits.queues.items[q];
  for (uint32_t hop = queue->first_hop; hop < queue->first_hop + queue->hop_count; hop++)
    take_out(s, hop);
  tutti_hops_free(s, queue->first_hop, queue->hop_count);
  queue->first_hop = s->waits.unused;
  s->waits.unused = q;
}

static bool has_room(const struct sharing *s, const uint32_t *hops, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (hops[i] < s->limited && s->busy[hops[i]])
      return false;
  return true;
}

/* ---- flows ---- */

void tutti_queue_create(struct sharing *s, uint32_t f)
{
  while (s->waits.nodes.count <= f)
    tutti_xpush(&s->waits.nodes, heap_node(0));
  s->waits.nodes.items[f] = heap_node(s->waits.created++);
}

static bool has_room_forth(const struct sharing *s, const struct sharing_flow *flow)
{
  for (uint32_t i = 0; i < flow->hop_count; i++)
    if (sharing_weight(s, flow, i) >= 1 && !has_room(s, sharing_hops(s, flow) + i, 1))
      return false;
  return true;
}

bool tutti_queue_holds(struct sharing *s, uint32_t f, bool forth)
{
  const struct sharing_flow *flow = &s->flows.items[f];
  const uint32_t *hops = sharing_hops(s, flow);
  if (s->limited == 0 || (forth ? has_room_forth(s, flow) : has_room(s, hops, flow->hop_count)))
    return false;
  if (2 * ((size_t)s->waits.used_slots + 1) > s->waits.slots.count)
    make_room(s);
  uint32_t *slot = find(s, hops, flow->hop_count);
  if (*slot == ENGINE_NONE) {
    begin_queue(s, f, slot);
    return true;
  }
  uint32_t *flows = &s->waits.queues.items[*slot].flows;
  *flows = tutti_heap_meld(s->waits.nodes.items, *flows, f);
  if (*flows == f)
    move_queue(s, *slot);
  return true;
}

static uint32_t take_first(struct sharing *s, uint32_t queue)
{
  uint32_t *flows = &s->waits.queues.items[queue].flows;
  const uint32_t first = *flows;
  *flows = tutti_heap_pop(s->waits.nodes.items, first);
  if (*flows == ENGINE_NONE)
    end_queue(s, queue);
  else
    move_queue(s, queue);
  return first;
}

uint32_t tutti_queue_next(struct sharing *s, uint32_t link)
{
  if (s->busy[link])
    return ENGINE_NONE;
  for (uint32_t hop = s->waits.lists[link].first; hop != ENGINE_NONE; hop = s->waits.places.items[hop].next) {
    const uint32_t q = s->waits.places.items[hop].queue;
    const struct sharing_queue *queue = &s->waits.queues.items[q];
    if (has_room(s, &s->hops.items[queue->first_hop], queue->hop_count))
      return take_first(s, q);
  }
  return ENGINE_NONE;
}
