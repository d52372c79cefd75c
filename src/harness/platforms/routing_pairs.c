/* Whether all hosts of a platform file reach each other. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/platforms/routing.h"

/* Of hosts that are alike, as those of one <cluster>, so many stand for all. Up to MAX_COMPARED hosts all pairs are
   looked at; with more of them those with the first host, and of MAX_SOURCES hosts the way to it. */
enum { ALIKE = 3, MAX_COMPARED = 512, MAX_SOURCES = 2048 };

struct sample {
  int point, host;
};

struct samples {
  TUTTI_VECTOR(struct sample);
};

/* ---- the hosts ---- */

static bool are_alike(const struct net_point *left, const struct net_point *right)
{
  const char *here = tutti_xml_attribute(left->node, "coordinates"),
             *there = tutti_xml_attribute(right->node, "coordinates");
  return left->zone == right->zone && left->up.count == right->up.count && left->down.count == right->down.count &&
         left->loop.count == right->loop.count && left->has_up == right->has_up &&
         strcmp(here ? here : "", there ? there : "") == 0;
}

/* In a zone of a switch hosts differ by their links alone. Hosts of a zone follow each other. */
static bool is_stood_for(const struct network *network, const struct samples *samples, int point)
{
  const struct net_point *host = &network->points.items[point];
  const enum routing routing = network->zones.items[host->zone].routing;
  int alike = 0;
  if (routing != ROUTING_CLUSTER && routing != ROUTING_VIVALDI)
    return false;
  for (size_t i = samples->count; i > 0 && alike < ALIKE; i--) {
    const struct net_point *before = &network->points.items[samples->items[i - 1].point];
    if (before->zone != host->zone)
      break;
    alike += are_alike(before, host);
  }
  return alike == ALIKE;
}

static void take_cluster(struct network *network, int zone, int count)
{
  for (int i = 0; i < count && i < ALIKE - 1; i++)
    tutti_routing_cluster_host(network, zone, i);
  if (count > 0)
    tutti_routing_cluster_host(network, zone, count - 1);
}

static int by_host(const void *left, const void *right)
{
  const struct sample *a = left, *b = right;
  return (a->host > b->host) - (a->host < b->host);
}

/* Those of clusters become points here. */
static void take_samples(struct network *network, struct samples *samples)
{
  for (size_t i = 0; i < network->zones.count; i++) {
    const struct net_zone *zone = &network->zones.items[i];
    if (tutti_xml_is(zone->node, "cluster"))
      take_cluster(network, (int)i, zone->hosts);
  }
  for (size_t i = 0; i < network->points.count; i++)
    if (network->points.items[i].kind == POINT_HOST && !is_stood_for(network, samples, (int)i))
      tutti_xpush(samples, (struct sample){(int)i, network->points.items[i].number});
  tutti_vector_sort(samples, by_host);
}

/* ---- the pairs ---- */

static tutti_status reach(struct network *network, int from, int to, tutti_error *error)
{
  struct net_way way;
  net_way_begin(&way, network, 0, 0);
  const tutti_status status = tutti_routing_way(from, to, &way, error);
  if (status != TUTTI_OK)
    return status;
  if (way.count == 0 && !way.far)
    return tutti_routing_no_way(network, from, to, error);
  if (way.wifi)
    return tutti_fail(error, TUTTI_ERR_FAULT,
                      "the route from '%.80s' to '%.80s' uses Wifi, to which a file cannot attach hosts",
                      network->points.items[from].name, network->points.items[to].name);
  return TUTTI_OK;
}

/* False: refused. Whoever uses fewer hosts than up to the later one of the two is not concerned. */
static bool check(struct network *network, const struct sample *from, const struct sample *to)
{
  tutti_error reason;
  if (reach(network, from->point, to->point, &reason) == TUTTI_OK)
    return true;
  const struct net_point *source = &network->points.items[from->point], *target = &network->points.items[to->point];
  tutti_routing_refuse(network, network->zones.items[source->zone].node,
                       "SimGrid ends with the first message from host '%.80s' to host '%.80s': %s", source->name,
                       target->name, reason.message);
  tutti_platform *platform = network->platform;
  platform->findings[platform->finding_count - 1].hosts = 1 + (from->host > to->host ? from->host : to->host);
  return false;
}

static bool check_both(struct network *network, const struct sample *one, const struct sample *other)
{
  return check(network, one, other) && check(network, other, one);
}

/* Several ranks of a host need a way from it to itself: where the platform has them (those of a torus are looked at
   elsewhere), or, as hosts are taken again, where there are more ranks than hosts. */
static bool check_alone(struct network *network, const struct sample *host, bool *told)
{
  tutti_platform *platform = network->platform;
  const bool shared = platform->ranks_per_node > 1;
  const int zone = network->points.items[host->point].zone;
  if ((shared && network->zones.items[zone].routing == ROUTING_REGULAR) || *told || check(network, host, host))
    return true;
  if (shared)
    return false;
  platform->findings[platform->finding_count - 1].hosts += network->host_count;
  return *told = true;
}

/* Each host with all before it, so that the first pair that is refused is the one that matters to the fewest ranks. */
static void check_all(struct network *network, const struct samples *samples)
{
  const size_t count = samples->count;
  bool told = false;
  for (size_t i = 0; i < count; i++) {
    const struct sample *host = &samples->items[i];
    if (!check_alone(network, host, &told))
      return;
    for (size_t j = 0; j < (count > MAX_COMPARED ? 1 : i) && i > 0; j++)
      if (i < MAX_SOURCES ? !check_both(network, &samples->items[j], host) : !check(network, &samples->items[j], host))
        return;
  }
}

void tutti_routing_check_pairs(struct network *network)
{
  struct samples samples = {0};
  take_samples(network, &samples);
  check_all(network, &samples);
  tutti_vector_free(&samples);
}
