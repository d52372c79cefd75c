#include "harness/experiments/calibrate/gaussian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Four sums, which a processor adds side by side; always in this order, so that the result is the same everywhere. */
double tutti_dot(const double *left, const double *right, size_t n)
{
  double sums[4] = {0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++)
      sums[k] += left[i + (size_t)k] * right[i + (size_t)k];
  for (; i < n; i++)
    sums[0] += left[i] * right[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void tutti_add_product(double *restrict row, double factor, const double *restrict other, size_t n)
{
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k++)
      row[i + k] += factor * other[i + k];
  for (; i < n; i++)
    row[i] += factor * other[i];
}

/* Rows that are worked on together, so that a row before them is fetched from memory once for all. What is added to a
   value, and in which order, is the same as one by one. */
enum { ROWS = 16 };

static size_t end_of(size_t first, size_t n)
{
  return first + ROWS < n ? first + ROWS : n;
}

/* The element in column @p j of a row below row j. */
static void solve_element(double *row, const double *matrix, size_t n, size_t j)
{
  row[j] = (row[j] - tutti_dot(row, &matrix[j * n], j)) / matrix[j * n + j];
}

bool tutti_cholesky_factor(double *matrix, size_t n)
{
  for (size_t first = 0, end; first < n; first = end) {
    end = end_of(first, n);
    for (size_t j = 0; j < first; j++)
      for (size_t i = first; i < end; i++)
        solve_element(&matrix[i * n], matrix, n, j);
    for (size_t i = first; i < end; i++) {
      double *row = &matrix[i * n];
      for (size_t j = first; j < i; j++)
        solve_element(row, matrix, n, j);
      const double square = row[i] - tutti_dot(row, row, i);
      if (!(square > 0))
        return false;
      row[i] = sqrt(square);
    }
  }
  return true;
}

void tutti_cholesky_invert(double *factor, size_t n)
{
  double *sums = tutti_xcalloc(ROWS * n + 1, sizeof *sums);
  for (size_t first = 0, end; first < n; first = end) {
    end = end_of(first, n);
    memset(sums, 0, ROWS * n * sizeof *sums);
    for (size_t k = 0; k < first; k++)
      for (size_t i = first; i < end; i++)
        tutti_add_product(&sums[(i - first) * n], -factor[i * n + k], &factor[k * n], k + 1);
    for (size_t i = first; i < end; i++) {
      double *own = &factor[i * n], *row = &sums[(i - first) * n];
      const double pivot = own[i];
      for (size_t k = first; k < i; k++)
        tutti_add_product(row, -own[k], &factor[k * n], k + 1);
      for (size_t j = 0; j < i; j++)
        own[j] = row[j] / pivot;
      own[i] = 1 / pivot;
    }
  }
  free(sums);
}

double tutti_cholesky_determinant(const double *factor, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += 2 * log(factor[i * n + i]);
  return sum;
}

void tutti_cholesky_forward_rows(const double *factor, size_t n, double *rows, size_t count)
{
  for (size_t j = 0; j < n; j++)
    for (size_t r = 0; r < count; r++)
      solve_element(&rows[r * n], factor, n, j);
}

void tutti_cholesky_forward(const double *factor, size_t n, double *values)
{
  tutti_cholesky_forward_rows(factor, n, values, 1);
}

void tutti_cholesky_backward(const double *factor, size_t n, double *values)
{
  for (size_t i = n; i-- > 0;) {
    values[i] /= factor[i * n + i];
    for (size_t j = 0; j < i; j++)
      values[j] -= factor[i * n + j] * values[i];
  }
}
