/* Links of a platform file, and those that join hosts to the middle of their zone: of <cluster>, <cabinet> and
   <host_link>. */
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "harness/platforms/routing.h"

double tutti_routing_number(const xmlNode *node, const char *attribute,
                            tutti_status (*parse)(const char *, double *, tutti_error *))
{
  const char *text = tutti_xml_attribute(node, attribute);
  double value = 0;
  if (text)
    parse(text, &value, NULL);
  return value;
}

bool tutti_routing_has(const xmlNode *node, const char *attribute)
{
  const char *value = tutti_xml_attribute(node, attribute);
  return value && *value;
}

bool tutti_routing_is_split(const char *policy)
{
  return policy && (strcmp(policy, "SPLITDUPLEX") == 0 || strcmp(policy, "FULLDUPLEX") == 0);
}

bool tutti_routing_splits_cables(const xmlNode *cluster)
{
  return !tutti_routing_has(cluster, "sharing_policy") ||
         tutti_routing_is_split(tutti_xml_attribute(cluster, "sharing_policy"));
}

static struct net_link link_of(const xmlNode *node, const char *bandwidth, const char *latency)
{
  return (struct net_link){.bandwidth = tutti_routing_number(node, bandwidth, tutti_platform_read_bandwidth),
                           .latency = tutti_routing_number(node, latency, tutti_platform_read_time)};
}

int tutti_routing_add_link(struct network *network, struct net_link link)
{
  tutti_xpush(&network->links, link);
  return (int)network->links.count - 1;
}

static int add_named(struct network *network, const xmlNode *node, const char *name, struct net_link link)
{
  size_t *known = tutti_index_number(&network->link_names, name);
  if (*known)
    tutti_routing_refuse(network, node, "link '%.80s' is there already", name);
  *known = (size_t)tutti_routing_add_link(network, link) + 1;
  return (int)*known - 1;
}

int tutti_routing_name_link(struct network *network, const xmlNode *node, const char *name, const char *policy)
{
  static const char *const directions[] = {"UP", "DOWN"};
  struct net_link link = link_of(node, "bandwidth", "latency");
  if (!tutti_routing_is_split(policy)) {
    link.fat_pipe = policy && strcmp(policy, "FATPIPE") == 0;
    link.wifi = policy && strcmp(policy, "WIFI") == 0;
    return add_named(network, node, name, link);
  }
  const int up = (int)network->links.count;
  *tutti_index_number(&network->duplex, name) = (size_t)up + 1;
  for (int i = 0; i < 2; i++) {
    char *one = tutti_xprintf("%s_%s", name, directions[i]);
    add_named(network, node, one, link);
    free(one);
  }
  return up;
}

struct net_links tutti_routing_list(struct network *network, const uint32_t *links, size_t count)
{
  const struct net_links list = {.first = (uint32_t)network->listed.count, .count = (uint32_t)count};
  for (size_t i = 0; i < count; i++)
    tutti_xpush(&network->listed, links[i]);
  return list;
}

/* ---- hosts at the middle of their zone ---- */

static void set_spoke(struct network *network, int point, const uint32_t *up, const uint32_t *down, size_t count)
{
  struct net_point *host = &network->points.items[point];
  host->up = tutti_routing_list(network, up, count);
  host->down = tutti_routing_list(network, down, count);
  host->has_up = host->has_down = true;
}

/* By a backbone (-1: without). */
void tutti_routing_join(struct network *network, int point, int up, int down, int backbone)
{
  const uint32_t rise[] = {(uint32_t)up, (uint32_t)backbone}, fall[] = {(uint32_t)backbone, (uint32_t)down};
  set_spoke(network, point, rise, backbone < 0 ? fall + 1 : fall, backbone < 0 ? 1 : 2);
}

int tutti_routing_add_backbone(struct network *network, const xmlNode *cluster)
{
  const char *policy = tutti_xml_attribute(cluster, "bb_sharing_policy");
  struct net_link link = link_of(cluster, "bb_bw", "bb_lat");
  link.fat_pipe = policy && strcmp(policy, "FATPIPE") == 0;
  return tutti_routing_has(cluster, "bb_bw") || tutti_routing_has(cluster, "bb_lat")
             ? tutti_routing_add_link(network, link)
             : -1;
}

static void add_loopback(struct network *network, int point, const xmlNode *cluster)
{
  if (!tutti_routing_has(cluster, "loopback_bw") && !tutti_routing_has(cluster, "loopback_lat"))
    return;
  struct net_link link = link_of(cluster, "loopback_bw", "loopback_lat");
  link.fat_pipe = link.apart = true;
  const uint32_t loopback = (uint32_t)tutti_routing_add_link(network, link);
  network->points.items[point].loop = tutti_routing_list(network, &loopback, 1);
  network->points.items[point].has_loop = true;
}

/* Limiter, cable, backbone, and the same back. Cables are shared in both ways unless they are split; SimGrid 3.32
   makes none a fat pipe. */
void tutti_routing_join_cluster(struct network *network, int point)
{
  const struct net_zone *zone = &network->zones.items[network->points.items[point].zone];
  const struct net_link cable = link_of(zone->node, "bw", "lat");
  uint32_t up[3], down[3], count = 0;
  if (zone->routing == ROUTING_REGULAR && network->lay)
    return;
  add_loopback(network, point, zone->node);
  struct net_link limiter = link_of(zone->node, "limiter_link", "");
  limiter.apart = true;
  if (tutti_routing_has(zone->node, "limiter_link"))
    up[count++] = (uint32_t)tutti_routing_add_link(network, limiter);
  const uint32_t first = up[count++] = (uint32_t)tutti_routing_add_link(network, cable);
  const uint32_t back =
      tutti_routing_splits_cables(zone->node) ? (uint32_t)tutti_routing_add_link(network, cable) : first;
  if (zone->backbone >= 0)
    up[count++] = (uint32_t)zone->backbone;
  for (uint32_t i = 0; i < count; i++)
    down[count - 1 - i] = up[i] == first ? back : up[i];
  set_spoke(network, point, up, down, count);
}

/* ---- the end of a zone ---- */

static int find_named(struct network *network, const xmlNode *node, const char *attribute)
{
  const int found = tutti_routing_find_link(network, node, tutti_xml_attribute(node, attribute), false);
  if (found < 0)
    tutti_routing_refuse(network, node, "<host_link> %s=\"%.80s\": there is no link of that name", attribute,
                         tutti_xml_attribute(node, attribute));
  return found;
}

/* Hosts of other zones keep their links. */
static void add_host_link(struct network *network, const xmlNode *node, int zone, int backbone)
{
  const int host = tutti_routing_find(network, tutti_xml_attribute(node, "id"));
  if (host < 0 || network->points.items[host].kind != POINT_HOST) {
    tutti_routing_refuse(network, node, "<host_link> id=\"%.80s\": there is no host of that name",
                         tutti_xml_attribute(node, "id"));
    return;
  }
  const int up = find_named(network, node, "up"), down = find_named(network, node, "down");
  if (up >= 0 && down >= 0 && network->points.items[host].zone == zone)
    tutti_routing_join(network, host, up, down, backbone);
}

/* Hosts of cabinets come after those with links of their own. SimGrid forgets <host_link> and <backbone> of other
   zones. */
void tutti_routing_close_zone(struct network *network, int zone)
{
  const xmlNode *parent = network->zones.items[zone].node;
  int backbone = -1, cabinets = 0;
  if (network->zones.items[zone].routing != ROUTING_CLUSTER)
    return;
  for (const xmlNode *node = tutti_xml_element_from(parent->children); node;
       node = tutti_xml_element_from(node->next)) {
    cabinets += tutti_xml_is(node, "cabinet");
    if (tutti_xml_is(node, "backbone"))
      backbone = tutti_routing_name_link(network, node, tutti_xml_attribute(node, "id"), NULL);
  }
  for (const xmlNode *node = tutti_xml_element_from(parent->children); node; node = tutti_xml_element_from(node->next))
    if (tutti_xml_is(node, "host_link"))
      add_host_link(network, node, zone, backbone);
  for (size_t i = (size_t)network->zones.items[zone].point; cabinets > 0 && i < network->points.count; i++)
    if (network->points.items[i].zone == zone && tutti_xml_is(network->points.items[i].node, "cabinet")) {
      const struct net_link cable = link_of(network->points.items[i].node, "bw", "lat");
      const int up = tutti_routing_add_link(network, cable);
      tutti_routing_join(network, (int)i, up, tutti_routing_add_link(network, cable), backbone);
    }
}
