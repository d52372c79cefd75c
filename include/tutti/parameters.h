/**
 * @file parameters.h
 * @ingroup platforms
 * Parameters of the point-to-point models of a machine: measured ones in the store, and published ones.
 *
 * Times between two processes on different nodes are measured (tutti-params prints them, record.h), and the costs of
 * reducing and copying in one process. The store has these, and a parameter set derives the models from them:
 *
 *     quantity          of message size   gives
 *     half-trip         yes               Hockney: alpha + beta m
 *     gap               yes               PLogP: g(m), and L = half-trip(0) - gap(0) (Kielmann, Bal, Verstoep 2000)
 *     send-overhead     yes               PLogP: o_s(m)
 *     receive-overhead  yes               PLogP: o_r(m)
 *     gamma             of the arrays     seconds per byte reduced, per operation and type ("sum/double")
 *     delta             of the arrays     seconds per byte copied
 *
 * Hockney is fitted by least squares, weighted for relative errors. Beside it are the extremes that Pjesivac-Grbovic
 * 2007, section 4.4.1, used: the smallest half trip, and the inverse of the highest bandwidth.
 *
 * LogGP follows from PLogP by table 4.1. Overheads of PLogP are no more than the gap: a process that sends back to back
 * is busy for g(m) with each message, and the rest was waiting. Sizes before the largest one that have a longer gap
 * than it are left out, since beyond it PLogP continues as between the last two.
 *
 * Gap and half trip belong to the same machine where messages of a row go through the same few buffers as those of
 * round trips; in a row, a message then takes hardly longer than half a round trip. If the gap is far longer all the
 * same, rows were subject to effects that single messages are not (another protocol, other traffic), and PLogP and
 * LogGP predict other times than Hockney: tutti_parameter_set_contradicts() finds such sizes.
 *
 * The overhead of a message is that of the calls that Tutti's schedules make. On a real machine: from posting a send to
 * its completion, its receive being posted; completing a posted receive after the message has arrived. In simulation:
 * posting MPI_Isend (smpi/ois), since the completion of a rendezvous is the arrival, and completing the receive, which
 * is free for a rendezvous: SMPI charges smpi/or for eager messages only. So a simulated machine with overheads and no
 * eager messages shows o_s = smpi/ois and o_r = 0, and by table 4.1 o = o_s / 2; L + 2 o is right.
 */
#ifndef TUTTI_PARAMETERS_H
#define TUTTI_PARAMETERS_H

#include "tutti/measurement.h"
#include "tutti/model.h"
#include "tutti/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The operation and type whose gamma is used for all in a model. */
#define TUTTI_PARAMETER_MODEL_GAMMA "sum/double"

/** The origin of a parameter set. */
typedef enum tutti_parameter_origin { TUTTI_PARAMETERS_MEASURED, TUTTI_PARAMETERS_PUBLISHED } tutti_parameter_origin;

/** The known point-to-point times of one machine. Arrays are owned by the set. */
typedef struct tutti_parameter_set {
  tutti_parameter_origin origin;
  bool has[TUTTI_MODEL_KINDS]; /**< which of the models are known */
  tutti_hockney hockney;       /**< least-squares fit; or as published */
  tutti_hockney extremes;      /**< smallest half trip, inverse of the highest bandwidth; or as published */
  tutti_loggp loggp;
  tutti_plogp plogp;           /**< points in @p points */
  double gamma;                /**< seconds per byte, of TUTTI_PARAMETER_MODEL_GAMMA; NaN if not known */
  double delta;                /**< seconds per byte; NaN if not known */
  tutti_plogp_point *points;   /**< [plogp.count] */
  tutti_parameter *parameters; /**< [parameter_count] what was measured, by quantity, of and bytes; NULL if published */
  size_t parameter_count;
  char library[TUTTI_PLATFORM_NAME_LENGTH]; /**< that was measured; "" if published */
} tutti_parameter_set;

/**
 * The published parameters in the platform file. Hockney needs alpha and beta, LogGP needs L, o, g and G. PLogP is
 * LogGP written as PLogP, the inverse of table 4.1: o_s = o_r = o, g(m) = max(g + (m - 1) G, o), L so that a message
 * takes L + 2 o + (m - 1) G where g(m) is not bounded by o; unknown if that L would be negative.
 * @return TUTTI_ERR_ARGUMENT if the platform publishes no complete model; TUTTI_ERR_MEMORY
 */
tutti_status tutti_parameter_set_published(const tutti_platform *platform, tutti_parameter_set *set,
                                           tutti_error *error);

/**
 * Derive a set from measured values. Models for which values are missing are not known.
 * @param parameters  in any order, copied
 * @return TUTTI_ERR_ARGUMENT if no model can be derived; TUTTI_ERR_MEMORY
 */
tutti_status tutti_parameter_set_derive(const tutti_parameter *parameters, size_t count, tutti_parameter_set *set,
                                        tutti_error *error);

/**
 * One model out of a set, Hockney by its fit. gamma and delta are 0 where they are not known. The points of PLogP
 * belong to the set: the model must not outlive it.
 * @return TUTTI_ERR_ARGUMENT if the set does not know that model
 */
tutti_status tutti_parameter_set_model(const tutti_parameter_set *set, tutti_model_kind kind, tutti_model *model,
                                       tutti_error *error);

/** A gap of more half round trips than this contradicts them, in messages of at least this many bytes. */
#define TUTTI_PARAMETER_MOST_HALF_TRIPS     1.5
#define TUTTI_PARAMETER_LEAST_CONTRADICTING 4096

/** A size whose gap contradicts the half round trip. */
typedef struct tutti_parameter_contradiction {
  uint64_t bytes;        /**< of the message */
  double gap, half_trip; /**< seconds */
} tutti_parameter_contradiction;

/**
 * Whether gaps and half round trips contradict each other at a size at which both were measured.
 * @param worst  receives the size with the most half trips in a gap; unchanged if false
 */
bool tutti_parameter_set_contradicts(const tutti_parameter_set *set, tutti_parameter_contradiction *worst);

/** Free what a set owns; a set of zeros is allowed. */
void tutti_parameter_set_free(tutti_parameter_set *set);

#ifdef __cplusplus
}
#endif
#endif
