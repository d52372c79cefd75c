/* Down the branches of a node, one after the other, within its range of the permuted cases:
 *
 *     U B0 B1 B2    cases by outcome, U unknown
 *    [U B0]B1 B2    branch 0 works on U B0, U with a share of its weight
 *     B0[U B1]B2    then U moves on
 *
 * so that afterwards the range holds the same cases again, in another order. The weights of U are kept aside: dividing
 * by the share would not give back the same numbers. */
#include <string.h>

#include "base/memory.h"
#include "decision/learners/c45/learner.h"
#include "decision/trees/trees.h"

/* -1: unknown. */
static int outcome(const c45_learner *l, const tutti_node *node, uint32_t item)
{
  double value = l->cases->values[node->attribute][item];
  return isnan(value) ? -1 : classify_branch(node, value);
}

static void push_shares(c45_learner *l, int count)
{
  for (int i = 0; i < count; i++)
    tutti_xpush(&l->shares, (c45_share){0});
}

static void save_weights(c45_learner *l, size_t first, size_t count)
{
  for (size_t i = first; i < first + count; i++)
    tutti_xpush(&l->saved, ((c45_saved){l->items[i], c45_weight(l, l->items[i])}));
}

static void count_outcomes(c45_learner *l, c45_descent *d)
{
  const tutti_node *node = &l->tree->nodes[d->node];
  c45_share *shares = l->shares.items + d->share;
  for (size_t i = d->range.first; i < d->range.end; i++) {
    int branch = outcome(l, node, l->items[i]);
    l->branches[i] = branch;
    l->scratch[i] = l->items[i];
    d->unknown += branch < 0;
    if (branch >= 0) {
      shares[branch].count++;
      shares[branch].weight += c45_weight(l, l->items[i]);
    }
  }
}

/* Stable: equal cases stay in the order of the training data, which keeps memory accesses in order, too. */
static void order_outcomes(c45_learner *l, c45_descent *d)
{
  c45_share *shares = l->shares.items + d->share;
  size_t unknown = d->range.first, at = d->range.first + d->unknown;
  for (int b = 0; b < l->tree->nodes[d->node].branch_count; b++) {
    shares[b].at = at;
    at += shares[b].count;
    d->known += shares[b].weight;
    d->any_known = d->any_known || shares[b].count > 0;
  }
  for (size_t i = d->range.first; i < d->range.end; i++) {
    int branch = l->branches[i];
    l->items[branch < 0 ? unknown++ : shares[branch].at++] = l->scratch[i];
  }
}

/* The same for a threshold where all values are known, the most frequent case: in one pass. */
static void order_by_threshold(c45_learner *l, c45_descent *d)
{
  const tutti_node *node = &l->tree->nodes[d->node];
  const uint32_t *ranks = l->columns[node->attribute].ranks;
  uint32_t above = tutti_c45_ranks_up_to(&l->columns[node->attribute], node->threshold);
  c45_share *shares = l->shares.items + d->share;
  size_t low = d->range.first, high = 0;
  for (size_t i = d->range.first; i < d->range.end; i++) {
    uint32_t item = l->items[i];
    bool is_above = ranks[item] >= above;
    l->items[low] = item; /* overwritten unless it is below */
    l->scratch[high] = item;
    low += !is_above;
    high += is_above;
    shares[is_above].weight += c45_weight(l, item);
  }
  memcpy(l->items + low, l->scratch, high * sizeof *l->items);
  shares[0].count = low - d->range.first;
  shares[1].count = high;
  d->known = shares[0].weight + shares[1].weight;
  d->any_known = true;
}

void tutti_c45_descend(c45_learner *l, int node, c45_range range, c45_descent *d)
{
  *d = (c45_descent){.l = l, .node = node, .branch = -1, .range = range, .at = range.first, .share = l->shares.count};
  d->saved = l->saved.count;
  const tutti_node *test = &l->tree->nodes[node];
  push_shares(l, test->branch_count);
  if (!test->branch_of && l->columns[test->attribute].complete) {
    order_by_threshold(l, d);
    return;
  }
  count_outcomes(l, d);
  order_outcomes(l, d);
  save_weights(l, range.first, d->unknown);
}

static void restore_weights(c45_descent *d)
{
  for (size_t i = d->saved; i < d->saved + d->unknown; i++)
    d->l->weights[d->l->saved.items[i].item] = d->l->saved.items[i].weight;
}

/* Move the cases of the current branch before those that are unknown. */
static void step_over(c45_descent *d)
{
  c45_learner *l = d->l;
  size_t count = l->shares.items[d->share + (size_t)d->branch].count;
  size_t end = d->at + d->unknown + count, front = d->at, back = 0;
  const double *values = l->cases->values[l->tree->nodes[d->node].attribute];
  d->at += count;
  if (d->unknown == 0 || count == 0)
    return;
  for (size_t i = front; i < end; i++)
    if (isnan(values[l->items[i]]))
      l->scratch[back++] = l->items[i];
    else
      l->items[front++] = l->items[i];
  for (size_t i = 0; i < back; i++)
    l->items[front + i] = l->scratch[i];
}

/* If nothing is known about any case, all branches get the same. */
static double share_of(const c45_descent *d)
{
  const c45_share *share = &d->l->shares.items[d->share + (size_t)d->branch];
  return d->any_known ? share->weight / d->known : 1.0 / d->l->tree->nodes[d->node].branch_count;
}

bool tutti_c45_next_branch(c45_descent *d, c45_range *range)
{
  c45_learner *l = d->l;
  if (d->branch >= 0) {
    restore_weights(d);
    step_over(d);
  }
  if (++d->branch == l->tree->nodes[d->node].branch_count) {
    l->shares.count = d->share;
    l->saved.count = d->saved;
    return false;
  }
  size_t count = l->shares.items[d->share + (size_t)d->branch].count;
  bool empty = d->any_known && count == 0;
  *range = (c45_range){d->at, empty ? d->at : d->at + d->unknown + count};
  double share = share_of(d);
  for (size_t i = d->saved; !empty && i < d->saved + d->unknown; i++)
    l->weights[l->saved.items[i].item] *= share;
  return true;
}
