/* Decision trees: their attributes, which are names and expressions, and the decision functions made of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/cases/cases.h"
#include "decision/trees/trees.h"
#include "tutti/decision_tree.h"

/* ---- attributes ---- */

static void set_values(const tutti_decision_tree *tree, tutti_expression_kind kind, tutti_attribute *attribute)
{
  if (kind == TUTTI_EXPRESSION_BOOLEAN) {
    tutti_names_append(&attribute->values, &attribute->value_count, "no");
    tutti_names_append(&attribute->values, &attribute->value_count, "yes");
  }
  for (int c = 0; kind == TUTTI_EXPRESSION_COLLECTIVE && c < TUTTI_COLL_COUNT; c++)
    if (tree->answers[c])
      tutti_names_append(&attribute->values, &attribute->value_count, tutti_collective_name((tutti_collective)c));
}

/* Takes over @p expression. */
static void append(tutti_decision_tree *tree, const char *name, size_t length, const char *definition,
                   tutti_expression *expression)
{
  size_t a = (size_t)tree->classifier.attribute_count++;
  tree->classifier.attributes = tutti_xroom(tree->classifier.attributes, a, sizeof *tree->classifier.attributes);
  tree->expressions = tutti_xroom(tree->expressions, a, sizeof(void *));
  tree->definitions = tutti_xroom(tree->definitions, a, sizeof *tree->definitions);
  tree->classifier.attributes[a] = (tutti_attribute){.name = tutti_xstrndup(name, length)};
  tree->expressions[a] = expression;
  tree->definitions[a] = tutti_xstrdup(definition);
  set_values(tree, tutti_expression_kind_of(expression), &tree->classifier.attributes[a]);
}

static tutti_status check_tree(const tutti_decision_tree *tree, const char *name, size_t length, tutti_error *error)
{
  if (length == 0 || strcspn(name, " \t<>=:{},|\"#\\") < length)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT,
                      "'%.*s' cannot be the name of an attribute: write NAME = EXPRESSION, the name without blanks and "
                      "< > = : { } , | \" # \\",
                      (int)length, name);
  if (tree->classifier.attribute_count == TUTTI_MAX_ATTRIBUTES)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "more than %d attributes", TUTTI_MAX_ATTRIBUTES);
  for (int a = 0; a < tree->classifier.attribute_count; a++)
    if (strlen(tree->classifier.attributes[a].name) == length &&
        strncmp(tree->classifier.attributes[a].name, name, length) == 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "there are two attributes %.*s", (int)length, name);
  return TUTTI_OK;
}

/* The end of the name: before " = ", or at the end of a text that is both. A comparison alone has no name. */
static size_t name_length(const char *text, const char **definition)
{
  size_t length = strcspn(text, " \t=");
  size_t next = length + strspn(text + length, " \t");
  *definition = text;
  if (text[next] == '=') {
    next++;
    *definition = text + next + strspn(text + next, " \t");
    return length;
  }
  return strlen(text);
}

/* A name that is a word must mean that word. */
static tutti_status check_words(const char *name, size_t length, const char *definition, tutti_error *error)
{
  static const char *const words[] = {"collective", "ranks", "bytes", "total", "ranks_per_node", "nodes"};
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    if (strlen(words[w]) == length && strncmp(words[w], name, length) == 0 && strcmp(definition, words[w]) != 0)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "an attribute called %s cannot be '%s'", words[w], definition);
  return TUTTI_OK;
}

tutti_status tutti_decision_tree_add_attribute(tutti_decision_tree *tree, const char *text, tutti_error *error)
{
  const char *definition;
  tutti_expression *expression;
  size_t length = name_length(text, &definition);
  tutti_status status = check_tree(tree, text, length, error);
  if (status == TUTTI_OK)
    status = check_words(text, length, definition, error);
  if (status == TUTTI_OK)
    status = tutti_expression_parse(definition, &expression, error);
  if (status == TUTTI_OK)
    append(tree, text, length, definition, expression);
  return status;
}

/* ---- classes and methods ---- */

bool tutti_class_method(tutti_collective collective, const char *class_name, tutti_method *method)
{
  char text[TUTTI_METHOD_LENGTH];
  tutti_error reason;
  int length = snprintf(text, sizeof text, "%s/%s", tutti_collective_name(collective), class_name);
  return length < (int)sizeof text && tutti_method_parse(text, method, &reason) == TUTTI_OK;
}

char *tutti_method_class(const tutti_method *method, char *text)
{
  size_t skipped = strlen(tutti_collective_name(method->algorithm->collective)) + 1;
  tutti_method_format(method, text);
  memmove(text, text + skipped, strlen(text + skipped) + 1);
  return text;
}

/* ---- one tree ---- */

void tutti_decision_tree_free(tutti_decision_tree *tree)
{
  for (int a = 0; tree->expressions && a < tree->classifier.attribute_count; a++) {
    free(tree->expressions[a]);
    free(tree->definitions[a]);
  }
  free(tree->expressions);
  free(tree->definitions);
  tutti_classifier_free(&tree->classifier);
  *tree = (tutti_decision_tree){.expressions = NULL};
}

void tutti_decision_trees_free(tutti_decision_trees *trees)
{
  for (int i = 0; i < trees->count; i++)
    tutti_decision_tree_free(&trees->items[i]);
  free(trees->items);
  *trees = (tutti_decision_trees){0};
}

/* Index of the collective among the values of an attribute. */
static double collective_value(const tutti_attribute *attribute, tutti_collective collective)
{
  for (int v = 0; v < attribute->value_count; v++)
    if (strcmp(attribute->values[v], tutti_collective_name(collective)) == 0)
      return v;
  return NAN;
}

void tutti_decision_tree_values(const tutti_decision_tree *tree, const tutti_question *question, double *values)
{
  for (int a = 0; a < tree->classifier.attribute_count; a++)
    if (tutti_expression_kind_of(tree->expressions[a]) == TUTTI_EXPRESSION_COLLECTIVE)
      values[a] = collective_value(&tree->classifier.attributes[a], question->collective);
    else
      values[a] = tutti_expression_value(tree->expressions[a], question);
}

/* ---- all trees of a decision ---- */

/* The meaning of a class for a collective, computed once. */
struct meaning {
  bool known;
  tutti_method method;
};

struct forest {
  tutti_decision_trees trees;
  int tree_of[TUTTI_COLL_COUNT];              /* -1: none */
  struct meaning *meanings[TUTTI_COLL_COUNT]; /* [class_count of its tree] */
};

static bool decide_by_trees(const tutti_decision *decision, const tutti_question *question, tutti_method *method)
{
  const struct forest *forest = decision->data;
  double values[TUTTI_MAX_ATTRIBUTES];
  if (question->collective < 0 || question->collective >= TUTTI_COLL_COUNT || forest->tree_of[question->collective] < 0)
    return false;
  const tutti_decision_tree *tree = &forest->trees.items[forest->tree_of[question->collective]];
  tutti_decision_tree_values(tree, question, values);
  int label = tutti_classifier_classify(&tree->classifier, values);
  const struct meaning *meaning = &forest->meanings[question->collective][label];
  if (meaning->known)
    *method = meaning->method;
  return meaning->known;
}

static void free_forest(void *data)
{
  struct forest *forest = data;
  tutti_decision_trees_free(&forest->trees);
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    free(forest->meanings[c]);
  free(forest);
}

static void learn_meanings(struct forest *forest, int c)
{
  const tutti_classifier *classifier = &forest->trees.items[forest->tree_of[c]].classifier;
  struct meaning *meanings = tutti_xcalloc((size_t)classifier->class_count, sizeof *meanings);
  forest->meanings[c] = meanings;
  for (int k = 0; k < classifier->class_count; k++)
    meanings[k].known = tutti_class_method((tutti_collective)c, classifier->classes[k], &meanings[k].method);
}

static int first_tree_for(const tutti_decision_trees *trees, int c)
{
  for (int i = 0; i < trees->count; i++)
    if (trees->items[i].answers[c])
      return i;
  return -1;
}

static void index_trees(struct forest *forest)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    forest->tree_of[c] = first_tree_for(&forest->trees, c);
    if (forest->tree_of[c] >= 0)
      learn_meanings(forest, c);
  }
}

/* The first implementation other than ours that a class names. */
static tutti_implementation named_implementation(const struct forest *forest)
{
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    for (int k = 0; forest->tree_of[c] >= 0 && k < forest->trees.items[forest->tree_of[c]].classifier.class_count;
         k++) {
      const struct meaning *meaning = &forest->meanings[c][k];
      if (meaning->known && meaning->method.implementation != TUTTI_IMPLEMENTATION_TUTTI)
        return meaning->method.implementation;
    }
  return TUTTI_IMPLEMENTATION_TUTTI;
}

static tutti_collective first_answered(const tutti_decision_tree *tree)
{
  int c = 0;
  while (c < TUTTI_COLL_COUNT - 1 && !tree->answers[c])
    c++;
  return (tutti_collective)c;
}

tutti_status tutti_decision_of_trees(const char *name, tutti_decision_trees *trees, tutti_decision *decision,
                                     tutti_error *error)
{
  *decision = (tutti_decision){.name = NULL};
  if (trees->count == 0)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s: there is no tree in it", name);
  struct forest *forest = tutti_xcalloc(1, sizeof *forest);
  forest->trees = *trees;
  *trees = (tutti_decision_trees){0};
  index_trees(forest);
  *decision = (tutti_decision){.name = tutti_xstrdup(name),
                               .collective = first_answered(&forest->trees.items[0]),
                               .decide = decide_by_trees,
                               .free_data = free_forest,
                               .data = forest,
                               .implementation = named_implementation(forest)};
  return TUTTI_OK;
}

const tutti_decision_trees *tutti_decision_get_trees(const tutti_decision *decision)
{
  return decision->decide == decide_by_trees ? &((const struct forest *)decision->data)->trees : NULL;
}
