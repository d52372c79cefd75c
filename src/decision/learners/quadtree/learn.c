/* Quadtrees and octrees as a learner: labels are the methods of the maps, classes come in their order. */
#include "decision/learners/learn.h"
#include "decision/cases/names.h"
#include "tutti/learners.h"

static void report_shape(const tutti_classifier_shape *shape, tutti_learn_report *report)
{
  const tutti_learner_figure figures[] = {
      {.key = "quadtree_leaves", .heading = "quadtree leaves", .value = shape->leaves},
      {.key = "quadtree_nodes", .heading = "quadtree nodes", .value = shape->nodes},
      {.key = "min_depth", .heading = "min depth", .value = shape->least_depth},
      {.key = "max_depth", .heading = "max depth", .value = shape->most_depth},
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

static tutti_status learn(const tutti_learner_input *input, const void *settings, tutti_classifier *classifier,
                          tutti_learn_report *report, tutti_error *error)
{
  struct class_list list;
  tutti_label_map labels;
  tutti_status status = tutti_label_map_create(input->maps, input->map_count, &labels, error);
  if (status != TUTTI_OK)
    return status;
  status = tutti_learn_classes(input->maps, 1, true, &list, error);
  if (status == TUTTI_OK) {
    status = encode(&labels, settings, &list, classifier, report, error);
    tutti_names_free(list.names, list.count);
  }
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
