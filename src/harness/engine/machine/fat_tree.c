/* A fat tree (an extended generalized one, XGFT): up by the destination's number, as in d-mod-k, down by its label. */
#include "harness/engine/machine/network.h"

/* A node of the tree: a host at level 0, above that a switch. */
struct place {
  int level;
  uint32_t position;
};

/* Parameters of a level. */
static uint32_t children(const struct topology *t, int level)
{
  return (uint32_t)t->sizes[level];
}

static uint32_t parents(const struct topology *t, int level)
{
  return (uint32_t)t->up[level];
}

static uint32_t cables(const struct topology *t, int level)
{
  return (uint32_t)t->cables[level];
}

/* How many values digit @p i of the label of a node has. */
static uint32_t radix(const struct topology *t, int level, int i)
{
  return i + 1 > level ? children(t, i) : parents(t, i);
}

static uint32_t stride_of(const struct topology *t, int level, int digit)
{
  uint32_t stride = 1;
  for (int i = 0; i < digit; i++)
    stride *= radix(t, level, i);
  return stride;
}

static uint32_t label(const struct topology *t, struct place place, int digit)
{
  return place.position / stride_of(t, place.level, digit) % radix(t, place.level, digit);
}

/* The node one level from @p place whose label differs in the digit between the two alone. */
static struct place beside(const struct topology *t, struct place place, int level, int digit, uint32_t value)
{
  struct place other = {level, 0};
  uint32_t stride = 1;
  for (int i = 0; i < t->levels; i++) {
    other.position += stride * (i == digit ? value : label(t, place, i));
    stride *= radix(t, level, i);
  }
  return other;
}

/* Whether a host is below a switch. Nothing is below a host. */
static bool is_below(const struct topology *t, struct place root, struct place host)
{
  if (root.level <= 0)
    return false;
  for (int i = root.level; i < t->levels; i++)
    if (label(t, root, i) != label(t, host, i))
      return false;
  return true;
}

/* The cable at port @p port of a node, which leads to a parent. */
static uint32_t cable(const struct engine_network *n, struct place child, uint32_t port)
{
  const struct topology *t = &n->topology;
  return n->first_cable[child.level] + child.position * parents(t, child.level) * cables(t, child.level) + port;
}

static void limit(const struct engine_network *n, struct place place, struct engine_route *route)
{
  if (n->limiters == ENGINE_NONE)
    return;
  uint32_t before = 0;
  for (int l = 0; l < place.level; l++)
    before += n->nodes[l];
  engine_route_add(route, n->limiters + before + place.position);
}

static struct place go_up(const struct engine_network *n, struct place place, struct place to,
                          struct engine_route *route)
{
  const struct topology *t = &n->topology;
  const int level = place.level;
  uint32_t port = to.position;
  for (int i = 0; i < level; i++)
    port /= parents(t, i);
  port %= parents(t, level) * cables(t, level);
  limit(n, place, route);
  engine_route_add(route, engine_cable(n, cable(n, place, port), false));
  return beside(t, place, level + 1, level, port % parents(t, level));
}

/* Through child port @p port of a switch. */
static struct place go_down(const struct engine_network *n, struct place place, uint32_t port,
                            struct engine_route *route)
{
  const struct topology *t = &n->topology;
  const int level = place.level - 1;
  const struct place child = beside(t, place, level, level, port % children(t, level));
  const uint32_t child_port = label(t, place, level) + port / children(t, level) * parents(t, level);
  engine_route_add(route, engine_cable(n, cable(n, child, child_port), true));
  limit(n, place, route);
  return child;
}

bool tutti_fat_tree_route(const struct engine_network *n, uint32_t from, uint32_t to, struct engine_route *route)
{
  const struct topology *t = &n->topology;
  const struct place target = {0, to};
  struct place place = {0, from};
  while (!is_below(t, place, target))
    place = go_up(n, place, target, route);
  while (place.level > 0) {
    const int level = place.level - 1;
    /* After a step down, the search continues with the next port of the lower switch, and restarts when they end. */
    for (uint32_t port = from % cables(t, level) * children(t, level);
         place.level > 0 && port < children(t, place.level - 1) * cables(t, place.level - 1); port++)
      if (port % children(t, place.level - 1) == label(t, target, place.level - 1))
        place = go_down(n, place, port, route);
  }
  limit(n, target, route);
  return true;
}
