/* Which test to make at a node: the best gain ratio among the tests of at least average gain (Quinlan 1993, 2.2). */
#include <stdlib.h>

#include "decision/learners/c45/learner.h"

void tutti_c45_gather(c45_learner *l, c45_range range)
{
  for (int c = 0; c < l->tree->class_count; c++)
    l->all[c] = 0.0;
  for (size_t i = range.first; i < range.end; i++) {
    l->labels[i - range.first] = l->cases->labels[l->items[i]];
    if (l->weighted)
      l->local_weights[i - range.first] = l->weights[l->items[i]];
    l->all[l->labels[i - range.first]] += c45_local_weight(l, i - range.first);
  }
}

/* Attributes with a value for nearly every third case would raise the average beyond reach. */
static bool many_valued(const c45_learner *l, int attribute)
{
  int values = l->cases->attributes[attribute].value_count;
  return values > 0 && values >= 0.3 * (double)l->cases->count - C45_SLACK;
}

static void rate_all(c45_learner *l, c45_range range, double total)
{
  for (int a = 0; a < l->cases->attribute_count; a++) {
    l->tests[a] = (c45_test){.possible = false};
    if (l->cases->attributes[a].ignored)
      continue;
    if (l->cases->attributes[a].value_count > 0)
      tutti_c45_test_discrete(l, a, range, total, &l->tests[a]);
    else
      tutti_c45_test_continuous(l, a, range, total, &l->tests[a]);
  }
}

static double average_gain(const c45_learner *l)
{
  double sum = 0.0;
  int count = 0;
  for (int a = 0; a < l->cases->attribute_count; a++)
    if (l->tests[a].possible && (l->all_many_valued || !many_valued(l, a))) {
      sum += l->tests[a].gain;
      count++;
    }
  return count > 0 ? sum / count : 1e6;
}

/* Release 8 requires some information of the split; J48 leaves out trivial splits only. */
static double worth(const c45_learner *l, const c45_test *test, double average)
{
  double least_info = l->options->limit == TUTTI_LIMIT_NORMAL ? C45_SLACK : C45_EPSILON;
  if (l->options->gain)
    return test->info > 0 ? test->gain : -1.0;
  return test->gain >= average - C45_EPSILON && test->info > least_info ? test->gain / test->info : -1.0;
}

/* A discrete test may have no gain and yet be the first step to one: Release 8 takes it if there is none better. */
static int best_attribute(const c45_learner *l)
{
  double best = l->options->limit == TUTTI_LIMIT_NORMAL ? 0.0 : -C45_EPSILON;
  double average = average_gain(l);
  int attribute = -1;
  for (int a = 0; a < l->cases->attribute_count; a++) {
    double value = l->tests[a].possible ? worth(l, &l->tests[a], average) : -1.0;
    if (value > best + C45_SLACK) {
      best = value;
      attribute = a;
    }
  }
  return attribute;
}

static int *identity(int count)
{
  int *branches = calloc((size_t)count, sizeof *branches);
  for (int v = 0; branches && v < count; v++)
    branches[v] = v;
  return branches;
}

int tutti_c45_select(c45_learner *l, c45_range range, double total, c45_test *test)
{
  tutti_c45_gather(l, range);
  rate_all(l, range, total);
  int attribute = best_attribute(l);
  for (int a = 0; a < l->cases->attribute_count; a++)
    if (a != attribute)
      free(l->tests[a].branch_of);
  if (attribute < 0)
    return -1;
  *test = l->tests[attribute];
  if (l->cases->attributes[attribute].value_count > 0 && !test->branch_of) {
    test->branch_of = identity(l->cases->attributes[attribute].value_count);
    l->out_of_memory = l->out_of_memory || !test->branch_of;
  }
  return l->out_of_memory ? free(test->branch_of), -1 : attribute;
}
