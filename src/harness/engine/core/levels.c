#include "harness/engine/core/levels.h"

#include <math.h>

#include "base/memory.h"
#include "harness/engine/core/sharing.h"

/* After so many computed levels for each link, one solving doubles its tolerance. It has never been seen to. */
enum { PATIENCE = 64 };

struct levels *tutti_levels_new(const struct sharing *s, double tolerance)
{
  struct levels *levels = tutti_xmalloc(sizeof *levels);
  *levels = (struct levels){.tolerance = tolerance, .links = tutti_xmalloc(s->link_count * sizeof *levels->links)};
  for (uint32_t l = 0; l < s->link_count; l++)
    levels->links[l] = (struct level_link){.level = INFINITY, .room = s->links[l].bound};
  return levels;
}

void tutti_levels_free(struct levels *levels)
{
  if (!levels)
    return;
  free(levels->links);
  tutti_vector_free(&levels->queue);
  tutti_vector_free(&levels->changed);
  tutti_vector_free(&levels->paths);
  tutti_vector_free(&levels->shares);
  free(levels);
}

/* ---- what is to be computed ---- */

static void queue_link(struct levels *levels, uint32_t link)
{
  if (!levels->links[link].queued)
    engine_push(&levels->queue, link);
  levels->links[link].queued = true;
}

static void list_path(struct levels *levels, uint32_t path)
{
  if (!levels->paths.items[path].listed)
    engine_push(&levels->changed, path);
  levels->paths.items[path].listed = true;
}

/* Whether a link that has no level should have one. */
static bool is_overfull(const struct level_link *link, double tolerance)
{
  return link->used > link->room * (1 + tolerance);
}

/* A fat pipe has a flow more or less. Where all are alike none keeps another from what it can have itself. */
static void use_fat_pipe(struct sharing *s, uint32_t l, double each, double weight)
{
  struct levels *levels = s->levels;
  struct level_link *link = &levels->links[l];
  link->uneven |= weight > 1 || (link->each > 0 && (each < link->each || each > link->each));
  link->each = each;
  if (link->uneven && link->room <= link->level * each * weight * (1 + levels->tolerance))
    queue_link(levels, l);
}

/* A link of a path has a flow more or less, which takes @p more of it than before. */
static void use(struct sharing *s, uint32_t l, double more, double each, double weight)
{
  struct level_link *link = &s->levels->links[l];
  if (s->loads[l].fat_pipe) {
    use_fat_pipe(s, l, each, weight);
    return;
  }
  link->used += more * each * weight;
  if (!isinf(link->level) || is_overfull(link, s->levels->tolerance) || s->loads[l].contention.messages > 0)
    queue_link(s->levels, l);
}

/* ---- levels of paths ---- */

/* From the levels of all of its links. */
static void find_least(const struct sharing *s, const struct sharing_path *path, struct level_path *level)
{
  const uint32_t *hops = &s->hops.items[path->first_hop];
  level->least = level->most;
  level->second = INFINITY;
  level->first = ENGINE_NONE;
  for (uint32_t i = 0; i < path->hop_count; i++) {
    const double of_link = s->levels->links[hops[i]].level;
    if (of_link < level->least) {
      level->second = level->least;
      level->least = of_link;
      level->first = hops[i];
    } else if (of_link < level->second)
      level->second = of_link;
  }
}

/* What a path may have on a link that is not of account itself. */
static double offer_to(const struct level_path *level, uint32_t link)
{
  return level->first == link ? level->second : level->least;
}

/* Whether a flow could take all of a fat pipe, if that gave it as much as it may have elsewhere. */
static bool fills(const struct levels *levels, double offer, double each, double room)
{
  return offer * each * (1 + levels->tolerance) >= room;
}

/* Whether a link whose flows of a path may have another level elsewhere has another one itself. */
static bool is_concerned(const struct sharing *s, uint32_t l, double before, double now, double each)
{
  const struct levels *levels = s->levels;
  const struct level_link *link = &levels->links[l];
  const double most = link->level * (1 + levels->tolerance);
  if (s->loads[l].fat_pipe)
    return link->uneven && fills(levels, before, each, link->room) != fills(levels, now, each, link->room);
  return isinf(most) ? is_overfull(link, levels->tolerance)
                     : fmin(before, most) < fmin(now, most) || fmin(before, most) > fmin(now, most);
}

/* The level of a path has changed: so has what its other links carry. */
static void spread(struct sharing *s, uint32_t p, const struct level_path *old, uint32_t cause)
{
  struct levels *levels = s->levels;
  const struct sharing_path *path = &s->paths.items[p];
  const struct level_path *level = &levels->paths.items[p];
  const uint32_t *hops = &s->hops.items[path->first_hop];
  const double more = (level->least - old->least) * level->weight;
  for (uint32_t i = 0; i < path->hop_count; i++) {
    const double weight = s->weighted ? s->weights.items[path->first_hop + i] : 1;
    levels->links[hops[i]].used += weight * more;
    if (hops[i] != cause &&
        is_concerned(s, hops[i], offer_to(old, hops[i]), offer_to(level, hops[i]), level->each * weight))
      queue_link(levels, hops[i]);
  }
  list_path(levels, p);
}

/* The level of one of its links has changed. */
static void follow(struct sharing *s, uint32_t p, uint32_t link, double before, double now)
{
  struct level_path *level = &s->levels->paths.items[p];
  const struct level_path old = *level;
  const bool first = level->first == link;
  if (now > before ? (first ? now > level->second : before == level->second) : false)
    find_least(s, &s->paths.items[p], level);
  else if (first)
    level->least = now;
  else if (now < level->least) {
    level->second = level->least;
    level->least = now;
    level->first = link;
  } else if (now < level->second)
    level->second = now;
  if (level->least < old.least || level->least > old.least)
    spread(s, p, &old, link);
}

/* ---- levels of links ---- */

/* The part of the link that a flow of the path takes at a rate of 1. */
static double weight_on(const struct sharing *s, uint32_t link, const struct sharing_path *path)
{
  uint32_t hop = path->first_hop;
  while (s->hops.items[hop] != link)
    hop++;
  return s->weights.items[hop];
}

/* What the paths of a link may have elsewhere. */
static void gather(struct sharing *s, uint32_t link, const uint32_t *paths, uint32_t count)
{
  struct levels *levels = s->levels;
  levels->links[link].used = 0;
  levels->shares.count = 0;
  if (!tutti_vector_reserve(&levels->shares, count))
    tutti_out_of_memory();
  for (uint32_t i = 0; i < count; i++) {
    const struct level_path *level = &levels->paths.items[paths[i]];
    const double part = s->weighted ? weight_on(s, link, &s->paths.items[paths[i]]) : 1;
    levels->shares.items[i] = (struct level_share){
        .offer = offer_to(level, link), .each = level->each * part, .weight = level->weight * part};
    levels->links[link].used += level->weight * part * level->least;
  }
}

/* The bandwidth for the flows that are there. */
static double room_for(const struct sharing *s, uint32_t link, const uint32_t *paths, uint32_t count)
{
  const struct sharing_load *load = &s->loads[link];
  int flows = 0;
  for (uint32_t i = 0; i < count; i++)
    flows += (int)s->paths.items[paths[i]].count;
  return tutti_contention_bandwidth(&load->contention, s->links[link].bound, flows);
}

/* Where the shares take all that there is; infinite: they do not. */
static double fill(struct level_share *shares, uint32_t count, double room)
{
  double weight = 0;
  for (uint32_t i = 0; i < count; i++)
    weight += shares[i].weight;
  for (uint32_t before = count + 1; count > 0 && count < before;) {
    const double level = room / weight;
    before = count;
    count = 0;
    for (uint32_t i = 0; i < before; i++)
      if (shares[i].offer <= level) {
        room -= shares[i].offer * shares[i].weight;
        weight -= shares[i].weight;
      } else
        shares[count++] = shares[i];
  }
  return count > 0 ? room / weight : INFINITY;
}

/* Where the first of the flows takes all of a fat pipe by itself; infinite: none does. */
static double fill_fat_pipe(const struct levels *levels, uint32_t count, double room)
{
  double level = INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    const struct level_share *share = &levels->shares.items[i];
    if (fills(levels, share->offer, share->each, room))
      level = fmin(level, room / share->each);
  }
  return level;
}

static void compute(struct sharing *s, uint32_t l, double tolerance)
{
  struct level_link *link = &s->levels->links[l];
  uint32_t count;
  const uint32_t *paths = sharing_paths(s, l, &count);
  gather(s, l, paths, count);
  if (s->loads[l].contention.messages > 0)
    link->room = room_for(s, l, paths, count);
  const double before = link->level, now = s->loads[l].fat_pipe ? fill_fat_pipe(s->levels, count, link->room)
                                                                : fill(s->levels->shares.items, count, link->room);
  if (isinf(now) ? isinf(before) : fabs(now - before) <= tolerance * before && !isinf(before))
    return;
  link->level = now;
  for (uint32_t i = 0; i < count; i++)
    follow(s, paths[i], l, before, now);
}

/* ---- flows ---- */

void tutti_levels_join(struct sharing *s, uint32_t f)
{
  struct levels *levels = s->levels;
  const struct sharing_flow *flow = &s->flows.items[f];
  const struct sharing_path *path = &s->paths.items[flow->path];
  while (levels->paths.count <= flow->path)
    tutti_xpush(&levels->paths, (struct level_path){0});
  struct level_path *level = &levels->paths.items[flow->path];
  if (path->count == 1) {
    *level =
        (struct level_path){.most = flow->bound * flow->penalty, .each = 1.0 / flow->penalty, .listed = level->listed};
    find_least(s, path, level);
  }
  level->weight = level->each * path->count;
  list_path(levels, flow->path);
  for (uint32_t i = 0; i < flow->hop_count; i++)
    use(s, sharing_hops(s, flow)[i], level->least, level->each, sharing_weight(s, flow, i));
}

void tutti_levels_leave(struct sharing *s, uint32_t f)
{
  const struct sharing_flow *flow = &s->flows.items[f];
  struct level_path *level = &s->levels->paths.items[flow->path];
  level->weight = level->each * (s->paths.items[flow->path].count - 1);
  for (uint32_t i = 0; i < flow->hop_count; i++)
    use(s, sharing_hops(s, flow)[i], -level->least, level->each, sharing_weight(s, flow, i));
}

/* The flows of a path whose value is another one now. */
static void list_flows(struct sharing *s, uint32_t p)
{
  struct level_path *level = &s->levels->paths.items[p];
  level->listed = false;
  if (s->paths.items[p].count == 0)
    return;
  for (uint32_t f = s->paths.items[p].newest; f != ENGINE_NONE; f = s->flows.items[f].older) {
    const double value = level->least * level->each;
    if (s->flows.items[f].value < value || s->flows.items[f].value > value)
      engine_push(&s->changed, f);
    s->flows.items[f].value = value;
  }
}

void tutti_levels_solve(struct sharing *s)
{
  struct levels *levels = s->levels;
  double tolerance = levels->tolerance;
  size_t rest = PATIENCE * (size_t)s->link_count;
  for (size_t i = 0; i < levels->queue.count; i++) {
    levels->links[levels->queue.items[i]].queued = false;
    compute(s, levels->queue.items[i], tolerance);
    if (--rest == 0) {
      rest = PATIENCE * (size_t)s->link_count;
      tolerance *= 2;
    }
  }
  levels->queue.count = 0;
  s->changed.count = 0;
  for (size_t i = 0; i < levels->changed.count; i++)
    list_flows(s, levels->changed.items[i]);
  levels->changed.count = 0;
}
