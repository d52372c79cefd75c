/* The network of any platform file for the engine: what it refuses, processors, and the links and routes of a torus and
   the like within. */
#include "harness/engine/machine/zones.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "harness/platforms/platform_private.h"

/* ---- what the engine does not know ---- */

static tutti_status check_zone(struct machine_reading *r, const struct net_zone *zone)
{
  r->node = zone->node;
  if (zone->routing == ROUTING_VIVALDI || zone->routing == ROUTING_WIFI)
    return tutti_machine_refuse(r, "zones of routing %.20s", tutti_xml_attribute(r->node, "routing"));
  if (zone->routing == ROUTING_FLOYD && zone->vertices.count > NET_MAX_FLOYD)
    return tutti_machine_refuse(r, "zones of routing Floyd with more than %d parts", NET_MAX_FLOYD);
  return TUTTI_OK;
}

static tutti_status check_element(struct machine_reading *r)
{
  static const char known[] = "zone AS cluster host router link route zoneRoute ASroute bypassRoute bypassZoneRoute "
                              "bypassASroute cabinet backbone host_link prop config storage storage_type";
  if (!tutti_word_is_listed(known, ' ', (const char *)r->node->name))
    return tutti_machine_refuse(r, "<%.40s>", (const char *)r->node->name);
  const char *name, *path, *policy = tutti_xml_attribute(r->node, "sharing_policy");
  size_t at = 0;
  if (tutti_platform_next_file(r->node, &at, &name, &path))
    return tutti_machine_refuse(r, "%s=\"%.40s\": what changes while messages are on their way", name, path);
  if (tutti_xml_is(r->node, "link") &&
      ((policy && strcmp(policy, "WIFI") == 0) ||
       !(tutti_routing_number(r->node, "bandwidth", tutti_platform_read_bandwidth) > 0)))
    return tutti_machine_refuse(r, "a link that is wireless, or without one bandwidth");
  return TUTTI_OK;
}

/* The elements of zones; what is in a host or link is not looked at. */
static tutti_status check_elements(struct machine_reading *r)
{
  const xmlNode *root = tutti_xml_root(r->file);
  tutti_status status = TUTTI_OK;
  for (const xmlNode *node = root; node && status == TUTTI_OK; node = tutti_xml_next(node, root)) {
    r->node = node;
    if (node->type == XML_ELEMENT_NODE && node != root &&
        tutti_word_is_listed("platform zone AS", ' ', (const char *)node->parent->name))
      status = check_element(r);
  }
  return status;
}

static tutti_status check_all(struct machine_reading *r, const struct network *network)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i < network->zones.count && status == TUTTI_OK; i++)
    status = check_zone(r, &network->zones.items[i]);
  if (status != TUTTI_OK || !network->hidden)
    return status == TUTTI_OK ? check_elements(r) : status;
  r->node = network->hidden;
  return tutti_machine_refuse(r, "a route over the links of a torus, fat tree or dragonfly");
}

/* ---- a cluster whose routes are computed ---- */

/* Its links are numbered as there. */
static void lay(void *owner, struct network *network, int number)
{
  struct machine_reading *r = owner, inner = *r;
  struct net_zone *zone = &network->zones.items[number];
  struct engine_machine machine = {.network.host_count = (uint32_t)(network->host_count - zone->first_host)};
  inner.machine = &machine;
  inner.node = zone->node;
  if (r->status == TUTTI_OK)
    r->status = tutti_machine_read_cluster(&inner);
  if (r->status != TUTTI_OK)
    return;
  zone->laid = tutti_xmemdup(&machine.network, sizeof machine.network);
  zone->first_link = (uint32_t)network->links.count;
  for (uint32_t link = 0; link < machine.network.link_count; link++)
    tutti_routing_add_link(network, *tutti_network_kind(&machine.network, link));
}

static bool route_cluster(const struct net_zone *zone, int from, int to, struct net_way *way)
{
  struct engine_route route;
  if (!tutti_network_find(zone->laid, (uint32_t)from, (uint32_t)to, &route))
    return false;
  for (int i = 0; i < route.count; i++)
    route.links[i] += zone->first_link;
  tutti_way_append(way, route.links, (uint32_t)route.count);
  return true;
}

/* ---- the whole ---- */

static void read_hosts(struct engine_zones *zones)
{
  const struct network *network = &zones->network;
  zones->hosts = tutti_xcalloc((size_t)network->host_count + 1, sizeof *zones->hosts);
  zones->processors = tutti_xcalloc((size_t)network->host_count + 1, sizeof *zones->processors);
  for (size_t i = 0; i < network->points.count; i++) {
    const struct net_point *point = &network->points.items[i];
    if (point->kind != POINT_HOST)
      continue;
    zones->hosts[point->number] = (int)i;
    zones->processors[point->number] = tutti_machine_read_processor(point->node);
  }
}

tutti_status tutti_zones_read(struct machine_reading *r, struct engine_zones **zones)
{
  const int before = r->platform->finding_count;
  struct engine_zones *z = *zones = tutti_xcalloc(1, sizeof *z);
  z->network = (struct network){.file = r->file,
                                .platform = r->platform,
                                .loopback = {.bandwidth = r->machine->loopback_bandwidth,
                                             .latency = r->machine->loopback_latency,
                                             .fat_pipe = true,
                                             .apart = true},
                                .lay = lay,
                                .route = route_cluster,
                                .owner = r};
  tutti_routing_build(&z->network);
  if (r->status != TUTTI_OK)
    return r->status;
  if (z->network.faults > 0)
    return tutti_fail(r->error, TUTTI_ERR_ARGUMENT, "%s", r->platform->findings[before].message);
  read_hosts(z);
  return check_all(r, &z->network);
}

void tutti_zones_free(struct engine_zones *zones)
{
  if (!zones)
    return;
  tutti_routing_free(&zones->network);
  free(zones->hosts);
  free(zones->processors);
  free(zones);
}

bool tutti_zones_route(struct engine_zones *zones, uint32_t from, uint32_t to, struct engine_route *route)
{
  struct net_way way;
  net_way_begin(&way, &zones->network, 0, 0);
  if (tutti_routing_way(zones->hosts[from], zones->hosts[to], &way, NULL) != TUTTI_OK || way.too_long)
    return false;
  memcpy(route->links, way.links, (size_t)way.count * sizeof *way.links);
  route->count = way.count;
  route->latency = way.latency;
  return true;
}
