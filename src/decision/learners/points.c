/* Points of decision maps, their classes and costs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/cases/names.h"
#include "decision/learners/learn.h"
#include "decision/trees/classifier.h"

int tutti_learn_best_at(const struct point *point)
{
  const tutti_decision_map *map = point->map;
  return map->best[(size_t)point->ranks_index * (size_t)map->size_count + (size_t)point->size_index];
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
  bool *best = calloc((size_t)map->method_count, sizeof *best);
  size_t points = (size_t)map->ranks_count * (size_t)map->size_count;
  for (size_t i = 0; best && i < points; i++)
    if (map->best[i] >= 0)
      best[map->best[i]] = true;
  return best;
}

static bool add_class(struct class_list *list, const char *name)
{
  return tutti_names_find(list->names, list->count, name) >= 0 || tutti_names_append(&list->names, &list->count, name);
}

static bool add_classes(const tutti_decision_map *map, bool all, struct class_list *list)
{
  char text[TUTTI_METHOD_LENGTH];
  bool fine = true, *best = best_methods(map);
  for (int m = 0; best && fine && m < map->method_count; m++)
    if ((all && !tutti_method_is_native(&map->methods[m])) || best[m])
      fine = add_class(list, tutti_method_class(&map->methods[m], text));
  free(best);
  return best && fine;
}

tutti_status tutti_learn_classes(const tutti_decision_map *maps, int map_count, bool all, struct class_list *list,
                                 tutti_error *error)
{
  *list = (struct class_list){0};
  for (int i = 0; i < map_count; i++)
    if (!add_classes(&maps[i], all, list)) {
      tutti_names_free(list->names, list->count);
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the classes of %d methods", maps[i].method_count);
    }
  return TUTTI_OK;
}

int *tutti_learn_classes_of_methods(const tutti_decision_map *map, const struct class_list *list)
{
  char text[TUTTI_METHOD_LENGTH];
  int *classes = calloc((size_t)map->method_count, sizeof *classes);
  for (int m = 0; classes && m < map->method_count; m++)
    classes[m] = tutti_names_find(list->names, list->count, tutti_method_class(&map->methods[m], text));
  return classes;
}

/* A tie costs nothing: the best of a tie need not have the very least time. */
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
