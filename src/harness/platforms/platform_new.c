/* A platform file of a machine that is described by a few parameters. */
#include <libxml/entities.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "harness/platforms/platform_plan.h"
#include "harness/platforms/platform_private.h"
#include "harness/platforms/wiring.h"

/* With more ranks Linux has not enough mappings for guard pages. */
enum { RANKS_WITH_GUARDS = 4096 };

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

/* On one switch a network card sends one message after the other, where SimGrid supports it: with one rank a node. */
static void print_config(FILE *stream, const struct machine_plan *plan)
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

/* The hosts of a tree of SimGrid have numbers; these are their names. */
static void print_wiring(FILE *stream, const tutti_wiring *wiring)
{
  char *nodes = tutti_wiring_nodes(wiring), *levels = tutti_wiring_levels(wiring);
  print_text(stream, "tutti/nodes", nodes);
  if (*levels)
    print_option(stream, "tutti/levels", "%s", levels);
  free(nodes);
  free(levels);
}

static void print_properties(FILE *stream, const struct machine_plan *plan)
{
  const tutti_machine *m = plan->machine;
  char *described =
      tutti_xprintf("%s %s, %d rank%s and %d network card%s a node%s%s", tutti_machine_kind_words[m->kind], m->shape,
                    m->ranks_per_node, m->ranks_per_node > 1 ? "s" : "", m->nics, m->nics > 1 ? "s" : "",
                    m->broken ? ", without " : "", m->broken ? m->broken : "");
  print_text(stream, "tutti/description", m->description ? m->description : described);
  if (m->source)
    print_text(stream, "tutti/source", m->source);
  if (m->wiring)
    print_wiring(stream, m->wiring);
  print_option(stream, "tutti/published-alpha", "%.9g", m->latency);
  print_option(stream, "tutti/published-beta", "%.9g", 1 / m->bandwidth);
  print_option(stream, "tutti/published-gamma", "%.9g", m->gamma);
  print_option(stream, "tutti/ranks-per-node", "%d", plan->ranks);
  if (plan->ranks < m->ranks_per_node)
    print_option(stream, "tutti/hosts-per-node", "%d", m->ranks_per_node / plan->ranks);
  free(described);
}

/* Hosts from first on; @p bandwidth of the cable of each. Ends within the element. */
static void print_cluster(FILE *stream, const struct machine_plan *plan, const char *id, long first, long hosts,
                          double bandwidth)
{
  fprintf(stream,
          "    <cluster id=\"%s\" prefix=\"n\" suffix=\"\" radical=\"%ld-%ld\" speed=\"%.9gf\" core=\"%d\"\n"
          "             bw=\"%.9gBps\" lat=\"%.9gus\" sharing_policy=\"SPLITDUPLEX\"",
          id, first, first + hosts - 1, 1 / plan->machine->gamma, plan->ranks, bandwidth, 1e6 * plan->link);
  if (plan->ranks > 1)
    fprintf(stream, "\n             loopback_bw=\"%.9gBps\" loopback_lat=\"%.9gus\"", plan->loopback_bandwidth,
            1e6 * plan->loopback_link);
}

static void print_topology(FILE *stream, const struct machine_plan *plan)
{
  char parameters[TOPOLOGY_TEXT_LENGTH];
  print_cluster(stream, plan, "machine", 0, plan->hosts, plan->machine->bandwidth);
  tutti_topology_write(&plan->topology, parameters);
  if (plan->topology.kind != TOPOLOGY_FLAT)
    fprintf(stream, "\n             topology=\"%s\" topo_parameters=\"%s\"", tutti_topology_name(plan->topology.kind),
            parameters);
  fprintf(stream, "/>\n");
}

static void print_link(FILE *stream, const struct machine_plan *plan, const char *id, double cables)
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

/* The leaves of a group, and one switch for all its spines. A node's cables are one link, and a message can fill only
   one cable of it: a backbone that all pass without sharing limits it so. */
static void print_switches(FILE *stream, const struct machine_plan *plan, long group)
{
  const tutti_machine *m = plan->machine;
  const long leaves = plan->topology.sizes[PLUS_LEAVES], hosts = plan->topology.sizes[PLUS_HOSTS];
  char leaf[48];
  for (long i = 0; i < leaves; i++) {
    snprintf(leaf, sizeof leaf, "g%ld_l%ld", group, i);
    print_cluster(stream, plan, leaf, (group * leaves + i) * hosts, hosts, m->nics * m->bandwidth);
    fprintf(stream, "\n             router_id=\"%s_switch\"", leaf);
    if (m->nics > 1)
      fprintf(stream, " bb_bw=\"%.9gBps\" bb_lat=\"0us\" bb_sharing_policy=\"FATPIPE\"", m->bandwidth);
    fprintf(stream, "/>\n");
  }
  fprintf(stream, "    <zone id=\"g%ld_spines\" routing=\"Full\"><router id=\"g%ld_spine\"/></zone>\n", group, group);
}

/* The links or the routes between the leaves of a group and its spines. */
static void print_group(FILE *stream, const struct machine_plan *plan, long group, bool routes)
{
  const tutti_machine *m = plan->machine;
  double uplinks = m->spines > 0 ? m->spines : (double)plan->topology.sizes[PLUS_HOSTS] * m->nics;
  char leaf[48], spine[48], spines[48], gateway[64], link[64];
  snprintf(spine, sizeof spine, "g%ld_spine", group);
  snprintf(spines, sizeof spines, "g%ld_spines", group);
  for (long i = 0; i < plan->topology.sizes[PLUS_LEAVES]; i++) {
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
static void print_groups(FILE *stream, const struct machine_plan *plan, long from, long to, bool routes)
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

/* tutti_dragonfly_plus_read() reads what this writes. All switches are in one zone: SimGrid 4.1 crashes on a gateway
   that is in a zone beside that of the hosts. */
static void print_dragonfly_plus(FILE *stream, const struct machine_plan *plan)
{
  const long cells = plan->topology.sizes[PLUS_CELLS];
  for (long group = 0; group < cells; group++)
    print_switches(stream, plan, group);
  for (int routes = 0; routes < 2; routes++)
    for (long i = 0; i < cells; i++) {
      print_group(stream, plan, i, routes);
      for (long j = i + 1; j < cells; j++)
        print_groups(stream, plan, i, j, routes);
    }
}

static tutti_status check_text(const char *what, const char *text, tutti_error *error)
{
  if (text && (!tutti_utf8_is_xml(text) || strchr(text, '\n')))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the %s is not one line of text that XML can hold", what);
  return TUTTI_OK;
}

static tutti_machine_made describe_made(const struct machine_plan *plan)
{
  tutti_machine_made made = {.ranks = plan->ranks,
                             .overhead = plan->overhead,
                             .within_node =
                                 plan->overhead + plan->loopback_link + TUTTI_ENVELOPE / plan->loopback_bandwidth};
  tutti_platform_is_crowded(plan->ranks, &made.crowd);
  return made;
}

tutti_status tutti_platform_new(const tutti_machine *machine, FILE *stream, tutti_machine_made *made,
                                tutti_error *error)
{
  struct machine_plan plan;
  struct torus_cables cables = {0};
  tutti_status status = tutti_machine_plan(machine, &plan, error);
  if (status == TUTTI_OK)
    status = check_text("description", machine->description, error);
  if (status == TUTTI_OK)
    status = check_text("source", machine->source, error);
  if (status == TUTTI_OK && machine->broken)
    status = tutti_torus_without(&plan, &cables, error);
  if (status != TUTTI_OK) {
    tutti_vector_free(&cables);
    return status;
  }
  fprintf(stream, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                  "<platform version=\"4.1\">\n");
  print_config(stream, &plan);
  const bool plus = plan.topology.kind == TOPOLOGY_DRAGONFLY_PLUS;
  const bool uneven = machine->kind == TUTTI_MACHINE_TREE;
  fprintf(stream, "  <zone id=\"world\" routing=\"%s\">\n",
          uneven                    ? tutti_wiring_routing(machine->wiring)
          : plus || machine->broken ? "Floyd"
                                    : "Full");
  print_properties(stream, &plan);
  if (uneven)
    tutti_wiring_print(stream, &plan);
  else if (plus)
    print_dragonfly_plus(stream, &plan);
  else if (machine->broken)
    tutti_torus_print(&plan, &cables, stream);
  else
    print_topology(stream, &plan);
  tutti_vector_free(&cables);
  fprintf(stream, "  </zone>\n</platform>\n");
  *made = describe_made(&plan);
  return TUTTI_OK;
}
