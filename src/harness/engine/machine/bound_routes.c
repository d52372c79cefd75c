/* The routes between the nodes of ranks: what they have in common, and which links a node has for itself. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "harness/engine/machine/bounds.h"
#include "harness/engine/machine/loads.h"
#include "harness/engine/riders/start.h"

enum { MAX_NODES = 1024, ENDS = 2 }; /* the links at an end of a route that are looked at, two because of limiters */

struct searching {
  struct machine_bounds *b;
  const bool *broken; /* [links] NULL: none */
  tutti_error *error;
  bool all;                    /* routes of all nodes, or of the first one and the root alone */
  uint32_t *sender, *receiver; /* [ENDS][links] the node for which the link was counted last, plus 1 */
  bool *counted;               /* [links] in its level */
  struct bound_port *ends;     /* [2][ENDS][nodes] out, then in */
  double hop;                  /* seconds of a message beyond its latency */
  double factor;               /* of the latency */
};

static int ranks_of(const struct machine_bounds *b, int node)
{
  const tutti_demand demand = {.ranks = b->ranks, .ranks_per_node = b->machine->ranks_per_node};
  return tutti_demand_ranks_of(&demand, node);
}

static bool is_whole(const struct searching *s, const struct engine_route *route)
{
  for (int i = 0; s->broken && i < route->count; i++)
    if (s->broken[route->links[i]])
      return false;
  return true;
}

/* ---- links ---- */

static void add_link(struct bound_port *port, const struct net_link *link)
{
  port->links++;
  port->bandwidth = fmax(port->bandwidth, link->bandwidth);
  if (link->fat_pipe) /* each flow has the whole of it */
    port->bandwidth = INFINITY;
}

/* Whether what it carries for those that have it there keeps its bandwidth at any time. */
static bool is_kept(const struct engine_machine *machine, uint32_t link, bool first)
{
  return first || machine->one_flow_a_link || machine->tolerance > 0 || link < machine->network.limited;
}

static void add_end(struct searching *s, int direction, int end, uint32_t node, uint32_t link)
{
  const struct engine_machine *machine = s->b->machine;
  uint32_t *seen = direction ? s->receiver : s->sender;
  struct bound_port *port = &s->ends[(direction * ENDS + end) * s->b->nodes + (int)node];
  uint32_t *last = &seen[(size_t)end * machine->network.link_count + link];
  if (!is_kept(machine, link, direction == 0 && end == 0))
    port->bandwidth = INFINITY;
  else if (*last != node + 1)
    add_link(port, tutti_network_kind(&machine->network, link));
  *last = node + 1;
}

static void add_ends(struct searching *s, uint32_t from, uint32_t to, const struct engine_route *route)
{
  for (int end = 0; end < ENDS; end++) {
    if (end < route->count) {
      add_end(s, 0, end, from, route->links[end]);
      add_end(s, 1, end, to, route->links[route->count - 1 - end]);
    } else {
      s->ends[end * s->b->nodes + (int)from].bandwidth = INFINITY;
      s->ends[(ENDS + end) * s->b->nodes + (int)to].bandwidth = INFINITY;
    }
  }
}

/* ---- levels: those whose links no relay saves ---- */

static bool is_metric(const struct engine_network *n, int level)
{
  if (n->zones || level < 1)
    return false;
  switch (n->topology.kind) {
  case TOPOLOGY_DRAGONFLY:
    return level == 4;
  case TOPOLOGY_DRAGONFLY_PLUS:
    return level == 3;
  default:
    return true;
  }
}

static void add_levels(struct searching *s, uint32_t from, uint32_t to, const struct engine_route *route)
{
  struct machine_bounds *b = s->b;
  const struct engine_network *n = &b->machine->network;
  int hops[TUTTI_LIMIT_LEVELS] = {0};
  for (int i = 0; i < route->count; i++) {
    const int level = tutti_link_level(n, route->links[i]);
    if (!is_metric(n, level) || level >= TUTTI_LIMIT_LEVELS || !is_kept(b->machine, route->links[i], false))
      continue;
    hops[level]++;
    if (!s->counted[route->links[i]] && !(s->broken && s->broken[route->links[i]]))
      add_link(&b->levels[level].links, tutti_network_kind(n, route->links[i]));
    s->counted[route->links[i]] = true;
  }
  const double from_ranks = ranks_of(b, (int)from), to_ranks = ranks_of(b, (int)to);
  const uint32_t root = (uint32_t)(b->root / b->machine->ranks_per_node);
  for (int i = 0; i < b->level_count; i++) {
    b->levels[i].least = fmin(b->levels[i].least, hops[i]);
    b->levels[i].pairs += hops[i] * from_ranks * to_ranks;
    if (from == root) /* the way back has as many */
      b->levels[i].root += hops[i] * to_ranks;
  }
}

/* ---- routes ---- */

static void add_route(struct searching *s, uint32_t from, uint32_t to, const struct engine_route *route)
{
  struct machine_bounds *b = s->b;
  double bandwidth = INFINITY;
  if (from != to && s->all)
    add_levels(s, from, to, route);
  if (!is_whole(s, route))
    return;
  for (int i = 0; i < route->count; i++)
    bandwidth = fmin(bandwidth, tutti_network_kind(&b->machine->network, route->links[i])->bandwidth);
  if (from == to) {
    b->near_latency = fmin(b->near_latency, route->latency);
    b->near_bandwidth = fmax(b->near_bandwidth, bandwidth);
    return;
  }
  b->latency = fmin(b->latency, route->latency);
  b->bandwidth = fmax(b->bandwidth, bandwidth);
  add_ends(s, from, to, route);
}

static tutti_status look_at(struct searching *s, uint32_t from, uint32_t to)
{
  struct engine_route route;
  if (from == to && ranks_of(s->b, (int)from) < 2)
    return TUTTI_OK;
  if (!tutti_network_find(&s->b->machine->network, from, to, &route))
    return tutti_machine_no_route(s->b->machine, from, to, s->error);
  add_route(s, from, to, &route);
  return TUTTI_OK;
}

static tutti_status look_at_all(struct searching *s)
{
  const int nodes = s->b->nodes, root = s->b->root / s->b->machine->ranks_per_node;
  tutti_status status = TUTTI_OK;
  for (int from = 0; from < nodes && status == TUTTI_OK; from++)
    for (int to = 0; to < nodes && status == TUTTI_OK; to++)
      if (s->all || from == to || from == 0 || to == 0 || from == root || to == root)
        status = look_at(s, (uint32_t)from, (uint32_t)to);
  return status;
}

/* ---- the farthest node: shortest paths over relays ---- */

static double length_of(const struct searching *s, int from, int to)
{
  struct engine_route route;
  return tutti_network_find(&s->b->machine->network, (uint32_t)from, (uint32_t)to, &route) && is_whole(s, &route)
             ? fmax(s->hop + s->factor * route.latency, 0)
             : INFINITY;
}

static double farthest(const struct searching *s, bool inward)
{
  const int nodes = s->b->nodes;
  double *lengths = tutti_xcalloc((size_t)nodes, sizeof *lengths), length = 0;
  bool *done = tutti_xcalloc((size_t)nodes, sizeof *done);
  int next = s->b->root / s->b->machine->ranks_per_node;
  for (int i = 0; i < nodes; i++)
    lengths[i] = i == next ? 0 : INFINITY;
  for (int round = 0; round < nodes; round++) {
    const int near = next;
    double shortest = INFINITY;
    length = lengths[near];
    done[near] = true;
    for (int i = 0; i < nodes; i++) {
      if (done[i])
        continue;
      lengths[i] = fmin(lengths[i], length + (inward ? length_of(s, i, near) : length_of(s, near, i)));
      if (lengths[i] < shortest) {
        shortest = lengths[i];
        next = i;
      }
    }
  }
  free(lengths);
  free(done);
  return length;
}

/* ---- all ---- */

/* The narrower of two. A node whose routes were not all looked at, or that has a fat pipe there, has no limit. */
static void choose_ends(struct searching *s)
{
  struct machine_bounds *b = s->b;
  for (int direction = 0; direction < 2; direction++)
    for (int node = 0; node < b->nodes; node++) {
      struct bound_port *port = &(direction ? b->in : b->out)[node];
      for (int end = 0; end < ENDS; end++) {
        const struct bound_port *found = &s->ends[(direction * ENDS + end) * b->nodes + node];
        const bool whole = s->all || node == 0 || node == b->root / b->machine->ranks_per_node;
        if (whole && found->links > 0 && isfinite(found->bandwidth) &&
            (port->links == 0 || found->links * found->bandwidth < port->links * port->bandwidth))
          *port = *found;
      }
    }
}

/* Levels that say something move to the front. */
static void choose_levels(struct machine_bounds *b)
{
  int count = 0;
  for (int i = 0; i < b->level_count; i++)
    if (b->levels[i].links.links > 0 && isfinite(b->levels[i].links.bandwidth))
      b->levels[count++] = b->levels[i];
  b->level_count = count;
}

static double speed_of(const struct machine_bounds *b)
{
  double speed = 0;
  for (int node = 0; node < b->nodes; node++) {
    const struct engine_processor processor = tutti_processor_of(b->machine, (uint32_t)node);
    speed += processor.speed * fmin(ranks_of(b, node), fmax(processor.cores, 1));
  }
  return speed;
}

static void begin(struct searching *s)
{
  struct machine_bounds *b = s->b;
  const size_t links = (size_t)b->machine->network.link_count + 1, nodes = (size_t)b->nodes;
  b->latency = b->near_latency = INFINITY;
  b->out = tutti_xcalloc(nodes, sizeof *b->out);
  b->in = tutti_xcalloc(nodes, sizeof *b->in);
  b->outs = tutti_xcalloc(nodes, sizeof *b->outs);
  b->ins = tutti_xcalloc(nodes, sizeof *b->ins);
  b->level_count = s->all ? TUTTI_LIMIT_LEVELS : 0;
  for (int i = 0; i < b->level_count; i++)
    b->levels[i] = (struct bound_level){.level = i, .least = INFINITY};
  s->sender = tutti_xcalloc(ENDS * links, sizeof *s->sender);
  s->receiver = tutti_xcalloc(ENDS * links, sizeof *s->receiver);
  s->counted = tutti_xcalloc(links, sizeof *s->counted);
  s->ends = tutti_xcalloc((size_t)2 * ENDS * nodes, sizeof *s->ends);
}

static void end(struct searching *s)
{
  free(s->sender);
  free(s->receiver);
  free(s->counted);
  free(s->ends);
}

/* Other nodes may be nearer, or have wider links, than those that were looked at, where not all nodes are alike. */
static void claim_less(struct machine_bounds *b, bool broken)
{
  if (!b->machine->network.zones && !broken)
    return;
  b->latency = b->near_latency = 0;
  b->bandwidth = b->near_bandwidth = INFINITY;
  for (int node = 0; node < b->nodes; node++)
    b->out[node] = b->in[node] = (struct bound_port){0};
}

tutti_status tutti_machine_bounds_find(const struct engine_machine *machine, int ranks, int root,
                                       struct machine_bounds *b, tutti_error *error)
{
  return tutti_machine_bounds_around(machine, NULL, ranks, root, b, error);
}

tutti_status tutti_machine_bounds_around(const struct engine_machine *machine, const bool *broken, int ranks, int root,
                                         struct machine_bounds *b, tutti_error *error)
{
  const tutti_demand demand = {.ranks = ranks, .ranks_per_node = machine->ranks_per_node};
  *b = (struct machine_bounds){.machine = machine, .ranks = ranks, .root = root, .nodes = tutti_demand_nodes(&demand)};
  tutti_status status = tutti_start_check_room(machine, (uint32_t)ranks, error);
  if (status != TUTTI_OK)
    return status;
  struct searching s = {.b = b, .broken = broken, .error = error, .all = b->nodes <= MAX_NODES};
  begin(&s);
  status = look_at_all(&s);
  choose_ends(&s);
  choose_levels(b);
  b->speed = speed_of(b);
  if (!s.all)
    claim_less(b, broken);
  else if (status == TUTTI_OK && b->nodes > 1) {
    tutti_bounds_hop(b, &s.hop, &s.factor);
    b->farthest_to = farthest(&s, false);
    b->farthest_from = farthest(&s, true);
  }
  end(&s);
  if (status != TUTTI_OK)
    tutti_machine_bounds_free(b);
  return status;
}

void tutti_machine_bounds_free(struct machine_bounds *b)
{
  free(b->out);
  free(b->in);
  free(b->outs);
  free(b->ins);
  *b = (struct machine_bounds){0};
}
