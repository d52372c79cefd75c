/* From a platform file to a machine of the engine. What the engine does not know is refused with its line. */
#include "engine/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "platforms/platform_private.h"

struct reading {
  const xml_file *file;
  const xmlNode *node; /* at hand */
  struct engine_machine *machine;
  tutti_error *error;
};

static tutti_status refuse(const struct reading *r, const char *what)
{
  const tutti_status status = tutti_xml_fail(r->file, r->node, r->error, "the fast engine does not know %s", what);
  if (r->error && status != TUTTI_OK)
    r->error->status = TUTTI_ERR_UNSUPPORTED;
  return TUTTI_ERR_UNSUPPORTED;
}

/* A property of <config> at hand, with another value than what the engine computes. */
static tutti_status refuse_value(const struct reading *r, const char *known)
{
  char *what = tutti_xprintf("%.40s=\"%.40s\", only %s", tutti_xml_attribute(r->node, "id"),
                             tutti_xml_attribute(r->node, "value"), known);
  const tutti_status status = refuse(r, what);
  free(what);
  return status;
}

/* ---- options ---- */

static tutti_status read_limit(struct reading *r, const char *value)
{
  r->machine->one_flow_a_link = strcmp(value, "1") == 0;
  return r->machine->one_flow_a_link || atoi(value) < 0 ? TUTTI_OK : refuse_value(r, "1 and -1 (none)");
}

/* Its value can be read: the file has been checked. */
static tutti_status read_pieces(const struct reading *r, const char *value, struct pieces *pieces)
{
  tutti_pieces_free(pieces);
  return tutti_pieces_read(value, (enum pieces_kind)tutti_pieces_kind(tutti_xml_attribute(r->node, "id")), pieces,
                           r->error);
}

static tutti_status read_bandwidth_factor(struct reading *r, const char *value)
{
  return read_pieces(r, value, &r->machine->bandwidth_factor);
}

static tutti_status read_latency_factor(struct reading *r, const char *value)
{
  return read_pieces(r, value, &r->machine->latency_factor);
}

static tutti_status read_overhead(struct reading *r, const char *value)
{
  return read_pieces(r, value, &r->machine->send_overhead);
}

static tutti_status read_receive_overhead(struct reading *r, const char *value)
{
  return read_pieces(r, value, &r->machine->receive_overhead);
}

static tutti_status read_detached(struct reading *r, const char *value)
{
  r->machine->detached = strtoull(value, NULL, 10);
  return TUTTI_OK;
}

static tutti_status read_small(struct reading *r, const char *value)
{
  r->machine->small = strtoull(value, NULL, 10);
  return TUTTI_OK;
}

static tutti_status want_zero(struct reading *r, const char *value)
{
  return strtod(value, NULL) == 0 ? TUTTI_OK : refuse_value(r, "0");
}

static tutti_status want_no(struct reading *r, const char *value)
{
  return tutti_platform_says_no(value) ? TUTTI_OK : refuse_value(r, "no");
}

static tutti_status want_huge(struct reading *r, const char *value)
{
  return strtod(value, NULL) >= 1e20 ? TUTTI_OK : refuse_value(r, "1e20 bytes and more");
}

static tutti_status ignore(struct reading *r, const char *value)
{
  (void)r, (void)value;
  return TUTTI_OK;
}

/* Options without which SimGrid does what the engine does not. */
static const struct option {
  const char *name;
  tutti_status (*read)(struct reading *r, const char *value);
  bool needed;
} options[] = {
    {"smpi/bw-factor", read_bandwidth_factor, true},
    {"smpi/lat-factor", read_latency_factor, true},
    {"smpi/ois", read_overhead, false},
    {"smpi/os", ignore, false}, /* schedules send without blocking */
    {"smpi/or", read_receive_overhead, false},
    {"smpi/send-is-detached-thresh", read_detached, true},
    {"smpi/async-small-thresh", read_small, false},
    {"smpi/simulate-computation", want_no, true},
    {"smpi/host-speed", ignore, false},
    {"smpi/cpu-threshold", ignore, false},
    {"smpi/wtime", want_zero, true},
    {"smpi/test", ignore, false},
    {"smpi/iprobe", ignore, false},
    {"smpi/grow-injected-times", ignore, false},
    {"network/weight-S", want_zero, true},
    {"network/TCP-gamma", want_huge, true},
    {"network/crosstraffic", want_no, true},
    {"maxmin/concurrency-limit", read_limit, false},
    {"contexts/stack-size", ignore, false},
    {"contexts/guard-size", ignore, false},
};

enum { OPTIONS = sizeof options / sizeof *options };

static tutti_status read_option(struct reading *r, bool given[OPTIONS])
{
  const char *name = tutti_xml_attribute(r->node, "id");
  for (size_t i = 0; i < OPTIONS; i++)
    if (strcmp(name, options[i].name) == 0) {
      given[i] = true;
      return options[i].read(r, tutti_xml_attribute(r->node, "value"));
    }
  return refuse(r, name);
}

static tutti_status check_given(struct reading *r, const bool given[OPTIONS])
{
  r->node = tutti_xml_root(r->file);
  for (size_t i = 0; i < OPTIONS; i++)
    if (options[i].needed && !given[i]) {
      char *what = tutti_xprintf("SimGrid's default of %s: set it in <config>", options[i].name);
      const tutti_status status = refuse(r, what);
      free(what);
      return status;
    }
  return TUTTI_OK;
}

/* ---- the cluster ---- */

/* A number with a unit; the file has been checked. */
static double number(const struct reading *r, const char *attribute,
                     tutti_status (*parse)(const char *, double *, tutti_error *))
{
  const char *text = tutti_xml_attribute(r->node, attribute);
  double value = 0;
  tutti_error ignored;
  if (text)
    parse(text, &value, &ignored);
  return value;
}

/* Links of a kind, behind those there are. Returns the number of the first. */
static uint32_t add_links(struct engine_network *n, uint64_t count, double bandwidth, double latency, bool fat_pipe)
{
  const uint32_t first = n->link_count;
  n->kinds[n->kind_count++] =
      (struct engine_link_kind){.first = first, .bandwidth = bandwidth, .latency = latency, .fat_pipe = fat_pipe};
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

static tutti_status lay_flat(struct reading *r, struct cable cable)
{
  struct engine_network *n = &r->machine->network;
  add_cables(n, n->host_count, cable);
  n->limited = r->machine->one_message_a_cable ? n->link_count : 0;
  return TUTTI_OK;
}

static tutti_status lay_torus(struct reading *r, struct cable cable)
{
  struct engine_network *n = &r->machine->network;
  long hops = 0;
  for (int d = 0; d < n->topology.levels; d++)
    hops += n->topology.sizes[d] / 2 + 1;
  if (2 * hops + 2 >= ENGINE_MAX_HOPS)
    return refuse(r, "a torus with so long routes");
  add_cables(n, (uint64_t)n->host_count * (uint64_t)n->topology.levels, cable);
  return TUTTI_OK;
}

static tutti_status lay_fat_tree(struct reading *r, struct cable cable)
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

/* Between all of @p members, once in each of @p places, so many side by side. */
static void add_color(struct engine_network *n, long places, long members, long wide, struct cable cable)
{
  cable.bandwidth *= (double)wide;
  add_cables(n, (uint64_t)(places * (members * (members - 1) / 2)), cable);
}

static tutti_status lay_dragonfly(struct reading *r, struct cable cable)
{
  struct engine_network *n = &r->machine->network;
  const long *sizes = n->topology.sizes, *wide = n->topology.cables;
  const long groups = sizes[DRAGONFLY_GROUPS], chassis = sizes[DRAGONFLY_CHASSIS], routers = sizes[DRAGONFLY_ROUTERS];
  if (!tutti_topology_has_routes(&n->topology))
    return refuse(r, "a dragonfly of more groups than routers in a chassis, for which SimGrid has no routes");
  add_cables(n, n->host_count, cable);
  add_color(n, groups * chassis, routers, wide[DRAGONFLY_ROUTERS], cable);
  add_color(n, groups * routers, chassis, wide[DRAGONFLY_CHASSIS], cable);
  add_color(n, 1, groups, wide[DRAGONFLY_GROUPS], cable);
  return TUTTI_OK;
}

static tutti_status lay_cables(struct reading *r)
{
  static tutti_status (*const lay[])(struct reading *, struct cable) = {[TOPOLOGY_FLAT] = lay_flat,
                                                                        [TOPOLOGY_TORUS] = lay_torus,
                                                                        [TOPOLOGY_FAT_TREE] = lay_fat_tree,
                                                                        [TOPOLOGY_DRAGONFLY] = lay_dragonfly};
  struct topology *topology = &r->machine->network.topology;
  const struct cable cable = {number(r, "bw", tutti_platform_parse_bandwidth),
                              number(r, "lat", tutti_platform_parse_time)};
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

static bool has(const struct reading *r, const char *attribute)
{
  return tutti_xml_attribute(r->node, attribute) != NULL;
}

/* A link that takes no time would never end. */
static tutti_status lay_others(struct reading *r)
{
  struct engine_network *n = &r->machine->network;
  n->backbone = n->limiters = n->loopbacks = ENGINE_NONE;
  if (has(r, "bb_bw") || has(r, "bb_lat")) {
    const char *policy = tutti_xml_attribute(r->node, "bb_sharing_policy");
    if (n->topology.kind != TOPOLOGY_FLAT)
      return refuse(r, "a backbone of a cluster that is not flat");
    n->backbone = add_links(n, 1, number(r, "bb_bw", tutti_platform_parse_bandwidth),
                            number(r, "bb_lat", tutti_platform_parse_time), policy && strcmp(policy, "FATPIPE") == 0);
  }
  if (has(r, "limiter_link"))
    n->limiters = add_links(n, limiter_count(n), number(r, "limiter_link", tutti_platform_parse_bandwidth), 0, false);
  if (has(r, "loopback_bw") || has(r, "loopback_lat"))
    n->loopbacks = add_links(n, n->host_count, number(r, "loopback_bw", tutti_platform_parse_bandwidth),
                             number(r, "loopback_lat", tutti_platform_parse_time), true);
  for (int k = 0; k < n->kind_count; k++)
    if (!(n->kinds[k].bandwidth > 0))
      return refuse(r, "a link without bandwidth");
  if (!(n->kinds[0].latency > 0) || (n->loopbacks != ENGINE_NONE && !(n->kinds[n->kind_count - 1].latency > 0)))
    return refuse(r, "a link without latency");
  return TUTTI_OK;
}

static tutti_status read_cluster(struct reading *r)
{
  struct engine_network *n = &r->machine->network;
  const char *policy = tutti_xml_attribute(r->node, "sharing_policy"), *speed = tutti_xml_attribute(r->node, "speed"),
             *cores = tutti_xml_attribute(r->node, "core");
  if (strchr(speed, ','))
    return refuse(r, "several speeds of a host");
  if (policy && strcmp(policy, "FATPIPE") == 0)
    return refuse(r, "cables that are fat pipes");
  n->split_duplex = !policy || strcmp(policy, "SPLITDUPLEX") == 0;
  r->machine->speed = number(r, "speed", tutti_platform_parse_speed);
  r->machine->cores = cores ? atoi(cores) : 1;
  const tutti_status status = lay_cables(r);
  return status == TUTTI_OK ? lay_others(r) : status;
}

/* ---- the file ---- */

static tutti_status read_node(struct reading *r, bool given[OPTIONS], bool *cluster)
{
  const xmlNode *node = r->node;
  if (node->type != XML_ELEMENT_NODE || tutti_xml_is(node, "platform") || tutti_xml_is(node, "config"))
    return TUTTI_OK;
  if (tutti_xml_is(node, "prop"))
    return tutti_xml_is(node->parent, "config") ? read_option(r, given) : TUTTI_OK;
  if (tutti_xml_is(node, "zone") || tutti_xml_is(node, "AS"))
    return TUTTI_OK;
  if (!tutti_xml_is(node, "cluster") || *cluster)
    return refuse(r, "more than one <cluster>, or other hosts");
  *cluster = true;
  return read_cluster(r);
}

static tutti_status read_all(struct reading *r)
{
  const xmlNode *root = tutti_xml_root(r->file);
  bool given[OPTIONS] = {false}, cluster = false;
  tutti_status status = TUTTI_OK;
  for (r->node = root; r->node && status == TUTTI_OK;
       r->node = status == TUTTI_OK ? tutti_xml_next(r->node, root) : r->node)
    status = read_node(r, given, &cluster);
  if (status == TUTTI_OK)
    status = check_given(r, given);
  if (status == TUTTI_OK && r->machine->one_flow_a_link && r->machine->ranks_per_node > 1)
    return refuse(r, "several ranks a node with a limit of concurrency, which SimGrid applies to processors, too");
  return status;
}

tutti_status tutti_machine_read(const char *path, struct engine_machine *machine, tutti_error *error)
{
  tutti_platform platform;
  xml_file file;
  *machine = (struct engine_machine){0};
  tutti_status status = tutti_platform_read(path, &platform, error);
  if (status != TUTTI_OK)
    return status;
  machine->network.host_count = (uint32_t)platform.host_count;
  machine->ranks_per_node = platform.ranks_per_node;
  machine->actor_cost = platform.actor_cost;
  machine->copy_cost = platform.copy_cost;
  machine->network.backbone_contention = platform.backbone_contention;
  machine->network.port_contention = platform.port_contention;
  machine->one_message_a_cable = platform.messages_a_cable == 1;
  tutti_platform_free(&platform);
  status = tutti_xml_file_read(path, &file, error);
  if (status != TUTTI_OK)
    return status;
  struct reading reading = {.file = &file, .machine = machine, .error = error};
  status = read_all(&reading);
  tutti_xml_file_free(&file);
  if (status != TUTTI_OK)
    tutti_machine_free(machine);
  return status;
}

void tutti_machine_free(struct engine_machine *machine)
{
  tutti_pieces_free(&machine->bandwidth_factor);
  tutti_pieces_free(&machine->latency_factor);
  tutti_pieces_free(&machine->send_overhead);
  tutti_pieces_free(&machine->receive_overhead);
  *machine = (struct engine_machine){0};
}
