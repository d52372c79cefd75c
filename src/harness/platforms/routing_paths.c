/* Routes across zones, found as SimGrid 3.32 finds them (NetZoneImpl.cpp): in the innermost zone that holds both ends,
   then from both to the gateways of the route between the zones that hold one each. */
#include "harness/platforms/routing.h"

/* Zones are nested this deep at most. */
enum { MAX_DEPTH = 64 };

/* The zones around a point, from its own to the outermost one. */
struct zone_chain {
  int zones[MAX_DEPTH];
  int count;
};

static struct zone_chain chain_of(const struct network *network, int point)
{
  struct zone_chain chain = {.count = 0};
  for (int zone = network->points.items[point].zone; zone >= 0 && chain.count < MAX_DEPTH;
       zone = network->zones.items[zone].parent)
    chain.zones[chain.count++] = zone;
  return chain;
}

static int outermost(const struct zone_chain *chain)
{
  return chain->zones[chain->count - 1];
}

/* Drop the zones that are around both. Returns the innermost of these, or, where one end is in a zone around the other,
   that zone. */
static int part(struct zone_chain *a, struct zone_chain *b)
{
  int around = -1;
  while (a->count > 1 && b->count > 1 && outermost(a) == outermost(b)) {
    around = outermost(a);
    a->count--;
    b->count--;
  }
  return outermost(a) == outermost(b) ? outermost(a) : around;
}

tutti_status tutti_routing_no_way(const struct network *network, int from, int to, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_FAULT, "there is no route from '%.80s' to '%.80s'",
                    network->points.items[from].name, network->points.items[to].name);
}

static const struct net_route *look_up(const struct network *network, int zone, const struct zone_chain *a, int i,
                                       const struct zone_chain *b, int j)
{
  return i < a->count && j < b->count ? tutti_routing_bypass(network, zone, network->zones.items[a->zones[i]].point,
                                                             network->zones.items[b->zones[j]].point)
                                      : NULL;
}

/* A bypass between two of the zones around the ends, the innermost first. */
static const struct net_route *find_bypass(const struct network *network, int zone, const struct zone_chain *a,
                                           const struct zone_chain *b)
{
  const struct net_route *route = NULL;
  for (int most = 0; (most < a->count || most < b->count) && !route; most++) {
    for (int i = 0; i < most && !route; i++) {
      route = look_up(network, zone, a, i, b, most);
      route = route ? route : look_up(network, zone, a, most, b, i);
    }
    route = route ? route : look_up(network, zone, a, most, b, most);
  }
  return route;
}

static tutti_status take_bypass(const struct net_route *route, int from, int to, struct net_way *way,
                                tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  if ((from != route->from && route->gateway_from < 0) || (to != route->to && route->gateway_to < 0))
    return tutti_routing_no_way(way->network, from, to, error);
  if (from != route->from)
    status = tutti_routing_way(from, route->gateway_from, way, error);
  if (status != TUTTI_OK)
    return status;
  tutti_way_append(way, &way->network->listed.items[route->links.first], route->links.count);
  return to == route->to ? TUTTI_OK : tutti_routing_way(route->gateway_to, to, way, error);
}

/* By way of the gateways of the two zones. Their latencies come after that of the links between them. */
static tutti_status cross(int around, int left, int right, int from, int to, struct net_way *way, tutti_error *error)
{
  struct net_way between;
  net_way_begin(&between, way->network, way->latency, way->depth);
  tutti_status status = tutti_zone_way(around, left, right, &between, error);
  if (status == TUTTI_OK && (between.gateway_from < 0 || between.gateway_to < 0))
    status = tutti_routing_no_way(way->network, left, right, error);
  if (status != TUTTI_OK)
    return status;
  way->latency = between.latency;
  if (from != between.gateway_from)
    status = tutti_routing_way(from, between.gateway_from, way, error);
  const double latency = way->latency;
  if (status == TUTTI_OK)
    tutti_way_append(way, between.links, (uint32_t)between.count);
  way->latency = latency;
  way->too_long |= between.too_long;
  way->far |= between.far;
  way->wifi |= between.wifi;
  return status != TUTTI_OK || to == between.gateway_to ? status
                                                        : tutti_routing_way(between.gateway_to, to, way, error);
}

/* One end is in a zone around the other, and SimGrid asks that zone, where the other end has the number of something
   else. */
static tutti_status ask_around(int zone, int from, int to, struct net_way *way, tutti_error *error)
{
  const enum routing routing = way->network->zones.items[zone].routing;
  return way->network->lay || routing == ROUTING_FLOYD || routing == ROUTING_DIJKSTRA
             ? tutti_routing_no_way(way->network, from, to, error)
             : tutti_zone_way(zone, from, to, way, error);
}

static tutti_status walk_between(int from, int to, struct net_way *way, tutti_error *error)
{
  const struct network *network = way->network;
  struct zone_chain a = chain_of(network, from), b = chain_of(network, to);
  const int around = part(&a, &b);
  const struct net_route *bypass = find_bypass(network, around, &a, &b);
  if (bypass)
    return take_bypass(bypass, from, to, way, error);
  if (around < 0)
    return tutti_routing_no_way(network, from, to, error);
  if (outermost(&a) == outermost(&b))
    return ask_around(around, from, to, way, error);
  return cross(around, network->zones.items[outermost(&a)].point, network->zones.items[outermost(&b)].point, from, to,
               way, error);
}

tutti_status tutti_routing_way(int from, int to, struct net_way *way, tutti_error *error)
{
  const struct network *network = way->network;
  const int zone = network->points.items[from].zone;
  if (zone < 0 || network->points.items[to].zone < 0)
    return tutti_routing_no_way(network, from, to, error);
  if (way->depth >= MAX_DEPTH)
    return tutti_fail(error, TUTTI_ERR_FAULT, "the way from '%.80s' to '%.80s' never ends: its gateways lead back",
                      network->points.items[from].name, network->points.items[to].name);
  way->depth++;
  const bool same = zone == network->points.items[to].zone;
  const struct net_route *bypass = same ? tutti_routing_bypass(network, zone, from, to) : NULL;
  const tutti_status status = bypass ? take_bypass(bypass, from, to, way, error)
                              : same ? tutti_zone_way(zone, from, to, way, error)
                                     : walk_between(from, to, way, error);
  way->depth--;
  return status;
}
