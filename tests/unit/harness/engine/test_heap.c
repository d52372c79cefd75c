/* Heaps beside sorted keys. */
#include "harness/engine/core/heap.h"
#include "unit/base/random.h"
#include "unit/test.h"

enum { NODES = 200, HEAPS = 3, STEPS = 20000 };

struct model {
  struct heap_node nodes[NODES];
  uint32_t heaps[HEAPS];
  int in[NODES]; /* the heap that a node is in; -1: none */
};

static uint32_t least(const struct model *m, int heap)
{
  uint32_t best = ENGINE_NONE;
  for (uint32_t n = 0; n < NODES; n++)
    if (m->in[n] == heap && (best == ENGINE_NONE || (int32_t)(m->nodes[n].key - m->nodes[best].key) < 0))
      best = n;
  return best;
}

static void meld(struct model *m, int from, int to)
{
  m->heaps[to] = tutti_heap_meld(m->nodes, m->heaps[to], m->heaps[from]);
  m->heaps[from] = ENGINE_NONE;
  for (int n = 0; n < NODES; n++)
    if (m->in[n] == from)
      m->in[n] = to;
}

static void pop(struct model *m, int heap)
{
  const uint32_t first = m->heaps[heap];
  if (first == ENGINE_NONE)
    return;
  m->heaps[heap] = tutti_heap_pop(m->nodes, first);
  m->in[first] = -1;
}

static void step(struct model *m, uint64_t *random, uint32_t key)
{
  const uint32_t node = (uint32_t)random_below(random, NODES);
  const int heap = (int)random_below(random, HEAPS), other = (int)random_below(random, HEAPS);
  if (m->in[node] < 0) {
    m->nodes[node] = heap_node(key);
    m->heaps[heap] = tutti_heap_meld(m->nodes, m->heaps[heap], node);
    m->in[node] = heap;
  }
  if (random_below(random, 3) > 0)
    pop(m, heap);
  if (heap != other && random_below(random, 50) == 0)
    meld(m, heap, other);
}

TEST(test_beside_model)
{
  static struct model m;
  uint64_t random = 1;
  for (int n = 0; n < NODES; n++)
    m.in[n] = -1;
  for (int h = 0; h < HEAPS; h++)
    m.heaps[h] = ENGINE_NONE;
  for (uint32_t i = 0; i < STEPS; i++) {
    step(&m, &random, (UINT32_MAX - STEPS / 2 + i) ^ 3); /* not in order, and wrapping */
    for (int h = 0; h < HEAPS; h++)
      assert_int_equal(m.heaps[h], least(&m, h));
  }
}
