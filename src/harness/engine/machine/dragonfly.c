/* A dragonfly: nodes at routers, routers in chassis (all to all, green), chassis in groups (routers of the same place
   all to all, black), groups all to all (blue): router g of chassis 0 holds the cable to group g. Minimal routing. */
#include "harness/engine/machine/network.h"

static long chassis_of(const struct topology *t, struct router r)
{
  return r.group * t->sizes[DRAGONFLY_CHASSIS] + r.chassis;
}

static long number(const struct topology *t, struct router r)
{
  return chassis_of(t, r) * t->sizes[DRAGONFLY_ROUTERS] + r.router;
}

/* Cables of hosts, green, black, blue ones: numbers in that order. */
static long first_green(const struct topology *t)
{
  return t->hosts;
}

static long first_black(const struct topology *t)
{
  return first_green(t) +
         t->sizes[DRAGONFLY_GROUPS] * t->sizes[DRAGONFLY_CHASSIS] * engine_pairs(t->sizes[DRAGONFLY_ROUTERS]);
}

static long first_blue(const struct topology *t)
{
  return first_black(t) +
         t->sizes[DRAGONFLY_GROUPS] * t->sizes[DRAGONFLY_ROUTERS] * engine_pairs(t->sizes[DRAGONFLY_CHASSIS]);
}

static void limit(const struct engine_network *n, struct router r, struct engine_route *route)
{
  if (n->limiters != ENGINE_NONE)
    engine_route_add(route, n->limiters + n->host_count + (uint32_t)number(&n->topology, r));
}

/* Over a cable; the end with the larger number takes it downwards. */
static void cross(const struct engine_network *n, long cable, long from, long to, struct engine_route *route)
{
  engine_route_add(route, engine_cable(n, (uint32_t)cable, from > to));
}

static void go_green(const struct engine_network *n, struct router *r, long router, struct engine_route *route)
{
  const struct topology *t = &n->topology;
  const long routers = t->sizes[DRAGONFLY_ROUTERS];
  limit(n, *r, route);
  cross(n, first_green(t) + chassis_of(t, *r) * engine_pairs(routers) + engine_pair(routers, r->router, router),
        r->router, router, route);
  r->router = router;
}

static void go_black(const struct engine_network *n, struct router *r, long chassis, struct engine_route *route)
{
  const struct topology *t = &n->topology;
  const long all = t->sizes[DRAGONFLY_CHASSIS],
             place = r->group * engine_pairs(all) + engine_pair(all, r->chassis, chassis);
  limit(n, *r, route);
  cross(n, first_black(t) + place * t->sizes[DRAGONFLY_ROUTERS] + r->router, r->chassis, chassis, route);
  r->chassis = chassis;
}

static void go_blue(const struct engine_network *n, struct router *r, long group, struct engine_route *route)
{
  const struct topology *t = &n->topology;
  cross(n, first_blue(t) + engine_pair(t->sizes[DRAGONFLY_GROUPS], r->group, group), r->group, group, route);
  limit(n, *r, route);
  *r = (struct router){group, 0, r->group};
}

bool tutti_dragonfly_route(const struct engine_network *n, uint32_t from, uint32_t to, struct engine_route *route)
{
  const struct router target = topology_router(&n->topology, to);
  struct router r = topology_router(&n->topology, from);
  if (n->limiters != ENGINE_NONE)
    engine_route_add(route, n->limiters + from);
  engine_route_add(route, engine_cable(n, from, false));
  if (r.group != target.group) {
    if (r.router != target.group)
      go_green(n, &r, target.group, route);
    if (r.chassis != 0)
      go_black(n, &r, 0, route);
    go_blue(n, &r, target.group, route);
  }
  if (r.router != target.router) {
    go_green(n, &r, target.router, route);
    r.chassis = 0; /* SimGrid takes it for the router of the first chassis from here on */
  }
  if (r.chassis != target.chassis)
    go_black(n, &r, target.chassis, route);
  limit(n, target, route);
  engine_route_add(route, engine_cable(n, to, true));
  if (n->limiters != ENGINE_NONE)
    engine_route_add(route, n->limiters + to);
  return true;
}
