/**
 * @file guideline.h
 * @ingroup decision
 * Self-consistency of measured times: performance guidelines. No MPI, no store: the caller provides times.
 *
 * A guideline states that a collective should not be slower than calls that could replace it: an allreduce not
 * slower than a reduce and a broadcast, a scatter not slower than the broadcast of everything (J. L. Traeff, W. Gropp,
 * R. Thakur, Self-consistent MPI performance guidelines, IEEE TPDS 21 (5), 2010; S. Hunold, A. Carpen-Amarie,
 * F. D. Luebbe, J. L. Traeff, Automatic verification of self-consistent MPI performance guidelines, Euro-Par 2016).
 * If it is, the library is not tuned well, and the right side, the mock-up, is the replacement.
 *
 * Guidelines are data, a line each in src/decision/guidelines/guidelines.def. m is the size as everywhere: bytes of the
 * message, or of one rank's block where the collective has a block for, or from, each rank (tutti_total_bytes()); P
 * the number of ranks. Sizes are converted exactly: m/P only where P divides m. Missing times are never interpolated;
 * checks that could not be made are counted by their reason.
 */
#ifndef TUTTI_GUIDELINE_H
#define TUTTI_GUIDELINE_H

#include "tutti/decision.h"

#ifdef __cplusplus
extern "C" {
#endif

/** On how many ranks a term of the right side runs. */
typedef enum tutti_guideline_ranks {
  TUTTI_RANKS_ALL,           /**< P, those of the left side */
  TUTTI_RANKS_BUT_ONE,       /**< P - 1 */
  TUTTI_RANKS_TWO,           /**< 2 */
  TUTTI_RANKS_MORE,          /**< the cheapest number above P that was measured with the same m */
  TUTTI_RANKS_NEAREST_POWER, /**< P = 2^k - 1 or 2^k + 1: 2^k, P = 2^k: 2^k - 1; k >= 2. No term for other P. Such a
                                term counts 1 + 2/k times: folding to a power of two costs two rounds more than k */
} tutti_guideline_ranks;

/** On how much it runs. */
typedef enum tutti_guideline_size {
  TUTTI_SIZE_SAME,         /**< m */
  TUTTI_SIZE_TIMES_RANKS,  /**< P m: all blocks as one message */
  TUTTI_SIZE_TIMES_OTHERS, /**< (P - 1) m */
  TUTTI_SIZE_OVER_RANKS,   /**< m/P: a message cut into a block for each rank */
  TUTTI_SIZE_HALF,         /**< m/2 */
  TUTTI_SIZE_LARGER,       /**< the cheapest size above m that was measured */
  TUTTI_SIZE_LEAST,        /**< the smallest measured size above 0 */
  TUTTI_SIZE_NONE,         /**< 0, of a barrier */
} tutti_guideline_size;

/** A collective of the right side. */
typedef struct tutti_guideline_term {
  int times;                   /**< number of its runs, one after the other; 0: no term */
  tutti_collective collective; /**< TUTTI_COLL_COUNT: the one of the left side */
  tutti_guideline_ranks ranks;
  tutti_guideline_size size;
} tutti_guideline_term;

/** Maximum terms of a right side. */
#define TUTTI_GUIDELINE_TERMS 3

/** left(P, m) <= the sum of the terms. Static storage. */
typedef struct tutti_guideline {
  tutti_collective left; /**< TUTTI_COLL_COUNT: every collective */
  tutti_guideline_term terms[TUTTI_GUIDELINE_TERMS];
  const char *reason; /**< why it should hold, or what to do in place of the left side */
} tutti_guideline;

size_t tutti_guideline_count(void);

/** Whether the right side can be run in place of the left one. Not if it is on other ranks than the left side. */
bool tutti_guideline_is_mock_up(const tutti_guideline *guideline);

/** Guideline @p index; NULL past the last. */
const tutti_guideline *tutti_guideline_at(size_t index);

/** Longest text of tutti_guideline_format(), terminating zero included. */
#define TUTTI_GUIDELINE_LENGTH 192

/**
 * Write it as a formula, with @p left in place of "every collective": "allgather(m) <= gather(m) + bcast(P m)",
 * "bcast(P, m) <= bcast(P-1, m) + bcast(2, m)". TUTTI_COLL_COUNT: "any(m) <= 2 any(m/2)". Returns @p text.
 */
char *tutti_guideline_format(const tutti_guideline *guideline, tutti_collective left, char *text);

/** The time of a collective at one point, with the method that runs there. */
typedef struct tutti_guideline_time {
  tutti_collective collective;
  int ranks;
  int ranks_per_node; /**< terms on the same number of ranks must have the same; others as well, unless both fit on one
                         node */
  uint64_t rank_bytes;
  double seconds;
  double noise; /**< as in tutti_decision_map */
  tutti_method method;
} tutti_guideline_time;

/** A list of times. Zero-initialize; tutti_guideline_times_free(). */
typedef struct tutti_guideline_times {
  tutti_guideline_time *items;
  size_t count;
  size_t capacity;
} tutti_guideline_times;

/** Append one. */
void tutti_guideline_times_add(tutti_guideline_times *times, const tutti_guideline_time *time);

/**
 * Append what runs at each point of a map: the best method (map->best), or the one that @p decision picks, with the
 * time of its substitute outside its domain (tutti_decision_map_serving_time()).
 * @param decision        NULL: the best
 * @param ranks_per_node  [map->ranks_count] of each number of ranks
 * @param unknown         receives how many points have no time: nothing picked, or nothing that was measured
 */
void tutti_guideline_times_of_map(tutti_guideline_times *times, const tutti_decision_map *map,
                                  const tutti_decision *decision, const int *ranks_per_node, size_t *unknown);

void tutti_guideline_times_free(tutti_guideline_times *times);

/** Why a check could not be made. */
typedef enum tutti_guideline_gap {
  TUTTI_GAP_MEASURED,  /**< a point of the right side is not among the times */
  TUTTI_GAP_DIVISIBLE, /**< P does not divide m, or m is odd, or the size is too large for 64 bits */
  TUTTI_GAP_POSITIVE,  /**< a time is not positive: noise of the OCC scheme */
  TUTTI_GAP_NODES,     /**< a point of the right side was measured with another number of ranks per node */
  TUTTI_GAP_COUNT
} tutti_guideline_gap;

/** Results of a guideline. */
typedef struct tutti_guideline_tally {
  size_t checked; /**< held or violated */
  size_t violated;
  size_t gaps[TUTTI_GAP_COUNT];
  unsigned lacking; /**< bit 1 << collective: its terms of this collective were not measured at all */
} tutti_guideline_tally;

/** A violation. */
typedef struct tutti_violation {
  const tutti_guideline *guideline;
  tutti_guideline_time left;
  tutti_guideline_time right[TUTTI_GUIDELINE_TERMS];
  double seconds; /**< of the right side, all of its terms with their repetitions */
  double lost;    /**< seconds: left.seconds - seconds */
} tutti_violation;

typedef struct tutti_guideline_report {
  tutti_violation *violations; /**< [violation_count] costliest first */
  size_t violation_count;
  tutti_guideline_tally *tallies; /**< [tutti_guideline_count()] */
  size_t points;                  /**< left sides: points of the collectives asked about */
  size_t points_violating;        /**< those with one violation or more */
  double lost; /**< seconds, summed over the points with the costliest mock-up violated of each: every point run once */
} tutti_guideline_report;

/**
 * Check all guidelines at all points.
 * @param times        sorted by this function; no point twice
 * @param collectives  bit 1 << collective: whose left sides; 0: all
 * @param tolerance    >= 0 and finite: the left side may take 1 + tolerance times the right side; and any guideline
 * holds where the two sides differ by less than their noise
 * @param report       tutti_guideline_report_free()
 * @return TUTTI_ERR_ARGUMENT for a point that is there twice or a bad tolerance
 */
tutti_status tutti_guidelines_check(tutti_guideline_times *times, unsigned collectives, double tolerance,
                                    tutti_guideline_report *report, tutti_error *error);

void tutti_guideline_report_free(tutti_guideline_report *report);

#ifdef __cplusplus
}
#endif
#endif
