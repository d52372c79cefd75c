/**
 * @file certificate.h
 * @ingroup analysis
 * Lower bounds: the time below which no method can do a collective, whatever its schedule. No MPI.
 *
 * A bound has terms, each valid alone; the largest one is the certificate. Terms follow from what any method must do
 * (model-free, tutti_demand_...) and from limits of a machine (tutti_limits): those of a model
 * (tutti_limits_of_model() of model.h), or those of a platform of the engine (harness/engine/machine/bounds.h).
 *
 *     term         no method is faster, since
 *     rounds       information spreads: nodes that have it send messages one after the other, and each message takes
 *                  its time. With gap and message equal, ceil(log2 P) rounds (Chan et al. 2007); in general
 *                  the broadcast tree of LogP (Karp, Sahay, Santos, Schauser 1993). Gather and reduce: the same
 *                  backwards
 *     distance     the farthest node from the root must be reached, over any nodes in between
 *     processor    a rank spends the overhead of what it must send (LogGP: o), message after message, and a message
 *                  takes the time of its bytes on the widest route, also within a node
 *     injection    a node sends what it must through its own links: volume times seconds a byte (Chan et al. 2007;
 *                  LogGP: G). What all need of one rank, as in a broadcast, an allreduce or a scan, a node sends after
 *                  it has been reached
 *     ejection     a node receives what it must, likewise
 *     bisection    all bytes that must cross the links of a level of the network go through these links
 *     computation  all ranks together combine what must be combined: (P - 1) / P of the vector each (Chan et al. 2007)
 *
 * Assumptions: elements are atomic, so that a message holds operands, partial results and results, not codes of
 * several; no message carries more than the data of the whole collective. Blocks of all ranks are alike, also those of
 * the v and w forms. An allreduce takes 2 (P - 1) messages for each element: P - 1 until the first rank has a result,
 * and one more for each of the others.
 */
#ifndef TUTTI_CERTIFICATE_H
#define TUTTI_CERTIFICATE_H

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is to be done. */
typedef struct tutti_demand {
  tutti_collective collective;
  int ranks;          /**< P, >= 1 */
  int ranks_per_node; /**< consecutive ranks share a node, the last one has what is left; >= 1 */
  int root;           /**< 0 where the collective has none */
  uint64_t bytes;     /**< of the message or of one block, as call->count * call->type_size; barrier: not used */
} tutti_demand;

/** @name Model-free: what any method must do
 * @{ */

/** Nodes of the ranks, and ranks of a node. */
int tutti_demand_nodes(const tutti_demand *demand);
int tutti_demand_ranks_of(const tutti_demand *demand, int node);

/** Rounds, where a rank sends and receives @p ports messages a round: the least r with (ports + 1)^r >= P. */
int tutti_demand_rounds(const tutti_demand *demand, int ports);

/** Bytes that must leave, or enter, the group of ranks first to first + count - 1. 0 for all ranks, and for none. */
double tutti_demand_out(const tutti_demand *demand, int first, int count);
double tutti_demand_in(const tutti_demand *demand, int first, int count);

/** Bytes that must go from node to node, over all messages; at least the sum of what enters the nodes. */
double tutti_demand_between(const tutti_demand *demand);

/** Bytes that must be combined, over all ranks: operations times the size of an element. */
double tutti_demand_work(const tutti_demand *demand);
/** @} */

/** Spreading: the k-th message (k = 1, 2, ...) that a node sends after it has something arrives base + k gap after that
    at the earliest. Seconds; base may be negative, base + gap not. */
typedef struct tutti_spread {
  double base, gap;
} tutti_spread;

/** Seconds until @p nodes nodes have what one had; 0 for one. */
double tutti_spread_time(tutti_spread spread, int nodes);

/** The same of each number of nodes: times[i] until i + 1 nodes have it. @param times [nodes], nodes >= 1 */
void tutti_spread_times(tutti_spread spread, int nodes, double *times);

#define TUTTI_LIMIT_LEVELS 20

/** Links of one level of a network, and how many of them a message between two nodes must cross. */
typedef struct tutti_limit_level {
  char name[24];
  double byte;  /**< seconds per byte of all its links together */
  double least; /**< links that any message between two nodes crosses */
  double pairs; /**< the sum over all ordered pairs of ranks on different nodes; 0: not known */
  double root;  /**< the sum over all ranks, from the root or to it; 0: not known */
} tutti_limit_level;

/** Limits of a machine for a demand. All 0: nothing is claimed. Seconds, and seconds per byte. */
typedef struct tutti_limits {
  tutti_spread wire;      /**< out of a node: its links take one message after the other */
  tutti_spread processor; /**< out of a node: its processors do */
  tutti_spread into;      /**< into a node: its links do */
  tutti_spread within;    /**< between ranks, on one node or on two */
  double farthest;        /**< of a message between the root, or rank 0, and the node that is farthest from it */
  double first;           /**< no byte from another node arrives before that */
  double sending;         /**< the processor of the sender, for each byte */
  double apart, moving;   /**< of a message of a rank: beyond the gap and its bytes, and for each byte; 0: not known */
  double out, in;         /**< the links of a node, for each byte */
  const double *outs, *ins; /**< [nodes] instead of these, by node; or NULL */
  double combining;         /**< all ranks together, for each byte that is combined */
  int level_count;
  tutti_limit_level levels[TUTTI_LIMIT_LEVELS];
} tutti_limits;

typedef enum tutti_term {
  TUTTI_TERM_ROUNDS,
  TUTTI_TERM_DISTANCE,
  TUTTI_TERM_PROCESSOR,
  TUTTI_TERM_INJECTION,
  TUTTI_TERM_EJECTION,
  TUTTI_TERM_BISECTION,
  TUTTI_TERM_COMPUTATION,
  TUTTI_TERMS
} tutti_term;

/** "rounds", ...; NULL outside the enumeration. */
const char *tutti_term_name(tutti_term term);

/** A lower bound. */
typedef struct tutti_certificate {
  double terms[TUTTI_TERMS]; /**< seconds; 0: says nothing */
  tutti_term binding;        /**< the largest one, the first among equals */
  double seconds;            /**< its value */
} tutti_certificate;

/** The certificate of a demand under limits. */
tutti_certificate tutti_certify(const tutti_demand *demand, const tutti_limits *limits);

#ifdef __cplusplus
}
#endif
#endif
