#include "maps/wavelet.h"

#include "maps/bits_window.h"

#include <stdlib.h>

/* A node on the way from the root to a run, and its places. */
struct step {
  const struct wavelet_node *node;
  uint32_t length;
  bool side;
};

/* Down to the run of a place. @param first, last  receive the run; @return steps */
static int descend(const struct wavelet *wavelet, uint32_t place, struct step *steps, uint32_t *first, uint32_t *last)
{
  int count = 0;
  *first = 0;
  *last = (uint32_t)wavelet->size;
  for (uint32_t at = 0; count == 0 ? wavelet->node_count > 0 : at > 0;) {
    const struct wavelet_node *node = &wavelet->nodes[at];
    bool side = place >= node->split;
    steps[count++] = (struct step){node, *last - *first, side};
    *(side ? first : last) = node->split;
    at = node->child[side];
  }
  return count;
}

/* Numbers of bits equal to the side, before the first bit of a node. */
static uint64_t before(const struct step *step)
{
  return step->side ? step->node->ones : step->node->offset - step->node->ones;
}

int tutti_wavelet_value(const struct wavelet *wavelet, int place)
{
  struct step steps[WAVELET_DEPTH];
  uint32_t first, last;
  int count = descend(wavelet, (uint32_t)place, steps, &first, &last);
  uint64_t value = (uint32_t)place - first;
  while (count-- > 0) {
    const struct step *step = &steps[count];
    uint64_t from = step->node->offset;
    value = tutti_map_bits_window_select(&wavelet->bits, step->side, before(step) + value, from, from + step->length) -
            from;
  }
  return (int)value;
}

/* One node up: from indices of a child to indices of the node. */
static void climb(const struct wavelet *wavelet, const struct step *step, uint64_t *values, int count)
{
  uint64_t from = step->node->offset, earlier = before(step);
  for (int i = 0; i < count; i++)
    values[i] += earlier;
  tutti_map_bits_window_ascending(&wavelet->bits, step->side, from, from + step->length, values, count);
  for (int i = 0; i < count; i++)
    values[i] -= from;
}

int tutti_wavelet_values(const struct wavelet *wavelet, int place, int count, uint64_t *values)
{
  struct step steps[WAVELET_DEPTH];
  uint32_t first, last;
  int step_count = descend(wavelet, (uint32_t)place, steps, &first, &last);
  if ((uint32_t)count > last - (uint32_t)place)
    count = (int)(last - (uint32_t)place);
  for (int i = 0; i < count; i++)
    values[i] = (uint32_t)place - first + (uint64_t)i;
  while (step_count-- > 0)
    climb(wavelet, &steps[step_count], values, count);
  return count;
}

int tutti_wavelet_place(const struct wavelet *wavelet, int value)
{
  uint64_t index = (uint64_t)value;
  uint32_t first = 0, at = 0;
  if (wavelet->node_count == 0)
    return value;
  do {
    const struct wavelet_node *node = &wavelet->nodes[at];
    uint64_t bit = node->offset + index, ones = tutti_map_bits_rank(&wavelet->bits, bit) - node->ones;
    bool side = map_bits_get(&wavelet->bits, bit);
    index = side ? ones : index - ones;
    if (side)
      first = node->split;
    at = node->child[side];
  } while (at > 0);
  return (int)(first + index);
}

void tutti_wavelet_free(struct wavelet *wavelet)
{
  free(wavelet->nodes);
  wavelet->nodes = NULL;
  tutti_map_bits_free(&wavelet->bits);
  wavelet->bits = (struct map_bits){0};
}

size_t tutti_wavelet_bytes(const struct wavelet *wavelet)
{
  return ((size_t)wavelet->node_count + 1) * sizeof *wavelet->nodes + tutti_map_bits_bytes(&wavelet->bits);
}
