/* The shape of a wavelet tree on runs: which runs a node covers, and where its bits begin. */
#include <stdlib.h>

#include "maps/wavelet.h"

struct span {
  uint32_t first, last; /* runs first .. last - 1, at least two */
  uint32_t parent, side;
};

struct shape {
  const uint32_t *starts; /* [runs + 1], the last is the size */
  struct wavelet_node *nodes;
  struct span waiting[WAVELET_DEPTH]; /* one right child a level, and the node at work */
  int waiting_count;
};

int tutti_wavelet_runs(const int *numbers, int size, int limit, uint32_t **starts)
{
  int count = 1;
  *starts = NULL;
  for (int i = 1; i < size; i++)
    count += numbers[i] < numbers[i - 1];
  if (count > limit)
    return 0;
  *starts = malloc((size_t)count * sizeof **starts);
  if (!*starts)
    return -1;
  count = 0;
  for (int i = 0; i < size; i++)
    if (i == 0 || numbers[i] < numbers[i - 1])
      (*starts)[count++] = (uint32_t)i;
  return count;
}

typedef uint32_t (*split_rule)(const uint32_t *starts, uint32_t first, uint32_t last);

static uint32_t halve(const uint32_t *starts, uint32_t first, uint32_t last)
{
  (void)starts;
  return first + (last - first) / 2;
}

/* Where the two sides are nearest to equal. */
static uint32_t balance(const uint32_t *starts, uint32_t first, uint32_t last)
{
  uint64_t twice = (uint64_t)starts[first] + starts[last]; /* twice the middle */
  uint32_t low = first + 1, high = last - 1;
  while (low < high) { /* the first start at or after the middle */
    uint32_t middle = low + (high - low) / 2;
    if (2 * (uint64_t)starts[middle] >= twice)
      high = middle;
    else
      low = middle + 1;
  }
  bool after = 2 * (uint64_t)starts[low] >= twice;
  if (after && low > first + 1 && twice - 2 * (uint64_t)starts[low - 1] <= 2 * (uint64_t)starts[low] - twice)
    low--;
  return low;
}

static void push(struct shape *shape, uint32_t first, uint32_t last, uint32_t parent, uint32_t side)
{
  if (last - first > 1)
    shape->waiting[shape->waiting_count++] = (struct span){first, last, parent, side};
}

/* Write the nodes. @return all bits; offsets wrap if they do not fit 32 bits */
static uint64_t grow(struct shape *shape, uint32_t run_count, split_rule rule)
{
  uint64_t bits = 0;
  push(shape, 0, run_count, 0, 0);
  for (uint32_t node = 0; shape->waiting_count > 0; node++) {
    struct span span = shape->waiting[--shape->waiting_count];
    uint32_t split = rule(shape->starts, span.first, span.last);
    shape->nodes[node] = (struct wavelet_node){.split = shape->starts[split], .offset = (uint32_t)bits};
    if (node > 0)
      shape->nodes[span.parent].child[span.side] = node;
    bits += shape->starts[span.last] - shape->starts[span.first];
    push(shape, split, span.last, node, 1);
    push(shape, span.first, split, node, 0);
  }
  return bits;
}

static uint64_t grow_cheapest(struct shape *shape, uint32_t run_count)
{
  uint64_t halved = grow(shape, run_count, halve), balanced = grow(shape, run_count, balance);
  return balanced <= halved ? balanced : grow(shape, run_count, halve);
}

static tutti_status plan(struct wavelet *wavelet, struct shape *shape, int run_count, uint64_t bits_limit,
                         tutti_error *error)
{
  uint64_t bits = grow_cheapest(shape, (uint32_t)run_count);
  wavelet->node_count = run_count - 1;
  if (bits_limit > 0 && bits > bits_limit)
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "a permutation of %d runs: %llu bits, the limit is %llu", run_count,
                      (unsigned long long)bits, (unsigned long long)bits_limit);
  if (bits > UINT32_MAX) /* offsets */
    return tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "a permutation of %d runs: %llu bits, the most are 2^32 - 1",
                      run_count, (unsigned long long)bits);
  return tutti_map_bits_create(&wavelet->bits, bits)
             ? TUTTI_OK
             : tutti_map_no_memory(TUTTI_MAP_PERMUTED, (int)shape->starts[run_count], error);
}

/* The starts with the size behind them. */
static uint32_t *close_starts(const uint32_t *starts, int run_count, int size)
{
  uint32_t *closed = malloc(((size_t)run_count + 1) * sizeof *closed);
  for (int i = 0; closed && i < run_count; i++)
    closed[i] = starts[i];
  if (closed)
    closed[run_count] = (uint32_t)size;
  return closed;
}

tutti_status tutti_wavelet_shape(struct wavelet *wavelet, const uint32_t *starts, int run_count, int size,
                                 uint64_t bits_limit, tutti_error *error)
{
  *wavelet = (struct wavelet){.size = size};
  uint32_t *closed = close_starts(starts, run_count, size);
  struct shape *shape = malloc(sizeof *shape);
  wavelet->nodes = malloc((size_t)run_count * sizeof *wavelet->nodes); /* one more than needed: never 0 bytes */
  tutti_status status = TUTTI_ERR_MEMORY;
  if (closed && shape && wavelet->nodes) {
    *shape = (struct shape){.starts = closed, .nodes = wavelet->nodes};
    status = plan(wavelet, shape, run_count, bits_limit, error);
  } else {
    tutti_map_no_memory(TUTTI_MAP_PERMUTED, size, error);
  }
  free(closed);
  free(shape);
  if (status != TUTTI_OK)
    tutti_wavelet_free(wavelet);
  return status;
}
