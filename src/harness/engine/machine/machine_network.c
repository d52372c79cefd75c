/* The links of a machine, from the cluster or the zones of its platform file. */
#include "harness/engine/machine/machine_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/dragonfly_plus.h"
#include "harness/platforms/routing.h"

/* Add links of a kind after the present ones. Returns the number of the first. */
static uint32_t add_links(struct engine_network *n, uint64_t count, double bandwidth, double latency, bool fat_pipe)
{
  const uint32_t first = n->link_count;
  n->kinds[n->kind_count++] =
      (struct engine_link_kind){first, {.bandwidth = bandwidth, .latency = latency, .fat_pipe = fat_pipe}};
  n->link_count += (uint32_t)count;
  return first;
}

struct cable {
  double bandwidth, latency;
};

static void add_cables(struct engine_network *n, uint64_t count, struct cable cable)
{
  add_links(n, (n->split_duplex ? 2 : 1) * count, cable.bandwidth, cable.latency, false);
}

/* ---- cables of each topology, in the order in which they are numbered ---- */

static tutti_status lay_flat(struct machine_reading *r, struct cable cable)
{
  struct engine_network *n = &r->machine->network;
  add_cables(n, n->host_count, cable);
  n->limited = r->machine->one_message_a_cable ? n->link_count : 0;
  return TUTTI_OK;
}

static tutti_status lay_torus(struct machine_reading *r, struct cable cable)
{
  struct engine_network *n = &r->machine->network;
  long hops = 0;
  for (int d = 0; d < n->topology.levels; d++)
    hops += n->topology.sizes[d] / 2 + 1;
  if (2 * hops + 2 >= ENGINE_MAX_HOPS)
    return tutti_machine_refuse(r, "a torus with so long routes");
  add_cables(n, (uint64_t)n->host_count * (uint64_t)n->topology.levels, cable);
  return TUTTI_OK;
}

static tutti_status lay_fat_tree(struct machine_reading *r, struct cable cable)
{
  struct engine_network *n = &r->machine->network;
  const struct topology *t = &n->topology;
  uint64_t cables = 0;
  for (int level = 0; level <= t->levels; level++) {
    n->nodes[level] = 1;
    for (int i = 0; i < t->levels; i++)
      n->nodes[level] *= (uint32_t)(i < level ? t->up[i] : t->sizes[i]);
    if (level < t->levels) {
      n->first_cable[level] = (uint32_t)cables;
      cables += (uint64_t)n->nodes[level] * (uint64_t)t->up[level] * (uint64_t)t->cables[level];
    }
  }
  add_cables(n, cables, cable);
  return TUTTI_OK;
}

/* Add cables between all of @p members, once in each of @p places, @p wide in parallel. */
static void add_color(struct engine_network *n, long places, long members, long wide, struct cable cable)
{
  cable.bandwidth *= (double)wide;
  add_cables(n, (uint64_t)(places * (members * (members - 1) / 2)), cable);
}

static tutti_status lay_dragonfly(struct machine_reading *r, struct cable cable)
{
  struct engine_network *n = &r->machine->network;
  const long *sizes = n->topology.sizes, *wide = n->topology.cables;
  const long groups = sizes[DRAGONFLY_GROUPS], chassis = sizes[DRAGONFLY_CHASSIS], routers = sizes[DRAGONFLY_ROUTERS];
  add_cables(n, n->host_count, cable);
  add_color(n, groups * chassis, routers, wide[DRAGONFLY_ROUTERS], cable);
  add_color(n, groups * routers, chassis, wide[DRAGONFLY_CHASSIS], cable);
  add_color(n, 1, groups, wide[DRAGONFLY_GROUPS], cable);
  return TUTTI_OK;
}

static tutti_status lay_cables(struct machine_reading *r)
{
  static tutti_status (*const lay[])(struct machine_reading *, struct cable) = {[TOPOLOGY_FLAT] = lay_flat,
                                                                                [TOPOLOGY_TORUS] = lay_torus,
                                                                                [TOPOLOGY_FAT_TREE] = lay_fat_tree,
                                                                                [TOPOLOGY_DRAGONFLY] = lay_dragonfly};
  struct topology *topology = &r->machine->network.topology;
  const struct cable cable = {tutti_routing_number(r->node, "bw", tutti_platform_read_bandwidth),
                              tutti_routing_number(r->node, "lat", tutti_platform_read_time)};
  const tutti_status status = tutti_topology_parse(tutti_xml_attribute(r->node, "topology"),
                                                   tutti_xml_attribute(r->node, "topo_parameters"), topology, r->error);
  return status == TUTTI_OK ? lay[topology->kind](r, cable) : status;
}

static uint32_t limiter_count(const struct engine_network *n)
{
  uint32_t count = n->host_count;
  if (n->topology.kind == TOPOLOGY_DRAGONFLY)
    count += n->host_count / (uint32_t)n->topology.sizes[DRAGONFLY_NODES];
  for (int level = 1; n->topology.kind == TOPOLOGY_FAT_TREE && level <= n->topology.levels; level++)
    count += n->nodes[level];
  return count;
}

static void lay_loopbacks(struct machine_reading *r)
{
  struct engine_network *n = &r->machine->network;
  if (tutti_routing_has(r->node, "loopback_bw") || tutti_routing_has(r->node, "loopback_lat"))
    n->loopbacks =
        add_links(n, n->host_count, tutti_routing_number(r->node, "loopback_bw", tutti_platform_read_bandwidth),
                  tutti_routing_number(r->node, "loopback_lat", tutti_platform_read_time), true);
  for (int k = 0; k < n->kind_count; k++)
    n->kinds[k].link.apart = n->kinds[k].first == n->limiters || n->kinds[k].first == n->loopbacks;
}

/* A link that takes no time would never end. */
static tutti_status check_links(struct machine_reading *r)
{
  const struct engine_network *n = &r->machine->network;
  for (int k = 0; k < n->kind_count; k++)
    if (!(n->kinds[k].link.bandwidth > 0))
      return tutti_machine_refuse(r, "a link without bandwidth");
  return TUTTI_OK;
}

static tutti_status lay_others(struct machine_reading *r)
{
  struct engine_network *n = &r->machine->network;
  n->backbone = n->limiters = n->loopbacks = ENGINE_NONE;
  if (n->topology.kind == TOPOLOGY_FLAT &&
      (tutti_routing_has(r->node, "bb_bw") || tutti_routing_has(r->node, "bb_lat"))) {
    const char *policy = tutti_xml_attribute(r->node, "bb_sharing_policy");
    n->backbone = add_links(n, 1, tutti_routing_number(r->node, "bb_bw", tutti_platform_read_bandwidth),
                            tutti_routing_number(r->node, "bb_lat", tutti_platform_read_time),
                            policy && strcmp(policy, "FATPIPE") == 0);
  }
  if (tutti_routing_has(r->node, "limiter_link"))
    n->limiters = add_links(n, limiter_count(n),
                            tutti_routing_number(r->node, "limiter_link", tutti_platform_read_bandwidth), 0, false);
  lay_loopbacks(r);
  return check_links(r);
}

struct engine_processor tutti_machine_read_processor(const xmlNode *node)
{
  const char *speed = tutti_xml_attribute(node, "speed"), *state = tutti_xml_attribute(node, "pstate"),
             *cores = tutti_xml_attribute(node, "core");
  struct engine_processor processor = {.cores = cores ? atoi(cores) : 1};
  for (int left = state ? atoi(state) : 0; left > 0 && strchr(speed, ','); left--)
    speed = strchr(speed, ',') + 1;
  speed += strspn(speed, " \t");
  char *one = tutti_xstrndup(speed, strcspn(speed, ", \t"));
  tutti_platform_read_speed(one, &processor.speed, NULL);
  free(one);
  return processor;
}

/* The properties that all hosts share; the file has been checked. */
static tutti_status read_hosts(struct machine_reading *r)
{
  const char *policy = tutti_xml_attribute(r->node, "sharing_policy"),
             *topology = tutti_xml_attribute(r->node, "topology");
  /* A flat cluster makes it a shared one. */
  if (policy && strcmp(policy, "FATPIPE") == 0 && topology && strcmp(topology, "FLAT") != 0)
    return tutti_machine_refuse(r, "cables that are fat pipes");
  r->machine->network.split_duplex = tutti_routing_splits_cables(r->node);
  r->machine->processor = tutti_machine_read_processor(r->node);
  return TUTTI_OK;
}

tutti_status tutti_machine_read_cluster(struct machine_reading *r)
{
  tutti_status status = read_hosts(r);
  if (status == TUTTI_OK)
    status = lay_cables(r);
  return status == TUTTI_OK ? lay_others(r) : status;
}

/* ---- a dragonfly+ ---- */

static void add_links_like(struct machine_reading *r, const xmlNode *link, long count)
{
  r->node = link;
  add_cables(&r->machine->network, (uint64_t)count,
             (struct cable){tutti_routing_number(r->node, "bandwidth", tutti_platform_read_bandwidth),
                            tutti_routing_number(r->node, "latency", tutti_platform_read_time)});
}

/* Cables of hosts, of leaf switches, between cells; then what a message can fill of a host's, a leaf switch each. */
static tutti_status lay_dragonfly_plus(struct machine_reading *r, const struct dragonfly_plus *plus)
{
  struct engine_network *n = &r->machine->network;
  const long leaves = plus->topology.sizes[PLUS_LEAVES] * plus->topology.sizes[PLUS_CELLS];
  n->topology = plus->topology;
  n->backbone = n->limiters = n->loopbacks = ENGINE_NONE;
  add_cables(n, n->host_count,
             (struct cable){tutti_routing_number(r->node, "bw", tutti_platform_read_bandwidth),
                            tutti_routing_number(r->node, "lat", tutti_platform_read_time)});
  add_links_like(r, plus->uplink, leaves);
  if (plus->global)
    add_links_like(r, plus->global, engine_pairs(plus->topology.sizes[PLUS_CELLS]));
  r->node = plus->leaf;
  if (tutti_routing_has(r->node, "bb_bw"))
    n->backbone = add_links(n, (uint64_t)leaves, tutti_routing_number(r->node, "bb_bw", tutti_platform_read_bandwidth),
                            tutti_routing_number(r->node, "bb_lat", tutti_platform_read_time), true);
  lay_loopbacks(r);
  return check_links(r);
}

tutti_status tutti_machine_read_dragonfly_plus(struct machine_reading *r)
{
  struct dragonfly_plus plus;
  tutti_error reason;
  tutti_status status = tutti_dragonfly_plus_read(r->file, &plus, &r->node, &reason);
  if (status != TUTTI_OK)
    return tutti_machine_refuse(r, "a dragonfly+ of another form than tutti platform new writes: %s", reason.message);
  r->node = plus.leaf;
  if (r->machine->one_message_a_cable || r->machine->network.backbone_contention.messages > 0 ||
      r->machine->network.port_contention.messages > 0)
    return tutti_machine_refuse(r, "a dragonfly+ whose links lose throughput or carry one message at a time");
  status = read_hosts(r);
  return status == TUTTI_OK ? lay_dragonfly_plus(r, &plus) : status;
}
