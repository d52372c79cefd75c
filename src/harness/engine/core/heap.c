#include "harness/engine/core/heap.h"

uint32_t tutti_heap_meld(struct heap_node *nodes, uint32_t a, uint32_t b)
{
  if (a == ENGINE_NONE || b == ENGINE_NONE)
    return a == ENGINE_NONE ? b : a;
  const uint32_t above = heap_before(nodes[b].key, nodes[a].key) ? b : a, below = above == a ? b : a;
  nodes[below].next = nodes[above].child;
  nodes[above].child = below;
  return above;
}

/* The heap that begins a chain is taken off it. */
static uint32_t take(struct heap_node *nodes, uint32_t *chain)
{
  const uint32_t heap = *chain;
  if (heap == ENGINE_NONE)
    return heap;
  *chain = nodes[heap].next;
  nodes[heap].next = ENGINE_NONE;
  return heap;
}

uint32_t tutti_heap_pop(struct heap_node *nodes, uint32_t heap)
{
  uint32_t children = nodes[heap].child, pairs = ENGINE_NONE, rest = ENGINE_NONE;
  nodes[heap].child = ENGINE_NONE;
  while (children != ENGINE_NONE) {
    const uint32_t first = take(nodes, &children), pair = tutti_heap_meld(nodes, first, take(nodes, &children));
    nodes[pair].next = pairs;
    pairs = pair;
  }
  while (pairs != ENGINE_NONE)
    rest = tutti_heap_meld(nodes, take(nodes, &pairs), rest);
  return rest;
}
