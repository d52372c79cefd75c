/* Routes of a platform file: what they name is there, in the zone where SimGrid 3.32 expects it. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "harness/platforms/routing.h"

/* ---- the tables: open addressing, at most half full ---- */

static size_t slot_of(const struct net_table *table, const struct net_routes *routes, int zone, int from, int to)
{
  const uint64_t key = ((uint64_t)(uint32_t)from << 32 | (uint32_t)to) ^ (uint64_t)(uint32_t)zone << 20;
  size_t slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (table->capacity - 1);
  for (; table->slots[slot]; slot = (slot + 1) & (table->capacity - 1)) {
    const struct net_route *route = &routes->items[table->slots[slot] - 1];
    if (route->from == from && route->to == to && route->zone == zone)
      break;
  }
  return slot;
}

static void enlarge(struct net_table *table, const struct net_routes *routes)
{
  if (2 * (routes->count + 1) < table->capacity)
    return;
  free(table->slots);
  table->capacity = table->capacity ? 2 * table->capacity : 64;
  table->slots = tutti_xcalloc(table->capacity, sizeof *table->slots);
  for (size_t i = 0; i < routes->count; i++) {
    const struct net_route *route = &routes->items[i];
    table->slots[slot_of(table, routes, route->zone, route->from, route->to)] = (int)i + 1;
  }
}

/* False if there is one already. */
static bool insert(struct net_table *table, struct net_routes *routes, struct net_route route)
{
  enlarge(table, routes);
  const size_t slot = slot_of(table, routes, route.zone, route.from, route.to);
  if (table->slots[slot])
    return false;
  tutti_xpush(routes, route);
  table->slots[slot] = (int)routes->count;
  return true;
}

static const struct net_route *look_up(const struct net_table *table, const struct net_routes *routes, int zone,
                                       int from, int to)
{
  const int found = table->capacity ? table->slots[slot_of(table, routes, zone, from, to)] : 0;
  return found ? &routes->items[found - 1] : NULL;
}

const struct net_route *tutti_routing_route(const struct network *network, int zone, int from, int to)
{
  return look_up(&network->route_table, &network->routes, zone, from, to);
}

const struct net_route *tutti_routing_bypass(const struct network *network, int zone, int from, int to)
{
  return look_up(&network->bypass_table, &network->bypasses, zone, from, to);
}

/* ---- what a route names ---- */

static bool find_end(struct network *network, const xmlNode *node, const char *attribute, int *point)
{
  const char *name = tutti_xml_attribute(node, attribute);
  *point = name ? tutti_routing_find(network, name) : -1;
  if (name && *point < 0)
    tutti_routing_refuse(network, node, "<%s> %s=\"%.80s\": there is no host, router or zone of that name before it",
                         (const char *)node->name, attribute, name);
  return !name || *point >= 0;
}

/* A <link_ctn>, and the link of the way back. */
static bool read_link(struct network *network, const xmlNode *node, struct net_list *there, struct net_list *back)
{
  const char *name = tutti_xml_attribute(node, "id"), *direction = tutti_xml_attribute(node, "direction");
  const bool split = direction && *direction && strcmp(direction, "NONE") != 0;
  const bool down = split && strcmp(direction, "DOWN") == 0;
  const int link = tutti_routing_find_link(network, node, name, split);
  if (link < 0) {
    tutti_routing_refuse(network, node, "<link_ctn> id=\"%.80s\": there is no link of that name%s before it", name,
                         split ? " with two directions" : "");
    return false;
  }
  tutti_xpush(there, (uint32_t)(link + down));
  tutti_xpush(back, (uint32_t)(link + (split && !down)));
  return true;
}

/* The links that a route lists, and those of the way back, which are as many. */
static bool read_links(struct network *network, const xmlNode *node, struct net_links *links, struct net_links *returns)
{
  struct net_list there = {.count = 0}, back = {.count = 0};
  bool found = true;
  for (const xmlNode *child = tutti_xml_element_from(node->children); child && found;
       child = tutti_xml_element_from(child->next))
    found = read_link(network, child, &there, &back);
  if (found && there.count == 0)
    tutti_routing_refuse(network, node, "a <%s> without a link", (const char *)node->name);
  found &= there.count > 0;
  tutti_links_turn(back.items, back.count);
  *links = tutti_routing_list(network, there.items, there.count);
  *returns = network->lay ? tutti_routing_list(network, back.items, back.count) : *links;
  tutti_vector_free(&there);
  tutti_vector_free(&back);
  return found;
}

static bool read_route(struct network *network, int zone, const xmlNode *node, struct net_route *route,
                       struct net_links *back)
{
  *route = (struct net_route){.node = node, .zone = zone, .next = -1};
  return find_end(network, node, "src", &route->from) && find_end(network, node, "dst", &route->to) &&
         find_end(network, node, "gw_src", &route->gateway_from) &&
         find_end(network, node, "gw_dst", &route->gateway_to) && read_links(network, node, &route->links, back);
}

/* Whether a point lies in a zone or in one within it. */
static bool lies_in(const struct network *network, int point, int zone)
{
  int at = network->points.items[point].zone;
  while (at >= 0 && at != zone)
    at = network->zones.items[at].parent;
  return at == zone && at >= 0;
}

static bool check_end(struct network *network, const struct net_route *route, const char *attribute, int end,
                      int gateway)
{
  const struct net_point *point = &network->points.items[end],
                         *exit = &network->points.items[gateway < 0 ? 0 : gateway];
  const bool between_zones = gateway >= 0;
  if (point->zone != route->zone)
    tutti_routing_refuse(network, route->node, "<%s> %s=\"%.80s\" does not lie in this zone",
                         (const char *)route->node->name, attribute, point->name);
  else if ((point->kind == POINT_ZONE) != between_zones)
    tutti_routing_refuse(network, route->node, "<%s> %s=\"%.80s\" is %s zone", (const char *)route->node->name,
                         attribute, point->name, between_zones ? "no" : "a");
  else if (between_zones && (exit->kind == POINT_ZONE || !lies_in(network, gateway, point->number)))
    tutti_routing_refuse(network, route->node, "<%s> gw_%s=\"%.80s\" is no host or router of zone '%.80s'",
                         (const char *)route->node->name, attribute, exit->name, point->name);
  else
    return true;
  return false;
}

/* ---- routes ---- */

/* Of Dijkstra the vertices are what routes name, in this order. */
static void name_vertex(struct network *network, const struct net_route *route, int point)
{
  struct net_zone *zone = &network->zones.items[route->zone];
  if (zone->routing != ROUTING_DIJKSTRA || network->points.items[point].vertex >= 0)
    return;
  network->points.items[point].vertex = (int)zone->vertices.count;
  tutti_xpush(&zone->vertices, point);
}

static bool add_direction(struct network *network, struct net_route route)
{
  struct net_point *from = &network->points.items[route.from];
  if (!insert(&network->route_table, &network->routes, route)) {
    tutti_routing_refuse(network, route.node,
                         "a second route from '%.80s' to '%.80s'; one goes both ways unless it "
                         "says symmetrical=\"NO\"",
                         from->name, network->points.items[route.to].name);
    return false;
  }
  const int made = (int)network->routes.count - 1;
  *(from->first_route < 0 ? &from->first_route : &network->routes.items[from->last_route].next) = made;
  from->last_route = made;
  name_vertex(network, &route, route.from);
  name_vertex(network, &route, route.to);
  return true;
}

/* In a zone of a switch a <route> is a loopback. */
static void add_loopback(struct network *network, const struct net_route *route)
{
  struct net_point *point = &network->points.items[route->from];
  if (route->from != route->to) {
    tutti_routing_refuse(network, route->node, "a zone with this routing has <host_link>, and no <%s> between two",
                         (const char *)route->node->name);
    return;
  }
  point->has_up = point->has_down = point->up.count + point->down.count > 0;
  point->loop = route->links;
  point->has_loop = true;
}

void tutti_routing_add_route(struct network *network, int zone, const xmlNode *node)
{
  struct net_route route;
  struct net_links links;
  const enum routing routing = network->zones.items[zone].routing;
  const char *symmetry = tutti_xml_attribute(node, "symmetrical");
  if (!read_route(network, zone, node, &route, &links))
    return;
  if (routing == ROUTING_CLUSTER || routing == ROUTING_VIVALDI) {
    add_loopback(network, &route);
    return;
  }
  if (routing > ROUTING_DIJKSTRA) {
    tutti_routing_refuse(network, node, "a zone with this routing takes no <%s>", (const char *)node->name);
    return;
  }
  if (!check_end(network, &route, "src", route.from, route.gateway_from) ||
      !check_end(network, &route, "dst", route.to, route.gateway_to))
    return;
  if (route.gateway_from >= 0 && route.gateway_from == route.gateway_to) {
    tutti_routing_refuse(network, node, "<%s>: both gateways are '%.80s'", (const char *)node->name,
                         network->points.items[route.gateway_from].name);
    return;
  }
  const bool one_way =
      (symmetry && strcasecmp(symmetry, "no") == 0) || (routing == ROUTING_FULL && route.from == route.to);
  const struct net_route back = {node, zone, route.to, route.from, route.gateway_to, route.gateway_from, links, -1};
  if (add_direction(network, route) && !one_way)
    add_direction(network, back);
}

void tutti_routing_add_bypass(struct network *network, int zone, const xmlNode *node)
{
  struct net_route route;
  struct net_links back;
  if (read_route(network, zone, node, &route, &back) && !insert(&network->bypass_table, &network->bypasses, route))
    tutti_routing_refuse(network, node, "a second <%s> between these two", (const char *)node->name);
}
