#include "harness/experiments/calibrate/spread.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "harness/experiments/calibrate/least_squares.h"

/* ---- learning ---- */

/* What two residuals have in common, from 0 to 1: half by being of one algorithm, half by one library's code of it;
   less the more their sizes differ, 1 / e at a factor of 1,024. What all algorithms have in common is in the fit. */
static double in_common(const tutti_method *left, uint64_t left_bytes, const tutti_method *right, uint64_t right_bytes)
{
  const double steps = fabs(log2((double)left_bytes + 1) - log2((double)right_bytes + 1)) / 10;
  if (left->algorithm != right->algorithm)
    return 0;
  return (left->implementation == right->implementation ? 1 : 0.5) * exp(-steps);
}

/* The covariance over the variance: 1 and @p share times what points have in common. */
static void fill_covariance(const struct spread *spread, double share, double *matrix)
{
  const size_t n = spread->count;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      matrix[i * n + j] = (i == j) + share * in_common(&spread->items[i].method, spread->items[i].bytes,
                                                       &spread->items[j].method, spread->items[j].bytes);
}

/* With this share: inverse, weighted, variance. Returns the logarithm of the likelihood, but for a constant. */
static double try_share(struct spread *spread, double share)
{
  const size_t n = spread->count;
  const double freedom = (double)n - spread->parameters;
  double sum = 0;
  fill_covariance(spread, share, spread->inverse);
  const double determinant = tutti_invert(spread->inverse, n);
  for (size_t i = 0; i < n; i++) {
    spread->weighted[i] = 0;
    for (size_t j = 0; j < n; j++)
      spread->weighted[i] += spread->inverse[i * n + j] * spread->items[j].residual;
    sum += spread->weighted[i] * spread->items[i].residual;
  }
  spread->share = share;
  spread->variance = sum / freedom;
  return sum > 0 ? -0.5 * ((double)n * log(sum) + determinant) : -INFINITY;
}

/*
 * Variances by the residuals. Every prediction has the even one times 1 + parameters / points, the mean over the
 * points of what the parameters' own uncertainty adds (the trace of the hat matrix; Seber, Wild 1989, 2.1 and 5.1).
 *
 * Corrections: algorithms differ from what a platform says of them in ways of their own, so that each should have
 * parameters of its own (Nuriyev, Lastovetsky 2020, arXiv 2004.11062). A few points do not fix those. Here a residual
 * is a Gaussian process over methods and sizes beside the platform's time (Kennedy, O'Hagan 2001): the less two points
 * have in common, the less does one say of the other (best linear unbiased prediction; Robinson 1991). How much there
 * is to explain, perhaps nothing, is the most likely one of a few shares.
 */
static void learn(struct spread *spread)
{
  static const double shares[] = {0, 0.25, 0.5, 1, 2, 4, 8, 16};
  const size_t n = spread->count;
  double best = 0, most = -INFINITY;
  spread->inverse = tutti_xcalloc(n * n, sizeof *spread->inverse);
  spread->weighted = tutti_xcalloc(n, sizeof *spread->weighted);
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
    const double likelihood = try_share(spread, shares[i]);
    if (i == 0)
      spread->even = spread->variance;
    if (likelihood > most + 1e-6) { /* what nothing depends on is 0 */
      most = likelihood;
      best = shares[i];
    }
  }
  try_share(spread, best);
}

/* ---- text ---- */

char *tutti_spread_format(const struct spread *spread)
{
  const bool named = spread->machine && !strchr(spread->machine, ';');
  char *text =
      tutti_xprintf("%d parameters%s%s", spread->parameters, named ? " of " : "", named ? spread->machine : "");
  for (size_t i = 0; i < spread->count; i++) {
    const struct spread_point *point = &spread->items[i];
    const char *owner = tutti_implementation_name(point->method.implementation);
    char *longer =
        tutti_xprintf("%s; %s/%s%s%s %llu %.4g", text, tutti_collective_name(point->method.algorithm->collective),
                      point->method.algorithm->name, owner ? "@" : "", owner ? owner : "",
                      (unsigned long long)point->bytes, point->residual);
    free(text);
    text = longer;
  }
  return text;
}

/* A word up to the next blank. */
static char *cut_word(char **rest)
{
  char *word = strsep(rest, " ");
  return word ? word : "";
}

static tutti_status add_point(char *text, struct spread *spread, tutti_error *error)
{
  struct spread_point point;
  char *rest = text + strspn(text, " "), *name = cut_word(&rest), *bytes = cut_word(&rest);
  tutti_status status = tutti_method_parse(name, &point.method, error);
  if (status != TUTTI_OK)
    return status;
  if (!tutti_parse_integer(bytes, 0, UINT64_MAX, &point.bytes) || !rest || !tutti_parse_real(rest, &point.residual) ||
      !isfinite(point.residual))
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "after '%.80s' bytes and a logarithm are expected", name);
  if (spread->count == SPREAD_POINTS)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "more than %d points", SPREAD_POINTS);
  tutti_xpush(spread, point);
  return TUTTI_OK;
}

tutti_status tutti_spread_parse(const char *text, struct spread *spread, tutti_error *error)
{
  char *copy = tutti_xstrdup(text), *rest = copy, *head = strsep(&rest, ";");
  uint64_t parameters = 0;
  tutti_error reason = {0};
  tutti_status status = TUTTI_OK;
  *spread = (struct spread){.parameters = 0};
  if (!tutti_parse_integer(cut_word(&head), 1, SPREAD_POINTS, &parameters) ||
      strcmp(cut_word(&head), "parameters") != 0 || (head && strncmp(head, "of ", 3) != 0))
    status = tutti_fail(&reason, TUTTI_ERR_ARGUMENT, "it does not begin with 'N parameters' or 'N parameters of NAME'");
  else if (head)
    spread->machine = tutti_xstrdup(head + 3);
  spread->parameters = (int)parameters;
  for (char *item; status == TUTTI_OK && (item = strsep(&rest, ";"));)
    status = add_point(item, spread, &reason);
  if (status == TUTTI_OK && spread->count <= parameters)
    status = tutti_fail(&reason, TUTTI_ERR_ARGUMENT, "%zu points do not fix %d parameters", spread->count,
                        spread->parameters);
  free(copy);
  if (status != TUTTI_OK) {
    tutti_spread_free(spread);
    return tutti_fail(error, status, "tutti/fit: %s", reason.message);
  }
  learn(spread);
  return TUTTI_OK;
}

tutti_status tutti_spread_read(const tutti_platform *platform, bool needed, struct spread *spread, tutti_error *error)
{
  tutti_error reason = {0};
  if (platform->fit && tutti_spread_parse(platform->fit, spread, &reason) != TUTTI_OK)
    return tutti_fail(error, reason.status, "%s: %s", platform->path, reason.message);
  if (!platform->fit && needed)
    return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s says nothing about points that it was fitted to: tutti fit does",
                      platform->path);
  return TUTTI_OK;
}

size_t tutti_spread_count(const struct spread *spread, tutti_collective collective)
{
  size_t count = 0;
  for (size_t i = 0; i < spread->count; i++)
    count += spread->items[i].method.algorithm->collective == collective;
  return count;
}

bool tutti_spread_has(const struct spread *spread, const tutti_method *method, uint64_t bytes, double residual)
{
  for (size_t i = 0; i < spread->count; i++) {
    const struct spread_point *point = &spread->items[i];
    if (point->method.algorithm == method->algorithm && point->method.implementation == method->implementation &&
        point->bytes == bytes && fabs(point->residual - residual) <= 1e-6 + 1e-3 * fabs(residual))
      return true;
  }
  return false;
}

void tutti_spread_free(struct spread *spread)
{
  tutti_vector_free(spread);
  free(spread->machine);
  spread->machine = NULL;
  free(spread->inverse);
  free(spread->weighted);
}

/* ---- predicting ---- */

/* The quantile of Student's t from which on there are 5 %: Abramowitz, Stegun 1964, 26.7.5; within 1 % from three
   degrees of freedom on. */
static double student(double freedom)
{
  const double z = 1.6448536269514722, z2 = z * z, f = freedom;
  return z * (1 + (z2 + 1) / (4 * f) + ((5 * z2 + 16) * z2 + 3) / (96 * f * f) +
              (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * f * f * f));
}

/* The correction of a logarithm; @p explained is how much less it varies by it, in variances. */
static double correct(const struct spread *spread, const tutti_method *method, uint64_t bytes, double *explained)
{
  const size_t n = spread->count;
  double *common = tutti_xcalloc(n, sizeof *common), correction = 0;
  *explained = 0;
  for (size_t i = 0; i < n; i++) {
    common[i] = spread->share * in_common(method, bytes, &spread->items[i].method, spread->items[i].bytes);
    correction += common[i] * spread->weighted[i];
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      *explained += common[i] * spread->inverse[i * n + j] * common[j];
  free(common);
  return correction;
}

struct spread_interval tutti_spread_predict(const struct spread *spread, const tutti_method *method, uint64_t bytes,
                                            double seconds, bool corrected)
{
  const double parameters = spread->parameters, points = (double)spread->count;
  double variance = spread->even * (1 + parameters / points), explained;
  if (corrected) {
    seconds *= exp(correct(spread, method, bytes, &explained));
    variance = spread->variance * (1 + parameters / points + spread->share - explained);
  }
  const double factor = exp(student(points - parameters) * sqrt(variance));
  return (struct spread_interval){.seconds = seconds, .lower = seconds / factor, .upper = seconds * factor};
}

void tutti_spread_apply(const struct spread *spread, bool corrected, struct fit_point *point)
{
  if (spread->count == 0)
    return;
  const struct spread_interval interval =
      tutti_spread_predict(spread, &point->measured.method, point->measured.total_bytes, point->seconds, corrected);
  point->seconds = interval.seconds;
  point->lower = interval.lower;
  point->upper = interval.upper;
}
