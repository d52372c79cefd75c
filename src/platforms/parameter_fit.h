/* From measured values to the parameters of each model. */
#ifndef TUTTI_HARNESS_PARAMETER_FIT_H
#define TUTTI_HARNESS_PARAMETER_FIT_H

#include "tutti/parameters.h"

/* Measured values in the order of tutti_parameter_compare(). */
struct measured {
  const tutti_parameter *items;
  size_t count;
};

/* The values of one quantity. */
struct measured tutti_measured_of(struct measured all, tutti_quantity quantity);

/* The value of a quantity for so many bytes; NULL if there is none. */
const tutti_parameter *tutti_measured_find(struct measured all, tutti_quantity quantity, uint64_t bytes);

/* Least squares of the relative error of alpha + beta m, neither negative; false with fewer than two sizes. */
bool tutti_parameter_fit_hockney(struct measured trips, tutti_hockney *hockney);

/* Least time and inverse of the highest bandwidth; false without a size above 0. */
bool tutti_parameter_fit_extremes(struct measured trips, tutti_hockney *hockney);

/* Fill in points[gaps.count]. TUTTI_ERR_ARGUMENT names the size whose overhead was not measured. */
tutti_status tutti_parameter_fit_points(struct measured all, struct measured gaps, tutti_plogp_point *points,
                                        tutti_error *error);

/* Leave out points before the last one that have a longer gap: beyond it, gaps would shrink for ever. Returns how many
   points are left. */
size_t tutti_parameter_fit_end(tutti_plogp_point *points, size_t count);

#endif
