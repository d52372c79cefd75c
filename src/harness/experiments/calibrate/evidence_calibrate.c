/* Are expected losses those that were seen? Of each job all points are predicted by the other jobs, in closed form:
   with the inverse covariance Q and the residuals r, those of the job given the others have the covariance C =
   (Q_jj)^-1 and the mean measured - C (Q r)_j (Rasmussen, Williams 2006, 5.12, for blocks). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "harness/experiments/calibrate/evidence.h"
#include "harness/experiments/calibrate/gaussian.h"

enum { SHRINKS = 6, FEWEST = 3 }; /* powers of 1/2; candidates of a cell */

/* Above four times the fastest time a loss counts as three. */
static const double LARGEST = 3;

struct losses {
  double expected[SHRINKS], seen[SHRINKS];
  size_t cells;
};

/* L^-1 in the lower half, in place. */
static void invert_factor(double *factor, size_t n)
{
  double *row = tutti_xcalloc(n, sizeof *row);
  for (size_t i = 0; i < n; i++) {
    double *own = &factor[i * n];
    memset(row, 0, n * sizeof *row);
    for (size_t k = 0; k < i; k++)
      for (size_t j = 0; j <= k; j++)
        row[j] -= own[k] * factor[k * n + j];
    const double pivot = own[i];
    for (size_t j = 0; j < i; j++)
      own[j] = row[j] / pivot;
    own[i] = 1 / pivot;
  }
  free(row);
}

/* The points of a job. */
struct left_out {
  size_t *points, count;
  double *mean, *covariance; /* given the other jobs */
};

/* Q_jj by the rows of L^-1. */
static void fill_block(const double *inverse, size_t n, const struct left_out *job, double *block)
{
  const size_t m = job->count;
  double *some = tutti_xcalloc(m, sizeof *some);
  for (size_t i = job->points[0]; i < n; i++) {
    for (size_t a = 0; a < m; a++)
      some[a] = job->points[a] <= i ? inverse[i * n + job->points[a]] : 0;
    for (size_t a = 0; a < m; a++)
      for (size_t b = 0; b <= a; b++)
        block[a * m + b] += some[a] * some[b];
  }
  free(some);
}

static void leave_out(const struct evidence *evidence, const double *inverse, struct left_out *job)
{
  const size_t m = job->count;
  double *block = tutti_xcalloc(m * m, sizeof *block);
  fill_block(inverse, evidence->count, job, block);
  (void)tutti_cholesky_factor(block, m); /* a block of a definite matrix */
  for (size_t a = 0; a < m; a++) {
    double *column = &job->covariance[a * m];
    memset(column, 0, m * sizeof *column);
    column[a] = 1;
    tutti_cholesky_forward(block, m, column);
    tutti_cholesky_backward(block, m, column);
  }
  for (size_t a = 0; a < m; a++) {
    job->mean[a] = evidence->points[job->points[a]].measured;
    for (size_t b = 0; b < m; b++)
      job->mean[a] -= job->covariance[a * m + b] * evidence->solved[job->points[b]];
  }
  free(block);
}

/* ---- losses of its cells ---- */

static void add_cell(const struct evidence *evidence, const struct left_out *job, const size_t *members, size_t count,
                     struct losses *losses)
{
  double *mean = tutti_xcalloc(count * (2 * count + 3), sizeof *mean), *measured = mean + count,
         *covariance = measured + count, *shrunk = covariance + count * count, *expected = shrunk + count * count,
         least = INFINITY;
  size_t own = count;
  for (size_t a = 0; a < count; a++) {
    const struct evidence_point *point = &evidence->points[job->points[members[a]]];
    mean[a] = job->mean[members[a]];
    measured[a] = point->measured;
    least = fmin(least, point->measured);
    own = point->own ? a : own;
    for (size_t b = 0; b < count; b++)
      covariance[a * count + b] = job->covariance[members[a] * job->count + members[b]];
  }
  for (int s = 0; s < SHRINKS; s++) {
    for (size_t i = 0; i < count * count; i++)
      shrunk[i] = ldexp(covariance[i], -s);
    const struct evidence_choice choice =
        tutti_evidence_choose(mean, shrunk, count, own, EVIDENCE_CONFIDENCE, expected);
    losses->expected[s] += expected[choice.chosen];
    losses->seen[s] += fmin(expm1(measured[choice.chosen] - least), LARGEST);
  }
  losses->cells++;
  free(mean);
}

static void add_job(const struct evidence *evidence, const struct left_out *job, struct losses *losses)
{
  size_t *members = tutti_xcalloc(job->count, sizeof *members);
  bool *done = tutti_xcalloc(job->count, sizeof *done);
  for (size_t a = 0; a < job->count; a++) {
    size_t count = 0;
    for (size_t b = a; b < job->count && !done[a]; b++)
      if (evidence->points[job->points[b]].size == evidence->points[job->points[a]].size) {
        members[count++] = b;
        done[b] = b > a;
      }
    if (count >= FEWEST)
      add_cell(evidence, job, members, count, losses);
  }
  free(members);
  free(done);
}

/* ---- all ---- */

/* Where both are most alike, with two percent more on each side, as no loss at all is luck, and with a few cells that
   lost what they expected, as a few cells are luck, too. */
static double best_shrink(const struct losses *losses)
{
  static const double AS_EXPECTED = 4, MORE = 0.02;
  double best = 1, least = INFINITY;
  const double cells = (double)losses->cells;
  for (int s = 0; s < SHRINKS && cells > 0; s++) {
    const double seen = (losses->seen[s] + AS_EXPECTED * losses->expected[0] / cells) / (cells + AS_EXPECTED),
                 off = fabs(log((losses->expected[s] / cells + MORE) / (seen + MORE)));
    if (off < least) {
      least = off;
      best = ldexp(1, -s);
    }
  }
  return best;
}

/* Those of the job of point @p first, if it is the first of them. */
static bool find_job(const struct evidence *evidence, size_t first, struct left_out *job)
{
  const int label = evidence->points[first].labels[EVIDENCE_JOB];
  job->count = 0;
  for (size_t i = 0; i < evidence->count; i++)
    if (evidence->points[i].labels[EVIDENCE_JOB] == label)
      job->points[job->count++] = i;
  return job->points[0] == first;
}

double tutti_evidence_calibrate(const struct evidence *evidence)
{
  const size_t n = evidence->count;
  struct losses losses = {.cells = 0};
  struct left_out job = {.points = tutti_xcalloc(n, sizeof *job.points)};
  double *inverse = tutti_xcalloc(n * n, sizeof *inverse);
  int jobs = 0;
  memcpy(inverse, evidence->factor, n * n * sizeof *inverse);
  invert_factor(inverse, n);
  for (size_t i = 0; i < n; i++) {
    if (!find_job(evidence, i, &job))
      continue;
    job.mean = tutti_xcalloc(job.count * (job.count + 1), sizeof *job.mean);
    job.covariance = job.mean + job.count;
    leave_out(evidence, inverse, &job);
    add_job(evidence, &job, &losses);
    free(job.mean);
    jobs++;
  }
  free(inverse);
  free(job.points);
  return jobs > 1 ? best_shrink(&losses) : 1;
}
