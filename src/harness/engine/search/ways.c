#include "harness/engine/search/ways.h"

#include <math.h>
#include <stdlib.h>

#include "base/splitmix64.h"

/* Relays that are looked at for a pair: those without a route; to balance. */
enum { RELAYS = 32, NEAR = 8, ANY = 2, PASSES = 2 };

/* ---- routes ---- */

static void add_route(struct ways *ways, const struct broken_links *broken, uint32_t from, uint32_t to)
{
  const size_t at = (size_t)from * ways->hosts + to;
  struct engine_route route;
  ways->first[at] = ways->links.count;
  ways->lengths[at] = WAYS_NONE;
  if (!tutti_fabric_route(ways->machine, broken, from * ways->per_host, to * ways->per_host, &route))
    return;
  ways->lengths[at] = (uint16_t)route.forth;
  ways->latencies[at] = route.latency;
  for (int i = 0; i < route.forth; i++) {
    const struct net_link *link = tutti_network_kind(&ways->machine->network, route.links[i]);
    ways->byte_s[route.links[i]] = 1 / link->bandwidth;
    if (!link->fat_pipe)
      engine_push(&ways->links, route.links[i]);
  }
}

static bool has_route(const struct ways *ways, uint32_t from, uint32_t to)
{
  return ways->lengths[way_index(ways, from, to)] != WAYS_NONE;
}

/* A rank, of numbers near that of the receiver, over which the way is the shortest; ENGINE_NONE: there is none. */
static uint32_t find_relay(const struct ways *ways, uint32_t from, uint32_t to)
{
  uint32_t best = ENGINE_NONE, seen = 0;
  int least = 0;
  for (uint32_t i = 1; i < ways->ranks && seen < RELAYS; i++) {
    const uint32_t relay = (to + (i % 2 ? (i + 1) / 2 : ways->ranks - i / 2)) % ways->ranks;
    if (relay == from || relay == to || !has_route(ways, from, relay) || !has_route(ways, relay, to))
      continue;
    const int links = ways->lengths[way_index(ways, from, relay)] + ways->lengths[way_index(ways, relay, to)];
    seen++;
    if (best == ENGINE_NONE || links < least) {
      best = relay;
      least = links;
    }
  }
  return best;
}

/* ---- the load of links ---- */

struct balancing {
  struct ways *ways;
  double *loads;  /* [links] seconds a byte of each pair */
  double scale;   /* 1 over the mean load */
  uint32_t *near; /* [hosts][NEAR], ENGINE_NONE where there are fewer */
};

static void add_load(const struct ways *ways, double *loads, uint32_t from, uint32_t to, double sign)
{
  const size_t at = way_index(ways, from, to);
  for (uint64_t i = ways->first[at]; i < ways->first[at + 1]; i++)
    loads[ways->links.items[i]] += sign * ways->byte_s[ways->links.items[i]];
}

static void add_way(const struct ways *ways, double *loads, uint32_t from, uint32_t relay, uint32_t to, double sign)
{
  add_load(ways, loads, from, relay, sign);
  if (relay != to)
    add_load(ways, loads, relay, to, sign);
}

/* What one more message costs, where a link costs the more the more it carries. */
static double cost_of(const struct balancing *b, uint32_t from, uint32_t to)
{
  const struct ways *ways = b->ways;
  const size_t at = way_index(ways, from, to);
  double cost = 0;
  if (ways->lengths[at] == WAYS_NONE)
    return INFINITY;
  for (uint64_t i = ways->first[at]; i < ways->first[at + 1]; i++) {
    const double load = b->loads[ways->links.items[i]] * b->scale, fourth = load * load * load * load;
    cost += fourth * fourth * ways->byte_s[ways->links.items[i]];
  }
  return cost;
}

static void find_near(const struct balancing *b)
{
  const struct ways *ways = b->ways;
  for (uint32_t host = 0; host < ways->hosts; host++) {
    const uint16_t *lengths = &ways->lengths[(size_t)host * ways->hosts];
    uint16_t least = WAYS_NONE;
    uint32_t count = 0, *near = &b->near[(size_t)host * NEAR];
    for (uint32_t other = 0; other < ways->hosts; other++)
      least = other != host && lengths[other] < least ? lengths[other] : least;
    for (uint32_t i = 0; i < NEAR; i++)
      near[i] = ENGINE_NONE;
    for (uint32_t i = 1; i < ways->hosts && count < NEAR; i++) {
      const uint32_t other = (host + i) % ways->hosts;
      if (lengths[other] == least && least != WAYS_NONE)
        near[count++] = other;
    }
  }
}

/* The cheapest way of a pair: straight, over a host near the sender, or over any. */
static uint32_t choose_relay(const struct balancing *b, uint32_t from, uint32_t to, uint32_t now)
{
  const struct ways *ways = b->ways;
  uint32_t best = now;
  double least = cost_of(b, from, now) + (now != to ? cost_of(b, now, to) : 0);
  const double straight = now != to ? cost_of(b, from, to) : INFINITY;
  if (straight <= least) {
    best = to;
    least = straight;
  }
  for (uint32_t i = 0; i < NEAR + ANY; i++) {
    const uint32_t host =
        i < NEAR ? b->near[from / ways->per_host * NEAR + i]
                 : (uint32_t)(tutti_splitmix64(((uint64_t)from * ways->ranks + to) * ANY + i) % ways->hosts);
    const uint32_t relay = host == ENGINE_NONE ? from : host * ways->per_host + from % ways->per_host;
    if (relay == from || relay == to || relay >= ways->ranks)
      continue;
    const double first = cost_of(b, from, relay), cost = first < least ? first + cost_of(b, relay, to) : first;
    if (cost < least) {
      least = cost;
      best = relay;
    }
  }
  return best;
}

static void balance(struct balancing *b)
{
  const struct ways *ways = b->ways;
  uint32_t *relays = ways->relays[1];
  for (int pass = 0; pass < PASSES; pass++)
    for (uint32_t from = 0; from < ways->ranks; from++)
      for (uint32_t i = 1; i < ways->ranks; i++) {
        const uint32_t to = (from + i) % ways->ranks;
        uint32_t *relay = &relays[(size_t)from * ways->ranks + to];
        add_way(ways, b->loads, from, *relay, to, -1);
        *relay = choose_relay(b, from, to, *relay);
        add_way(ways, b->loads, from, *relay, to, 1);
      }
}

/* Loads of all links by the relays. Returns the sum. */
static double sum_loads(const struct ways *ways, int relays, double *loads)
{
  const size_t links = ways->machine->network.link_count;
  double sum = 0;
  for (uint32_t from = 0; from < ways->ranks; from++)
    for (uint32_t to = 0; to < ways->ranks; to++)
      if (from != to)
        add_way(ways, loads, from, ways->relays[relays][(size_t)from * ways->ranks + to], to, 1);
  for (size_t i = 0; i < links; i++)
    sum += loads[i];
  return sum;
}

double tutti_ways_load(const struct ways *ways, int relays)
{
  const size_t links = ways->machine->network.link_count;
  double *loads = tutti_xcalloc(links + 1, sizeof *loads), most = 0;
  sum_loads(ways, relays, loads);
  for (size_t i = 0; i < links; i++)
    most = fmax(most, loads[i]);
  free(loads);
  return most;
}

static void find_balanced(struct ways *ways)
{
  const size_t links = ways->machine->network.link_count;
  struct balancing b = {.ways = ways,
                        .loads = tutti_xcalloc(links + 1, sizeof *b.loads),
                        .near = tutti_xcalloc((size_t)ways->hosts * NEAR, sizeof *b.near)};
  const double sum = sum_loads(ways, 1, b.loads);
  size_t used = 0;
  for (size_t i = 0; i < links; i++)
    used += b.loads[i] > 0;
  b.scale = sum > 0 ? (double)used / sum : 0;
  find_near(&b);
  balance(&b);
  free(b.loads);
  free(b.near);
}

/* ---- all ---- */

static bool find_relays(struct ways *ways)
{
  for (uint32_t from = 0; from < ways->ranks; from++)
    for (uint32_t to = 0; to < ways->ranks; to++) {
      const size_t at = (size_t)from * ways->ranks + to;
      const uint32_t relay = from == to || has_route(ways, from, to) ? to : find_relay(ways, from, to);
      ways->relays[0][at] = ways->relays[1][at] = relay;
      if (relay == ENGINE_NONE)
        return false;
    }
  return true;
}

bool tutti_ways_find(const struct engine_machine *machine, const struct broken_links *broken, int ranks,
                     struct ways *ways)
{
  const uint32_t per_host = (uint32_t)machine->ranks_per_node, count = (uint32_t)ranks;
  const uint32_t hosts = (count + per_host - 1) / per_host;
  const size_t pairs = (size_t)hosts * hosts;
  *ways = (struct ways){.machine = machine,
                        .ranks = count,
                        .hosts = hosts,
                        .per_host = per_host,
                        .first = tutti_xcalloc(pairs + 1, sizeof *ways->first),
                        .lengths = tutti_xcalloc(pairs, sizeof *ways->lengths),
                        .latencies = tutti_xcalloc(pairs, sizeof *ways->latencies),
                        .byte_s = tutti_xcalloc((size_t)machine->network.link_count + 1, sizeof *ways->byte_s)};
  for (int i = 0; i < 2; i++)
    ways->relays[i] = tutti_xcalloc((size_t)count * count, sizeof *ways->relays[i]);
  for (uint32_t from = 0; from < hosts; from++)
    for (uint32_t to = 0; to < hosts; to++)
      add_route(ways, broken, from, to);
  ways->first[pairs] = ways->links.count;
  if (!find_relays(ways))
    return false;
  find_balanced(ways);
  return true;
}

void tutti_ways_free(struct ways *ways)
{
  tutti_vector_free(&ways->links);
  free(ways->first);
  free(ways->lengths);
  free(ways->latencies);
  free(ways->byte_s);
  free(ways->relays[0]);
  free(ways->relays[1]);
  *ways = (struct ways){.ranks = 0};
}
