/* Tutti itself, as a library: its interposer and its command read decision files. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "decision/libraries/export/export.h"
#include "decision/libraries/libraries.h"
#include "tutti/decision_tree.h"

enum {
#define CODE(identifier, ...) LINT_##identifier,
#include "decision/libraries/tutti/codes.def"
#undef CODE
};

/* ---- writing: trees stay trees, everything else becomes rules ---- */

static void write_ends(const char *name, uint64_t min, uint64_t end, bool open, FILE *stream)
{
  if (open && min == 0)
    return;
  fprintf(stream, " %s=%" PRIu64 "..", name, min);
  if (!open)
    fprintf(stream, "%" PRIu64, end - 1);
}

static void write_row(const tutti_step_table *table, int index, FILE *stream)
{
  const tutti_step_row *row = &table->rows[index];
  bool last = index + 1 == table->row_count;
  char name[TUTTI_METHOD_LENGTH];
  for (int i = 0; i < row->count; i++) {
    const tutti_step *step = &row->steps[i];
    if (step->method < 0)
      continue;
    fprintf(stream, "%s", tutti_method_format(&table->methods[step->method], name));
    write_ends("ranks", index ? (uint64_t)row->ranks : 0, last ? 0 : (uint64_t)row[1].ranks, last, stream);
    write_ends("bytes", step->bytes, i + 1 < row->count ? step[1].bytes : 0, i + 1 == row->count, stream);
    fprintf(stream, "\n");
  }
}

static tutti_status write_rules(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                tutti_error *error)
{
  tutti_target_print_comment(comment, "# ", stream);
  for (int p = 0; p < count; p++)
    for (int i = 0; i < parts[p].table.row_count; i++)
      write_row(&parts[p].table, i, stream);
  return tutti_target_written(stream, error);
}

/* Whether the parts cover all answers of the trees of one decision, and nothing else. Trees are exported as they are,
   beyond the range as well. */
static const tutti_decision_trees *trees_of(const tutti_export_part *parts, int count)
{
  const tutti_decision_trees *trees = tutti_decision_get_trees(parts[0].decision);
  int answered = 0;
  for (int i = 0; i < count; i++)
    if (parts[i].decision != parts[0].decision || parts[i].range.reproducible) /* trees have all that was learnt */
      return NULL;
  for (int c = 0; trees && c < TUTTI_COLL_COUNT; c++)
    for (int i = 0; i < trees->count; i++)
      if (trees->items[i].answers[c]) {
        answered++;
        break;
      }
  return answered == count ? trees : NULL;
}

static tutti_status write_file(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                               tutti_error *error)
{
  const tutti_decision_trees *trees = trees_of(parts, count);
  if (!trees)
    return write_rules(parts, count, comment, stream, error);
  tutti_status status = tutti_decision_trees_write(trees, comment, stream, error);
  return status == TUTTI_OK ? tutti_target_written(stream, error) : status;
}

/* ---- what is wrong with rules that the reader takes ---- */

enum { MAX_RULES = 200 }; /* maximum for which gaps are searched */

static bool never_applies(const tutti_rule *rule)
{
  unsigned domain = rule->method.algorithm->domain;
  uint64_t min = rule->ranks[0], max = rule->ranks[1];
  bool one = min == max;
  return (domain & TUTTI_NEEDS_TWO && (min > 2 || max < 2)) || (domain & TUTTI_NEEDS_EVEN && one && min % 2) ||
         (domain & TUTTI_NEEDS_POWER_OF_TWO && one && (min & (min - 1)));
}

/* Without the line. */
static void edit_line(struct tuning_file *file, int code, int line)
{
  const size_t begin = tutti_tuning_line(file, line);
  const char *newline = memchr(file->text + begin, '\n', file->length - begin);
  tutti_tuning_edit(file, code, begin, newline ? (size_t)(newline + 1 - file->text) - begin : file->length - begin, "");
}

/* @p hiding: the first rule that covers all of it, or itself. */
static void check_rule(struct tuning_file *file, const tutti_decision *decision, size_t index, size_t hiding)
{
  const tutti_rule *rule = tutti_decision_rule_at(decision, index);
  char name[TUTTI_METHOD_LENGTH];
  if (hiding < index) {
    tutti_tuning_report(file, LINT_TUTTI_HIDDEN, tutti_tuning_first_word(file, rule->line),
                        "the rule of line %d answers for all of it", tutti_decision_rule_at(decision, hiding)->line);
    edit_line(file, LINT_TUTTI_HIDDEN, rule->line);
  }
  if (never_applies(rule))
    tutti_tuning_report(file, LINT_TUTTI_DOMAIN, tutti_tuning_first_word(file, rule->line), "%s; %s runs",
                        tutti_method_format(&rule->method, name), rule->method.algorithm->substitute);
}

static size_t *find_hiding(const tutti_decision *decision)
{
  struct {
    TUTTI_VECTOR(struct tutti_box);
  } boxes = {.items = NULL};
  const tutti_rule *rule;
  for (size_t i = 0; (rule = tutti_decision_rule_at(decision, i)); i++) {
    const uint64_t collective = rule->method.algorithm->collective;
    tutti_xpush(&boxes,
                (struct tutti_box){
                    {{collective, collective}, {rule->ranks[0], rule->ranks[1]}, {rule->bytes[0], rule->bytes[1]}}});
  }
  size_t *hiding = tutti_tuning_hiding(boxes.items, boxes.count);
  tutti_vector_free(&boxes);
  return hiding;
}

/* Whether all sizes on question->ranks ranks have an answer. If not, question->rank_bytes is the first without one. */
static bool answers_all(const tutti_decision *decision, tutti_question *question)
{
  const tutti_rule *rule;
  tutti_method method;
  question->rank_bytes = 0;
  if (!decision->decide(decision, question, &method))
    return false;
  for (size_t i = 0; (rule = tutti_decision_rule_at(decision, i)); i++) {
    question->rank_bytes = rule->bytes[1] + 1;
    if (question->rank_bytes && !decision->decide(decision, question, &method))
      return false;
  }
  return true;
}

/* Gaps begin after the ends of rules. */
static void check_gaps(struct tuning_file *file, const tutti_decision *decision, size_t index)
{
  const tutti_rule *first = tutti_decision_rule_at(decision, index), *rule;
  tutti_collective collective = first->method.algorithm->collective;
  tutti_question question = {.collective = collective, .ranks = 2};
  for (size_t i = 0; i < index; i++)
    if (tutti_decision_rule_at(decision, i)->method.algorithm->collective == collective)
      return; /* reported before */
  bool all = answers_all(decision, &question);
  for (size_t i = 0; all && (rule = tutti_decision_rule_at(decision, i)); i++) {
    uint64_t next = rule->ranks[1] + 1;
    question.ranks = next > 2 && next < INT32_MAX ? (int)next : 2;
    all = answers_all(decision, &question);
  }
  if (!all)
    tutti_tuning_report(file, LINT_TUTTI_GAP, tutti_tuning_first_word(file, first->line),
                        "%s of %llu byte%s on %d ranks", tutti_collective_name(collective),
                        (unsigned long long)question.rank_bytes, tutti_plural(question.rank_bytes), question.ranks);
}

static void check_rules(struct tuning_file *file, const tutti_decision *decision)
{
  bool few = !tutti_decision_rule_at(decision, MAX_RULES);
  size_t *hiding = find_hiding(decision);
  for (size_t i = 0; tutti_decision_rule_at(decision, i); i++) {
    check_rule(file, decision, i, hiding[i]);
    if (few)
      check_gaps(file, decision, i);
  }
  free(hiding);
}

/* ---- what is wrong with trees ---- */

enum { MAX_LEVELS = 1000 }; /* maximum that is checked */

struct tree_check {
  struct tuning_file *file;
  const tutti_decision_tree *tree;
  int level;
  double min[TUTTI_MAX_ATTRIBUTES], max[TUTTI_MAX_ATTRIBUTES]; /* of continuous attributes: min < value <= max */
};

static void check_node(struct tree_check *check, const tutti_node *node);

/* A branch of a threshold, which narrows what is left. */
static void check_side(struct tree_check *check, const tutti_node *node, int side)
{
  const tutti_node *branch = &check->tree->classifier.nodes[node->first + side];
  double *bound = side ? &check->min[node->attribute] : &check->max[node->attribute], before = *bound;
  bool taken = side ? node->threshold < check->max[node->attribute] : node->threshold > check->min[node->attribute];
  if (side ? node->threshold > before : node->threshold < before)
    *bound = node->threshold;
  if (!taken)
    tutti_tuning_report(check->file, LINT_TUTTI_LEAF, tutti_tuning_line(check->file, branch->line),
                        "%s %s %g is never true here", check->tree->classifier.attributes[node->attribute].name,
                        side ? ">" : "<=", node->threshold);
  check_node(check, branch);
  *bound = before;
}

static void check_node(struct tree_check *check, const tutti_node *node)
{
  const tutti_classifier *classifier = &check->tree->classifier;
  if (node->attribute < 0 || check->level == MAX_LEVELS)
    return;
  check->level++;
  for (int b = 0; b < node->branch_count; b++)
    if (classifier->attributes[node->attribute].value_count == 0)
      check_side(check, node, b);
    else
      check_node(check, &classifier->nodes[node->first + b]);
  check->level--;
}

static void check_classes(struct tuning_file *file, const tutti_decision_tree *tree)
{
  tutti_method method;
  for (int k = 0; k < tree->classifier.class_count; k++)
    for (int c = 0; c < TUTTI_COLL_COUNT; c++)
      if (tree->answers[c] && !tutti_class_method((tutti_collective)c, tree->classifier.classes[k], &method)) {
        tutti_tuning_report(file, LINT_TUTTI_CLASS, tutti_tuning_line(file, tree->line), "%s has no method %s",
                            tutti_collective_name((tutti_collective)c), tree->classifier.classes[k]);
        break;
      }
}

/* @p answered: the collectives of the trees before. */
static void check_tree(struct tuning_file *file, const tutti_decision_tree *tree, bool answered[TUTTI_COLL_COUNT])
{
  struct tree_check check = {.file = file, .tree = tree};
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    if (tree->answers[c] && answered[c])
      tutti_tuning_report(file, LINT_TUTTI_TREE_TWICE, tutti_tuning_line(file, tree->line), "%s",
                          tutti_collective_name((tutti_collective)c));
    answered[c] = answered[c] || tree->answers[c];
  }
  check_classes(file, tree);
  for (int a = 0; a < TUTTI_MAX_ATTRIBUTES; a++) {
    check.min[a] = -INFINITY;
    check.max[a] = INFINITY;
  }
  check_node(&check, check.tree->classifier.nodes);
}

/* "FILE:LINE: reason" as a finding there. */
static void report_refused(struct tuning_file *file, const tutti_error *error)
{
  const bool empty = !tutti_tuning_first(file->text, file->length);
  const char *message = empty ? "it is empty; --target says which library it is for" : error->message;
  size_t length = strlen(file->path);
  int line = 1;
  if (strncmp(message, file->path, length) == 0 && message[length] == ':') {
    char *end;
    long number = strtol(message + length + 1, &end, 10);
    message = end + strspn(end, ": ");
    line = number > 0 && number < INT32_MAX ? (int)number : 1;
  }
  tutti_tuning_report(file, LINT_TUTTI_REFUSED, tutti_tuning_line(file, line), "%s", message);
}

static void lint(struct tuning_file *file)
{
  bool answered[TUTTI_COLL_COUNT] = {false};
  tutti_decision decision;
  tutti_error error;
  tutti_status status = tutti_decision_parse(file->text, file->length, file->path, &decision, &error);
  if (status != TUTTI_OK) {
    report_refused(file, &error);
    return;
  }
  const tutti_decision_trees *trees = tutti_decision_get_trees(&decision);
  for (int i = 0; trees && i < trees->count; i++)
    check_tree(file, &trees->items[i], answered);
  if (!trees)
    check_rules(file, &decision);
  tutti_decision_free(&decision);
}

/* ---- the library ---- */

static const tutti_lint_code codes[] = {
#define CODE(identifier, ...) {__VA_ARGS__},
#include "decision/libraries/tutti/codes.def"
#undef CODE
};

/* As the interposer reads it. */
static tutti_status read_decision(struct tuning_file *file, void *rules, tutti_error *error)
{
  return tutti_decision_parse(file->text, file->length, file->path, rules, error);
}

static void free_decision(void *rules)
{
  tutti_decision_free(rules);
}

static const tutti_target targets[] = {
    {
        .name = "tutti",
        .summary = "decision file of Tutti's interposer",
        .trees = true,
        .unit = tutti_target_unit_rank,
        .supports = tutti_target_supports_all,
        .write = write_file,
        .use = "export TUTTI_DECISION=%s",
    },
    {0},
};

const tutti_library tutti_library_tutti = {
    .name = "tutti",
    .targets = targets,
    .versions = "tutti",
    .codes = codes,
    .code_count = sizeof codes / sizeof *codes,
    .lint = lint,
    .rules_bytes = sizeof(tutti_decision),
    .read = read_decision,
    .free_rules = free_decision,
    .explain = tutti_file_explain,
};
