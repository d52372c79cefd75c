/* Learning a decision tree from decision maps. */
#include "decision/learners/learn.h"

#include <stdlib.h>
#include <string.h>

#include "decision/trees/decision_file.h"

static const char *const names[] = {
    [TUTTI_LEARN_C45] = "c45",
    [TUTTI_LEARN_QUADTREE] = "quadtree",
    [TUTTI_LEARN_PENALTY] = "penalty",
    [TUTTI_LEARN_OPTIMAL] = "optimal",
};

const char *tutti_learner_name(tutti_learner learner)
{
  return learner >= 0 && learner < TUTTI_LEARNER_COUNT ? names[learner] : NULL;
}

tutti_status tutti_learner_parse(const char *name, tutti_learner *learner, tutti_error *error)
{
  for (int i = 0; i < TUTTI_LEARNER_COUNT; i++)
    if (strcmp(names[i], name) == 0) {
      *learner = (tutti_learner)i;
      return TUTTI_OK;
    }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "'%.80s' is none of the learners c45, quadtree, penalty, optimal", name);
}

tutti_learn_options tutti_learn_defaults(void)
{
  return (tutti_learn_options){
      .c45 = tutti_c45_defaults(), .quadtree = {.depth = -1, .accuracy = 1}, .penalty = tutti_penalty_tree_defaults()};
}

static tutti_status learn_from_cases(const tutti_decision_map *maps, int map_count, const tutti_learn_options *options,
                                     tutti_decision_tree *tree, tutti_learn_report *report, tutti_error *error)
{
  tutti_cases cases;
  double *costs = NULL;
  bool by_penalty = options->learner == TUTTI_LEARN_PENALTY;
  tutti_classifier learnt = {0};
  tutti_status status = tutti_learn_cases(maps, map_count, options->attributes, options->attribute_count, tree, &cases,
                                          by_penalty ? &costs : NULL, error);
  if (status != TUTTI_OK)
    return status;
  status = by_penalty ? tutti_penalty_tree_learn(&cases, costs, &options->penalty, &learnt, NULL, error)
                      : tutti_c45_learn(&cases, &options->c45, &learnt, &report->c45, error);
  if (status == TUTTI_OK) {
    /* The learner made copies of the attributes, which have the same order as the expressions. */
    int attribute_count = tree->classifier.attribute_count;
    tutti_classifier_free(&tree->classifier);
    tree->classifier = learnt;
    tree->classifier.attribute_count = attribute_count;
    status = tutti_learn_legalise(&cases, tree, error);
  }
  tutti_cases_free(&cases);
  free(costs);
  return status;
}

/* The grid learners name their attributes themselves: the expressions follow. */
static tutti_status add_expressions(tutti_decision_tree *tree, tutti_error *error)
{
  tutti_classifier learnt = tree->classifier;
  tutti_status status = TUTTI_OK;
  tree->classifier = (tutti_classifier){0};
  for (int a = 0; a < learnt.attribute_count && status == TUTTI_OK; a++)
    status = tutti_decision_tree_add_attribute(tree, learnt.attributes[a].name, error);
  if (status != TUTTI_OK) {
    tutti_classifier_free(&learnt);
    return status;
  }
  tutti_classifier named = tree->classifier;
  tree->classifier = learnt;
  tutti_classifier_free(&named);
  return TUTTI_OK;
}

static tutti_status check_grid(const tutti_decision_map *maps, int map_count, const tutti_learn_options *options,
                               tutti_error *error)
{
  bool several = options->learner == TUTTI_LEARN_OPTIMAL && map_count > 1;
  for (int i = 1; i < map_count; i++)
    several = several || maps[i].collective != maps[0].collective;
  if (map_count < 1 || several || options->attribute_count > 0)
    return tutti_fail(
        error, TUTTI_ERR_ARGUMENT,
        "the learner %s takes one collective, over ranks and bytes: c45 and penalty take several and other "
        "attributes",
        names[options->learner]);
  return TUTTI_OK;
}

static tutti_status learn_from_grid(const tutti_decision_map *maps, int map_count, const tutti_learn_options *options,
                                    tutti_decision_tree *tree, tutti_learn_report *report, tutti_error *error)
{
  *tree = (tutti_decision_tree){.expressions = NULL};
  tutti_status status = check_grid(maps, map_count, options, error);
  if (status != TUTTI_OK)
    return status;
  tree->answers[maps[0].collective] = true;
  status = options->learner == TUTTI_LEARN_QUADTREE
               ? tutti_learn_quadtree(maps, map_count, &options->quadtree, tree, &report->quadtree, error)
               : tutti_learn_optimal(maps, &options->optimal, tree, error);
  if (status == TUTTI_OK)
    status = add_expressions(tree, error);
  if (status == TUTTI_OK)
    tutti_learn_recount(maps, map_count, tree);
  return status;
}

/* ---- the report ---- */

static void count_errors(const tutti_decision_map *maps, int map_count, const tutti_decision_tree *tree,
                         tutti_learn_report *report)
{
  double values[TUTTI_MOST_ATTRIBUTES];
  char text[TUTTI_METHOD_LENGTH];
  for (struct point point = {.map = NULL}; tutti_learn_next_point(maps, map_count, &point);) {
    const tutti_decision_map *map = point.map;
    const tutti_question question = tutti_decision_map_question(map, point.ranks_index, point.size_index);
    tutti_decision_tree_values(tree, &question, values);
    const char *picked = tree->classifier.classes[tutti_classifier_classify(&tree->classifier, values)];
    report->cases++;
    report->errors += strcmp(picked, tutti_method_class(&map->methods[tutti_learn_best_at(&point)], text)) != 0;
  }
}

static tutti_status report_on(const tutti_decision_map *maps, int map_count, const tutti_decision_tree *tree,
                              tutti_learn_report *report, tutti_error *error)
{
  struct class_list list;
  tutti_status status = tutti_learn_classes(maps, map_count, false, &list, error);
  if (status != TUTTI_OK)
    return status;
  report->classes = list.count;
  tutti_class_list_free(&list);
  report->leaves = tutti_classifier_leaves(&tree->classifier);
  report->depth = tutti_classifier_depth(&tree->classifier);
  count_errors(maps, map_count, tree, report);
  return TUTTI_OK;
}

tutti_status tutti_learn(const tutti_decision_map *maps, int map_count, const tutti_learn_options *options,
                         tutti_decision_tree *tree, tutti_learn_report *report, tutti_error *error)
{
  tutti_learn_report own;
  bool by_cases = options->learner == TUTTI_LEARN_C45 || options->learner == TUTTI_LEARN_PENALTY;
  report = report ? report : &own;
  *report = (tutti_learn_report){0};
  tutti_status status = by_cases ? learn_from_cases(maps, map_count, options, tree, report, error)
                                 : learn_from_grid(maps, map_count, options, tree, report, error);
  if (status == TUTTI_OK)
    status = report_on(maps, map_count, tree, report, error);
  if (status != TUTTI_OK)
    tutti_decision_tree_free(tree);
  return status;
}
