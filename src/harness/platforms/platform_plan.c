/* A machine described by a few parameters, as hosts, links and overheads of SimGrid. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "harness/platforms/platform_plan.h"
#include "harness/platforms/platform_private.h"
#include "harness/platforms/wiring.h"

const char *const tutti_machine_kind_words[TUTTI_MACHINE_KINDS] = {"cluster",   "fat-tree",   "torus",
                                                                   "dragonfly", "dragonfly+", "tree"};

tutti_status tutti_machine_kind_parse(const char *name, tutti_machine_kind *kind, tutti_error *error)
{
  int value;
  tutti_status status =
      tutti_word_parse(tutti_machine_kind_words, TUTTI_MACHINE_KINDS, "kind of machine", name, &value, error);
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
                         .overhead = NAN,
                         .loopback_latency = NAN,
                         .loopback_bandwidth = NAN,
                         .gamma = 0.1e-9};
}

/* ---- from parameters to values for SimGrid ---- */

static tutti_status check_numbers(const tutti_machine *m, tutti_error *error)
{
  if (!(m->latency > 0) || !isfinite(m->latency) || !(m->bandwidth > 0) || !isfinite(m->bandwidth))
    return tutti_fail(
        error, TUTTI_ERR_ARGUMENT,
        "the latency and the bandwidth of messages between two nodes are needed, or a measured ping-pong");
  if (m->ranks_per_node < 1 || m->nics < 1 || m->global_cables < 1 || m->local_cables < 1 || m->spines < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "ranks, network cards and cables are counted from 1");
  if (m->loopback_bandwidth <= 0 || !(m->gamma > 0) || m->hop_latency < 0 || m->loopback_latency < 0 || m->overhead < 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "times and bandwidths are above 0");
  return TUTTI_OK;
}

static tutti_status refuse_size(const tutti_machine *machine, tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%.80s: a machine has 2 to %d nodes", machine->shape,
                    PLATFORM_MAX_HOSTS);
}

/* Three numbers, "8x16x4". */
static tutti_status parse_levels(const struct machine_plan *plan, const char *form, long levels[3], tutti_error *error)
{
  const char *shape = plan->machine->shape;
  struct topology topology;
  tutti_topology_parse_shape(TOPOLOGY_TORUS, shape, "", &topology, NULL);
  if (topology.hosts < 0 || topology.levels != 3)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.80s' does not describe a %s: expected %s", shape,
                      tutti_machine_kind_words[plan->machine->kind], form);
  if (topology.hosts > PLATFORM_MAX_HOSTS)
    return refuse_size(plan->machine, error);
  memcpy(levels, topology.sizes, 3 * sizeof *levels);
  return TUTTI_OK;
}

static tutti_status shape_cluster(struct machine_plan *plan, tutti_error *error)
{
  int nodes;
  const char *end = tutti_platform_parse_number(plan->machine->shape, &nodes);
  if (!end || *end || nodes < 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.80s' does not describe a cluster: expected NODES, such as 64",
                      plan->machine->shape);
  plan->hosts = nodes;
  /* One switch: a tree of one level, where a node can have several cables. */
  if (plan->machine->nics > 1)
    plan->topology = (struct topology){
        .kind = TOPOLOGY_FAT_TREE, .levels = 1, .sizes = {nodes}, .up = {1}, .cables = {plan->machine->nics}};
  return TUTTI_OK;
}

static tutti_status shape_tree(struct machine_plan *plan, tutti_error *error)
{
  bool tree = plan->machine->kind == TUTTI_MACHINE_FAT_TREE;
  tutti_status status = tutti_topology_parse_shape(tree ? TOPOLOGY_FAT_TREE : TOPOLOGY_TORUS, plan->machine->shape,
                                                   tree ? "NODESxSWITCHES[x...], or /N after it, such as 32x18/2"
                                                        : "NxN[x...], such as 16x16x8",
                                                   &plan->topology, error);
  if (status != TUTTI_OK)
    return status;
  plan->hosts = plan->topology.hosts;
  if (tree) {
    plan->topology.cables[0] *= plan->machine->nics;
    if (plan->topology.levels > 1)
      plan->topology.up[1] *= plan->machine->nics;
  } else if (plan->machine->nics > 1)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "a node of a torus has a cable in every direction, and no network cards beside: leave out the "
                      "number of network cards");
  return TUTTI_OK;
}

static tutti_status shape_dragonfly(struct machine_plan *plan, tutti_error *error)
{
  const tutti_machine *m = plan->machine;
  long levels[3];
  const tutti_status status = parse_levels(plan, "GROUPSxROUTERSxNODES, such as 8x16x4", levels, error);
  if (status != TUTTI_OK)
    return status;
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

static tutti_status shape_dragonfly_plus(struct machine_plan *plan, tutti_error *error)
{
  long levels[3];
  const tutti_status status = parse_levels(plan, "GROUPSxLEAVESxNODES, such as 8x16x12", levels, error);
  if (status != TUTTI_OK)
    return status;
  plan->hosts = levels[0] * levels[1] * levels[2];
  plan->topology = (struct topology){.kind = TOPOLOGY_DRAGONFLY_PLUS,
                                     .levels = PLUS_LEVELS,
                                     .sizes = {levels[2], levels[1], levels[0]},
                                     .hosts = plan->hosts};
  return TUTTI_OK;
}

static tutti_status shape_switches(struct machine_plan *plan, tutti_error *error)
{
  if (!plan->machine->wiring)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a tree has no shape: its switches are in a file, --from FILE");
  plan->hosts = (long)plan->machine->wiring->nodes.count;
  return TUTTI_OK;
}

/* A message takes the overhead, its links and the time of its bytes with their envelope. On one switch all is in the
   links, as in Hockney's model; where other messages have more links, what one takes is known, and the rest is
   overhead. */
static tutti_status split_latency(struct machine_plan *plan, tutti_error *error)
{
  const tutti_machine *m = plan->machine;
  long links = tutti_topology_distance(&plan->topology, 0, 1);
  double wire = m->latency - TUTTI_ENVELOPE / m->bandwidth;
  if (m->overhead >= wire)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "an overhead of %g us leaves nothing of a latency of %g us for the links", 1e6 * m->overhead,
                      1e6 * m->latency);
  if (!isnan(m->overhead))
    plan->link = (wire - m->overhead) / (double)links;
  else if (!isnan(m->hop_latency))
    plan->link = m->hop_latency;
  else
    plan->link = m->kind == TUTTI_MACHINE_CLUSTER ? wire / (double)links : 100e-9;
  plan->overhead = wire - (double)links * plan->link;
  if (fabs(plan->overhead) < 1e-6 * m->latency)
    plan->overhead = 0;
  if (plan->overhead < 0 || plan->link <= 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "a latency of %g us is less than the %ld links of %g us and the 16 B of SMPI's envelope (%g us) "
                      "between two nodes: give a shorter time for a link",
                      1e6 * m->latency, links, 1e6 * plan->link, 1e6 * TUTTI_ENVELOPE / m->bandwidth);
  return TUTTI_OK;
}

static tutti_status plan_loopback(struct machine_plan *plan, tutti_error *error)
{
  const tutti_machine *m = plan->machine;
  plan->loopback_bandwidth = isnan(m->loopback_bandwidth) ? fmax(10e9, m->bandwidth) : m->loopback_bandwidth;
  const double envelope = TUTTI_ENVELOPE / plan->loopback_bandwidth, least = plan->overhead + envelope;
  plan->loopback_link = isnan(m->loopback_latency) ? 100e-9 : m->loopback_latency - least;
  if (plan->ranks > 1 && plan->loopback_link <= 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "messages within a node take %g us or more, as the sender of any message is busy for %g us: give "
                      "an overhead below %g us, or longer times for cables, which make it shorter",
                      1e6 * least, 1e6 * plan->overhead, fmax(0, 1e6 * (m->loopback_latency - envelope)));
  return TUTTI_OK;
}

tutti_status tutti_machine_plan(const tutti_machine *machine, struct machine_plan *plan, tutti_error *error)
{
  static tutti_status (*const shapes[TUTTI_MACHINE_KINDS])(struct machine_plan * plan, tutti_error * error) = {
      shape_cluster, shape_tree, shape_tree, shape_dragonfly, shape_dragonfly_plus, shape_switches};
  *plan = (struct machine_plan){.machine = machine, .ranks = machine->ranks_per_node, .topology.kind = TOPOLOGY_FLAT};
  tutti_status status = check_numbers(machine, error);
  if (status == TUTTI_OK)
    status = shapes[machine->kind](plan, error);
  if (status == TUTTI_OK && (plan->hosts < 2 || plan->hosts > PLATFORM_MAX_HOSTS))
    return refuse_size(machine, error);
  if (status == TUTTI_OK)
    status = split_latency(plan, error);
  return status == TUTTI_OK ? plan_loopback(plan, error) : status;
}
