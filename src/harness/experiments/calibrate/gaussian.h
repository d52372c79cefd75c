/* Symmetric positive definite systems by Cholesky's factors, which stand in the lower half of a matrix [n][n]. */
#ifndef TUTTI_CALIBRATE_GAUSSIAN_H
#define TUTTI_CALIBRATE_GAUSSIAN_H

#include <stdbool.h>
#include <stddef.h>

/* Factor a matrix in its place (Golub, Van Loan 2013, algorithm 4.2.1); the upper half stays. False: it is not positive
   definite. */
bool tutti_cholesky_factor(double *matrix, size_t n);

/* The logarithm of the determinant of what was factored. */
double tutti_cholesky_determinant(const double *factor, size_t n);

/* L^-1 in the lower half, in place of the factor L. */
void tutti_cholesky_invert(double *factor, size_t n);

/* values[n] = L^-1 values, and L^-T values: both after each other solve the system. */
void tutti_cholesky_forward(const double *factor, size_t n, double *values);
void tutti_cholesky_backward(const double *factor, size_t n, double *values);

/* The same as forward of each of the rows [count][n]. */
void tutti_cholesky_forward_rows(const double *factor, size_t n, double *rows, size_t count);

/* The sum of products of two rows of @p n values. */
double tutti_dot(const double *left, const double *right, size_t n);

/* row[n] += factor other[n]. */
void tutti_add_product(double *restrict row, double factor, const double *restrict other, size_t n);

#endif
