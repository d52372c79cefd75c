/* A dragonfly+: hosts at leaf switches, these at the spines of their cell, which are one switch here, and cells all to
   all. Minimal routing. */
#include "harness/engine/machine/network.h"

/* The part of the cables of a host at this leaf switch that one message can fill. */
static void cross_leaf(const struct engine_network *n, uint32_t leaf, struct engine_route *route)
{
  if (n->backbone != ENGINE_NONE)
    engine_route_add(route, n->backbone + leaf);
}

static void cross_spines(const struct engine_network *n, uint32_t from, uint32_t to, struct engine_route *route)
{
  const uint32_t leaves = (uint32_t)n->topology.sizes[PLUS_LEAVES], cells = (uint32_t)n->topology.sizes[PLUS_CELLS];
  const uint32_t cell = from / leaves, other = to / leaves, first_global = n->host_count + leaves * cells;
  route->first_between = route->count;
  engine_route_add(route, engine_cable(n, n->host_count + from, false));
  if (cell != other)
    engine_route_add(route, engine_cable(n, first_global + (uint32_t)engine_pair(cells, cell, other), cell > other));
  engine_route_add(route, engine_cable(n, n->host_count + to, true));
  route->between = route->count - route->first_between;
}

bool tutti_dragonfly_plus_route(const struct engine_network *n, uint32_t from, uint32_t to, struct engine_route *route)
{
  const uint32_t hosts = (uint32_t)n->topology.sizes[PLUS_HOSTS], leaf = from / hosts, other = to / hosts;
  engine_route_add(route, engine_cable(n, from, false));
  cross_leaf(n, leaf, route);
  if (leaf != other) {
    cross_spines(n, leaf, other, route);
    cross_leaf(n, other, route);
  }
  engine_route_add(route, engine_cable(n, to, true));
  return true;
}
