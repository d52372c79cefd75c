/**
 * @file predict.h
 * @ingroup decision
 * What methods take under a model, by the published formula or by pricing their schedules; the best segment size; and
 * decision functions made of models (Pjesivac-Grbovic 2007, section 5.2).
 */
#ifndef TUTTI_PREDICT_H
#define TUTTI_PREDICT_H

#include "tutti/decision.h"
#include "tutti/sensitivity.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The basis of a prediction. */
typedef enum tutti_predict_by {
  TUTTI_BY_FORMULA,  /**< tutti_model_time(): the algorithms of tables 4.2 to 4.11 */
  TUTTI_BY_SCHEDULE, /**< tutti_price_method(): every algorithm */
} tutti_predict_by;

/** A way to predict. A value: copy freely. */
typedef struct tutti_predictor {
  tutti_model model; /**< one that passed tutti_model_check() */
  tutti_predict_by by;
  tutti_formula formula; /**< only by formula */
  uint64_t element;      /**< bytes of an element; 0 is taken as 1 */
  double weight;         /**< of its vote, > 0; read by tutti_decision_models() only */
  int threads;           /**< threads that build schedules (price.h); 0: one */
} tutti_predictor;

/** "formula", "schedule"; NULL for a value outside the enumeration. */
const char *tutti_predict_by_name(tutti_predict_by by);

/**
 * The time of a method. Irregular collectives are called with the same count everywhere. Without data only a barrier
 * sends messages: else 0 seconds, where tutti_model_time() has the time of empty messages.
 * @param bytes    of the message, or of one rank's block: a multiple of the element, at most 2^52 (blocks: of all ranks
 *         together); not read for a barrier
 * @param seconds  receives the time
 * @return TUTTI_ERR_UNSUPPORTED without a formula, or if the method does not serve the call; TUTTI_ERR_ARGUMENT;
 *         TUTTI_ERR_MEMORY of a schedule
 */
tutti_status tutti_predict_time(const tutti_predictor *predictor, const tutti_method *method, int ranks, uint64_t bytes,
                                double *seconds, tutti_error *error);

/**
 * The time of a method by its schedule, whatever the predictor is by, and its derivatives by the parameters of the
 * model (sensitivity.h).
 * @param slopes  receives [*count]
 * @return as tutti_predict_time() by schedule
 */
tutti_status tutti_predict_slopes(const tutti_predictor *predictor, const tutti_method *method, int ranks,
                                  uint64_t bytes, double *seconds, tutti_slope slopes[TUTTI_MAX_SLOPES], int *count,
                                  tutti_error *error);

/** What depends on one parameter of a model. */
typedef struct tutti_sensitivity {
  tutti_slope slope;
  tutti_interval interval;       /**< in which the method stays the best; functions are indices of the methods; NaN
                                      also where it was not found in the number of passes that the search takes */
  double more[TUTTI_TOLERANCES]; /**< by how much the parameter can rise (tutti_sensitivity_tolerances()); NaN: not
                                      found */
  double jump;                   /**< the first of them at which the time jumps; NaN: none */
} tutti_sensitivity;

/**
 * How the time of a method depends on each parameter of a model, and where it stays the best of several, by schedule.
 * The interval and the tolerance of a parameter whose value is 0 are NaN.
 * @param methods  [method_count] of one collective; those that do not serve the call are no competitors
 * @param chosen   index of the method, which serves it
 * @param seconds  receives its time
 * @param rows     receives [*count]
 * @return as tutti_predict_time() of the chosen method
 */
tutti_status tutti_predict_sensitivities(const tutti_predictor *predictor, const tutti_method *methods,
                                         int method_count, int chosen, int ranks, uint64_t bytes, double *seconds,
                                         tutti_sensitivity rows[TUTTI_MAX_SLOPES], int *count, tutti_error *error);

/**
 * The best segment size of an algorithm that takes one; that of the method is not read. By formula:
 * tutti_model_best_segment(). By schedule: the best of none, of the powers of two from 256 B, or 4,096 segments, to
 * half, and, where there is a formula, of its best one.
 * @param method   its segment size is set to the best one
 * @param seconds  receives the time with it
 * @return as tutti_predict_time(); TUTTI_ERR_UNSUPPORTED also if the algorithm takes no segments
 */
tutti_status tutti_predict_segment(const tutti_predictor *predictor, tutti_method *method, int ranks, uint64_t bytes,
                                   double *seconds, tutti_error *error);

/**
 * Count votes: the choice with the largest weight among those of @p count predictors, -1 being none; of several the one
 * of the earliest predictor. @param weight receives its weight @return -1 without votes
 */
int tutti_votes_count(const int *choices, const tutti_predictor *predictors, int count, double *weight);

/** Maximum predictors that vote. */
#define TUTTI_MAX_VOTERS 16

/**
 * A decision function made of models (section 5.2.3): each predictor votes, with its weight, for the method with its
 * smallest time, and the method with most votes is picked; of several the one of the earliest predictor. Times that
 * differ by less than one part in 10^9 tie; the first in the order of tutti_method_compare() wins. A predictor that can
 * price none of the methods does not vote.
 * @param name        copied
 * @param methods     [method_count] candidates, all of @p collective; copied
 * @param predictors  [predictor_count] copied; the points of PLogP models must outlive the decision
 * @return TUTTI_ERR_ARGUMENT without methods or predictors, with more than TUTTI_MAX_VOTERS, if a method is of another
 *         collective, or a weight is not positive
 */
tutti_status tutti_decision_models(const char *name, tutti_collective collective, const tutti_method *methods,
                                   int method_count, const tutti_predictor *predictors, int predictor_count,
                                   tutti_decision *decision, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
