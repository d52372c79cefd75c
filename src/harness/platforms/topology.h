/* The topology= and topo_parameters= of a <cluster>, and the distance of two of its hosts. */
#ifndef TUTTI_PLATFORMS_TOPOLOGY_H
#define TUTTI_PLATFORMS_TOPOLOGY_H

#include <stdbool.h>

#include "tutti/error.h"

/* The last one does not exist in SimGrid: it is several clusters (dragonfly_plus.h). */
enum topology_kind { TOPOLOGY_FLAT, TOPOLOGY_TORUS, TOPOLOGY_FAT_TREE, TOPOLOGY_DRAGONFLY, TOPOLOGY_DRAGONFLY_PLUS };

/* Levels of a dragonfly+: hosts of a leaf switch, leaf switches of a cell, cells. */
enum { PLUS_HOSTS, PLUS_LEAVES, PLUS_CELLS, PLUS_LEVELS };

/* Levels of a dragonfly. */
enum { DRAGONFLY_GROUPS, DRAGONFLY_CHASSIS, DRAGONFLY_ROUTERS, DRAGONFLY_NODES, DRAGONFLY_LEVELS };

enum { TOPOLOGY_MAX_LEVELS = 16 };

/* Most links on a route: a torus of 32 x 256 nodes has them. */
enum { ROUTE_MAX_LINKS = 384 };

struct net_link {
  double bandwidth; /* B/s */
  double latency;   /* seconds */
  bool fat_pipe;    /* each flow gets the whole bandwidth */
  bool wifi;
  bool apart; /* a loopback or a limiter: the edits latency= and bandwidth= leave it as it is */
};

struct topology {
  enum topology_kind kind;
  int levels;                       /* dimensions of a torus, levels of a fat tree; 0 if it is flat */
  long sizes[TOPOLOGY_MAX_LEVELS];  /* of dimensions; children of a switch, from the hosts up; members of each level */
  long up[TOPOLOGY_MAX_LEVELS];     /* of a fat tree: switches above each host or switch */
  long cables[TOPOLOGY_MAX_LEVELS]; /* to each of these; of a dragonfly: between two groups, chassis, routers */
  long hosts;                       /* -1: any number */
};

/* TUTTI_ERR_ARGUMENT if SimGrid could not read them, or reads beyond its arrays because of them, or if they describe
   too many hosts, then with topology->hosts above PLATFORM_MAX_HOSTS; either may be NULL. */
tutti_status tutti_topology_parse(const char *name, const char *parameters, struct topology *topology,
                                  tutti_error *error);

/* SimGrid's word for a kind, and its parameters; "" if it is flat. */
const char *tutti_topology_name(enum topology_kind kind);
enum { TOPOLOGY_TEXT_LENGTH = 3 * TOPOLOGY_MAX_LEVELS * 12 };
void tutti_topology_write(const struct topology *topology, char text[TOPOLOGY_TEXT_LENGTH]);

/* The text after "torus:" or another word; an error names the form @p form. Too many hosts as above. */
tutti_status tutti_topology_parse_shape(enum topology_kind kind, const char *shape, const char *form,
                                        struct topology *topology, tutti_error *error);

/* Whether SimGrid 3.32 has routes between all groups of a dragonfly. It goes to group g by router g of the current
   chassis, and does not check whether that exists. */
bool tutti_topology_has_routes(const struct topology *topology);

/* A router of a dragonfly. */
struct router {
  long group, chassis, router;
};

/* The one that a host is at. */
static inline struct router topology_router(const struct topology *topology, long host)
{
  const long *sizes = topology->sizes, router = host / sizes[DRAGONFLY_NODES],
             chassis = router / sizes[DRAGONFLY_ROUTERS];
  return (struct router){chassis / sizes[DRAGONFLY_CHASSIS], chassis % sizes[DRAGONFLY_CHASSIS],
                         router % sizes[DRAGONFLY_ROUTERS]};
}

/* Links between two hosts on the route that SimGrid 3.32 takes; 0 for the same host. */
int tutti_topology_distance(const struct topology *topology, long from, long to);

#endif
