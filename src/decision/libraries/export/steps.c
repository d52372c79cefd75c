/* Step tables: where the answers of a decision change, to the byte. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "decision/libraries/export/breakpoints.h"
#include "decision/libraries/export/export.h"

/* ---- asking ---- */

enum { MAX_ASKED = 20000000 };

struct asking {
  const tutti_decision *decision;
  const tutti_range *range;
  tutti_step_table *table;
  tutti_question question;
  const struct breakpoints *sizes; /* for all rows */
  struct breakpoints row;          /* for the row in hand */
  struct sweep sweep;
  size_t asked; /* breakpoints, of all rows */
  tutti_error *error;
  tutti_status status; /* the first failure */
};

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
  return tutti_step_table_method(asking->table, &method);
}

static void add_step(struct asking *asking, tutti_step_row *row, uint64_t bytes, int method)
{
  if (row->count == TUTTI_MAX_STEPS) {
    asking->status =
        tutti_fail(asking->error, TUTTI_ERR_ARGUMENT, "%s has more than %d steps over the message sizes of %d ranks",
                   asking->decision->name, TUTTI_MAX_STEPS, asking->question.ranks);
    return;
  }
  row->steps = tutti_xroom(row->steps, (size_t)row->count, sizeof *row->steps);
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
  tutti_breakpoints_of_row(&asking->row, asking->sizes, &asking->sweep, asking->decision, &asking->question);
  asking->asked += sizes->count;
  if (asking->asked > MAX_ASKED)
    asking->status = tutti_fail(asking->error, TUTTI_ERR_ARGUMENT,
                                "%s has more than %d pairs of ranks and message sizes where %s may change",
                                asking->decision->name, MAX_ASKED, tutti_collective_name(asking->question.collective));
  if (asking->status != TUTTI_OK)
    return;
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
  tutti_begin_sweep(&asking->sweep, asking->decision, asking->question.collective);
  tutti_breakpoints_of_ranks(ranks, &asking->sweep, asking->decision, asking->range);
  tutti_breakpoints_of_sizes(sizes, asking->decision, asking->range);
  asking->sizes = sizes;
  asking->table->rows = tutti_xcalloc(ranks->count + 2, sizeof *asking->table->rows);
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
  free(asking.sweep.items);
  free(asking.sweep.met.items);
  free(ranks.items);
  free(sizes.items);
  if (status != TUTTI_OK)
    tutti_step_table_free(table);
  return status;
}
