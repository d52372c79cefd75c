/* A wiring as a machine of platform_new.c: a fat tree of SimGrid if all switches of a level are alike, else a zone for
   each switch. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "harness/platforms/platform_plan.h"
#include "harness/platforms/platform_private.h"
#include "harness/platforms/wiring.h"

/* Floyd's tables grow with the third power of the zones. */
enum { MAX_FLOYD = 400, MAX_UNEVEN = 1 << 17 };

static bool is_at_level(const tutti_wiring *wiring, int level, int number)
{
  return wiring->switches.items[number].level == level;
}

/* Nodes of each switch of a level, if all have as many, else 0. */
static int nodes_at(const tutti_wiring *wiring, int level)
{
  int nodes = -1;
  for (size_t i = 0; i < wiring->switches.count; i++)
    if (is_at_level(wiring, level, (int)i)) {
      const int own = wiring->switches.items[i].nodes;
      nodes = nodes < 0 || nodes == own ? own : 0;
    }
  return nodes > 0 ? nodes : 0;
}

char *tutti_wiring_shape(const tutti_wiring *wiring)
{
  struct tutti_text_stream text;
  int below = 1;
  for (size_t i = 1; i < wiring->switches.count; i++)
    if (!isnan(wiring->switches.items[i].rates))
      return NULL;
  for (int level = 0; level < wiring->levels; level++)
    if (nodes_at(wiring, level) == 0)
      return NULL;
  if (wiring->levels == 0)
    return NULL;
  tutti_xopen_text(&text);
  for (int level = 0; level < wiring->levels; level++) {
    fprintf(text.stream, "%s%d", level ? "x" : "", nodes_at(wiring, level) / below);
    below = nodes_at(wiring, level);
  }
  return tutti_xclose_text(&text);
}

char *tutti_wiring_levels(const tutti_wiring *wiring)
{
  struct tutti_text_stream text;
  const char *comma = "";
  int covered = 0;
  for (size_t i = 0; i < wiring->switches.count; i++)
    covered += is_at_level(wiring, 0, (int)i) ? wiring->switches.items[i].nodes : 0;
  tutti_xopen_text(&text);
  for (int level = 0; level < (wiring->levels ? wiring->levels - 1 : covered == (int)wiring->nodes.count); level++)
    if (nodes_at(wiring, level) > 0) {
      fprintf(text.stream, "%s%d", comma, nodes_at(wiring, level));
      comma = ",";
    }
  return tutti_xclose_text(&text);
}

char *tutti_wiring_summary(const tutti_wiring *wiring)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  fprintf(text.stream, "%zu node%s", wiring->nodes.count, tutti_plural(wiring->nodes.count));
  for (int level = 0; level <= wiring->switches.items[0].level; level++) {
    int switches = 0;
    for (size_t i = 0; i < wiring->switches.count; i++)
      switches += is_at_level(wiring, level, (int)i);
    fprintf(text.stream, "%s%d switch%s", level ? ", " : " at ", switches, switches > 1 ? "es" : "");
    if (nodes_at(wiring, level) > 0)
      fprintf(text.stream, " of %d node%s", nodes_at(wiring, level), nodes_at(wiring, level) > 1 ? "s" : "");
  }
  return tutti_xclose_text(&text);
}

/* ---- names of nodes ---- */

/* Where the number at the end of a name begins. */
static size_t stem_of(const char *name)
{
  size_t length = strlen(name);
  while (length > 0 && isdigit((unsigned char)name[length - 1]))
    length--;
  return length;
}

/* Whether the second name is the first one with the next number, written as long. */
static bool follows(const char *name, const char *next)
{
  const size_t stem = stem_of(name), length = strlen(name);
  return name[stem] && length - stem < 10 && strlen(next) == length && stem_of(next) == stem &&
         memcmp(name, next, stem) == 0 && atol(next + stem) == atol(name + stem) + 1;
}

char *tutti_wiring_nodes(const tutti_wiring *wiring)
{
  struct tutti_text_stream text;
  tutti_xopen_text(&text);
  for (size_t i = 0, last; i < wiring->nodes.count; i = last + 1) {
    const char *name = wiring->nodes.items[i].name;
    for (last = i;
         last + 1 < wiring->nodes.count && follows(wiring->nodes.items[last].name, wiring->nodes.items[last + 1].name);)
      last++;
    const size_t stem = stem_of(name);
    fprintf(text.stream, "%s%.*s", i ? "," : "", (int)(last > i ? stem : strlen(name)), name);
    if (last > i)
      fprintf(text.stream, "[%s-%s]", name + stem, wiring->nodes.items[last].name + stem);
  }
  return tutti_xclose_text(&text);
}

/* ---- the machine ---- */

static tutti_status check_size(const tutti_wiring *wiring, tutti_error *error)
{
  return wiring->uneven && wiring->nodes.count > MAX_UNEVEN
             ? tutti_fail(error, TUTTI_ERR_ARGUMENT,
                          "%zu nodes at switches that are not alike: up to %d are written host by host",
                          wiring->nodes.count, MAX_UNEVEN)
             : TUTTI_OK;
}

/* What hwloc says of a node. */
static void describe_node(const tutti_wiring *wiring, bool whole, tutti_machine *machine)
{
  const int parts = whole ? 1 : (int)wiring->nodes.count;
  if (wiring->cores > 0)
    machine->ranks_per_node = wiring->cores / parts > 1 ? wiring->cores / parts : 1;
  if (wiring->cards > 0 && whole)
    machine->nics = wiring->cards < 64 ? wiring->cards : 64;
}

tutti_status tutti_wiring_describe(tutti_wiring *wiring, tutti_machine *machine, tutti_error *error)
{
  if (isnan(machine->bandwidth))
    machine->bandwidth = wiring->rate;
  describe_node(wiring, machine->shape != NULL, machine);
  if (machine->shape) {
    if (wiring->cores == 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "it says how nodes are connected: leave out '%.80s'",
                        machine->shape);
    return TUTTI_OK;
  }
  if (wiring->nodes.count < 2)
    return wiring->cores > 0
               ? tutti_fail(error, TUTTI_ERR_ARGUMENT,
                            "one node, and a machine has two or more: say how many, as in "
                            "'cluster 4 --from FILE'")
               : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                            "one node, and a machine has two or more: tutti platform new cluster 4 makes 4");
  wiring->shape = tutti_wiring_shape(wiring);
  wiring->uneven = wiring->shape == NULL;
  if (wiring->uneven)
    wiring->shape = tutti_wiring_summary(wiring);
  machine->wiring = wiring;
  machine->shape = wiring->shape;
  machine->kind = wiring->uneven        ? TUTTI_MACHINE_TREE
                  : wiring->levels == 1 ? TUTTI_MACHINE_CLUSTER
                                        : TUTTI_MACHINE_FAT_TREE;
  return check_size(wiring, error);
}

/* ---- uneven switches: a zone each ---- */

static void print_hosts(FILE *stream, const struct machine_plan *plan, int number)
{
  const tutti_wiring *wiring = plan->machine->wiring;
  const struct wiring_switch *at = &wiring->switches.items[number];
  const tutti_machine *m = plan->machine;
  for (size_t i = (size_t)at->first; i < wiring->nodes.count && wiring->nodes.items[i].at == number; i++)
    fprintf(stream, "      <host id=\"%s\" speed=\"%.9gf\" core=\"%d\"/>\n", wiring->nodes.items[i].name, 1 / m->gamma,
            plan->ranks);
  fprintf(stream, "      <router id=\"switch:%d:router\"/>\n", number);
  if (plan->ranks > 1)
    fprintf(stream,
            "      <link id=\"loop:%d\" bandwidth=\"%.9gBps\" latency=\"%.9gus\" sharing_policy=\"FATPIPE\"/>\n",
            number, plan->loopback_bandwidth, 1e6 * plan->loopback_link);
  for (size_t i = (size_t)at->first; i < wiring->nodes.count && wiring->nodes.items[i].at == number; i++) {
    const char *name = wiring->nodes.items[i].name;
    fprintf(stream,
            "      <link id=\"to:%s\" bandwidth=\"%.9gBps\" latency=\"%.9gus\" sharing_policy=\"SPLITDUPLEX\"/>\n"
            "      <host_link id=\"%s\" up=\"to:%s_UP\" down=\"to:%s_DOWN\"/>\n",
            name, m->nics * m->bandwidth, 1e6 * plan->link, name, name, name);
  }
  for (size_t i = (size_t)at->first; plan->ranks > 1 && i < wiring->nodes.count && wiring->nodes.items[i].at == number;
       i++)
    fprintf(stream, "      <route src=\"%s\" dst=\"%s\"><link_ctn id=\"loop:%d\"/></route>\n",
            wiring->nodes.items[i].name, wiring->nodes.items[i].name, number);
}

/* Of the bandwidth that was asked for, where the file has rates: as they are to each other. */
static double uplink(const struct machine_plan *plan, const struct wiring_switch *at)
{
  const tutti_wiring *wiring = plan->machine->wiring;
  const double own = plan->machine->nics * plan->machine->bandwidth;
  return isnan(at->rates) || isnan(wiring->rate) ? at->nodes * own : at->rates / wiring->rate * own;
}

void tutti_wiring_print(FILE *stream, const struct machine_plan *plan)
{
  const tutti_wiring *wiring = plan->machine->wiring;
  const int count = (int)wiring->switches.count;
  for (int i = 0; i < count; i++) {
    const bool leaf = wiring->nodes.items[wiring->switches.items[i].first].at == i;
    fprintf(stream, "    <zone id=\"switch:%d\" routing=\"%s\"> <!-- ", i, leaf ? "Cluster" : "Full");
    for (const char *c = wiring->switches.items[i].name; *c; c++)
      fputc(isalnum((unsigned char)*c) || *c == '_' || *c == '.' ? *c : ' ', stream);
    fprintf(stream, " -->\n");
    if (leaf)
      print_hosts(stream, plan, i);
    else
      fprintf(stream, "      <router id=\"switch:%d:router\"/>\n", i);
    fprintf(stream, "    </zone>\n");
  }
  for (int i = 1; i < count; i++)
    fprintf(stream,
            "    <link id=\"up:%d\" bandwidth=\"%.9gBps\" latency=\"%.9gus\" sharing_policy=\"SPLITDUPLEX\"/>\n", i,
            uplink(plan, &wiring->switches.items[i]), 1e6 * plan->link);
  for (int i = 1; i < count; i++) {
    const int above = wiring->switches.items[i].parent;
    fprintf(
        stream,
        "    <zoneRoute src=\"switch:%d\" dst=\"switch:%d\" gw_src=\"switch:%d:router\" gw_dst=\"switch:%d:router\">"
        "<link_ctn id=\"up:%d\" direction=\"UP\"/></zoneRoute>\n",
        i, above, i, above, i);
  }
}

const char *tutti_wiring_routing(const tutti_wiring *wiring)
{
  return wiring->switches.count <= MAX_FLOYD ? "Floyd" : "DijkstraCache";
}
