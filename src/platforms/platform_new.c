/* A platform file of a machine that is described by a few parameters. */
#include <libxml/entities.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "base/words.h"
#include "platforms/platform_private.h"
#include "platforms/topology.h"

/* SMPI adds so many bytes to a message. */
enum { ENVELOPE = 16 };

/* With more ranks Linux has not enough mappings for guard pages. */
enum { RANKS_WITH_GUARDS = 4096 };

static const char *const kind_words[TUTTI_MACHINE_KINDS] = {"cluster", "fat-tree", "torus", "dragonfly", "dragonfly+"};

tutti_status tutti_machine_kind_parse(const char *name, tutti_machine_kind *kind, tutti_error *error)
{
  int value;
  tutti_status status = tutti_word_parse(kind_words, TUTTI_MACHINE_KINDS, "kind of machine", name, &value, error);
  if (status == TUTTI_OK)
    *kind = (tutti_machine_kind)value;
  return status;
}

tutti_machine tutti_machine_default(void)
{
  return (tutti_machine){.ranks_per_node = 1,
                         .nics = 1,
                         .global_cables = 1,
                         .local_cables = 1,
                         .latency = NAN,
                         .bandwidth = NAN,
                         .hop_latency = NAN,
                         .loopback_latency = NAN,
                         .loopback_bandwidth = 10e9,
                         .gamma = 0.1e-9};
}

/* ---- from what was asked to what SimGrid is told ---- */

/* Hosts: nodes, but NICs of a dragonfly, whose nodes have one cable each in SimGrid. */
struct plan {
  const tutti_machine *machine;
  struct topology topology; /* of the one <cluster>; flat for a dragonfly+ */
  long groups, leaves;      /* of a dragonfly+; else 0 */
  long hosts, hosts_per_leaf;
  int ranks;                            /* of a host */
  double link, overhead, loopback_link; /* seconds */
};

static tutti_status check_numbers(const tutti_machine *m, tutti_error *error)
{
  if (!(m->latency > 0) || !isfinite(m->latency) || !(m->bandwidth > 0) || !isfinite(m->bandwidth))
    return tutti_fail(
        error, TUTTI_ERR_ARGUMENT,
        "the latency and the bandwidth of messages between two nodes are needed, or a measured ping-pong");
  if (m->ranks_per_node < 1 || m->nics < 1 || m->global_cables < 1 || m->local_cables < 1 || m->spines < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "ranks, network cards and cables are counted from 1");
  if (!(m->loopback_bandwidth > 0) || !(m->gamma > 0) || m->hop_latency < 0 || m->loopback_latency < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "times and bandwidths are above 0");
  return TUTTI_OK;
}

/* Three numbers, "8x16x4". */
static bool parse_levels(const char *shape, long levels[3])
{
  struct topology topology;
  char *word = tutti_xprintf("torus:%s", shape);
  bool good = tutti_topology_parse_word(word, &topology, NULL) == TUTTI_OK && topology.levels == 3;
  free(word);
  for (int i = 0; good && i < 3; i++)
    levels[i] = topology.sizes[i];
  return good;
}

static tutti_status shape_cluster(struct plan *plan, tutti_error *error)
{
  int nodes;
  const char *end = tutti_platform_parse_number(plan->machine->shape, &nodes);
  if (!end || *end || nodes < 1 || nodes > PLATFORM_MAX_HOSTS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.80s' does not describe a cluster: expected NODES, such as 64",
                      plan->machine->shape);
  plan->hosts = nodes;
  /* One switch: a tree of one level, where a node can have several cables. */
  if (plan->machine->nics > 1)
    plan->topology = (struct topology){
        .kind = TOPOLOGY_FAT_TREE, .levels = 1, .sizes = {nodes}, .up = {1}, .cables = {plan->machine->nics}};
  return TUTTI_OK;
}

static tutti_status shape_tree(struct plan *plan, tutti_error *error)
{
  char *word = tutti_xprintf("%s:%s", kind_words[plan->machine->kind], plan->machine->shape);
  tutti_status status = tutti_topology_parse_word(word, &plan->topology, error);
  free(word);
  if (status != TUTTI_OK)
    return status;
  plan->hosts = plan->topology.hosts;
  if (plan->topology.kind == TOPOLOGY_FAT_TREE) {
    plan->topology.cables[0] *= plan->machine->nics;
    if (plan->topology.levels > 1)
      plan->topology.up[1] *= plan->machine->nics;
  } else if (plan->machine->nics > 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "a node of a torus has a cable in every direction, and no network cards beside: leave out the "
                      "number of network cards");
  return TUTTI_OK;
}

static tutti_status shape_dragonfly(struct plan *plan, tutti_error *error)
{
  const tutti_machine *m = plan->machine;
  long levels[3];
  if (!parse_levels(m->shape, levels))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "'%.80s' does not describe a dragonfly: expected GROUPSxROUTERSxNODES, such as 8x16x4", m->shape);
  if (m->ranks_per_node % m->nics != 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "%d ranks a node on %d network cards: each card of a dragonfly needs as many ranks",
                      m->ranks_per_node, m->nics);
  plan->ranks = m->ranks_per_node / m->nics;
  plan->topology = (struct topology){.kind = TOPOLOGY_DRAGONFLY,
                                     .levels = DRAGONFLY_LEVELS,
                                     .sizes = {levels[0], 1, levels[1], levels[2] * m->nics},
                                     .cables = {m->global_cables, 1, m->local_cables}};
  plan->hosts = levels[0] * levels[1] * levels[2] * m->nics;
  if (!tutti_topology_has_routes(&plan->topology))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "a dragonfly of %ld groups of %ld routers: SimGrid needs at least as many routers as groups",
                      levels[0], levels[1]);
  return TUTTI_OK;
}

static tutti_status shape_dragonfly_plus(struct plan *plan, tutti_error *error)
{
  long levels[3];
  if (!parse_levels(plan->machine->shape, levels))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "'%.80s' does not describe a dragonfly+: expected GROUPSxLEAVESxNODES, such as 8x16x12",
                      plan->machine->shape);
  plan->groups = levels[0];
  plan->leaves = levels[1];
  plan->hosts_per_leaf = levels[2];
  plan->hosts = levels[0] * levels[1] * levels[2];
  return TUTTI_OK;
}

static long nearest_links(const struct plan *plan)
{
  if (plan->groups > 0)
    return plan->hosts_per_leaf > 1 ? 2 : plan->leaves > 1 ? 4 : 3;
  return tutti_topology_distance(&plan->topology, 0, 1);
}

/* A message takes the overhead, its links and the time of its bytes with their envelope. On one switch all is in the
   links, as in Hockney's model; where other messages have more links, what one takes is known, and the rest is
   overhead. */
static tutti_status split_latency(struct plan *plan, tutti_error *error)
{
  const tutti_machine *m = plan->machine;
  long links = nearest_links(plan);
  double wire = m->latency - ENVELOPE / m->bandwidth;
  plan->link = m->kind == TUTTI_MACHINE_CLUSTER && isnan(m->hop_latency) ? wire / (double)links
               : isnan(m->hop_latency)                                   ? 100e-9
                                                                         : m->hop_latency;
  plan->overhead = wire - (double)links * plan->link;
  if (fabs(plan->overhead) < 1e-6 * m->latency)
    plan->overhead = 0;
  if (plan->overhead < 0 || plan->link <= 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "a latency of %g us is less than the %ld links of %g us and the 16 B of SMPI's envelope (%g us) "
                      "between two nodes: give a shorter time for a link",
                      1e6 * m->latency, links, 1e6 * plan->link, 1e6 * ENVELOPE / m->bandwidth);
  return TUTTI_OK;
}

static tutti_status plan_loopback(struct plan *plan, tutti_error *error)
{
  const tutti_machine *m = plan->machine;
  double least = plan->overhead + ENVELOPE / m->loopback_bandwidth;
  plan->loopback_link = isnan(m->loopback_latency) ? 100e-9 : m->loopback_latency - least;
  if (plan->ranks > 1 && plan->loopback_link <= 0)
    return tutti_fail(
        error, TUTTI_ERR_ARGUMENT,
        "messages within a node take %g us or more, which the sender of any message is busy: give a longer "
        "time for a link to another node, which makes that shorter",
        1e6 * least);
  return TUTTI_OK;
}

static tutti_status make_plan(const tutti_machine *machine, struct plan *plan, tutti_error *error)
{
  static tutti_status (*const shapes[TUTTI_MACHINE_KINDS])(struct plan * plan, tutti_error * error) = {
      shape_cluster, shape_tree, shape_tree, shape_dragonfly, shape_dragonfly_plus};
  *plan = (struct plan){.machine = machine, .ranks = machine->ranks_per_node, .topology.kind = TOPOLOGY_FLAT};
  tutti_status status = check_numbers(machine, error);
  if (status == TUTTI_OK)
    status = shapes[machine->kind](plan, error);
  if (status == TUTTI_OK && (plan->hosts < 2 || plan->hosts > PLATFORM_MAX_HOSTS))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%.80s: a machine has 2 to %d nodes", machine->shape,
                      PLATFORM_MAX_HOSTS);
  if (status == TUTTI_OK)
    status = split_latency(plan, error);
  return status == TUTTI_OK ? plan_loopback(plan, error) : status;
}

/* ---- writing ---- */

static void print_option(FILE *stream, const char *id, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void print_option(FILE *stream, const char *id, const char *format, ...)
{
  va_list arguments;
  fprintf(stream, "    <prop id=\"%s\" value=\"", id);
  va_start(arguments, format);
  vfprintf(stream, format, arguments);
  va_end(arguments);
  fprintf(stream, "\"/>\n");
}

static void print_text(FILE *stream, const char *id, const char *text)
{
  xmlChar *escaped = xmlEncodeSpecialChars(NULL, (const xmlChar *)text);
  if (!escaped)
    tutti_out_of_memory();
  print_option(stream, id, "%s", (const char *)escaped);
  xmlFree(escaped);
}

/* On one switch a network card sends one message after the other, if SimGrid can say so: with one rank a node. */
static void print_config(FILE *stream, const struct plan *plan)
{
  fprintf(stream, "  <config>\n");
  if (plan->machine->kind == TUTTI_MACHINE_CLUSTER && plan->ranks == 1 && plan->machine->nics == 1)
    print_option(stream, "maxmin/concurrency-limit", "1");
  print_option(stream, "smpi/bw-factor", "0:1");
  print_option(stream, "smpi/lat-factor", "0:1");
  print_option(stream, "network/weight-S", "0");
  print_option(stream, "network/TCP-gamma", "1e20");
  print_option(stream, "network/crosstraffic", "no");
  print_option(stream, "smpi/os", "0:%.9g:0", plan->overhead);
  print_option(stream, "smpi/ois", "0:%.9g:0", plan->overhead);
  print_option(stream, "smpi/or", "0:0:0");
  print_option(stream, "smpi/send-is-detached-thresh", "0");
  print_option(stream, "smpi/async-small-thresh", "0");
  print_option(stream, "smpi/simulate-computation", "no");
  print_option(stream, "smpi/host-speed", "%.9gf", 1 / plan->machine->gamma);
  print_option(stream, "smpi/cpu-threshold", "0");
  print_option(stream, "smpi/wtime", "0");
  print_option(stream, "smpi/test", "1e-7");
  print_option(stream, "smpi/iprobe", "1e-7");
  print_option(stream, "smpi/grow-injected-times", "no");
  if (plan->hosts * plan->ranks > RANKS_WITH_GUARDS) {
    print_option(stream, "contexts/stack-size", "64");
    print_option(stream, "contexts/guard-size", "0");
  }
  fprintf(stream, "  </config>\n");
}

static void print_properties(FILE *stream, const struct plan *plan)
{
  const tutti_machine *m = plan->machine;
  char *described = tutti_xprintf("%s %s, %d rank%s and %d network card%s a node", kind_words[m->kind], m->shape,
                                  m->ranks_per_node, m->ranks_per_node > 1 ? "s" : "", m->nics, m->nics > 1 ? "s" : "");
  print_text(stream, "tutti/description", m->description ? m->description : described);
  if (m->source)
    print_text(stream, "tutti/source", m->source);
  print_option(stream, "tutti/published-alpha", "%.9g", m->latency);
  print_option(stream, "tutti/published-beta", "%.9g", 1 / m->bandwidth);
  print_option(stream, "tutti/published-gamma", "%.9g", m->gamma);
  print_option(stream, "tutti/ranks-per-node", "%d", plan->ranks);
  free(described);
}

/* Hosts from first on; @p bandwidth of the cable of each. Ends within the element. */
static void print_cluster(FILE *stream, const struct plan *plan, const char *id, long first, long hosts,
                          double bandwidth)
{
  fprintf(stream,
          "    <cluster id=\"%s\" prefix=\"n\" suffix=\"\" radical=\"%ld-%ld\" speed=\"%.9gf\" core=\"%d\"\n"
          "             bw=\"%.9gBps\" lat=\"%.9gus\" sharing_policy=\"SPLITDUPLEX\"",
          id, first, first + hosts - 1, 1 / plan->machine->gamma, plan->ranks, bandwidth, 1e6 * plan->link);
  if (plan->ranks > 1)
    fprintf(stream, "\n             loopback_bw=\"%.9gBps\" loopback_lat=\"%.9gus\"", plan->machine->loopback_bandwidth,
            1e6 * plan->loopback_link);
}

static void print_topology(FILE *stream, const struct plan *plan)
{
  char parameters[TOPOLOGY_TEXT_LENGTH];
  print_cluster(stream, plan, "machine", 0, plan->hosts, plan->machine->bandwidth);
  tutti_topology_write(&plan->topology, parameters);
  if (plan->topology.kind != TOPOLOGY_FLAT)
    fprintf(stream, "\n             topology=\"%s\" topo_parameters=\"%s\"", tutti_topology_name(plan->topology.kind),
            parameters);
  fprintf(stream, "/>\n");
}

static void print_link(FILE *stream, const struct plan *plan, const char *id, double cables)
{
  fprintf(stream, "    <link id=\"%s\" bandwidth=\"%.9gBps\" latency=\"%.9gus\" sharing_policy=\"SPLITDUPLEX\"/>\n", id,
          cables * plan->machine->bandwidth, 1e6 * plan->link);
}

static void print_route(FILE *stream, const char *from, const char *to, const char *gateway, const char *other,
                        const char *link)
{
  fprintf(stream,
          "    <zoneRoute src=\"%s\" dst=\"%s\" gw_src=\"%s\" gw_dst=\"%s\"><link_ctn id=\"%s\" direction=\"UP\"/>"
          "</zoneRoute>\n",
          from, to, gateway, other, link);
}

/* The leaves of a group, and one switch that stands for all its spines. A node's cables are one link, of which a
   message can fill one cable only: that is what a backbone is for through which all pass without sharing it. */
static void print_switches(FILE *stream, const struct plan *plan, long group)
{
  const tutti_machine *m = plan->machine;
  char leaf[48];
  for (long i = 0; i < plan->leaves; i++) {
    snprintf(leaf, sizeof leaf, "g%ld_l%ld", group, i);
    print_cluster(stream, plan, leaf, (group * plan->leaves + i) * plan->hosts_per_leaf, plan->hosts_per_leaf,
                  m->nics * m->bandwidth);
    fprintf(stream, "\n             router_id=\"%s_switch\"", leaf);
    if (m->nics > 1)
      fprintf(stream, " bb_bw=\"%.9gBps\" bb_lat=\"0us\" bb_sharing_policy=\"FATPIPE\"", m->bandwidth);
    fprintf(stream, "/>\n");
  }
  fprintf(stream, "    <zone id=\"g%ld_spines\" routing=\"Full\"><router id=\"g%ld_spine\"/></zone>\n", group, group);
}

/* The links or the routes between the leaves of a group and its spines. */
static void print_group(FILE *stream, const struct plan *plan, long group, bool routes)
{
  const tutti_machine *m = plan->machine;
  double uplinks = m->spines > 0 ? m->spines : (double)plan->hosts_per_leaf * m->nics;
  char leaf[48], spine[48], spines[48], gateway[64], link[64];
  snprintf(spine, sizeof spine, "g%ld_spine", group);
  snprintf(spines, sizeof spines, "g%ld_spines", group);
  for (long i = 0; i < plan->leaves; i++) {
    snprintf(leaf, sizeof leaf, "g%ld_l%ld", group, i);
    snprintf(gateway, sizeof gateway, "%s_switch", leaf);
    snprintf(link, sizeof link, "%s_up", leaf);
    if (routes)
      print_route(stream, leaf, spines, gateway, spine, link);
    else
      print_link(stream, plan, link, uplinks);
  }
}

/* The links or the routes between the spines of two groups. */
static void print_groups(FILE *stream, const struct plan *plan, long from, long to, bool routes)
{
  char spine[48], spines[48], other[48], others[48], link[64];
  snprintf(spine, sizeof spine, "g%ld_spine", from);
  snprintf(spines, sizeof spines, "g%ld_spines", from);
  snprintf(other, sizeof other, "g%ld_spine", to);
  snprintf(others, sizeof others, "g%ld_spines", to);
  snprintf(link, sizeof link, "g%ld_g%ld", from, to);
  if (routes)
    print_route(stream, spines, others, spine, other, link);
  else
    print_link(stream, plan, link, plan->machine->global_cables);
}

/* All switches are in one zone: SimGrid 4.1 crashes on a gateway that is in a zone beside that of the hosts. */
static void print_dragonfly_plus(FILE *stream, const struct plan *plan)
{
  for (long group = 0; group < plan->groups; group++)
    print_switches(stream, plan, group);
  for (int routes = 0; routes < 2; routes++)
    for (long i = 0; i < plan->groups; i++) {
      print_group(stream, plan, i, routes);
      for (long j = i + 1; j < plan->groups; j++)
        print_groups(stream, plan, i, j, routes);
    }
}

static tutti_status check_text(const char *what, const char *text, tutti_error *error)
{
  if (text && (!tutti_utf8_is_xml(text) || strchr(text, '\n')))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the %s is not one line of text that XML can hold", what);
  return TUTTI_OK;
}

tutti_status tutti_platform_new(const tutti_machine *machine, FILE *stream, tutti_error *error)
{
  struct plan plan;
  tutti_status status = make_plan(machine, &plan, error);
  if (status == TUTTI_OK)
    status = check_text("description", machine->description, error);
  if (status == TUTTI_OK)
    status = check_text("source", machine->source, error);
  if (status != TUTTI_OK)
    return status;
  fprintf(stream, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                  "<platform version=\"4.1\">\n");
  print_config(stream, &plan);
  fprintf(stream, "  <zone id=\"world\" routing=\"%s\">\n", plan.groups > 0 ? "Floyd" : "Full");
  print_properties(stream, &plan);
  if (plan.groups > 0)
    print_dragonfly_plus(stream, &plan);
  else
    print_topology(stream, &plan);
  fprintf(stream, "  </zone>\n</platform>\n");
  return TUTTI_OK;
}
