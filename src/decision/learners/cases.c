/* Decision maps as cases with attributes by expression. */
#include <stdlib.h>
#include <string.h>

#include "decision/cases/names.h"
#include "decision/learners/learn.h"
#include "decision/trees/decision_file.h"

struct kinds {
  bool collectives, ranks_per_node; /* are there several? */
};

static struct kinds kinds_of(const tutti_decision_map *maps, int map_count)
{
  struct kinds kinds = {false, false};
  for (int i = 1; i < map_count; i++) {
    kinds.collectives = kinds.collectives || maps[i].collective != maps[0].collective;
    kinds.ranks_per_node = kinds.ranks_per_node || maps[i].ranks_per_node != maps[0].ranks_per_node;
  }
  return kinds;
}

/* Those given, or what tells the points apart. */
static tutti_status add_attributes(const char *const *attributes, int count, struct kinds kinds,
                                   tutti_decision_tree *tree, tutti_error *error)
{
  const char *defaults[4];
  if (count == 0) {
    attributes = defaults;
    if (kinds.collectives)
      defaults[count++] = "collective";
    defaults[count++] = "ranks";
    defaults[count++] = "bytes";
    if (kinds.ranks_per_node)
      defaults[count++] = "ranks_per_node";
  }
  tutti_status status = TUTTI_OK;
  for (int a = 0; a < count && status == TUTTI_OK; a++)
    status = tutti_decision_tree_add_attribute(tree, attributes[a], error);
  return status;
}

static tutti_status name_collectives(const tutti_decision_map *maps, int map_count, tutti_decision_tree *tree,
                                     tutti_error *error)
{
  for (int i = 0; i < map_count; i++) {
    for (int j = 0; j < i; j++)
      if (maps[i].collective == maps[j].collective && maps[i].ranks_per_node == maps[j].ranks_per_node)
        return tutti_fail(error, TUTTI_ERR_ARGUMENT, "two decision maps of %s with as many ranks per node",
                          tutti_collective_name(maps[i].collective));
    tree->answers[maps[i].collective] = true;
  }
  return TUTTI_OK;
}

/* ---- names of attributes and classes into the cases ---- */

static bool copy_names(const tutti_decision_tree *tree, const struct class_list *list, tutti_cases *cases)
{
  tutti_attribute *attributes = tutti_names_copy_attributes(tree->classifier.attributes, cases->attribute_count);
  char **classes = tutti_names_copy(list->names, list->count);
  free(cases->attributes); /* both lists were empty */
  free(cases->classes);
  cases->attributes = attributes;
  cases->classes = classes;
  return attributes && classes;
}

/* ---- values ---- */

static void set_values(const tutti_decision_tree *tree, const struct point *point, tutti_cases *cases, size_t row)
{
  double values[TUTTI_MAX_ATTRIBUTES];
  const tutti_decision_map *map = point->map;
  const tutti_question question = tutti_decision_map_question(map, point->ranks_index, point->size_index);
  tutti_decision_tree_values(tree, &question, values);
  for (int a = 0; a < cases->attribute_count; a++)
    cases->values[a][row] = values[a];
}

static size_t count_points(const tutti_decision_map *maps, int map_count)
{
  size_t count = 0;
  for (struct point point = {.map = NULL}; tutti_learn_next_point(maps, map_count, &point);)
    count++;
  return count;
}

static void set_rows(const tutti_decision_map *map, const int *classes, const tutti_decision_tree *tree,
                     tutti_cases *cases, double *costs, size_t *row)
{
  size_t class_count = (size_t)cases->class_count;
  for (struct point point = {.map = NULL}; tutti_learn_next_point(map, 1, &point); ++*row) {
    set_values(tree, &point, cases, *row);
    cases->labels[*row] = classes[tutti_learn_best_at(&point)];
    if (costs)
      tutti_learn_costs_at(&point, classes, cases->class_count, costs + *row * class_count);
  }
}

static tutti_status fill(const tutti_decision_map *maps, int map_count, const struct class_list *list,
                         const tutti_decision_tree *tree, tutti_cases *cases, double *costs, tutti_error *error)
{
  size_t row = 0;
  for (int i = 0; i < map_count; i++) {
    int *classes = tutti_learn_classes_of_methods(&maps[i], list);
    if (!classes)
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu cases", cases->count);
    set_rows(&maps[i], classes, tree, cases, costs, &row);
    free(classes);
  }
  return TUTTI_OK;
}

static tutti_status make_cases(const tutti_decision_map *maps, int map_count, const struct class_list *list,
                               const tutti_decision_tree *tree, tutti_cases *cases, double **costs, tutti_error *error)
{
  size_t count = count_points(maps, map_count);
  if (count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "there is no point to learn from");
  tutti_status status = tutti_cases_create(tutti_collective_name(maps[0].collective), tree->classifier.attribute_count,
                                           list->count, count, cases, error);
  if (status != TUTTI_OK)
    return status;
  if (costs)
    *costs = calloc(count * (size_t)list->count, sizeof **costs);
  if (!copy_names(tree, list, cases) || (costs && !*costs))
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for %zu cases", count);
  return fill(maps, map_count, list, tree, cases, costs ? *costs : NULL, error);
}

tutti_status tutti_learn_cases(const tutti_decision_map *maps, int map_count, const tutti_learn_options *options,
                               tutti_decision_tree *tree, tutti_cases *cases, double **costs, tutti_error *error)
{
  struct class_list list = {0};
  *tree = (tutti_decision_tree){.expressions = NULL};
  *cases = (tutti_cases){.name = NULL};
  if (costs)
    *costs = NULL;
  tutti_status status = name_collectives(maps, map_count, tree, error);
  if (status == TUTTI_OK)
    status = add_attributes(options->attributes, options->attribute_count, kinds_of(maps, map_count), tree, error);
  if (status == TUTTI_OK)
    status = tutti_learn_classes(maps, map_count, costs != NULL, &list, error);
  if (status == TUTTI_OK)
    status = make_cases(maps, map_count, &list, tree, cases, costs, error);
  tutti_names_free(list.names, list.count);
  if (status == TUTTI_OK)
    return TUTTI_OK;
  tutti_decision_tree_free(tree);
  tutti_cases_free(cases);
  if (costs)
    free(*costs);
  return status;
}
