/* Which rule is the first to answer for all that a later one is for. */
#include <stdlib.h>

#include "base/memory.h"
#include "decision/libraries/libraries.h"

size_t *tutti_tuning_hiding(const struct tutti_box *boxes, size_t count)
{
  size_t *hiding = tutti_xcalloc(count + 1, sizeof *hiding);
  struct tutti_boxes *tree = tutti_boxes_create(boxes, count);
  if (!tree)
    tutti_out_of_memory();
  for (size_t i = 0; i < count; i++)
    hiding[i] = tutti_boxes_around(tree, &boxes[i], i);
  tutti_boxes_free(tree);
  return hiding;
}
