/* Zones from a platform file, in document order: what is inside a zone has its number by its place there. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/index.h"
#include "base/memory.h"
#include "harness/engine/machine/zones.h"
#include "harness/platforms/platform_private.h"

struct zones_reading {
  struct machine_reading *r;
  struct engine_zones *zones;
  uint32_t zone; /* the current one */
};

static tutti_status read_children(struct zones_reading *x, const xmlNode *parent);

static const char *text(const struct zones_reading *x, const char *attribute)
{
  return tutti_xml_attribute(x->r->node, attribute);
}

static bool is(const struct zones_reading *x, const char *attribute, const char *value)
{
  const char *found = text(x, attribute);
  return found && strcasecmp(found, value) == 0;
}

static tutti_status unknown(const struct zones_reading *x, const char *what, const char *name)
{
  return tutti_xml_fail(x->r->file, x->r->node, x->r->error, "no %s is called '%s'", what, name ? name : "");
}

/* The number of a name, in *number; false if there is none. */
static bool find(void *const *index, const char *name, uint32_t *number)
{
  const size_t found = name ? tutti_index_find(index, name) : 0;
  *number = (uint32_t)found - 1;
  return found > 0;
}

static tutti_status find_point(const struct zones_reading *x, const char *attribute, uint32_t *point)
{
  return find(&x->zones->names, text(x, attribute), point) ? TUTTI_OK
                                                           : unknown(x, "host, router or zone", text(x, attribute));
}

static uint32_t name_point(struct zones_reading *x, const char *name, uint32_t inner)
{
  const uint32_t point =
      inner != ENGINE_NONE ? x->zones->zones.items[inner].point : tutti_zones_add_point(x->zones, x->zone, ENGINE_NONE);
  *tutti_index_number(&x->zones->names, name) = point + 1;
  return point;
}

static struct zone *current(struct zones_reading *x)
{
  return &x->zones->zones.items[x->zone];
}

/* ---- hosts, routers, links ---- */

static uint32_t add_host(struct zones_reading *x, const char *name, double speed, int cores)
{
  const uint32_t point = name_point(x, name, ENGINE_NONE);
  engine_push(&x->zones->hosts, point);
  tutti_xpush(&x->zones->processors, (struct engine_processor){speed, cores});
  return x->zones->points.items[point].vertex;
}

static tutti_status read_host(struct zones_reading *x)
{
  const char *cores = text(x, "core");
  add_host(x, text(x, "id"), tutti_machine_read_speed(x->r), cores ? atoi(cores) : 1);
  return TUTTI_OK;
}

static tutti_status read_router(struct zones_reading *x)
{
  name_point(x, text(x, "id"), ENGINE_NONE);
  return TUTTI_OK;
}

static void name_link(struct zones_reading *x, const char *name, uint32_t link)
{
  *tutti_index_number(&x->zones->link_names, name) = link + 1;
}

/* Two links, the upper one first. */
static uint32_t add_duplex(struct zones_reading *x, const char *name, double bandwidth, double latency)
{
  static const char *const ways[] = {"UP", "DOWN"};
  uint32_t up = ENGINE_NONE;
  for (int i = 0; i < 2; i++) {
    const uint32_t link = tutti_zones_add_link(x->zones, bandwidth, latency, false);
    char *own = tutti_xprintf("%s_%s", name, ways[i]);
    name_link(x, own, link);
    free(own);
    up = i == 0 ? link : up;
  }
  *tutti_index_number(&x->zones->duplex_names, name) = up + 1;
  return up;
}

static double number(const struct zones_reading *x, const char *attribute,
                     tutti_status (*parse)(const char *, double *, tutti_error *))
{
  double value = 0;
  tutti_error ignored;
  if (text(x, attribute))
    parse(text(x, attribute), &value, &ignored);
  return value;
}

static bool is_split(const struct zones_reading *x)
{
  return is(x, "sharing_policy", "SPLITDUPLEX") || is(x, "sharing_policy", "FULLDUPLEX");
}

static tutti_status read_link(struct zones_reading *x)
{
  const double bandwidth = number(x, "bandwidth", tutti_platform_read_bandwidth),
               latency = number(x, "latency", tutti_platform_read_time);
  if (is(x, "sharing_policy", "WIFI") || !(bandwidth > 0))
    return tutti_machine_refuse(x->r, "a link that is wireless, or without one bandwidth");
  if (is_split(x))
    add_duplex(x, text(x, "id"), bandwidth, latency);
  else
    name_link(x, text(x, "id"), tutti_zones_add_link(x->zones, bandwidth, latency, is(x, "sharing_policy", "FATPIPE")));
  return TUTTI_OK;
}

/* ---- lists of links ---- */

static struct zone_links list_links(struct engine_zones *z, const uint32_t *links, uint32_t count)
{
  const struct zone_links list = {.first = (uint32_t)z->listed.count, .count = count};
  for (uint32_t i = 0; i < count; i++)
    engine_push(&z->listed, links[i]);
  return list;
}

/* A <link_ctn>; @p back: the link of the way back. */
static tutti_status read_part(struct zones_reading *x, bool back, uint32_t *link)
{
  const bool up = is(x, "direction", "UP"), down = is(x, "direction", "DOWN");
  void *const *index = up || down ? &x->zones->duplex_names : &x->zones->link_names;
  if (!find(index, text(x, "id"), link))
    return unknown(x, "link", text(x, "id"));
  *link += (up || down) && down != back;
  return TUTTI_OK;
}

/* The <link_ctn> below the current node, forth or back. */
static tutti_status read_parts(struct zones_reading *x, bool back, struct zone_links *list)
{
  const xmlNode *parent = x->r->node;
  struct engine_numbers links = {.count = 0};
  tutti_status status = TUTTI_OK;
  for (xmlNode *node = tutti_xml_element_from(parent->children); node && status == TUTTI_OK;
       node = tutti_xml_element_from(node->next)) {
    uint32_t link = ENGINE_NONE;
    x->r->node = node;
    if (tutti_xml_is(node, "link_ctn") && (status = read_part(x, back, &link)) == TUTTI_OK)
      engine_push(&links, link);
  }
  if (status == TUTTI_OK)
    x->r->node = parent;
  for (size_t i = 0; back && i < links.count / 2; i++) {
    const uint32_t other = links.items[links.count - 1 - i];
    links.items[links.count - 1 - i] = links.items[i];
    links.items[i] = other;
  }
  *list = list_links(x->zones, links.items, (uint32_t)links.count);
  tutti_vector_free(&links);
  return status;
}

/* ---- routes ---- */

struct ends {
  uint32_t from, to, gateway_from, gateway_to; /* points */
};

static tutti_status read_ends(struct zones_reading *x, struct ends *ends)
{
  *ends = (struct ends){.gateway_from = ENGINE_NONE, .gateway_to = ENGINE_NONE};
  tutti_status status = find_point(x, "src", &ends->from);
  if (status == TUTTI_OK)
    status = find_point(x, "dst", &ends->to);
  if (status == TUTTI_OK && text(x, "gw_src"))
    status = find_point(x, "gw_src", &ends->gateway_from);
  if (status == TUTTI_OK && text(x, "gw_dst"))
    status = find_point(x, "gw_dst", &ends->gateway_to);
  return status;
}

/* The vertex of a point in the current zone. */
static tutti_status vertex_of(const struct zones_reading *x, uint32_t point, uint32_t *vertex)
{
  *vertex = x->zones->points.items[point].vertex;
  return x->zones->points.items[point].zone == x->zone
             ? TUTTI_OK
             : tutti_machine_refuse(x->r, "a route between what is not in the zone itself");
}

static tutti_status add_edge(struct zones_reading *x, const struct ends *ends, bool back)
{
  struct zone_edge edge = {.gateway_from = ends->gateway_from, .gateway_to = ends->gateway_to};
  tutti_status status = vertex_of(x, ends->from, &edge.from);
  if (status == TUTTI_OK)
    status = vertex_of(x, ends->to, &edge.to);
  if (status == TUTTI_OK)
    status = read_parts(x, back, &edge.links);
  if (status == TUTTI_OK)
    tutti_xpush(&current(x)->edges, edge);
  return status;
}

static tutti_status read_star_route(struct zones_reading *x, const struct ends *ends)
{
  struct zone_links links;
  if (ends->from != ends->to)
    return tutti_machine_refuse(x->r, "a route in a zone of routing Cluster between two of its parts");
  const tutti_status status = read_parts(x, false, &links);
  struct zone_spoke *spoke = tutti_zones_spoke(current(x), x->zones->points.items[ends->from].vertex);
  spoke->has_up = spoke->has_down = spoke->up.count + spoke->down.count > 0;
  spoke->loopback = links;
  spoke->has_loopback = true;
  return status;
}

static tutti_status read_route(struct zones_reading *x)
{
  struct ends ends;
  tutti_status status = read_ends(x, &ends);
  if (status != TUTTI_OK)
    return status;
  if (current(x)->kind == ZONE_STAR)
    return read_star_route(x, &ends);
  status = add_edge(x, &ends, false);
  if (status != TUTTI_OK || is(x, "symmetrical", "no") || (ends.from == ends.to && current(x)->kind == ZONE_FULL))
    return status;
  return add_edge(x, &(struct ends){ends.to, ends.from, ends.gateway_to, ends.gateway_from}, true);
}

static tutti_status read_bypass(struct zones_reading *x)
{
  struct ends ends;
  struct zone_links links;
  tutti_status status = read_ends(x, &ends);
  if (status == TUTTI_OK)
    status = read_parts(x, false, &links);
  if (status == TUTTI_OK)
    tutti_xpush(&current(x)->bypass, (struct zone_edge){.from = ends.from,
                                                        .to = ends.to,
                                                        .gateway_from = ends.gateway_from,
                                                        .gateway_to = ends.gateway_to,
                                                        .links = links});
  return status;
}

/* ---- stars ---- */

static void set_spoke(struct zones_reading *x, uint32_t vertex, const uint32_t *up, uint32_t ups, const uint32_t *down,
                      uint32_t downs)
{
  const struct zone_links rise = list_links(x->zones, up, ups), fall = list_links(x->zones, down, downs);
  struct zone_spoke *spoke = tutti_zones_spoke(current(x), vertex);
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
      name_link(x, text(x, "id"),
                backbone = tutti_zones_add_link(x->zones, number(x, "bandwidth", tutti_platform_read_bandwidth),
                                                number(x, "latency", tutti_platform_read_time), false));
  }
  return backbone;
}

static tutti_status read_host_link(struct zones_reading *x, uint32_t backbone)
{
  uint32_t point, up, down;
  const tutti_status status = find_point(x, "id", &point);
  if (status != TUTTI_OK)
    return status;
  if (!find(&x->zones->link_names, text(x, "up"), &up))
    return unknown(x, "link", text(x, "up"));
  if (!find(&x->zones->link_names, text(x, "down"), &down))
    return unknown(x, "link", text(x, "down"));
  join_star(x, x->zones->points.items[point].vertex, up, down, backbone);
  return TUTTI_OK;
}

/* Names of the hosts of a <cluster> or <cabinet>. */
static tutti_status add_numbered(struct zones_reading *x,
                                 tutti_status (*add)(struct zones_reading *, int, const char *))
{
  int *numbers, count;
  tutti_status status = tutti_platform_expand_radical(text(x, "radical"), &numbers, &count, x->r->error);
  for (int i = 0; status == TUTTI_OK && i < count; i++) {
    char *name = tutti_xprintf("%s%d%s", text(x, "prefix"), numbers[i], text(x, "suffix"));
    status = add(x, numbers[i], name);
    free(name);
  }
  free(numbers);
  return status;
}

static tutti_status add_cabinet_host(struct zones_reading *x, int place, const char *name)
{
  (void)place;
  add_host(x, name, tutti_machine_read_speed(x->r), 1);
  return TUTTI_OK;
}

static tutti_status join_cabinet_host(struct zones_reading *x, uint32_t backbone, const char *name)
{
  uint32_t point = 0;
  const double bandwidth = number(x, "bw", tutti_platform_read_bandwidth),
               latency = number(x, "lat", tutti_platform_read_time);
  find(&x->zones->names, name, &point);
  const uint32_t up = tutti_zones_add_link(x->zones, bandwidth, latency, false);
  join_star(x, x->zones->points.items[point].vertex, up, tutti_zones_add_link(x->zones, bandwidth, latency, false),
            backbone);
  return TUTTI_OK;
}

/* SimGrid joins hosts to the middle at the end of the zone, when their links are known: those with links of their own
   first. */
static tutti_status join_hosts(struct zones_reading *x, const xmlNode *zone)
{
  const uint32_t backbone = read_backbone(x, zone);
  tutti_status status = TUTTI_OK;
  for (int cabinets = 0; cabinets < 2; cabinets++)
    for (xmlNode *node = tutti_xml_element_from(zone->children); node && status == TUTTI_OK;
         node = tutti_xml_element_from(node->next)) {
      x->r->node = node;
      if (!cabinets && tutti_xml_is(node, "host_link"))
        status = read_host_link(x, backbone);
      int *numbers = NULL, count = 0;
      if (cabinets && tutti_xml_is(node, "cabinet"))
        status = tutti_platform_expand_radical(text(x, "radical"), &numbers, &count, x->r->error);
      for (int i = 0; status == TUTTI_OK && i < count; i++) {
        char *name = tutti_xprintf("%s%d%s", text(x, "prefix"), numbers[i], text(x, "suffix"));
        status = join_cabinet_host(x, backbone, name);
        free(name);
      }
      free(numbers);
    }
  return status;
}

/* ---- clusters ---- */

/* What the hosts of a flat <cluster> share. */
static uint32_t add_backbone(struct zones_reading *x)
{
  if (!text(x, "bb_bw") && !text(x, "bb_lat"))
    return ENGINE_NONE;
  return tutti_zones_add_link(x->zones, number(x, "bb_bw", tutti_platform_read_bandwidth),
                              number(x, "bb_lat", tutti_platform_read_time), is(x, "bb_sharing_policy", "FATPIPE"));
}

static void add_loopback(struct zones_reading *x, uint32_t vertex)
{
  if (!text(x, "loopback_bw") && !text(x, "loopback_lat"))
    return;
  const uint32_t link = tutti_zones_add_link(x->zones, number(x, "loopback_bw", tutti_platform_read_bandwidth),
                                             number(x, "loopback_lat", tutti_platform_read_time), true);
  struct zone_spoke *spoke = tutti_zones_spoke(current(x), vertex);
  spoke->loopback = list_links(x->zones, &link, 1);
  spoke->has_loopback = true;
}

/* Limiter, cable, backbone, and the same back. Cables are shared in both ways unless they are split; SimGrid 3.32
   makes none a fat pipe. */
static void add_cluster_host(struct zones_reading *x, uint32_t vertex, uint32_t backbone)
{
  const double bandwidth = number(x, "bw", tutti_platform_read_bandwidth),
               latency = number(x, "lat", tutti_platform_read_time);
  const bool split = !text(x, "sharing_policy") || is_split(x);
  uint32_t links[3], back[3], count = 0;
  add_loopback(x, vertex);
  if (text(x, "limiter_link"))
    links[count++] = tutti_zones_add_link(x->zones, number(x, "limiter_link", tutti_platform_read_bandwidth), 0, false);
  const uint32_t cable = count;
  links[count++] = tutti_zones_add_link(x->zones, bandwidth, latency, false);
  const uint32_t down = split ? tutti_zones_add_link(x->zones, bandwidth, latency, false) : links[cable];
  if (backbone != ENGINE_NONE)
    links[count++] = backbone;
  for (uint32_t i = 0; i < count; i++)
    back[count - 1 - i] = i == cable ? down : links[i];
  set_spoke(x, vertex, links, count, back, count);
}

static tutti_status read_flat(struct zones_reading *x)
{
  const uint32_t backbone = add_backbone(x), first = (uint32_t)x->zones->hosts.count;
  const char *router = text(x, "router_id"), *cores = text(x, "core");
  int *numbers, count;
  const tutti_status status = tutti_platform_expand_radical(text(x, "radical"), &numbers, &count, x->r->error);
  if (status != TUTTI_OK)
    return status;
  for (int i = 0; i < count; i++) {
    char *name = tutti_xprintf("%s%d%s", text(x, "prefix"), numbers[i], text(x, "suffix"));
    add_host(x, name, tutti_machine_read_speed(x->r), cores ? atoi(cores) : 1);
    add_cluster_host(x, x->zones->points.items[x->zones->hosts.items[first + (uint32_t)i]].vertex, backbone);
    free(name);
  }
  char *own = router ? tutti_xstrdup(router)
                     : tutti_xprintf("%s%s_router%s", text(x, "prefix"), text(x, "id"), text(x, "suffix"));
  name_point(x, own, ENGINE_NONE);
  free(own);
  free(numbers);
  return TUTTI_OK;
}

/* Links of a network whose routes are computed: copied, as they are numbered there. */
static void copy_links(struct engine_zones *z, const struct engine_network *network)
{
  for (uint32_t link = 0; link < network->link_count; link++) {
    const struct engine_link_kind *kind = tutti_network_kind(network, link);
    tutti_zones_add_link(z, kind->bandwidth, kind->latency, kind->fat_pipe);
  }
}

static tutti_status add_plain_host(struct zones_reading *x, int place, const char *name)
{
  const char *cores = text(x, "core");
  (void)place;
  add_host(x, name, tutti_machine_read_speed(x->r), cores ? atoi(cores) : 1);
  return TUTTI_OK;
}

static tutti_status read_topology(struct zones_reading *x)
{
  struct engine_machine machine = {.network.host_count = 0};
  struct machine_reading inner = *x->r;
  const uint32_t before = (uint32_t)x->zones->hosts.count;
  tutti_status status = add_numbered(x, add_plain_host);
  inner.machine = &machine;
  machine.network.host_count = (uint32_t)x->zones->hosts.count - before;
  if (status == TUTTI_OK)
    status = tutti_machine_read_cluster(&inner);
  if (status != TUTTI_OK)
    return status;
  struct zone *zone = current(x);
  zone->network = tutti_xmemdup(&machine.network, sizeof machine.network);
  zone->first_link = (uint32_t)x->zones->links.count;
  copy_links(x->zones, zone->network);
  return TUTTI_OK;
}

static tutti_status read_cluster(struct zones_reading *x)
{
  const bool flat = !text(x, "topology") || is(x, "topology", "FLAT");
  const uint32_t parent = x->zone;
  x->zone = tutti_zones_add_zone(x->zones, flat ? ZONE_STAR : ZONE_CLUSTER, parent);
  name_point(x, text(x, "id"), x->zone);
  const tutti_status status = flat ? read_flat(x) : read_topology(x);
  x->zone = parent;
  return status;
}

/* ---- the tree ---- */

static int kind_of(const char *routing)
{
  static const struct {
    const char *word;
    enum zone_kind kind;
  } words[] = {{"None", ZONE_NONE},
               {"Full", ZONE_FULL},
               {"Floyd", ZONE_FLOYD},
               {"Dijkstra", ZONE_DIJKSTRA},
               {"DijkstraCache", ZONE_DIJKSTRA},
               {"Cluster", ZONE_STAR}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasecmp(words[i].word, routing) == 0)
      return (int)words[i].kind;
  return -1;
}

static tutti_status read_zone(struct zones_reading *x)
{
  const xmlNode *node = x->r->node;
  const int kind = kind_of(text(x, "routing"));
  const uint32_t parent = x->zone;
  if (kind < 0) {
    char *what = tutti_xprintf("zones of routing %.20s", text(x, "routing"));
    const tutti_status status = tutti_machine_refuse(x->r, what);
    free(what);
    return status;
  }
  x->zone = tutti_zones_add_zone(x->zones, (enum zone_kind)kind, parent);
  name_point(x, text(x, "id"), x->zone);
  tutti_status status = read_children(x, node);
  if (status == TUTTI_OK && kind == ZONE_STAR)
    status = join_hosts(x, node);
  x->zone = parent;
  return status;
}

static tutti_status read_cabinet(struct zones_reading *x)
{
  return add_numbered(x, add_cabinet_host);
}

static tutti_status skip(struct zones_reading *x)
{
  (void)x;
  return TUTTI_OK;
}

static const struct {
  const char *name;
  tutti_status (*read)(struct zones_reading *x);
} elements[] = {
    {"zone", read_zone},
    {"AS", read_zone},
    {"cluster", read_cluster},
    {"host", read_host},
    {"router", read_router},
    {"link", read_link},
    {"route", read_route},
    {"zoneRoute", read_route},
    {"ASroute", read_route},
    {"bypassRoute", read_bypass},
    {"bypassZoneRoute", read_bypass},
    {"bypassASroute", read_bypass},
    {"cabinet", read_cabinet},
    {"backbone", skip},  /* join_hosts() */
    {"host_link", skip}, /* the same */
    {"prop", skip},
    {"config", skip},
    {"storage", skip},
    {"storage_type", skip},
};

static tutti_status read_element(struct zones_reading *x)
{
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    if (tutti_xml_is(x->r->node, elements[i].name))
      return elements[i].read(x);
  char *what = tutti_xprintf("<%.40s>", (const char *)x->r->node->name);
  const tutti_status status = tutti_machine_refuse(x->r, what);
  free(what);
  return status;
}

static tutti_status read_children(struct zones_reading *x, const xmlNode *parent)
{
  tutti_status status = TUTTI_OK;
  for (xmlNode *node = tutti_xml_element_from(parent->children); node && status == TUTTI_OK;
       node = tutti_xml_element_from(node->next)) {
    x->r->node = node;
    status = read_element(x);
  }
  return status;
}

tutti_status tutti_zones_read(struct machine_reading *reading, struct engine_zones **zones)
{
  struct zones_reading x = {.r = reading, .zones = tutti_xcalloc(1, sizeof *x.zones), .zone = ENGINE_NONE};
  *zones = x.zones;
  x.zones->loopback =
      tutti_zones_add_link(x.zones, reading->machine->loopback_bandwidth, reading->machine->loopback_latency, true);
  engine_push(&x.zones->listed, x.zones->loopback);
  tutti_status status = read_children(&x, tutti_xml_root(reading->file));
  if (status == TUTTI_OK)
    status = tutti_zones_seal(x.zones, reading->error);
  return status;
}

void tutti_zones_free(struct engine_zones *z)
{
  if (!z)
    return;
  for (size_t i = 0; i < z->zones.count; i++) {
    struct zone *zone = &z->zones.items[i];
    for (uint32_t v = 0; zone->trees && v < zone->vertex_count; v++)
      free(zone->trees[v]);
    free(zone->trees);
    free(zone->nodes);
    free(zone->numbers);
    free(zone->predecessors);
    free(zone->network);
    tutti_vector_free(&zone->edges);
    tutti_vector_free(&zone->bypass);
    tutti_vector_free(&zone->created);
    tutti_vector_free(&zone->spokes);
  }
  tutti_index_free(&z->names);
  tutti_index_free(&z->link_names);
  tutti_index_free(&z->duplex_names);
  tutti_vector_free(&z->zones);
  tutti_vector_free(&z->points);
  tutti_vector_free(&z->links);
  tutti_vector_free(&z->hosts);
  tutti_vector_free(&z->listed);
  tutti_vector_free(&z->processors);
  free(z);
}
