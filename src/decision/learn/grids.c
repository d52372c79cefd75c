/* Learners over the grid of one collective: quadtrees and optimal trees. */
#include <stdlib.h>
#include <string.h>

#include "decision/learn/learn.h"

/* ---- quadtrees ---- */

/* A hole takes the label of the nearest point among @p count, @p stride apart; of two as near the first. */
static void fill_line(int *labels, int count, int stride)
{
  for (int i = 0; i < count; i++) {
    int *hole = &labels[i * stride];
    for (int d = 1; *hole == -1 && d < count; d++) {
      int before = i - d >= 0 ? labels[(i - d) * stride] : -1, after = i + d < count ? labels[(i + d) * stride] : -1;
      if (before >= 0 || after >= 0)
        *hole = -2 - (before >= 0 ? before : after); /* no neighbour takes it from here */
    }
  }
  for (int i = 0; i < count; i++)
    if (labels[i * stride] < -1)
      labels[i * stride] = -2 - labels[i * stride];
}

/* Along the sizes first, then rows without a point along the ranks. */
static void fill_holes(const tutti_decision_map *map, int *labels)
{
  for (int r = 0; r < map->ranks_count; r++)
    fill_line(labels + (size_t)r * (size_t)map->size_count, map->size_count, 1);
  for (int s = 0; s < map->size_count; s++)
    fill_line(labels + s, map->ranks_count, map->size_count);
}

static bool set_labels(const tutti_decision_map *map, const struct class_list *list, int *labels, uint64_t *ranks)
{
  int *classes = learn_classes_of_methods(map, list);
  size_t points = (size_t)map->ranks_count * (size_t)map->size_count;
  for (size_t i = 0; classes && i < points; i++)
    labels[i] = map->best[i] >= 0 ? classes[map->best[i]] : -1;
  for (int r = 0; r < map->ranks_count; r++)
    ranks[r] = (uint64_t)map->ranks[r];
  fill_holes(map, labels);
  free(classes);
  return classes;
}

static tutti_status encode(const tutti_label_map *labels, const tutti_quadtree_limits *limits,
                           const struct class_list *list, tutti_classifier *classifier, tutti_quadtree_shape *shape,
                           tutti_error *error)
{
  tutti_quadtree *quadtree;
  tutti_status status = tutti_quadtree_create(labels, limits, &quadtree, error);
  if (status != TUTTI_OK)
    return status;
  *shape = tutti_quadtree_measure(quadtree);
  status = tutti_quadtree_classifier(quadtree, (const char *const *)list->names, list->count, classifier, error);
  tutti_quadtree_free(quadtree);
  return status;
}

tutti_status learn_quadtree(const tutti_decision_map *map, const tutti_quadtree_limits *limits,
                            tutti_decision_tree *tree, tutti_quadtree_shape *shape, tutti_error *error)
{
  struct class_list list;
  const uint64_t none = 0;
  tutti_status status = learn_classes(map, 1, false, &list, error);
  if (status == TUTTI_OK && list.count == 0)
    status = tutti_fail(error, TUTTI_ERR_ARGUMENT, "there is no point to learn from");
  if (status != TUTTI_OK)
    return status;
  int *labels = calloc((size_t)map->ranks_count * (size_t)map->size_count, sizeof *labels);
  uint64_t *ranks = calloc((size_t)map->ranks_count, sizeof *ranks);
  const tutti_label_map label_map = {.counts = {map->ranks_count, map->size_count, 1},
                                     .axes = {ranks, map->sizes, &none},
                                     .labels = labels,
                                     .label_count = list.count};
  if (labels && ranks && set_labels(map, &list, labels, ranks))
    status = encode(&label_map, limits, &list, &tree->classifier, shape, error);
  else
    status = tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for a quadtree");
  free(labels);
  free(ranks);
  class_list_free(&list);
  return status;
}

/* ---- optimal trees ---- */

/* A hole costs nothing whatever the class: it has no say. */
static double *costs_of(const tutti_decision_map *map, const struct class_list *list)
{
  size_t points = (size_t)map->ranks_count * (size_t)map->size_count, width = (size_t)list->count;
  double *costs = calloc(points * width, sizeof *costs);
  int *classes = learn_classes_of_methods(map, list);
  for (struct point point = {.map = NULL}; costs && classes && learn_next_point(map, 1, &point);) {
    size_t index = (size_t)point.ranks_index * (size_t)map->size_count + (size_t)point.size_index;
    learn_costs_at(&point, classes, list->count, costs + index * width);
  }
  if (!classes) {
    free(costs);
    return NULL;
  }
  free(classes);
  return costs;
}

tutti_status learn_optimal(const tutti_decision_map *map, const tutti_optimal_tree_options *options,
                           tutti_decision_tree *tree, tutti_error *error)
{
  struct class_list list;
  tutti_status status = learn_classes(map, 1, true, &list, error);
  if (status != TUTTI_OK)
    return status;
  double *costs = costs_of(map, &list);
  const tutti_cost_grid grid = {.ranks_count = map->ranks_count,
                                .size_count = map->size_count,
                                .class_count = list.count,
                                .ranks = map->ranks,
                                .sizes = map->sizes,
                                .costs = costs,
                                .classes = (const char *const *)list.names};
  status = costs ? tutti_optimal_tree_learn(&grid, options, &tree->classifier, NULL, error)
                 : tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for an optimal tree");
  free(costs);
  class_list_free(&list);
  return status;
}
