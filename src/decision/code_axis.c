/* Sorting the thresholds of an axis. Questions are whole numbers, so a threshold is as good as the whole number below.
 */
#include "decision/code_axis.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Drop what stands there twice. */
static int make_unique(uint64_t *values, int count)
{
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (kept == 0 || values[i] != values[kept - 1])
      values[kept++] = values[i];
  return kept;
}

static int full_count(int count)
{
  int full = 0;
  while (full < count)
    full = 2 * full + 1;
  return full;
}

bool code_axis_collect(const tutti_classifier *classifier, int attribute, uint64_t most, struct code_axis *axis)
{
  int count = 0;
  *axis = (struct code_axis){.values = calloc(2 * (size_t)classifier->node_count + 1, sizeof *axis->values)};
  if (!axis->values || attribute < 0)
    return axis->values;
  for (int i = 0; i < classifier->node_count; i++) {
    const tutti_node *node = &classifier->nodes[i];
    if (node->attribute == attribute && node->threshold >= 0 && node->threshold < (double)most)
      axis->values[count++] = (uint64_t)node->threshold;
  }
  qsort(axis->values, (size_t)count, sizeof *axis->values, compare);
  axis->distinct = make_unique(axis->values, count);
  axis->count = full_count(axis->distinct);
  for (int i = axis->distinct; i < axis->count; i++)
    axis->values[i] = most;
  return true;
}

double code_axis_value(const struct code_axis *axis, int box)
{
  if (box < axis->distinct)
    return (double)axis->values[box];
  return axis->distinct > 0 ? (double)axis->values[axis->distinct - 1] + 1 : 0;
}
