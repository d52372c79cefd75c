/* Who waits for links that carry one flow at a time. */
#include "base/memory.h"
#include "engine/sharing.h"

static void push_back(struct sharing *s, struct sharing_queue *queue, uint32_t hop)
{
  s->places.items[hop] = (struct sharing_place){.next = ENGINE_NONE, .previous = queue->last};
  if (queue->last == ENGINE_NONE)
    queue->first = hop;
  else
    s->places.items[queue->last].next = hop;
  queue->last = hop;
}

static void take_out(struct sharing *s, struct sharing_queue *queue, uint32_t hop)
{
  const struct sharing_place place = s->places.items[hop];
  *(place.previous == ENGINE_NONE ? &queue->first : &s->places.items[place.previous].next) = place.next;
  *(place.next == ENGINE_NONE ? &queue->last : &s->places.items[place.next].previous) = place.previous;
}

void tutti_queue_add(struct sharing *s, uint32_t f)
{
  const struct sharing_flow *flow = &s->flows.items[f];
  if (s->places.count < s->hops.count && !tutti_vector_reserve(&s->places, s->hops.count - s->places.count))
    tutti_out_of_memory();
  s->places.count = s->hops.count;
  for (uint32_t hop = flow->first_hop; hop < flow->first_hop + flow->hop_count; hop++) {
    push_back(s, &s->queues[s->hops.items[hop]], hop);
    s->places.items[hop].flow = f;
  }
}

void tutti_queue_remove(struct sharing *s, const struct sharing_flow *flow)
{
  for (uint32_t hop = flow->first_hop; hop < flow->first_hop + flow->hop_count; hop++)
    take_out(s, &s->queues[s->hops.items[hop]], hop);
}

static bool has_room(const struct sharing *s, const struct sharing_flow *flow)
{
  const uint32_t *hops = sharing_hops(s, flow);
  for (uint32_t i = 0; i < flow->hop_count; i++)
    if (hops[i] < s->limited && s->links[hops[i]].only != ENGINE_NONE)
      return false;
  return true;
}

bool tutti_queue_holds(const struct sharing *s, const struct sharing_flow *flow)
{
  return s->limited > 0 && !has_room(s, flow);
}

uint32_t tutti_queue_next(const struct sharing *s, uint32_t link)
{
  if (s->links[link].only != ENGINE_NONE)
    return ENGINE_NONE;
  for (uint32_t hop = s->queues[link].first; hop != ENGINE_NONE; hop = s->places.items[hop].next) {
    const struct sharing_flow *flow = &s->flows.items[s->places.items[hop].flow];
    if (flow->staged && has_room(s, flow))
      return s->places.items[hop].flow;
  }
  return ENGINE_NONE;
}
