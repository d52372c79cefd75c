/* The network of a platform file, read in the order in which SimGrid 3.32 reads it: what a route names is given before
   it, except in <host_link>, which is looked at where its zone ends. */
#include "harness/platforms/routing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/index.h"
#include "base/memory.h"
#include "base/words.h"

void tutti_routing_refuse(struct network *network, const xmlNode *node, const char *format, ...)
{
  va_list arguments;
  if (network->faults++ >= NET_MAX_FAULTS)
    return;
  va_start(arguments, format);
  tutti_platform_report(network->file, network->platform, node, true, format, arguments);
  va_end(arguments);
}

/* ---- zones ---- */

static enum routing routing_of(const xmlNode *node)
{
  static const char *const words[] = {"Full", "Floyd", "Dijkstra", "Cluster", "Vivaldi", "None", "Wifi"};
  static const enum routing routings[] = {ROUTING_FULL,    ROUTING_FLOYD, ROUTING_DIJKSTRA, ROUTING_CLUSTER,
                                          ROUTING_VIVALDI, ROUTING_NONE,  ROUTING_WIFI};
  const char *routing = tutti_xml_attribute(node, "routing"), *topology = tutti_xml_attribute(node, "topology");
  for (size_t i = 0; routing && i < sizeof words / sizeof *words; i++)
    if (strcasecmp(routing, words[i]) == 0)
      return routings[i];
  return routing                                     ? ROUTING_DIJKSTRA /* with a cache */
         : topology && strcmp(topology, "FLAT") != 0 ? ROUTING_REGULAR
                                                     : ROUTING_CLUSTER;
}

/* No zone has the name of anything before it. */
static int add_zone(struct network *network, const xmlNode *node, int parent)
{
  const char *name = tutti_xml_attribute(node, "id");
  if (tutti_routing_find(network, name) >= 0)
    tutti_routing_refuse(network, node, "<%s> id=\"%.80s\": another host, router or zone has that name",
                         (const char *)node->name, name);
  const int point = tutti_routing_add_point(network, node, POINT_ZONE, name, parent);
  tutti_xpush(&network->zones, (struct net_zone){.node = node,
                                                 .point = point,
                                                 .parent = parent,
                                                 .routing = routing_of(node),
                                                 .first_host = network->host_count,
                                                 .backbone = -1,
                                                 .wifi = -1});
  network->points.items[point].number = (int)network->zones.count - 1;
  if (parent >= 0)
    network->zones.items[parent].outer = true;
  return (int)network->zones.count - 1;
}

/* A flat one has a router, which torus, fat tree and dragonfly lack. */
static void add_router(struct network *network, const xmlNode *node, int zone)
{
  const char *name =
      tutti_routing_has(node, "router_id")
          ? tutti_xml_attribute(node, "router_id")
          : tutti_routing_name(network,
                               tutti_xprintf("%s%s_router%s", tutti_xml_attribute(node, "prefix"),
                                             tutti_xml_attribute(node, "id"), tutti_xml_attribute(node, "suffix")));
  if (tutti_routing_find(network, name) >= 0)
    tutti_routing_refuse(network, node, "router '%.80s' of this <cluster>: that name is taken", name);
  tutti_routing_add_point(network, node, POINT_ROUTER, name, zone);
}

/* Where routes are exact all hosts are there, and their links. */
static void add_cluster(struct network *network, const xmlNode *node, int parent)
{
  const int zone = add_zone(network, node, parent), hosts = tutti_platform_count_hosts(node);
  network->host_count += network->zones.items[zone].hosts = hosts;
  if (network->zones.items[zone].routing == ROUTING_CLUSTER)
    network->zones.items[zone].backbone = tutti_routing_add_backbone(network, node);
  for (int i = 0; network->lay && i < hosts; i++)
    tutti_routing_cluster_host(network, zone, i);
  if (network->zones.items[zone].routing == ROUTING_CLUSTER)
    add_router(network, node, zone);
  else if (network->lay)
    network->lay(network->owner, network, zone);
}

/* ---- hosts, routers, links ---- */

static int count_items(const char *list, const char *separators)
{
  int count = 1;
  for (; *list; list++)
    count += strchr(separators, *list) != NULL;
  return count;
}

static void check_state(struct network *network, const xmlNode *node)
{
  const char *state = tutti_xml_attribute(node, "pstate"), *speeds = tutti_xml_attribute(node, "speed");
  if (state && speeds && strtol(state, NULL, 10) >= count_items(speeds, ","))
    tutti_routing_refuse(network, node, "<host> pstate=\"%.10s\": there is no such state among its speeds", state);
}

/* A host with a link up and one down of its own. */
static void add_peer(struct network *network, const xmlNode *node, int zone)
{
  static const char *const directions[] = {"UP", "DOWN"};
  const int host = tutti_routing_add_host(network, node, zone);
  int links[2];
  for (int i = 0; i < 2; i++) {
    char *name = tutti_xprintf("link_%s_%s", tutti_xml_attribute(node, "id"), directions[i]);
    links[i] = tutti_routing_name_link(network, node, name, NULL);
    free(name);
  }
  tutti_routing_join(network, host, links[0], links[1], -1);
}

static void add_point(struct network *network, const xmlNode *node, int zone)
{
  const bool router = tutti_xml_is(node, "router"), peer = tutti_xml_is(node, "peer");
  const char *name = tutti_xml_attribute(node, "id");
  if (router && tutti_routing_find(network, name) >= 0)
    tutti_routing_refuse(network, node, "<router> id=\"%.80s\": another host, router or zone has that name", name);
  if (peer && network->zones.items[zone].routing != ROUTING_VIVALDI)
    tutti_routing_refuse(network, node, "<peer>: only a zone with routing=\"Vivaldi\" has peers");
  check_state(network, node);
  if (router)
    tutti_routing_add_point(network, node, POINT_ROUTER, name, zone);
  else if (!peer)
    tutti_routing_add_host(network, node, zone);
  else
    add_peer(network, node, zone);
}

/* Its hosts get their links at the end of the zone. */
static void add_cabinet(struct network *network, const xmlNode *node, int zone)
{
  for (int left = tutti_platform_count_hosts(node); left > 0; left--)
    tutti_routing_add_host(network, node, zone);
}

/* A zone of Wifi has one link, whatever its policy. */
static void add_link(struct network *network, const xmlNode *node, int zone)
{
  struct net_zone *at = &network->zones.items[zone];
  const bool wifi = at->routing == ROUTING_WIFI;
  if (wifi && at->wifi >= 0)
    tutti_routing_refuse(network, node, "a second <link> in a zone with routing=\"Wifi\", which has one");
  if (wifi && tutti_routing_number(node, "latency", tutti_platform_parse_time) > 0)
    tutti_routing_refuse(network, node, "<link> latency=\"%.40s\": a link of Wifi has none",
                         tutti_xml_attribute(node, "latency"));
  if (!wifi && count_items(tutti_xml_attribute(node, "bandwidth"), ",;") != 1)
    tutti_routing_refuse(network, node, "<link> bandwidth=\"%.80s\": one is expected, except in a zone of Wifi",
                         tutti_xml_attribute(node, "bandwidth"));
  const int link = tutti_routing_name_link(network, node, tutti_xml_attribute(node, "id"),
                                           wifi ? "WIFI" : tutti_xml_attribute(node, "sharing_policy"));
  at->wifi = wifi ? link : -1;
}

static void note_trace(struct network *network, const xmlNode *node)
{
  size_t *known = tutti_index_number(&network->traces, tutti_xml_attribute(node, "id"));
  if (*known)
    tutti_routing_refuse(network, node, "<trace> id=\"%.80s\" is there already", tutti_xml_attribute(node, "id"));
  *known = 1;
}

/* ---- the walk ---- */

static bool is_any(const xmlNode *node, const char *names)
{
  return tutti_word_is_listed(names, ' ', (const char *)node->name);
}

static void walk(struct network *network, const xmlNode *parent, int zone);

static void add_element(struct network *network, const xmlNode *node, int zone)
{
  if (is_any(node, "zone AS"))
    walk(network, node, add_zone(network, node, zone));
  else if (tutti_xml_is(node, "cluster"))
    add_cluster(network, node, zone);
  else if (tutti_xml_is(node, "trace"))
    note_trace(network, node);
  else if (zone < 0)
    return;
  else if (is_any(node, "host router peer"))
    add_point(network, node, zone);
  else if (tutti_xml_is(node, "cabinet"))
    add_cabinet(network, node, zone);
  else if (tutti_xml_is(node, "link"))
    add_link(network, node, zone);
  else if (is_any(node, "route zoneRoute ASroute"))
    tutti_routing_add_route(network, zone, node);
  else if (is_any(node, "bypassRoute bypassZoneRoute bypassASroute"))
    tutti_routing_add_bypass(network, zone, node);
}

/* libxml2 limits the depth. */
static void walk(struct network *network, const xmlNode *parent, int zone)
{
  for (const xmlNode *node = tutti_xml_element_from(parent->children); node; node = tutti_xml_element_from(node->next))
    add_element(network, node, zone);
  if (zone >= 0)
    tutti_routing_close_zone(network, zone);
}

/* ---- at the end ---- */

static void check_connection(struct network *network, const xmlNode *node)
{
  const char *trace = tutti_xml_attribute(node, "trace"), *element = tutti_xml_attribute(node, "element");
  const char *kind = tutti_xml_attribute(node, "kind");
  const bool host = !kind || tutti_word_is_listed("HOST_AVAIL SPEED", ' ', kind);
  const int point = host ? tutti_routing_find(network, element) : -1;
  if (!tutti_index_find(&network->traces, trace))
    tutti_routing_refuse(network, node, "<trace_connect> trace=\"%.80s\": there is no <trace> of that name", trace);
  else if (host ? point < 0 || network->points.items[point].kind != POINT_HOST
                : tutti_routing_find_link(network, node, element, false) < 0)
    tutti_routing_refuse(network, node, "<trace_connect> element=\"%.80s\": there is no %s of that name", element,
                         host ? "host" : "link");
}

static void check_access_point(struct network *network, const struct net_zone *zone)
{
  for (const xmlNode *node = tutti_xml_element_from(zone->node->children); node;
       node = tutti_xml_element_from(node->next)) {
    if (!tutti_xml_is(node, "prop") || strcmp(tutti_xml_attribute(node, "id"), "access_point") != 0)
      continue;
    const int point = tutti_routing_find(network, tutti_xml_attribute(node, "value"));
    if (point < 0 || network->points.items[point].kind == POINT_ZONE)
      tutti_routing_refuse(network, node, "access_point=\"%.80s\": there is no host or router of that name",
                           tutti_xml_attribute(node, "value"));
  }
}

static void check_end(struct network *network)
{
  const xmlNode *root = tutti_xml_root(network->file);
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root))
    if (tutti_xml_is(node, "trace_connect"))
      check_connection(network, node);
  for (size_t i = 0; i < network->zones.count; i++)
    if (network->zones.items[i].routing == ROUTING_WIFI)
      check_access_point(network, &network->zones.items[i]);
}

void tutti_routing_build(struct network *network)
{
  const uint32_t loopback = (uint32_t)tutti_routing_add_link(network, network->loopback);
  tutti_routing_list(network, &loopback, 1);
  walk(network, tutti_xml_root(network->file), -1);
  check_end(network);
}

void tutti_routing_free(struct network *network)
{
  for (size_t i = 0; i < network->points.count; i++)
    free(network->points.items[i].tree);
  for (size_t i = 0; i < network->zones.count; i++) {
    tutti_vector_free(&network->zones.items[i].vertices);
    free(network->zones.items[i].before);
    free(network->zones.items[i].laid);
  }
  for (size_t i = 0; i < network->made.count; i++)
    free(network->made.items[i]);
  tutti_vector_free(&network->made);
  tutti_vector_free(&network->zones);
  tutti_vector_free(&network->points);
  tutti_vector_free(&network->routes);
  tutti_vector_free(&network->bypasses);
  tutti_vector_free(&network->links);
  tutti_vector_free(&network->listed);
  free(network->route_table.slots);
  free(network->bypass_table.slots);
  tutti_index_free(&network->names);
  tutti_index_free(&network->link_names);
  tutti_index_free(&network->duplex);
  tutti_index_free(&network->traces);
}
