/* From measured values to the parameters of each model, and these beside the published ones. */
#ifndef TUTTI_PLATFORMS_PARAMETERS_H
#define TUTTI_PLATFORMS_PARAMETERS_H

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

/* ---- what a parameter set says, model by model, beside what was published ---- */

/* One parameter of a model; NaN where it is not known. */
struct parameter_value {
  const char *model, *label, *member;
  bool per_byte;
  double measured, published; /* seconds, or seconds per byte */
};

enum { PARAMETER_VALUES = 15 };

/* The parameters of all models but the message sizes of PLogP, in the order of a report. @p published may be NULL. */
void tutti_parameter_values(const tutti_parameter_set *set, const tutti_platform *published,
                            struct parameter_value values[PARAMETER_VALUES]);

/* Relative difference in percent; NaN if either is not known. */
double tutti_parameter_value_difference(const struct parameter_value *value);

#endif
