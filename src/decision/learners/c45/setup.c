/* The arrays of a learner. */
#include <stdlib.h>

#include "decision/learners/c45/learner.h"

static size_t most_values(const tutti_cases *cases)
{
  size_t most = 1;
  for (int a = 0; a < cases->attribute_count; a++)
    if ((size_t)cases->attributes[a].value_count > most)
      most = (size_t)cases->attributes[a].value_count;
  return most;
}

static bool has_unknown(const tutti_cases *cases)
{
  for (int a = 0; a < cases->attribute_count; a++)
    for (size_t i = 0; !cases->attributes[a].ignored && i < cases->count; i++)
      if (isnan(cases->values[a][i]))
        return true;
  return false;
}

static bool all_many_valued(const c45_learner *l)
{
  if (l->options->grouping)
    return true;
  for (int a = 0; a < l->cases->attribute_count; a++)
    if (!l->cases->attributes[a].ignored &&
        l->cases->attributes[a].value_count < 0.3 * (double)l->cases->count - C45_SLACK)
      return false;
  return true;
}

static bool open_per_case(c45_learner *l, size_t count)
{
  l->items = calloc(count, sizeof *l->items);
  l->scratch = calloc(count, sizeof *l->scratch);
  l->branches = calloc(count, sizeof *l->branches);
  l->labels = calloc(count, sizeof *l->labels);
  l->keys = calloc(count, sizeof *l->keys);
  l->sorted = calloc(count, sizeof *l->sorted);
  return l->items && l->scratch && l->branches && l->labels && l->keys && l->sorted;
}

static bool open_weights(c45_learner *l, size_t count)
{
  l->weights = calloc(count, sizeof *l->weights);
  l->local_weights = calloc(count, sizeof *l->local_weights);
  for (size_t i = 0; l->weights && i < count; i++)
    l->weights[i] = 1.0;
  return l->weights && l->local_weights;
}

static bool open_entropy(c45_learner *l, size_t count)
{
  l->entropy = calloc(count + 1, sizeof *l->entropy);
  for (size_t i = 1; l->entropy && i <= count; i++)
    l->entropy[i] = (double)i * log2((double)i);
  return l->entropy;
}

/* The table has room for any discrete attribute, and for continuous ones with few values. */
static bool open_per_class(c45_learner *l, size_t count)
{
  size_t classes = (size_t)l->tree->class_count, values = most_values(l->cases);
  l->table_room = values * classes > 2 * count ? values * classes : 2 * count;
  l->table = calloc(l->table_room, sizeof *l->table);
  l->bag_weights = calloc(values, sizeof *l->bag_weights);
  l->low = calloc(classes, sizeof *l->low);
  l->high = calloc(classes, sizeof *l->high);
  l->low_terms = calloc(classes, sizeof *l->low_terms);
  l->high_terms = calloc(classes, sizeof *l->high_terms);
  l->all = calloc(classes, sizeof *l->all);
  l->leaf = calloc(classes, sizeof *l->leaf);
  return l->table && l->bag_weights && l->low && l->high && l->low_terms && l->high_terms && l->all && l->leaf;
}

bool tutti_c45_open(c45_learner *l)
{
  size_t count = l->cases->count, attributes = (size_t)l->cases->attribute_count + 1;
  l->weighted = has_unknown(l->cases);
  l->all_many_valued = all_many_valued(l);
  l->deviate = tutti_c45_deviate(l->options);
  l->columns = calloc(attributes, sizeof *l->columns);
  l->tests = calloc(attributes, sizeof *l->tests);
  if (!l->columns || !l->tests || !open_per_case(l, count) || !open_per_class(l, count))
    return false;
  if (!(l->weighted ? open_weights(l, count) : open_entropy(l, count)))
    return false;
  for (size_t i = 0; i < count; i++)
    l->items[i] = (uint32_t)i;
  return tutti_c45_rank_columns(l);
}

void tutti_c45_close(c45_learner *l)
{
  for (int a = 0; l->columns && a < l->cases->attribute_count; a++) {
    free(l->columns[a].ranks);
    free(l->columns[a].values);
  }
  void *arrays[] = {l->columns,    l->items,  l->scratch, l->branches,    l->weights, l->labels, l->local_weights,
                    l->keys,       l->sorted, l->entropy, l->table,       l->low,     l->high,   l->low_terms,
                    l->high_terms, l->all,    l->leaf,    l->bag_weights, l->tests,   l->shares, l->saved};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    free(arrays[i]);
}
