#include "harness/measure/params/adaptive.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static tutti_status insert(struct adaptive *adaptive, size_t index, const struct adaptive_point *point,
                           tutti_error *error)
{
  if (adaptive->count == adaptive->capacity) {
    size_t capacity = adaptive->capacity ? 2 * adaptive->capacity : 64;
    struct adaptive_point *grown = reallocarray(adaptive->points, capacity, sizeof *grown);
    if (!grown)
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu message sizes", capacity);
    adaptive->points = grown;
    adaptive->capacity = capacity;
  }
  memmove(&adaptive->points[index + 1], &adaptive->points[index], (adaptive->count - index) * sizeof *point);
  adaptive->points[index] = *point;
  adaptive->count++;
  return TUTTI_OK;
}

static tutti_status measure(struct adaptive *adaptive, uint64_t bytes, struct adaptive_point *point, tutti_error *error)
{
  *point = (struct adaptive_point){.bytes = bytes};
  return adaptive->measure(adaptive->context, bytes, point->values, error);
}

static tutti_status measure_powers(struct adaptive *adaptive, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (uint64_t bytes = 0; status == TUTTI_OK;) {
    struct adaptive_point point;
    status = measure(adaptive, bytes, &point, error);
    if (status == TUTTI_OK)
      status = insert(adaptive, adaptive->count, &point, error);
    if (bytes == adaptive->largest)
      break;
    bytes = bytes == 0 ? 1 : 2 * bytes;
    bytes = bytes < adaptive->largest ? bytes : adaptive->largest;
  }
  return status;
}

static bool is_wide(const struct adaptive_point *left)
{
  uint64_t width = left[1].bytes - left[0].bytes;
  return width >= ADAPTIVE_MIN_BYTES && width > left[0].bytes / ADAPTIVE_PARTS;
}

/* Whether the line between left[0] and left[1] misses a point measured in between. */
static bool misses(const struct adaptive *adaptive, const struct adaptive_point *left,
                   const struct adaptive_point *middle)
{
  double weight = (double)(middle->bytes - left->bytes) / (double)(left[1].bytes - left->bytes), max = 0, miss = 0;
  for (int i = 0; i < ADAPTIVE_VALUES; i++) {
    double line = left[0].values[i] + weight * (left[1].values[i] - left[0].values[i]);
    miss = fmax(miss, fabs(middle->values[i] - line));
    max = fmax(max, middle->values[i]);
  }
  return miss > adaptive->tolerance * max;
}

/* Once more: noise only makes a measurement longer, so the shorter values are kept. */
static tutti_status measure_again(struct adaptive *adaptive, struct adaptive_point *point, tutti_error *error)
{
  struct adaptive_point again;
  tutti_status status = measure(adaptive, point->bytes, &again, error);
  for (int i = 0; i < ADAPTIVE_VALUES && status == TUTTI_OK; i++)
    point->values[i] = fmin(point->values[i], again.values[i]);
  return status;
}

static bool is_longer(const struct adaptive_point *point, const struct adaptive_point *than)
{
  bool longer = false;
  for (int i = 0; i < ADAPTIVE_VALUES; i++)
    longer = longer || point->values[i] > than->values[i];
  return longer;
}

/* Measure again a size that takes longer than the next larger one: it may be noisy. The largest size has no next. */
static tutti_status remeasure(struct adaptive *adaptive, tutti_error *error)
{
  tutti_status status = measure_again(adaptive, &adaptive->points[adaptive->count - 1], error);
  for (size_t i = adaptive->count - 1; i-- > 0 && status == TUTTI_OK;)
    for (int tries = 0; tries < ADAPTIVE_TRIES && status == TUTTI_OK; tries++) {
      if (!is_longer(&adaptive->points[i], &adaptive->points[i + 1]))
        break;
      status = measure_again(adaptive, &adaptive->points[i], error);
    }
  return status;
}

static tutti_status measure_middle(struct adaptive *adaptive, const struct adaptive_point *left,
                                   struct adaptive_point *middle, tutti_error *error)
{
  tutti_status status = measure(adaptive, left[0].bytes + (left[1].bytes - left[0].bytes) / 2, middle, error);
  if (status == TUTTI_OK && misses(adaptive, left, middle))
    status = measure_again(adaptive, middle, error);
  return status;
}

/* From left to right: an interval that was halved is looked at again, its left half first. */
static tutti_status refine(struct adaptive *adaptive, tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  for (size_t i = 0; i + 1 < adaptive->count && status == TUTTI_OK;) {
    struct adaptive_point *left = &adaptive->points[i], middle;
    if (!is_wide(left)) {
      i++;
      continue;
    }
    status = measure_middle(adaptive, left, &middle, error);
    if (status == TUTTI_OK && misses(adaptive, left, &middle))
      status = insert(adaptive, i + 1, &middle, error);
    else
      i++;
  }
  return status;
}

tutti_status adaptive_run(struct adaptive *adaptive, tutti_error *error)
{
  tutti_status status = measure_powers(adaptive, error);
  if (status == TUTTI_OK)
    status = remeasure(adaptive, error);
  if (status == TUTTI_OK)
    status = refine(adaptive, error);
  return status == TUTTI_OK ? remeasure(adaptive, error) : status;
}
