/* Names of hosts, routers, zones and links of a platform file, as SimGrid 3.32 knows them. */
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "harness/platforms/routing.h"

/* ---- hosts, routers, zones ---- */

int tutti_routing_add_point(struct network *network, const xmlNode *node, enum point_kind kind, const char *name,
                            int zone)
{
  const int made = (int)network->points.count;
  tutti_xpush(&network->points, (struct net_point){.name = name,
                                                   .node = node,
                                                   .kind = kind,
                                                   .zone = zone,
                                                   .number = -1,
                                                   .vertex = -1,
                                                   .has_up = true,
                                                   .has_down = true,
                                                   .first_route = -1});
  struct net_zone *around = zone >= 0 ? &network->zones.items[zone] : NULL;
  if (around && around->routing == ROUTING_FLOYD) {
    network->points.items[made].vertex = (int)around->vertices.count;
    tutti_xpush(&around->vertices, made);
  }
  *tutti_index_number(&network->names, name) = network->points.count; /* of equal names SimGrid finds the last one */
  return made;
}

int tutti_routing_add_host(struct network *network, const xmlNode *node, int zone)
{
  const int host = network->host_count++;
  const int made = tutti_routing_add_point(network, node, POINT_HOST, network->platform->hosts[host], zone);
  network->points.items[made].number = host;
  return made;
}

const char *tutti_routing_name(struct network *network, char *owned)
{
  tutti_xpush(&network->made, owned);
  return owned;
}

/* Which of the numbers of a radical it is, from 0; -1: none. */
static int place_in(const char *radical, int number)
{
  int place = 0, first, last;
  for (const char *at = radical; (at = tutti_platform_parse_number(at, &first)); at++) {
    last = first;
    if (*at == '-' && !(at = tutti_platform_parse_number(at + 1, &last)))
      break;
    if (first <= number && number <= last)
      return place + number - first;
    place += last - first + 1;
    if (*at == '\0')
      break;
  }
  return -1;
}

static int add_cluster_host(struct network *network, int zone, int place)
{
  const struct net_zone *cluster = &network->zones.items[zone];
  const int host = cluster->first_host + place;
  const int made = tutti_routing_add_point(network, cluster->node, POINT_HOST, network->platform->hosts[host], zone);
  network->points.items[made].number = host;
  tutti_routing_join_cluster(network, made);
  return made;
}

int tutti_routing_cluster_host(struct network *network, int zone, int index)
{
  const char *name = network->platform->hosts[network->zones.items[zone].first_host + index];
  const size_t known = tutti_index_find(&network->names, name);
  return known ? (int)known - 1 : add_cluster_host(network, zone, index);
}

/* The place of a name among the hosts of a cluster; -1: it is none of them. */
static int place_of(const xmlNode *cluster, const char *name)
{
  const char *prefix = tutti_xml_attribute(cluster, "prefix"), *suffix = tutti_xml_attribute(cluster, "suffix");
  const size_t length = strlen(name), before = strlen(prefix), after = strlen(suffix);
  if (length <= before + after || memcmp(name, prefix, before) != 0 || strcmp(name + length - after, suffix) != 0)
    return -1;
  const size_t digits = strspn(name + before, "0123456789");
  if (digits != length - before - after || digits > 9 || (digits > 1 && name[before] == '0'))
    return -1;
  return place_in(tutti_xml_attribute(cluster, "radical"), atoi(name + before));
}

int tutti_routing_find(struct network *network, const char *name)
{
  const size_t known = tutti_index_find(&network->names, name);
  if (known)
    return (int)known - 1;
  for (size_t i = 0; i < network->zones.count; i++) {
    const xmlNode *node = network->zones.items[i].node;
    const int place = tutti_xml_is(node, "cluster") ? place_of(node, name) : -1;
    if (place >= 0 && place < network->zones.items[i].hosts)
      return add_cluster_host(network, (int)i, place);
  }
  return -1;
}

/* ---- links ---- */

/* What follows CLUSTER_link_: a number of its radical, and what kind of link it is. */
static int find_link_of_host(struct network *network, int zone, const char *name, bool directed)
{
  const xmlNode *node = network->zones.items[zone].node;
  const bool limited = tutti_routing_has(node, "limiter_link");
  const bool split = tutti_routing_splits_cables(node);
  const size_t digits = strspn(name, "0123456789");
  const int place = digits == 0 || digits > 9 ? -1 : place_in(tutti_xml_attribute(node, "radical"), atoi(name));
  if (place < 0 || place >= network->zones.items[zone].hosts)
    return -1;
  const int point = tutti_routing_cluster_host(network, zone, place);
  const struct net_point *host = &network->points.items[point];
  if (host->zone != zone || host->kind != POINT_HOST) /* another one has its name */
    return -1;
  const uint32_t *listed = network->listed.items;
  const int up = (int)listed[host->up.first + limited];
  name += digits;
  if (*name == '\0' && split == directed)
    return up;
  if (split && !directed && (strcmp(name, "_UP") == 0 || strcmp(name, "_DOWN") == 0))
    return up + (name[1] == 'D');
  if (!directed && host->has_loop && strcmp(name, "_loopback") == 0)
    return (int)listed[host->loop.first];
  return !directed && limited && strcmp(name, "_limiter") == 0 ? (int)listed[host->up.first] : -1;
}

/* Links that a <cluster> makes are called CLUSTER_backbone, CLUSTER_link_NUMBER and more. Those of a torus and its like
   are taken as they come. */
static int find_of_cluster(struct network *network, const xmlNode *node, const char *name, bool directed)
{
  static const char link[] = "_link_";
  for (size_t i = 0; i < network->zones.count; i++) {
    const struct net_zone *zone = &network->zones.items[i];
    const char *id = tutti_xml_is(zone->node, "cluster") ? tutti_xml_attribute(zone->node, "id") : "";
    const size_t length = strlen(id);
    if (length == 0 || strncmp(name, id, length) != 0)
      continue;
    if (strcmp(name + length, "_backbone") == 0)
      return directed ? -1 : zone->backbone;
    if (strncmp(name + length, link, strlen(link)) != 0)
      continue;
    if (zone->routing != ROUTING_REGULAR)
      return find_link_of_host(network, (int)i, name + length + strlen(link), directed);
    network->hidden = network->hidden ? network->hidden : node;
    return NET_LOOPBACK;
  }
  return -1;
}

int tutti_routing_find_link(struct network *network, const xmlNode *node, const char *name, bool split)
{
  const size_t known = tutti_index_find(split ? &network->duplex : &network->link_names, name);
  return known ? (int)known - 1 : find_of_cluster(network, node, name, split);
}
