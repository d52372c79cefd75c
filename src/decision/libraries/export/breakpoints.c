/* Breakpoints: where a decision is looked at for changes of its answers. */
#include "decision/libraries/export/breakpoints.h"
#include "base/memory.h"

#include "base/numbers.h"
#include "tutti/decision_tree.h"

static void add_breakpoint(struct breakpoints *points, uint64_t value)
{
  tutti_xpush(points, value);
}

/* A value and its neighbors. */
static void add_around(struct breakpoints *points, uint64_t value)
{
  if (value > 0)
    add_breakpoint(points, value - 1);
  add_breakpoint(points, value);
  if (value < UINT64_MAX)
    add_breakpoint(points, value + 1);
}

/* Sort, drop repetitions and what is outside of least..most. */
static void normalize(struct breakpoints *points, uint64_t min, uint64_t max)
{
  size_t kept = 0;
  points->count = tutti_numbers_unique(points->items, points->count);
  for (size_t i = 0; i < points->count; i++)
    if (points->items[i] >= min && points->items[i] <= max)
      points->items[kept++] = points->items[i];
  points->count = kept;
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
static void add_change(struct breakpoints *points, struct test *test, uint64_t low, uint64_t high)
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
  add_around(points, high);
}

/* Truths (even, powers of two) change with every number: ranks are all looked at, and so are powers of two. */
static void add_tests(struct breakpoints *points, const tutti_decision_tree *tree, struct test *test, uint64_t low,
                      uint64_t high)
{
  for (int i = 0; tree && i < tree->classifier.node_count; i++) {
    const tutti_node *node = &tree->classifier.nodes[i];
    if (node->attribute < 0 || node->branch_of)
      continue;
    test->expression = tree->expressions[node->attribute];
    test->threshold = node->threshold;
    if (test->of_ranks != tutti_expression_needs_bytes(test->expression))
      add_change(points, test, low, high);
  }
}

/* ---- rules of a collective, met in the order of their numbers of ranks ---- */

static int compare_first(const void *left, const void *right)
{
  const uint64_t a = (*(const tutti_rule *const *)left)->ranks[0], b = (*(const tutti_rule *const *)right)->ranks[0];
  return (a > b) - (a < b);
}

void tutti_begin_sweep(struct sweep *sweep, const tutti_decision *decision, tutti_collective collective)
{
  const tutti_rule *rule;
  for (size_t i = 0; (rule = tutti_decision_rule_at(decision, i)); i++)
    if (rule->method.algorithm->collective == collective)
      tutti_xpush(sweep, rule);
  tutti_vector_sort(sweep, compare_first);
}

/* To a number of ranks above those before. */
static void sweep_to(struct sweep *sweep, uint64_t ranks)
{
  size_t kept = 0;
  for (; sweep->next < sweep->count && sweep->items[sweep->next]->ranks[0] <= ranks; sweep->next++)
    tutti_xpush(&sweep->met, sweep->items[sweep->next]);
  for (size_t i = 0; i < sweep->met.count; i++)
    if (sweep->met.items[i]->ranks[1] >= ranks)
      sweep->met.items[kept++] = sweep->met.items[i];
  sweep->met.count = kept;
}

/* Message sizes that matter to communicators of any size; then those that matter to one, which rules and tests of trees
   depend on, beside them. */
void tutti_breakpoints_of_row(struct breakpoints *points, const struct breakpoints *sizes, struct sweep *sweep,
                              const tutti_decision *decision, const tutti_question *question)
{
  struct test test = {.question = *question};
  points->count = 0;
  for (size_t i = 0; i < sizes->count; i++)
    add_breakpoint(points, sizes->items[i]);
  sweep_to(sweep, (uint64_t)question->ranks);
  for (size_t i = 0; i < sweep->met.count; i++) {
    add_around(points, sweep->met.items[i]->bytes[0]);
    add_around(points, sweep->met.items[i]->bytes[1]);
  }
  add_tests(points, tree_of(decision, question->collective), &test, 1, UINT64_MAX);
  normalize(points, 0, UINT64_MAX);
}

/* Rules change their answers at their ends only. */
void tutti_breakpoints_of_sizes(struct breakpoints *points, const tutti_decision *decision, const tutti_range *range)
{
  add_breakpoint(points, 0);
  add_breakpoint(points, UINT64_MAX);
  for (int bit = 0; bit < 63 && !tutti_decision_rule_at(decision, 0); bit++)
    add_breakpoint(points, UINT64_C(1) << bit);
  for (int i = 0; range->map && i < range->map->size_count; i++)
    add_breakpoint(points, range->map->sizes[i]);
  add_around(points, range->min_bytes);
  add_around(points, range->max_bytes);
  normalize(points, 0, UINT64_MAX);
}

/* Communicator sizes of a range. */
void tutti_breakpoints_of_ranks(struct breakpoints *points, const struct sweep *sweep, const tutti_decision *decision,
                                const tutti_range *range)
{
  for (int p = range->min_ranks; p <= range->max_ranks && p <= TUTTI_EVERY_RANKS; p++)
    add_breakpoint(points, (uint64_t)p);
  for (uint64_t p = TUTTI_EVERY_RANKS; p <= (uint64_t)range->max_ranks; p *= 2)
    add_around(points, p);
  for (int i = 0; range->map && i < range->map->ranks_count; i++)
    add_around(points, (uint64_t)range->map->ranks[i]);
  for (size_t i = 0; i < sweep->count; i++) {
    add_around(points, sweep->items[i]->ranks[0]);
    add_around(points, sweep->items[i]->ranks[1]);
  }
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    struct test test = {.question = {(tutti_collective)c, 2, range->ranks_per_node, 1}, .of_ranks = true};
    add_tests(points, tree_of(decision, (tutti_collective)c), &test, 2, (uint64_t)range->max_ranks + 1);
  }
  add_breakpoint(points, (uint64_t)range->min_ranks);
  add_breakpoint(points, (uint64_t)range->max_ranks);
  normalize(points, (uint64_t)range->min_ranks, (uint64_t)range->max_ranks);
}
