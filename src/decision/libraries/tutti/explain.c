/* Decisions of Tutti: rules, trees, libraries, methods. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "decision/libraries/export/export.h"
#include "decision/libraries/libraries.h"
#include "tutti/decision_tree.h"

/* ---- rules ---- */

/* The rule that answers, and how many were passed by. */
static void step_rules(struct explaining *explaining)
{
  const tutti_explained_call *call = explaining->call;
  const tutti_rule *rule;
  size_t passed = 0;
  for (size_t i = 0; (rule = tutti_decision_rule_at(explaining->tuning->decision, i)); i++) {
    if (rule->method.algorithm->collective != call->collective)
      continue;
    if (tutti_rule_matches(rule, call->ranks, call->rank_bytes))
      break;
    passed++;
  }
  if (rule) {
    size_t at = tutti_tuning_first_word(&explaining->tuning->file, rule->line);
    const char *text = explaining->tuning->file.text + at;
    tutti_explain_step(explaining, at, "the rule %.*s", (int)strcspn(text, "#\n\r"), text);
  }
  if (passed)
    tutti_explain_step(explaining, NO_PLACE, "%zu rule%s for %s before it do%s not match", passed, tutti_plural(passed),
                       tutti_collective_name(call->collective), passed == 1 ? "es" : "");
}

/* ---- trees ---- */

static int branch_of(const tutti_node *node, double value)
{
  if (isnan(value))
    return -1;
  if (!node->branch_of)
    return value <= node->threshold ? 0 : 1;
  return value >= 0 ? node->branch_of[(int)value] : -1;
}

static void step_branch(struct explaining *explaining, const tutti_decision_tree *tree, const tutti_node *node,
                        int branch, double value)
{
  const tutti_attribute *attribute = &tree->classifier.attributes[node->attribute];
  size_t at = tutti_tuning_line(&explaining->tuning->file, tree->classifier.nodes[node->first + branch].line);
  if (!node->branch_of)
    tutti_explain_step(explaining, at, "%s = %.10g %s %.10g", attribute->name, value,
                       branch ? ">" : "<=", node->threshold);
  else
    tutti_explain_step(explaining, at, "%s = %s", attribute->name, attribute->values[(int)value]);
}

static void follow(struct explaining *explaining, const tutti_decision_tree *tree)
{
  double values[TUTTI_MAX_ATTRIBUTES];
  const tutti_node *nodes = tree->classifier.nodes, *node = nodes;
  tutti_question question = tutti_explain_question(explaining->call);
  tutti_decision_tree_values(tree, &question, values);
  while (node->branch_count > 0) {
    int branch = branch_of(node, values[node->attribute]);
    if (branch < 0) {
      tutti_explain_step(explaining, tutti_tuning_line(&explaining->tuning->file, nodes[node->first].line),
                         "%s is not known: the weighted majority of the branches decides",
                         tree->classifier.attributes[node->attribute].name);
      return;
    }
    step_branch(explaining, tree, node, branch, values[node->attribute]);
    node = &nodes[node->first + branch];
  }
  tutti_explain_step(explaining, tutti_tuning_line(&explaining->tuning->file, node->line), "the leaf %s",
                     tree->classifier.classes[node->label]);
}

static void step_trees(struct explaining *explaining, const tutti_decision_trees *trees)
{
  for (int i = 0; i < trees->count; i++) {
    const tutti_decision_tree *tree = &trees->items[i];
    if (!tree->answers[explaining->call->collective])
      continue;
    tutti_explain_step(explaining, tutti_tuning_line(&explaining->tuning->file, tree->line), "the tree for %s",
                       tutti_collective_name(explaining->call->collective));
    follow(explaining, tree);
    return;
  }
}

/* ---- libraries ---- */

/* For libraries that can only be queried: the range with the same answer. */
static void step_asked(struct explaining *explaining)
{
  const tutti_explanation *answer = explaining->answer;
  char end[40] = "on";
  if (answer->max != UINT64_MAX)
    snprintf(end, sizeof end, "to %" PRIu64 " bytes per rank", answer->max);
  tutti_explain_step(explaining, NO_PLACE, "%s decides so on %d rank%s from %" PRIu64 " %s",
                     explaining->tuning->decision->name, explaining->call->ranks,
                     tutti_plural((uint64_t)explaining->call->ranks), answer->min, end);
}

static void step_library(struct explaining *explaining)
{
  const struct default_rules *rules = tutti_library_rules(explaining->tuning->decision->name);
  if (!rules || !rules->explain || !rules->explain(explaining))
    step_asked(explaining);
}

/* ---- the answer ---- */

/* Nodes, which are levels, are taken as known, as in everything else that serves decisions. */
static tutti_method serving(const tutti_explained_call *call, const tutti_method *method)
{
  const int node = 0;
  uint64_t type = tutti_explain_type_bytes(call);
  tutti_call served = {.size = call->ranks,
                       .count = call->rank_bytes / type,
                       .type_size = type,
                       .commutative = !call->ordered,
                       .nodes = &node,
                       .levels = {{.width = 1}},
                       .level_count = 1};
  return tutti_method_serving(method, &served);
}

static void set_answer(struct explaining *explaining, const tutti_method *asked)
{
  tutti_explanation *answer = explaining->answer;
  char name[TUTTI_METHOD_LENGTH];
  tutti_method told = *asked;
  const tutti_method *method = &told;
  tutti_method_tell(&told, &explaining->call->places, explaining->call->ranks);
  answer->known = true;
  answer->method = tutti_method_is_library(method) ? *method : serving(explaining->call, method);
  tutti_method_format(method, answer->algorithm);
  answer->own_choice = tutti_method_is_native(method);
  if (answer->own_choice)
    tutti_explain_step(explaining, NO_PLACE, "%s: the MPI library decides itself", answer->algorithm);
  const char *library = tutti_implementation_name(method->implementation);
  if (library)
    tutti_explain_step(explaining, NO_PLACE,
                       "%s runs its own algorithm, not Tutti's: only a file for it can say that (tutti export --format "
                       "%s)",
                       library, library);
  if (tutti_method_compare(&answer->method, method) != 0)
    tutti_explain_step(explaining, NO_PLACE, "%s does not serve this call: its substitute %s runs", answer->algorithm,
                       tutti_method_format(&answer->method, name));
}

/* The sizes with the same answer, found by asking. */
static tutti_status set_sizes(struct explaining *explaining, tutti_error *error)
{
  const tutti_explained_call *call = explaining->call;
  int ranks = call->ranks < 2 ? 2 : call->ranks;
  tutti_range range = {.min_ranks = ranks,
                       .max_ranks = ranks,
                       .max_bytes = UINT64_MAX,
                       .extend = true,
                       .ranks_per_node = call->ranks_per_node};
  tutti_step_table table = {0};
  tutti_status status = tutti_step_table_create(explaining->tuning->decision, call->collective, &range, &table, error);
  const tutti_step_row *row = NULL;
  for (int i = 0; status == TUTTI_OK && i < table.row_count && table.rows[i].ranks <= ranks; i++)
    row = &table.rows[i];
  for (int i = 0; row && i < row->count; i++) {
    if (row->steps[i].bytes <= call->rank_bytes)
      explaining->answer->min = row->steps[i].bytes;
    else if (row->steps[i].bytes - 1 < explaining->answer->max)
      explaining->answer->max = row->steps[i].bytes - 1;
  }
  tutti_step_table_free(&table);
  return status;
}

tutti_status tutti_file_explain(struct explaining *explaining, tutti_error *error)
{
  const tutti_decision *decision = explaining->tuning->decision;
  const tutti_decision_trees *trees = explaining->tuning->path ? tutti_decision_get_trees(decision) : NULL;
  tutti_question question = tutti_explain_question(explaining->call);
  tutti_method method;
  bool answers = decision->decide(decision, &question, &method);
  tutti_status status = set_sizes(explaining, error);
  if (status != TUTTI_OK)
    return status;
  if (trees)
    step_trees(explaining, trees);
  else if (explaining->tuning->path)
    step_rules(explaining);
  else
    step_library(explaining);
  if (answers)
    set_answer(explaining, &method);
  else {
    explaining->answer->own_choice = true;
    snprintf(explaining->answer->algorithm, TUTTI_METHOD_LENGTH, "none");
    tutti_explain_step(explaining, NO_PLACE, "there is no answer: the MPI library decides itself");
  }
  return TUTTI_OK;
}
