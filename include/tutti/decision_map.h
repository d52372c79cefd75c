/**
 * @file decision_map.h
 * @ingroup decision
 * Decision maps: for each (communicator size, message size) that was measured, the time of every method and the best of
 * them (Pjesivac-Grbovic 2007, section 5.1). No MPI.
 */
#ifndef TUTTI_DECISION_MAP_H
#define TUTTI_DECISION_MAP_H

#include "tutti/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which methods can be best: those that one implementation runs. Others of the map are only compared with them. */
typedef struct tutti_candidates {
  tutti_implementation implementation; /**< our schedules, or the algorithms that a library is told to use */
  bool native;                         /**< native methods, what the library chooses itself, too */
  bool rounds_apart;                   /**< methods whose ranks may get sums that differ in their last bits, too
                                            (tutti_method_rounds_apart()): no program that is left unchanged runs them */
  unsigned reproducible;               /**< classes that a reduction must have (tutti_method_reproducible()) */
} tutti_candidates;

/** Whether the method can be best. */
bool tutti_candidates_have(const tutti_candidates *candidates, const tutti_method *method);

/** Longest text of candidates, terminating zero included. */
#define TUTTI_CANDIDATES_LENGTH 128

/** "tutti", "openmpi", "openmpi, native, rounds apart", "tutti, reproducible by nodes, size"; @p text has
 * TUTTI_CANDIDATES_LENGTH bytes. Returns @p text. */
char *tutti_candidates_format(const tutti_candidates *candidates, char *text);

/** A complete or sparse grid of measured times. Arrays are owned by the map. */
typedef struct tutti_decision_map {
  tutti_collective collective;
  int ranks_per_node; /**< of all points; 0 if they differ */
  int ranks_count;
  int *ranks; /**< ascending */
  int size_count;
  uint64_t *sizes; /**< bytes per rank, ascending */
  int method_count;
  tutti_method *methods; /**< ordered by tutti_method_compare() */
  double *times;         /**< [ranks_count][size_count][method_count] median seconds; NaN where not measured */
  double *noise;    /**< the same: half the 95 % interval, or the range over several orders in which the ranks start, in
                       seconds; 0: exact, or unknown */
  bool *own_choice; /**< the same: whether it is the library's own choice, native: tutti_untuned_mark() */
  size_t negative;  /**< measurements that were left out (tutti_measurement_is_negative()) */
  tutti_candidates candidates; /**< tutti_decision_map_choose() */
  int *best;                   /**< [ranks_count][size_count] index into methods; -1 where no candidate was measured */
} tutti_decision_map;

/**
 * Make a map from measurements of one collective in one environment. Two times tie when they differ by less than one
 * part in 10^9 (the resolution of a simulated clock); the first in the order of tutti_method_compare() wins. Candidates
 * are our methods, or, if none was measured, those of the first library that has some. Negative medians are left out.
 * @return TUTTI_ERR_ARGUMENT without measurements, if they are of several collectives, a median is not finite, or a
 *         method was measured twice at a point (with other roots, ranks per node or types).
 */
tutti_status tutti_decision_map_create(const tutti_measurement *measurements, size_t count, tutti_decision_map *map,
                                       tutti_error *error);

void tutti_decision_map_free(tutti_decision_map *map);

/** Choose the best methods anew, among these candidates. Maps made of this one have the same. */
void tutti_decision_map_choose(tutti_decision_map *map, tutti_candidates candidates);

/** Whether a method of this implementation was measured, except native ones. */
bool tutti_decision_map_has(const tutti_decision_map *map, tutti_implementation implementation);

/**
 * Whether a decision about the code of an implementation applies to these candidates. It does not apply to the
 * algorithms of a library if it is about another library: these choices never run there.
 */
bool tutti_candidates_concern(const tutti_candidates *candidates, tutti_implementation implementation);

/** The candidates that a map is created with; native ones, or those that round apart, where nothing else was
    measured. */
tutti_candidates tutti_decision_map_default_candidates(const tutti_decision_map *map);

/** Whether only the library's own choice was measured, so that there is nothing to choose from. */
bool tutti_decision_map_only_native(const tutti_decision_map *map);

/** Whether a method of another implementation than the candidates was measured, except native ones. */
bool tutti_decision_map_mixes(const tutti_decision_map *map);

/** Index of the first method that is not a candidate only because its ranks round differently, and is faster than all
   candidates at some points, whose number goes to @p points, or -1. */
int tutti_decision_map_faster_apart(const tutti_decision_map *map, size_t *points);

/** Index of the library's own choice (bcast/native); -1: it was not measured. */
int tutti_decision_map_native(const tutti_decision_map *map);

/**
 * The measured library runs this method at a point as its own choice: it is another name of native there. So it has the
 * time of native, if that was measured: two times of the same method differ by chance, which is neither gain nor loss.
 * The best methods must be chosen anew after that.
 */
void tutti_decision_map_mark_own_choice(tutti_decision_map *map, int ranks_index, int size_index, int method_index);

/** Number of points, measured or not. */
static inline size_t tutti_decision_map_points(const tutti_decision_map *map)
{
  return (size_t)map->ranks_count * (size_t)map->size_count;
}

/** Index into the times of a map. */
static inline size_t tutti_decision_map_cell(const tutti_decision_map *map, int ranks_index, int size_index,
                                             int method_index)
{
  return ((size_t)ranks_index * (size_t)map->size_count + (size_t)size_index) * (size_t)map->method_count +
         (size_t)method_index;
}

/** Index of the best method at a point, or -1. */
static inline int tutti_decision_map_best_at(const tutti_decision_map *map, int ranks_index, int size_index)
{
  return map->best[(size_t)ranks_index * (size_t)map->size_count + (size_t)size_index];
}

/** Median seconds of a method at a point; NaN where not measured. */
double tutti_decision_map_time(const tutti_decision_map *map, int ranks_index, int size_index, int method_index);

/**
 * Index of the method that runs if one is picked at a point, with a known time there: itself; or, if it was not
 * measured and the point is outside its domain, the substitute in the catalogue, with default parameters; -1 if both
 * times are unknown. If a library's methods are candidates, one of our methods means the same one of that library,
 * which picks the parts of methods made of others itself. Algorithms made of nodes have no substitute here. A method
 * gets sides as by tutti_decision_map_tell(); no method serves where several were measured.
 */
int tutti_decision_map_serving(const tutti_decision_map *map, int ranks_index, int size_index,
                               const tutti_method *method);

/**
 * Set the parameters of a method that needs nodes, levels or a torus, and names none, to those with which its algorithm
 * was measured on @p ranks ranks, or, for a torus, any algorithm: bench stores the parameters from a platform
 * (tutti_method_tell()). Without effect if these are several.
 */
void tutti_decision_map_tell(const tutti_decision_map *map, int ranks, tutti_method *method);

/** Median seconds of tutti_decision_map_serving(); NaN if it is not known. */
double tutti_decision_map_serving_time(const tutti_decision_map *map, int ranks_index, int size_index,
                                       const tutti_method *method);

/** Index of a method in the map, -1 if it was not measured. */
int tutti_decision_map_find(const tutti_decision_map *map, const tutti_method *method);

/** Indices of a point; false if a map does not have it. */
bool tutti_decision_map_locate(const tutti_decision_map *map, int ranks, uint64_t size, int *ranks_index,
                               int *size_index);

/** Result of tutti_decision_map_fill(). */
typedef struct tutti_map_filled {
  size_t measured;      /**< times that were there */
  size_t between_sizes; /**< interpolated between two sizes of the same ranks */
  size_t between_ranks; /**< interpolated between two ranks of the same size */
  size_t substituted;   /**< outside the domain of the method: what its substitute takes */
  size_t left;          /**< still unknown */
} tutti_map_filled;

/**
 * Fill in missing times and find the best methods anew. Within the domain of a method: on the straight line, in bytes,
 * between the nearest sizes of the same ranks on both sides that were measured, else, in ranks, between the nearest
 * ranks of the same size; beyond the ends nothing is made up. Outside its domain: the time of the substitute that the
 * catalogue names (with default parameters), if that was measured or filled in. Which ranks share a node is known if
 * map->ranks_per_node is.
 * @param filled  may be NULL
 */
void tutti_decision_map_fill(tutti_decision_map *map, tutti_map_filled *filled);

/**
 * Let every method within @p percent of the best time of a point count as best, and choose those that serve most
 * points: the method that is good enough at most points not yet settled settles these, and so on; in ties the first
 * method. Only map->best changes: it need not be the fastest any more, so penalties are computed against the map
 * before.
 * @return TUTTI_ERR_ARGUMENT unless percent >= 0 and finite
 */
tutti_status tutti_decision_map_smooth(tutti_decision_map *map, double percent, tutti_error *error);

/**
 * Make what the library chooses itself harder to beat, for a map that a library's rules are learnt from: the fastest of
 * many noisy times is that of a lucky method as often as that of a fast one. The time of the native method goes down by
 * its noise or by @p percent, whichever is more, those of all others go up by their noise, and the best are chosen
 * anew. Nothing changes in a map without the native method. As for tutti_decision_map_smooth(), penalties are computed
 * against the map as it was.
 */
void tutti_decision_map_favor_native(tutti_decision_map *map, double percent);

/**
 * The same points with only those methods that @p knows accepts: those that a target supports; NULL: all. A point may
 * be left without a method.
 * @return TUTTI_ERR_ARGUMENT if it accepts none
 */
tutti_status tutti_decision_map_restrict(const tutti_decision_map *map,
                                         bool (*knows)(const tutti_method *method, void *context), void *context,
                                         tutti_decision_map *restricted, tutti_error *error);

/**
 * Deal the points of a map into @p fold_count folds whose sizes differ by at most one, in an order drawn by @p seed.
 * @param folds  [ranks_count][size_count] 0 .. fold_count - 1; -1: no point, nothing was measured
 * @return TUTTI_ERR_ARGUMENT unless 2 <= fold_count <= points of the map
 */
tutti_status tutti_decision_map_deal(const tutti_decision_map *map, int fold_count, uint64_t seed, int *folds,
                                     tutti_error *error);

/** The same with a fold for each communicator size, to test on one that was not seen: ranks_count folds. */
void tutti_decision_map_deal_ranks(const tutti_decision_map *map, int *folds);

/**
 * A copy of a map with only the points of fold @p fold, for testing, or with @p inside false those of all other folds,
 * for training; the others have times NaN, best -1. Axes and methods stay.
 */
tutti_decision_map tutti_decision_map_select(const tutti_decision_map *map, const int *folds, int fold, bool inside);

/** A question to a decision function. */
typedef struct tutti_question {
  tutti_collective collective;
  int ranks;
  int ranks_per_node; /**< 0: not known */
  uint64_t rank_bytes;
} tutti_question;

/** The question of a point of a map. */
tutti_question tutti_decision_map_question(const tutti_decision_map *map, int ranks_index, int size_index);

/** How many times as fast: t(before) / t(after), over points where both times are known and positive. */
typedef struct tutti_speedup {
  double mean;     /**< geometric; NaN without points, as the next two */
  double min, max; /**< below 1: slower */
  size_t min_at;   /**< their places, the first ones */
  size_t max_at;
  size_t points; /**< counted */
} tutti_speedup;

/** @param before, after  [count] seconds; NaN where not known */
tutti_speedup tutti_speedup_of(const double *before, const double *after, size_t count);

/** A method that is best from a size on, up to the next crossover of the same ranks. */
typedef struct tutti_crossover {
  uint64_t size; /**< bytes per rank; the first size of the map begins the list */
  int method;    /**< index into the methods of the map */
} tutti_crossover;

/**
 * The sizes at which the best method changes. Cells without a best method are passed over.
 * @param crossovers  [map->size_count]
 * @return how many there are
 */
int tutti_decision_map_crossovers(const tutti_decision_map *map, int ranks_index, tutti_crossover *crossovers);

/**
 * @name Joint maps
 * One decision map made of several, which were measured under several arrival patterns or noises (arrival.h, noise.h),
 * so that a choice by the joint map is a robust one.
 *
 * The ratio of a method under one pattern is its time over the best time there. At each point the joint map holds for
 * each method the mean of its ratios over all patterns, or the worst of them (the minimax choice), times the mean of
 * the best times over the patterns. So times stay in seconds and points keep their weight, and the penalty of a
 * decision against the joint map is the excess of its ratio over the smallest ratio of one method.
 * @{
 */

typedef enum tutti_robust { TUTTI_ROBUST_MEAN, TUTTI_ROBUST_WORST, TUTTI_ROBUST_COUNT } tutti_robust;

/** "mean", "worst"; NULL outside the enumeration. */
const char *tutti_robust_name(tutti_robust robust);

/** TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_robust_parse(const char *name, tutti_robust *robust, tutti_error *error);

/**
 * Join @p count maps of one collective. The joint map has the axes and methods of the first one. A method is unknown at
 * a point if it is unknown under a pattern; all are where the best time of a pattern is unknown or not positive. The
 * best of each map are its own; the candidates of the joint map are those of the first one.
 * @return TUTTI_ERR_ARGUMENT without maps, or if they are of several collectives
 */
tutti_status tutti_decision_map_join(const tutti_decision_map *maps, int count, tutti_robust robust,
                                     tutti_decision_map *joint, tutti_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
