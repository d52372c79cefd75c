/* Binomial and k-nomial trees. */
#include <stdint.h>

#include "algorithms/tree_shapes.h"

/* ---- binomial: in round j every v < 2^j sends to v + 2^j ---- */

static int64_t first_round(int64_t v)
{
  int64_t bit = 1;
  while (bit <= v)
    bit *= 2;
  return bit;
}

static int binomial_parent(int v, int size, int k)
{
  (void)size, (void)k;
  return (int)(v - first_round(v) / 2);
}

static int binomial_child_count(int v, int size, int k)
{
  (void)k;
  int count = 0;
  for (int64_t bit = first_round(v); v + bit < size; bit *= 2)
    count++;
  return count;
}

static int binomial_child(int v, int index, int size, int k)
{
  (void)size, (void)k;
  return (int)(v + (first_round(v) << index));
}

/* ---- k-nomial, and the in-order binomial as its case k = 2 ----

   In base k, v has its parent where its lowest nonzero digit is cleared; its children set one of the zero digits below
   that. The subtree of the child v + d k^j is the range [v + d k^j, v + (d+1) k^j). The largest come first. */

static int64_t lowest_digit(int64_t v, int size, int k)
{
  int64_t place = 1;
  while (place < size && (v == 0 || v % (place * k) == 0))
    place *= k;
  return place;
}

static int knomial_parent(int v, int size, int k)
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

static int knomial_child_count(int v, int size, int k)
{
  int count = 0;
  for (int64_t place = lowest_digit(v, size, k) / k; place >= 1; place /= k)
    count += children_at(v, place, size, k);
  return count;
}

static int knomial_child(int v, int index, int size, int k)
{
  int64_t place = lowest_digit(v, size, k) / k;
  for (; index >= children_at(v, place, size, k); place /= k)
    index -= children_at(v, place, size, k);
  return (int)(v + (children_at(v, place, size, k) - index) * place);
}

static int in_order_binomial_parent(int v, int size, int k)
{
  (void)k;
  return knomial_parent(v, size, 2);
}

static int in_order_binomial_child_count(int v, int size, int k)
{
  (void)k;
  return knomial_child_count(v, size, 2);
}

static int in_order_binomial_child(int v, int index, int size, int k)
{
  (void)k;
  return knomial_child(v, index, size, 2);
}

const struct tree_shape tutti_shape_binomial = {"binomial", 0, binomial_parent, binomial_child_count, binomial_child};
const struct tree_shape tutti_shape_in_order_binomial = {"in-order-binomial", 0, in_order_binomial_parent,
                                                         in_order_binomial_child_count, in_order_binomial_child};
const struct tree_shape tutti_shape_knomial = {"k-nomial", 2, knomial_parent, knomial_child_count, knomial_child};
