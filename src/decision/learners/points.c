/* Points of decision maps, their classes and costs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decision/learners/learn.h"

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

int tutti_class_list_find(const struct class_list *list, const char *name)
{
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->names[i], name) == 0)
      return i;
  return -1;
}

int tutti_class_list_add(struct class_list *list, const char *name)
{
  int found = tutti_class_list_find(list, name);
  if (found >= 0)
    return found;
  char **grown = reallocarray(list->names, (size_t)list->count + 1, sizeof *grown);
  if (!grown)
    return -1;
  list->names = grown;
  grown[list->count] = strdup(name);
  return grown[list->count] ? list->count++ : -1;
}

void tutti_class_list_free(struct class_list *list)
{
  for (int i = 0; i < list->count; i++)
    free(list->names[i]);
  free(list->names);
  *list = (struct class_list){0};
}

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

static bool add_classes(const tutti_decision_map *map, bool all, struct class_list *list)
{
  char text[TUTTI_METHOD_LENGTH];
  bool fine = true, *best = best_methods(map);
  for (int m = 0; best && fine && m < map->method_count; m++)
    if ((all && !tutti_method_is_native(&map->methods[m])) || best[m])
      fine = tutti_class_list_add(list, tutti_method_class(&map->methods[m], text)) >= 0;
  free(best);
  return best && fine;
}

tutti_status tutti_learn_classes(const tutti_decision_map *maps, int map_count, bool all, struct class_list *list,
                                 tutti_error *error)
{
  *list = (struct class_list){0};
  for (int i = 0; i < map_count; i++)
    if (!add_classes(&maps[i], all, list)) {
      tutti_class_list_free(list);
      return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the classes of %d methods", maps[i].method_count);
    }
  return TUTTI_OK;
}

int *tutti_learn_classes_of_methods(const tutti_decision_map *map, const struct class_list *list)
{
  char text[TUTTI_METHOD_LENGTH];
  int *classes = calloc((size_t)map->method_count, sizeof *classes);
  for (int m = 0; classes && m < map->method_count; m++)
    classes[m] = tutti_class_list_find(list, tutti_method_class(&map->methods[m], text));
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
