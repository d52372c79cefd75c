/* Quadtrees and octrees as a learner: a quadtree is made of the maps and becomes a classifier (Pjesivac-Grbovic 2007,
 * section 5.3.3). */
#include "decision/learners/quadtree/quadtree.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "decision/cases/cases.h"
#include "decision/learners/learn.h"

/* ---- summaries of subtrees ---- */

/* Where an axis has fewer points than another, a region can be within one point: then a cut of it has questions on one
 * side only. */

/* Summary of a node: only the parts of it that some question reaches count. */
struct quadtree_summary {
  uint64_t from[TUTTI_AXES]; /* questions that come here are from that ... */
  uint64_t upto[TUTTI_AXES]; /* ... up to that */
  double cells;              /* of the map */
  double other;              /* number of these with another label than their leaf */
  int label;                 /* that of the child with most cells */
  int uniform;               /* the label of all leaves; -1: they differ */
};

/* Children of a node, by their number in its block. */
struct quadtree_choice {
  int count;
  unsigned children[8];
};

static void bound_child(const struct quadtree_node *node, const struct quadtree_summary *parent, unsigned child,
                        struct quadtree_summary *summary)
{
  for (int axis = 0; axis < TUTTI_AXES; axis++) {
    uint64_t cut = quadtree_cut(node, axis);
    summary->from[axis] = parent->from[axis];
    summary->upto[axis] = parent->upto[axis];
    if (child & 1u << axis)
      summary->from[axis] = cut + 1 > parent->from[axis] ? cut + 1 : parent->from[axis];
    else
      summary->upto[axis] = cut < parent->upto[axis] ? cut : parent->upto[axis];
  }
}

static void bound_children(const tutti_quadtree *tree, uint32_t index, struct quadtree_summary *summaries)
{
  const struct quadtree_node *node = &tree->nodes[index];
  for (unsigned child = 0; child < (unsigned)tree->fan && !quadtree_is_leaf(node); child++)
    bound_child(node, &summaries[index], child, &summaries[node->next + child]);
}

static bool is_reached(const struct quadtree_summary *summary)
{
  for (int axis = 0; axis < TUTTI_AXES; axis++)
    if (summary->from[axis] > summary->upto[axis])
      return false;
  return true;
}

/* The children of an inner node that questions reach, on the side @p outcome of the axes @p fixed. */
static struct quadtree_choice choose_children(const tutti_quadtree *tree, const struct quadtree_summary *summaries,
                                              uint32_t node, unsigned fixed, unsigned outcome)
{
  struct quadtree_choice choice = {0};
  for (unsigned child = 0; child < (unsigned)tree->fan; child++)
    if (quadtree_has_child(tree, child) && (child & fixed) == outcome &&
        is_reached(&summaries[tree->nodes[node].next + child]))
      choice.children[choice.count++] = child;
  return choice;
}

/* Cells and labels of some children of an inner node together. */
static struct quadtree_summary sum_up(const tutti_quadtree *tree, const struct quadtree_summary *summaries,
                                      uint32_t node, const struct quadtree_choice *choice)
{
  const struct quadtree_summary *block = &summaries[tree->nodes[node].next];
  struct quadtree_summary sum = summaries[node];
  sum.cells = sum.other = 0;
  sum.uniform = block[choice->children[0]].uniform;
  double most = -1;
  for (int i = 0; i < choice->count; i++) {
    const struct quadtree_summary *child = &block[choice->children[i]];
    sum.cells += child->cells;
    sum.other += child->other;
    sum.uniform = child->uniform == sum.uniform ? sum.uniform : -1;
    if (child->cells > most) {
      most = child->cells;
      sum.label = child->label;
    }
  }
  return sum;
}

static void sum_up_leaf(const tutti_quadtree *tree, uint32_t index, double cells, struct quadtree_summary *summary)
{
  summary->cells = cells;
  summary->other = (double)tree->nodes[index].cuts;
  summary->label = summary->uniform = quadtree_leaf_label(&tree->nodes[index]);
}

/* Cells of each node come down, sums go up: children are stored after their parents. */
static void sum_up_all(const tutti_quadtree *tree, struct quadtree_summary *summaries)
{
  int axes = __builtin_popcount(tree->tested);
  summaries[0].cells = ldexp(1, axes * tree->levels);
  for (uint32_t i = 0; i < tree->count; i++)
    for (int child = 0; child < tree->fan && !quadtree_is_leaf(&tree->nodes[i]); child++)
      summaries[tree->nodes[i].next + (uint32_t)child].cells = ldexp(summaries[i].cells, -axes);
  for (uint32_t i = tree->count; i-- > 0;) {
    if (quadtree_is_leaf(&tree->nodes[i])) {
      sum_up_leaf(tree, i, summaries[i].cells, &summaries[i]);
      continue;
    }
    struct quadtree_choice choice = choose_children(tree, summaries, i, 0, 0);
    if (choice.count > 0)
      summaries[i] = sum_up(tree, summaries, i, &choice);
  }
}

/* [count of nodes], to be freed. */
static struct quadtree_summary *make_summaries(const tutti_quadtree *tree)
{
  struct quadtree_summary *summaries = tutti_xcalloc(tree->count, sizeof *summaries);
  summaries[0].upto[TUTTI_AXIS_RANKS] = QUADTREE_MAX_RANKS;
  summaries[0].upto[TUTTI_AXIS_BYTES] = QUADTREE_MAX_BYTES;
  summaries[0].upto[TUTTI_AXIS_RANKS_PER_NODE] = QUADTREE_MAX_NODES;
  for (uint32_t i = 0; i < tree->count; i++)
    bound_children(tree, i, summaries);
  sum_up_all(tree, summaries);
  return summaries;
}

/* ---- a quadtree as a classifier ---- */

/* A node that tests two or three axes at once
 * becomes tests of one axis each; the axis that leaves fewer different children on its two sides is tested first,
 * siblings that answer the same become one leaf, and halves that no question reaches are left out. */

/* Children of a node of the quadtree that are still to be separated, and the node of the classifier for them. */
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
};

static void add_task(struct conversion *conversion, struct task task)
{
  tutti_classifier *classifier = conversion->classifier;
  const size_t count = (size_t)classifier->node_count;
  conversion->tasks = tutti_xroom(conversion->tasks, count, sizeof *conversion->tasks);
  classifier->nodes = tutti_xroom(classifier->nodes, count, sizeof *classifier->nodes);
  task.place = classifier->node_count++;
  conversion->tasks[task.place] = task;
}

/* The axes on which the children differ: at least one child on each side. */
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
      choose_children(conversion->tree, conversion->summaries, task->node, task->fixed | bit, task->outcome);
  struct quadtree_choice high =
      choose_children(conversion->tree, conversion->summaries, task->node, task->fixed | bit, task->outcome | bit);
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

/* One child of a node is left: continue with it. */
static struct task descend(const struct conversion *conversion, struct task task, const struct quadtree_choice *choice)
{
  return (struct task){.node = conversion->tree->nodes[task.node].next + choice->children[0], .place = task.place};
}

static void test_axis(struct conversion *conversion, const struct task *task, int axis)
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
  add_task(conversion, low);
  add_task(conversion, high);
}

/* Make the classifier's node of a task. */
static void convert(struct conversion *conversion, struct task task)
{
  struct quadtree_choice choice = {0};
  struct quadtree_summary summary = conversion->summaries[task.node];
  unsigned open = 0;
  while (!quadtree_is_leaf(&conversion->tree->nodes[task.node])) {
    choice = choose_children(conversion->tree, conversion->summaries, task.node, task.fixed, task.outcome);
    summary = sum_up(conversion->tree, conversion->summaries, task.node, &choice);
    open = open_axes(&choice);
    if (summary.uniform >= 0 || open)
      break;
    task = descend(conversion, task, &choice);
    summary = conversion->summaries[task.node];
  }
  conversion->classifier->nodes[task.place] =
      (tutti_node){.attribute = -1, .label = summary.label, .cases = summary.cells, .errors = summary.other};
  if (summary.uniform < 0)
    test_axis(conversion, &task, best_axis(conversion, &task, open));
}

/* Attributes are the axes; a label is a class. */
tutti_status tutti_quadtree_classifier(const tutti_quadtree *tree, const char *const *classes, int class_count,
                                       tutti_classifier *classifier, tutti_error *error)
{
  static const char *const axes[] = {"ranks", "bytes", "ranks_per_node"};
  struct conversion conversion = {.tree = tree, .classifier = classifier};
  *classifier = (tutti_classifier){0};
  if (class_count < tree->label_count)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "a quadtree of %d labels needs as many names, not %d",
                      tree->label_count, class_count);
  tutti_classifier_create_named(axes, tree->fan == 8 ? 3 : 2, classes, class_count, classifier);
  conversion.summaries = make_summaries(tree);
  add_task(&conversion, (struct task){0});
  for (int i = 0; i < classifier->node_count; i++)
    convert(&conversion, conversion.tasks[i]);
  free(conversion.summaries);
  free(conversion.tasks);
  return TUTTI_OK;
}

/* ---- the learner ---- */

static void report_shape(const tutti_classifier_shape *shape, tutti_learn_report *report)
{
  const tutti_learner_figure figures[] = {
      {.key = "quadtree_leaves", .heading = "quadtree leaves", .value = shape->leaves},
      {.key = "quadtree_nodes", .heading = "quadtree nodes", .value = shape->nodes},
      {.key = "min_depth", .heading = "min depth", .value = shape->min_depth},
      {.key = "max_depth", .heading = "max depth", .value = shape->max_depth},
      {.key = "mean_depth", .heading = "mean depth", .value = shape->mean_depth, .decimals = 2},
      {.key = "expected_depth", .heading = "expected depth", .value = shape->expected_depth, .decimals = 2},
      {.key = "memory_B", .heading = "memory", .unit = "B", .value = (double)shape->bytes},
  };
  report->shape = *shape;
  report->figure_count = sizeof figures / sizeof *figures;
  for (int i = 0; i < report->figure_count; i++)
    report->figures[i] = figures[i];
}

static tutti_status encode(const tutti_label_map *labels, const tutti_quadtree_limits *limits,
                           const struct class_list *list, tutti_classifier *classifier, tutti_learn_report *report,
                           tutti_error *error)
{
  tutti_quadtree *quadtree;
  tutti_status status = tutti_quadtree_create(labels, limits, &quadtree, error);
  if (status != TUTTI_OK)
    return status;
  const tutti_classifier_shape shape = tutti_quadtree_measure(quadtree);
  report_shape(&shape, report);
  status = tutti_quadtree_classifier(quadtree, (const char *const *)list->names, list->count, classifier, error);
  tutti_quadtree_free(quadtree);
  return status;
}

/* All methods of a map as classes: labels are their indices. A label is the best method of a point, and so never
   native; but natives have a label. */
static struct class_list list_methods(const tutti_decision_map *map)
{
  char text[TUTTI_METHOD_LENGTH];
  struct class_list list = {0};
  for (int m = 0; m < map->method_count; m++)
    tutti_names_append(&list.names, &list.count, tutti_method_class(&map->methods[m], text));
  return list;
}

static tutti_status learn(const tutti_learner_input *input, const void *settings, tutti_classifier *classifier,
                          tutti_learn_report *report, tutti_error *error)
{
  tutti_label_map labels;
  tutti_status status = tutti_label_map_create(input->maps, input->map_count, &labels, error);
  if (status != TUTTI_OK)
    return status;
  struct class_list list = list_methods(input->maps);
  status = encode(&labels, settings, &list, classifier, report, error);
  tutti_names_free(list.names, list.count);
  tutti_label_map_free(&labels);
  return status;
}

static const tutti_quadtree_limits defaults = {.depth = -1, .accuracy = 1};

static const tutti_learner_option options[] = {
    {.name = "depth",
     .argument = "N",
     .help = "at most N levels of tests",
     .kind = TUTTI_OPTION_NUMBER,
     TUTTI_SETTING(tutti_quadtree_limits, depth),
     .max = 30,
     .otherwise = "as many as it takes",
     .in_name = TUTTI_MENTION_CHANGED,
     .in_usage = TUTTI_MENTION_CHANGED},
    {.name = "accuracy",
     .argument = "PERCENT",
     .help = "stop where this share of the points has the same method",
     .kind = TUTTI_OPTION_REAL,
     TUTTI_SETTING(tutti_quadtree_limits, accuracy),
     .low = 1,
     .high = 100,
     .scale = 0.01,
     .in_name = TUTTI_MENTION_CHANGED,
     .in_usage = TUTTI_MENTION_ALWAYS},
    {.name = NULL},
};

const tutti_learner tutti_learner_quadtree = {
    .name = "quadtree",
    .help = "a quadtree: the best method of every point",
    .from = TUTTI_FROM_MAPS,
    .settings_size = sizeof defaults,
    .defaults = &defaults,
    .options = options,
    .learn = learn,
};
