/* Senders and receivers of an exchange, by arithmetic. No MPI. */
#ifndef TUTTI_SORT_ASSIGNMENT_H
#define TUTTI_SORT_ASSIGNMENT_H

#include <stdbool.h>

#include "tutti/sort.h"

/* All elements of a sort, by their places. */
struct sort_places {
  uint64_t n;
  int p;
};

/* Places low .. high - 1. */
struct sort_interval {
  uint64_t low, high;
};

static inline uint64_t sort_length(struct sort_interval interval)
{
  return interval.high - interval.low;
}

/* The places of an interval that a process owns; empty ones have low == high. */
struct sort_interval tutti_sort_share(const struct sort_places *places, struct sort_interval of, int process);

/* The processes that own places of a nonempty interval: *first and the following ones; returns their number. */
int tutti_sort_members(const struct sort_places *places, struct sort_interval of, int *first);

/* The longest prefix of an interval with one owner, which becomes *owner; the interval keeps the rest. This cuts
   elements for consecutive places into messages: the greedy assignment. */
struct sort_interval tutti_sort_next_piece(const struct sort_places *places, struct sort_interval *rest, int *owner);

/*
 * The deterministic assignment: at most eight messages to and from each process, for any pivot.
 *
 * Greedy assignment fills places in the order of their sources. A process cannot send to many others, as its elements
 * meet few shares; but many small pieces may come to one. The assignment of Axtmann and Sanders (2017) spreads small
 * pieces evenly over a group; it requires groups of fixed sizes. Here the groups follow the
 * pivot, and if of g processes each has one element that is less than the pivot, these g elements must come to g p / n
 * processes: no assignment that sends each piece directly needs only eight messages. So small pieces are combined
 * on their way.
 *
 * With b = floor(n / p) the threshold is t = ceil(b / 3). The processes of a task are the leaves of a binary tree in
 * order. A process passes its elements of a side, if they are fewer than t, to the inner node above it; an inner node
 * keeps the elements of a side that come from its two children if they are at least t, and passes them on if fewer.
 * Process i is the inner node whose first half of leaves ends with process i, so each process except the
 * last is one inner node; the last takes the part of the root, so that the rest there is the end of its side.
 * Then the places are filled greedily. Of each side each process has none or at least t elements (the last may have
 * fewer), so
 *  - a share of s places of one side meets at most floor((s - 2) / t) + 2 pieces; a process with shares of both sides,
 *    which are at most b + 1 together, at most 2 + 4; and two messages come from the children: eight;
 *  - a process has at most b + 1 + 4 (t - 1) elements then, which meet at most six shares (an interior one has at least
 *    b places); and two messages go up, as leaf and as inner node: eight.
 * That is for shares as they are from the first exchange on; an input that is not balanced takes more sends in the
 * first one, but no more receives.
 */
uint64_t tutti_sort_threshold(const struct sort_places *places);

/* The part of a process in the tree of a group. */
struct sort_node {
  int leaf_parent; /* receives its small pieces */
  bool inner;      /* it is an inner node, with these: */
  int children[2]; /* processes that pass pieces to it; itself: as a leaf */
  int parent;      /* -1: it is the root */
};

/* The node of process `rank` in a group of size >= 2. */
struct sort_node tutti_sort_node(int size, int rank);

/* Whether a node keeps `count` elements of a side. */
static inline bool tutti_sort_keeps(const struct sort_node *node, uint64_t threshold, uint64_t count)
{
  return count >= threshold || node->parent < 0;
}

#endif
