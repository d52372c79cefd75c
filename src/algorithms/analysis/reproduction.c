/* Proof of reproducibility classes: the trees of operands of calls that differ in what a class must not depend on. */
#include "algorithms/analysis/reproduction.h"

#include <stdarg.h>
#include <stdio.h>

void tutti_reproduction_refute(struct proof *p, unsigned class, bool sums, const char *format, ...)
{
  tutti_reproduction *result = p->result;
  char *why = result->why[__builtin_ctz(class)];
  if (sums ? result->sums & class : !*why) {
    va_list arguments;
    va_start(arguments, format);
    const int length = snprintf(why, TUTTI_REPRODUCTION_LENGTH, "%d ranks: ", p->call.size);
    vsnprintf(why + length, (size_t)(TUTTI_REPRODUCTION_LENGTH - length), format, arguments);
    va_end(arguments);
  }
  result->any &= ~class;
  result->sums &= ~(sums ? class : 0);
}

/* A rank's element, in words. */
struct element {
  int rank;
  uint64_t index, count; /* of the message */
};

/* Refute a class unless two trees are equal. */
static void need_equal(struct proof *p, unsigned class, tutti_symbol tree, tutti_symbol other, struct element at,
                       const char *than)
{
  if (!tutti_symbol_equal(tree, other))
    tutti_reproduction_refute(p, class, tree.scale != other.scale,
                              "element %llu of %llu of rank %d, root %d, is combined in another order than %s",
                              (unsigned long long)at.index, (unsigned long long)at.count, at.rank, p->call.root, than);
}

/* The tree that the aligned class needs at a rank. */
static tutti_symbol aligned_at(const struct proof *p, int rank)
{
  switch (p->method.algorithm->collective) {
  case TUTTI_COLL_SCAN:
    return p->aligned[rank + 1];
  case TUTTI_COLL_EXSCAN:
    return p->aligned[rank];
  default:
    return p->aligned[p->call.size];
  }
}

static void check_elements(struct proof *p, const struct operand_trees *trees, int rank)
{
  const bool all = p->method.algorithm->collective == TUTTI_COLL_ALLREDUCE;
  const size_t first = trees->first[rank], count = trees->first[rank + 1] - first;
  for (size_t i = 0; i < count; i++) {
    const struct element at = {rank, i, count};
    const tutti_symbol tree = trees->tree[first + i];
    if (all)
      need_equal(p, TUTTI_REPRODUCIBLE_RANKS, tree, trees->tree[i], at, "that of rank 0");
    if (p->first[rank].hash == 0)
      p->first[rank] = tree;
    need_equal(p, TUTTI_REPRODUCIBLE_SIZE, tree, p->first[rank], at, "element 0 of a shorter message");
    need_equal(p, TUTTI_REPRODUCIBLE_ALIGNED, tree, aligned_at(p, rank), at, "the aligned tree");
  }
}

void tutti_reproduction_check(struct proof *p, const struct operand_trees *trees)
{
  if (trees->race.status != TUTTI_OK)
    tutti_reproduction_refute(p, TUTTI_REPRODUCIBLE_ARRIVAL, true, "%s", trees->race.message);
  for (int r = 0; r < trees->size; r++)
    check_elements(p, trees, r);
}

void tutti_reproduction_check_row(struct proof *p, const struct operand_trees *trees, uint64_t operands)
{
  const tutti_symbol aligned = tutti_tree_aligned(operands);
  for (int r = 0; r < trees->size; r++)
    for (size_t i = trees->first[r]; i < trees->first[r + 1]; i++)
      if (!tutti_symbol_equal(trees->tree[i], aligned))
        tutti_reproduction_refute(p, TUTTI_REPRODUCIBLE_DISTRIBUTION, trees->tree[i].scale != aligned.scale,
                                  "%llu numbers in a row: not the aligned tree at rank %d",
                                  (unsigned long long)operands, r);
}

void tutti_reproduction_compare(struct proof *p, const struct operand_trees *trees, const struct operand_trees *others)
{
  for (int r = 0; r < trees->size; r++)
    for (size_t i = trees->first[r]; i < trees->first[r + 1]; i++)
      need_equal(p, TUTTI_REPRODUCIBLE_NODES, others->tree[i], trees->tree[i],
                 (struct element){r, i - trees->first[r], trees->first[r + 1] - trees->first[r]},
                 "with the ranks on other nodes");
}
