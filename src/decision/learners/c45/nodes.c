/* The nodes of the tree that grows. */
#include <limits.h>
#include <stdlib.h>

#include "decision/learners/c45/learner.h"

static bool reserve(c45_learner *l, int count)
{
  tutti_classifier *tree = l->tree;
  size_t classes = (size_t)tree->class_count;
  if (count <= l->node_room)
    return true;
  int room = count <= INT_MAX / 2 ? 2 * count : INT_MAX;
  tutti_node *nodes = reallocarray(tree->nodes, (size_t)room, sizeof *nodes);
  if (nodes)
    tree->nodes = nodes;
  double *distributions = nodes ? reallocarray(tree->distributions, (size_t)room * classes, sizeof(double)) : NULL;
  if (!distributions)
    return false;
  tree->distributions = distributions;
  l->node_room = room;
  return true;
}

int tutti_c45_add_nodes(c45_learner *l, int count)
{
  tutti_classifier *tree = l->tree;
  if (tree->node_count > INT_MAX - count || !reserve(l, tree->node_count + count)) {
    l->out_of_memory = true;
    return -1;
  }
  int first = tree->node_count;
  for (int i = first; i < first + count; i++) {
    tree->nodes[i] = (tutti_node){.attribute = -1};
    double *distribution = c45_distribution(l, i);
    for (int c = 0; c < tree->class_count; c++)
      distribution[c] = 0.0;
  }
  tree->node_count += count;
  return first;
}

void tutti_c45_drop_nodes(c45_learner *l, int node_count)
{
  for (int i = node_count; i < l->tree->node_count; i++)
    free(l->tree->nodes[i].branch_of);
  l->tree->node_count = node_count;
}

void tutti_c45_make_leaf(c45_learner *l, int node)
{
  tutti_node *leaf = &l->tree->nodes[node];
  free(leaf->branch_of);
  leaf->branch_of = NULL;
  leaf->attribute = -1;
  leaf->branch_count = 0;
}

void tutti_c45_count(c45_learner *l, c45_range range, double *distribution)
{
  for (int c = 0; c < l->tree->class_count; c++)
    distribution[c] = 0.0;
  for (size_t i = range.first; i < range.end; i++)
    distribution[l->cases->labels[l->items[i]]] += c45_weight(l, l->items[i]);
}

void tutti_c45_set_cases(c45_learner *l, int index, int favoured)
{
  tutti_node *node = &l->tree->nodes[index];
  const double *distribution = c45_distribution(l, index);
  int best = favoured >= 0 ? favoured : 0;
  node->cases = 0.0;
  for (int c = 0; c < l->tree->class_count; c++) {
    node->cases += distribution[c];
    if (distribution[c] > distribution[best] + C45_SLACK)
      best = c;
  }
  node->label = best;
  node->errors = fmax(node->cases - distribution[best], 0.0);
}

/* Node @p from of the learner's tree, with its distribution, to the end of @p tree, which has the room. */
static void move_node(c45_learner *l, int from, tutti_classifier *tree)
{
  int to = tree->node_count++;
  size_t classes = (size_t)tree->class_count;
  tree->nodes[to] = l->tree->nodes[from];
  l->tree->nodes[from].branch_of = NULL;
  for (size_t c = 0; c < classes; c++)
    tree->distributions[(size_t)to * classes + c] = c45_distribution(l, from)[c];
}

/* Level by level: what has been moved is the queue of what is still to be visited. */
bool tutti_c45_compact(c45_learner *l)
{
  tutti_classifier *old = l->tree, new = *old;
  size_t room = (size_t)old->node_count;
  new.node_count = 0;
  new.nodes = calloc(room, sizeof *new.nodes);
  new.distributions = calloc(room * (size_t)old->class_count, sizeof *new.distributions);
  if (!new.nodes || !new.distributions) {
    free(new.nodes);
    free(new.distributions);
    return false;
  }
  move_node(l, 0, &new);
  for (int i = 0; i < new.node_count; i++) {
    int first = new.nodes[i].first;
    new.nodes[i].first = new.nodes[i].branch_count > 0 ? new.node_count : 0;
    for (int b = 0; b < new.nodes[i].branch_count; b++)
      move_node(l, first + b, &new);
  }
  tutti_c45_drop_nodes(l, 0);
  free(old->nodes);
  free(old->distributions);
  *old = new;
  l->node_room = (int)room;
  return true;
}
