/* What is shared anew: marked links, and which of them are connected. */
#include "base/memory.h"
#include "engine/sharing.h"

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

/* The flows of the link are to be looked at. */
static void enter(struct sharing *s, uint32_t link)
{
  struct sharing_frame frame;
  frame.joined = sharing_joined(s, link, &frame.left);
  if (frame.left > 0)
    engine_push(&s->stack, frame);
}

/* The walk along a flow, whose hops are all left when it is met first. */
static struct sharing_walk *walk_of(struct sharing *s, uint32_t flow)
{
  struct sharing_walk *walk = &s->walks.items[flow];
  if (walk->solving != s->solvings)
    *walk = (struct sharing_walk){.solving = s->solvings, .left = s->flows.items[flow].hop_count};
  return walk;
}

/* Go on along a flow until a link is met that was not marked and has other flows; false if there is none. Where the
   flow is met again from there, it goes on behind that link: those before are marked. */
static bool follow(struct sharing *s, uint32_t f, struct sharing_walk *walk, uint32_t group)
{
  const struct sharing_flow *flow = &s->flows.items[f];
  const uint32_t *end = sharing_hops(s, flow) + flow->hop_count;
  while (walk->left > 0) {
    const uint32_t link = end[-(ptrdiff_t)walk->left--], mark = s->links[link].mark;
    if (mark != ENGINE_NONE) {
      if (s->groups_of.items[mark] != group)
        unite(s, s->groups_of.items[mark], group);
      continue;
    }
    mark_one(s, link, group);
    if (s->links[link].only == SHARING_MANY) {
      enter(s, link);
      return true;
    }
  }
  return false;
}

/* The flows of the link on top of the stack, newest first, until one leads to another link. */
static void walk_on(struct sharing *s, uint32_t group)
{
  const size_t top = s->stack.count - 1;
  const uint32_t *joined = s->stack.items[top].joined;
  for (uint32_t left = s->stack.items[top].left; left > 0; left--) {
    struct sharing_walk *walk = walk_of(s, joined[left - 1]);
    if (walk->left > 0 && follow(s, joined[left - 1], walk, group)) {
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
  tutti_xpush(&s->groups, group);
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

void tutti_sharing_unite(struct sharing *s, const struct sharing_flow *flow)
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
