/* Names of hosts, routers, zones and links of a platform file, as SimGrid 3.32 knows them. */
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "harness/platforms/routing.h"

/* ---- hosts, routers, zones ---- */

int tutti_routing_add_point(struct network *network, enum point_kind kind, const char *name, int zone)
{
  tutti_xpush(&network->points, (struct net_point){.name = tutti_xstrdup(name),
                                                   .kind = kind,
                                                   .zone = zone,
                                                   .self = -1,
                                                   .host = -1,
                                                   .up = -1,
                                                   .down = -1,
                                                   .loop = -1,
                                                   .first_route = -1});
  *tutti_index_number(&network->names, name) = network->points.count; /* of equal names SimGrid finds the last one */
  return (int)network->points.count - 1;
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

/* The number at @p place of a radical. */
static int number_at(const char *radical, int place)
{
  int first, last;
  for (const char *at = radical; (at = tutti_platform_parse_number(at, &first)); at++) {
    last = first;
    if (*at == '-' && !(at = tutti_platform_parse_number(at + 1, &last)))
      break;
    if (place <= last - first)
      return first + place;
    place -= last - first + 1;
    if (*at == '\0')
      break;
  }
  return -1;
}

/* Its links are there: one up and down, a loopback if it has one. */
static int add_cluster_host(struct network *network, int zone, const char *name, int place)
{
  const xmlNode *node = network->zones.items[zone].node;
  const int made = tutti_routing_add_point(network, POINT_HOST, name, zone);
  struct net_point *point = &network->points.items[made];
  point->host = network->zones.items[zone].first_host + place;
  point->linked = true;
  point->up = point->down = 1;
  const char *loopback = tutti_xml_attribute(node, "loopback_bw");
  point->loop = loopback && *loopback ? 1 : -1;
  return made;
}

int tutti_routing_cluster_host(struct network *network, int zone, int index)
{
  const xmlNode *node = network->zones.items[zone].node;
  char *name =
      tutti_xprintf("%s%d%s", tutti_xml_attribute(node, "prefix"),
                    number_at(tutti_xml_attribute(node, "radical"), index), tutti_xml_attribute(node, "suffix"));
  const size_t known = tutti_index_find(&network->names, name);
  const int point = known ? (int)known - 1 : add_cluster_host(network, zone, name, index);
  free(name);
  return point;
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
    if (place >= 0)
      return add_cluster_host(network, (int)i, name, place);
  }
  return -1;
}

/* ---- links ---- */

static void add_one(struct network *network, const xmlNode *node, const char *name, size_t kind)
{
  size_t *known = tutti_index_number(&network->links, name);
  if (*known)
    tutti_routing_refuse(network, node, "link '%.80s' is there already", name);
  *known = kind;
}

void tutti_routing_add_link(struct network *network, const xmlNode *node, const char *name, const char *policy)
{
  if (!policy || (strcmp(policy, "SPLITDUPLEX") != 0 && strcmp(policy, "FULLDUPLEX") != 0)) {
    add_one(network, node, name, policy && strcmp(policy, "WIFI") == 0 ? NET_WIFI : NET_LINK);
    return;
  }
  static const char *const directions[] = {"UP", "DOWN"};
  *tutti_index_number(&network->split, name) = NET_LINK;
  for (int i = 0; i < 2; i++) {
    char *one = tutti_xprintf("%s_%s", name, directions[i]);
    add_one(network, node, one, NET_LINK);
    free(one);
  }
}

static bool is_given(const xmlNode *node, const char *attribute)
{
  const char *value = tutti_xml_attribute(node, attribute);
  return value && *value;
}

/* What follows CLUSTER_link_: a number of its radical, and what kind of link it is. */
static bool is_link_of_host(const xmlNode *cluster, const char *name, bool directed)
{
  const char *policy = tutti_xml_attribute(cluster, "sharing_policy");
  const bool split = !policy || strstr(policy, "DUPLEX");
  const size_t digits = strspn(name, "0123456789");
  if (digits == 0 || digits > 9 || place_in(tutti_xml_attribute(cluster, "radical"), atoi(name)) < 0)
    return false;
  name += digits;
  if (directed)
    return split && *name == '\0';
  return (*name == '\0' && !split) || (split && (strcmp(name, "_UP") == 0 || strcmp(name, "_DOWN") == 0)) ||
         (strcmp(name, "_loopback") == 0 && is_given(cluster, "loopback_bw")) ||
         (strcmp(name, "_limiter") == 0 && is_given(cluster, "limiter_link"));
}

/* Links that a <cluster> makes are called CLUSTER_backbone, CLUSTER_link_NUMBER and more. Those of a torus and its like
   are taken as they come. */
static bool is_of_cluster(const struct network *network, const char *name, bool directed)
{
  static const char link[] = "_link_";
  for (size_t i = 0; i < network->zones.count; i++) {
    const struct net_zone *zone = &network->zones.items[i];
    const char *id = tutti_xml_is(zone->node, "cluster") ? tutti_xml_attribute(zone->node, "id") : "";
    const size_t length = strlen(id);
    if (length == 0 || strncmp(name, id, length) != 0)
      continue;
    if (strcmp(name + length, "_backbone") == 0)
      return !directed && is_given(zone->node, "bb_bw");
    if (strncmp(name + length, link, strlen(link)) == 0)
      return zone->routing == ROUTING_REGULAR || is_link_of_host(zone->node, name + length + strlen(link), directed);
  }
  return false;
}

int tutti_routing_find_link(struct network *network, const char *name, const char *direction)
{
  const bool split = direction && strcmp(direction, "NONE") != 0;
  const size_t known = tutti_index_find(split ? &network->split : &network->links, name);
  if (known)
    return (int)known;
  return is_of_cluster(network, name, split) ? NET_LINK : 0;
}
