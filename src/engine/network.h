/* The network of a machine: links, and the route between two hosts, computed when it is asked for. */
#ifndef TUTTI_ENGINE_NETWORK_H
#define TUTTI_ENGINE_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/numbers.h"
#include "platforms/topology.h"
#include "tutti/contention.h"

/* Most links on a route: a torus of 32 x 256 nodes has them. */
enum { ENGINE_MAX_HOPS = 384 };

/* Links that are alike: numbers `first` to those of the next kind. */
struct engine_link_kind {
  uint32_t first;
  double bandwidth; /* B/s */
  double latency;   /* seconds */
  bool fat_pipe;    /* each flow gets the whole bandwidth */
};

/* The links from one host to another, in order. */
struct engine_route {
  uint32_t links[ENGINE_MAX_HOPS];
  int count;
};

enum { ENGINE_LINK_KINDS = 8 };

struct engine_network {
  struct topology topology;
  uint32_t host_count;
  /* Of a fat tree, by level: its nodes, those of level 0 are the hosts, and the first of the cables above them. */
  uint32_t nodes[TOPOLOGY_MAX_LEVELS + 1], first_cable[TOPOLOGY_MAX_LEVELS];
  bool split_duplex; /* a cable is two links, one each way: numbers 2 n and 2 n + 1 */
  /* Cables come first. Numbers of the first of the others; ENGINE_NONE: there are none. */
  uint32_t backbone, limiters, loopbacks;
  uint32_t link_count;
  int kind_count;
  struct engine_link_kind kinds[ENGINE_LINK_KINDS];      /* by first link */
  tutti_contention backbone_contention, port_contention; /* of a flat cluster */
};

/* The kind of a link. */
const struct engine_link_kind *tutti_network_kind(const struct engine_network *network, uint32_t link);

/* When the link loses throughput: a backbone, and what leads from a switch to a host. */
tutti_contention tutti_network_contention(const struct engine_network *network, uint32_t link);

/* The route between two hosts, which may be the same. False if there is none. */
bool tutti_network_route(const struct engine_network *network, uint32_t from, uint32_t to, struct engine_route *route);

/* The other topologies than the flat one, between different hosts or without loopbacks. */
bool tutti_torus_route(const struct engine_network *network, uint32_t from, uint32_t to, struct engine_route *route);
bool tutti_fat_tree_route(const struct engine_network *network, uint32_t from, uint32_t to, struct engine_route *route);
bool tutti_dragonfly_route(const struct engine_network *network, uint32_t from, uint32_t to,
                           struct engine_route *route);

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
