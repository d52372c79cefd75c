/* Routes inside one zone. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "harness/engine/machine/zones.h"

static bool has_room(struct zone_way *way, uint32_t count)
{
  way->too_long |= (uint32_t)way->count + count > ENGINE_MAX_HOPS;
  return !way->too_long;
}

static void add_latencies(struct zone_way *way, const uint32_t *links, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    way->latency += way->zones->links.items[links[i]].latency;
}

void tutti_way_append(struct zone_way *way, const uint32_t *links, uint32_t count)
{
  if (!has_room(way, count))
    return;
  memcpy(&way->links[way->count], links, count * sizeof *links);
  way->count += (int)count;
  add_latencies(way, links, count);
}

static const uint32_t *links_of(const struct zone_way *way, const struct zone_links *links)
{
  return &way->zones->listed.items[links->first];
}

static void append_links(struct zone_way *way, const struct zone_links *links)
{
  tutti_way_append(way, links_of(way, links), links->count);
}

/* ---- Full ---- */

/* Where none is declared SimGrid adds no link, and goes on. */
static bool route_full(const struct zone *zone, uint32_t from, uint32_t to, struct zone_way *way)
{
  const struct zone_edge *edge = tutti_zone_edge(&zone->edges, from, to);
  if (!edge)
    return true;
  append_links(way, &edge->links);
  way->gateway_from = edge->gateway_from;
  way->gateway_to = edge->gateway_to;
  return true;
}

static bool route_none(const struct zone *zone, uint32_t from, uint32_t to, struct zone_way *way)
{
  (void)zone, (void)from, (void)to, (void)way;
  return true;
}

/* ---- Floyd ---- */

/* Where one edge ends at another gateway than that at which the next begins, there is a way between the two. */
static bool cross(struct zone_way *way, uint32_t from, uint32_t to)
{
  return from == ENGINE_NONE || from == to || tutti_zones_way(from, to, way);
}

static bool route_floyd(const struct zone *zone, uint32_t from, uint32_t to, struct zone_way *way)
{
  const uint32_t n = zone->vertex_count, *before = &zone->predecessors[(size_t)from * n];
  uint32_t steps = 0, first = ENGINE_NONE, last = ENGINE_NONE;
  uint32_t *passed = tutti_xmalloc((n + 1) * sizeof *passed);
  bool found = true;
  for (uint32_t at = to; found && (steps == 0 || at != from); at = before[at]) {
    found = before[at] != ENGINE_NONE && steps < n;
    if (found)
      passed[steps++] = at;
  }
  for (uint32_t at = from; found && steps > 0; at = passed[steps]) {
    const struct zone_edge *edge = tutti_zone_edge(&zone->edges, at, passed[--steps]);
    found = edge && cross(way, last, edge->gateway_from);
    if (!found)
      break;
    first = at == from ? edge->gateway_from : first;
    append_links(way, &edge->links);
    last = edge->gateway_to;
  }
  free(passed);
  way->gateway_from = first;
  way->gateway_to = last;
  return found;
}

/* ---- Dijkstra ---- */

struct reached {
  double cost;
  uint32_t node; /* by order of naming */
};

/* A heap, the smallest first. */
struct queue {
  TUTTI_VECTOR(struct reached);
};

static bool before(const struct reached *a, const struct reached *b)
{
  return a->cost < b->cost || (a->cost == b->cost && a->node < b->node);
}

static void swap(struct queue *queue, size_t a, size_t b)
{
  const struct reached item = queue->items[a];
  queue->items[a] = queue->items[b];
  queue->items[b] = item;
}

static void put(struct queue *queue, struct reached reached)
{
  tutti_xpush(queue, reached);
  for (size_t at = queue->count - 1; at > 0 && before(&queue->items[at], &queue->items[(at - 1) / 2]);
       at = (at - 1) / 2)
    swap(queue, at, (at - 1) / 2);
}

static struct reached take(struct queue *queue)
{
  const struct reached first = queue->items[0];
  queue->items[0] = queue->items[--queue->count];
  for (size_t at = 0, child; (child = 2 * at + 1) < queue->count; at = child) {
    child += child + 1 < queue->count && before(&queue->items[child + 1], &queue->items[child]);
    if (!before(&queue->items[child], &queue->items[at]))
      break;
    swap(queue, at, child);
  }
  return first;
}

/* The edges that leave a vertex. */
static const struct zone_edge *leaving(const struct zone *zone, uint32_t vertex, size_t *count)
{
  const size_t first = TUTTI_PARTITION_POINT(size_t, i, 0, zone->created.count, zone->created.items[i].from < vertex);
  *count = TUTTI_PARTITION_POINT(size_t, i, first, zone->created.count, zone->created.items[i].from <= vertex) - first;
  return zone->created.items + first;
}

/* The vertex before each on the way from @p source. A vertex that is not reached is looked at, too, with the largest
   cost of all, to which SimGrid adds that of a link: it becomes a small one. */
static uint32_t *grow_tree(const struct zone *zone, uint32_t source)
{
  const uint32_t n = zone->vertex_count;
  uint64_t *costs = tutti_xmalloc((n + 1) * sizeof *costs);
  uint32_t *tree = tutti_xmalloc((n + 1) * sizeof *tree);
  size_t steps = 0, most = 64 * (zone->created.count + n + 1);
  struct queue queue = {.items = NULL};
  for (uint32_t i = 0; i < zone->node_count; i++) {
    const uint32_t vertex = zone->nodes[i];
    costs[vertex] = vertex == source ? 0 : UINT64_MAX;
    tree[vertex] = zone->nodes[0];
    put(&queue, (struct reached){(double)costs[vertex], i});
  }
  while (queue.count > 0 && steps++ < most) {
    size_t count;
    const uint32_t at = zone->nodes[take(&queue).node];
    const struct zone_edge *edges = leaving(zone, at, &count);
    for (size_t i = 0; i < count; i++) {
      const uint64_t cost = edges[i].links.count + costs[at];
      if (cost >= costs[edges[i].to])
        continue;
      tree[edges[i].to] = at;
      costs[edges[i].to] = cost;
      put(&queue, (struct reached){(double)cost, zone->numbers[edges[i].to]});
    }
  }
  tutti_vector_free(&queue);
  free(costs);
  return tree;
}

/* At the beginning, and turned round. */
static void prepend(struct zone_way *way, const struct zone_links *links)
{
  const uint32_t *items = links_of(way, links);
  if (!has_room(way, links->count))
    return;
  memmove(&way->links[links->count], way->links, (size_t)way->count * sizeof *way->links);
  for (uint32_t i = 0; i < links->count; i++)
    way->links[i] = items[links->count - 1 - i];
  way->count += (int)links->count;
  add_latencies(way, items, links->count);
}

static bool route_dijkstra(const struct zone *zone, uint32_t from, uint32_t to, struct zone_way *way)
{
  if (zone->numbers[from] == ENGINE_NONE || zone->numbers[to] == ENGINE_NONE)
    return false;
  if (!zone->trees[from])
    zone->trees[from] = grow_tree(zone, from);
  const uint32_t *tree = zone->trees[from];
  uint32_t last = ENGINE_NONE, steps = 0;
  for (uint32_t at = to; at != from || steps == 0; at = tree[at]) {
    const struct zone_edge *edge = tutti_zone_edge(&zone->edges, at == from ? from : tree[at], at);
    if (!edge || steps++ > zone->vertex_count || (last != ENGINE_NONE && last != edge->gateway_to))
      return false; /* between two gateways of a zone SimGrid 3.32 crashes here */
    if (at == to)
      way->gateway_to = edge->gateway_to;
    last = way->gateway_from = edge->gateway_from;
    prepend(way, &edge->links);
    if (at == from)
      break;
  }
  return true;
}

/* ---- a star ---- */

/* Links that the route has met already are not met again. */
static void add_new(struct zone_way *way, const struct zone_links *links, int begin)
{
  for (uint32_t i = 0; i < links->count; i++) {
    const uint32_t link = links_of(way, links)[i];
    bool met = false;
    for (int j = begin; j < way->count; j++)
      met |= way->links[j] == link;
    if (!met)
      tutti_way_append(way, &link, 1);
  }
}

static bool route_star(const struct zone *zone, uint32_t from, uint32_t to, struct zone_way *way)
{
  const struct zone_spoke none = {.has_up = true, .has_down = true},
                          *up = from < zone->spokes.count ? &zone->spokes.items[from] : &none,
                          *down = to < zone->spokes.count ? &zone->spokes.items[to] : &none;
  const int begin = way->count;
  if (from == to && up->has_loopback) {
    add_new(way, &up->loopback, begin);
    return true;
  }
  if (!up->has_up || !down->has_down)
    return false;
  add_new(way, &up->up, begin);
  add_new(way, &down->down, begin);
  return true;
}

/* ---- a cluster with a topology ---- */

static bool route_cluster(const struct zone *zone, uint32_t from, uint32_t to, struct zone_way *way)
{
  struct engine_route route;
  if (!tutti_network_find(zone->network, from, to, &route))
    return false;
  for (int i = 0; i < route.count; i++)
    route.links[i] += zone->first_link;
  tutti_way_append(way, route.links, (uint32_t)route.count);
  return true;
}

bool tutti_zone_route(uint32_t z, uint32_t from, uint32_t to, struct zone_way *way)
{
  static bool (*const routes[])(const struct zone *, uint32_t, uint32_t, struct zone_way *) = {
      [ZONE_NONE] = route_none,         [ZONE_FULL] = route_full, [ZONE_FLOYD] = route_floyd,
      [ZONE_DIJKSTRA] = route_dijkstra, [ZONE_STAR] = route_star, [ZONE_CLUSTER] = route_cluster,
  };
  const struct zone *zone = &way->zones->zones.items[z];
  way->gateway_from = way->gateway_to = ENGINE_NONE;
  return routes[zone->kind](zone, from, to, way) && !way->too_long;
}
