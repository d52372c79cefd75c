/* Points of decision maps, their classes and costs, and the cases made of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/cases/cases.h"
#include "decision/learners/learn.h"
#include "decision/trees/trees.h"

int tutti_learn_best_at(const struct point *point)
{
  return tutti_decision_map_best_at(point->map, point->ranks_index, point->size_index);
}

/* The next point in order, with a best method or without. */
static bool step(const tutti_decision_map *maps, int map_count, struct point *point)
{
  if (!point->map) {
    *point = (struct point){.map = maps};
    return map_count > 0;
  }
  if (++point->size_index < point->map->size_count)
    return true;
  point->size_index = 0;
  if (++point->ranks_index < point->map->ranks_count)
    return true;
  point->ranks_index = 0;
  return ++point->map < maps + map_count;
}

bool tutti_learn_next_point(const tutti_decision_map *maps, int map_count, struct point *point)
{
  while (step(maps, map_count, point))
    if (tutti_learn_best_at(point) >= 0)
      return true;
  return false;
}

/* ---- classes ---- */

/* Which methods of a map are best somewhere. */
static bool *best_methods(const tutti_decision_map *map)
{
  bool *best = tutti_xcalloc((size_t)map->method_count, sizeof *best);
  size_t points = (size_t)map->ranks_count * (size_t)map->size_count;
  for (size_t i = 0; i < points; i++)
    if (map->best[i] >= 0)
      best[map->best[i]] = true;
  return best;
}

static void add_classes(const tutti_decision_map *map, bool all, struct class_list *list)
{
  char text[TUTTI_METHOD_LENGTH];
  bool *best = best_methods(map);
  for (int m = 0; m < map->method_count; m++) {
    const char *name = tutti_method_class(&map->methods[m], text);
    if (((all && tutti_candidates_have(&map->candidates, &map->methods[m])) || best[m]) &&
        tutti_names_find(list->names, list->count, name) < 0)
      tutti_names_append(&list->names, &list->count, name);
  }
  free(best);
}

struct class_list tutti_learn_classes(const tutti_decision_map *maps, int map_count, bool all)
{
  struct class_list list = {0};
  for (int i = 0; i < map_count; i++)
    add_classes(&maps[i], all, &list);
  return list;
}

int *tutti_learn_classes_of_methods(const tutti_decision_map *map, const struct class_list *list)
{
  char text[TUTTI_METHOD_LENGTH];
  int *classes = tutti_xcalloc((size_t)map->method_count, sizeof *classes);
  for (int m = 0; m < map->method_count; m++)
    classes[m] = tutti_names_find(list->names, list->count, tutti_method_class(&map->methods[m], text));
  return classes;
}

/* A tie costs nothing: the best of a tie need not have the smallest time. */
void tutti_learn_costs_at(const struct point *point, const int *classes, int class_count, double *costs)
{
  const tutti_decision_map *map = point->map;
  double least = tutti_decision_map_time(map, point->ranks_index, point->size_index, tutti_learn_best_at(point));
  for (int k = 0; k < class_count; k++)
    costs[k] = TUTTI_COST_MISSING;
  for (int m = 0; m < map->method_count; m++) {
    double time = tutti_decision_map_time(map, point->ranks_index, point->size_index, m);
    if (isnan(time))
      time = tutti_decision_map_serving_time(map, point->ranks_index, point->size_index, &map->methods[m]);
    if (classes[m] < 0 || isnan(time))
      continue;
    double cost = least > 0 ? 100 * (time - least) / least : time > least ? TUTTI_COST_MISSING : 0;
    costs[classes[m]] = fmin(fmax(cost > 1e-7 ? cost : 0, 0), TUTTI_COST_MISSING);
  }
}

/* ---- the points at the nodes of a tree ---- */

/* The learners from maps test ranks, bytes and ranks per node, which are known of every point. */
static void count_point(tutti_decision_tree *tree, const struct point *point)
{
  char text[TUTTI_METHOD_LENGTH];
  double values[TUTTI_MAX_ATTRIBUTES];
  const tutti_decision_map *map = point->map;
  const tutti_question question = tutti_decision_map_question(map, point->ranks_index, point->size_index);
  tutti_decision_tree_values(tree, &question, values);
  tutti_node *node = &tree->classifier.nodes[0];
  for (node->cases++; node->branch_count > 0; node->cases++)
    node = &tree->classifier.nodes[node->first + classify_branch(node, values[node->attribute])];
  tutti_method_class(&map->methods[tutti_learn_best_at(point)], text);
  node->errors += strcmp(text, tree->classifier.classes[node->label]) != 0;
}

void tutti_learn_recount(const tutti_decision_map *maps, int map_count, tutti_decision_tree *tree)
{
  for (int n = 0; n < tree->classifier.node_count; n++)
    tree->classifier.nodes[n].cases = tree->classifier.nodes[n].errors = 0;
  for (struct point point = {.map = NULL}; tutti_learn_next_point(maps, map_count, &point);)
    count_point(tree, &point);
}

/* ---- cases, with attributes by expression ---- */

struct kinds {
  bool collectives, ranks_per_node; /* whether several exist */
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

/* The given attributes, or those that distinguish the points. */
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

/* Names of attributes and classes into the cases. */
static void copy_names(const tutti_decision_tree *tree, const struct class_list *list, tutti_cases *cases)
{
  free(cases->attributes); /* both lists were empty */
  free(cases->classes);
  cases->attributes = tutti_names_copy_attributes(tree->classifier.attributes, cases->attribute_count);
  cases->classes = tutti_names_copy(list->names, list->count);
}

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

static tutti_status make_cases(const tutti_decision_map *maps, int map_count, const struct class_list *list,
                               const tutti_decision_tree *tree, tutti_cases *cases, double **costs, tutti_error *error)
{
  size_t count = count_points(maps, map_count), row = 0;
  if (count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "there is no point to learn from");
  tutti_cases_create(tutti_collective_name(maps[0].collective), tree->classifier.attribute_count, list->count, count,
                     cases);
  copy_names(tree, list, cases);
  if (costs)
    *costs = tutti_xcalloc(count * (size_t)list->count, sizeof **costs);
  for (int i = 0; i < map_count; i++) {
    int *classes = tutti_learn_classes_of_methods(&maps[i], list);
    set_rows(&maps[i], classes, tree, cases, costs ? *costs : NULL, &row);
    free(classes);
  }
  return TUTTI_OK;
}

tutti_status tutti_learn_cases(const tutti_decision_map *maps, int map_count, const tutti_learn_options *options,
                               tutti_decision_tree *tree, tutti_cases *cases, double **costs, tutti_error *error)
{
  *tree = (tutti_decision_tree){.expressions = NULL};
  *cases = (tutti_cases){.name = NULL};
  if (costs)
    *costs = NULL;
  tutti_status status = name_collectives(maps, map_count, tree, error);
  if (status == TUTTI_OK)
    status = add_attributes(options->attributes, options->attribute_count, kinds_of(maps, map_count), tree, error);
  if (status == TUTTI_OK) {
    struct class_list list = tutti_learn_classes(maps, map_count, costs != NULL);
    status = make_cases(maps, map_count, &list, tree, cases, costs, error);
    tutti_names_free(list.names, list.count);
  }
  if (status != TUTTI_OK)
    tutti_decision_tree_free(tree);
  return status;
}
