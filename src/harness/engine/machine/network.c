/* Routes as SimGrid 3.32 has them in its clusters, computed from the numbers of the two hosts. */
#include "harness/engine/machine/network.h"

#include <math.h>

#include "harness/engine/machine/zones.h"

/* The part of its rate that a flow takes of the way back (SimGrid 3.32, network_cm02.cpp). */
#define CROSSTRAFFIC 0.05

const struct net_link *tutti_network_kind(const struct engine_network *network, uint32_t link)
{
  if (network->zones)
    return &network->zones->network.links.items[link];
  int kind = network->kind_count - 1;
  while (network->kinds[kind].first > link)
    kind--;
  return &network->kinds[kind].link;
}

tutti_contention tutti_network_contention(const struct engine_network *network, uint32_t link)
{
  if (network->zones)
    return (tutti_contention){0};
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

static double latency_of(const struct engine_network *network, const struct engine_route *route)
{
  const int first = route->first_between, end = first + route->between;
  double latency = 0;
  for (int i = first; i < end; i++)
    latency += tutti_network_kind(network, route->links[i])->latency;
  for (int i = 0; i < route->count; i++)
    if (i < first || i >= end)
      latency += tutti_network_kind(network, route->links[i])->latency;
  return latency;
}

bool tutti_network_find(const struct engine_network *network, uint32_t from, uint32_t to, struct engine_route *route)
{
  static bool (*const routes[])(const struct engine_network *, uint32_t, uint32_t, struct engine_route *) = {
      [TOPOLOGY_FLAT] = route_flat,
      [TOPOLOGY_TORUS] = tutti_torus_route,
      [TOPOLOGY_FAT_TREE] = tutti_fat_tree_route,
      [TOPOLOGY_DRAGONFLY] = tutti_dragonfly_route,
      [TOPOLOGY_DRAGONFLY_PLUS] = tutti_dragonfly_plus_route,
  };
  route->count = route->first_between = route->between = 0;
  if (network->zones)
    return tutti_zones_route(network->zones, from, to, route);
  if (from == to && network->loopbacks != ENGINE_NONE)
    engine_route_add(route, network->loopbacks + from);
  else if (!routes[network->topology.kind](network, from, to, route))
    return false;
  route->latency = latency_of(network, route);
  return true;
}

/* A link takes more of the flow; one in a fat pipe takes the most. */
static void weigh(const struct engine_network *network, struct engine_route *route, uint32_t link, double weight)
{
  for (int i = 0; i < route->count; i++)
    if (route->links[i] == link) {
      double *sum = &route->weights[i];
      *sum = tutti_network_kind(network, link)->fat_pipe ? fmax(*sum, weight) : *sum + weight;
      return;
    }
  route->weights[route->count] = weight;
  engine_route_add(route, link);
}

/* What network/crosstraffic makes a flow take of the links of the way back. */
static bool add_way_back(const struct engine_network *network, uint32_t from, uint32_t to, struct engine_route *route)
{
  struct engine_route back;
  if (!tutti_network_find(network, to, from, &back) || route->count + back.count > ENGINE_MAX_HOPS)
    return false;
  for (int i = 0; i < back.count; i++)
    weigh(network, route, back.links[i], CROSSTRAFFIC);
  return true;
}

static double penalty_of(const struct engine_network *network, const struct engine_route *route)
{
  double penalty = route->latency;
  for (int i = 0; network->weight_s > 0 && i < route->count; i++)
    penalty += network->weight_s / tutti_network_kind(network, route->links[i])->bandwidth;
  return penalty;
}

bool tutti_network_route(const struct engine_network *network, uint32_t from, uint32_t to, struct engine_route *route)
{
  const bool found = tutti_network_find(network, from, to, route) && route->count > 0;
  route->forth = route->count;
  route->penalty = penalty_of(network, route);
  if (!found || !engine_network_is_weighted(network))
    return found;
  route->count = 0;
  for (int i = 0; i < route->forth; i++)
    weigh(network, route, route->links[i], 1);
  route->forth = route->count;
  return !network->crosstraffic || add_way_back(network, from, to, route);
}
