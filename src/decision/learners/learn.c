/* The table of learners; learning a decision tree from decision maps by one of them. */
#include "decision/learners/learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "decision/cases/cases.h"
#include "decision/trees/trees.h"
#include "tutti/learn.h"

/* ---- learners from cases ---- */

static tutti_status learn_from_cases(const tutti_learner *learner, const void *settings,
                                     const tutti_learn_options *options, const tutti_decision_map *maps, int map_count,
                                     tutti_decision_tree *tree, tutti_learn_report *report, tutti_error *error)
{
  tutti_cases cases;
  double *costs = NULL;
  tutti_classifier learnt = {0};
  tutti_status status = tutti_learn_cases(maps, map_count, options, tree, &cases,
                                          learner->from == TUTTI_FROM_COSTS ? &costs : NULL, error);
  if (status != TUTTI_OK)
    return status;
  const tutti_learner_input input = {
      .maps = maps, .map_count = map_count, .cases = &cases, .costs = costs, .seed = options->seed};
  status = learner->learn(&input, settings, &learnt, report, error);
  if (status == TUTTI_OK) {
    /* The learner made copies of the attributes, which have the same order as the expressions. */
    tutti_classifier_free(&tree->classifier);
    tree->classifier = learnt;
    tutti_learn_split_leaves(&cases, tree);
  }
  tutti_cases_free(&cases);
  free(costs);
  return status;
}

/* ---- learners from maps ---- */

/* These learners name their attributes themselves: their expressions are added here. */
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

static tutti_status check_maps(const tutti_learner *learner, const tutti_learn_options *options,
                               const tutti_decision_map *maps, int map_count, tutti_error *error)
{
  char others[120];
  bool several = learner->from == TUTTI_FROM_MAP && map_count > 1;
  for (int i = 1; i < map_count; i++)
    several = several || maps[i].collective != maps[0].collective;
  if (map_count < 1 || several || options->attribute_count > 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "the learner %s takes one collective, over ranks and bytes: %s take several and other attributes",
                      learner->name, tutti_learner_list(TUTTI_FROM_CASES, TUTTI_FROM_COSTS, others, sizeof others));
  return TUTTI_OK;
}

static tutti_status learn_from_maps(const tutti_learner *learner, const void *settings,
                                    const tutti_learn_options *options, const tutti_decision_map *maps, int map_count,
                                    tutti_decision_tree *tree, tutti_learn_report *report, tutti_error *error)
{
  const tutti_learner_input input = {.maps = maps, .map_count = map_count, .seed = options->seed};
  *tree = (tutti_decision_tree){.expressions = NULL};
  tutti_status status = check_maps(learner, options, maps, map_count, error);
  if (status != TUTTI_OK)
    return status;
  tree->answers[maps[0].collective] = true;
  status = learner->learn(&input, settings, &tree->classifier, report, error);
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
  double values[TUTTI_MAX_ATTRIBUTES];
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

static void report_on(const tutti_decision_map *maps, int map_count, const tutti_decision_tree *tree,
                      tutti_learn_report *report)
{
  struct class_list list = tutti_learn_classes(maps, map_count, false);
  report->classes = list.count;
  tutti_names_free(list.names, list.count);
  count_errors(maps, map_count, tree, report);
  report->leaves = tutti_classifier_leaves(&tree->classifier);
  report->depth = tutti_classifier_depth(&tree->classifier);
  if (report->shape.leaves == 0)
    report->shape = tutti_classifier_measure(&tree->classifier);
}

tutti_status tutti_learn(const tutti_learner *learner, const void *settings, const tutti_learn_options *options,
                         const tutti_decision_map *maps, int map_count, tutti_decision_tree *tree,
                         tutti_learn_report *report, tutti_error *error)
{
  tutti_learn_report own;
  bool by_cases = learner->from <= TUTTI_FROM_COSTS;
  settings = settings ? settings : learner->defaults;
  report = report ? report : &own;
  *report = (tutti_learn_report){0};
  tutti_status status =
      (by_cases ? learn_from_cases : learn_from_maps)(learner, settings, options, maps, map_count, tree, report, error);
  if (status == TUTTI_OK)
    report_on(maps, map_count, tree, report);
  else
    tutti_decision_tree_free(tree);
  return status;
}

/* ---- the table of learners ---- */

#define LEARNER(name) extern const tutti_learner tutti_learner_##name;
#include "decision/learners/learners.def"
#undef LEARNER

#define LEARNER(name) &tutti_learner_##name,
static const tutti_learner *const learners[] = {
#include "decision/learners/learners.def"
};
#undef LEARNER

enum { COUNT = sizeof learners / sizeof *learners };

int tutti_learner_count(void)
{
  return COUNT;
}

const tutti_learner *tutti_learner_at(int index)
{
  return index >= 0 && index < COUNT ? learners[index] : NULL;
}

const tutti_learner *tutti_learner_find(const char *name, tutti_error *error)
{
  const char *names[COUNT];
  int found = 0;
  for (int i = 0; i < COUNT; i++)
    names[i] = learners[i]->name;
  return tutti_word_parse(names, COUNT, "learner", name, &found, error) == TUTTI_OK ? learners[found] : NULL;
}

const tutti_learner_option *tutti_learner_option_find(const tutti_learner *learner, const char *name)
{
  for (const tutti_learner_option *option = learner->options; option && option->name; option++)
    if (strcmp(option->name, name) == 0)
      return option;
  return NULL;
}

static void append(char *text, size_t size, const char *piece)
{
  size_t length = strlen(text);
  snprintf(text + length, size - length, "%s", piece);
}

char *tutti_learner_list(tutti_learns_from first, tutti_learns_from last, char *text, size_t size)
{
  const char *previous = NULL;
  *text = '\0';
  for (int i = 0; i < COUNT; i++) {
    if (learners[i]->from < first || learners[i]->from > last)
      continue;
    if (previous)
      append(text, size, *text ? ", " : "");
    append(text, size, previous ? previous : "");
    previous = learners[i]->name;
  }
  append(text, size, *text && previous ? " and " : "");
  append(text, size, previous ? previous : "");
  return text;
}

/* ---- settings as text ---- */

static double number_of(const tutti_learner_option *option, const void *member)
{
  if (option->width == sizeof(int))
    return *(const int *)member;
  return (double)*(const uint64_t *)member;
}

/* The value of an option as it would be given; empty of a flag. */
static void format_value(const tutti_learner_option *option, const void *settings, char *text, size_t size)
{
  const void *member = (const char *)settings + option->offset;
  *text = '\0';
  if (option->kind == TUTTI_OPTION_NUMBER)
    snprintf(text, size, "%.0f", number_of(option, member));
  else if (option->kind == TUTTI_OPTION_REAL)
    snprintf(text, size, "%g", *(const double *)member / (option->scale > 0 ? option->scale : 1));
  else if (option->kind == TUTTI_OPTION_WORD)
    snprintf(text, size, "%s", option->words[*(const int *)member]);
}

static bool is_mentioned(const tutti_learner *learner, const tutti_learner_option *option,
                         tutti_learner_mention mention, const void *settings)
{
  const char *now = (const char *)settings + option->offset, *before = (const char *)learner->defaults + option->offset;
  return mention == TUTTI_MENTION_ALWAYS ||
         (mention == TUTTI_MENTION_CHANGED && memcmp(now, before, option->width) != 0);
}

char *tutti_learner_format_name(const tutti_learner *learner, const void *settings, char *text, size_t size)
{
  char value[32], piece[80];
  snprintf(text, size, "%s", learner->name);
  for (const tutti_learner_option *option = learner->options; option && option->name; option++) {
    if (!is_mentioned(learner, option, option->in_name, settings))
      continue;
    format_value(option, settings, value, sizeof value);
    const char letter[] = {option->letter, '\0'};
    snprintf(piece, sizeof piece, "/%s%s%s", *letter ? letter : option->name, *value ? "=" : "", value);
    append(text, size, piece);
  }
  return text;
}

char *tutti_learner_format_usage(const tutti_learner *learner, const void *settings, char *text, size_t size)
{
  char value[32], piece[80];
  *text = '\0';
  for (const tutti_learner_option *option = learner->options; option && option->name; option++) {
    if (!is_mentioned(learner, option, option->in_usage, settings))
      continue;
    format_value(option, settings, value, sizeof value);
    const char letter[] = {option->letter, '\0'};
    snprintf(piece, sizeof piece, "%s%s%s%s%s", *text ? " " : "", *letter ? "-" : "--", *letter ? letter : option->name,
             *value ? " " : "", value);
    append(text, size, piece);
  }
  return text;
}
