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

/* The points of a job. */
struct left_out {
  size_t *points, count;
  double *mean;    /* given the other jobs */
  double *inverse; /* L^-1 of the factor L of the inverse of their covariance, given the other jobs */
};

enum { ROWS = 16 };

/* The block [m][m], lower half, of the members of a matrix, by the rows of L^-1 of the factor L of its inverse. Several
   rows at a time: a row of the block is fetched once for all. */
static void fill_block(const double *inverse, size_t n, const size_t *members, size_t m, double *block)
{
  double *some = tutti_xcalloc(ROWS * m, sizeof *some);
  for (size_t first = members[0]; first < n; first += ROWS) {
    const size_t rows = first + ROWS < n ? ROWS : n - first;
    for (size_t r = 0; r < rows; r++)
      for (size_t a = 0; a < m; a++)
        some[r * m + a] = members[a] <= first + r ? inverse[(first + r) * n + members[a]] : 0;
    for (size_t a = 0; a < m; a++)
      for (size_t r = 0; r < rows; r++)
        tutti_add_product(&block[a * m], some[r * m + a], &some[r * m], a + 1);
  }
  free(some);
}

static void leave_out(const struct evidence *evidence, const double *inverse, struct left_out *job)
{
  const size_t m = job->count;
  double *shift = tutti_xcalloc(m, sizeof *shift);
  fill_block(inverse, evidence->count, job->points, m, job->inverse);
  (void)tutti_cholesky_factor(job->inverse, m); /* a block of a definite matrix */
  for (size_t a = 0; a < m; a++)
    shift[a] = evidence->solved[job->points[a]];
  tutti_cholesky_forward(job->inverse, m, shift);
  tutti_cholesky_backward(job->inverse, m, shift);
  for (size_t a = 0; a < m; a++)
    job->mean[a] = evidence->points[job->points[a]].measured - shift[a];
  tutti_cholesky_invert(job->inverse, m);
  free(shift);
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
  }
  fill_block(job->inverse, job->count, members, count, covariance);
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < a; b++)
      covariance[b * count + a] = covariance[a * count + b];
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

static bool is_one_job(const struct evidence *evidence)
{
  bool one = true;
  for (size_t i = 1; i < evidence->count; i++)
    one = one && evidence->points[i].labels[EVIDENCE_JOB] == evidence->points[0].labels[EVIDENCE_JOB];
  return one;
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
  if (is_one_job(evidence))
    return 1;
  struct losses losses = {.cells = 0};
  struct left_out job = {.points = tutti_xcalloc(n, sizeof *job.points)};
  double *inverse = tutti_xcalloc(n * n, sizeof *inverse);
  memcpy(inverse, evidence->factor, n * n * sizeof *inverse);
  tutti_cholesky_invert(inverse, n);
  for (size_t i = 0; i < n; i++) {
    if (!find_job(evidence, i, &job))
      continue;
    job.mean = tutti_xcalloc(job.count * (job.count + 1), sizeof *job.mean);
    job.inverse = job.mean + job.count;
    leave_out(evidence, inverse, &job);
    add_job(evidence, &job, &losses);
    free(job.mean);
  }
  free(inverse);
  free(job.points);
  return best_shrink(&losses);
}
