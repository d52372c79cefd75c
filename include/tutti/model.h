/**
 * @file model.h
 * @ingroup models
 * Performance models: the published formulas of chapters 4 and 5 of Pjesivac-Grbovic 2007. No MPI, no I/O.
 *
 * A model is a point-to-point model with its parameters, and the cost of computing and copying. A formula gives the
 * time of one algorithm under one model. All times are in seconds, all sizes in bytes, all rates in seconds per byte.
 *
 *     model      a message of m bytes takes    the next one may be sent after    section 4.2.1, equation
 *     Hockney    alpha + beta m                alpha + beta m                    4.1
 *     LogGP      L + 2 o + (m - 1) G           g + (m - 1) G                     4.3; LogP: G = 0
 *     PLogP      L + g(m)                      g(m)                              4.4
 *
 * Links are full duplex: an exchange takes as long as one message. Published are the rows of tables 4.2 to 4.11:
 *
 *     barrier                 linear double-ring recursive-doubling bruck
 *     bcast                   linear pipeline binomial in-order-binomial binary in-order-binary split-binary
 *     scatter                 linear binomial
 *     gather                  linear linear-sync binomial
 *     allgather               bruck recursive-doubling(-general) ring neighbor-exchange
 *     alltoall                linear pairwise bruck
 *     reduce                  linear pipeline binomial in-order-binomial binary in-order-binary rabenseifner
 *     reduce_scatter(_block)  recursive-halving ring
 *     allreduce               recursive-doubling ring ring-segmented rabenseifner
 *     scan                    linear binomial
 *
 * A formula uses the segment size of a method, but not the number of outstanding messages.
 *
 * Several of the printed formulas contradict the text or themselves. docs/reference/model-corrections.md lists each
 * with the reason and its replacement; tutti_formula selects one. Corrected formulas assume g <=
 * L, as LogP does, which allows floor(L / g) messages in flight.
 */
#ifndef TUTTI_MODEL_H
#define TUTTI_MODEL_H

#include "tutti/algorithm.h"
#include "tutti/certificate.h"
#include "tutti/price.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Hockney's model. */
typedef struct tutti_hockney {
  double alpha; /**< latency, seconds */
  double beta;  /**< seconds per byte */
} tutti_hockney;

/** LogP, G being 0, and LogGP. */
typedef struct tutti_loggp {
  double L; /**< latency, seconds */
  double o; /**< overhead of a send or a receive, seconds */
  double g; /**< gap between messages, seconds */
  double G; /**< gap per byte, seconds per byte */
} tutti_loggp;

/** Gap and overheads of PLogP at one message size. */
typedef struct tutti_plogp_point {
  double m;   /**< bytes */
  double g;   /**< gap, seconds; no less than either overhead */
  double o_s; /**< send overhead, seconds */
  double o_r; /**< receive overhead, seconds */
} tutti_plogp_point;

/**
 * PLogP. Gap and overheads are linear between points; above the last point they continue as between the last two, and
 * below the first one they are constant (section 5.2.1).
 */
typedef struct tutti_plogp {
  double L;                        /**< latency, seconds */
  const tutti_plogp_point *points; /**< ascending by m; owned by the caller */
  size_t count;                    /**< number of points, >= 1 */
} tutti_plogp;

typedef enum tutti_model_kind {
  TUTTI_MODEL_HOCKNEY,
  TUTTI_MODEL_LOGGP,
  TUTTI_MODEL_PLOGP,
  TUTTI_MODEL_KINDS /**< number of kinds */
} tutti_model_kind;

/** A point-to-point model and the cost of computing and copying (section 4.2.2). A value: copy freely. */
typedef struct tutti_model {
  tutti_model_kind kind;
  union {
    tutti_hockney hockney;
    tutti_loggp loggp;
    tutti_plogp plogp;
  } network;    /**< the member that kind selects */
  double gamma; /**< seconds per byte of a reduction */
  double delta; /**< seconds per byte of a local copy */
} tutti_model;

/** Which formula. */
typedef enum tutti_formula {
  TUTTI_FORMULA_CORRECTED, /**< as in docs/reference/model-corrections.md; the printed one without a correction */
  TUTTI_FORMULA_PRINTED,   /**< to the letter of the tables */
} tutti_formula;

/** Which bound, where a table has two (flat-tree barrier under LogGP and PLogP). */
typedef enum tutti_bound { TUTTI_BOUND_MOST, TUTTI_BOUND_LEAST } tutti_bound;

/** A question to a formula. */
typedef struct tutti_model_question {
  tutti_method method;
  int ranks;        /**< P, >= 1 */
  uint64_t bytes;   /**< m: of the message (bcast, reduce, allreduce, scan) or of one block (scatter, gather, allgather,
                         alltoall, reduce_scatter), as call->count * call->type_size; barrier: not used */
  uint64_t element; /**< bytes of an element; segments and shares are whole elements. 0 is taken as 1 */
  tutti_formula formula;
  tutti_bound bound;
} tutti_model_question;

/** Name of a kind ("hockney"); NULL for a value outside the enumeration. */
const char *tutti_model_kind_name(tutti_model_kind kind);

/** TUTTI_ERR_ARGUMENT names a parameter that is negative or not finite, or the first PLogP point out of order. */
tutti_status tutti_model_check(const tutti_model *model, tutti_error *error);

/**
 * The model as pricing sees it (price.h). Hockney: rendezvous, gap alpha + beta m. LogGP: eager, send and receive o,
 * gap max{g, o} + (m - 1) G, a message arrives L after it was sent and takes (m - 1) G. PLogP: eager, o_s(m), o_r(m),
 * g(m); so that a message takes L + g(m), o_s falls within the gap of the sender and o_r ends that of the receiver.
 * @param model  that passed tutti_model_check(); must live as long
 */
tutti_costs tutti_model_costs(const tutti_model *model);

/**
 * The limits of Hockney's model or of LogGP for lower bounds of what is priced so (certificate.h), each rank on a node
 * of its own: under Hockney a rank sends one message at a time; under LogGP overhead o, gap max{g, o}, and G for each
 * further byte.
 * @param model  Hockney or LogGP that passed tutti_model_check(); PLogP: all limits are 0, so that nothing is claimed
 */
tutti_limits tutti_limits_of_model(const tutti_model *model, int ranks);

/** Gap and overheads at a message size. @{ */
double tutti_plogp_g(const tutti_plogp *plogp, double m);
double tutti_plogp_o_s(const tutti_plogp *plogp, double m);
double tutti_plogp_o_r(const tutti_plogp *plogp, double m);
/** @} */

/** Table 4.1. G is the slope of g above the last point, 0 if there is but one point. */
tutti_loggp tutti_loggp_from_plogp(const tutti_plogp *plogp);

/** A collective that was timed. */
typedef struct tutti_timed {
  int ranks;
  double m;       /**< bytes of the message */
  double seconds; /**< that it took */
} tutti_timed;

/**
 * PLogP fitted to collectives (section 4.4.1): overheads are as measured; the gap of an empty message is the cost of
 * one more process in a linear barrier (P (g + o_r) + 2 (L - o_r), table 4.2), and L + g(m) that in a broadcast by a
 * pipeline without segments ((P - 1) (L + g(m)), table 4.3), whose smallest message counts as empty.
 * @param barrier   [barrier_count] of barrier/linear
 * @param pipeline  [pipeline_count] of bcast/pipeline, ascending by size
 * @param points    [pipeline_count] receives the points of *fitted, one for each size
 * @return TUTTI_ERR_ARGUMENT if times are missing, out of order, or give a negative latency or gap
 */
tutti_status tutti_plogp_fit(const tutti_plogp *measured, const tutti_timed *barrier, size_t barrier_count,
                             const tutti_timed *pipeline, size_t pipeline_count, tutti_plogp_point *points,
                             tutti_plogp *fitted, tutti_error *error);

/**
 * The time of a method by its formula, for a model that passed tutti_model_check(). 0 seconds for one rank. The number
 * of segments is rounded up, and the last one counts as a whole one. A message without bytes costs the same as an
 * empty message.
 * @return TUTTI_ERR_UNSUPPORTED if no formula is published for the algorithm, for its k, or for this number of ranks;
 *         TUTTI_ERR_ARGUMENT if ranks < 1, or bytes are not a multiple of element.
 */
tutti_status tutti_model_time(const tutti_model *model, const tutti_model_question *question, double *seconds,
                              tutti_error *error);

/**
 * As tutti_model_time(), as a smooth function of the segment size: n_s = m / m_s without rounding (equation 5.7).
 * @param segment_bytes m_s, > 0; the parameter of the method is not used.
 */
tutti_status tutti_model_smooth_time(const tutti_model *model, const tutti_model_question *question,
                                     double segment_bytes, double *seconds, tutti_error *error);

/** A segment size. */
typedef struct tutti_best_segment {
  double optimum; /**< where the smooth time is least, not clipped; 0: nowhere ("none" in tables 5.1 to 5.4) */
  uint64_t
      segment_bytes; /**< for the method: whole elements, at least one and at most the message; 0: do not segment */
  double seconds;    /**< tutti_model_time() with segment_bytes */
} tutti_best_segment;

/**
 * The best segment size of an algorithm that takes one; the segment size of the method is not used. Hockney and LogGP:
 * the closed forms of tables 5.1 to 5.4. PLogP: searched among the points of the model and where the arguments of a
 * maximum cross (corollary 5.4); corrected, also the stationary points between them.
 *
 * The printed optimum is followed where it leads, even to a longer time. The corrected choice is never slower than not
 * to segment; of the whole sizes only those next to the optimum are tried, so that one farther away, with less left
 * over for its last segment, can be faster by a fraction of a percent.
 * @return as tutti_model_time(); TUTTI_ERR_UNSUPPORTED also if the algorithm takes no segments, or, for
 *         gather/linear-sync, if no optimum is published.
 */
tutti_status tutti_model_best_segment(const tutti_model *model, const tutti_model_question *question,
                                      tutti_best_segment *best, tutti_error *error);

/**
 * Corollary 5.5: the best segment size of split-binary broadcast for g(m) = a e^(b m), g >= o_s + o_r.
 * @param b per byte, > 0
 * @return bytes; 0 if there is none (P <= 3, corrected)
 */
double tutti_split_binary_segment_exponential(int ranks, double bytes, double b, tutti_formula formula);

#ifdef __cplusplus
}
#endif
#endif
