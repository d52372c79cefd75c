/* Pessimistic estimate of the errors of a leaf on unseen cases: the upper limit U_CF(e, n) of a binomial probability
   (Quinlan 1993, section 4.2), by the normal approximation with a correction for continuity. */
#include "decision/learners/c45/learner.h"

/* The normal deviate that is exceeded with probability p, Release 8's table (Geigy), linear between its points. */
static double table_deviate(double p)
{
  static const double probabilities[] = {0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00};
  static const double deviates[] = {4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00};
  int i = 1;
  while (i < 8 && p > probabilities[i])
    i++;
  double part = (p - probabilities[i - 1]) / (probabilities[i] - probabilities[i - 1]);
  return deviates[i - 1] + (deviates[i] - deviates[i - 1]) * part;
}

/* The same exactly: Newton's method on the complementary error function, from below, where it is convex. */
static double normal_deviate(double p)
{
  double z = 0.0;
  for (int i = 0; i < 100; i++) {
    double step = (0.5 * erfc(z / M_SQRT2) - p) / (exp(-z * z / 2) / sqrt(2 * M_PI));
    z += step;
    if (fabs(step) < 1e-15)
      break;
  }
  return z;
}

double tutti_c45_deviate(const tutti_c45_options *options)
{
  double p = options->confidence / 100;
  return options->limit == TUTTI_LIMIT_NORMAL ? p > 0.5 ? 0.0 : normal_deviate(p) : table_deviate(p);
}

/* At least one error; f = (e + 1/2) / n. */
static double add_to_many(const c45_learner *l, double n, double e)
{
  double z = l->deviate, f = e + 0.5;
  if (f >= n)
    return l->options->limit == TUTTI_LIMIT_NORMAL ? fmax(n - e, 0.0) : 0.67 * (n - e);
  double upper = (f + z * z / 2 + z * sqrt(f * (1 - f / n) + z * z / 4)) / (n + z * z);
  return n * upper - e;
}

double tutti_c45_add_errors(const c45_learner *l, double n, double e)
{
  double p = l->options->confidence / 100;
  double exact = l->options->limit == TUTTI_LIMIT_NORMAL ? 1.0 : 0.9999;
  if (l->options->limit == TUTTI_LIMIT_NORMAL && p > 0.5)
    return 0.0;
  if (e >= exact)
    return add_to_many(l, n, e);
  double none = n * (1 - pow(p, 1 / n));
  return e < C45_SLACK ? none : none + e * (add_to_many(l, n, 1.0) - none);
}
