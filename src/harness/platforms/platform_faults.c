/* Platforms that SimGrid 3.32 loads without a message, but crashes on, or simulates wrongly or in different ways. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/words.h"
#include "harness/platforms/routing.h"
#include "harness/platforms/topology.h"

/* On one host every message under way is shared anew with each that comes or goes: alltoall/linear of 8 B takes 1.3 s
   to simulate with 64 ranks, 12 s with 100, 44 s with 140. */
enum { MANY_RANKS_PER_HOST = 300 };

struct inspection {
  const xml_file *file;
  tutti_platform *platform;
};

void tutti_platform_report(const xml_file *file, tutti_platform *platform, const xmlNode *node, bool refused,
                           const char *format, va_list arguments)
{
  tutti_error text, place;
  tutti_vfail(&text, TUTTI_ERR_FAULT, format, arguments);
  tutti_xml_fail(file, node, &place, "%s", text.message);
  platform->findings = tutti_xroom(platform->findings, (size_t)platform->finding_count, sizeof *platform->findings);
  platform->findings[platform->finding_count++] =
      (tutti_platform_finding){.refused = refused, .message = tutti_xstrdup(place.message)};
}

__attribute__((format(printf, 3, 4))) static void refuse(const struct inspection *inspection, const xmlNode *node,
                                                         const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_platform_report(inspection->file, inspection->platform, node, true, format, arguments);
  va_end(arguments);
}

__attribute__((format(printf, 3, 4))) static void warn(const struct inspection *inspection, const xmlNode *node,
                                                       const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  tutti_platform_report(inspection->file, inspection->platform, node, false, format, arguments);
  va_end(arguments);
}

/* ---- options ---- */

/* The last one given, or NULL. */
static const xmlNode *find_option(const xml_file *file, const char *name)
{
  const xmlNode *root = tutti_xml_root(file), *found = NULL;
  for (const xmlNode *config = tutti_xml_element_from(root->children); config;
       config = tutti_xml_element_from(config->next))
    for (const xmlNode *prop = tutti_xml_is(config, "config") ? tutti_xml_element_from(config->children) : NULL; prop;
         prop = tutti_xml_element_from(prop->next))
      if (strcmp(tutti_xml_attribute(prop, "id"), name) == 0)
        found = prop;
  return found;
}

static const char *value_of(const struct inspection *inspection, const char *name, const char *otherwise)
{
  const xmlNode *option = find_option(inspection->file, name);
  return option ? tutti_xml_attribute(option, "value") : otherwise;
}

static const xmlNode *place_of(const struct inspection *inspection, const char *name)
{
  const xmlNode *option = find_option(inspection->file, name);
  return option ? option : tutti_xml_element_from(tutti_xml_root(inspection->file)->children);
}

static bool has_config(const struct inspection *inspection)
{
  return tutti_xml_is(tutti_xml_element_from(tutti_xml_root(inspection->file)->children), "config");
}

bool tutti_platform_says_no(const char *value)
{
  static const char *const words[] = {"no", "off", "false", "0"};
  bool found = false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    found |= strcasecmp(value, words[i]) == 0;
  return found;
}

/* smpi/cpu-threshold does not help: what takes longer on a busy computer is still simulated, and -1, SimGrid's word for
   infinity, makes 3.32 simulate it all. */
static void inspect_computation(const struct inspection *inspection)
{
  static const char option[] = "smpi/simulate-computation";
  if (!has_config(inspection))
    warn(inspection, tutti_xml_root(inspection->file),
         "no <config>: SimGrid scales times of messages as in a cluster of its own, and smpirun simulates what this "
         "computer computes: copy that of a file of tutti platform new");
  else if (!tutti_platform_says_no(value_of(inspection, option, "yes")))
    warn(inspection, place_of(inspection, option),
         "%s is not \"no\": SimGrid measures the computation of this computer and simulates it, unless Tutti runs "
         "it: set it to \"no\"",
         option);
}

static void inspect_factors(const struct inspection *inspection)
{
  static const char *const factors[][2] = {{"smpi/lat-factor", "latencies by 2.01 to 11.6"},
                                           {"smpi/bw-factor", "bandwidths by 0.34 to 1.09"}};
  for (int i = 0; has_config(inspection) && i < 2; i++)
    if (!value_of(inspection, factors[i][0], NULL))
      warn(inspection, place_of(inspection, factors[i][0]),
           "%s is not set: SimGrid multiplies %s, as in a cluster of its own: set it to \"0:1\", or to what was fitted "
           "to this machine",
           factors[i][0], factors[i][1]);
}

static void inspect_thresholds(const struct inspection *inspection)
{
  static const char async[] = "smpi/async-small-thresh", detached[] = "smpi/send-is-detached-thresh";
  long small = strtol(value_of(inspection, async, "0"), NULL, 10);
  long most = strtol(value_of(inspection, detached, "65536"), NULL, 10);
  if (small > most)
    refuse(inspection, place_of(inspection, async), "%s is %ld, more than %s, which is %ld: SimGrid ends at once",
           async, small, detached, most);
  else if (small > 0)
    warn(
        inspection, place_of(inspection, async),
        "%s is %ld: SimGrid 3.32 lets a smaller message overtake a larger one of the same sender, receiver and tag, so "
        "that programs get wrong data or wait for ever: set it to 0",
        async, small);
}

static void inspect_polling(const struct inspection *inspection)
{
  static const char *const calls[][2] = {{"smpi/test", "MPI_Test"}, {"smpi/iprobe", "MPI_Iprobe"}};
  for (int i = 0; i < 2; i++)
    if (strtod(value_of(inspection, calls[i][0], "1"), NULL) == 0)
      warn(inspection, place_of(inspection, calls[i][0]),
           "%s is 0: a loop of %s never ends, as no time passes in it: set it to 1e-7", calls[i][0], calls[i][1]);
}

/* What the file sets, and smpirun or Tutti sets otherwise. */
static void inspect_overridden(const struct inspection *inspection, const xmlNode *prop)
{
  const char *name = tutti_xml_attribute(prop, "id");
  if (tutti_xml_is(prop->parent, "config") && tutti_platform_is_overridden(name, tutti_xml_attribute(prop, "value")))
    warn(inspection, prop, "option %.100s has no effect: %s", name,
         strncmp(name, "tracing", strlen("tracing")) == 0
             ? "Tutti turns traces of SimGrid off, so that nothing but its results is written"
             : "smpirun sets it on its command line");
}

/* SimGrid still takes numbers without a unit. */
static void inspect_units(const struct inspection *inspection)
{
  static const char numbers[] = "bandwidth bb_bw bb_lat bw bw_in bw_out lat latency limiter_link loopback_bw "
                                "loopback_lat read_bw speed write_bw";
  const xmlNode *root = tutti_xml_root(inspection->file), *first = NULL;
  const xmlAttr *attribute_of_first = NULL;
  int count = 0;
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root))
    for (const xmlAttr *attribute = node->type == XML_ELEMENT_NODE ? node->properties : NULL; attribute;
         attribute = attribute->next) {
      const char *value = tutti_xml_attribute(node, (const char *)attribute->name);
      char *end;
      if (!tutti_word_is_listed(numbers, ' ', (const char *)attribute->name) || strtod(value, &end) == 0 || *end)
        continue;
      first = count++ ? first : node;
      attribute_of_first = attribute_of_first ? attribute_of_first : attribute;
    }
  if (count > 0)
    warn(inspection, first, "%s=\"%.40s\" has no unit%s: SimGrid takes seconds, bytes per second or flop/s",
         (const char *)attribute_of_first->name, tutti_xml_attribute(first, (const char *)attribute_of_first->name),
         count > 1 ? ", and others have none" : "");
}

/* ---- nodes ---- */

static void inspect_loopback(const struct inspection *inspection, const xmlNode *cluster, bool torus)
{
  bool latency = tutti_xml_attribute(cluster, "loopback_lat"), bandwidth = tutti_xml_attribute(cluster, "loopback_bw");
  int ranks = inspection->platform->ranks_per_node;
  if (ranks > 1 && torus && !latency && !bandwidth)
    refuse(
        inspection, cluster,
        "no loopback_bw and loopback_lat for %d ranks a node: SimGrid has no route from a node of a torus to itself, "
        "and ends with the first message within one",
        ranks);
  else if (ranks > 1 && latency && !bandwidth)
    refuse(inspection, cluster, "loopback_lat without loopback_bw: SimGrid ends with the first message within a node");
  else if (ranks > 1 && !latency && !bandwidth)
    warn(inspection, cluster,
         "no loopback_bw and loopback_lat for %d ranks a node: their messages to each other take the cable to the "
         "switch and back, and wait for those of other nodes there",
         ranks);
}

static void inspect_ranks(const struct inspection *inspection, const xmlNode *node)
{
  const char *cores = tutti_xml_attribute(node, "core");
  int ranks = inspection->platform->ranks_per_node;
  if (ranks > (cores ? strtol(cores, NULL, 10) : 1))
    warn(inspection, node, "core=\"%s\" for %d ranks a node: their computations share it: set core=\"%d\"",
         cores ? cores : "1", ranks, ranks);
}

bool tutti_platform_is_crowded(int ranks, tutti_error *text)
{
  text->message[0] = '\0';
  if (ranks > MANY_RANKS_PER_HOST)
    tutti_fail(
        text, TUTTI_ERR_FAULT,
        "%d ranks a node: SimGrid shares the network of a node anew with each message of its ranks; an alltoall of 140 "
        "on one node takes 44 s, and that grows with the fourth power: describe a node as several hosts under a "
        "switch of their own",
        ranks);
  return ranks > MANY_RANKS_PER_HOST;
}

static void inspect_many_ranks(const struct inspection *inspection)
{
  tutti_error crowd;
  static const char limit[] = "maxmin/concurrency-limit";
  int ranks = inspection->platform->ranks_per_node;
  const char *value = value_of(inspection, limit, "-1");
  if (ranks > 1 && strtol(value, NULL, 10) >= 0)
    warn(inspection, place_of(inspection, limit),
         "%s is %s with %d ranks a node: it queues their computation, too, and ends pauses early: leave it out", limit,
         value, ranks);
  if (tutti_platform_is_crowded(ranks, &crowd))
    warn(inspection, tutti_platform_outermost(inspection->file), "%s", crowd.message);
}

/* ---- topologies ---- */

static void inspect_dragonfly(const struct inspection *inspection, const xmlNode *cluster,
                              const struct topology *topology)
{
  const long *sizes = topology->sizes;
  if (!tutti_topology_has_routes(topology))
    refuse(inspection, cluster,
           "a dragonfly of %ld groups with %ld routers a chassis: SimGrid goes to group g by router g of a chassis and "
           "crashes where there is none: at most as many groups as a chassis has routers",
           sizes[DRAGONFLY_GROUPS], sizes[DRAGONFLY_ROUTERS]);
  if (sizes[DRAGONFLY_CHASSIS] > 1 && sizes[DRAGONFLY_ROUTERS] > 1)
    warn(inspection, cluster,
         "a dragonfly of %ld chassis a group: within a group SimGrid goes on as if it were in the first chassis after "
         "a step to another router, so that routes lack a link or have one too many: describe a group as one chassis "
         "of %ld routers",
         sizes[DRAGONFLY_CHASSIS], sizes[DRAGONFLY_CHASSIS] * sizes[DRAGONFLY_ROUTERS]);
}

static void inspect_torus(const struct inspection *inspection, const xmlNode *cluster, const struct topology *topology)
{
  int ones = 0;
  for (int i = 0; i < topology->levels; i++)
    ones += topology->sizes[i] == 1;
  if (ones > 1)
    refuse(inspection, cluster,
           "topo_parameters=\"%.40s\": a torus with %d sides of 1: SimGrid makes a link from a node to itself for each "
           "and ends, as they have one name: leave sides of 1 out",
           tutti_xml_attribute(cluster, "topo_parameters"), ones);
}

static void inspect_cluster(const struct inspection *inspection, const xmlNode *cluster)
{
  struct topology topology;
  tutti_topology_parse(tutti_xml_attribute(cluster, "topology"), tutti_xml_attribute(cluster, "topo_parameters"),
                       &topology, NULL); /* that it can was checked */
  if (topology.kind == TOPOLOGY_DRAGONFLY)
    inspect_dragonfly(inspection, cluster, &topology);
  if (topology.kind == TOPOLOGY_TORUS)
    inspect_torus(inspection, cluster, &topology);
  int *numbers = NULL, named = 0;
  tutti_platform_expand_radical(tutti_xml_attribute(cluster, "radical"), &numbers, &named, NULL);
  free(numbers);
  if (topology.hosts >= 0 && named > topology.hosts)
    warn(inspection, cluster, "radical=\"%.40s\" names %d hosts, of which the topology has the first %ld",
         tutti_xml_attribute(cluster, "radical"), named, topology.hosts);
  inspect_loopback(inspection, cluster, topology.kind == TOPOLOGY_TORUS);
  double backbone = 0;
  const char *bandwidth = tutti_xml_attribute(cluster, "bb_bw"), *latency = tutti_xml_attribute(cluster, "bb_lat");
  if (topology.kind == TOPOLOGY_FLAT && latency && (!bandwidth || !*bandwidth) &&
      tutti_platform_read_time(latency, &backbone, NULL) == TUTTI_OK && backbone > 0)
    refuse(inspection, cluster,
           "bb_lat without bb_bw: SimGrid ends with the first message over a backbone of no bandwidth");
  inspect_ranks(inspection, cluster);
}

/* SimGrid's parser takes a zone that begins with a link for one of hosts. */
static void inspect_order(const struct inspection *inspection, const xmlNode *zone)
{
  const xmlNode *first = tutti_xml_element_from(zone->children);
  while (first && tutti_xml_is(first, "prop"))
    first = tutti_xml_element_from(first->next);
  if (!first || (!tutti_xml_is(first, "link") && !tutti_xml_is(first, "backbone")))
    return;
  for (const xmlNode *node = first; node; node = tutti_xml_element_from(node->next))
    if (tutti_xml_is(node, "cluster") || tutti_xml_is(node, "zone") || tutti_xml_is(node, "AS")) {
      refuse(inspection, node, "<%s> after the <%s> of line %ld: SimGrid reads links after the zones only",
             (const char *)node->name, (const char *)first->name, xmlGetLineNo(first));
      return;
    }
}

/* ---- files beside the file ---- */

static void inspect_files(const struct inspection *inspection, const xmlNode *node)
{
  const char *name, *path;
  for (size_t at = 0; tutti_platform_next_file(node, &at, &name, &path);) {
    bool missing;
    tutti_platform_check_profile(inspection->file->path, name, path, &missing, NULL);
    if (missing)
      refuse(inspection, node, "%s=\"%.200s\": there is no such file beside this one: SimGrid ends there", name, path);
    else
      warn(inspection, node,
           "%s=\"%.200s\": when that file changes, results that are in the store stay: they are told apart by this file",
           name, path);
  }
}

/* ---- routes ---- */

static void inspect_network(const struct inspection *inspection)
{
  struct network network = {.file = inspection->file, .platform = inspection->platform};
  tutti_routing_build(&network);
  if (network.faults == 0)
    tutti_routing_check_pairs(&network);
  tutti_routing_free(&network);
}

void tutti_platform_find_faults(const xml_file *file, tutti_platform *platform)
{
  const struct inspection inspection = {file, platform};
  const xmlNode *root = tutti_xml_root(file);
  inspect_computation(&inspection);
  inspect_factors(&inspection);
  inspect_thresholds(&inspection);
  inspect_polling(&inspection);
  inspect_many_ranks(&inspection);
  inspect_units(&inspection);
  for (const xmlNode *node = root; node; node = tutti_xml_next(node, root)) {
    if (node->type != XML_ELEMENT_NODE)
      continue;
    if (tutti_xml_is(node, "cluster"))
      inspect_cluster(&inspection, node);
    else if (tutti_xml_is(node, "prop"))
      inspect_overridden(&inspection, node);
    else if (tutti_xml_is(node, "host"))
      inspect_ranks(&inspection, node);
    else if (tutti_xml_is(node, "zone") || tutti_xml_is(node, "AS"))
      inspect_order(&inspection, node);
    inspect_files(&inspection, node);
  }
  inspect_network(&inspection);
}
