/* Maps of labels for tests of quadtrees. */
#ifndef TUTTI_TESTS_LABEL_MAP_H
#define TUTTI_TESTS_LABEL_MAP_H

#include <string.h>

#include "tutti/learners.h"
#include "unit/base/random.h"

enum { LABEL_POINTS = 64, LABEL_CELLS = 64 * 64 };

/* Storage of a map; map() lays it out. */
struct labels {
  uint64_t axes[TUTTI_AXES][LABEL_POINTS];
  int labels[LABEL_CELLS];
  int counts[TUTTI_AXES];
  int label_count;
};

static inline tutti_label_map labels_map(const struct labels *labels)
{
  tutti_label_map map = {.labels = labels->labels, .label_count = labels->label_count};
  for (int axis = 0; axis < TUTTI_AXES; axis++) {
    map.counts[axis] = labels->counts[axis];
    map.axes[axis] = labels->axes[axis];
  }
  return map;
}

static inline int *labels_at(struct labels *labels, int ranks, int bytes, int nodes)
{
  return &labels->labels[(ranks * labels->counts[1] + bytes) * labels->counts[2] + nodes];
}

/* A map of @p ranks x @p bytes x @p nodes points, axes 2, 3, ..., 1, 2, 4, ... (capped steps) and 1, 2, ..., all 0. */
static inline void labels_init(struct labels *labels, int ranks, int bytes, int nodes, int label_count)
{
  memset(labels, 0, sizeof *labels);
  labels->counts[0] = ranks;
  labels->counts[1] = bytes;
  labels->counts[2] = nodes;
  labels->label_count = label_count;
  for (int i = 0; i < LABEL_POINTS; i++) {
    labels->axes[0][i] = (uint64_t)i + 2;
    labels->axes[1][i] = i < 20 ? UINT64_C(1) << i : (UINT64_C(1) << 20) + (uint64_t)i;
    labels->axes[2][i] = (uint64_t)i + 1;
  }
}

/* Axes with random steps, labels in random patches. */
static inline void labels_draw(struct labels *labels, uint64_t *seed)
{
  for (int axis = 0; axis < TUTTI_AXES; axis++) {
    uint64_t value = random_below(seed, 3) + (axis == TUTTI_AXIS_BYTES ? 0 : 1);
    for (int i = 0; i < LABEL_POINTS; i++, value += 1 + random_below(seed, axis == TUTTI_AXIS_BYTES ? 1000 : 4))
      labels->axes[axis][i] = value;
  }
  int points = labels->counts[0] * labels->counts[1] * labels->counts[2];
  int patch = 1 + (int)random_below(seed, 12);
  for (int i = 0, label = 0; i < points; i++) {
    if (random_below(seed, (uint64_t)patch) == 0)
      label = (int)random_below(seed, (uint64_t)labels->label_count);
    labels->labels[i] = label;
  }
}

#endif
