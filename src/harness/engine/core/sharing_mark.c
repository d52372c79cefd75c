/* The links to share anew: marked links, and which of them are connected. */
#include "base/memory.h"
#include "harness/engine/core/sharing.h"

static uint32_t root_of(struct sharing *s, uint32_t group)
{
  uint32_t *parents = s->groups.items;
  while (parents[group] != group)
    group = parents[group] = parents[parents[group]];
  return group;
}

uint32_t tutti_sharing_group(struct sharing *s, uint32_t link)
{
  return root_of(s, s->groups_of.items[s->links[link].mark]);
}

static void unite(struct sharing *s, uint32_t a, uint32_t b)
{
  a = root_of(s, a);
  b = root_of(s, b);
  if (a < b)
    s->groups.items[b] = a;
  else
    s->groups.items[a] = b;
}

static void mark_one(struct sharing *s, uint32_t link, uint32_t group)
{
  s->links[link].mark = (uint32_t)s->marked.count;
  engine_push(&s->marked, link);
  engine_push(&s->groups_of, group);
}

/* The paths of the link are to be looked at. */
static void enter(struct sharing *s, uint32_t link)
{
  struct sharing_frame frame;
  frame.paths = sharing_paths(s, link, &frame.left);
  for (uint32_t i = 0; i < frame.left; i++)
    __builtin_prefetch(&s->paths.items[frame.paths[i]]);
  if (frame.left > 0)
    engine_push(&s->stack, frame);
}

/* Prefetch what is read when the links of a path are entered: each list is somewhere else in memory, and waiting for
   one after the other takes most of the time. */
static void fetch_lists(const struct sharing *s, const struct sharing_path *path)
{
  const uint32_t *hops = &s->hops.items[path->first_hop];
  for (uint32_t i = 0; i < path->hop_count; i++)
    if (s->links[hops[i]].path == SHARING_MANY && s->links[hops[i]].mark == ENGINE_NONE)
      __builtin_prefetch(s->loads[hops[i]].paths.items);
}

/* A path, whose hops are all left when it is met first. */
static struct sharing_path *meet(struct sharing *s, uint32_t p, uint32_t group)
{
  struct sharing_path *path = &s->paths.items[p];
  if (path->solving != s->solvings) {
    path->solving = s->solvings;
    path->left = path->hop_count;
    path->group = group;
    s->flow_counts.items[group] += path->count;
    fetch_lists(s, path);
  }
  return path;
}

/* Continue along a path until an unmarked link with other paths; false at the end. Where the path is met again from
   there, it continues after that link: those before are marked. */
static bool follow(struct sharing *s, struct sharing_path *path, uint32_t group)
{
  const uint32_t *end = &s->hops.items[path->first_hop] + path->hop_count;
  while (path->left > 0) {
    const uint32_t link = end[-(ptrdiff_t)path->left--], mark = s->links[link].mark;
    if (mark != ENGINE_NONE) {
      if (s->groups_of.items[mark] != group)
        unite(s, s->groups_of.items[mark], group);
      continue;
    }
    mark_one(s, link, group);
    if (s->links[link].path == SHARING_MANY) {
      enter(s, link);
      return true;
    }
  }
  return false;
}

/* The paths of the link on top of the stack, newest first, until one leads to another link. */
static void walk_on(struct sharing *s, uint32_t group)
{
  const size_t top = s->stack.count - 1;
  const uint32_t *paths = s->stack.items[top].paths;
  for (uint32_t left = s->stack.items[top].left; left > 0; left--) {
    struct sharing_path *path = meet(s, paths[left - 1], group);
    if (path->left > 0 && follow(s, path, group)) {
      s->stack.items[top].left = left;
      return;
    }
  }
  s->stack.count--;
}

void tutti_sharing_mark(struct sharing *s, uint32_t link)
{
  if (s->links[link].mark != ENGINE_NONE)
    return;
  const uint32_t group = (uint32_t)s->groups.count;
  engine_push(&s->groups, group);
  engine_push(&s->flow_counts, 0);
  mark_one(s, link, group);
  enter(s, link);
  while (s->stack.count > 0)
    walk_on(s, group);
}

void tutti_sharing_unmark(struct sharing *s, uint32_t link)
{
  if (s->links[link].mark != ENGINE_NONE)
    s->marked.items[s->links[link].mark] = ENGINE_NONE;
  s->links[link].mark = ENGINE_NONE;
}

static void unite_links(struct sharing *s, const struct sharing_flow *flow)
{
  const uint32_t *hops = sharing_hops(s, flow);
  uint32_t group = ENGINE_NONE;
  for (uint32_t i = 0; i < flow->hop_count; i++) {
    const uint32_t mark = s->links[hops[i]].mark;
    if (mark == ENGINE_NONE)
      continue;
    if (group != ENGINE_NONE && group != s->groups_of.items[mark])
      unite(s, group, s->groups_of.items[mark]);
    group = s->groups_of.items[mark];
  }
}

void tutti_sharing_add(struct sharing *s, const struct sharing_flow *flow, bool again)
{
  if (again)
    s->flow_counts.items[s->paths.items[flow->path].group]++;
  else
    meet(s, flow->path, tutti_sharing_group(s, sharing_hops(s, flow)[0]));
  unite_links(s, flow);
}

void tutti_sharing_remove(struct sharing *s, const struct sharing_flow *flow)
{
  s->flow_counts.items[s->paths.items[flow->path].group]--;
}
