/* Heaps of numbered nodes; one array may hold many: pairing heaps (Fredman, Sedgewick, Sleator, Tarjan 1986). Melding
   two takes constant time, removing the first node O(log n), amortized. */
#ifndef TUTTI_ENGINE_HEAP_H
#define TUTTI_ENGINE_HEAP_H

#include <stdbool.h>

#include "harness/engine/core/numbers.h"

struct heap_node {
  uint32_t key;         /* a serial number */
  uint32_t child, next; /* its first one; the next one of the same parent; or ENGINE_NONE */
};

/* A heap of one. */
static inline struct heap_node heap_node(uint32_t key)
{
  return (struct heap_node){.key = key, .child = ENGINE_NONE, .next = ENGINE_NONE};
}

/* Serial numbers may wrap: those that are compared differ by less than 2^31. */
static inline bool heap_before(uint32_t a, uint32_t b)
{
  return a - b > UINT32_MAX / 2;
}

/* Two heaps become one. A heap is named by its node with the smallest key, an empty one ENGINE_NONE. */
uint32_t tutti_heap_meld(struct heap_node *nodes, uint32_t a, uint32_t b);

/* Take out the node with the smallest key, which is a heap of one then. Returns the heap of the others. */
uint32_t tutti_heap_pop(struct heap_node *nodes, uint32_t heap);

#endif
