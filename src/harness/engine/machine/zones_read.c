/* Zones from a platform file, in document order: what is inside a zone has its number by its place there. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/index.h"
#include "base/memory.h"
#include "harness/engine/machine/zones_xml.h"
#include "harness/platforms/platform_private.h"

const char *tutti_zones_text(const struct zones_reading *x, const char *attribute)
{
  return tutti_xml_attribute(x->r->node, attribute);
}

bool tutti_zones_is(const struct zones_reading *x, const char *attribute, const char *value)
{
  const char *found = tutti_zones_text(x, attribute);
  return found && strcasecmp(found, value) == 0;
}

tutti_status tutti_zones_unknown(const struct zones_reading *x, const char *what, const char *name)
{
  return tutti_xml_fail(x->r->file, x->r->node, x->r->error, "no %s is called '%s'", what, name ? name : "");
}

/* The number of a name, in *number; false if there is none. */
bool tutti_zones_find(void *const *index, const char *name, uint32_t *number)
{
  const size_t found = name ? tutti_index_find(index, name) : 0;
  *number = (uint32_t)found - 1;
  return found > 0;
}

tutti_status tutti_zones_find_point(const struct zones_reading *x, const char *attribute, uint32_t *point)
{
  return tutti_zones_find(&x->zones->names, tutti_zones_text(x, attribute), point)
             ? TUTTI_OK
             : tutti_zones_unknown(x, "host, router or zone", tutti_zones_text(x, attribute));
}

uint32_t tutti_zones_name_point(struct zones_reading *x, const char *name, uint32_t inner)
{
  const uint32_t point =
      inner != ENGINE_NONE ? x->zones->zones.items[inner].point : tutti_zones_add_point(x->zones, x->zone, ENGINE_NONE);
  *tutti_index_number(&x->zones->names, name) = point + 1;
  return point;
}

/* ---- hosts, routers, links ---- */

uint32_t tutti_zones_add_host(struct zones_reading *x, const char *name)
{
  const uint32_t point = tutti_zones_name_point(x, name, ENGINE_NONE);
  const char *cores = tutti_zones_text(x, "core");
  const struct engine_processor processor = {tutti_machine_read_speed(x->r), cores ? atoi(cores) : 1};
  engine_push(&x->zones->hosts, point);
  tutti_xpush(&x->zones->processors, processor);
  return x->zones->points.items[point].vertex;
}

static tutti_status read_host(struct zones_reading *x)
{
  tutti_zones_add_host(x, tutti_zones_text(x, "id"));
  return TUTTI_OK;
}

static tutti_status read_router(struct zones_reading *x)
{
  tutti_zones_name_point(x, tutti_zones_text(x, "id"), ENGINE_NONE);
  return TUTTI_OK;
}

void tutti_zones_name_link(struct zones_reading *x, const char *name, uint32_t link)
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
    tutti_zones_name_link(x, own, link);
    free(own);
    up = i == 0 ? link : up;
  }
  *tutti_index_number(&x->zones->duplex_names, name) = up + 1;
  return up;
}

double tutti_zones_number(const struct zones_reading *x, const char *attribute,
                          tutti_status (*parse)(const char *, double *, tutti_error *))
{
  double value = 0;
  tutti_error ignored;
  if (tutti_zones_text(x, attribute))
    parse(tutti_zones_text(x, attribute), &value, &ignored);
  return value;
}

bool tutti_zones_is_split(const struct zones_reading *x)
{
  return tutti_zones_is(x, "sharing_policy", "SPLITDUPLEX") || tutti_zones_is(x, "sharing_policy", "FULLDUPLEX");
}

static tutti_status read_link(struct zones_reading *x)
{
  const double bandwidth = tutti_zones_number(x, "bandwidth", tutti_platform_read_bandwidth),
               latency = tutti_zones_number(x, "latency", tutti_platform_read_time);
  if (tutti_zones_is(x, "sharing_policy", "WIFI") || !(bandwidth > 0))
    return tutti_machine_refuse(x->r, "a link that is wireless, or without one bandwidth");
  if (tutti_zones_is_split(x))
    add_duplex(x, tutti_zones_text(x, "id"), bandwidth, latency);
  else
    tutti_zones_name_link(
        x, tutti_zones_text(x, "id"),
        tutti_zones_add_link(x->zones, bandwidth, latency, tutti_zones_is(x, "sharing_policy", "FATPIPE")));
  return TUTTI_OK;
}

static tutti_status read_children(struct zones_reading *x, const xmlNode *parent);

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
  const int kind = kind_of(tutti_zones_text(x, "routing"));
  const uint32_t parent = x->zone;
  if (kind < 0) {
    char *what = tutti_xprintf("zones of routing %.20s", tutti_zones_text(x, "routing"));
    const tutti_status status = tutti_machine_refuse(x->r, what);
    free(what);
    return status;
  }
  x->zone = tutti_zones_add_zone(x->zones, (enum zone_kind)kind, parent);
  tutti_zones_name_point(x, tutti_zones_text(x, "id"), x->zone);
  tutti_status status = read_children(x, node);
  if (status == TUTTI_OK && kind == ZONE_STAR)
    status = tutti_zones_join_hosts(x, node);
  x->zone = parent;
  return status;
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
    {"cluster", tutti_zones_read_cluster},
    {"host", read_host},
    {"router", read_router},
    {"link", read_link},
    {"route", tutti_zones_read_route},
    {"zoneRoute", tutti_zones_read_route},
    {"ASroute", tutti_zones_read_route},
    {"bypassRoute", tutti_zones_read_bypass},
    {"bypassZoneRoute", tutti_zones_read_bypass},
    {"bypassASroute", tutti_zones_read_bypass},
    {"cabinet", tutti_zones_read_cabinet},
    {"backbone", skip},  /* tutti_zones_join_hosts() */
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
