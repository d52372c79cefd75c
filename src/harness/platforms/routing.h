/* The network of a platform file as SimGrid 3.32 builds it: names, routes, and whether hosts reach each other. */
#ifndef TUTTI_PLATFORMS_ROUTING_H
#define TUTTI_PLATFORMS_ROUTING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "harness/platforms/platform_private.h"

/* REGULAR: a torus, a fat tree or a dragonfly. */
enum routing {
  ROUTING_FULL,
  ROUTING_FLOYD,
  ROUTING_DIJKSTRA,
  ROUTING_CLUSTER,
  ROUTING_VIVALDI,
  ROUTING_NONE,
  ROUTING_WIFI,
  ROUTING_REGULAR
};

enum point_kind { POINT_HOST, POINT_ROUTER, POINT_ZONE };

/* A zone, or a <cluster>. */
struct net_zone {
  const xmlNode *node;
  int point, parent; /* parent: a zone, -1 of the outermost one */
  enum routing routing;
  bool outer;     /* it holds zones */
  int first_host; /* of a cluster: number of its first host in document order */
  int wifi_links;
};

/* A host, router or zone that a route can name. */
struct net_point {
  char *name; /* owned */
  enum point_kind kind;
  int zone;    /* that it lies in; of the outermost zone -1 */
  int self;    /* of a zone: its own number */
  int host;    /* number in document order, from 0; -1: no host */
  bool placed; /* at these coordinates, for routing Vivaldi */
  double at[3];
  bool linked;        /* of a zone with routing Cluster or Vivaldi: a link is given; else it has two of no length */
  int up, down, loop; /* links there; -1: none given */
  int first_route;    /* the first one from here, -1: none */
  int *tree;          /* of the shortest paths from here: the last route to each point of its zone, -1 if none; owned */
};

struct net_route {
  const xmlNode *node;
  int zone;                               /* where it is given */
  int from, to, gateway_from, gateway_to; /* gateways are -1 between hosts */
  int links;
  bool wifi;
  int next; /* with the same source */
};

struct net_table {
  int *slots; /* 1 + number of a route; 0: free */
  size_t capacity;
};

struct network {
  const xml_file *file;
  tutti_platform *platform;
  struct net_zones {
    TUTTI_VECTOR(struct net_zone);
  } zones;
  struct net_points {
    TUTTI_VECTOR(struct net_point);
  } points;
  struct net_routes {
    TUTTI_VECTOR(struct net_route);
  } routes, bypasses;
  struct net_table route_table, bypass_table;
  void *names;         /* 1 + number of a point */
  void *links, *split; /* NET_LINK or NET_WIFI; links of two directions */
  void *traces;
  int host_count;
  int faults;
};

enum { NET_LINK = 1, NET_WIFI = 2, NET_MAX_FAULTS = 8 };

/* Read the file into a zero-initialized network, to be freed in any case: what SimGrid would not take is added to the
   findings of the platform. */
void tutti_routing_build(struct network *network);
void tutti_routing_free(struct network *network);

/* A finding of something that SimGrid ends at. */
void tutti_routing_refuse(struct network *network, const xmlNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- names ---- */

int tutti_routing_add_point(struct network *network, enum point_kind kind, const char *name, int zone);

/* The point of a name; -1: there is none so far. Hosts of clusters become points when they are asked for. */
int tutti_routing_find(struct network *network, const char *name);

/* Host number @p index of a <cluster>, from 0. */
int tutti_routing_cluster_host(struct network *network, int zone, int index);

void tutti_routing_add_link(struct network *network, const xmlNode *node, const char *name, const char *policy);

/* NET_LINK, NET_WIFI, or 0: there is no such link in this direction (NULL: none). */
int tutti_routing_find_link(struct network *network, const char *name, const char *direction);

/* ---- routes ---- */

/* <route>, <zoneRoute> and <ASroute>, their bypass forms, and <host_link>, of a zone. */
void tutti_routing_add_route(struct network *network, int zone, const xmlNode *node);
void tutti_routing_add_bypass(struct network *network, int zone, const xmlNode *node);
void tutti_routing_add_host_link(struct network *network, int zone, const xmlNode *node, int backbone);

/* NULL: none is given. */
const struct net_route *tutti_routing_route(const struct network *network, int zone, int from, int to);
const struct net_route *tutti_routing_bypass(const struct network *network, int zone, int from, int to);

/* ---- paths ---- */

/* Whether SimGrid finds a way from a host to another one, which it can send a message along. TUTTI_ERR_FAULT: a clause
   that says why not. */
tutti_status tutti_routing_reach(struct network *network, int from, int to, tutti_error *error);

/* Refuse the first pair of hosts, in document order, of which one does not reach the other. */
void tutti_routing_check_pairs(struct network *network);

#endif
