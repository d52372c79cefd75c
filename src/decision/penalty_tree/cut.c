/* Cutting back: the subtree that costs least of all subtrees with so many leaves, by dynamic programming. */
#include <stdlib.h>

#include "decision/penalty_tree/grow.h"

/* What a region costs at best with 1, 2, ... leaves, and how many of these its first branch gets. */
struct table {
  int most;      /* leaves of what was grown below it */
  double *costs; /* [most + 1], [0] unused */
  int *firsts;   /* [most + 1] 0: it is a leaf */
};

static void free_tables(struct table *tables, int count)
{
  for (int i = 0; tables && i < count; i++) {
    free(tables[i].costs);
    free(tables[i].firsts);
  }
  free(tables);
}

static bool make_table(struct table *table, int most)
{
  table->most = most;
  table->costs = calloc((size_t)most + 1, sizeof *table->costs);
  table->firsts = calloc((size_t)most + 1, sizeof *table->firsts);
  return table->costs && table->firsts;
}

/* All ways to share leaves between two branches. More leaves than help are not taken. */
static void combine(const struct table *first, const struct table *second, double as_leaf, struct table *table)
{
  for (int l = 1; l <= table->most; l++)
    table->costs[l] = as_leaf;
  for (int a = 1; a <= first->most; a++)
    for (int b = 1; b <= second->most; b++)
      if (first->costs[a] + second->costs[b] < table->costs[a + b]) {
        table->costs[a + b] = first->costs[a] + second->costs[b];
        table->firsts[a + b] = a;
      }
}

static struct table *make_tables(const struct growth *growth)
{
  struct table *tables = calloc((size_t)growth->count, sizeof *tables);
  for (int i = growth->count - 1; tables && i >= 0; i--) {
    const struct region *region = &growth->regions[i];
    bool leaf = region->split.attribute < 0;
    const struct table *children = &tables[region->child];
    if (!make_table(&tables[i], leaf ? 1 : children[0].most + children[1].most)) {
      free_tables(tables, growth->count);
      return NULL;
    }
    if (leaf)
      tables[i].costs[1] = region->cost;
    else
      combine(&children[0], &children[1], region->cost, &tables[i]);
  }
  return tables;
}

/* Number of leaves to take: the fewest of the least cost within the limits. */
static int choose(const struct table *root, int leaves, double most)
{
  int limit = leaves > 0 && leaves < root->most ? leaves : root->most, best = 1;
  for (int l = 2; l <= limit; l++) {
    if (leaves == 0 && root->costs[best] <= most)
      break;
    if (root->costs[l] < root->costs[best] - 1e-9)
      best = l;
  }
  return best;
}

tutti_status penalty_cut(const struct growth *growth, int leaves, double most, bool *keep, double *cost,
                         tutti_error *error)
{
  struct table *tables = make_tables(growth);
  int *shares = calloc((size_t)growth->count, sizeof *shares);
  if (tables && shares) {
    shares[0] = choose(&tables[0], leaves, most);
    *cost = tables[0].costs[shares[0]];
    for (int i = 0; i < growth->count; i++) {
      int first = tables[i].firsts[shares[i]];
      keep[i] = first > 0;
      if (keep[i]) {
        shares[growth->regions[i].child] = first;
        shares[growth->regions[i].child + 1] = shares[i] - first;
      }
    }
  }
  free(shares);
  if (!tables || !shares) {
    free_tables(tables, growth->count);
    return tutti_fail(error, TUTTI_ERR_MEMORY, "out of memory for cutting back a tree of %d nodes", growth->count);
  }
  free_tables(tables, growth->count);
  return TUTTI_OK;
}
