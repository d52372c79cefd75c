#include "decision/results/verdict.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/words.h"

const char *tutti_pair_verdict_name(tutti_pair_verdict verdict)
{
  static const char *const names[] = {"not measured", "faster", "slower", "equal"};
  return tutti_word_of(names, TUTTI_PAIR_VERDICTS, (int)verdict);
}

tutti_status tutti_verdict_test(const double *before, const double *after, int count, double margin, double level,
                                struct verdict *point, tutti_error *error)
{
  *point = (struct verdict){
      .test = {.before = NAN, .after = NAN, .ratio = NAN, .low = NAN, .high = NAN, .p = 1}, .outside = 1, .finds = NAN};
  if (count == 0)
    return TUTTI_OK;
  tutti_status status = tutti_paired_test(before, after, count, level, &point->test, error);
  if (status == TUTTI_OK)
    point->outside = tutti_paired_within(before, after, count, margin);
  return status;
}

/* Correct the p values at an offset of the points into those at another; returns how many reach the level. */
static int correct(struct verdict *points, int count, size_t from, size_t to, double level)
{
  double *p = tutti_xcalloc((size_t)count + 1, sizeof *p);
  int found = 0;
  for (int i = 0; i < count; i++)
    p[i] = *(const double *)(const void *)((const char *)&points[i] + from);
  tutti_paired_discover(p, count);
  for (int i = 0; i < count; i++) {
    *(double *)(void *)((char *)&points[i] + to) = p[i];
    found += p[i] <= level;
  }
  free(p);
  return found;
}

/* What p a point of a family has to reach where so many do. */
static double threshold(int found, int count, double level)
{
  return level * (found > 0 ? found : 1) / count;
}

/* The standard error of the logarithm of the ratio; NaN with too few pairs. */
static double error_of(const struct paired_test *test, double level)
{
  return log(test->high / test->low) / (2 * tutti_normal_deviate(level / 2));
}

static tutti_pair_verdict decide(const struct verdict *point, double level)
{
  if (point->outside_corrected <= level)
    return TUTTI_EQUAL;
  if (point->corrected > level)
    return TUTTI_NOT_MEASURED;
  return point->test.ratio > 1 ? TUTTI_SLOWER : TUTTI_FASTER;
}

/* The pairs of this noise with which a ratio of 1 is proven to be within the margin. */
static int enough_pairs(const struct verdict *point, double error, double margin, double p)
{
  const double deviates = tutti_normal_deviate(p) + tutti_normal_deviate((1 - VERDICT_POWER) / 2);
  const double root = deviates * error / log1p(margin), pairs = ceil(point->test.pairs * root * root);
  const double least = ceil(-log2(p)); /* the smallest p of n pairs that are all on one side is 2^-n */
  return isnan(pairs) || pairs > INT_MAX ? 0 : (int)fmax(pairs, least);
}

void tutti_verdict_decide(struct verdict *points, int count, double margin, double level)
{
  const int different =
      correct(points, count, offsetof(struct verdict, test.p), offsetof(struct verdict, corrected), level);
  const int equal =
      correct(points, count, offsetof(struct verdict, outside), offsetof(struct verdict, outside_corrected), level);
  for (int i = 0; i < count; i++) {
    struct verdict *point = &points[i];
    const double error = error_of(&point->test, level), p = threshold(different, count, level);
    const bool possible = point->test.pairs > 0 && ldexp(1, 1 - point->test.pairs) <= p;
    const double deviates = tutti_normal_deviate(p / 2) + tutti_normal_deviate(1 - VERDICT_POWER);
    point->verdict = decide(point, level);
    point->finds = possible ? expm1(deviates * error) : NAN;
    point->enough = point->test.pairs > 0 ? enough_pairs(point, error, margin, threshold(equal, count, level)) : 0;
  }
}
