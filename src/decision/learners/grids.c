/* Learners over the grid of one collective: quadtrees and optimal trees. */
#include <stdlib.h>
#include <string.h>

#include "decision/learners/learn.h"

/* ---- quadtrees and octrees ---- */

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

/* Labels are methods of the maps, and classes come in their order. */
tutti_status tutti_learn_quadtree(const tutti_decision_map *maps, int map_count, const tutti_quadtree_limits *limits,
                                  tutti_decision_tree *tree, tutti_quadtree_shape *shape, tutti_error *error)
{
  struct class_list list;
  tutti_label_map labels;
  tutti_status status = tutti_label_map_create(maps, map_count, &labels, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_learn_classes(maps, 1, true, &list, error);
  if (status == TUTTI_OK) {
    status = encode(&labels, limits, &list, &tree->classifier, shape, error);
    tutti_class_list_free(&list);
  }
  tutti_label_map_free(&labels);
  return status;
}

/* ---- optimal trees ---- */

/* A hole costs nothing whatever the class: it has no say. */
static double *costs_of(const tutti_decision_map *map, const struct class_list *list)
{
  size_t points = (size_t)map->ranks_count * (size_t)map->size_count, width = (size_t)list->count;
  double *costs = calloc(points * width, sizeof *costs);
  int *classes = tutti_learn_classes_of_methods(map, list);
  for (struct point point = {.map = NULL}; costs && classes && tutti_learn_next_point(map, 1, &point);) {
    size_t index = (size_t)point.ranks_index * (size_t)map->size_count + (size_t)point.size_index;
    tutti_learn_costs_at(&point, classes, list->count, costs + index * width);
  }
  if (!classes) {
    free(costs);
    return NULL;
  }
  free(classes);
  return costs;
}

tutti_status tutti_learn_optimal(const tutti_decision_map *map, const tutti_optimal_tree_options *options,
                                 tutti_decision_tree *tree, tutti_error *error)
{
  struct class_list list;
  tutti_status status = tutti_learn_classes(map, 1, true, &list, error);
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
  tutti_class_list_free(&list);
  return status;
}
