/* The links and routes of zones, from a platform file. */
#include "harness/engine/machine/zones_xml.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/platform_private.h"

/* ---- lists of links ---- */

struct zone_links tutti_zones_list(struct engine_zones *z, const uint32_t *links, uint32_t count)
{
  const struct zone_links list = {.first = (uint32_t)z->listed.count, .count = count};
  for (uint32_t i = 0; i < count; i++)
    engine_push(&z->listed, links[i]);
  return list;
}

/* A <link_ctn>; @p back: the link of the way back. */
static tutti_status read_part(struct zones_reading *x, bool back, uint32_t *link)
{
  const bool up = tutti_zones_is(x, "direction", "UP"), down = tutti_zones_is(x, "direction", "DOWN");
  void *const *index = up || down ? &x->zones->duplex_names : &x->zones->link_names;
  if (!tutti_zones_find(index, tutti_zones_text(x, "id"), link))
    return tutti_zones_unknown(x, "link", tutti_zones_text(x, "id"));
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
  *list = tutti_zones_list(x->zones, links.items, (uint32_t)links.count);
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
  tutti_status status = tutti_zones_find_point(x, "src", &ends->from);
  if (status == TUTTI_OK)
    status = tutti_zones_find_point(x, "dst", &ends->to);
  if (status == TUTTI_OK && tutti_zones_text(x, "gw_src"))
    status = tutti_zones_find_point(x, "gw_src", &ends->gateway_from);
  if (status == TUTTI_OK && tutti_zones_text(x, "gw_dst"))
    status = tutti_zones_find_point(x, "gw_dst", &ends->gateway_to);
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
    tutti_xpush(&zones_current(x)->edges, edge);
  return status;
}

static tutti_status read_star_route(struct zones_reading *x, const struct ends *ends)
{
  struct zone_links links;
  if (ends->from != ends->to)
    return tutti_machine_refuse(x->r, "a route in a zone of routing Cluster between two of its parts");
  const tutti_status status = read_parts(x, false, &links);
  struct zone_spoke *spoke = tutti_zones_spoke(zones_current(x), x->zones->points.items[ends->from].vertex);
  spoke->has_up = spoke->has_down = spoke->up.count + spoke->down.count > 0;
  spoke->loopback = links;
  spoke->has_loopback = true;
  return status;
}

tutti_status tutti_zones_read_route(struct zones_reading *x)
{
  struct ends ends;
  tutti_status status = read_ends(x, &ends);
  if (status != TUTTI_OK)
    return status;
  if (zones_current(x)->kind == ZONE_STAR)
    return read_star_route(x, &ends);
  status = add_edge(x, &ends, false);
  if (status != TUTTI_OK || tutti_zones_is(x, "symmetrical", "no") ||
      (ends.from == ends.to && zones_current(x)->kind == ZONE_FULL))
    return status;
  return add_edge(x, &(struct ends){ends.to, ends.from, ends.gateway_to, ends.gateway_from}, true);
}

tutti_status tutti_zones_read_bypass(struct zones_reading *x)
{
  struct ends ends;
  struct zone_links links;
  tutti_status status = read_ends(x, &ends);
  if (status == TUTTI_OK)
    status = read_parts(x, false, &links);
  if (status == TUTTI_OK)
    tutti_xpush(&zones_current(x)->bypass, (struct zone_edge){.from = ends.from,
                                                              .to = ends.to,
                                                              .gateway_from = ends.gateway_from,
                                                              .gateway_to = ends.gateway_to,
                                                              .links = links});
  return status;
}
