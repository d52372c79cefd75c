/* Growing: regions are split, one level after the other, until nothing is to be gained. */
#include <stdlib.h>

#include "decision/learners/penalty_tree/grow.h"

static void free_scratch(struct scratch *scratch)
{
  free(scratch->below);
  free(scratch->sorted);
}

static bool make_scratch(const struct data *data, struct scratch *scratch)
{
  size_t classes = (size_t)data->cases->class_count;
  scratch->below = calloc(4 * classes, sizeof *scratch->below);
  scratch->sorted = calloc(data->cases->count, sizeof *scratch->sorted);
  if (!scratch->below || !scratch->sorted)
    return false;
  scratch->above = scratch->below + classes;
  scratch->labels_below = scratch->above + classes;
  scratch->labels_above = scratch->labels_below + classes;
  return true;
}

static void set_leaf(struct growth *growth, struct region *region, struct scratch *scratch)
{
  region->split.attribute = -1;
  region->label = tutti_penalty_best_class(growth->data, growth->order + region->first, region->count, scratch->below,
                                           &region->cost);
}

/* Put the cases of the first branch first, each side in its order; returns how many these are. */
static size_t divide(struct growth *growth, const struct region *region, size_t *room)
{
  size_t *order = growth->order + region->first, first = 0, other = 0;
  for (size_t i = 0; i < region->count; i++)
    if (tutti_penalty_goes_first(growth->data, &region->split, order[i]))
      order[first++] = order[i];
    else
      room[other++] = order[i];
  for (size_t i = 0; i < other; i++)
    order[first + i] = room[i];
  return first;
}

static void split_region(struct growth *growth, int index, struct scratch *scratch)
{
  struct region *region = &growth->regions[index];
  if (region->cost <= 0 || region->count < 2 * growth->data->weight || growth->count + 2 > 2 * TUTTI_MAX_LEAVES - 1)
    return;
  region->split = tutti_penalty_best_split(growth->data, growth->order + region->first, region, scratch);
  if (region->split.attribute < 0)
    return;
  size_t first = divide(growth, region, scratch->sorted);
  region->child = growth->count;
  growth->regions[growth->count++] = (struct region){.first = region->first, .count = first};
  growth->regions[growth->count++] = (struct region){.first = region->first + first, .count = region->count - first};
  set_leaf(growth, &growth->regions[region->child], scratch);
  set_leaf(growth, &growth->regions[region->child + 1], scratch);
}

static tutti_status grow(struct growth *growth, tutti_error *error)
{
  struct scratch scratch = {0};
  size_t count = growth->data->cases->count;
  growth->order = calloc(count, sizeof *growth->order);
  growth->regions = calloc(2 * TUTTI_MAX_LEAVES - 1, sizeof *growth->regions);
  bool fine = growth->order && growth->regions && make_scratch(growth->data, &scratch);
  if (fine) {
    for (size_t i = 0; i < count; i++)
      growth->order[i] = i;
    growth->regions[0] = (struct region){.count = count};
    growth->count = 1;
    set_leaf(growth, &growth->regions[0], &scratch);
    for (int i = 0; i < growth->count; i++)
      split_region(growth, i, &scratch);
  }
  free_scratch(&scratch);
  return fine ? TUTTI_OK : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a tree over %zu cases", count);
}

/* ---- as a classifier; regions and nodes have the same numbers ---- */

/* Which branch each value of a discrete attribute takes. */
static bool set_branches(const struct growth *growth, const struct split *split, tutti_node *node)
{
  int values = growth->data->cases->attributes[split->attribute].value_count;
  node->branch_of = values ? calloc((size_t)values, sizeof *node->branch_of) : NULL;
  for (int v = 0; node->branch_of && v < values; v++)
    node->branch_of[v] = v != split->value;
  return node->branch_of || values == 0;
}

static bool set_node(const struct growth *growth, const struct region *region, tutti_node *node)
{
  *node = (tutti_node){.attribute = -1, .label = region->label, .cases = (double)region->count};
  if (region->split.attribute < 0)
    return true;
  node->attribute = region->split.attribute;
  node->threshold = region->split.threshold;
  node->first = region->child;
  node->branch_count = 2;
  return set_branches(growth, &region->split, node);
}

static tutti_status write_down(const struct growth *growth, tutti_classifier *classifier, tutti_error *error)
{
  tutti_status status = tutti_classifier_create(growth->data->cases, classifier, error);
  if (status != TUTTI_OK)
    return status;
  bool fine = (classifier->nodes = calloc((size_t)growth->count, sizeof *classifier->nodes));
  for (; fine && classifier->node_count < growth->count; classifier->node_count++)
    fine = set_node(growth, &growth->regions[classifier->node_count], &classifier->nodes[classifier->node_count]);
  if (fine)
    return TUTTI_OK;
  tutti_classifier_free(classifier);
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a tree of %d nodes", growth->count);
}

tutti_status tutti_penalty_grow(const struct data *data, tutti_classifier *classifier, tutti_error *error)
{
  struct data known = *data;
  struct growth growth = {.data = &known};
  size_t attributes = (size_t)data->cases->attribute_count;
  known.commonest = calloc(attributes + 1, sizeof *known.commonest);
  if (!known.commonest)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu attributes", attributes);
  for (size_t a = 0; a < attributes; a++)
    known.commonest[a] = tutti_penalty_commonest_value(data->cases, (int)a);
  tutti_status status = grow(&growth, error);
  if (status == TUTTI_OK)
    status = write_down(&growth, classifier, error);
  free(known.commonest);
  free(growth.order);
  free(growth.regions);
  return status;
}
