/**
 * @file sensitivity.h
 * @ingroup models
 * How a time depends on the parameters of a machine: its derivatives, from the costs on the critical path (price.h);
 * how far a parameter can rise before the time does by a share; and between which values one time stays the least of
 * several. As LLAMP (Shen et al., SC 2024) does by linear programs for traces under LogGPS: there a time is the maximum
 * of sums, a convex, piecewise linear function of each parameter, whose slope is the number of times that the parameter
 * is on the longest path. Here each pass gives a time and its slopes, and breakpoints are where the lines of two passes
 * meet.
 *
 * Where a rank does first what is ready first, another value can change the order, and the time may jump; it is then
 * not convex. Jumps that the search meets are found to one part in 10^9, and count if the times are so one part in 10^6
 * beyond, too: where two paths are equally long a time may be another one at that value alone. Two crossings between
 * neighboring passes that lie on one line can be missed.
 */
#ifndef TUTTI_SENSITIVITY_H
#define TUTTI_SENSITIVITY_H

#include "tutti/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A parameter of a model, and the derivative of a time by it. */
typedef struct tutti_slope {
  const char *name; /**< "L"; static storage */
  const char *unit; /**< "s", "s/B", or "1": a factor of the table of PLogP, whose value is 1 */
  double value;
  double slope; /**< seconds per unit; times the value, it is the part of the time that the parameter makes up */
} tutti_slope;

/** Maximum parameters of a model. */
enum { TUTTI_MAX_SLOPES = 6 };

/**
 * The derivatives of a price by the parameters of the model: alpha, beta (Hockney); L, o, g, G (LogGP; o in place of g
 * where that is less); L, and factors of o_s, o_r and g of all sizes (PLogP); then gamma and delta. Values times slopes
 * add up to the time, but for its rounding.
 * @param price   with its path, under the costs of the model
 * @return how many slopes there are
 */
int tutti_model_slopes(const tutti_model *model, const tutti_price *price, tutti_slope slopes[TUTTI_MAX_SLOPES]);

/**
 * The model with another value of a parameter.
 * @param parameter  index into what tutti_model_slopes() gives
 * @param points     [count of PLogP] receives its points, which must live as long; not used otherwise
 */
tutti_model tutti_model_changed(const tutti_model *model, int parameter, double value, tutti_plogp_point *points);

/** A time at a value of a parameter, and its slope there. */
typedef struct tutti_line {
  double x;
  double seconds, slope;
} tutti_line;

/** Times as functions of one parameter. */
typedef struct tutti_times_of_x {
  /** The time of function 0 .. count - 1, slope included, at x. */
  tutti_status (*time)(const void *context, int function, double x, tutti_line *line, tutti_error *error);
  const void *context;
  int count;
  double least; /**< the search goes down to this value, >= 0 */
} tutti_times_of_x;

/** The search ends at so many times the value. */
#define TUTTI_SENSITIVITY_SPAN 1024

/** Between which values a time is the least; ties, within one part in 10^9, count. */
typedef struct tutti_interval {
  double from, to;  /**< from: at least the `least` value, where `below` is -1 if it is the least down to there; to:
                         INFINITY if it is the least up to TUTTI_SENSITIVITY_SPAN times the value */
  int below, above; /**< the function that is less beyond; -1: none */
} tutti_interval;

/**
 * The interval around x in which function @p chosen is the least.
 * @param x         > 0
 * @param interval  from and to are NaN if it is not the least at x: `above` is then the one that is
 * @return what `time` fails with
 */
tutti_status tutti_sensitivity_interval(const tutti_times_of_x *times, int chosen, double x, tutti_interval *interval,
                                        tutti_error *error);

/** Slow-downs for which it is said by how much a parameter can rise: 1, 2 and 5 %. */
enum { TUTTI_TOLERANCES = 3 };

/**
 * By how much x can rise until the time of a function is longer by 1, 2 and 5 %.
 * @param x     > 0
 * @param more  INFINITY: it is not longer up to TUTTI_SENSITIVITY_SPAN times x; NaN after an error
 * @param jump  receives the first of those at which the time jumps; NaN: none
 * @return what `time` fails with
 */
tutti_status tutti_sensitivity_tolerances(const tutti_times_of_x *times, int function, double x,
                                          double more[TUTTI_TOLERANCES], double *jump, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
