/* The network of a machine: links, and the route between two hosts, computed when it is asked for. */
#ifndef TUTTI_ENGINE_NETWORK_H
#define TUTTI_ENGINE_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/engine/core/numbers.h"
#include "harness/platforms/topology.h"
#include "tutti/contention.h"

enum { ENGINE_MAX_HOPS = ROUTE_MAX_LINKS };

/* Links that are alike: numbers `first` to those of the next kind. */
struct engine_link_kind {
  uint32_t first;
  struct net_link link;
};

/* The links from one host to another, in order. SimGrid adds up the latencies of the links between two zones of the
   file first, then those before and after them; other routes have no such links. */
struct engine_route {
  uint32_t links[ENGINE_MAX_HOPS];
  double weights[ENGINE_MAX_HOPS]; /* what a B/s of the flow takes of each link; only where the network is weighted */
  int count;
  int forth; /* this many lead there; the others are links of the way back alone */
  int first_between, between;
  double latency; /* seconds, of those that lead there */
  double penalty; /* by which the flow is shared: the latency, and network/weight-S for each of them */
};

enum { ENGINE_LINK_KINDS = 8 };

struct engine_zones;

struct engine_network {
  struct engine_zones
      *zones; /* zones.h: then the members on clusters are not used; owned by the machine; may be NULL */
  struct topology topology;
  uint32_t host_count;
  /* A fat tree by level: its nodes (level 0: the hosts), and the first of the cables above them. */
  uint32_t nodes[TOPOLOGY_MAX_LEVELS + 1], first_cable[TOPOLOGY_MAX_LEVELS];
  bool split_duplex; /* a cable is two links, one each way: numbers 2 n and 2 n + 1 */
  /* Cables come first. These are the numbers of the first of each other kind, or ENGINE_NONE; a dragonfly+ has a
     backbone for each leaf switch. */
  uint32_t backbone, limiters, loopbacks;
  uint32_t link_count;
  int kind_count;
  struct engine_link_kind kinds[ENGINE_LINK_KINDS];      /* by first link */
  tutti_contention backbone_contention, port_contention; /* of a flat cluster */
  uint32_t limited;  /* this many links, the cables, carry one message at a time, the oldest first; 0: any number */
  double weight_s;   /* network/weight-S: bytes */
  bool crosstraffic; /* a flow takes 0.05 of its rate of the links of the way back, too: network/crosstraffic */
};

/* The kind of a link. */
const struct net_link *tutti_network_kind(const struct engine_network *network, uint32_t link);

/* When the link loses throughput: a backbone, and what leads from a switch to a host. */
tutti_contention tutti_network_contention(const struct engine_network *network, uint32_t link);

/* The links from one host to another, which may be none; false where SimGrid ends. No weights are counted. */
bool tutti_network_find(const struct engine_network *network, uint32_t from, uint32_t to, struct engine_route *route);

/* The route between two hosts, which may be equal. False without a route. */
bool tutti_network_route(const struct engine_network *network, uint32_t from, uint32_t to, struct engine_route *route);

/* The other topologies than the flat one, between different hosts or without loopbacks. */
bool tutti_torus_route(const struct engine_network *network, uint32_t from, uint32_t to, struct engine_route *route);
bool tutti_fat_tree_route(const struct engine_network *network, uint32_t from, uint32_t to, struct engine_route *route);
bool tutti_dragonfly_route(const struct engine_network *network, uint32_t from, uint32_t to,
                           struct engine_route *route);

bool tutti_dragonfly_plus_route(const struct engine_network *network, uint32_t from, uint32_t to,
                                struct engine_route *route);

/* Whether flows take other parts of links than 1: of the way back, or twice of a link that a route has twice. */
static inline bool engine_network_is_weighted(const struct engine_network *network)
{
  return network->crosstraffic || network->zones;
}

/* The number of pairs of @p count members, and the number of the pair of two different members. */
static inline long engine_pairs(long count)
{
  return count * (count - 1) / 2;
}

static inline long engine_pair(long count, long a, long b)
{
  const long low = a < b ? a : b, high = a < b ? b : a;
  return low * (2 * count - low - 1) / 2 + high - low - 1;
}

/* A link at the end of a route. */
static inline void engine_route_add(struct engine_route *route, uint32_t link)
{
  route->links[route->count++] = link;
}

/* One way of a cable. */
static inline uint32_t engine_cable(const struct engine_network *network, uint32_t cable, bool down)
{
  return network->split_duplex ? 2 * cable + down : cable;
}

#endif
