#include "harness/engine/search/fabric.h"

#include <math.h>
#include <stdlib.h>

#include "harness/engine/riders/start.h"

enum { NEAR_HOSTS = 16, ALL_OF_HOST = 8 };

struct making {
  struct fabric *fabric;
  const struct broken_links *broken;
  uint32_t ranks, per_host, hosts;
  bool reversed;
  uint32_t *mark; /* [ranks] the last rank, counted from 1, with a hop to it */
};

/* ---- routes ---- */

static bool is_broken(const struct broken_links *broken, const struct engine_route *route)
{
  for (int i = 0; broken->links && i < route->count; i++)
    if (broken->links[route->links[i]])
      return true;
  return false;
}

bool tutti_fabric_route(const struct engine_machine *machine, const struct broken_links *broken, uint32_t from,
                        uint32_t to, struct engine_route *route)
{
  const uint32_t per_host = (uint32_t)machine->ranks_per_node;
  return tutti_network_route(&machine->network, from / per_host, to / per_host, route) && !is_broken(broken, route);
}

tutti_status tutti_links_break(const struct engine_machine *machine, uint32_t one, uint32_t other,
                               struct broken_links *broken, tutti_error *error)
{
  const uint32_t hosts = machine->network.host_count, ends[2] = {one, other};
  if (one >= hosts || other >= hosts || one == other)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%u-%u are no two of the hosts 0 to %u", (unsigned)one,
                      (unsigned)other, (unsigned)hosts - 1);
  if (!broken->links)
    broken->links = tutti_xcalloc((size_t)machine->network.link_count + 1, sizeof *broken->links);
  for (int way = 0; way < 2; way++) {
    struct engine_route route;
    if (!tutti_network_find(&machine->network, ends[way], ends[!way], &route))
      return tutti_machine_no_route(machine, ends[way], ends[!way], error);
    for (int i = 0; i < route.count; i++) {
      broken->count += !broken->links[route.links[i]];
      broken->links[route.links[i]] = true;
    }
  }
  return TUTTI_OK;
}

uint32_t tutti_links_cut(const struct engine_machine *machine, const struct broken_links *broken, uint32_t ranks)
{
  const uint32_t per_host = (uint32_t)machine->ranks_per_node;
  struct engine_route route;
  uint32_t cut = 0;
  for (uint32_t from = 0; from < ranks; from++) {
    uint32_t to = 0;
    while (to < ranks && (to / per_host == from / per_host || !tutti_fabric_route(machine, broken, from, to, &route)))
      to += per_host;
    cut += to >= ranks && ranks > per_host;
  }
  return cut;
}

/* ---- hops ---- */

static void add_hop(struct making *m, uint32_t from, uint32_t to)
{
  struct fabric *fabric = m->fabric;
  struct engine_route route;
  if (from == to || to >= m->ranks || m->mark[to] == from + 1 ||
      !tutti_fabric_route(fabric->machine, m->broken, m->reversed ? to : from, m->reversed ? from : to, &route))
    return;
  struct hop hop = {
      .from = from, .to = to, .first = (uint32_t)fabric->links.count, .latency = route.latency, .bandwidth = INFINITY};
  m->mark[to] = from + 1;
  for (int i = 0; i < route.forth; i++) {
    const struct net_link *link = tutti_network_kind(&fabric->machine->network, route.links[i]);
    hop.bandwidth = fmin(hop.bandwidth, link->bandwidth);
    if (!link->fat_pipe)
      engine_push(&fabric->links, route.links[i]);
  }
  hop.count = (uint32_t)fabric->links.count - hop.first;
  tutti_xpush(fabric, hop);
}

struct near_host {
  int links;
  uint32_t distance, host;
};

static int compare_near(const void *left, const void *right)
{
  const struct near_host *a = left, *b = right;
  if (a->links != b->links)
    return a->links < b->links ? -1 : 1;
  if (a->distance != b->distance)
    return a->distance < b->distance ? -1 : 1;
  return a->host < b->host ? -1 : a->host > b->host;
}

/* Those with the fewest links between, the nearest numbers first. */
static uint32_t find_near(const struct making *m, uint32_t host, struct near_host *near)
{
  uint32_t count = 0, kept = 0;
  struct engine_route route;
  for (uint32_t other = 0; other < m->hosts; other++) {
    const uint32_t apart = other > host ? other - host : host - other;
    const uint32_t from = (m->reversed ? other : host) * m->per_host, to = (m->reversed ? host : other) * m->per_host;
    if (other != host && tutti_fabric_route(m->fabric->machine, m->broken, from, to, &route))
      near[count++] = (struct near_host){route.forth, apart < m->hosts - apart ? apart : m->hosts - apart, other};
  }
  if (count > 0)
    qsort(near, count, sizeof *near, compare_near);
  while (kept < count && kept < NEAR_HOSTS && near[kept].links == near[0].links)
    kept++;
  return kept;
}

/* Distances that are powers of two, both ways; of few ranks all. */
static void add_powers(struct making *m, uint32_t rank, uint32_t first, uint32_t count)
{
  const uint32_t own = rank - first;
  for (uint32_t d = 1; d < count; d = count <= ALL_OF_HOST ? d + 1 : 2 * d) {
    add_hop(m, rank, first + (own + d) % count);
    add_hop(m, rank, first + (own + count - d) % count);
  }
}

struct near_hosts {
  struct near_host *items; /* [hosts][NEAR_HOSTS] */
  uint32_t *counts;        /* [hosts] */
};

static void find_all_near(const struct making *m, struct near_hosts *near)
{
  struct near_host *all = tutti_xcalloc(m->hosts, sizeof *all);
  near->items = tutti_xcalloc((size_t)m->hosts * NEAR_HOSTS, sizeof *near->items);
  near->counts = tutti_xcalloc(m->hosts, sizeof *near->counts);
  for (uint32_t host = 0; host < m->hosts; host++) {
    near->counts[host] = find_near(m, host, all);
    for (uint32_t i = 0; i < near->counts[host]; i++)
      near->items[host * NEAR_HOSTS + i] = all[i];
  }
  free(all);
}

/* Hops of all ranks: lanes to near hosts and those within the host, then, as far as the stage says, those to the next
   and the last rank, and those at powers of two. */
static void add_hops(struct making *m, const struct near_hosts *near, int stage)
{
  struct fabric *fabric = m->fabric;
  fabric->count = fabric->links.count = 0;
  for (uint32_t i = 0; i < m->ranks; i++)
    m->mark[i] = 0;
  for (uint32_t rank = 0; rank < m->ranks; rank++) {
    const uint32_t host = rank / m->per_host, lane = rank % m->per_host, first = host * m->per_host;
    fabric->first[rank] = (uint32_t)fabric->count;
    for (uint32_t i = 0; i < near->counts[host]; i++)
      add_hop(m, rank, near->items[host * NEAR_HOSTS + i].host * m->per_host + lane);
    add_powers(m, rank, first, m->ranks - first < m->per_host ? m->ranks - first : m->per_host);
    if (stage > 0) {
      add_hop(m, rank, (rank + 1) % m->ranks);
      add_hop(m, rank, (rank + m->ranks - 1) % m->ranks);
    }
    if (stage > 1)
      add_powers(m, rank, 0, m->ranks);
  }
  fabric->first[m->ranks] = (uint32_t)fabric->count;
}

/* Ranks that rank 0 reaches, or, against the hops, that reach it. */
static uint32_t count_reached(const struct fabric *fabric)
{
  bool *reached = tutti_xcalloc((size_t)fabric->ranks, sizeof *reached);
  uint32_t *queue = tutti_xcalloc((size_t)fabric->ranks, sizeof *queue), taken = 0, count = 1;
  reached[0] = true;
  while (taken < count) {
    const uint32_t rank = queue[taken++];
    for (uint32_t h = fabric->first[rank]; h < fabric->first[rank + 1]; h++)
      if (!reached[fabric->items[h].to]) {
        reached[fabric->items[h].to] = true;
        queue[count++] = fabric->items[h].to;
      }
  }
  free(reached);
  free(queue);
  return count;
}

/* Links are broken both ways, so who is reached from rank 0 reaches it. */
tutti_status tutti_fabric_make(const struct engine_machine *machine, const struct broken_links *broken, int ranks,
                               enum fabric_reach reach, bool reversed, struct fabric *fabric, tutti_error *error)
{
  *fabric = (struct fabric){.machine = machine, .ranks = ranks};
  tutti_status status = tutti_start_check_room(machine, (uint32_t)ranks, error);
  if (status != TUTTI_OK)
    return status;
  struct making m = {.fabric = fabric,
                     .broken = broken,
                     .ranks = (uint32_t)ranks,
                     .per_host = (uint32_t)machine->ranks_per_node,
                     .reversed = reversed,
                     .mark = tutti_xcalloc((size_t)ranks, sizeof *m.mark)};
  struct near_hosts near;
  uint32_t reached = 0;
  m.hosts = (m.ranks + m.per_host - 1) / m.per_host;
  fabric->first = tutti_xcalloc((size_t)ranks + 1, sizeof *fabric->first);
  find_all_near(&m, &near);
  for (int stage = reach == FABRIC_FAR ? 2 : 0; stage < 3 && reached < m.ranks; stage++) {
    add_hops(&m, &near, stage);
    reached = count_reached(fabric);
  }
  free(near.items);
  free(near.counts);
  free(m.mark);
  return reached == m.ranks ? TUTTI_OK
                            : tutti_fail(error, TUTTI_ERR_ARGUMENT,
                                         "%s: %u of %d ranks cannot be reached from rank 0 over the "
                                         "links that are left",
                                         machine->platform, (unsigned)(m.ranks - reached), ranks);
}

void tutti_fabric_free(struct fabric *fabric)
{
  tutti_vector_free(fabric);
  tutti_vector_free(&fabric->links);
  free(fabric->first);
  fabric->first = NULL;
}
