/* Flat trees, chains, pipelines and k-ary trees. */
#include <stdint.h>

#include "algorithms/tree_shapes.h"

static int smaller(int64_t a, int64_t b)
{
  return (int)(a < b ? a : b);
}

/* ---- flat ---- */

static int flat_parent(int v, int size, int k)
{
  (void)v, (void)size, (void)k;
  return 0;
}

static int flat_child_count(int v, int size, int k)
{
  (void)k;
  return v == 0 ? size - 1 : 0;
}

static int flat_child(int v, int index, int size, int k)
{
  (void)v, (void)size, (void)k;
  return index + 1;
}

/* ---- chain(k): the ranks 1..size-1 in k runs, the first (size-1) mod k of which are one longer ----

   size 8, k 3:   0 -> 1 -> 2 -> 3      0 -> 4 -> 5      0 -> 6 -> 7 */

static int64_t chain_start(int64_t chain, int size, int k)
{
  int64_t others = size - 1, longer = others % k, length = others / k;
  return 1 + chain * length + (chain < longer ? chain : longer);
}

static int chain_of(int v, int size, int k)
{
  int64_t others = size - 1, longer = others % k, length = others / k, place = v - 1;
  if (place < longer * (length + 1))
    return (int)(place / (length + 1));
  return (int)(longer + (place - longer * (length + 1)) / length);
}

static int chain_parent(int v, int size, int k)
{
  return v == chain_start(chain_of(v, size, k), size, k) ? 0 : v - 1;
}

static int chain_child_count(int v, int size, int k)
{
  if (v == 0)
    return smaller(k, size - 1);
  return v + 1 < chain_start((int64_t)chain_of(v, size, k) + 1, size, k);
}

static int chain_child(int v, int index, int size, int k)
{
  return v == 0 ? (int)chain_start(index, size, k) : v + 1;
}

/* ---- pipeline ---- */

static int pipeline_parent(int v, int size, int k)
{
  (void)size, (void)k;
  return v - 1;
}

static int pipeline_child_count(int v, int size, int k)
{
  (void)k;
  return v + 1 < size;
}

static int pipeline_child(int v, int index, int size, int k)
{
  (void)index, (void)size, (void)k;
  return v + 1;
}

/* ---- k-ary ---- */

static int kary_parent(int v, int size, int k)
{
  (void)size;
  return (v - 1) / k;
}

static int kary_child_count(int v, int size, int k)
{
  int64_t first = (int64_t)v * k + 1;
  return first >= size ? 0 : smaller(k, size - first);
}

static int kary_child(int v, int index, int size, int k)
{
  (void)size;
  return v * k + 1 + index;
}

const struct tree_shape tutti_shape_flat = {"flat", 0, flat_parent, flat_child_count, flat_child};
const struct tree_shape tutti_shape_chain = {"chain", 1, chain_parent, chain_child_count, chain_child};
const struct tree_shape tutti_shape_pipeline = {"pipeline", 0, pipeline_parent, pipeline_child_count, pipeline_child};
const struct tree_shape tutti_shape_kary = {"k-ary", 1, kary_parent, kary_child_count, kary_child};
