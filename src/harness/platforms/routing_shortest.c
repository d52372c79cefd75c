/* The routes with the fewest links in one zone, as SimGrid 3.32 finds them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/routing.h"

/* ---- Dijkstra ---- */

struct reached {
  uint64_t cost;
  int vertex;
};

/* A heap, the smallest first. */
struct queue {
  TUTTI_VECTOR(struct reached);
};

static bool before(const struct reached *a, const struct reached *b)
{
  return a->cost < b->cost || (a->cost == b->cost && a->vertex < b->vertex);
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

/* No route enters a vertex, or SimGrid's own loopback. */
enum { UNREACHED = -1, LOOPED = -2 };

/* A tree being grown: by vertex, costs and the route that enters it. */
struct growth {
  struct network *network;
  const struct net_zone *zone;
  uint64_t *costs;
  int *tree;
  struct queue queue;
  size_t steps;
};

/* Whether nothing but the way back leaves a vertex. */
static bool is_leaf(const struct growth *g, int vertex, int from)
{
  const struct net_point *point = &g->network->points.items[g->zone->vertices.items[vertex]];
  return point->first_route >= 0 && point->first_route == point->last_route &&
         g->network->routes.items[point->first_route].to == g->zone->vertices.items[from];
}

static void relax(struct growth *g, int at, int to, uint64_t links, int route)
{
  const uint64_t cost = links + g->costs[at];
  if (cost >= g->costs[to])
    return;
  const bool useless = g->costs[at] != UINT64_MAX && is_leaf(g, to, at);
  g->tree[to] = route;
  g->costs[to] = cost;
  if (!useless)
    put(&g->queue, (struct reached){cost, to});
}

/* The loopback comes last, as SimGrid adds it when the zone is read. */
static void leave(struct growth *g, int vertex)
{
  const int point = g->zone->vertices.items[vertex];
  bool looped = g->zone->outer;
  for (int r = g->network->points.items[point].first_route; r >= 0; r = g->network->routes.items[r].next) {
    const struct net_route *route = &g->network->routes.items[r];
    looped |= route->to == point;
    relax(g, vertex, g->network->points.items[route->to].vertex, route->links.count, r);
  }
  if (!looped)
    relax(g, vertex, vertex, 1, LOOPED);
}

static void empty(struct growth *g)
{
  while (g->queue.count > 0 && g->steps-- > 0)
    leave(g, take(&g->queue).vertex);
}

/* The fewest links from a point. SimGrid's Dijkstra looks at vertices that are not reached, too, with the largest cost
   of all, to which it adds that of a link: it becomes a small one. */
static int *grow_tree(struct network *network, int zone, int from)
{
  struct growth g = {network, &network->zones.items[zone], .queue.items = NULL};
  const size_t count = g.zone->vertices.count;
  const bool wraps = g.zone->routing == ROUTING_DIJKSTRA;
  const int source = network->points.items[from].vertex;
  g.costs = tutti_xmalloc((count + 1) * sizeof *g.costs);
  g.tree = tutti_xmalloc((count + 1) * sizeof *g.tree);
  g.steps = 64 * (network->routes.count + count + 1);
  memset(g.costs, 0xff, count * sizeof *g.costs);
  memset(g.tree, 0xff, count * sizeof *g.tree);
  g.costs[source] = 0;
  put(&g.queue, (struct reached){0, source});
  empty(&g);
  for (size_t i = 0; wraps && i < count; i++)
    if (g.costs[i] == UINT64_MAX) {
      leave(&g, (int)i);
      empty(&g);
    }
  tutti_vector_free(&g.queue);
  free(g.costs);
  return g.tree;
}

static tutti_status fail_crossing(const struct network *network, int entered, int left, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_FAULT,
                    "a path enters a zone at '%.80s' and leaves it at '%.80s', where SimGrid's Dijkstra crashes",
                    network->points.items[entered].name, network->points.items[left].name);
}

/* The route that enters a point on the way from another one. The vertex before one that is not reached is SimGrid's
   first. */
static bool enter(const struct network *network, const struct net_zone *zone, int from, int at, struct net_route *edge)
{
  const int number = (int)(zone - network->zones.items), vertex = network->points.items[at].vertex;
  const struct net_point *source = &network->points.items[from];
  int before = at == from ? source->vertex : zone->routing == ROUTING_DIJKSTRA ? 0 : -1;
  if (zone->before)
    before = zone->before[(size_t)source->vertex * zone->vertices.count + (size_t)vertex];
  else if (at != from && source->tree[vertex] != UNREACHED) {
    *edge = network->routes.items[source->tree[vertex] < 0 ? 0 : source->tree[vertex]];
    return source->tree[vertex] >= 0;
  }
  return before >= 0 && tutti_zone_edge(network, number, zone->vertices.items[before], at, edge);
}

/* Each route comes before those that follow it, and turned round: all are, at the end. */
tutti_status tutti_zone_walk_dijkstra(int zone, int from, int to, struct net_way *way, tutti_error *error)
{
  struct network *network = way->network;
  struct net_point *source = &network->points.items[from];
  size_t left = network->zones.items[zone].vertices.count + 1, before = (size_t)way->count;
  struct net_route edge;
  int last = -1;
  if (source->vertex < 0 || network->points.items[to].vertex < 0)
    return tutti_routing_no_way(network, from, to, error);
  if (!source->tree)
    source->tree = grow_tree(network, zone, from);
  for (int at = to; at != from || at == to; at = edge.from) {
    if (left-- == 0 || !enter(network, &network->zones.items[zone], from, at, &edge))
      return tutti_routing_no_way(network, from, to, error);
    if (last >= 0 && edge.gateway_to >= 0 && last != edge.gateway_to)
      return fail_crossing(network, edge.gateway_to, last, error);
    if (at == to)
      way->gateway_to = edge.gateway_to;
    last = way->gateway_from = edge.gateway_from;
    tutti_way_append_links(way, &edge.links);
    if (at == from)
      break;
  }
  tutti_links_turn(way->links, (size_t)way->count);
  tutti_links_turn(way->links + (size_t)way->count - before, before);
  return TUTTI_OK;
}

/* ---- Floyd ---- */

static void find_shortest(const struct network *network, struct net_zone *zone)
{
  const size_t n = zone->vertices.count;
  uint64_t *costs = tutti_xmalloc(n * n * sizeof *costs);
  int *last = zone->before = tutti_xmalloc(n * n * sizeof *last);
  memset(costs, 0xff, n * n * sizeof *costs);
  memset(last, 0xff, n * n * sizeof *last);
  for (size_t a = 0; a < n; a++) {
    if (!zone->outer) {
      costs[a * n + a] = 1;
      last[a * n + a] = (int)a;
    }
    for (int r = network->points.items[zone->vertices.items[a]].first_route; r >= 0;
         r = network->routes.items[r].next) {
      const struct net_route *route = &network->routes.items[r];
      const size_t at = a * n + (size_t)network->points.items[route->to].vertex;
      costs[at] = route->links.count;
      last[at] = (int)a;
    }
  }
  for (size_t c = 0; c < n; c++)
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; b < n && costs[a * n + c] < UINT64_MAX; b++)
        if (costs[c * n + b] < UINT64_MAX &&
            (costs[a * n + b] == UINT64_MAX || costs[a * n + c] + costs[c * n + b] < costs[a * n + b])) {
          costs[a * n + b] = costs[a * n + c] + costs[c * n + b];
          last[a * n + b] = last[c * n + b];
        }
  free(costs);
}

/* Of ways with as few links SimGrid takes one by tables whose time grows with the third power; where it is enough that
   there is one, a tree does. */
static void prepare(struct network *network, int number, int from)
{
  struct net_zone *zone = &network->zones.items[number];
  struct net_point *source = &network->points.items[from];
  if (!network->lay)
    source->tree = source->tree ? source->tree : grow_tree(network, number, from);
  else if (!zone->before)
    find_shortest(network, zone);
}

/* Where one route ends at another gateway than that at which the next begins, there is a way between the two. */
static tutti_status join(int from, int to, struct net_way *way, tutti_error *error)
{
  return from < 0 || from == to ? TUTTI_OK : tutti_routing_way(from, to, way, error);
}

/* Routes, the last one first. */
struct passed {
  TUTTI_VECTOR(struct net_route);
};

static tutti_status pass(const struct passed *passed, struct net_way *way, tutti_error *error)
{
  int last = -1;
  tutti_status status = TUTTI_OK;
  for (size_t i = passed->count; i > 0 && status == TUTTI_OK; i--) {
    const struct net_route *route = &passed->items[i - 1];
    status = join(last, route->gateway_from, way, error);
    if (status == TUTTI_OK)
      tutti_way_append_links(way, &route->links);
    last = route->gateway_to;
  }
  way->gateway_from = passed->items[passed->count - 1].gateway_from;
  way->gateway_to = last;
  return status;
}

tutti_status tutti_zone_walk_floyd(int zone, int from, int to, struct net_way *way, tutti_error *error)
{
  struct network *network = way->network;
  struct passed passed = {.count = 0};
  struct net_route edge = {.from = to};
  bool found = true;
  prepare(network, zone, from);
  while (found && (passed.count == 0 || edge.from != from)) {
    found = passed.count < network->zones.items[zone].vertices.count &&
            enter(network, &network->zones.items[zone], from, edge.from, &edge);
    if (found)
      tutti_xpush(&passed, edge);
  }
  const tutti_status status = found ? pass(&passed, way, error) : tutti_routing_no_way(network, from, to, error);
  tutti_vector_free(&passed);
  return status;
}
