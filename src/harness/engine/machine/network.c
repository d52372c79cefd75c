/* Routes as SimGrid 3.32 has them in its clusters, computed from the numbers of the two hosts. */
#include "harness/engine/machine/network.h"

const struct engine_link_kind *tutti_network_kind(const struct engine_network *network, uint32_t link)
{
  int kind = network->kind_count - 1;
  while (network->kinds[kind].first > link)
    kind--;
  return &network->kinds[kind];
}

tutti_contention tutti_network_contention(const struct engine_network *network, uint32_t link)
{
  if (link == network->backbone)
    return network->backbone_contention;
  const bool cable = link < (network->split_duplex ? 2 : 1) * network->host_count;
  const bool port = cable && (!network->split_duplex || link == engine_cable(network, link / 2, true));
  return port ? network->port_contention : (tutti_contention){0};
}

/* A link that a route has met already is not met again. */
static void add_once(struct engine_route *route, uint32_t link)
{
  for (int i = 0; i < route->count; i++)
    if (route->links[i] == link)
      return;
  engine_route_add(route, link);
}

/* Limiter, cable up, backbone, cable down, limiter of the other host. */
static bool route_flat(const struct engine_network *n, uint32_t from, uint32_t to, struct engine_route *route)
{
  bool limited = n->limiters != ENGINE_NONE;
  if (limited)
    engine_route_add(route, n->limiters + from);
  engine_route_add(route, engine_cable(n, from, false));
  if (n->backbone != ENGINE_NONE)
    engine_route_add(route, n->backbone);
  add_once(route, engine_cable(n, to, true));
  if (limited)
    add_once(route, n->limiters + to);
  return true;
}

bool tutti_network_route(const struct engine_network *network, uint32_t from, uint32_t to, struct engine_route *route)
{
  static bool (*const routes[])(const struct engine_network *, uint32_t, uint32_t, struct engine_route *) = {
      [TOPOLOGY_FLAT] = route_flat,
      [TOPOLOGY_TORUS] = tutti_torus_route,
      [TOPOLOGY_FAT_TREE] = tutti_fat_tree_route,
      [TOPOLOGY_DRAGONFLY] = tutti_dragonfly_route,
      [TOPOLOGY_DRAGONFLY_PLUS] = tutti_dragonfly_plus_route,
  };
  route->count = route->between = 0;
  if (from == to && network->loopbacks != ENGINE_NONE)
    engine_route_add(route, network->loopbacks + from);
  else if (!routes[network->topology.kind](network, from, to, route))
    return false;
  return route->count > 0;
}
