/* The bits of a wavelet tree on runs: merge sort, from the last node in preorder to the root. */
#include <stdlib.h>
#include <string.h>

#include "maps/wavelet.h"

/* Where the places of every node begin and end: what a descent would carry along. */
static void find_spans(const struct wavelet *wavelet, uint32_t (*spans)[2])
{
  if (wavelet->node_count > 0)
    memcpy(spans[0], (uint32_t[2]){0, (uint32_t)wavelet->size}, sizeof spans[0]);
  for (int i = 0; i < wavelet->node_count; i++) {
    const struct wavelet_node *node = &wavelet->nodes[i];
    if (node->child[0])
      memcpy(spans[node->child[0]], (uint32_t[2]){spans[i][0], node->split}, sizeof spans[0]);
    if (node->child[1])
      memcpy(spans[node->child[1]], (uint32_t[2]){node->split, spans[i][1]}, sizeof spans[0]);
  }
}

static void merge(struct wavelet *wavelet, const struct wavelet_node *node, const uint32_t span[2], int *numbers,
                  int *merged)
{
  uint32_t left = span[0], right = node->split, length = span[1] - span[0];
  for (uint32_t i = 0; i < length; i++) {
    bool from_right = left == node->split || (right < span[1] && numbers[right] < numbers[left]);
    merged[i] = numbers[from_right ? right++ : left++];
    if (from_right)
      map_bits_set(&wavelet->bits, node->offset + (uint64_t)i);
  }
  memcpy(numbers + span[0], merged, length * sizeof *numbers);
}

tutti_status tutti_wavelet_fill(struct wavelet *wavelet, int *numbers, tutti_error *error)
{
  uint32_t(*spans)[2] = malloc(((size_t)wavelet->node_count + 1) * sizeof *spans);
  int *merged = malloc((size_t)wavelet->size * sizeof *merged);
  bool enough = spans && merged;
  if (enough) {
    find_spans(wavelet, spans);
    for (int i = wavelet->node_count - 1; i >= 0; i--)
      merge(wavelet, &wavelet->nodes[i], spans[i], numbers, merged);
  }
  free(spans);
  free(merged);
  return enough ? tutti_wavelet_count(wavelet, error) : tutti_map_no_memory(TUTTI_MAP_PERMUTED, wavelet->size, error);
}

/* Whether a node has as many ones as its right child has places. */
static bool count_node(const struct wavelet *wavelet, struct wavelet_node *node, const uint32_t span[2])
{
  uint64_t ones = tutti_map_bits_rank(&wavelet->bits, node->offset), end = (uint64_t)node->offset + span[1] - span[0];
  node->ones = (uint32_t)ones;
  return tutti_map_bits_rank(&wavelet->bits, end) - ones == span[1] - node->split;
}

tutti_status tutti_wavelet_count(struct wavelet *wavelet, tutti_error *error)
{
  uint32_t(*spans)[2] = malloc(((size_t)wavelet->node_count + 1) * sizeof *spans);
  if (!spans)
    return tutti_map_no_memory(TUTTI_MAP_PERMUTED, wavelet->size, error);
  int right = 0;
  tutti_map_bits_count(&wavelet->bits);
  find_spans(wavelet, spans);
  while (right < wavelet->node_count && count_node(wavelet, &wavelet->nodes[right], spans[right]))
    right++;
  free(spans);
  if (right < wavelet->node_count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "permutation: node %d of %d has not one 1 a place of its right child",
                      right, wavelet->node_count);
  return TUTTI_OK;
}
