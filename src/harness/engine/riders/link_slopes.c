#include "harness/engine/riders/link_slopes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/memory.h"
#include "harness/engine/machine/loads.h"
#include "harness/engine/machine/zones.h"

/* Sets into which one is split; the last one has all other links. */
enum { PARTS = ENGINE_LEVELS - 1, MAX_NAMED_HOSTS = 256 };

/* Links of consecutive numbers. */
struct link_set {
  uint32_t first, count;
  double latency, byte;
};

struct splitting {
  const struct engine_machine *machine;
  link_slopes_time *time;
  const void *context;
  uint8_t *sets;
  struct {
    TUTTI_VECTOR(struct link_set);
  } open; /* disjoint; all other links have no derivative */
};

static uint32_t part_begin(const struct link_set *set, uint32_t part)
{
  return set->first + (uint32_t)((uint64_t)set->count * part / PARTS);
}

static tutti_status split(struct splitting *s, size_t at, tutti_error *error)
{
  const struct link_set set = s->open.items[at];
  struct engine_change change = tutti_slopes_unchanged();
  struct engine_slope slopes;
  double seconds;
  change.sets = s->sets;
  memset(s->sets, PARTS, s->machine->network.link_count);
  for (uint32_t p = 0; p < PARTS; p++)
    memset(s->sets + part_begin(&set, p), (int)p, part_begin(&set, p + 1) - part_begin(&set, p));
  const tutti_status status = s->time(s->context, &change, &seconds, &slopes, error);
  s->open.items[at] = s->open.items[--s->open.count];
  for (uint32_t p = 0; p < PARTS && status == TUTTI_OK; p++) {
    const struct link_set part = {part_begin(&set, p), part_begin(&set, p + 1) - part_begin(&set, p),
                                  slopes.of[ENGINE_LEVEL_LATENCY + p], slopes.of[ENGINE_LEVEL_BYTE + p]};
    if (part.count > 0 && part.latency + part.byte > 0)
      tutti_xpush(&s->open, part);
  }
  return status;
}

static int by_sum(const void *left, const void *right)
{
  const struct link_set *a = left, *b = right;
  const double difference = b->latency + b->byte - a->latency - a->byte;
  return difference != 0 ? (difference > 0) - (difference < 0) : (a->first > b->first) - (a->first < b->first);
}

/* The first of the largest that is not a single link; -1: those that are wanted are. */
static int next_split(struct splitting *s)
{
  qsort(s->open.items, s->open.count, sizeof *s->open.items, by_sum);
  for (int i = 0; i < (int)s->open.count && i < LINK_SLOPES; i++)
    if (s->open.items[i].count > 1)
      return i;
  return -1;
}

tutti_status tutti_link_slopes_find(const struct engine_machine *machine, link_slopes_time *time, const void *context,
                                    struct link_slopes *found, tutti_error *error)
{
  const uint32_t links = machine->network.link_count;
  struct splitting s = {machine, time, context, tutti_xcalloc((size_t)links + 1, 1), {0}};
  tutti_status status = TUTTI_OK;
  *found = (struct link_slopes){.count = 0};
  tutti_xpush(&s.open, (struct link_set){0, links, 1, 1});
  for (int at = links > 0 ? 0 : -1; at >= 0 && status == TUTTI_OK; at = next_split(&s)) {
    status = split(&s, (size_t)at, error);
    found->passes++;
  }
  for (size_t i = 0; i < s.open.count && i < LINK_SLOPES && status == TUTTI_OK; i++)
    found->items[found->count++] =
        (struct link_slope){s.open.items[i].first, s.open.items[i].latency, s.open.items[i].byte};
  tutti_vector_free(&s.open);
  free(s.sets);
  return status;
}

struct engine_change tutti_link_slopes_change(const struct engine_machine *machine, uint32_t link, uint8_t *sets)
{
  struct engine_change change = tutti_slopes_unchanged();
  memset(sets, 1, machine->network.link_count);
  sets[link] = 0;
  change.sets = sets;
  return change;
}

/* ---- names ---- */

static bool crosses(const struct engine_route *route, uint32_t link)
{
  for (int i = 0; i < route->count; i++)
    if (route->links[i] == link)
      return true;
  return false;
}

/* The hosts with the shortest route over the link. False: there are none. */
static bool find_ends(const struct engine_network *n, uint32_t link, uint32_t *from, uint32_t *to,
                      struct engine_route *shortest)
{
  const uint32_t hosts = n->host_count < MAX_NAMED_HOSTS ? n->host_count : MAX_NAMED_HOSTS;
  struct engine_route route;
  shortest->count = ENGINE_MAX_HOPS + 1;
  for (uint32_t a = 0; a < hosts; a++)
    for (uint32_t b = 0; b < hosts; b++)
      if ((a != b || tutti_link_level(n, link) == 0) && tutti_network_find(n, a, b, &route) &&
          route.count < shortest->count && crosses(&route, link)) {
        *shortest = route;
        *from = a;
        *to = b;
      }
  return shortest->count <= ENGINE_MAX_HOPS;
}

/* Whether all routes from a host begin with the link, or all to it end with it. */
static bool is_only_cable(const struct engine_network *n, uint32_t host, uint32_t link, bool from)
{
  const uint32_t hosts = n->host_count < MAX_NAMED_HOSTS ? n->host_count : MAX_NAMED_HOSTS;
  struct engine_route route;
  for (uint32_t other = 0; other < hosts; other++)
    if (other != host && tutti_network_find(n, from ? host : other, from ? other : host, &route) && route.count > 0 &&
        route.links[from ? 0 : route.count - 1] != link)
      return false;
  return true;
}

const char *tutti_link_slopes_name(const struct engine_machine *machine, uint32_t link, char name[LINK_SLOPES_NAME])
{
  const struct engine_network *n = &machine->network;
  const int level = tutti_link_level(n, link);
  struct link_loads levels;
  struct engine_route route;
  uint32_t from = 0, to = 0;
  tutti_link_levels(n, &levels);
  const char *id = n->zones ? tutti_index_name(&n->zones->network.link_names, (size_t)link + 1) : NULL;
  if (id)
    snprintf(name, LINK_SLOPES_NAME, "link %s", id);
  else if (!find_ends(n, link, &from, &to, &route))
    snprintf(name, LINK_SLOPES_NAME, "link %u", (unsigned)link);
  else if (from == to)
    snprintf(name, LINK_SLOPES_NAME, "within host %u", (unsigned)from);
  else if (level == 1 && is_only_cable(n, from, link, true))
    snprintf(name, LINK_SLOPES_NAME, "from host %u", (unsigned)from);
  else if (level == 1 && is_only_cable(n, to, link, false))
    snprintf(name, LINK_SLOPES_NAME, "to host %u", (unsigned)to);
  else
    snprintf(name, LINK_SLOPES_NAME, "link %u (%s, host %u to %u)", (unsigned)link,
             level >= 0 && level < levels.count ? levels.levels[level].name : "limiter", (unsigned)from, (unsigned)to);
  return name;
}
