/* Points at which the rules of tuning files begin and end, and some within. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "tutti/tuning_comparison.h"

static void add_size(tutti_sweep *sweep, uint64_t size)
{
  sweep->sizes = tutti_xrealloc(sweep->sizes, ((size_t)sweep->size_count + 1) * sizeof *sweep->sizes);
  sweep->sizes[sweep->size_count++] = size;
}

static void sort_sizes(tutti_sweep *sweep)
{
  sweep->size_count = (int)tutti_numbers_unique(sweep->sizes, (size_t)sweep->size_count);
}

void tutti_experiment_add_sweep(tutti_experiment *experiment, const tutti_sweep *sweep)
{
  experiment->sweeps =
      tutti_xrealloc(experiment->sweeps, ((size_t)experiment->sweep_count + 1) * sizeof *experiment->sweeps);
  experiment->sweeps[experiment->sweep_count++] = *sweep;
}

/* ---- within rules ---- */

uint64_t tutti_size_between(uint64_t low, uint64_t high)
{
  uint64_t middle = (uint64_t)sqrt((double)(low ? low : 1) * (double)high);
  if (middle >= 64)
    middle -= middle % 8; /* whole elements */
  while (middle <= low || tutti_is_power_of_two(middle))
    middle += middle / 2 ? middle / 2 : 1;
  return middle < high ? middle : 0;
}

/* The sizes of a rule, but for those outside of the sweep. */
struct rule {
  uint64_t first, last;
};

/* The sizes at which the library left alone changes its choice. */
static void add_own_changes(const tutti_tuning *untuned, const struct rule *rule, tutti_sweep *sweep)
{
  tutti_explained_call call = {.collective = sweep->collective, .ranks = sweep->ranks[0], .rank_bytes = rule->first};
  tutti_explanation own;
  bool found = false;
  while (tutti_explain_next(untuned, &call, true, &found, &call.rank_bytes, &own, NULL) == TUTTI_OK && found &&
         call.rank_bytes <= rule->last)
    add_size(sweep, call.rank_bytes);
}

/* Add a size between two that are far apart; false: no two are, or nothing fits between. */
static bool add_between_far(const struct rule *rule, tutti_sweep *sweep)
{
  for (int i = 0; i + 1 < sweep->size_count; i++) {
    const uint64_t low = sweep->sizes[i], high = sweep->sizes[i + 1], middle = tutti_size_between(low, high);
    if (low < rule->first || high > rule->last || high / TUTTI_FAR_SIZE < (low ? low : 1) || !middle)
      continue;
    add_size(sweep, middle);
    return true;
  }
  return false;
}

/* True if a size within the rule is no power of two. Libraries, protocols and caches treat powers of two alike. */
static bool has_uneven(const struct rule *rule, const tutti_sweep *sweep)
{
  for (int i = 0; i < sweep->size_count; i++)
    if (sweep->sizes[i] > rule->first && sweep->sizes[i] < rule->last && !tutti_is_power_of_two(sweep->sizes[i]))
      return true;
  return false;
}

static void add_rule(const tutti_tuning *untuned, const struct rule *rule, tutti_sweep *sweep)
{
  const uint64_t middle = tutti_size_between(rule->first, rule->last);
  add_size(sweep, rule->first);
  add_size(sweep, rule->last);
  if (untuned)
    add_own_changes(untuned, rule, sweep);
  sort_sizes(sweep);
  while (add_between_far(rule, sweep))
    sort_sizes(sweep);
  if (middle && !has_uneven(rule, sweep))
    add_size(sweep, middle);
  sort_sizes(sweep);
}

/* Add the sizes of each rule for the communicator of the sweep, between its smallest and largest size. */
static void add_rules(const tutti_step_table *table, const tutti_tuning *untuned, tutti_sweep *sweep)
{
  const uint64_t low = sweep->sizes[0], high = sweep->sizes[sweep->size_count - 1];
  const tutti_step_row *row = &table->rows[0];
  for (int i = 1; i < table->row_count && table->rows[i].ranks <= sweep->ranks[0]; i++)
    row = &table->rows[i];
  for (int i = 0; i < row->count; i++) {
    const uint64_t first = row->steps[i].bytes, last = i + 1 < row->count ? row->steps[i + 1].bytes - 1 : UINT64_MAX;
    const struct rule rule = {first < low ? low : first, last > high ? high : last};
    if (row->steps[i].method >= 0 && rule.first <= rule.last)
      add_rule(untuned, &rule, sweep);
  }
}

/* The part of a sweep with one number of ranks. */
static tutti_sweep sweep_of(const tutti_sweep *all, const int *ranks)
{
  tutti_sweep sweep = *all;
  sweep.ranks_count = 1;
  sweep.ranks = tutti_xmemdup(ranks, sizeof *ranks);
  sweep.methods = tutti_xmemdup(all->methods, sizeof *all->methods);
  sweep.sizes = tutti_xmemdup(all->sizes, (size_t)all->size_count * sizeof *all->sizes);
  return sweep;
}

/* True if two rows have the same methods in the same order. Bounds of totals depend on the number of ranks. */
static bool same_methods(const tutti_step_row *left, const tutti_step_row *right)
{
  bool same = left->count == right->count;
  for (int i = 0; same && i < left->count; i++)
    same = left->steps[i].method == right->steps[i].method;
  return same;
}

/* The first number of ranks of each block of rules that lies between those of the sweep. */
static void add_blocks(const tutti_step_table *table, tutti_sweep *all)
{
  const int low = all->ranks[0], high = all->ranks[all->ranks_count - 1];
  int count = all->ranks_count;
  all->ranks = tutti_xrealloc(all->ranks, (size_t)(count + table->row_count + 1) * sizeof *all->ranks);
  for (int i = 1; i < table->row_count; i++)
    if (table->rows[i].ranks > low && table->rows[i].ranks < high &&
        !same_methods(&table->rows[i - 1], &table->rows[i]))
      all->ranks[count++] = table->rows[i].ranks;
  all->ranks_count = (int)tutti_ints_unique(all->ranks, (size_t)count);
}

void tutti_experiment_add_edges(tutti_experiment *experiment, tutti_sweep *all, const tutti_file_rules files[2])
{
  for (int side = 0; side < 2; side++)
    add_blocks(&files[side].table, all);
  for (int i = 0; i < all->ranks_count; i++) {
    tutti_sweep sweep = sweep_of(all, &all->ranks[i]);
    for (int side = 0; side < 2; side++)
      if (files[side].table.row_count > 0)
        add_rules(&files[side].table, files[side].untuned, &sweep);
    tutti_experiment_add_sweep(experiment, &sweep);
  }
  free(all->ranks);
  free(all->sizes);
  free(all->methods);
}
