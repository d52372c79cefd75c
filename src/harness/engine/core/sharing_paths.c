/* Flows on the same links: used to find which links are connected. */
#include <string.h>

#include "base/memory.h"
#include "harness/engine/core/sharing.h"

uint32_t tutti_hops_new(struct sharing *s, uint32_t count)
{
  const uint32_t first = s->free_hops[count];
  if (first != ENGINE_NONE) {
    s->free_hops[count] = s->hops.items[first];
    return first;
  }
  if (!tutti_vector_reserve(&s->hops, count) || (s->weighted && !tutti_vector_reserve(&s->weights, count)))
    tutti_out_of_memory();
  s->hops.count += count;
  s->weights.count += s->weighted ? count : 0;
  return (uint32_t)s->hops.count - count;
}

void tutti_hops_free(struct sharing *s, uint32_t first, uint32_t count)
{
  s->hops.items[first] = s->free_hops[count];
  s->free_hops[count] = first;
}

void tutti_hops_weigh(struct sharing *s)
{
  s->weighted = true;
  if (!tutti_vector_reserve(&s->weights, s->hops.count))
    tutti_out_of_memory();
  for (size_t i = 0; i < s->hops.count; i++)
    s->weights.items[i] = 1;
  s->weights.count = s->hops.count;
}

/* ---- joining ---- */

static bool same_weights(const struct sharing *s, uint32_t a, uint32_t b, uint32_t count)
{
  return !s->weighted || memcmp(&s->weights.items[a], &s->weights.items[b], count * sizeof(double)) == 0;
}

/* By levels the flows of a path have one level, and one share of it. */
static bool same_share(const struct sharing *s, const struct sharing_path *path, const struct sharing_flow *flow)
{
  const struct sharing_flow *newest = &s->flows.items[path->newest];
  return !s->levels || (!(newest->penalty < flow->penalty || newest->penalty > flow->penalty) &&
                        !(newest->bound < flow->bound || newest->bound > flow->bound));
}

/* The path of the same links as those of the flow, or ENGINE_NONE: one whose last flow is just leaving is over. */
static uint32_t find(const struct sharing *s, const struct sharing_flow *flow)
{
  const uint32_t *hops = sharing_hops(s, flow);
  uint32_t count;
  const uint32_t *paths = sharing_paths(s, hops[flow->hop_count - 1], &count);
  while (count > 0) {
    const struct sharing_path *path = &s->paths.items[paths[--count]];
    if (path->newest != ENGINE_NONE && path->hop_count == flow->hop_count &&
        memcmp(&s->hops.items[path->first_hop], hops, flow->hop_count * sizeof *hops) == 0 &&
        same_weights(s, path->first_hop, flow->first_hop, flow->hop_count) && same_share(s, path, flow))
      return paths[count];
  }
  return ENGINE_NONE;
}

static uint32_t new_path(struct sharing *s, uint32_t home, const struct sharing_flow *flow)
{
  const bool at_home = home < s->home_count && s->paths.items[home].hop_count == 0;
  uint32_t path = at_home ? home : s->free_paths;
  if (path == ENGINE_NONE) {
    path = (uint32_t)s->paths.count;
    tutti_xpush(&s->paths, (struct sharing_path){0});
  } else if (!at_home)
    s->free_paths = s->paths.items[path].first_hop;
  s->paths.items[path] =
      (struct sharing_path){.first_hop = flow->first_hop, .hop_count = flow->hop_count, .newest = ENGINE_NONE};
  return path;
}

/* The path has the newest flow of all on the link. */
static void put_last(struct sharing *s, uint32_t path, uint32_t link, bool there)
{
  if (!there)
    sharing_list(&s->links[link].path, &s->loads[link].paths, path);
  else if (s->links[link].path != path)
    sharing_put_last(&s->loads[link].paths, path);
}

void tutti_path_join(struct sharing *s, uint32_t f)
{
  struct sharing_flow *flow = &s->flows.items[f];
  const uint32_t old = find(s, flow), p = old != ENGINE_NONE ? old : new_path(s, f, flow);
  struct sharing_path *path = &s->paths.items[p];
  if (old != ENGINE_NONE)
    tutti_hops_free(s, flow->first_hop, flow->hop_count);
  flow->first_hop = path->first_hop;
  flow->path = p;
  flow->older = path->newest;
  flow->newer = ENGINE_NONE;
  flow->joined_as = path->joined_as = s->joins++;
  if (path->newest != ENGINE_NONE)
    s->flows.items[path->newest].newer = f;
  path->newest = f;
  path->count++;
  for (uint32_t i = 0; i < path->hop_count; i++)
    put_last(s, p, s->hops.items[path->first_hop + i], old != ENGINE_NONE);
}

/* ---- leaving ---- */

void tutti_path_leave(struct sharing *s, const struct sharing_flow *flow)
{
  struct sharing_path *path = &s->paths.items[flow->path];
  path->count--;
  if (flow->older != ENGINE_NONE)
    s->flows.items[flow->older].newer = flow->newer;
  if (flow->newer != ENGINE_NONE)
    s->flows.items[flow->newer].older = flow->older;
  else
    path->newest = flow->older;
  if (path->newest != ENGINE_NONE)
    path->joined_as = s->flows.items[path->newest].joined_as;
}

void tutti_path_leave_link(struct sharing *s, uint32_t p, uint32_t link)
{
  uint32_t *only = &s->links[link].path;
  struct engine_numbers *paths = &s->loads[link].paths;
  const struct sharing_path *path = &s->paths.items[p];
  if (path->newest == ENGINE_NONE) {
    sharing_unlist(only, paths, p);
    return;
  }
  if (*only == p)
    return;
  size_t place = paths->count - 1;
  while (paths->items[place] != p)
    place--;
  for (; place > 0 && s->paths.items[paths->items[place - 1]].joined_as > path->joined_as; place--)
    paths->items[place] = paths->items[place - 1];
  paths->items[place] = p;
}

void tutti_path_end(struct sharing *s, uint32_t p)
{
  struct sharing_path *path = &s->paths.items[p];
  if (path->newest != ENGINE_NONE)
    return;
  tutti_hops_free(s, path->first_hop, path->hop_count);
  path->hop_count = 0;
  if (p < s->home_count)
    return;
  path->first_hop = s->free_paths;
  s->free_paths = p;
}
