/* What is wrong with Tutti's own decision files, which its reader takes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libraries/lint/tutti_rules.h"
#include "tutti/decision_tree.h"

/* The place of line @p number, from 1. */
static size_t place_of_line(const struct lint *lint, int number)
{
  const char *at = lint->text;
  for (int i = 1; i < number && at; i++)
    if ((at = memchr(at, '\n', lint->length - (size_t)(at - lint->text))))
      at++;
  return at ? (size_t)(at - lint->text) : lint->length;
}

/* ---- rules ---- */

enum { MOST_RULES = 200 }; /* of which gaps are looked for */

static bool hides(const struct tutti_rule *earlier, const struct tutti_rule *later)
{
  return earlier->method.algorithm->collective == later->method.algorithm->collective &&
         earlier->ranks[0] <= later->ranks[0] && later->ranks[1] <= earlier->ranks[1] &&
         earlier->bytes[0] <= later->bytes[0] && later->bytes[1] <= earlier->bytes[1];
}

static bool never_applies(const struct tutti_rule *rule)
{
  unsigned domain = rule->method.algorithm->domain;
  uint64_t least = rule->ranks[0], most = rule->ranks[1];
  bool one = least == most;
  return (domain & TUTTI_NEEDS_TWO && (least > 2 || most < 2)) || (domain & TUTTI_NEEDS_EVEN && one && least % 2) ||
         (domain & TUTTI_NEEDS_POWER_OF_TWO && one && (least & (least - 1)));
}

static void check_rule(struct lint *lint, const struct tutti_rules *rules, size_t index)
{
  const struct tutti_rule *rule = &rules->items[index];
  char name[TUTTI_METHOD_LENGTH];
  for (size_t i = 0; i < index; i++)
    if (hides(&rules->items[i], rule)) {
      int line, column;
      tutti_lint_place(lint->text, lint->length, rules->items[i].at, &line, &column);
      tutti_lint_say(lint, LINT_TUTTI_HIDDEN, rule->at, "the rule of line %d answers for all of it", line);
      break;
    }
  if (never_applies(rule))
    tutti_lint_say(lint, LINT_TUTTI_DOMAIN, rule->at, "%s; %s runs", tutti_method_format(&rule->method, name),
                   rule->method.algorithm->substitute);
}

/* Is there an answer for all sizes on so many ranks? If not, *bytes is the first without one. */
static bool answers_all(const tutti_decision *decision, const struct tutti_rules *rules, tutti_question *question)
{
  tutti_method method;
  question->rank_bytes = 0;
  if (!decision->decide(decision, question, &method))
    return false;
  for (size_t i = 0; i < rules->count; i++) {
    question->rank_bytes = rules->items[i].bytes[1] + 1;
    if (question->rank_bytes && !decision->decide(decision, question, &method))
      return false;
  }
  return true;
}

/* Gaps begin behind the ends of rules. */
static void check_gaps(struct lint *lint, const tutti_decision *decision, const struct tutti_rules *rules, size_t index)
{
  tutti_collective collective = rules->items[index].method.algorithm->collective;
  tutti_question question = {.collective = collective, .ranks = 2};
  for (size_t i = 0; i < index; i++)
    if (rules->items[i].method.algorithm->collective == collective)
      return; /* said before */
  bool all = answers_all(decision, rules, &question);
  for (size_t i = 0; i < rules->count && all; i++) {
    uint64_t next = rules->items[i].ranks[1] + 1;
    question.ranks = next > 2 && next < INT32_MAX ? (int)next : 2;
    all = answers_all(decision, rules, &question);
  }
  if (!all)
    tutti_lint_say(lint, LINT_TUTTI_GAP, rules->items[index].at, "%s of %llu bytes on %d ranks",
                   tutti_collective_name(collective), (unsigned long long)question.rank_bytes, question.ranks);
}

static void check_rules(struct lint *lint, const tutti_decision *decision)
{
  struct tutti_rules rules = {0};
  if (!tutti_rules_find(lint, decision, &rules))
    lint->out_of_memory = true;
  for (size_t i = 0; i < rules.count; i++) {
    check_rule(lint, &rules, i);
    if (rules.count <= MOST_RULES)
      check_gaps(lint, decision, &rules, i);
  }
  free(rules.items);
}

/* ---- trees ---- */

enum { MOST_LEVELS = 1000 }; /* below which nobody looks */

struct tree_check {
  struct lint *lint;
  const tutti_decision_tree *tree;
  size_t at; /* of the branch at hand */
  int level;
  double least[TUTTI_MOST_ATTRIBUTES], most[TUTTI_MOST_ATTRIBUTES]; /* of continuous ones: least < value <= most */
};

/* To the next line that is neither empty nor a comment. */
static void next_line(struct tree_check *check)
{
  const struct lint *lint = check->lint;
  do
    check->at += strcspn(lint->text + check->at, "\n") + 1;
  while (check->at < lint->length && strchr("#\r\n", lint->text[check->at]));
  if (check->at > lint->length)
    check->at = lint->length;
}

static void check_node(struct tree_check *check, int index);

/* A branch of a threshold, which narrows what is left. */
static void check_side(struct tree_check *check, const tutti_node *node, int side)
{
  double *bound = side ? &check->least[node->attribute] : &check->most[node->attribute], before = *bound;
  bool taken = side ? node->threshold < check->most[node->attribute] : node->threshold > check->least[node->attribute];
  if (side ? node->threshold > before : node->threshold < before)
    *bound = node->threshold;
  next_line(check);
  if (!taken)
    tutti_lint_say(check->lint, LINT_TUTTI_LEAF, check->at, "%s %s %g is never true here",
                   check->tree->classifier.attributes[node->attribute].name, side ? ">" : "<=", node->threshold);
  check_node(check, node->first + side);
  *bound = before;
}

static void check_node(struct tree_check *check, int index)
{
  const tutti_node *node = &check->tree->classifier.nodes[index];
  if (node->attribute < 0 || check->level == MOST_LEVELS)
    return;
  bool threshold = check->tree->classifier.attributes[node->attribute].value_count == 0;
  check->level++;
  for (int b = 0; b < node->branch_count; b++) {
    if (threshold) {
      check_side(check, node, b);
      continue;
    }
    next_line(check);
    check_node(check, node->first + b);
  }
  check->level--;
}

static void check_classes(struct lint *lint, const tutti_decision_tree *tree, size_t at)
{
  tutti_method method;
  for (int k = 0; k < tree->classifier.class_count; k++)
    for (int c = 0; c < TUTTI_COLL_COUNT; c++)
      if (tree->answers[c] && !tutti_class_method((tutti_collective)c, tree->classifier.classes[k], &method)) {
        tutti_lint_say(lint, LINT_TUTTI_CLASS, at, "%s has no method %s", tutti_collective_name((tutti_collective)c),
                       tree->classifier.classes[k]);
        break;
      }
}

static bool starts_tree(const struct lint *lint, size_t at)
{
  return strncmp(lint->text + at, "tree ", 5) == 0 || strncmp(lint->text + at, "tree\t", 5) == 0;
}

static void check_tree(struct lint *lint, const tutti_decision_trees *trees, int index, size_t at)
{
  struct tree_check check = {.lint = lint, .tree = &trees->items[index], .at = at};
  for (int c = 0; c < TUTTI_COLL_COUNT; c++)
    for (int i = 0; i < index; i++)
      if (check.tree->answers[c] && trees->items[i].answers[c]) {
        tutti_lint_say(lint, LINT_TUTTI_TREE_TWICE, at, "%s", tutti_collective_name((tutti_collective)c));
        break;
      }
  check_classes(lint, check.tree, at);
  for (int a = 0; a < TUTTI_MOST_ATTRIBUTES; a++) {
    check.least[a] = -INFINITY;
    check.most[a] = INFINITY;
  }
  for (int a = 0; a < check.tree->classifier.attribute_count; a++)
    next_line(&check);
  check_node(&check, 0);
}

static void check_trees(struct lint *lint, const tutti_decision_trees *trees)
{
  int index = 0;
  for (size_t at = 0; at < lint->length && index < trees->count; at += strcspn(lint->text + at, "\n") + 1)
    if (starts_tree(lint, at))
      check_tree(lint, trees, index++, at);
}

/* ---- the file ---- */

/* "FILE:LINE: reason" as a finding there. */
static void say_refused(struct lint *lint, const tutti_error *error)
{
  const char *message = error->message;
  size_t length = strlen(lint->path);
  int line = 1;
  if (strncmp(message, lint->path, length) == 0 && message[length] == ':') {
    char *end;
    long number = strtol(message + length + 1, &end, 10);
    message = end + strspn(end, ": ");
    line = number > 0 && number < INT32_MAX ? (int)number : 1;
  }
  tutti_lint_say(lint, LINT_TUTTI_REFUSED, place_of_line(lint, line), "%s", message);
}

void tutti_lint_tutti(struct lint *lint)
{
  tutti_decision decision;
  tutti_error error;
  tutti_status status = tutti_decision_read(lint->path, &decision, &error);
  if (status == TUTTI_ERR_MEMORY)
    lint->out_of_memory = true;
  else if (status != TUTTI_OK)
    say_refused(lint, &error);
  if (status != TUTTI_OK)
    return;
  const tutti_decision_trees *trees = tutti_decision_get_trees(&decision);
  if (trees)
    check_trees(lint, trees);
  else
    check_rules(lint, &decision);
  tutti_decision_free(&decision);
}
