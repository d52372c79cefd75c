/* A torus: one dimension after the other. Each host owns a cable per dimension, to its upper neighbor. */
#include "harness/engine/machine/network.h"

/* Up, with the wrap-around if that is shorter? Of two ways as long it is up, except from the middle of the ring. */
static bool goes_up(uint32_t own, uint32_t target, uint32_t size)
{
  const uint32_t half = size / 2;
  return (target > own && target <= own + half) || (own > half && (own + half) % size >= target);
}

static uint32_t neighbor(uint32_t host, uint32_t place, uint32_t stride, uint32_t size, bool up)
{
  if (up)
    return place == size - 1 ? host + stride - stride * size : host + stride;
  return place == 0 ? host - stride + stride * size : host - stride;
}

/* The cable of a host to its upper neighbor. Those of a ring are neighbors in memory: routes go along rings. */
static uint32_t cable_of(const struct engine_network *n, uint32_t host, int d, uint32_t stride, uint32_t size)
{
  const uint32_t below = host % stride, above = host / stride / size;
  return (uint32_t)d * n->host_count + (above * stride + below) * size + host / stride % size;
}

/* One step along dimension @p d. */
static uint32_t step(const struct engine_network *n, uint32_t host, int d, uint32_t stride, bool up,
                     struct engine_route *route)
{
  const uint32_t size = (uint32_t)n->topology.sizes[d], next = neighbor(host, host / stride % size, stride, size, up);
  const uint32_t owner = up ? host : next;
  if (n->limiters != ENGINE_NONE)
    engine_route_add(route, n->limiters + host);
  engine_route_add(route, engine_cable(n, cable_of(n, owner, d, stride, size), !up));
  return next;
}

bool tutti_torus_route(const struct engine_network *n, uint32_t from, uint32_t to, struct engine_route *route)
{
  uint32_t host = from, stride = 1;
  for (int d = 0; d < n->topology.levels; d++) {
    const uint32_t size = (uint32_t)n->topology.sizes[d], target = to / stride % size;
    const bool up = goes_up(from / stride % size, target, size);
    while (host / stride % size != target)
      host = step(n, host, d, stride, up, route);
    stride *= size;
  }
  if (n->limiters != ENGINE_NONE)
    engine_route_add(route, n->limiters + to);
  return true;
}
