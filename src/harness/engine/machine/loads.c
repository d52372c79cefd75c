#include "harness/engine/machine/loads.h"
#include "harness/engine/machine/zones.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/engine/riders/start.h"
#include "tutti/analysis.h"

struct loading {
  const struct engine_machine *machine;
  const tutti_call *call;
  struct link_loads *loads;
  uint64_t *bytes; /* [link_count] */
};

/* ---- levels ---- */

static int dragonfly_level(const struct topology *t, uint32_t cable)
{
  const long groups = t->sizes[DRAGONFLY_GROUPS], chassis = t->sizes[DRAGONFLY_CHASSIS],
             routers = t->sizes[DRAGONFLY_ROUTERS];
  const long black = t->hosts + groups * chassis * (routers * (routers - 1) / 2);
  const long blue = black + groups * routers * (chassis * (chassis - 1) / 2);
  return (long)cable < t->hosts ? 1 : (long)cable < black ? 2 : (long)cable < blue ? 3 : 4;
}

static int dragonfly_plus_level(const struct engine_network *n, uint32_t cable)
{
  const uint32_t leaves = (uint32_t)(n->topology.sizes[PLUS_LEAVES] * n->topology.sizes[PLUS_CELLS]);
  return cable < n->host_count ? 1 : cable < n->host_count + leaves ? 2 : 3;
}

int tutti_link_level(const struct engine_network *n, uint32_t link)
{
  const struct topology *t = &n->topology;
  if (n->zones) {
    const struct net_link *kind = tutti_network_kind(n, link);
    return !kind->apart ? 1 : kind->fat_pipe ? 0 : -1;
  }
  if (n->loopbacks != ENGINE_NONE && link >= n->loopbacks)
    return 0;
  if (n->limiters != ENGINE_NONE && link >= n->limiters)
    return -1;
  if (t->kind == TOPOLOGY_DRAGONFLY_PLUS && n->backbone != ENGINE_NONE && link >= n->backbone)
    return -1;
  if (link == n->backbone)
    return 2;
  const uint32_t cable = n->split_duplex ? link / 2 : link;
  int level = 1;
  switch (t->kind) {
  case TOPOLOGY_TORUS:
    return 1 + (int)(cable / n->host_count);
  case TOPOLOGY_DRAGONFLY:
    return dragonfly_level(t, cable);
  case TOPOLOGY_DRAGONFLY_PLUS:
    return dragonfly_plus_level(n, cable);
  case TOPOLOGY_FAT_TREE:
    while (level < t->levels && cable >= n->first_cable[level])
      level++;
    return level;
  default:
    return 1;
  }
}

void tutti_link_levels(const struct engine_network *n, struct link_loads *loads)
{
  static const char *const dragonfly[] = {"node", "host", "switch", "chassis", "global"};
  static const char *const plus[] = {"node", "host", "leaf switch", "global"};
  static const char *const flat[] = {"node", "host", "backbone"};
  const struct topology *t = &n->topology;
  const char *const *names = t->kind == TOPOLOGY_DRAGONFLY        ? dragonfly
                             : t->kind == TOPOLOGY_DRAGONFLY_PLUS ? plus
                                                                  : flat;
  const bool numbered = t->kind == TOPOLOGY_TORUS || t->kind == TOPOLOGY_FAT_TREE;
  *loads = (struct link_loads){.count = names == dragonfly           ? 5
                                        : names == plus              ? 4
                                        : numbered                   ? 1 + t->levels
                                        : n->backbone != ENGINE_NONE ? 3
                                                                     : 2};
  for (int i = 0; i < loads->count; i++) {
    char *name = loads->levels[i].name;
    if (numbered && i > 0)
      snprintf(name, sizeof loads->levels->name, t->kind == TOPOLOGY_TORUS ? "dimension %d" : "level %d", i);
    else
      snprintf(name, sizeof loads->levels->name, "%s", names[i]);
  }
}

/* ---- messages ---- */

/* Within a host there may be no link. */
static tutti_status add_message(void *context, int from, int to, uint64_t elements, tutti_error *error)
{
  const struct loading *l = context;
  const uint64_t bytes = elements * l->call->type_size;
  const uint32_t ranks = (uint32_t)l->machine->ranks_per_node, source = (uint32_t)from / ranks;
  const uint32_t target = (uint32_t)to / ranks;
  struct engine_route route = {.count = 0};
  bool crossed[LOADS_MAX_LEVELS] = {false};
  if (source == target) {
    l->loads->levels[0].messages++;
    l->loads->levels[0].bytes += bytes;
    return TUTTI_OK;
  }
  if (!tutti_network_route(&l->machine->network, source, target, &route))
    return tutti_machine_no_route(l->machine, source, target, error);
  for (int i = 0; i < route.count; i++) {
    const int level = tutti_link_level(&l->machine->network, route.links[i]);
    if (level < 0)
      continue;
    l->loads->levels[level].bytes += bytes;
    l->loads->levels[level].messages += !crossed[level];
    crossed[level] = true;
    l->bytes[route.links[i]] += bytes;
  }
  return TUTTI_OK;
}

static void find_largest(const struct loading *l)
{
  for (uint32_t link = 0; link < l->machine->network.link_count; link++) {
    const int level = tutti_link_level(&l->machine->network, link);
    if (level >= 0 && level < l->loads->count && l->bytes[link] > l->loads->levels[level].largest)
      l->loads->levels[level].largest = l->bytes[link];
  }
}

tutti_status tutti_link_loads(const struct engine_machine *machine, const tutti_method *method, const tutti_call *call,
                              struct link_loads *loads, tutti_error *error)
{
  const tutti_status room = tutti_start_check_room(machine, (uint32_t)call->size, error);
  if (room != TUTTI_OK)
    return room;
  struct loading loading = {machine, call, loads, calloc((size_t)machine->network.link_count + 1, sizeof(uint64_t))};
  if (!loading.bytes)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the loads of %u links",
                      (unsigned)machine->network.link_count);
  tutti_link_levels(&machine->network, loads);
  const tutti_status status = tutti_each_message(method, call, add_message, &loading, error);
  find_largest(&loading);
  free(loading.bytes);
  return status;
}
