/* Routes inside one zone, as SimGrid 3.32 finds them. */
#include <stdio.h>
#include <string.h>

#include "harness/platforms/routing.h"

static bool has_room(struct net_way *way, uint32_t count)
{
  way->too_long |= (uint32_t)way->count + count > ROUTE_MAX_LINKS;
  return !way->too_long;
}

static void add_latencies(struct net_way *way, const uint32_t *links, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const struct net_link *link = &way->network->links.items[links[i]];
    way->latency += link->latency;
    way->wifi |= link->wifi;
  }
}

void tutti_way_append(struct net_way *way, const uint32_t *links, uint32_t count)
{
  if (!has_room(way, count))
    return;
  memcpy(&way->links[way->count], links, count * sizeof *links);
  way->count += (int)count;
  add_latencies(way, links, count);
}

static const uint32_t *links_of(const struct net_way *way, const struct net_links *links)
{
  return &way->network->listed.items[links->first];
}

void tutti_way_append_links(struct net_way *way, const struct net_links *links)
{
  tutti_way_append(way, links_of(way, links), links->count);
}

void tutti_links_turn(uint32_t *links, size_t count)
{
  for (size_t i = 0; i < count / 2; i++) {
    const uint32_t other = links[count - 1 - i];
    links[count - 1 - i] = links[i];
    links[i] = other;
  }
}

bool tutti_zone_edge(const struct network *network, int zone, int from, int to, struct net_route *edge)
{
  const struct net_route *route = tutti_routing_route(network, zone, from, to);
  *edge = route ? *route
                : (struct net_route){
                      .from = from, .to = to, .gateway_from = -1, .gateway_to = -1, .links = {NET_LOOPBACK, 1}};
  return route || (from == to && !network->zones.items[zone].outer);
}

/* ---- Full ---- */

/* Where none is declared SimGrid adds no link, and goes on. */
static tutti_status walk_full(int zone, int from, int to, struct net_way *way, tutti_error *error)
{
  struct net_route edge;
  (void)error;
  if (!tutti_zone_edge(way->network, zone, from, to, &edge))
    return TUTTI_OK;
  tutti_way_append_links(way, &edge.links);
  way->gateway_from = edge.gateway_from;
  way->gateway_to = edge.gateway_to;
  return TUTTI_OK;
}

static tutti_status walk_none(int zone, int from, int to, struct net_way *way, tutti_error *error)
{
  (void)from, (void)to;
  return way->network->lay
             ? TUTTI_OK
             : tutti_fail(error, TUTTI_ERR_FAULT, "zone '%.80s' has routing=\"None\": there is no route in it",
                          way->network->points.items[way->network->zones.items[zone].point].name);
}

/* ---- hosts at a middle ---- */

/* Links that the route has met already are not met again. */
static void add_new(struct net_way *way, const struct net_links *links, int begin)
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

static tutti_status walk_star(int zone, int from, int to, struct net_way *way, tutti_error *error)
{
  const struct net_point *source = &way->network->points.items[from], *target = &way->network->points.items[to];
  const int begin = way->count;
  (void)zone;
  if (from == to && source->has_loop) {
    add_new(way, &source->loop, begin);
    return TUTTI_OK;
  }
  if (!source->has_up || !target->has_down)
    return tutti_routing_no_way(way->network, from, to, error);
  add_new(way, &source->up, begin);
  add_new(way, &target->down, begin);
  return TUTTI_OK;
}

/* ---- where routes are not exact ---- */

static bool is_placed(const struct net_point *point, double at[3])
{
  const char *coordinates = point->kind == POINT_ZONE ? NULL : tutti_xml_attribute(point->node, "coordinates");
  return coordinates && sscanf(coordinates, "%lf %lf %lf", &at[0], &at[1], &at[2]) == 3;
}

/* The third coordinate is a height, which counts from both. */
static tutti_status walk_vivaldi(int zone, int from, int to, struct net_way *way, tutti_error *error)
{
  const struct net_point *source = &way->network->points.items[from], *target = &way->network->points.items[to];
  double here[3], there[3];
  const tutti_status status = walk_star(zone, from, to, way, error);
  if (status != TUTTI_OK || (from == to && source->has_loop))
    return status;
  const bool placed = is_placed(source, here);
  if (!placed || !is_placed(target, there))
    return tutti_fail(error, TUTTI_ERR_FAULT, "'%.80s' has no coordinates, which routing=\"Vivaldi\" needs",
                      placed ? target->name : source->name);
  way->far |= here[0] != there[0] || here[1] != there[1] || here[2] != 0 || there[2] != 0;
  return TUTTI_OK;
}

static tutti_status walk_wifi(int zone, int from, int to, struct net_way *way, tutti_error *error)
{
  const uint32_t link = (uint32_t)way->network->zones.items[zone].wifi;
  (void)from, (void)to, (void)error;
  tutti_way_append(way, &link, way->network->zones.items[zone].wifi >= 0);
  return TUTTI_OK;
}

/* Torus, fat tree and dragonfly have a route between any two hosts, but a torus none from one to itself. */
static tutti_status walk_regular(int zone, int from, int to, struct net_way *way, tutti_error *error)
{
  static const uint32_t some_link = NET_LOOPBACK;
  const struct network *network = way->network;
  const struct net_zone *cluster = &network->zones.items[zone];
  const struct net_point *source = &network->points.items[from], *target = &network->points.items[to];
  if (!network->route)
    tutti_way_append(way, &some_link,
                     from != to || source->has_loop || strcmp(tutti_xml_attribute(cluster->node, "topology"), "TORUS"));
  else if (!network->route(cluster, source->number - cluster->first_host, target->number - cluster->first_host, way))
    return tutti_routing_no_way(network, from, to, error);
  return TUTTI_OK;
}

tutti_status tutti_zone_way(int zone, int from, int to, struct net_way *way, tutti_error *error)
{
  static tutti_status (*const walks[])(int, int, int, struct net_way *, tutti_error *) = {
      [ROUTING_FULL] = walk_full,
      [ROUTING_FLOYD] = tutti_zone_walk_floyd,
      [ROUTING_DIJKSTRA] = tutti_zone_walk_dijkstra,
      [ROUTING_CLUSTER] = walk_star,
      [ROUTING_VIVALDI] = walk_vivaldi,
      [ROUTING_NONE] = walk_none,
      [ROUTING_WIFI] = walk_wifi,
      [ROUTING_REGULAR] = walk_regular,
  };
  way->gateway_from = way->gateway_to = -1;
  return walks[way->network->zones.items[zone].routing](zone, from, to, way, error);
}
