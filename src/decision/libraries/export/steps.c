/* Step tables: where the answers of a decision change, to the byte. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/vector.h"
#include "decision/libraries/export/export.h"
#include "tutti/decision_tree.h"

/* ---- breakpoints: where a decision is looked at, ascending numbers of bytes, or of ranks ---- */

struct breakpoints {
  TUTTI_VECTOR(uint64_t);
  bool failed; /* for want of memory */
};

static void add(struct breakpoints *points, uint64_t value)
{
  points->failed = points->failed || !tutti_vector_push(points, value);
}

/* A value and its neighbors. */
static void add_around(struct breakpoints *points, uint64_t value)
{
  if (value > 0)
    add(points, value - 1);
  add(points, value);
  if (value < UINT64_MAX)
    add(points, value + 1);
}

/* Sort, drop repetitions and points outside of min..max. */
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

/* The change between low and high, if there is exactly one. */
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

/* Message sizes that matter to communicators of any size; then those that matter to one, which tests of trees depend
   on, beside them. */
static void breakpoints_of_row(struct breakpoints *points, const struct breakpoints *sizes,
                               const tutti_decision *decision, const tutti_question *question)
{
  struct test test = {.question = *question};
  points->count = 0;
  for (size_t i = 0; i < sizes->count; i++)
    add(points, sizes->items[i]);
  add_tests(points, tree_of(decision, question->collective), &test, 1, UINT64_MAX);
  if (!points->failed)
    normalize(points, 0, UINT64_MAX);
}

static void breakpoints_of_sizes(struct breakpoints *points, const tutti_decision *decision, const tutti_range *range)
{
  const tutti_rule *rule;
  add(points, 0);
  add(points, UINT64_MAX);
  for (int bit = 0; bit < 63; bit++)
    add(points, UINT64_C(1) << bit);
  for (int i = 0; range->map && i < range->map->size_count; i++)
    add(points, range->map->sizes[i]);
  for (size_t i = 0; (rule = tutti_decision_rule_at(decision, i)); i++) {
    add_around(points, rule->bytes[0]);
    add_around(points, rule->bytes[1]);
  }
  add_around(points, range->min_bytes);
  add_around(points, range->max_bytes);
  if (!points->failed)
    normalize(points, 0, UINT64_MAX);
}

/* Communicator sizes of a range. */
static void breakpoints_of_ranks(struct breakpoints *points, const tutti_decision *decision, const tutti_range *range)
{
  const tutti_rule *rule;
  for (int p = range->min_ranks; p <= range->max_ranks && p <= TUTTI_EVERY_RANKS; p++)
    add(points, (uint64_t)p);
  for (uint64_t p = TUTTI_EVERY_RANKS; p <= (uint64_t)range->max_ranks; p *= 2)
    add_around(points, p);
  for (int i = 0; range->map && i < range->map->ranks_count; i++)
    add_around(points, (uint64_t)range->map->ranks[i]);
  for (size_t i = 0; (rule = tutti_decision_rule_at(decision, i)); i++) {
    add_around(points, rule->ranks[0]);
    add_around(points, rule->ranks[1]);
  }
  for (int c = 0; c < TUTTI_COLL_COUNT; c++) {
    struct test test = {.question = {(tutti_collective)c, 2, range->ranks_per_node, 1}, .of_ranks = true};
    add_tests(points, tree_of(decision, (tutti_collective)c), &test, 2, (uint64_t)range->max_ranks + 1);
  }
  add(points, (uint64_t)range->min_ranks);
  add(points, (uint64_t)range->max_ranks);
  if (!points->failed)
    normalize(points, (uint64_t)range->min_ranks, (uint64_t)range->max_ranks);
}

/* ---- asking ---- */

struct asking {
  const tutti_decision *decision;
  const tutti_range *range;
  tutti_step_table *table;
  tutti_question question;
  const struct breakpoints *sizes; /* for all rows */
  struct breakpoints row;          /* for the row in hand */
  tutti_error *error;
  tutti_status status; /* the first failure */
};

static int index_of(struct asking *asking, const tutti_method *method)
{
  int index = tutti_step_table_method(asking->table, method);
  if (index < 0)
    asking->status = tutti_fail(asking->error, TUTTI_ERR_MEMORY, "out of memory for a table of steps");
  return index;
}

/* The method that serves where the decision picks a method: nodes, which are levels, count as known, operations as
   commutative. */
static tutti_method serving(const tutti_method *method, int ranks)
{
  const int node = 0;
  tutti_call call = {.size = ranks,
                     .count = (uint64_t)ranks,
                     .type_size = 1,
                     .commutative = true,
                     .nodes = &node,
                     .levels = {{.width = 1}},
                     .level_count = 1};
  return tutti_method_serving(method, &call);
}

static int ask(struct asking *asking, uint64_t bytes)
{
  const tutti_range *range = asking->range;
  tutti_method method;
  if (!range->extend && (bytes < range->min_bytes || bytes > range->max_bytes))
    return -1;
  asking->question.rank_bytes = bytes;
  if (!asking->decision->decide(asking->decision, &asking->question, &method))
    return -1;
  if (range->map && method.algorithm->domain & TUTTI_NEEDS_TORUS) /* no call has its sides */
    tutti_decision_map_tell(range->map, asking->question.ranks, &method);
  method = serving(&method, asking->question.ranks);
  return index_of(asking, &method);
}

static void add_step(struct asking *asking, tutti_step_row *row, uint64_t bytes, int method)
{
  if (row->count == TUTTI_MAX_STEPS) {
    asking->status =
        tutti_fail(asking->error, TUTTI_ERR_ARGUMENT, "%s has more than %d steps over the message sizes of %d ranks",
                   asking->decision->name, TUTTI_MAX_STEPS, asking->question.ranks);
    return;
  }
  if ((row->count & (row->count - 1)) == 0) {
    tutti_step *grown = reallocarray(row->steps, row->count ? 2 * (size_t)row->count : 1, sizeof *grown);
    if (!grown) {
      asking->status = tutti_fail(asking->error, TUTTI_ERR_MEMORY, "out of memory for a table of steps");
      return;
    }
    row->steps = grown;
  }
  row->steps[row->count++] = (tutti_step){bytes, method};
}

/* All changes after `low`, where the answer is `method`, up to and with `high`. */
static void find_changes(struct asking *asking, tutti_step_row *row, uint64_t low, uint64_t high, int method)
{
  int last = ask(asking, high);
  while (asking->status == TUTTI_OK && last != method) {
    uint64_t before = low, after = high;
    int beyond = last;
    while (after - before > 1) {
      uint64_t middle = before + (after - before) / 2;
      int answer = ask(asking, middle);
      if (answer == method)
        before = middle;
      else {
        after = middle;
        beyond = answer;
      }
    }
    add_step(asking, row, after, beyond);
    low = after;
    method = beyond;
  }
}

static void find_row(struct asking *asking, int ranks, tutti_step_row *row)
{
  const struct breakpoints *sizes = &asking->row;
  *row = (tutti_step_row){.ranks = ranks};
  asking->question.ranks = ranks;
  breakpoints_of_row(&asking->row, asking->sizes, asking->decision, &asking->question);
  if (asking->row.failed) {
    asking->status = tutti_fail(asking->error, TUTTI_ERR_MEMORY, "out of memory for a table of steps");
    return;
  }
  add_step(asking, row, 0, ask(asking, 0));
  for (size_t i = 1; i < sizes->count && asking->status == TUTTI_OK; i++)
    find_changes(asking, row, sizes->items[i - 1], sizes->items[i], row->steps[row->count - 1].method);
}

/* A row in which nothing is claimed. */
static void blank_row(struct asking *asking, int ranks)
{
  tutti_step_row *row = &asking->table->rows[asking->table->row_count++];
  *row = (tutti_step_row){.ranks = ranks};
  add_step(asking, row, 0, -1);
}

/* The last row holds for all larger communicators. That of two ranks cannot: they have algorithms of their own. */
static void find_rows(struct asking *asking, const struct breakpoints *ranks)
{
  const tutti_range *range = asking->range;
  tutti_step_table *table = asking->table;
  if (!range->extend && range->min_ranks > 1)
    blank_row(asking, 1);
  for (size_t i = 0; i < ranks->count && asking->status == TUTTI_OK; i++)
    find_row(asking, (int)ranks->items[i], &table->rows[table->row_count++]);
  if (range->max_ranks == INT_MAX || asking->status != TUTTI_OK)
    return;
  if (!range->extend)
    blank_row(asking, range->max_ranks + 1);
  else if (range->max_ranks == 2)
    find_row(asking, 3, &table->rows[table->row_count++]);
}

static tutti_status create(struct asking *asking, struct breakpoints *ranks, struct breakpoints *sizes)
{
  breakpoints_of_ranks(ranks, asking->decision, asking->range);
  breakpoints_of_sizes(sizes, asking->decision, asking->range);
  asking->sizes = sizes;
  if (!ranks->failed && !sizes->failed)
    asking->table->rows = calloc(ranks->count + 2, sizeof *asking->table->rows);
  if (!asking->table->rows)
    return tutti_fail(asking->error, TUTTI_ERR_MEMORY, "out of memory for a table of steps");
  find_rows(asking, ranks);
  return asking->status;
}

tutti_status tutti_step_table_create(const tutti_decision *decision, tutti_collective collective,
                                     const tutti_range *range, tutti_step_table *table, tutti_error *error)
{
  struct breakpoints ranks = {0}, sizes = {0};
  struct asking asking = {.decision = decision,
                          .range = range,
                          .table = table,
                          .question = {.collective = collective, .ranks_per_node = range->ranks_per_node},
                          .error = error};
  *table = (tutti_step_table){.collective = collective, .ranks_per_node = range->ranks_per_node};
  if (range->min_ranks < 1 || range->max_ranks < range->min_ranks || range->max_bytes < range->min_bytes)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "the range of %d to %d ranks, or of their message sizes, is empty",
                      range->min_ranks, range->max_ranks);
  tutti_status status = create(&asking, &ranks, &sizes);
  free(asking.row.items);
  free(ranks.items);
  free(sizes.items);
  if (status != TUTTI_OK)
    tutti_step_table_free(table);
  return status;
}
