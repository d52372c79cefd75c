#include "decision/results/paired.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/numbers.h"

static int compare_sizes(const void *left, const void *right)
{
  double a = fabs(*(const double *)left), b = fabs(*(const double *)right);
  return THREE_WAY(a, b);
}

static double sorted_median(double *values, int count)
{
  tutti_doubles_sort(values, (size_t)count);
  return tutti_doubles_median(values, (size_t)count);
}

/* ---- the distribution of a sum of ranks, where a coin decides for each rank whether it is included ---- */

/* Ranks are doubled, so that shared ones are whole. Sums go up to count * (count + 1). */
static int largest_sum(int count)
{
  return count * (count + 1);
}

/* Fill in the probability of each sum. */
static void distribute(const int *ranks, int count, double *probability)
{
  int reached = 0;
  for (int s = 0; s <= largest_sum(count); s++)
    probability[s] = s == 0;
  for (int i = 0; i < count; i++) {
    reached += ranks[i];
    for (int s = reached; s >= 0; s--)
      probability[s] = 0.5 * (probability[s] + (s >= ranks[i] ? probability[s - ranks[i]] : 0));
  }
}

/* Probability of a sum up to this. */
static double at_most(const double *probability, int sum)
{
  double total = 0;
  for (int s = 0; s <= sum; s++)
    total += probability[s];
  return total;
}

/* ---- the test ---- */

/* Arrays of a test, in one block. */
struct workspace {
  double *differences; /* [count] */
  double *values;      /* [largest_sum(count) + 1]: probabilities, or means of two differences */
  int *ranks;          /* [count] */
};

static struct workspace open_workspace(int count)
{
  size_t n = (size_t)count;
  double *block = tutti_xcalloc(n + n * (n + 1) + 1 + n, sizeof *block);
  return (struct workspace){block, block + n, (int *)(block + n + n * (n + 1) + 1)};
}

/* Doubled ranks of the sizes of sorted differences; returns the sum of those of the positive ones. */
static int rank(const double *differences, int count, int *ranks)
{
  int positive = 0;
  for (int i = 0, next; i < count; i = next) {
    for (next = i; next < count && fabs(differences[next]) == fabs(differences[i]); next++)
      ;
    for (int j = i; j < next; j++) {
      ranks[j] = i + 1 + next;
      positive += differences[j] > 0 ? ranks[j] : 0;
    }
  }
  return positive;
}

/* The probability of a sum of positive ranks that is at most the one found, and of one that is at least that. */
struct tails {
  double below, above;
};

static struct tails test_signed_ranks(struct workspace *workspace, int count)
{
  double *differences = workspace->differences;
  qsort(differences, (size_t)count, sizeof *differences, compare_sizes);
  while (count > 0 && *differences == 0) { /* pairs that do not differ */
    differences++;
    count--;
  }
  int positive = rank(differences, count, workspace->ranks);
  distribute(workspace->ranks, count, workspace->values);
  return (struct tails){at_most(workspace->values, positive),
                        at_most(workspace->values, largest_sum(count) - positive)}; /* it is symmetric */
}

/* ---- the estimate ---- */

/* The number of sorted means outside of the interval on each side, plus one: the smallest sum of ranks that is reached
   with more than half of the level's probability. 0: too few pairs for the level. */
static int outside(struct workspace *workspace, int count, double level)
{
  double below = 0;
  int sum = 0;
  for (int i = 0; i < count; i++)
    workspace->ranks[i] = 2 * (i + 1);
  distribute(workspace->ranks, count, workspace->values);
  while ((below += workspace->values[2 * sum]) < level / 2 * (1 - 1e-12))
    sum++;
  return sum;
}

/* The means of all two differences, each with itself, too; returns their number. */
static int average(struct workspace *workspace, int count)
{
  int means = 0;
  for (int i = 0; i < count; i++)
    for (int j = i; j < count; j++)
      workspace->values[means++] = 0.5 * (workspace->differences[i] + workspace->differences[j]);
  return means;
}

static void estimate(struct workspace *workspace, int count, double level, struct paired_test *test)
{
  int cut = outside(workspace, count, level), means = average(workspace, count);
  test->ratio = exp(sorted_median(workspace->values, means));
  test->low = cut > 0 ? exp(workspace->values[cut - 1]) : NAN;
  test->high = cut > 0 ? exp(workspace->values[means - cut]) : NAN;
}

/* ---- all ---- */

static double median(struct workspace *workspace, const double *times, int count)
{
  for (int i = 0; i < count; i++)
    workspace->values[i] = times[i];
  return sorted_median(workspace->values, count);
}

/* Rounded far below the resolution of clocks: twice as slow and half as fast have the same size. */
static double difference(double before, double after)
{
  return ldexp(nearbyint(ldexp(log(after / before), 40)), -40);
}

static tutti_status check_times(const double *before, const double *after, int count, tutti_error *error)
{
  if (count < 1 || count > PAIRED_MAX)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%d pairs: there can be 1 to %d", count, PAIRED_MAX);
  for (int i = 0; i < count; i++)
    if (!(before[i] > 0 && after[i] > 0 && isfinite(before[i]) && isfinite(after[i])))
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "pair %d, %g s and %g s, is not one of positive times", i + 1,
                        before[i], after[i]);
  return TUTTI_OK;
}

tutti_status tutti_paired_test(const double *before, const double *after, int count, double level,
                               struct paired_test *test, tutti_error *error)
{
  tutti_status status = check_times(before, after, count, error);
  if (status != TUTTI_OK)
    return status;
  struct workspace workspace = open_workspace(count);
  for (int i = 0; i < count; i++)
    workspace.differences[i] = difference(before[i], after[i]);
  *test = (struct paired_test){
      .pairs = count, .before = median(&workspace, before, count), .after = median(&workspace, after, count)};
  estimate(&workspace, count, level, test);
  const struct tails tails = test_signed_ranks(&workspace, count);
  test->p = fmin(1, 2 * fmin(tails.below, tails.above));
  free(workspace.differences);
  return TUTTI_OK;
}

double tutti_paired_within(const double *before, const double *after, int count, double margin)
{
  struct workspace workspace = open_workspace(count);
  struct tails tails[2];
  for (int side = 0; side < 2; side++) {
    const double bound = side ? -log1p(margin) : log1p(margin);
    for (int i = 0; i < count; i++)
      workspace.differences[i] = difference(before[i], after[i]) - bound;
    tails[side] = test_signed_ranks(&workspace, count);
  }
  free(workspace.differences);
  return fmax(tails[0].below, tails[1].above);
}

/* ---- many points ---- */

static int compare_values_of(const void *left, const void *right)
{
  return THREE_WAY(**(double *const *)left, **(double *const *)right);
}

/* The values from the smallest on; owned by the caller. */
static double **order_of(double *p, int count)
{
  double **order = tutti_xcalloc((size_t)count, sizeof *order);
  for (int i = 0; i < count; i++)
    order[i] = &p[i];
  qsort(order, (size_t)count, sizeof *order, compare_values_of);
  return order;
}

void tutti_paired_correct(double *p, int count)
{
  double **order = order_of(p, count), largest = 0;
  for (int i = 0; i < count; i++) {
    largest = fmax(largest, (count - i) * *order[i]);
    *order[i] = fmin(largest, 1);
  }
  free(order);
}

void tutti_paired_discover(double *p, int count)
{
  double **order = order_of(p, count), smallest = 1;
  for (int i = count - 1; i >= 0; i--) {
    smallest = fmin(smallest, *order[i] * count / (i + 1));
    *order[i] = smallest;
  }
  free(order);
}

int tutti_paired_least(int points, double level)
{
  int pairs = 1;
  for (double p = 1; p * points > level && pairs < PAIRED_MAX; p /= 2)
    pairs++;
  return pairs;
}
