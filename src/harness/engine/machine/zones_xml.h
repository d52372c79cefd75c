/* The steps of reading zones from a platform file: zones_read.c, zones_routes.c, zones_stars.c. */
#ifndef TUTTI_ENGINE_ZONES_XML_H
#define TUTTI_ENGINE_ZONES_XML_H

#include "harness/engine/machine/zones.h"

struct zones_reading {
  struct machine_reading *r;
  struct engine_zones *zones;
  uint32_t zone; /* the current one */
};

/* An attribute of the current node, or NULL. */
const char *tutti_zones_text(const struct zones_reading *x, const char *attribute);

/* Whether it is there and has this value, in any case. */
bool tutti_zones_is(const struct zones_reading *x, const char *attribute, const char *value);

/* A number with a unit; 0 without the attribute. The file has been checked. */
double tutti_zones_number(const struct zones_reading *x, const char *attribute,
                          tutti_status (*parse)(const char *, double *, tutti_error *));

/* The number of a name, in *number; false if there is none. */
bool tutti_zones_find(void *const *index, const char *name, uint32_t *number);
tutti_status tutti_zones_find_point(const struct zones_reading *x, const char *attribute, uint32_t *point);

/* TUTTI_ERR_ARGUMENT: "no WHAT is called 'NAME'". */
tutti_status tutti_zones_unknown(const struct zones_reading *x, const char *what, const char *name);

/* Name the point of the zone @p inner, or, if that is ENGINE_NONE, a new one in the current zone. */
uint32_t tutti_zones_name_point(struct zones_reading *x, const char *name, uint32_t inner);
void tutti_zones_name_link(struct zones_reading *x, const char *name, uint32_t link);

/* A host as the current node describes it. Returns its vertex. */
uint32_t tutti_zones_add_host(struct zones_reading *x, const char *name);

/* Whether the cables of the current node are two links each. */
bool tutti_zones_is_split(const struct zones_reading *x);

static inline struct zone *zones_current(const struct zones_reading *x)
{
  return &x->zones->zones.items[x->zone];
}

/* ---- zones_routes.c ---- */

/* The links in a row. */
struct zone_links tutti_zones_list(struct engine_zones *zones, const uint32_t *links, uint32_t count);

/* The current <route>, <zoneRoute>, <bypassRoute>, ... */
tutti_status tutti_zones_read_route(struct zones_reading *x);
tutti_status tutti_zones_read_bypass(struct zones_reading *x);

/* ---- zones_stars.c ---- */

/* The current <cluster>, <cabinet>. */
tutti_status tutti_zones_read_cluster(struct zones_reading *x);
tutti_status tutti_zones_read_cabinet(struct zones_reading *x);

/* SimGrid joins the hosts of a star to its middle at the end of the zone, when their links are known: those with links
   of their own first. */
tutti_status tutti_zones_join_hosts(struct zones_reading *x, const xmlNode *zone);

#endif
