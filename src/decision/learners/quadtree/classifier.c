/* A quadtree as a classifier (Pjesivac-Grbovic 2007, section 5.3.3). A node that tests two or three axes at once
 * becomes tests of one axis each; the axis that leaves fewer different children on its two sides is tested first,
 * siblings that answer the same become one leaf, and halves that no question reaches are left out. */
#include <stdlib.h>

#include "decision/learners/quadtree/quadtree.h"

/* Children of a node of the quadtree that are still to be told apart, and the node of the classifier for them. */
struct task {
  uint32_t node;
  unsigned fixed, outcome; /* axes tested already, and how */
  int place;
};

struct conversion {
  const tutti_quadtree *tree;
  struct quadtree_summary *summaries;
  tutti_classifier *classifier;
  struct task *tasks; /* one for each node of the classifier, in its order */
  int capacity;
};

static bool add_task(struct conversion *conversion, struct task task)
{
  tutti_classifier *classifier = conversion->classifier;
  if (classifier->node_count == conversion->capacity) {
    int capacity = conversion->capacity ? 2 * conversion->capacity : 64;
    struct task *tasks = reallocarray(conversion->tasks, (size_t)capacity, sizeof *tasks);
    conversion->tasks = tasks ? tasks : conversion->tasks;
    tutti_node *nodes = reallocarray(classifier->nodes, (size_t)capacity, sizeof *nodes);
    classifier->nodes = nodes ? nodes : classifier->nodes;
    if (!tasks || !nodes)
      return false;
    conversion->capacity = capacity;
  }
  task.place = classifier->node_count++;
  conversion->tasks[task.place] = task;
  return true;
}

/* The axes on which the children differ: a child on each side at least. */
static unsigned open_axes(const struct quadtree_choice *choice)
{
  unsigned all = ~0u, any = 0;
  for (int i = 0; i < choice->count; i++) {
    all &= choice->children[i];
    any |= choice->children[i];
  }
  return any & ~all;
}

/* Number of different children: those of one label are the same. */
static int count_different(const struct conversion *conversion, uint32_t first, const struct quadtree_choice *choice)
{
  int different = 0;
  for (int i = 0; i < choice->count; i++) {
    int label = conversion->summaries[first + choice->children[i]].uniform;
    bool seen = false;
    for (int j = 0; j < i && label >= 0; j++)
      seen |= conversion->summaries[first + choice->children[j]].uniform == label;
    different += !seen;
  }
  return different;
}

static int cost_of(const struct conversion *conversion, const struct task *task, int axis)
{
  unsigned bit = 1u << axis;
  uint32_t first = conversion->tree->nodes[task->node].next;
  struct quadtree_choice low =
      tutti_quadtree_choose(conversion->tree, conversion->summaries, task->node, task->fixed | bit, task->outcome);
  struct quadtree_choice high = tutti_quadtree_choose(conversion->tree, conversion->summaries, task->node,
                                                      task->fixed | bit, task->outcome | bit);
  return count_different(conversion, first, &low) + count_different(conversion, first, &high);
}

static int best_axis(const struct conversion *conversion, const struct task *task, unsigned open)
{
  int best = -1, least = 0;
  for (int axis = 0; axis < TUTTI_AXES; axis++) {
    if (!(open & 1u << axis))
      continue;
    int cost = cost_of(conversion, task, axis);
    if (best < 0 || cost < least) {
      best = axis;
      least = cost;
    }
  }
  return best;
}

/* One child of a node is left: go on there. */
static struct task descend(const struct conversion *conversion, struct task task, const struct quadtree_choice *choice)
{
  return (struct task){.node = conversion->tree->nodes[task.node].next + choice->children[0], .place = task.place};
}

static bool test_axis(struct conversion *conversion, const struct task *task, int axis)
{
  tutti_classifier *classifier = conversion->classifier;
  unsigned bit = 1u << axis;
  struct task low = {.node = task->node, .fixed = task->fixed | bit, .outcome = task->outcome}, high = low;
  high.outcome |= bit;
  tutti_node *node = &classifier->nodes[task->place];
  node->attribute = axis;
  node->threshold = (double)quadtree_cut(&conversion->tree->nodes[task->node], axis);
  node->first = classifier->node_count;
  node->branch_count = 2;
  node->errors = 0;
  return add_task(conversion, low) && add_task(conversion, high);
}

/* Make the classifier's node of a task. */
static bool convert(struct conversion *conversion, struct task task)
{
  struct quadtree_choice choice = {0};
  struct quadtree_summary summary = conversion->summaries[task.node];
  unsigned open = 0;
  while (!quadtree_is_leaf(&conversion->tree->nodes[task.node])) {
    choice = tutti_quadtree_choose(conversion->tree, conversion->summaries, task.node, task.fixed, task.outcome);
    summary = tutti_quadtree_sum_up(conversion->tree, conversion->summaries, task.node, &choice);
    open = open_axes(&choice);
    if (summary.uniform >= 0 || open)
      break;
    task = descend(conversion, task, &choice);
    summary = conversion->summaries[task.node];
  }
  conversion->classifier->nodes[task.place] =
      (tutti_node){.attribute = -1, .label = summary.label, .cases = summary.cells, .errors = summary.other};
  return summary.uniform >= 0 || test_axis(conversion, &task, best_axis(conversion, &task, open));
}

static bool convert_all(struct conversion *conversion)
{
  if (!add_task(conversion, (struct task){0}))
    return false;
  for (int i = 0; i < conversion->classifier->node_count; i++)
    if (!convert(conversion, conversion->tasks[i]))
      return false;
  return true;
}

/* Attributes are the axes; a label is a class. */
static tutti_status create_classifier(const tutti_quadtree *tree, const char *const *classes, int class_count,
                                      tutti_classifier *classifier, tutti_error *error)
{
  tutti_attribute attributes[TUTTI_AXES] = {
      {.name = (char *)"ranks"}, {.name = (char *)"bytes"}, {.name = (char *)"ranks_per_node"}};
  const tutti_cases names = {.attribute_count = tree->fan == 8 ? 3 : 2,
                             .attributes = attributes,
                             .class_count = class_count,
                             .classes = (char **)classes};
  return tutti_classifier_create(&names, classifier, error);
}

tutti_status tutti_quadtree_classifier(const tutti_quadtree *tree, const char *const *classes, int class_count,
                                       tutti_classifier *classifier, tutti_error *error)
{
  struct conversion conversion = {.tree = tree, .classifier = classifier};
  *classifier = (tutti_classifier){0};
  if (class_count < tree->label_count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a quadtree of %d labels needs as many names, not %d",
                      tree->label_count, class_count);
  tutti_status status = create_classifier(tree, classes, class_count, classifier, error);
  if (status != TUTTI_OK)
    return status;
  conversion.summaries = tutti_quadtree_summaries(tree);
  bool done = conversion.summaries && convert_all(&conversion);
  free(conversion.summaries);
  free(conversion.tasks);
  if (done)
    return TUTTI_OK;
  tutti_classifier_free(classifier);
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the classifier of a quadtree");
}
