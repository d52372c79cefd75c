/* What attributes and properties of a platform file mean. */
#include <string.h>

#include "platforms/platform_edit_private.h"

/* The attributes of all elements, then the options and properties of <prop>. */
static const struct meaning {
  const char *name;
  enum edit_kind kind;
  unsigned touches;
} attributes[] =
    {
        {"lat", EDIT_TIME, TOUCHES_LATENCY},
        {"bb_lat", EDIT_TIME, TOUCHES_LATENCY},
        {"latency", EDIT_TIME, TOUCHES_LATENCY},
        {"loopback_lat", EDIT_TIME, 0},
        {"bw", EDIT_BANDWIDTH, TOUCHES_BANDWIDTH},
        {"bb_bw", EDIT_BANDWIDTH, TOUCHES_BANDWIDTH},
        {"bw_in", EDIT_BANDWIDTH, TOUCHES_BANDWIDTH},
        {"bw_out", EDIT_BANDWIDTH, TOUCHES_BANDWIDTH},
        {"limiter_link", EDIT_BANDWIDTH, TOUCHES_BANDWIDTH},
        {"bandwidth", EDIT_BANDWIDTHS, TOUCHES_BANDWIDTH},
        {"loopback_bw", EDIT_BANDWIDTH, 0},
        {"read_bw", EDIT_BANDWIDTH, 0},
        {"write_bw", EDIT_BANDWIDTH, 0},
        {"speed", EDIT_SPEEDS, TOUCHES_SPEED},
        {"sharing_policy", EDIT_TEXT, TOUCHES_BANDWIDTH},
        {"topology", EDIT_TEXT, TOUCHES_LATENCY | TOUCHES_BANDWIDTH},
        {"topo_parameters", EDIT_TEXT, TOUCHES_LATENCY | TOUCHES_BANDWIDTH},
},
  options[] = {
      {"smpi/os", EDIT_PIECES, TOUCHES_OVERHEAD},
      {"smpi/ois", EDIT_PIECES, TOUCHES_OVERHEAD},
      {"smpi/or", EDIT_PIECES, TOUCHES_OVERHEAD},
      {"smpi/lat-factor", EDIT_PIECES, TOUCHES_LATENCY},
      {"smpi/bw-factor", EDIT_PIECES, TOUCHES_BANDWIDTH},
      {"smpi/host-speed", EDIT_SPEEDS, TOUCHES_SPEED},
      {"smpi/async-small-thresh", EDIT_TEXT, TOUCHES_LATENCY | TOUCHES_OVERHEAD},
      {"smpi/send-is-detached-thresh", EDIT_TEXT, TOUCHES_LATENCY | TOUCHES_OVERHEAD},
      {"network/latency-factor", EDIT_TEXT, TOUCHES_LATENCY},
      {"network/bandwidth-factor", EDIT_TEXT, TOUCHES_BANDWIDTH},
      {"network/weight-S", EDIT_TEXT, TOUCHES_LATENCY | TOUCHES_BANDWIDTH},
      {"network/TCP-gamma", EDIT_TEXT, TOUCHES_BANDWIDTH},
      {"network/crosstraffic", EDIT_TEXT, TOUCHES_BANDWIDTH},
};

static const struct meaning *meaning_of(const xmlNode *node, const char *attribute)
{
  bool prop = tutti_xml_is(node, "prop") && strcmp(attribute, "value") == 0;
  const struct meaning *all = prop ? options : attributes;
  size_t count = prop ? sizeof options / sizeof *options : sizeof attributes / sizeof *attributes;
  const char *name = prop ? tutti_xml_attribute(node, "id") : attribute;
  for (size_t i = 0; i < count; i++)
    if (strcmp(all[i].name, name) == 0)
      return &all[i];
  return NULL;
}

unsigned tutti_edit_touches(const xmlNode *node, const char *attribute)
{
  const struct meaning *meaning = meaning_of(node, attribute);
  return meaning ? meaning->touches : 0;
}

enum edit_kind tutti_edit_kind_of(const xmlNode *node, const char *attribute)
{
  const struct meaning *meaning = meaning_of(node, attribute);
  return meaning ? meaning->kind : EDIT_TEXT;
}

/* ---- published values ---- */

static const struct published {
  const char *id;
  unsigned untrue_by;
} published[] = {
    {"tutti/published-alpha", TOUCHES_LATENCY | TOUCHES_BANDWIDTH | TOUCHES_OVERHEAD},
    {"tutti/published-beta", TOUCHES_BANDWIDTH},
    {"tutti/published-L", TOUCHES_LATENCY | TOUCHES_BANDWIDTH | TOUCHES_OVERHEAD},
    {"tutti/published-o", TOUCHES_OVERHEAD},
    {"tutti/published-g", TOUCHES_BANDWIDTH | TOUCHES_OVERHEAD},
    {"tutti/published-G", TOUCHES_BANDWIDTH},
    {"tutti/published-gamma", TOUCHES_SPEED},
};

enum { PUBLISHED_COUNT = sizeof published / sizeof *published };

bool tutti_edit_is_published_of_network(const char *id)
{
  for (int i = 0; i < PUBLISHED_COUNT; i++)
    if (strcmp(published[i].id, id) == 0)
      return published[i].untrue_by != TOUCHES_SPEED;
  return false;
}

void tutti_edit_keep_own(struct editing *editing, const xmlNode *node)
{
  for (int i = 0; i < PUBLISHED_COUNT && tutti_xml_is(node, "prop"); i++)
    if (strcmp(tutti_xml_attribute(node, "id"), published[i].id) == 0)
      editing->own |= 1U << i;
}

tutti_status tutti_edit_drop_published(struct editing *editing, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < PUBLISHED_COUNT && status == TUTTI_OK; i++)
    if ((published[i].untrue_by & editing->touched) && !(editing->own & 1U << i))
      status = tutti_edit_set_prop(editing, tutti_edit_outermost(editing), published[i].id, NULL, error);
  return status;
}
