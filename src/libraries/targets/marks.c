/* Where a decision is looked at. */
#include "libraries/targets/marks.h"

#include <stdlib.h>

#include "tutti/decision_tree.h"

static void mark(struct marks *marks, uint64_t value)
{
  if (marks->count == marks->room) {
    size_t room = marks->room ? 2 * marks->room : 64;
    uint64_t *grown = marks->failed ? NULL : reallocarray(marks->items, room, sizeof *grown);
    if (!grown) {
      marks->failed = true;
      return;
    }
    marks->items = grown;
    marks->room = room;
  }
  marks->items[marks->count++] = value;
}

/* A value and its neighbors. */
static void mark_around(struct marks *marks, uint64_t value)
{
  if (value > 0)
    mark(marks, value - 1);
  mark(marks, value);
  if (value < UINT64_MAX)
    mark(marks, value + 1);
}

static int compare_marks(const void *left, const void *right)
{
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Sort, drop repetitions and what is outside of least..most. */
static void settle(struct marks *marks, uint64_t least, uint64_t most)
{
  size_t kept = 0;
  qsort(marks->items, marks->count, sizeof *marks->items, compare_marks);
  for (size_t i = 0; i < marks->count; i++) {
    uint64_t value = marks->items[i];
    if (value >= least && value <= most && (kept == 0 || value != marks->items[kept - 1]))
      marks->items[kept++] = value;
  }
  marks->count = kept;
}

/* ---- tests of trees ---- */

static const tutti_decision_tree *tree_of(const tutti_decision *decision, tutti_collective collective)
{
  const tutti_decision_trees *trees = tutti_decision_get_trees(decision);
  for (int i = 0; trees && i < trees->count; i++)
    if (trees->items[i].answers[collective])
      return &trees->items[i];
  return NULL;
}

/* A test of a tree, as a function of one number of the question. */
struct test {
  const tutti_expression *expression;
  double threshold;
  tutti_question question;
  bool of_ranks; /* else of bytes */
};

static bool below(struct test *test, uint64_t number)
{
  if (test->of_ranks)
    test->question.ranks = (int)number;
  else
    test->question.rank_bytes = number;
  return tutti_expression_value(test->expression, &test->question) <= test->threshold;
}

/* Where it changes between low and high, if it does so once. */
static void mark_change(struct marks *marks, struct test *test, uint64_t low, uint64_t high)
{
  bool first = below(test, low);
  if (below(test, high) == first)
    return;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (below(test, middle) == first)
      low = middle;
    else
      high = middle;
  }
  mark_around(marks, high);
}

/* Truths (even, powers of two) change with every number: ranks are all looked at, and so are powers of two. */
static void mark_tests(struct marks *marks, const tutti_decision_tree *tree, struct test *test, uint64_t low,
                       uint64_t high)
{
  for (int i = 0; tree && i < tree->classifier.node_count; i++) {
    const tutti_node *node = &tree->classifier.nodes[i];
    if (node->attribute < 0 || node->branch_of)
      continue;
    test->expression = tree->expressions[node->attribute];
    test->threshold = node->threshold;
    if (test->of_ranks != tutti_expression_needs_bytes(test->expression))
      mark_change(marks, test, low, high);
  }
}

void tutti_marks_of_row(struct marks *marks, const struct marks *sizes, const tutti_decision *decision,
                        const tutti_question *question)
{
  struct test test = {.question = *question};
  marks->count = 0;
  for (size_t i = 0; i < sizes->count; i++)
    mark(marks, sizes->items[i]);
  mark_tests(marks, tree_of(decision, question->collective), &test, 1, UINT64_MAX);
  if (!marks->failed)
    settle(marks, 0, UINT64_MAX);
}

/* ---- marks of a decision ---- */

void tutti_marks_of_sizes(struct marks *marks, const tutti_decision *decision, const tutti_range *range)
{
  const tutti_rule *rule;
  mark(marks, 0);
  mark(marks, UINT64_MAX);
  for (int bit = 0; bit < 63; bit++)
    mark(marks, UINT64_C(1) << bit);
  for (int i = 0; range->map && i < range->map->size_count; i++)
    mark(marks, range->map->sizes[i]);
  for (size_t i = 0; (rule = tutti_decision_rule_at(decision, i)); i++) {
    mark_around(marks, rule->bytes[0]);
    mark_around(marks, rule->bytes[1]);
  }
  mark_around(marks, range->least_bytes);
  mark_around(marks, range->most_bytes);
  if (!marks->failed)
    settle(marks, 0, UINT64_MAX);
}

void tutti_marks_of_ranks(struct marks *marks, const tutti_decision *decision, const tutti_range *range)
{
  const tutti_rule *rule;
  for (int p = range->least_ranks; p <= range->most_ranks && p <= TUTTI_EVERY_RANKS; p++)
    mark(marks, (uint64_t)p);
  for (uint64_t p = TUTTI_EVERY_RANKS; p <= (uint64_t)range->most_ranks; p *= 2)
    mark_around(marks, p);
  for (int i = 0; range->map && i < range->map->ranks_count; i++)
    mark_around(marks, (uint64_t)range->map->ranks[i]);
  for (size_t i = 0; (rule = tutti_decision_rule_at(decision, i)); i++) {
    mark_around(marks, rule->ranks[0]);
    mark_around(marks, rule->ranks[1]);
  }
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    struct test test = {.question = {(tutti_collective)c, 2, range->ranks_per_node, 1}, .of_ranks = true};
    mark_tests(marks, tree_of(decision, (tutti_collective)c), &test, 2, (uint64_t)range->most_ranks + 1);
  }
  mark(marks, (uint64_t)range->least_ranks);
  mark(marks, (uint64_t)range->most_ranks);
  if (!marks->failed)
    settle(marks, (uint64_t)range->least_ranks, (uint64_t)range->most_ranks);
}
