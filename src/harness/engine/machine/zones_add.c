/* Zones being put together, and sealed. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "harness/engine/machine/zones.h"

/* Floyd's tables take time with the third power. */
enum { FLOYD_MOST = 1024 };

uint32_t tutti_zones_add_point(struct engine_zones *z, uint32_t zone, uint32_t inner)
{
  const uint32_t vertex = zone == ENGINE_NONE ? 0 : z->zones.items[zone].vertex_count++;
  tutti_xpush(&z->points, (struct zone_point){.zone = zone, .vertex = vertex, .inner = inner});
  return (uint32_t)z->points.count - 1;
}

uint32_t tutti_zones_add_zone(struct engine_zones *z, enum zone_kind kind, uint32_t parent)
{
  const uint32_t zone = (uint32_t)z->zones.count;
  tutti_xpush(&z->zones, (struct zone){.kind = kind, .parent = parent});
  if (parent != ENGINE_NONE)
    z->zones.items[parent].nested = true;
  z->zones.items[zone].point = tutti_zones_add_point(z, parent, zone);
  return zone;
}

uint32_t tutti_zones_add_link(struct engine_zones *z, double bandwidth, double latency, bool fat_pipe)
{
  tutti_xpush(&z->links, (struct engine_link_kind){.bandwidth = bandwidth, .latency = latency, .fat_pipe = fat_pipe});
  return (uint32_t)z->links.count - 1;
}

struct zone_spoke *tutti_zones_spoke(struct zone *zone, uint32_t vertex)
{
  while (zone->spokes.count <= vertex)
    tutti_xpush(&zone->spokes, (struct zone_spoke){.has_up = true, .has_down = true});
  return &zone->spokes.items[vertex];
}

/* ---- sealing ---- */

static int by_ends(const void *left, const void *right)
{
  const struct zone_edge *a = left, *b = right;
  return a->from != b->from ? THREE_WAY(a->from, b->from) : THREE_WAY(a->to, b->to);
}

const struct zone_edge *tutti_zone_edge(const struct zone_edges *edges, uint32_t from, uint32_t to)
{
  const struct zone_edge wanted = {.from = from, .to = to};
  return edges->count > 0 ? bsearch(&wanted, edges->items, edges->count, sizeof wanted, by_ends) : NULL;
}

static tutti_status sort_edges(struct zone_edges *edges, tutti_error *error)
{
  tutti_vector_sort(edges, by_ends);
  for (size_t i = 1; i < edges->count; i++)
    if (by_ends(&edges->items[i - 1], &edges->items[i]) == 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a route is declared twice");
  return TUTTI_OK;
}

/* Zones without zones inside have SimGrid's own loopback at each vertex that is not given one. */
static void add_loopbacks(const struct engine_zones *z, struct zone *zone)
{
  const uint32_t count = zone->kind == ZONE_DIJKSTRA ? zone->node_count : zone->vertex_count;
  bool *has = tutti_xcalloc(zone->vertex_count + 1, sizeof *has);
  for (size_t i = 0; i < zone->edges.count; i++)
    if (zone->edges.items[i].from == zone->edges.items[i].to)
      has[zone->edges.items[i].from] = true;
  for (uint32_t i = 0; i < count && !zone->nested; i++) {
    const uint32_t vertex = zone->kind == ZONE_DIJKSTRA ? zone->nodes[i] : i;
    if (!has[vertex])
      tutti_xpush(&zone->edges, (struct zone_edge){.from = vertex,
                                                   .to = vertex,
                                                   .gateway_from = ENGINE_NONE,
                                                   .gateway_to = ENGINE_NONE,
                                                   .links = {.first = z->loopback, .count = 1}});
  }
  free(has);
}

static void name_node(struct zone *zone, uint32_t vertex)
{
  if (zone->numbers[vertex] != ENGINE_NONE)
    return;
  zone->numbers[vertex] = zone->node_count;
  zone->nodes[zone->node_count++] = vertex;
}

static void name_nodes(struct zone *zone)
{
  zone->numbers = tutti_xmalloc((zone->vertex_count + 1) * sizeof *zone->numbers);
  memset(zone->numbers, 0xff, (zone->vertex_count + 1) * sizeof *zone->numbers);
  zone->nodes = tutti_xmalloc((zone->vertex_count + 1) * sizeof *zone->nodes);
  zone->trees = tutti_xcalloc(zone->vertex_count + 1, sizeof *zone->trees);
  for (size_t i = 0; i < zone->edges.count; i++) {
    name_node(zone, zone->edges.items[i].from);
    name_node(zone, zone->edges.items[i].to);
  }
}

/* Edges by the vertex that they leave, those of one vertex in the order of creation. */
static void group_edges(struct zone *zone)
{
  uint32_t *starts = tutti_xcalloc(zone->vertex_count + 1, sizeof *starts);
  const size_t count = zone->edges.count;
  if (!tutti_vector_reserve(&zone->created, count))
    tutti_out_of_memory();
  zone->created.count = count;
  for (size_t i = 0; i < count; i++)
    starts[zone->edges.items[i].from + 1]++;
  for (uint32_t v = 0; v < zone->vertex_count; v++)
    starts[v + 1] += starts[v];
  for (size_t i = 0; i < count; i++)
    zone->created.items[starts[zone->edges.items[i].from]++] = zone->edges.items[i];
  free(starts);
}

static void find_shortest(struct zone *zone)
{
  const uint32_t n = zone->vertex_count;
  uint64_t *costs = tutti_xmalloc((size_t)n * n * sizeof *costs);
  uint32_t *before = zone->predecessors = tutti_xmalloc((size_t)n * n * sizeof *before);
  for (size_t i = 0; i < (size_t)n * n; i++) {
    costs[i] = UINT64_MAX;
    before[i] = ENGINE_NONE;
  }
  for (size_t i = 0; i < zone->edges.count; i++) {
    const struct zone_edge *edge = &zone->edges.items[i];
    costs[(size_t)edge->from * n + edge->to] = edge->links.count;
    before[(size_t)edge->from * n + edge->to] = edge->from;
  }
  for (size_t c = 0; c < n; c++)
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; b < n; b++)
        if (costs[a * n + c] < UINT64_MAX && costs[c * n + b] < UINT64_MAX &&
            (costs[a * n + b] == UINT64_MAX || costs[a * n + c] + costs[c * n + b] < costs[a * n + b])) {
          costs[a * n + b] = costs[a * n + c] + costs[c * n + b];
          before[a * n + b] = before[c * n + b];
        }
  free(costs);
}

static tutti_status seal(const struct engine_zones *z, struct zone *zone, tutti_error *error)
{
  if (zone->kind == ZONE_FLOYD && zone->vertex_count > FLOYD_MOST)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED,
                      "the fast engine does not know zones of routing Floyd with more than %d parts", FLOYD_MOST);
  if (zone->kind == ZONE_DIJKSTRA)
    name_nodes(zone);
  if (zone->kind == ZONE_FULL || zone->kind == ZONE_FLOYD || zone->kind == ZONE_DIJKSTRA)
    add_loopbacks(z, zone);
  if (zone->kind == ZONE_DIJKSTRA)
    group_edges(zone);
  tutti_status status = sort_edges(&zone->edges, error);
  if (status == TUTTI_OK)
    status = sort_edges(&zone->bypass, error);
  if (status == TUTTI_OK && zone->kind == ZONE_FLOYD)
    find_shortest(zone);
  return status;
}

tutti_status tutti_zones_seal(struct engine_zones *z, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < z->zones.count && status == TUTTI_OK; i++)
    status = seal(z, &z->zones.items[i], error);
  return status;
}
