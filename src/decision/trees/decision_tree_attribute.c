/* Attributes of decision trees: names and expressions. */
#include <stdlib.h>
#include <string.h>

#include "decision/cases/names.h"
#include "decision/trees/decision_file.h"

tutti_decision_tree *tutti_decision_trees_append(tutti_decision_trees *trees)
{
  size_t count = (size_t)trees->count;
  if ((count & (count - 1)) == 0) { /* a power of two, or 0: the room doubles */
    tutti_decision_tree *grown = reallocarray(trees->items, 2 * count + 1, sizeof *grown);
    if (!grown)
      return NULL;
    trees->items = grown;
  }
  trees->items[count] = (tutti_decision_tree){.expressions = NULL};
  return &trees->items[trees->count++];
}

static bool set_values(const tutti_decision_tree *tree, tutti_expression_kind kind, tutti_attribute *attribute)
{
  if (kind == TUTTI_EXPRESSION_BOOLEAN)
    return tutti_names_append(&attribute->values, &attribute->value_count, "no") &&
           tutti_names_append(&attribute->values, &attribute->value_count, "yes");
  for (int c = 0; kind == TUTTI_EXPRESSION_COLLECTIVE && c < TUTTI_COLL_COUNT; c++)
    if (tree->answers[c] &&
        !tutti_names_append(&attribute->values, &attribute->value_count, tutti_collective_name((tutti_collective)c)))
      return false;
  return true;
}

/* Room for one more of everything; nothing is added yet. */
static bool make_room(tutti_decision_tree *tree)
{
  size_t count = (size_t)tree->classifier.attribute_count + 1;
  tutti_attribute *attributes = reallocarray(tree->classifier.attributes, count, sizeof *attributes);
  if (attributes)
    tree->classifier.attributes = attributes;
  tutti_expression **expressions = reallocarray(tree->expressions, count, sizeof(void *));
  if (expressions)
    tree->expressions = expressions;
  char **definitions = reallocarray(tree->definitions, count, sizeof *definitions);
  if (definitions)
    tree->definitions = definitions;
  return attributes && expressions && definitions;
}

/* Takes over @p expression. */
static tutti_status append(tutti_decision_tree *tree, const char *name, size_t length, const char *definition,
                           tutti_expression *expression, tutti_error *error)
{
  if (!make_room(tree)) {
    free(expression);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the attribute %s", name);
  }
  int a = tree->classifier.attribute_count++;
  tutti_attribute *attribute = &tree->classifier.attributes[a];
  *attribute = (tutti_attribute){.name = strndup(name, length)};
  tree->expressions[a] = expression;
  tree->definitions[a] = strdup(definition);
  if (attribute->name && tree->definitions[a] && set_values(tree, tutti_expression_kind_of(expression), attribute))
    return TUTTI_OK;
  return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for the attribute %s", name);
}

static tutti_status check(const tutti_decision_tree *tree, const char *name, size_t length, tutti_error *error)
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

/* Where the name ends: before " = ", or at the end of a text that is both. A comparison alone has no name. */
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
  tutti_status status = check(tree, text, length, error);
  if (status == TUTTI_OK)
    status = check_words(text, length, definition, error);
  if (status == TUTTI_OK)
    status = tutti_expression_parse(definition, &expression, error);
  return status == TUTTI_OK ? append(tree, text, length, definition, expression, error) : status;
}
