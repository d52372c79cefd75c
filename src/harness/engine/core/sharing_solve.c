/* Weighted max-min fairness by filling: the link with the least left for each of its flows is saturated first. */
#include <math.h>

#include "base/memory.h"
#include "harness/engine/core/sharing.h"

struct filling {
  struct sharing *s;
  double least;  /* ratio of the links saturated now; negative: not known yet */
  uint32_t left; /* flows without a value */
  bool open;     /* the bandwidth left on links is counted */
};

static double subtract(double value, double amount, double precision)
{
  value -= amount;
  return value < precision ? 0.0 : value;
}

/* ---- links that are not saturated yet ---- */

/* Find the smallest ratio of all, and the places that have it. */
static void find_saturated(struct filling *f)
{
  struct engine_numbers *saturated = &f->s->saturated;
  const struct sharing_light *lights = f->s->lights.items;
  double *ratios = f->s->ratios.items, least = INFINITY;
  const uint32_t count = (uint32_t)f->s->lights.count;
  for (uint32_t place = 0; place < count; place++) {
    if (ratios[place] < 0)
      ratios[place] = lights[place].remaining / lights[place].usage;
    least = ratios[place] < least ? ratios[place] : least;
  }
  saturated->count = 0;
  for (uint32_t place = 0; place < count; place++)
    if (ratios[place] == least)
      engine_push(saturated, place);
  f->least = least;
}

/* The part of a link that is in proportion to the rate of one of its flows. */
static double weight_on(const struct sharing *s, uint32_t link, const struct sharing_flow *flow)
{
  if (!s->weighted)
    return 1.0 / flow->penalty;
  uint32_t hop = 0;
  while (sharing_hops(s, flow)[hop] != link)
    hop++;
  return sharing_weight(s, flow, hop) / flow->penalty;
}

/* The weights of the flows of a link, newest first; the largest counts in a fat pipe. */
static double weigh(const struct sharing *s, uint32_t link)
{
  struct sharing_load *load = &s->loads[link];
  if (!load->stale)
    return load->weight;
  load->weight = 0;
  load->stale = false;
  if (load->even) {
    for (size_t i = load->joined.count; i > 0; i--)
      load->weight = load->fat_pipe ? load->each : load->weight + load->each;
    return load->weight;
  }
  for (size_t i = load->joined.count; i-- > 0;) {
    const double weight = weight_on(s, link, &s->flows.items[load->joined.items[i]]);
    load->weight = load->fat_pipe ? fmax(load->weight, weight) : load->weight + weight;
  }
  return load->weight;
}

/* The bandwidth left on a link: one flow alone never meets others. */
static double bandwidth_left(const struct sharing *s, uint32_t l)
{
  const struct sharing_link *link = &s->links[l];
  const struct sharing_load *load = &s->loads[l];
  if (link->only != SHARING_MANY)
    return link->bound;
  return tutti_contention_bandwidth(&load->contention, link->bound, (int)load->joined.count);
}

static void enter(struct sharing *s, uint32_t l)
{
  const struct sharing_link *link = &s->links[l];
  if (link->only == ENGINE_NONE)
    return;
  const double usage = link->only == SHARING_MANY ? weigh(s, l)
                       : s->weighted              ? weight_on(s, l, &s->flows.items[link->only])
                                                  : 1.0 / s->flows.items[link->only].penalty;
  if (!(usage > 0))
    return;
  const double bandwidth = bandwidth_left(s, l);
  engine_push(&s->lights, (struct sharing_light){.link = l, .usage = usage, .remaining = bandwidth});
  engine_push(&s->ratios, bandwidth / usage);
}

/* Begin to count what links have left: not all get their values at once. */
static void open_links(struct filling *f)
{
  f->open = true;
  for (uint32_t place = 0; place < f->s->lights.count; place++) {
    struct sharing_light *light = &f->s->lights.items[place];
    struct sharing_link *link = &f->s->links[light->link];
    light->nothing = light->remaining * f->s->precision;
    light->fat_pipe = f->s->loads[light->link].fat_pipe;
    link->light = place;
  }
}

static void close_links(struct sharing *s)
{
  for (size_t i = 0; i < s->lights.count; i++)
    s->links[s->lights.items[i].link].light = ENGINE_NONE;
}

static void drop(struct sharing *s, uint32_t place)
{
  const uint32_t last = (uint32_t)--s->lights.count;
  s->links[s->lights.items[last].link].light = place;
  s->links[s->lights.items[place].link].light = ENGINE_NONE;
  s->lights.items[place] = s->lights.items[last];
  s->ratios.items[place] = s->ratios.items[last];
}

/* ---- flows that get their value ---- */

static void collect_flow(struct sharing *s, uint32_t f)
{
  struct sharing_flow *flow = &s->flows.items[f];
  if (!flow->fixed && !flow->collected)
    engine_push(&s->to_fix, f);
  flow->collected |= !flow->fixed;
}

/* Those of the saturated links, oldest first, each once. */
static void collect(struct sharing *s)
{
  s->to_fix.count = 0;
  for (size_t i = 0; i < s->saturated.count; i++) {
    const uint32_t link = s->lights.items[s->saturated.items[i]].link;
    uint32_t count;
    const uint32_t *joined = sharing_joined(s, link, &count);
    for (uint32_t j = 0; j < count; j++)
      collect_flow(s, joined[j]);
  }
  for (size_t i = 0; i < s->to_fix.count; i++)
    s->flows.items[s->to_fix.items[i]].collected = false;
}

/* The largest weight up to @p most of the flows of a fat pipe without a value. The newest flows get theirs last. */
static double largest_left(const struct sharing *s, uint32_t link, double most)
{
  double usage = 0;
  uint32_t count;
  const uint32_t *joined = sharing_joined(s, link, &count);
  while (count-- > 0 && usage < most) {
    const struct sharing_flow *flow = &s->flows.items[joined[count]];
    if (!(flow->value > 0))
      usage = fmax(usage, weight_on(s, link, flow));
  }
  return usage;
}

/* One flow of a link has got its value. */
static void subtract_flow(struct sharing *s, uint32_t place, double value, double weight)
{
  struct sharing_light *light = &s->lights.items[place];
  if (light->fat_pipe && weight >= light->usage)
    light->usage = largest_left(s, light->link, light->usage);
  else if (!light->fat_pipe) {
    light->remaining = subtract(light->remaining, value, light->nothing);
    light->usage = subtract(light->usage, weight, s->precision);
  }
  if (light->usage > s->precision && light->remaining > light->nothing)
    s->ratios.items[place] = -1;
  else
    drop(s, place);
}

static void fix(struct filling *f, struct sharing_flow *flow, double value)
{
  const uint32_t *hops = sharing_hops(f->s, flow);
  flow->value = value;
  flow->fixed = true;
  f->left--;
  const double share = 1.0 / flow->penalty;
  for (uint32_t i = 0; i < flow->hop_count; i++) {
    const uint32_t light = f->s->links[hops[i]].light;
    if (light == ENGINE_NONE)
      continue;
    const double weight = sharing_weight(f->s, flow, i);
    subtract_flow(f->s, light, weight * value, f->s->weighted ? weight / flow->penalty : share);
  }
}

/* Flows whose own bound is below their share get it first. */
static double least_bound(const struct filling *f)
{
  double least = -1;
  for (size_t i = 0; i < f->s->to_fix.count; i++) {
    const struct sharing_flow *flow = &f->s->flows.items[f->s->to_fix.items[i]];
    const double bound = flow->bound * flow->penalty;
    if (bound < f->least)
      least = least < 0 ? bound : fmin(least, bound);
  }
  return least;
}

/* All that is left gets its share: what links have left is not asked for any more. */
static void fix_last(struct filling *f)
{
  for (size_t i = 0; i < f->s->to_fix.count; i++) {
    struct sharing_flow *flow = &f->s->flows.items[f->s->to_fix.items[i]];
    flow->value = f->least / flow->penalty;
  }
  f->left = 0;
}

/* The same at the beginning, where one saturated link has all flows: none of them is looked for. */
static bool fix_at_once(struct filling *f)
{
  uint32_t count;
  const uint32_t *joined = sharing_joined(f->s, f->s->lights.items[f->s->saturated.items[0]].link, &count);
  if (f->open || count != f->left)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const struct sharing_flow *flow = &f->s->flows.items[joined[i]];
    if (flow->bound * flow->penalty < f->least)
      return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    struct sharing_flow *flow = &f->s->flows.items[joined[i]];
    flow->value = f->least / flow->penalty;
  }
  f->left = 0;
  return true;
}

static void fix_collected(struct filling *f)
{
  const double bound = least_bound(f);
  if (bound < 0 && f->s->to_fix.count == f->left) {
    fix_last(f);
    return;
  }
  if (!f->open)
    open_links(f);
  for (size_t i = 0; i < f->s->to_fix.count; i++) {
    struct sharing_flow *flow = &f->s->flows.items[f->s->to_fix.items[i]];
    if (bound < 0)
      fix(f, flow, f->least / flow->penalty);
    else if (fabs(bound - flow->bound * flow->penalty) < f->s->precision)
      fix(f, flow, flow->bound);
  }
}

void tutti_sharing_solve_group(struct sharing *s, const uint32_t *links, uint32_t count, uint32_t flows)
{
  struct filling f = {.s = s, .left = flows};
  s->lights.count = s->ratios.count = 0;
  for (uint32_t i = 0; i < count; i++)
    enter(s, links[i]);
  while (f.left > 0 && s->lights.count > 0) {
    find_saturated(&f);
    if (fix_at_once(&f))
      break;
    collect(s);
    fix_collected(&f);
  }
  if (f.open)
    close_links(s);
}
