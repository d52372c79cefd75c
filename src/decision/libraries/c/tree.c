/* Decision trees as C: nested ifs. Tests of the ranks and bytes themselves compare whole numbers. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "decision/libraries/c/c_source.h"

enum { DEEPEST = 100 }; /* compilers need not nest further than 127 (C99, 5.2.4.1) */

/* Whether the tree has a test whose attribute meets this condition. */
static bool any_test(const tutti_decision_tree *tree, bool (*fulfils)(const tutti_expression *expression))
{
  for (int i = 0; i < tree->classifier.node_count; i++) {
    int attribute = tree->classifier.nodes[i].attribute;
    if (attribute >= 0 && fulfils(tree->expressions[attribute]))
      return true;
  }
  return false;
}

bool tutti_c_tree_needs_nodes(const tutti_decision_tree *tree)
{
  return any_test(tree, tutti_expression_needs_nodes);
}

bool tutti_c_tree_needs_math(const tutti_decision_tree *tree)
{
  return any_test(tree, tutti_expression_needs_math);
}

static bool is_word(const tutti_decision_tree *tree, int attribute, const char *word)
{
  return strcmp(tree->definitions[attribute], word) == 0;
}

static bool is_plain(const tutti_decision_tree *tree, int attribute)
{
  return is_word(tree, attribute, "ranks") || is_word(tree, attribute, "bytes");
}

static bool is_collective(const tutti_decision_tree *tree, int attribute)
{
  return tutti_expression_kind_of(tree->expressions[attribute]) == TUTTI_EXPRESSION_COLLECTIVE;
}

bool tutti_c_tree_calculates(const tutti_decision_tree *tree)
{
  for (int i = 0; i < tree->classifier.node_count; i++) {
    int attribute = tree->classifier.nodes[i].attribute;
    if (attribute >= 0 && !is_plain(tree, attribute) && !is_collective(tree, attribute))
      return true;
  }
  return false;
}

/* ---- expressing it in C ---- */

static bool has_values(const tutti_decision_tree *tree, const tutti_question *question)
{
  double values[TUTTI_MAX_ATTRIBUTES];
  tutti_decision_tree_values(tree, question, values);
  for (int i = 0; i < tree->classifier.node_count; i++) {
    int attribute = tree->classifier.nodes[i].attribute;
    if (attribute >= 0 && isnan(values[attribute]))
      return false;
  }
  return true;
}

static bool has_values_for_ranks(const tutti_decision_tree *tree, tutti_question *question, bool *but_empty)
{
  question->rank_bytes = 0;
  *but_empty = *but_empty || !has_values(tree, question);
  for (int bit = 0; bit < 63; bit++) {
    question->rank_bytes = UINT64_C(1) << bit;
    if (!has_values(tree, question))
      return false;
  }
  return true;
}

static bool is_total(const tutti_decision_tree *tree, tutti_collective collective, bool *but_empty)
{
  tutti_question question = {.collective = collective, .ranks_per_node = 1};
  *but_empty = false;
  for (int p = 1; p <= 1 << 24; p += p < 128 ? 1 : p / 3) {
    question.ranks = p;
    if (!has_values_for_ranks(tree, &question, but_empty))
      return false;
  }
  return true;
}

const tutti_decision_tree *tutti_c_tree_of(const tutti_export_part *part, bool *but_empty)
{
  const tutti_decision_trees *trees = tutti_decision_get_trees(part->decision);
  tutti_collective collective = part->table.collective;
  for (int i = 0; trees && !part->range.reproducible && i < trees->count; i++) {
    const tutti_decision_tree *tree = &trees->items[i];
    if (!tree->answers[collective])
      continue;
    bool sayable = tutti_classifier_depth(&tree->classifier) <= DEEPEST && is_total(tree, collective, but_empty);
    return sayable ? tree : NULL;
  }
  return NULL;
}

/* ---- printing ---- */

struct printing {
  struct c_source *source;
  const tutti_decision_tree *tree;
  tutti_collective collective;
};

/* A method that needs certain numbers of ranks, and its substitute elsewhere. */
static void print_limited(const struct printing *printing, const tutti_method *method, int depth)
{
  unsigned needs = method->algorithm->domain;
  const char *condition = needs & TUTTI_NEEDS_POWER_OF_TWO ? "(" C_RANKS " & (" C_RANKS " - 1)) == 0"
                          : needs & TUTTI_NEEDS_EVEN       ? C_RANKS " % 2 == 0"
                          : needs & TUTTI_NEEDS_TWO        ? C_RANKS " == 2"
                                                           : NULL;
  if (condition) {
    tutti_method substitute =
        tutti_method_default(tutti_algorithm_find(printing->collective, method->algorithm->substitute));
    fprintf(printing->source->stream, "%*sif (%s)\n", 2 * depth, "", condition);
    tutti_c_return(printing->source, method, depth + 1);
    tutti_c_return(printing->source, &substitute, depth);
  } else
    tutti_c_return(printing->source, method, depth);
}

static void print_leaf(const struct printing *printing, const tutti_node *leaf, int depth)
{
  tutti_method method;
  if (tutti_class_method(printing->collective, printing->tree->classifier.classes[leaf->label], &method))
    print_limited(printing, &method, depth);
  else
    tutti_c_return(printing->source, NULL, depth);
}

/* Print a threshold; doubles represent all whole numbers below 2^53. */
static void print_threshold(const struct printing *printing, const tutti_node *node)
{
  FILE *stream = printing->source->stream;
  bool of_ranks = is_word(printing->tree, node->attribute, "ranks");
  const char *name = of_ranks ? C_RANKS : C_BYTES;
  double max = floor(node->threshold);
  if (!is_plain(printing->tree, node->attribute)) {
    tutti_expression_print_c(printing->tree->expressions[node->attribute], stream);
    fprintf(stream, " <= %.17g", node->threshold);
  } else if (fabs(max) >= (of_ranks ? 0x1p31 : 0x1p53) || (!of_ranks && max < 0))
    fprintf(stream, "(double)%s <= %.17g", name, node->threshold);
  else
    fprintf(stream, "%s <= %.0f%s", name, max, of_ranks ? "" : "ULL");
}

/* The branch of the collective that all of this is about. */
static int collective_branch(const struct printing *printing, const tutti_node *node)
{
  const tutti_attribute *attribute = &printing->tree->classifier.attributes[node->attribute];
  for (int v = 0; v < attribute->value_count; v++)
    if (strcmp(attribute->values[v], tutti_collective_name(printing->collective)) == 0)
      return node->branch_of[v];
  return 0;
}

/* No deeper than DEEPEST. */
static void print_node(const struct printing *printing, int index, int depth)
{
  const tutti_node *node = &printing->tree->classifier.nodes[index];
  FILE *stream = printing->source->stream;
  int yes = 0, no = 1; /* branches */
  while (node->attribute >= 0 && is_collective(printing->tree, node->attribute))
    node = &printing->tree->classifier.nodes[node->first + collective_branch(printing, node)];
  if (node->attribute < 0) {
    print_leaf(printing, node, depth);
    return;
  }
  fprintf(stream, "%*sif (", 2 * depth, "");
  if (node->branch_of) {
    no = node->branch_of[0];
    yes = node->branch_of[1];
    tutti_expression_print_c(printing->tree->expressions[node->attribute], stream);
  } else
    print_threshold(printing, node);
  fprintf(stream, ") {\n");
  print_node(printing, node->first + yes, depth + 1);
  fprintf(stream, "%*s}\n", 2 * depth, "");
  print_node(printing, node->first + no, depth);
}

void tutti_c_tree(struct c_source *source, const tutti_decision_tree *tree, tutti_collective collective)
{
  struct printing printing = {source, tree, collective};
  print_node(&printing, 0, 1);
}
