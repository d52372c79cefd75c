/* Paths between hosts, found as SimGrid 3.32 finds them: first in the innermost zone that holds both, then from both to
   the gateways of the route between the zones that hold one each. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/routing.h"

enum { MAX_DEPTH = 64 };

struct path {
  long links;
  bool wifi;
  bool far; /* Vivaldi: the distance of two points is a latency */
  int depth;
};

static tutti_status walk_path(struct network *network, int from, int to, struct path *path, tutti_error *error);

static const char *name_of(const struct network *network, int point)
{
  return network->points.items[point].name;
}

static tutti_status fail_path(const struct network *network, int from, int to, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_FAULT, "there is no route from '%.80s' to '%.80s'", name_of(network, from),
                    name_of(network, to));
}

static void add_links(struct path *path, const struct net_route *route)
{
  path->links += route->links;
  path->wifi |= route->wifi;
}

/* ---- shortest paths ---- */

/* The route by which a shortest path, counted in links, enters each point. */
static int *grow_tree(const struct network *network, int from)
{
  const int count = (int)network->points.count;
  int *tree = tutti_xmalloc((size_t)count * sizeof *tree), *queue = tutti_xmalloc(((size_t)count + 1) * sizeof *queue);
  long *cost = tutti_xmalloc((size_t)count * sizeof *cost);
  char *waits = tutti_xcalloc((size_t)count, 1);
  for (int i = 0; i < count; i++) {
    tree[i] = -1;
    cost[i] = -1;
  }
  int head = 0, tail = 0;
  queue[tail++] = from;
  cost[from] = 0;
  while (head != tail) {
    const int at = queue[head];
    head = (head + 1) % (count + 1);
    waits[at] = 0;
    for (int r = network->points.items[at].first_route; r >= 0; r = network->routes.items[r].next) {
      const struct net_route *route = &network->routes.items[r];
      const long through = cost[at] + route->links;
      if (cost[route->to] >= 0 && cost[route->to] <= through)
        continue;
      cost[route->to] = through;
      tree[route->to] = r;
      if (!waits[route->to]) {
        waits[route->to] = 1;
        queue[tail] = route->to;
        tail = (tail + 1) % (count + 1);
      }
    }
  }
  free(waits);
  free(cost);
  free(queue);
  return tree;
}

/* From gateway to gateway within the zones between. SimGrid's Dijkstra crashes where they differ. */
static tutti_status join(struct network *network, enum routing routing, const struct net_route *route,
                         const struct net_route *next, struct path *path, tutti_error *error)
{
  const int left = route->gateway_to, entered = next ? next->gateway_from : left;
  if (left < 0 || left == entered)
    return TUTTI_OK;
  if (routing == ROUTING_DIJKSTRA)
    return tutti_fail(error, TUTTI_ERR_FAULT,
                      "a path enters a zone at '%.80s' and leaves it at '%.80s', where SimGrid's Dijkstra crashes",
                      name_of(network, left), name_of(network, entered));
  return walk_path(network, left, entered, path, error);
}

static tutti_status walk_tree(struct network *network, const struct net_zone *zone, int from, int to, struct path *path,
                              struct net_route *ends, tutti_error *error)
{
  struct net_point *source = &network->points.items[from];
  const struct net_route *next = NULL;
  tutti_status status = TUTTI_OK;
  if (from == to) { /* SimGrid adds a loopback to each host that a route names */
    path->links++;
    return zone->outer || (zone->routing == ROUTING_DIJKSTRA && source->first_route < 0)
               ? fail_path(network, from, to, error)
               : TUTTI_OK;
  }
  if (!source->tree)
    source->tree = grow_tree(network, from);
  for (int at = to; at != from && status == TUTTI_OK;) {
    const int entry = network->points.items[from].tree[at];
    if (entry < 0)
      return fail_path(network, from, to, error);
    const struct net_route *route = &network->routes.items[entry];
    if (!next)
      ends->gateway_to = route->gateway_to;
    status = join(network, zone->routing, route, next, path, error);
    add_links(path, route);
    ends->gateway_from = route->gateway_from;
    at = route->from;
    next = route;
  }
  return status;
}

/* ---- the other kinds of zones ---- */

/* The third coordinate is a height, which counts from both. */
static bool are_apart(const struct net_point *left, const struct net_point *right)
{
  return left->at[0] != right->at[0] || left->at[1] != right->at[1] || left->at[2] != 0 || right->at[2] != 0;
}

static tutti_status walk_star(struct network *network, const struct net_zone *zone, int from, int to, struct path *path,
                              tutti_error *error)
{
  const struct net_point *source = &network->points.items[from], *target = &network->points.items[to];
  if (from == to && source->loop > 0) {
    path->links += source->loop;
    return TUTTI_OK;
  }
  if ((source->linked && source->up < 0) || (target->linked && target->down < 0))
    return fail_path(network, from, to, error);
  path->links += (source->up > 0 ? source->up : 0) + (target->down > 0 ? target->down : 0);
  if (zone->routing == ROUTING_VIVALDI && (!source->placed || !target->placed))
    return tutti_fail(error, TUTTI_ERR_FAULT, "'%.80s' has no coordinates, which routing=\"Vivaldi\" needs",
                      name_of(network, source->placed ? to : from));
  path->far |= zone->routing == ROUTING_VIVALDI && are_apart(source, target);
  return TUTTI_OK;
}

/* Torus, fat tree and dragonfly have a route between any two hosts, to themselves by a loopback. */
static tutti_status walk_regular(struct network *network, int from, int to, struct path *path, tutti_error *error)
{
  path->links++;
  return from != to || network->points.items[from].loop > 0 ? TUTTI_OK : fail_path(network, from, to, error);
}

/* The route between two points of a zone; @p ends receives its gateways. */
static tutti_status walk_zone(struct network *network, int zone_number, int from, int to, struct path *path,
                              struct net_route *ends, tutti_error *error)
{
  const struct net_zone *zone = &network->zones.items[zone_number];
  const struct net_route *route;
  switch (zone->routing) {
  case ROUTING_FULL:
    route = tutti_routing_route(network, zone_number, from, to);
    if (route) {
      add_links(path, route);
      *ends = *route;
    } else if (from == to && !zone->outer)
      path->links++;
    return TUTTI_OK;
  case ROUTING_FLOYD:
  case ROUTING_DIJKSTRA:
    return walk_tree(network, zone, from, to, path, ends, error);
  case ROUTING_CLUSTER:
  case ROUTING_VIVALDI:
    return walk_star(network, zone, from, to, path, error);
  case ROUTING_REGULAR:
    return walk_regular(network, from, to, path, error);
  case ROUTING_WIFI:
    path->links += zone->wifi_links;
    path->wifi |= zone->wifi_links > 0;
    return TUTTI_OK;
  case ROUTING_NONE:
    break;
  }
  return tutti_fail(error, TUTTI_ERR_FAULT, "zone '%.80s' has routing=\"None\": there is no route in it",
                    name_of(network, zone->point));
}

/* ---- from zone to zone ---- */

/* The zones around a point, from the inside, and how many. */
static int zones_around(const struct network *network, int point, int zones[MAX_DEPTH])
{
  int count = 0;
  for (int at = network->points.items[point].zone; at >= 0 && count < MAX_DEPTH; at = network->zones.items[at].parent)
    zones[count++] = at;
  return count;
}

/* The bypass between two of the zones on both sides that SimGrid finds first: of the innermost ones. */
static const struct net_route *find_bypass(const struct network *network, int common, const int *sources,
                                           int source_count, const int *targets, int target_count)
{
  for (int most = 0; most < source_count || most < target_count; most++)
    for (int i = 0; i <= most; i++)
      for (int side = 0; side < 2; side++) {
        const int s = side ? most : i, t = side ? i : most;
        const struct net_route *route =
            s < source_count && t < target_count
                ? tutti_routing_bypass(network, common, network->zones.items[sources[s]].point,
                                       network->zones.items[targets[t]].point)
                : NULL;
        if (route)
          return route;
      }
  return NULL;
}

/* To the gateway of the source, over the route, and from that of the target. */
static tutti_status walk_ends(struct network *network, int from, int to, const struct net_route *ends,
                              struct path *path, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if (ends->gateway_from < 0 || ends->gateway_to < 0)
    return fail_path(network, from, to, error);
  if (from != ends->gateway_from)
    status = walk_path(network, from, ends->gateway_from, path, error);
  if (status == TUTTI_OK && to != ends->gateway_to)
    status = walk_path(network, ends->gateway_to, to, path, error);
  return status;
}

static tutti_status walk_between(struct network *network, int from, int to, struct path *path, tutti_error *error)
{
  int sources[MAX_DEPTH], targets[MAX_DEPTH];
  int source_count = zones_around(network, from, sources), target_count = zones_around(network, to, targets);
  int common = -1;
  while (source_count > 1 && target_count > 1 && sources[source_count - 1] == targets[target_count - 1]) {
    common = sources[--source_count];
    target_count--;
  }
  const int source = sources[source_count - 1], target = targets[target_count - 1];
  common = source == target ? source : common;
  struct net_route ends = {.gateway_from = -1, .gateway_to = -1};
  const struct net_route *bypass = find_bypass(network, common, sources, source_count, targets, target_count);
  if (bypass) {
    add_links(path, bypass);
    return walk_ends(network, from, to, bypass, path, error);
  }
  if (source == target) /* one zone is within the other */
    return walk_zone(network, common, from, to, path, &ends, error);
  const int left = network->zones.items[source].point, right = network->zones.items[target].point;
  tutti_status status = walk_zone(network, common, left, right, path, &ends, error);
  if (status == TUTTI_OK && (ends.gateway_from < 0 || ends.gateway_to < 0))
    status = fail_path(network, left, right, error);
  return status == TUTTI_OK ? walk_ends(network, from, to, &ends, path, error) : status;
}

static tutti_status walk_path(struct network *network, int from, int to, struct path *path, tutti_error *error)
{
  const int zone = network->points.items[from].zone;
  struct net_route ends = {.gateway_from = -1, .gateway_to = -1};
  tutti_status status;
  if (++path->depth > MAX_DEPTH)
    return tutti_fail(error, TUTTI_ERR_FAULT, "the way from '%.80s' to '%.80s' never ends: its gateways lead back",
                      name_of(network, from), name_of(network, to));
  const struct net_route *bypass =
      zone >= 0 && zone == network->points.items[to].zone ? tutti_routing_bypass(network, zone, from, to) : NULL;
  if (bypass) {
    add_links(path, bypass);
    status = TUTTI_OK;
  } else if (zone == network->points.items[to].zone)
    status = walk_zone(network, zone, from, to, path, &ends, error);
  else
    status = walk_between(network, from, to, path, error);
  path->depth--;
  return status;
}

tutti_status tutti_routing_reach(struct network *network, int from, int to, tutti_error *error)
{
  struct path path = {.links = 0};
  const tutti_status status = walk_path(network, from, to, &path, error);
  if (status != TUTTI_OK)
    return status;
  if (path.links == 0 && !path.far)
    return fail_path(network, from, to, error);
  if (path.wifi)
    return tutti_fail(error, TUTTI_ERR_FAULT,
                      "the route from '%.80s' to '%.80s' uses Wifi, to which a file cannot attach hosts",
                      name_of(network, from), name_of(network, to));
  return TUTTI_OK;
}
