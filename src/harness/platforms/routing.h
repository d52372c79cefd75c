/* The network of a platform file as SimGrid 3.32 builds it (src/kernel/routing): zones within zones, each with a
   routing of its own, and the routes between hosts. These are put together when they are asked for, from those that
   zones know inside: between two zones by the gateways that the zone around both names, and so on inwards. The order in
   which latencies are added up is SimGrid's, as it decides the last digit. */
#ifndef TUTTI_PLATFORMS_ROUTING_H
#define TUTTI_PLATFORMS_ROUTING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "harness/platforms/platform_private.h"
#include "harness/platforms/topology.h"

/* REGULAR: a torus, a fat tree or a dragonfly. */
enum routing {
  ROUTING_FULL,
  ROUTING_FLOYD,
  ROUTING_DIJKSTRA,
  ROUTING_CLUSTER, /* hosts at a middle: up, and down again; a flat <cluster>, too */
  ROUTING_VIVALDI,
  ROUTING_NONE,
  ROUTING_WIFI,
  ROUTING_REGULAR
};

enum point_kind { POINT_HOST, POINT_ROUTER, POINT_ZONE };

/* Links in a row, of network->listed. */
struct net_links {
  uint32_t first, count;
};

/* A zone, or a <cluster>. */
struct net_zone {
  const xmlNode *node;
  int point, parent; /* parent: a zone, -1 of the outermost one */
  enum routing routing;
  bool outer;     /* it holds zones */
  int first_host; /* of a <cluster>: number of its first host in document order */
  int hosts;      /* of a <cluster> */
  int backbone;   /* a link; -1: none */
  int wifi;       /* the link of a zone of Wifi; -1: none */
  struct {
    TUTTI_VECTOR(int);
  } vertices;  /* points: of Floyd all, of Dijkstra those that routes name, in that order */
  int *before; /* of Floyd, where routes are exact: [from][to] the vertex before the last one, -1: no way; owned */
  void *laid;  /* what lay() keeps, to be freed by free() */
  uint32_t first_link; /* of those that lay() adds */
};

/* A host, router or zone that a route can name. */
struct net_point {
  const char *name;    /* of the file or the platform */
  const xmlNode *node; /* the element that makes it */
  enum point_kind kind : 8;
  /* In a zone whose hosts are at a middle. Without links given a point is in the middle. */
  bool has_up, has_down, has_loop;
  struct net_links up, down, loop;
  int zone;                    /* that it lies in; of the outermost zone -1 */
  int number;                  /* of a host in document order, from 0; of a zone its own; else -1 */
  int vertex;                  /* its place among the vertices of its zone; -1: none */
  int first_route, last_route; /* those from here, in document order; -1: none */
  int *tree;                   /* of the fewest links from here: by vertex, the route that enters it; owned */
};

/* Gateways are -1 where the ends are no zones. */
struct net_route {
  const xmlNode *node;
  int zone; /* where it is given */
  int from, to, gateway_from, gateway_to;
  struct net_links links;
  int next; /* with the same source */
};

struct net_table {
  int *slots; /* 1 + number of a route; 0: free */
  size_t capacity;
};

struct net_way;

struct network {
  const xml_file *file;
  tutti_platform *platform; /* with its hosts; both outlive the building, and all use of names */
  struct net_link loopback; /* SimGrid's own link of a host to itself, which is link 0 */
  /* Both NULL for whoever asks whether hosts reach each other; else routes are exact, links and hosts have their
     numbers in document order, and a torus and the like are somebody else's: */
  void (*lay)(void *owner, struct network *network, int zone); /* add its links */
  bool (*route)(const struct net_zone *zone, int from, int to, struct net_way *way);
  void *owner;
  struct net_zones {
    TUTTI_VECTOR(struct net_zone);
  } zones; /* the outermost one first */
  struct net_points {
    TUTTI_VECTOR(struct net_point);
  } points;
  struct net_routes {
    TUTTI_VECTOR(struct net_route);
  } routes, bypasses;
  struct {
    TUTTI_VECTOR(struct net_link);
  } links;
  struct net_list {
    TUTTI_VECTOR(uint32_t);
  } listed;
  struct {
    TUTTI_VECTOR(char *);
  } made; /* names that are in no file */
  struct net_table route_table, bypass_table;
  void *names;               /* 1 + number of a point (base/index.h) */
  void *link_names, *duplex; /* 1 + number of a link, of the upper one of two */
  void *traces;
  const xmlNode *hidden; /* the first one that names a link of a torus or the like */
  int host_count;
  int faults;
};

enum { NET_LOOPBACK = 0, NET_MAX_FAULTS = 8, NET_MAX_FLOYD = 1024 };

/* Read the file into a network whose members down to `owner` are given and whose others are 0, to be freed in any case:
   what SimGrid would not take is added to the findings of the platform, and counted. */
void tutti_routing_build(struct network *network);
void tutti_routing_free(struct network *network);

/* A finding of something that SimGrid ends at. */
void tutti_routing_refuse(struct network *network, const xmlNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- names ---- */

/* An element with that name. */
int tutti_routing_add_point(struct network *network, const xmlNode *node, enum point_kind kind, const char *name,
                            int zone);

/* The next host in document order. */
int tutti_routing_add_host(struct network *network, const xmlNode *node, int zone);

/* The point of a name; -1: there is none so far. Hosts of clusters become points when they are asked for. */
int tutti_routing_find(struct network *network, const char *name);

/* Host number @p index of a <cluster>, from 0. */
int tutti_routing_cluster_host(struct network *network, int zone, int index);

/* A name that is in no file. */
const char *tutti_routing_name(struct network *network, char *owned);

/* The link of a name, of a split one the upper; -1: there is none. */
int tutti_routing_find_link(struct network *network, const xmlNode *node, const char *name, bool split);

/* ---- links ---- */

/* An attribute with a unit; 0 without it. The file has been checked. */
double tutti_routing_number(const xmlNode *node, const char *attribute,
                            tutti_status (*parse)(const char *, double *, tutti_error *));
bool tutti_routing_has(const xmlNode *node, const char *attribute); /* and it is not empty */

bool tutti_routing_is_split(const char *policy); /* NULL: none */
bool tutti_routing_splits_cables(const xmlNode *cluster);

int tutti_routing_add_link(struct network *network, struct net_link link);

/* The link of an element, with its bandwidth= and latency=; with the policy of two, both, and the upper one is
   returned. */
int tutti_routing_name_link(struct network *network, const xmlNode *node, const char *name, const char *policy);

struct net_links tutti_routing_list(struct network *network, const uint32_t *links, size_t count);

/* The links of a host to the middle of its zone; of a <cluster>, all, by its backbone. */
void tutti_routing_join(struct network *network, int host, int up, int down, int backbone);
void tutti_routing_join_cluster(struct network *network, int host);
int tutti_routing_add_backbone(struct network *network, const xmlNode *cluster);

/* SimGrid makes the backbone of a zone, and the links of its hosts, at its end. */
void tutti_routing_close_zone(struct network *network, int zone);

/* ---- routes ---- */

/* <route>, <zoneRoute> and <ASroute>, and their bypass forms, of a zone. */
void tutti_routing_add_route(struct network *network, int zone, const xmlNode *node);
void tutti_routing_add_bypass(struct network *network, int zone, const xmlNode *node);

/* NULL: none is given. */
const struct net_route *tutti_routing_route(const struct network *network, int zone, int from, int to);
const struct net_route *tutti_routing_bypass(const struct network *network, int zone, int from, int to);

/* ---- ways ---- */

/* A way being put together. */
struct net_way {
  struct network *network;
  uint32_t links[ROUTE_MAX_LINKS];
  int count;
  double latency;
  int gateway_from, gateway_to; /* after a route between two zones; else -1 */
  int depth;                    /* of the calls under way */
  bool too_long;                /* links are left out */
  bool wifi;
  bool far; /* Vivaldi: the distance of two points is a latency */
};

/* Its links are left as they are: they are many. */
static inline void net_way_begin(struct net_way *way, struct network *network, double latency, int depth)
{
  way->network = network;
  way->count = 0;
  way->latency = latency;
  way->depth = depth;
  way->too_long = way->wifi = way->far = false;
}

void tutti_way_append(struct net_way *way, const uint32_t *links, uint32_t count);
void tutti_way_append_links(struct net_way *way, const struct net_links *links);

void tutti_links_turn(uint32_t *links, size_t count);

/* The route given between two points of a zone. Zones without zones inside have SimGrid's own loopback at each point
   that is not given one. */
bool tutti_zone_edge(const struct network *network, int zone, int from, int to, struct net_route *edge);

/* The route between two points of a zone, at the end of the way (of Dijkstra's at its beginning, as SimGrid has it).
   TUTTI_ERR_FAULT: a clause that says why SimGrid ends there. */
tutti_status tutti_zone_way(int zone, int from, int to, struct net_way *way, tutti_error *error);

tutti_status tutti_zone_walk_floyd(int zone, int from, int to, struct net_way *way, tutti_error *error);
tutti_status tutti_zone_walk_dijkstra(int zone, int from, int to, struct net_way *way, tutti_error *error);

/* The same between two points anywhere (SimGrid's get_global_route). It may have no links. */
tutti_status tutti_routing_way(int from, int to, struct net_way *way, tutti_error *error);

tutti_status tutti_routing_no_way(const struct network *network, int from, int to, tutti_error *error);

/* Refuse the first pair of hosts, in document order, of which one does not reach the other by a way that can carry a
   message. */
void tutti_routing_check_pairs(struct network *network);

#endif
