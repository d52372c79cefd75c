/* Counting the points of maps at the nodes of a tree. */
#include <string.h>

#include "decision/learners/learn.h"
#include "decision/trees/classify.h"

/* The grid learners test ranks, bytes and ranks per node only, which are known of every point. */
static void count_point(tutti_decision_tree *tree, const struct point *point)
{
  char text[TUTTI_METHOD_LENGTH];
  double values[TUTTI_MOST_ATTRIBUTES];
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
