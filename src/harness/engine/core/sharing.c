/* Flows on links: creating, joining, leaving, and what that marks. */
#include "harness/engine/core/sharing.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static struct sharing_flow *flow_of(struct sharing *s, uint32_t flow)
{
  return &s->flows.items[flow];
}

void tutti_sharing_init(struct sharing *s, const struct engine_network *network, bool one_at_a_time)
{
  *s = (struct sharing){.precision = 1e-5,
                        .limited = one_at_a_time ? network->link_count : network->limited,
                        .link_count = network->link_count,
                        .weighted = network->crosstraffic,
                        .may_weigh = network->zones,
                        .alone = one_at_a_time && !network->crosstraffic,
                        .free_flows = ENGINE_NONE,
                        .free_paths = ENGINE_NONE};
  s->solvings = 1;
  s->links = tutti_xmalloc(network->link_count * sizeof *s->links);
  s->users = tutti_xcalloc(network->link_count, sizeof *s->users);
  s->loads = tutti_xcalloc(network->link_count, sizeof *s->loads);
  s->busy = tutti_xcalloc(network->link_count, sizeof *s->busy);
  if (s->limited > 0)
    tutti_queue_init(s);
  memset(s->free_hops, 0xff, sizeof s->free_hops);
  for (uint32_t l = 0; l < network->link_count; l++) {
    const struct net_link *kind = tutti_network_kind(network, l);
    s->links[l] = (struct sharing_link){
        .bound = kind->bandwidth, .mark = ENGINE_NONE, .only = ENGINE_NONE, .path = ENGINE_NONE, .light = ENGINE_NONE};
    s->loads[l] = (struct sharing_load){.fat_pipe = kind->fat_pipe, .contention = tutti_network_contention(network, l)};
  }
}

void tutti_sharing_tolerate(struct sharing *s, double tolerance)
{
  if (tolerance > 0 && s->limited == 0)
    s->levels = tutti_levels_new(s, tolerance);
}

void tutti_sharing_free(struct sharing *s)
{
  for (uint32_t l = 0; l < s->link_count; l++) {
    tutti_vector_free(&s->loads[l].joined);
    tutti_vector_free(&s->loads[l].paths);
  }
  tutti_levels_free(s->levels);
  free(s->links);
  free(s->users);
  free(s->loads);
  free(s->busy);
  tutti_queue_free(s);
  tutti_vector_free(&s->hops);
  tutti_vector_free(&s->weights);
  tutti_vector_free(&s->flows);
  tutti_vector_free(&s->paths);
  tutti_vector_free(&s->marked);
  tutti_vector_free(&s->groups_of);
  tutti_vector_free(&s->groups);
  tutti_vector_free(&s->changed);
  tutti_vector_free(&s->stack);
  tutti_vector_free(&s->lights);
  tutti_vector_free(&s->ratios);
  tutti_vector_free(&s->saturated);
  tutti_vector_free(&s->to_fix);
  tutti_vector_free(&s->by_group);
  tutti_vector_free(&s->starts);
  tutti_vector_free(&s->flow_counts);
  tutti_vector_free(&s->unlisted);
}

/* ---- flows ---- */

void tutti_sharing_settle(struct sharing *s, uint32_t count)
{
  if (!tutti_vector_reserve(&s->flows, count) || !tutti_vector_reserve(&s->paths, count))
    tutti_out_of_memory();
  memset(s->flows.items, 0, count * sizeof *s->flows.items);
  memset(s->paths.items, 0, count * sizeof *s->paths.items);
  s->home_count = s->flows.count = s->paths.count = count;
}

static uint32_t new_flow(struct sharing *s, uint32_t home)
{
  if (home < s->home_count && s->flows.items[home].hop_count == 0)
    return home;
  uint32_t flow = s->free_flows;
  if (flow == ENGINE_NONE) {
    tutti_xpush(&s->flows, (struct sharing_flow){0});
    return (uint32_t)s->flows.count - 1;
  }
  s->free_flows = flow_of(s, flow)->first_hop;
  return flow;
}

static double narrowest(const struct sharing *s, const struct engine_route *route, double bound)
{
  for (int i = 0; i < route->forth; i++)
    bound = s->links[route->links[i]].bound < bound ? s->links[route->links[i]].bound : bound;
  return bound;
}

static bool has_twice(const struct engine_route *route)
{
  for (int i = 0; i < route->forth; i++)
    if (route->weights[i] > 1)
      return true;
  return false;
}

uint32_t tutti_sharing_create(struct sharing *s, const struct engine_route *route, uint32_t home, double penalty,
                              double most)
{
  if (!s->weighted && s->may_weigh && has_twice(route))
    tutti_hops_weigh(s);
  const uint32_t f = new_flow(s, home), count = (uint32_t)route->count, first = tutti_hops_new(s, count);
  memcpy(&s->hops.items[first], route->links, count * sizeof *route->links);
  if (s->weighted)
    memcpy(&s->weights.items[first], route->weights, count * sizeof *route->weights);
  *flow_of(s, f) = (struct sharing_flow){
      .bound = narrowest(s, route, most), .penalty = penalty, .first_hop = first, .hop_count = count};
  if (s->limited > 0)
    tutti_queue_create(s, f);
  for (uint32_t i = 0; i < count && !s->levels; i++) {
    s->users[route->links[i]]++;
    tutti_sharing_mark(s, route->links[i]);
  }
  return f;
}

/* A flow joins a link. Its weight is the same on all links, unless links take other parts of it. */
static void join_link(struct sharing *s, uint32_t link, uint32_t f, double weight)
{
  struct sharing_load *load = &s->loads[link];
  uint32_t *only = &s->links[link].only;
  if (*only == ENGINE_NONE) {
    load->each = weight;
    load->even = !s->weighted;
  } else {
    load->stale = true;
    load->even &= load->each == weight && !s->weighted;
  }
  sharing_list(only, &load->joined, f);
}

static void join(struct sharing *s, uint32_t f)
{
  struct sharing_flow *flow = flow_of(s, f);
  flow->joined = true;
  flow->staged = false;
  tutti_path_join(s, f);
  if (s->levels) {
    tutti_levels_join(s, f);
    return;
  }
  const bool again = s->paths.items[flow->path].solving == s->solvings;
  const uint32_t *hops = sharing_hops(s, flow);
  for (uint32_t i = 0; i < flow->hop_count; i++) {
    s->busy[hops[i]] |= sharing_weight(s, flow, i) >= 1;
    join_link(s, hops[i], f, 1.0 / flow->penalty);
  }
  tutti_sharing_mark(s, hops[0]);
  tutti_sharing_add(s, flow, again);
}

static void join_or_wait(struct sharing *s, uint32_t f, bool forth)
{
  if (tutti_queue_holds(s, f, forth))
    flow_of(s, f)->staged = true;
  else
    join(s, f);
}

void tutti_sharing_join(struct sharing *s, uint32_t f)
{
  join_or_wait(s, f, false);
}

void tutti_sharing_join_new(struct sharing *s, uint32_t f)
{
  join_or_wait(s, f, true);
}

static void remove_joined(struct sharing *s, uint32_t link, uint32_t f)
{
  if (s->links[link].only == SHARING_MANY)
    s->loads[link].stale = true;
  sharing_unlist(&s->links[link].only, &s->loads[link].joined, f);
}

static void free_flow(struct sharing *s, uint32_t f)
{
  flow_of(s, f)->hop_count = 0;
  if (f < s->home_count)
    return;
  flow_of(s, f)->first_hop = s->free_flows;
  s->free_flows = f;
}

static void leave_levels(struct sharing *s, uint32_t f)
{
  const struct sharing_flow flow = *flow_of(s, f);
  tutti_levels_leave(s, f);
  tutti_path_leave(s, &flow);
  for (uint32_t i = 0; i < flow.hop_count; i++)
    tutti_path_leave_link(s, flow.path, sharing_hops(s, &flow)[i]);
  tutti_path_end(s, flow.path);
  free_flow(s, f);
}

void tutti_sharing_leave(struct sharing *s, uint32_t f)
{
  if (s->levels) {
    leave_levels(s, f);
    return;
  }
  const struct sharing_flow flow = *flow_of(s, f);
  tutti_sharing_mark(s, sharing_hops(s, &flow)[0]);
  tutti_sharing_remove(s, &flow);
  tutti_path_leave(s, &flow);
  for (uint32_t i = 0; i < flow.hop_count; i++) {
    const uint32_t link = sharing_hops(s, &flow)[i];
    remove_joined(s, link, f);
    if (sharing_weight(s, &flow, i) >= 1)
      s->busy[link] = false;
    tutti_path_leave_link(s, flow.path, link);
    if (--s->users[link] == 0)
      tutti_sharing_unmark(s, link);
    else if (link < s->limited)
      for (uint32_t next; (next = tutti_queue_next(s, link)) != ENGINE_NONE;)
        join(s, next);
  }
  tutti_path_end(s, flow.path);
  free_flow(s, f);
}

/* ---- solving ---- */

/* With one flow on any link each gets what the narrowest of its marked links gives. */
static void solve_alone(struct sharing *s, struct sharing_flow *flow)
{
  const uint32_t *hops = sharing_hops(s, flow);
  double least = INFINITY;
  for (uint32_t i = 0; i < flow->hop_count; i++)
    if (s->links[hops[i]].mark != ENGINE_NONE)
      least = fmin(least, s->links[hops[i]].bound / (sharing_weight(s, flow, i) / flow->penalty));
  flow->value = flow->bound * flow->penalty < least ? flow->bound : least / flow->penalty;
}

/* Numbers of zero, one a group and one more. */
static uint32_t *count_anew(struct sharing *s, struct engine_numbers *counts)
{
  counts->count = 0;
  if (!tutti_vector_reserve(counts, s->groups.count + 1))
    tutti_out_of_memory();
  return memset(counts->items, 0, (s->groups.count + 1) * sizeof *counts->items);
}

/* A flow that no other marked link has listed. */
static void list_flow(struct sharing *s, uint32_t f)
{
  struct sharing_flow *flow = flow_of(s, f);
  if (flow->changed == s->solvings)
    return;
  flow->changed = s->solvings;
  flow->value = 0;
  flow->fixed = false;
  engine_push(&s->changed, f);
}

/* Whether a link has flows that are not listed yet. Their paths count as listed from now on. */
static bool any_unlisted(struct sharing *s, uint32_t link)
{
  bool any = false;
  uint32_t count;
  const uint32_t *paths = sharing_paths(s, link, &count);
  while (count > 0) {
    struct sharing_path *path = &s->paths.items[paths[--count]];
    any |= path->listed != s->solvings;
    path->listed = s->solvings;
  }
  return any;
}

/* Those of a marked link, newest first. Returns how many. */
static uint32_t list_flows(struct sharing *s, uint32_t link)
{
  if (!any_unlisted(s, link))
    return 0;
  const size_t before = s->changed.count;
  uint32_t count;
  const uint32_t *joined = sharing_joined(s, link, &count);
  while (count > 0)
    list_flow(s, joined[--count]);
  return (uint32_t)(s->changed.count - before);
}

/* Flows of each group, in its root. */
static void gather_counts(struct sharing *s)
{
  uint32_t *counts = s->flow_counts.items;
  for (uint32_t g = (uint32_t)s->groups.count; g-- > 0;) {
    const uint32_t parent = s->groups.items[g];
    if (parent == g)
      continue;
    counts[parent] += counts[g];
    counts[g] = 0;
  }
}

static void list_changed(struct sharing *s)
{
  gather_counts(s);
  uint32_t *unlisted = count_anew(s, &s->unlisted);
  for (size_t g = 0; g < s->groups.count; g++)
    unlisted[g] = s->flow_counts.items[g];
  s->changed.count = 0;
  for (size_t i = 0; i < s->marked.count; i++) {
    const uint32_t link = s->marked.items[i], group = link != ENGINE_NONE ? tutti_sharing_group(s, link) : ENGINE_NONE;
    if (group != ENGINE_NONE && unlisted[group] > 0)
      unlisted[group] -= list_flows(s, link);
  }
}

/* Marked links by group, in the order in which they were marked. */
static void solve_groups(struct sharing *s)
{
  const size_t groups = s->groups.count;
  uint32_t *starts = count_anew(s, &s->starts);
  s->by_group.count = 0;
  if (!tutti_vector_reserve(&s->by_group, s->marked.count))
    tutti_out_of_memory();
  for (size_t i = 0; i < s->marked.count; i++)
    if (s->marked.items[i] != ENGINE_NONE)
      starts[tutti_sharing_group(s, s->marked.items[i]) + 1]++;
  for (size_t g = 0; g < groups; g++)
    starts[g + 1] += starts[g];
  for (size_t i = 0; i < s->marked.count; i++)
    if (s->marked.items[i] != ENGINE_NONE)
      s->by_group.items[starts[tutti_sharing_group(s, s->marked.items[i])]++] = s->marked.items[i];
  for (size_t g = 0, first = 0; g < groups; first = starts[g++])
    if (s->flow_counts.items[g] > 0)
      tutti_sharing_solve_group(s, s->by_group.items + first, starts[g] - (uint32_t)first, s->flow_counts.items[g]);
}

void tutti_sharing_solve(struct sharing *s)
{
  if (s->levels) {
    tutti_levels_solve(s);
    return;
  }
  list_changed(s);
  if (!s->alone)
    solve_groups(s);
  for (size_t i = 0; s->alone && i < s->changed.count; i++)
    solve_alone(s, flow_of(s, s->changed.items[i]));
  for (size_t i = 0; i < s->marked.count; i++)
    if (s->marked.items[i] != ENGINE_NONE)
      s->links[s->marked.items[i]].mark = ENGINE_NONE;
  s->marked.count = s->groups_of.count = s->groups.count = s->flow_counts.count = 0;
  s->solvings++;
}
