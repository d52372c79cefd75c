#include "harness/platforms/dragonfly_plus.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/platforms/platform_private.h"

enum { ID_LENGTH = 64 };

struct reader {
  struct dragonfly_plus *plus;
  const xmlNode *zone; /* that holds all of it */
  const xmlNode *at;   /* the current element; NULL after the last */
  tutti_error *error;
};

static tutti_status refuse(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static tutti_status refuse(struct reader *r, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const tutti_status status = tutti_vfail(r->error, TUTTI_ERR_UNSUPPORTED, format, arguments);
  va_end(arguments);
  return status;
}

static bool has(const xmlNode *node, const char *attribute, const char *value)
{
  const char *own = tutti_xml_attribute(node, attribute);
  return own && strcmp(own, value) == 0;
}

/* ---- elements alike ---- */

static bool is_one_of(const char *name, const char *const *names)
{
  while (*names && strcmp(*names, name) != 0)
    names++;
  return *names != NULL;
}

/* Whether an element has no attributes except these. */
static bool has_only(const xmlNode *node, const char *const *names)
{
  for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
    if (!is_one_of((const char *)attribute->name, names))
      return false;
  return true;
}

/* Whether @p other has each attribute of @p node with its value, except for @p own ones. */
static bool is_covered(const xmlNode *node, const xmlNode *other, const char *const *own)
{
  for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next) {
    const char *name = (const char *)attribute->name;
    if (!is_one_of(name, own) && !has(other, name, tutti_xml_attribute(node, name)))
      return false;
  }
  return true;
}

static bool are_alike(const xmlNode *node, const xmlNode *other, const char *const *own)
{
  return is_covered(node, other, own) && is_covered(other, node, own);
}

/* The current element must be the next of its kind, called @p id, and equal to the first one. It becomes the first one,
   if that is missing. */
static tutti_status expect_element(struct reader *r, const char *element, const char *id, const char *const *own,
                                   const xmlNode **first)
{
  if (!r->at || !tutti_xml_is(r->at, element) || !has(r->at, "id", id))
    return refuse(r, "expected <%s id=\"%s\">", element, id);
  if (!*first)
    *first = r->at;
  if (!are_alike(r->at, *first, own))
    return refuse(r, "expected <%s id=\"%s\"> like \"%s\"", element, id, tutti_xml_attribute(*first, "id"));
  return TUTTI_OK;
}

static void step(struct reader *r)
{
  r->at = tutti_xml_element_from(r->at->next);
}

/* ---- leaves and spines ---- */

static tutti_status read_leaf(struct reader *r, long group, long leaf)
{
  static const char *const own[] = {"id", "radical", "router_id", NULL};
  const long *sizes = r->plus->topology.sizes, first = (group * sizes[PLUS_LEAVES] + leaf) * sizes[PLUS_HOSTS];
  char id[ID_LENGTH], router[ID_LENGTH], radical[ID_LENGTH];
  snprintf(id, sizeof id, "g%ld_l%ld", group, leaf);
  snprintf(router, sizeof router, "g%ld_l%ld_switch", group, leaf);
  snprintf(radical, sizeof radical, "%ld-%ld", first, first + sizes[PLUS_HOSTS] - 1);
  const tutti_status status = expect_element(r, "cluster", id, own, &r->plus->leaf);
  if (status != TUTTI_OK)
    return status;
  if (!has(r->at, "router_id", router) || !has(r->at, "radical", radical))
    return refuse(r, "expected router_id=\"%s\" and radical=\"%s\"", router, radical);
  step(r);
  return TUTTI_OK;
}

/* <zone id="g0_spines" routing="Full"><router id="g0_spine"/></zone> */
static tutti_status read_spines(struct reader *r, long group)
{
  static const char *const own[] = {"id", NULL};
  const xmlNode *first = NULL;
  char id[ID_LENGTH], router[ID_LENGTH];
  snprintf(id, sizeof id, "g%ld_spines", group);
  snprintf(router, sizeof router, "g%ld_spine", group);
  const tutti_status status = expect_element(r, "zone", id, own, &first);
  if (status != TUTTI_OK)
    return status;
  const xmlNode *child = tutti_xml_element_from(r->at->children);
  if (!has(r->at, "routing", "Full") || !child || !tutti_xml_is(child, "router") || !has(child, "id", router) ||
      tutti_xml_element_from(child->next))
    return refuse(r, "expected routing=\"Full\" and <router id=\"%s\"/>", router);
  step(r);
  return TUTTI_OK;
}

static tutti_status read_switches(struct reader *r)
{
  const long *sizes = r->plus->topology.sizes;
  tutti_status status = TUTTI_OK;
  for (long group = 0; group < sizes[PLUS_CELLS] && status == TUTTI_OK; group++) {
    for (long leaf = 0; leaf < sizes[PLUS_LEAVES] && status == TUTTI_OK; leaf++)
      status = read_leaf(r, group, leaf);
    if (status == TUTTI_OK)
      status = read_spines(r, group);
  }
  return status;
}

/* A node's cables are one link, and a backbone that is not shared has the bandwidth of one of them. */
static tutti_status check_leaf(struct reader *r)
{
  static const char *const known[] = {
      "id",        "prefix", "suffix", "radical",           "speed",          "core",        "bw",
      "lat",       "bb_bw",  "bb_lat", "bb_sharing_policy", "sharing_policy", "loopback_bw", "loopback_lat",
      "router_id", NULL};
  const xmlNode *leaf = r->plus->leaf;
  if (has_only(leaf, known) && has(leaf, "sharing_policy", "SPLITDUPLEX") &&
      (!tutti_xml_attribute(leaf, "bb_bw") || has(leaf, "bb_sharing_policy", "FATPIPE")))
    return TUTTI_OK;
  r->at = leaf;
  return refuse(r, "expected a flat cluster with sharing_policy=\"SPLITDUPLEX\" and without limiters, whose backbone, "
                   "if any, has bb_sharing_policy=\"FATPIPE\"");
}

/* ---- links and routes ---- */

/* A link that leads from one switch to another, or the route over it. */
struct cable {
  const char *from, *to; /* zones */
  const char *from_switch, *to_switch;
  char id[ID_LENGTH];
};

static tutti_status read_link(struct reader *r, const struct cable *cable, const xmlNode **first)
{
  static const char *const own[] = {"id", NULL};
  const tutti_status status = expect_element(r, "link", cable->id, own, first);
  if (status != TUTTI_OK)
    return status;
  if (!has(r->at, "sharing_policy", "SPLITDUPLEX"))
    return refuse(r, "expected sharing_policy=\"SPLITDUPLEX\"");
  step(r);
  return TUTTI_OK;
}

static bool is_route(const xmlNode *node, const struct cable *cable)
{
  static const char *const own[] = {"src", "dst", "gw_src", "gw_dst", NULL}, *const of_link[] = {"id", "direction",
                                                                                                 NULL};
  const xmlNode *link = node ? tutti_xml_element_from(node->children) : NULL;
  return link && tutti_xml_is(node, "zoneRoute") && has_only(node, own) && has(node, "src", cable->from) &&
         has(node, "dst", cable->to) && has(node, "gw_src", cable->from_switch) &&
         has(node, "gw_dst", cable->to_switch) && has_only(link, of_link) && has(link, "id", cable->id) &&
         has(link, "direction", "UP") && !tutti_xml_element_from(link->next);
}

static tutti_status read_route(struct reader *r, const struct cable *cable)
{
  if (!is_route(r->at, cable))
    return refuse(r, "expected <zoneRoute src=\"%s\" dst=\"%s\" gw_src=\"%s\" gw_dst=\"%s\"> over \"%s\" alone, UP",
                  cable->from, cable->to, cable->from_switch, cable->to_switch, cable->id);
  step(r);
  return TUTTI_OK;
}

static tutti_status read_cable(struct reader *r, const struct cable *cable, const xmlNode **first, bool routes)
{
  return routes ? read_route(r, cable) : read_link(r, cable, first);
}

static tutti_status read_uplink(struct reader *r, long group, long leaf, bool routes)
{
  char from[ID_LENGTH], from_switch[ID_LENGTH], to[ID_LENGTH], to_switch[ID_LENGTH];
  struct cable cable = {from, to, from_switch, to_switch, ""};
  snprintf(from, sizeof from, "g%ld_l%ld", group, leaf);
  snprintf(from_switch, sizeof from_switch, "g%ld_l%ld_switch", group, leaf);
  snprintf(to, sizeof to, "g%ld_spines", group);
  snprintf(to_switch, sizeof to_switch, "g%ld_spine", group);
  snprintf(cable.id, sizeof cable.id, "g%ld_l%ld_up", group, leaf);
  return read_cable(r, &cable, &r->plus->uplink, routes);
}

static tutti_status read_global(struct reader *r, long group, long other, bool routes)
{
  char from[ID_LENGTH], from_switch[ID_LENGTH], to[ID_LENGTH], to_switch[ID_LENGTH];
  struct cable cable = {from, to, from_switch, to_switch, ""};
  snprintf(from, sizeof from, "g%ld_spines", group);
  snprintf(from_switch, sizeof from_switch, "g%ld_spine", group);
  snprintf(to, sizeof to, "g%ld_spines", other);
  snprintf(to_switch, sizeof to_switch, "g%ld_spine", other);
  snprintf(cable.id, sizeof cable.id, "g%ld_g%ld", group, other);
  return read_cable(r, &cable, &r->plus->global, routes);
}

static tutti_status read_cables(struct reader *r, bool routes)
{
  const long *sizes = r->plus->topology.sizes;
  tutti_status status = TUTTI_OK;
  for (long group = 0; group < sizes[PLUS_CELLS]; group++) {
    for (long leaf = 0; leaf < sizes[PLUS_LEAVES] && status == TUTTI_OK; leaf++)
      status = read_uplink(r, group, leaf, routes);
    for (long other = group + 1; other < sizes[PLUS_CELLS] && status == TUTTI_OK; other++)
      status = read_global(r, group, other, routes);
  }
  return status;
}

/* ---- the file ---- */

static const xmlNode *first_cluster(const xml_file *file)
{
  const xmlNode *node = tutti_xml_element_from(tutti_platform_outermost(file)->children);
  while (node && !tutti_xml_is(node, "cluster"))
    node = tutti_xml_element_from(node->next);
  return node;
}

bool tutti_dragonfly_plus_begins(const xml_file *file)
{
  const xmlNode *cluster = first_cluster(file);
  return cluster && has(cluster, "id", "g0_l0") && has(cluster, "router_id", "g0_l0_switch");
}

/* Count leaves: clusters before the first other zone; and cells: zones. */
static tutti_status count(struct reader *r)
{
  struct topology *t = &r->plus->topology;
  int hosts = 0;
  long leaves = 0, zones = 0;
  for (const xmlNode *node = r->at; node; node = tutti_xml_element_from(node->next)) {
    zones += tutti_xml_is(node, "zone");
    leaves += tutti_xml_is(node, "cluster") && zones == 0;
  }
  if (leaves == 0 || !tutti_xml_is(r->at, "cluster") || zones == 0)
    return refuse(r, "expected <cluster id=\"g0_l0\">, and <zone id=\"g0_spines\"> after the leaf switches");
  const tutti_status status = tutti_edit_count_hosts(r->at, &hosts, r->error);
  *t = (struct topology){.kind = TOPOLOGY_DRAGONFLY_PLUS,
                         .levels = PLUS_LEVELS,
                         .sizes = {[PLUS_HOSTS] = hosts, [PLUS_LEAVES] = leaves, [PLUS_CELLS] = zones},
                         .hosts = (long)hosts * leaves * zones};
  return status;
}

static tutti_status read_all(struct reader *r)
{
  tutti_status status = TUTTI_OK;
  if (!has(r->zone, "routing", "Floyd") || !r->at)
    return refuse(r, "expected routing=\"Floyd\" and clusters");
  status = count(r);
  if (status == TUTTI_OK)
    status = read_switches(r);
  for (int routes = 0; routes < 2 && status == TUTTI_OK; routes++)
    status = read_cables(r, routes);
  if (status == TUTTI_OK && r->at)
    return refuse(r, "expected nothing more");
  return status == TUTTI_OK ? check_leaf(r) : status;
}

tutti_status tutti_dragonfly_plus_read(const xml_file *file, struct dragonfly_plus *plus, const xmlNode **at,
                                       tutti_error *error)
{
  const xmlNode *zone = tutti_platform_outermost(file);
  *plus = (struct dragonfly_plus){.leaf = NULL};
  struct reader r = {.plus = plus, .zone = zone, .at = tutti_xml_element_from(zone->children), .error = error};
  while (r.at && tutti_xml_is(r.at, "prop"))
    step(&r);
  const tutti_status status = read_all(&r);
  *at = r.at ? r.at : zone;
  return status;
}
