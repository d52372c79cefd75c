/* Levels of a platform: the parts that ranks share, from the node up, if hosts are in equal rows; or its torus. */
#include <stdlib.h>
#include <string.h>

#include "harness/platforms/dragonfly_plus.h"
#include "harness/platforms/platform_private.h"
#include "harness/platforms/topology.h"
#include "tutti/algorithm.h"

enum { MAX_WIDTHS = TOPOLOGY_MAX_LEVELS + 2 };

/* Ranks of a group of each level, each a multiple of the one before. */
struct widths {
  long items[MAX_WIDTHS];
  int count;
};

/* Add a width, unless it is not a level: single ranks, groups of the level below, all ranks, and groups that are not
   multiples of those. */
static void add_width(struct widths *widths, long width, long ranks)
{
  const long below = widths->count ? widths->items[widths->count - 1] : 1;
  if (width > below && width < ranks && width % below == 0 && widths->count < MAX_WIDTHS)
    widths->items[widths->count++] = width;
}

/* Switches of a fat tree; routers, chassis and groups of a dragonfly; leaf switches and cells of a dragonfly+. The
 * neighbors on a torus share nothing. */
static void add_topology(struct widths *widths, const struct topology *topology, int ranks_per_host, long ranks)
{
  long width = ranks_per_host;
  const bool dragonfly = topology->kind == TOPOLOGY_DRAGONFLY;
  if (!dragonfly && topology->kind != TOPOLOGY_FAT_TREE && topology->kind != TOPOLOGY_DRAGONFLY_PLUS)
    return;
  for (int i = 0; i < topology->levels; i++) {
    width *= topology->sizes[dragonfly ? topology->levels - 1 - i : i];
    add_width(widths, width, ranks);
  }
}

/* The first cluster or cabinet; NULL without one, or with other hosts beside them. */
static const xmlNode *find_clusters(const xml_file *file, int *count)
{
  const xmlNode *root = tutti_xml_root(file), *first = NULL;
  *count = 0;
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root)) {
    if (tutti_xml_is(node, "host") || tutti_xml_is(node, "peer"))
      return NULL;
    if (!tutti_xml_is(node, "cluster") && !tutti_xml_is(node, "cabinet"))
      continue;
    first = first ? first : node;
    ++*count;
  }
  return first;
}

/* Whether all have the same number of hosts: each is a level then, within which one cluster alone has levels. */
static bool are_equal(const xml_file *file, int hosts)
{
  const xmlNode *root = tutti_xml_root(file);
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root))
    if ((tutti_xml_is(node, "cluster") || tutti_xml_is(node, "cabinet")) && tutti_platform_count_hosts(node) != hosts)
      return false;
  return true;
}

/* Its first sides, as many as a method can name. */
static int pack_torus(const struct topology *topology)
{
  int sides[TUTTI_MAX_SIDES], count = 0;
  for (; count < topology->levels && count < TUTTI_MAX_SIDES; count++) {
    if (topology->sizes[count] > TUTTI_MAX_SIDE)
      return 0;
    sides[count] = (int)topology->sizes[count];
  }
  return tutti_sides_pack(sides, count);
}

/* As many sides as a method can name: the nodes, the lowest switches and the highest level. */
static int pack(struct widths *widths)
{
  int sides[TUTTI_MAX_SIDES], count = 0;
  long below = 1;
  for (; widths->count > TUTTI_MAX_SIDES; widths->count--)
    widths->items[widths->count - 2] = widths->items[widths->count - 1];
  for (int i = 0; i < widths->count && widths->items[i] / below <= TUTTI_MAX_SIDE; i++) {
    sides[count++] = (int)(widths->items[i] / below);
    below = widths->items[i];
  }
  return tutti_sides_pack(sides, count);
}

static bool is_dragonfly_plus(const xml_file *file, struct topology *topology)
{
  struct dragonfly_plus plus;
  const xmlNode *at;
  if (!tutti_dragonfly_plus_begins(file) || tutti_dragonfly_plus_read(file, &plus, &at, NULL) != TUTTI_OK)
    return false;
  *topology = plus.topology;
  return true;
}

void tutti_platform_find_places(const xml_file *file, tutti_platform *platform)
{
  struct widths widths = {.count = 0};
  struct topology topology;
  int clusters;
  const long ranks_per_host = platform->ranks_per_node, ranks = platform->host_count * ranks_per_host;
  const xmlNode *cluster = find_clusters(file, &clusters);
  add_width(&widths, ranks_per_host * (platform->hosts_per_node > 1 ? platform->hosts_per_node : 1), ranks);
  if (clusters == 1 && cluster &&
      tutti_topology_parse(tutti_xml_attribute(cluster, "topology"), tutti_xml_attribute(cluster, "topo_parameters"),
                           &topology, NULL) == TUTTI_OK) {
    add_topology(&widths, &topology, platform->ranks_per_node, ranks);
    platform->torus = topology.kind == TOPOLOGY_TORUS ? pack_torus(&topology) : 0;
  }
  for (const char *at = platform->level_hosts; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    add_width(&widths, strtol(at, NULL, 10) * ranks_per_host, ranks);
  if (is_dragonfly_plus(file, &topology))
    add_topology(&widths, &topology, platform->ranks_per_node, ranks);
  else if (clusters > 1 && cluster && are_equal(file, tutti_platform_count_hosts(cluster)))
    add_width(&widths, ranks_per_host * tutti_platform_count_hosts(cluster), ranks);
  platform->levels = pack(&widths);
}

tutti_places tutti_platform_places(const tutti_platform *platform)
{
  return (tutti_places){.ranks_per_node = platform->ranks_per_node * platform->hosts_per_node,
                        .levels = platform->levels,
                        .ranks_per_host = platform->ranks_per_node,
                        .torus = platform->torus};
}
