/* The two k-nomial trees, on virtual ranks. Arithmetic that may exceed the largest int uses 64 bits. */
#include "algorithms/catalogue/shared/knomial.h"

#include <stdint.h>

/* ---- k-nomial (MPICH's knomial_2; Open MPI's knomial but for the order of the children with one digit), and the
   in-order binomial as its case k = 2 ----

   In base k, v has its parent where its lowest nonzero digit is cleared; its children set one of the zero digits below
   that. The subtree of the child v + d k^j is the range [v + d k^j, v + (d+1) k^j). The largest come first. */

static int64_t lowest_digit(int64_t v, int size, int k)
{
  int64_t place = 1;
  while (place < size && (v == 0 || v % (place * k) == 0))
    place *= k;
  return place;
}

int tutti_knomial_parent(int v, int size, int k)
{
  int64_t place = lowest_digit(v, size, k);
  return (int)(v - v % (place * k));
}

/* Number of children v + d * place that exist. */
static int children_at(int64_t v, int64_t place, int size, int k)
{
  int64_t room = (size - 1 - v) / place;
  return (int)(room < k - 1 ? room : k - 1);
}

int tutti_knomial_child_count(int v, int size, int k)
{
  int count = 0;
  for (int64_t place = lowest_digit(v, size, k) / k; place >= 1; place /= k)
    count += children_at(v, place, size, k);
  return count;
}

int tutti_knomial_child(int v, int index, int size, int k)
{
  int64_t place = lowest_digit(v, size, k) / k;
  for (; index >= children_at(v, place, size, k); place /= k)
    index -= children_at(v, place, size, k);
  return (int)(v + (children_at(v, place, size, k) - index) * place);
}

/* ---- k-nomial of type 1 (MPICH's knomial_1): the k-nomial tree numbered from the top, each node before its subtree --

   A node of height h has k - 1 children of each height h - 1, ..., 0, in this order; a node of height i and what is
   below it are the k^i ranks that begin with it. The root's height is the number of digits of size - 1 in base k.

       size 8, k 2:   0 -> 1 5 7      1 -> 2 4      2 -> 3      5 -> 6 */

struct subtree {
  int64_t first;  /* its root */
  int64_t ranks;  /* of the full subtree: k^height */
  int64_t parent; /* of its root, or -1 */
};

/* Leave out the children of one subtree up to the one that has v below it, and go down to that. */
static void descend(struct subtree *t, int64_t v, int k)
{
  int64_t child = t->first + 1, ranks = t->ranks / k;
  while (v - child >= (k - 1) * ranks) {
    child += (k - 1) * ranks;
    ranks /= k;
  }
  *t = (struct subtree){.first = child + (v - child) / ranks * ranks, .ranks = ranks, .parent = t->first};
}

static struct subtree knomial_1_subtree(int v, int size, int k)
{
  struct subtree t = {.ranks = 1, .parent = -1};
  while (t.ranks < size)
    t.ranks *= k;
  while (t.first != v)
    descend(&t, v, k);
  return t;
}

int tutti_knomial_1_parent(int v, int size, int k)
{
  return (int)knomial_1_subtree(v, size, k).parent;
}

/* Children that are full subtrees of @p ranks ranks, `child` being the first: how many of them begin below the size. */
static int children_from(int64_t child, int64_t ranks, int size, int k)
{
  int64_t begin = child < size ? (size - 1 - child) / ranks + 1 : 0;
  return (int)(begin < k - 1 ? begin : k - 1);
}

int tutti_knomial_1_child_count(int v, int size, int k)
{
  struct subtree t = knomial_1_subtree(v, size, k);
  int64_t child = t.first + 1;
  int count = 0;
  for (int64_t ranks = t.ranks / k; ranks >= 1; child += (k - 1) * ranks, ranks /= k)
    count += children_from(child, ranks, size, k);
  return count;
}

int tutti_knomial_1_child(int v, int index, int size, int k)
{
  struct subtree t = knomial_1_subtree(v, size, k);
  int64_t child = t.first + 1, ranks = t.ranks / k;
  for (; index >= k - 1; index -= k - 1, ranks /= k)
    child += (k - 1) * ranks;
  return (int)(child + index * ranks);
}
