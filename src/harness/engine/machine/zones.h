/* The network of any platform file: zones within zones, each with a routing of its own, as SimGrid 3.32 has them
   (src/kernel/routing). Routes are put together when they are asked for, from those that zones know inside: between two
   zones by the gateways that the zone around both names, and so on inwards. The order in which latencies are added up
   is SimGrid's, as it decides the last digit. */
#ifndef TUTTI_ENGINE_ZONES_H
#define TUTTI_ENGINE_ZONES_H

#include "harness/engine/machine/machine_read.h"
#include "harness/engine/machine/network.h"

enum zone_kind {
  ZONE_NONE,     /* routing="None": no links inside */
  ZONE_FULL,     /* each route is declared */
  ZONE_FLOYD,    /* the fewest links, by Floyd and Warshall's tables */
  ZONE_DIJKSTRA, /* the fewest links, from each source by Dijkstra */
  ZONE_STAR,     /* routing="Cluster", and a flat <cluster>: up, and down again */
  ZONE_CLUSTER   /* a <cluster> with a topology, whose routes are computed */
};

/* A host, a router, or a zone in the one around it. */
struct zone_point {
  uint32_t zone;   /* that it is in; ENGINE_NONE: the outermost one */
  uint32_t vertex; /* its number there */
  uint32_t inner;  /* the zone that it is, or ENGINE_NONE */
};

/* Links in a row, of zones->listed. */
struct zone_links {
  uint32_t first, count;
};

/* A declared route between two vertices of a zone. */
struct zone_edge {
  uint32_t from, to;                 /* vertices; of a bypass: points */
  uint32_t gateway_from, gateway_to; /* points; ENGINE_NONE where the ends are no zones */
  struct zone_links links;
};

struct zone_edges {
  TUTTI_VECTOR(struct zone_edge);
};

/* A vertex of a star. */
struct zone_spoke {
  struct zone_links up, down, loopback;
  bool has_up, has_down, has_loopback;
};

struct zone {
  enum zone_kind kind;
  uint32_t parent, point;
  uint32_t vertex_count;
  bool nested;              /* has zones inside */
  struct zone_edges edges;  /* by from and to once it is sealed */
  struct zone_edges bypass; /* by from and to, points */
  uint32_t *predecessors;   /* Floyd: [vertex_count][vertex_count], ENGINE_NONE: no route */
  uint32_t **trees;         /* Dijkstra: [vertex_count] predecessors from a source, made when first asked for */
  uint32_t *nodes;          /* Dijkstra: vertices in the order in which routes name them first */
  uint32_t *numbers;        /* Dijkstra: of vertices among the nodes, ENGINE_NONE: no route names it */
  uint32_t node_count;
  struct zone_edges created; /* Dijkstra: edges by from, each in the order of creation */
  struct {
    TUTTI_VECTOR(struct zone_spoke);
  } spokes;                       /* of a star, by vertex */
  struct engine_network *network; /* of a cluster with a topology; its link 0 is first_link here */
  uint32_t first_link;
};

struct engine_zones {
  struct {
    TUTTI_VECTOR(struct zone);
  } zones; /* the outermost one first */
  struct {
    TUTTI_VECTOR(struct zone_point);
  } points;
  struct {
    TUTTI_VECTOR(struct engine_link_kind);
  } links; /* `first` is not used */
  struct engine_numbers hosts, listed;
  struct {
    TUTTI_VECTOR(struct engine_processor);
  } processors;                            /* of hosts */
  void *names, *link_names, *duplex_names; /* 1 + number of a point, a link, the upper one of two (base/index.h) */
  uint32_t loopback;                       /* SimGrid's own link of a host to itself */
};

/* Read the zones of a file. TUTTI_ERR_UNSUPPORTED with the line of what the engine does not know, TUTTI_ERR_ARGUMENT of
   what names nothing. */
tutti_status tutti_zones_read(struct machine_reading *reading, struct engine_zones **zones);

/* May be NULL. */
void tutti_zones_free(struct engine_zones *zones);

/* The route between two hosts with its latency, which may have no links; false where SimGrid ends. */
bool tutti_zones_route(const struct engine_zones *zones, uint32_t from, uint32_t to, struct engine_route *route);

/* ---- zones_add.c: what the reader puts together ---- */

uint32_t tutti_zones_add_point(struct engine_zones *zones, uint32_t zone, uint32_t inner);
uint32_t tutti_zones_add_zone(struct engine_zones *zones, enum zone_kind kind, uint32_t parent);
uint32_t tutti_zones_add_link(struct engine_zones *zones, double bandwidth, double latency, bool fat_pipe);

/* The spoke of a vertex of a star; a new one is in the middle, as a router is. */
struct zone_spoke *tutti_zones_spoke(struct zone *zone, uint32_t vertex);

/* All is read: sort edges, add loopbacks. TUTTI_ERR_ARGUMENT naming what is wrong with a zone. */
tutti_status tutti_zones_seal(struct engine_zones *zones, tutti_error *error);

/* ---- zones_tables.c: what zones know inside ---- */

/* A way being put together. */
struct zone_way {
  const struct engine_zones *zones;
  uint32_t links[ENGINE_MAX_HOPS];
  int count;
  double latency;
  uint32_t gateway_from, gateway_to; /* points, after a route between two vertices that are zones */
  int depth;                         /* of the calls under way */
  bool too_long;
};

void tutti_way_append(struct zone_way *way, const uint32_t *links, uint32_t count);

/* The route between two vertices of a zone, at the end of the way (of Dijkstra's at its beginning, as SimGrid has it).
   False without one. */
bool tutti_zone_route(uint32_t zone, uint32_t from, uint32_t to, struct zone_way *way);

/* The route between two points anywhere (SimGrid's get_global_route). */
bool tutti_zones_way(uint32_t from, uint32_t to, struct zone_way *way);

/* The edge between two vertices, or NULL. */
const struct zone_edge *tutti_zone_edge(const struct zone_edges *edges, uint32_t from, uint32_t to);

#endif
