#include "harness/experiments/calibrate/gaussian.h"

#include <math.h>

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

bool tutti_cholesky_factor(double *matrix, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    double *row = &matrix[i * n];
    for (size_t j = 0; j < i; j++)
      row[j] = (row[j] - tutti_dot(row, &matrix[j * n], j)) / matrix[j * n + j];
    const double square = row[i] - tutti_dot(row, row, i);
    if (!(square > 0))
      return false;
    row[i] = sqrt(square);
  }
  return true;
}

double tutti_cholesky_determinant(const double *factor, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += 2 * log(factor[i * n + i]);
  return sum;
}

void tutti_cholesky_forward(const double *factor, size_t n, double *values)
{
  for (size_t i = 0; i < n; i++)
    values[i] = (values[i] - tutti_dot(&factor[i * n], values, i)) / factor[i * n + i];
}

void tutti_cholesky_backward(const double *factor, size_t n, double *values)
{
  for (size_t i = n; i-- > 0;) {
    values[i] /= factor[i * n + i];
    for (size_t j = 0; j < i; j++)
      values[j] -= factor[i * n + j] * values[i];
  }
}
