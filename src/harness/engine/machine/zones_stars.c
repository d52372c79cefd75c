/* Zones whose hosts are joined to a middle, and clusters, from a platform file. */
#include "harness/engine/machine/zones_xml.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/platform_private.h"

/* ---- stars ---- */

static void set_spoke(struct zones_reading *x, uint32_t vertex, const uint32_t *up, uint32_t ups, const uint32_t *down,
                      uint32_t downs)
{
  const struct zone_links rise = tutti_zones_list(x->zones, up, ups), fall = tutti_zones_list(x->zones, down, downs);
  struct zone_spoke *spoke = tutti_zones_spoke(zones_current(x), vertex);
  spoke->up = rise;
  spoke->down = fall;
  spoke->has_up = spoke->has_down = true;
}

/* A host's links to the middle of the star, by a backbone (ENGINE_NONE: without). */
static void join_star(struct zones_reading *x, uint32_t vertex, uint32_t up, uint32_t down, uint32_t backbone)
{
  const uint32_t count = backbone == ENGINE_NONE ? 1 : 2;
  set_spoke(x, vertex, (const uint32_t[]){up, backbone}, count, count == 1 ? &down : (const uint32_t[]){backbone, down},
            count);
}

static uint32_t read_backbone(struct zones_reading *x, const xmlNode *zone)
{
  uint32_t backbone = ENGINE_NONE;
  for (xmlNode *node = tutti_xml_element_from(zone->children); node; node = tutti_xml_element_from(node->next)) {
    x->r->node = node;
    if (tutti_xml_is(node, "backbone"))
      tutti_zones_name_link(
          x, tutti_zones_text(x, "id"),
          backbone = tutti_zones_add_link(x->zones, tutti_zones_number(x, "bandwidth", tutti_platform_read_bandwidth),
                                          tutti_zones_number(x, "latency", tutti_platform_read_time), false));
  }
  return backbone;
}

static tutti_status read_host_link(struct zones_reading *x, uint32_t backbone)
{
  uint32_t point, up, down;
  const tutti_status status = tutti_zones_find_point(x, "id", &point);
  if (status != TUTTI_OK)
    return status;
  if (!tutti_zones_find(&x->zones->link_names, tutti_zones_text(x, "up"), &up))
    return tutti_zones_unknown(x, "link", tutti_zones_text(x, "up"));
  if (!tutti_zones_find(&x->zones->link_names, tutti_zones_text(x, "down"), &down))
    return tutti_zones_unknown(x, "link", tutti_zones_text(x, "down"));
  join_star(x, x->zones->points.items[point].vertex, up, down, backbone);
  return TUTTI_OK;
}

/* For each host of the current <cluster> or <cabinet>, with its name. */
static tutti_status each_numbered(struct zones_reading *x, uint32_t backbone,
                                  void (*do_it)(struct zones_reading *x, uint32_t backbone, const char *name))
{
  int *numbers, count;
  const tutti_status status =
      tutti_platform_expand_radical(tutti_zones_text(x, "radical"), &numbers, &count, x->r->error);
  for (int i = 0; status == TUTTI_OK && i < count; i++) {
    char *name = tutti_xprintf("%s%d%s", tutti_zones_text(x, "prefix"), numbers[i], tutti_zones_text(x, "suffix"));
    do_it(x, backbone, name);
    free(name);
  }
  if (status == TUTTI_OK)
    free(numbers);
  return status;
}

static void add_host(struct zones_reading *x, uint32_t backbone, const char *name)
{
  (void)backbone;
  tutti_zones_add_host(x, name);
}

tutti_status tutti_zones_read_cabinet(struct zones_reading *x)
{
  return each_numbered(x, ENGINE_NONE, add_host);
}

static void join_cabinet_host(struct zones_reading *x, uint32_t backbone, const char *name)
{
  uint32_t point = 0;
  const double bandwidth = tutti_zones_number(x, "bw", tutti_platform_read_bandwidth),
               latency = tutti_zones_number(x, "lat", tutti_platform_read_time);
  tutti_zones_find(&x->zones->names, name, &point);
  const uint32_t up = tutti_zones_add_link(x->zones, bandwidth, latency, false),
                 down = tutti_zones_add_link(x->zones, bandwidth, latency, false);
  join_star(x, x->zones->points.items[point].vertex, up, down, backbone);
}

tutti_status tutti_zones_join_hosts(struct zones_reading *x, const xmlNode *zone)
{
  const uint32_t backbone = read_backbone(x, zone);
  tutti_status status = TUTTI_OK;
  for (int cabinets = 0; cabinets < 2; cabinets++)
    for (xmlNode *node = tutti_xml_element_from(zone->children); node && status == TUTTI_OK;
         node = tutti_xml_element_from(node->next)) {
      x->r->node = node;
      if (!cabinets && tutti_xml_is(node, "host_link"))
        status = read_host_link(x, backbone);
      else if (cabinets && tutti_xml_is(node, "cabinet"))
        status = each_numbered(x, backbone, join_cabinet_host);
    }
  return status;
}

/* ---- clusters ---- */

/* What the hosts of a flat <cluster> share. */
static uint32_t add_backbone(struct zones_reading *x)
{
  if (!tutti_zones_text(x, "bb_bw") && !tutti_zones_text(x, "bb_lat"))
    return ENGINE_NONE;
  return tutti_zones_add_link(x->zones, tutti_zones_number(x, "bb_bw", tutti_platform_read_bandwidth),
                              tutti_zones_number(x, "bb_lat", tutti_platform_read_time),
                              tutti_zones_is(x, "bb_sharing_policy", "FATPIPE"));
}

static void add_loopback(struct zones_reading *x, uint32_t vertex)
{
  if (!tutti_zones_text(x, "loopback_bw") && !tutti_zones_text(x, "loopback_lat"))
    return;
  const uint32_t link =
      tutti_zones_add_link(x->zones, tutti_zones_number(x, "loopback_bw", tutti_platform_read_bandwidth),
                           tutti_zones_number(x, "loopback_lat", tutti_platform_read_time), true);
  struct zone_spoke *spoke = tutti_zones_spoke(zones_current(x), vertex);
  spoke->loopback = tutti_zones_list(x->zones, &link, 1);
  spoke->has_loopback = true;
}

/* Limiter, cable, backbone, and the same back. Cables are shared in both ways unless they are split; SimGrid 3.32
   makes none a fat pipe. */
static void add_cluster_host(struct zones_reading *x, uint32_t vertex, uint32_t backbone)
{
  const double bandwidth = tutti_zones_number(x, "bw", tutti_platform_read_bandwidth),
               latency = tutti_zones_number(x, "lat", tutti_platform_read_time);
  const bool split = !tutti_zones_text(x, "sharing_policy") || tutti_zones_is_split(x);
  uint32_t links[3], back[3], count = 0;
  add_loopback(x, vertex);
  if (tutti_zones_text(x, "limiter_link"))
    links[count++] =
        tutti_zones_add_link(x->zones, tutti_zones_number(x, "limiter_link", tutti_platform_read_bandwidth), 0, false);
  const uint32_t cable = count;
  links[count++] = tutti_zones_add_link(x->zones, bandwidth, latency, false);
  const uint32_t down = split ? tutti_zones_add_link(x->zones, bandwidth, latency, false) : links[cable];
  if (backbone != ENGINE_NONE)
    links[count++] = backbone;
  for (uint32_t i = 0; i < count; i++)
    back[count - 1 - i] = i == cable ? down : links[i];
  set_spoke(x, vertex, links, count, back, count);
}

static void add_flat_host(struct zones_reading *x, uint32_t backbone, const char *name)
{
  add_cluster_host(x, tutti_zones_add_host(x, name), backbone);
}

static tutti_status read_flat(struct zones_reading *x)
{
  const char *router = tutti_zones_text(x, "router_id");
  const tutti_status status = each_numbered(x, add_backbone(x), add_flat_host);
  char *name = router ? tutti_xstrdup(router)
                      : tutti_xprintf("%s%s_router%s", tutti_zones_text(x, "prefix"), tutti_zones_text(x, "id"),
                                      tutti_zones_text(x, "suffix"));
  tutti_zones_name_point(x, name, ENGINE_NONE);
  free(name);
  return status;
}

/* Links of a network whose routes are computed: copied, as they are numbered there. */
static void copy_links(struct engine_zones *z, const struct engine_network *network)
{
  for (uint32_t link = 0; link < network->link_count; link++) {
    const struct engine_link_kind *kind = tutti_network_kind(network, link);
    tutti_zones_add_link(z, kind->bandwidth, kind->latency, kind->fat_pipe);
  }
}

static tutti_status read_topology(struct zones_reading *x)
{
  struct engine_machine machine = {.network.host_count = 0};
  struct machine_reading inner = *x->r;
  const uint32_t before = (uint32_t)x->zones->hosts.count;
  tutti_status status = each_numbered(x, ENGINE_NONE, add_host);
  inner.machine = &machine;
  machine.network.host_count = (uint32_t)x->zones->hosts.count - before;
  if (status == TUTTI_OK)
    status = tutti_machine_read_cluster(&inner);
  if (status != TUTTI_OK)
    return status;
  struct zone *zone = zones_current(x);
  zone->network = tutti_xmemdup(&machine.network, sizeof machine.network);
  zone->first_link = (uint32_t)x->zones->links.count;
  copy_links(x->zones, zone->network);
  return TUTTI_OK;
}

tutti_status tutti_zones_read_cluster(struct zones_reading *x)
{
  const bool flat = !tutti_zones_text(x, "topology") || tutti_zones_is(x, "topology", "FLAT");
  const uint32_t parent = x->zone;
  x->zone = tutti_zones_add_zone(x->zones, flat ? ZONE_STAR : ZONE_CLUSTER, parent);
  tutti_zones_name_point(x, tutti_zones_text(x, "id"), x->zone);
  const tutti_status status = flat ? read_flat(x) : read_topology(x);
  x->zone = parent;
  return status;
}
