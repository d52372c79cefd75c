/* A host at every distance from the first one. */
#include <stdlib.h>
#include <string.h>

#include <libxml/hash.h>

#include "base/memory.h"
#include "base/vector.h"
#include "harness/platforms/platform_private.h"
#include "harness/platforms/topology.h"

struct partners {
  TUTTI_VECTOR(tutti_platform_partner);
};

static void append(struct partners *partners, int host, int links)
{
  tutti_xpush(partners, (tutti_platform_partner){host, links});
}

static int by_links(const void *left, const void *right)
{
  const tutti_platform_partner *a = left, *b = right;
  return a->links - b->links;
}

/* Hosts of a cluster that is first in the file, by their distance from the first one. */
static void add_cluster(struct partners *partners, const struct topology *topology, int hosts)
{
  size_t before = partners->count;
  char *seen = tutti_xcalloc((size_t)hosts + 4 * TOPOLOGY_MAX_LEVELS, 1); /* no route is longer */
  for (int host = 1; host < hosts; host++) {
    int links = tutti_topology_distance(topology, 0, host);
    if (!seen[links])
      append(partners, host, links);
    seen[links] = 1;
  }
  free(seen);
  if (partners->count > before)
    qsort(partners->items + before, partners->count - before, sizeof *partners->items, by_links);
}

/* The lowest zone around both. */
static const xmlNode *common_zone(const xmlNode *left, const xmlNode *right)
{
  for (const xmlNode *zone = left->parent; zone; zone = zone->parent)
    for (const xmlNode *other = right->parent; other; other = other->parent)
      if (zone == other)
        return zone;
  return NULL;
}

static int count_hosts(const xmlNode *node)
{
  int count = 1;
  if (tutti_xml_is(node, "cluster") || tutti_xml_is(node, "cabinet"))
    tutti_edit_count_hosts(node, &count, NULL); /* that it can was checked */
  return count;
}

static bool has_hosts(const xmlNode *node)
{
  return tutti_xml_is(node, "cluster") || tutti_xml_is(node, "cabinet") || tutti_xml_is(node, "host") ||
         tutti_xml_is(node, "peer");
}

/* ---- the parts of a zone ---- */

/* Which numbers of routes were met so far between parts of one zone; more than 63 are as 63. */
struct hops {
  const xmlNode *zone;
  xmlHashTable *of; /* by a part's name: 1 + the routes from the part of the first host; none: unknown */
  uint64_t met;
};

static intptr_t hop_of(const struct hops *hops, const char *part)
{
  return (intptr_t)xmlHashLookup(hops->of, (const xmlChar *)part);
}

static bool reach(struct hops *hops, const char *part, intptr_t hop)
{
  if (hop_of(hops, part))
    return false;
  if (xmlHashAddEntry(hops->of, (const xmlChar *)part, (void *)hop) != 0)
    tutti_out_of_memory();
  return true;
}

/* Extend from both ends of all routes between parts at this distance; false: none reached. */
static bool reach_next(struct hops *hops, intptr_t hop)
{
  bool found = false;
  for (const xmlNode *node = hops->zone->children; node; node = node->next) {
    if (!tutti_xml_is(node, "zoneRoute") && !tutti_xml_is(node, "ASroute"))
      continue;
    const char *ends[] = {tutti_xml_attribute(node, "src"), tutti_xml_attribute(node, "dst")};
    for (int end = 0; end < 2; end++)
      if (hop_of(hops, ends[end]) == hop)
        found = reach(hops, ends[1 - end], hop + 1) || found;
  }
  return found;
}

static const char *part_of(const xmlNode *node, const xmlNode *zone)
{
  while (node->parent != zone)
    node = node->parent;
  const char *name = tutti_xml_attribute(node, "id");
  return name ? name : "";
}

static void enter(struct hops *hops, const xmlNode *zone, const xmlNode *first)
{
  xmlHashFree(hops->of, NULL);
  *hops = (struct hops){.zone = zone, .of = xmlHashCreate(0)};
  if (!hops->of)
    tutti_out_of_memory();
  reach(hops, part_of(first, zone), 1);
  for (intptr_t hop = 1; reach_next(hops, hop); hop++) {
  }
}

/* Whether it is the first with this number of routes between. */
static bool is_new(struct hops *hops, const xmlNode *node)
{
  intptr_t hop = hop_of(hops, part_of(node, hops->zone));
  uint64_t bit = UINT64_C(1) << (hop < 63 ? hop : 63);
  bool met = hops->met & bit;
  hops->met |= bit;
  return !met;
}

static void collect(struct partners *partners, const xml_file *file)
{
  const xmlNode *root = tutti_xml_root(file), *first = NULL;
  struct hops hops = {0};
  int host = 0;
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root)) {
    if (!has_hosts(node))
      continue;
    struct topology topology;
    int hosts = count_hosts(node);
    if (!first) {
      first = node;
      tutti_topology_parse(tutti_xml_attribute(node, "topology"), tutti_xml_attribute(node, "topo_parameters"),
                           &topology, NULL);
      add_cluster(partners, &topology, hosts);
    } else {
      const xmlNode *zone = common_zone(first, node); /* in document order each is around the one before */
      if (zone != hops.zone)
        enter(&hops, zone, first);
      if (is_new(&hops, node))
        append(partners, host, -1);
    }
    host += hosts;
  }
  xmlHashFree(hops.of, NULL);
}

/* At most TUTTI_PLATFORM_MAX_PARTNERS of them, the first and the last included. */
static int thin_out(const struct partners *all, tutti_platform_partner *partners)
{
  size_t count = all->count < TUTTI_PLATFORM_MAX_PARTNERS ? all->count : TUTTI_PLATFORM_MAX_PARTNERS;
  for (size_t i = 0; i < count; i++)
    partners[i] = all->items[count > 1 ? i * (all->count - 1) / (count - 1) : 0];
  return (int)count;
}

tutti_status tutti_platform_partners(const tutti_platform *platform, tutti_platform_partner *partners, int *count,
                                     tutti_error *error)
{
  xml_file file;
  struct partners all = {0};
  tutti_status status = tutti_xml_file_read(platform->path, &file, error);
  if (status != TUTTI_OK)
    return status;
  if (platform->ranks_per_node > 1)
    append(&all, 0, 0);
  collect(&all, &file);
  *count = thin_out(&all, partners);
  tutti_vector_free(&all);
  tutti_xml_file_free(&file);
  return status;
}
