/* Routes across zones (SimGrid 3.32, NetZoneImpl.cpp). */
#include <string.h>

#include "harness/engine/machine/zones.h"

/* Zones are nested this deep at most. */
enum { MOST_DEPTH = 64 };

/* The zones around a point, from its own to the outermost one. */
struct zone_chain {
  uint32_t zones[MOST_DEPTH];
  int count;
};

static struct zone_chain chain_of(const struct engine_zones *z, uint32_t point)
{
  struct zone_chain chain = {.count = 0};
  for (uint32_t zone = z->points.items[point].zone; zone != ENGINE_NONE && chain.count < MOST_DEPTH;
       zone = z->zones.items[zone].parent)
    chain.zones[chain.count++] = zone;
  return chain;
}

static uint32_t outermost(const struct zone_chain *chain)
{
  return chain->zones[chain->count - 1];
}

/* Drop the zones that are around both. Returns the innermost of these, or ENGINE_NONE. */
static uint32_t part(struct zone_chain *a, struct zone_chain *b)
{
  uint32_t around = ENGINE_NONE;
  while (a->count > 1 && b->count > 1 && outermost(a) == outermost(b)) {
    around = outermost(a);
    a->count--;
    b->count--;
  }
  return around;
}

static uint32_t point_of(const struct engine_zones *z, const struct zone_chain *chain, int place)
{
  return place < chain->count ? z->zones.items[chain->zones[place]].point : ENGINE_NONE;
}

static const struct zone_edge *look_up(const struct engine_zones *z, const struct zone *zone,
                                       const struct zone_chain *a, int i, const struct zone_chain *b, int j)
{
  const uint32_t from = point_of(z, a, i), to = point_of(z, b, j);
  return from == ENGINE_NONE || to == ENGINE_NONE ? NULL : tutti_zone_edge(&zone->bypass, from, to);
}

/* A bypass between two of the zones around the ends, the innermost first. */
static const struct zone_edge *find_bypass(const struct engine_zones *z, const struct zone *zone,
                                           const struct zone_chain *a, const struct zone_chain *b)
{
  const struct zone_edge *edge = NULL;
  const int most = a->count > b->count ? a->count : b->count;
  for (int max = 0; max < most && !edge; max++) {
    for (int i = 0; i < max && !edge; i++) {
      edge = look_up(z, zone, a, i, b, max);
      edge = edge ? edge : look_up(z, zone, a, max, b, i);
    }
    edge = edge ? edge : look_up(z, zone, a, max, b, max);
  }
  return edge;
}

static void append_listed(struct zone_way *way, const struct zone_links *links)
{
  tutti_way_append(way, &way->zones->listed.items[links->first], links->count);
}

static bool take_bypass(const struct zone_edge *edge, uint32_t from, uint32_t to, struct zone_way *way)
{
  if (from != edge->from && !tutti_zones_way(from, edge->gateway_from, way))
    return false;
  append_listed(way, &edge->links);
  return to == edge->to || tutti_zones_way(edge->gateway_to, to, way);
}

/* By way of the gateways of the two zones. Their latencies come after that of the links between them. */
static bool cross(uint32_t around, uint32_t from_zone, uint32_t to_zone, uint32_t from, uint32_t to,
                  struct zone_way *way)
{
  const struct engine_zones *z = way->zones;
  struct zone_way between = {.zones = z, .latency = way->latency, .depth = way->depth};
  if (!tutti_zone_route(around, z->points.items[z->zones.items[from_zone].point].vertex,
                        z->points.items[z->zones.items[to_zone].point].vertex, &between) ||
      between.gateway_from == ENGINE_NONE || between.gateway_to == ENGINE_NONE)
    return false;
  way->latency = between.latency;
  if (from != between.gateway_from && !tutti_zones_way(from, between.gateway_from, way))
    return false;
  const double latency = way->latency;
  tutti_way_append(way, between.links, (uint32_t)between.count);
  way->latency = latency;
  return to == between.gateway_to || tutti_zones_way(between.gateway_to, to, way);
}

bool tutti_zones_way(uint32_t from, uint32_t to, struct zone_way *way)
{
  const struct engine_zones *z = way->zones;
  const uint32_t from_zone = z->points.items[from].zone, to_zone = z->points.items[to].zone;
  if (way->too_long || from_zone == ENGINE_NONE || to_zone == ENGINE_NONE || way->depth >= MOST_DEPTH)
    return false;
  struct zone_chain a = chain_of(z, from), b = chain_of(z, to);
  const bool same = from_zone == to_zone;
  uint32_t around = same ? from_zone : part(&a, &b);
  if (!same && outermost(&a) == outermost(&b))
    return false; /* one of them is in a zone around the other: no route of a zone leads there */
  if (around == ENGINE_NONE)
    return false;
  const struct zone *zone = &z->zones.items[around];
  const struct zone_edge *bypass = same ? tutti_zone_edge(&zone->bypass, from, to) : find_bypass(z, zone, &a, &b);
  way->depth++;
  const bool found = bypass ? take_bypass(bypass, from, to, way)
                     : same ? tutti_zone_route(around, z->points.items[from].vertex, z->points.items[to].vertex, way)
                            : cross(around, outermost(&a), outermost(&b), from, to, way);
  way->depth--;
  return found && !way->too_long;
}

bool tutti_zones_route(const struct engine_zones *z, uint32_t from, uint32_t to, struct engine_route *route)
{
  struct zone_way way = {.zones = z};
  if (!tutti_zones_way(z->hosts.items[from], z->hosts.items[to], &way))
    return false;
  memcpy(route->links, way.links, (size_t)way.count * sizeof *way.links);
  route->count = way.count;
  route->latency = way.latency;
  return true;
}
