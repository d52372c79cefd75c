/**
 * @file experiment.h
 * Experiment files: what to measure where, as XML.
 *
 *     <experiment name="grig_bcast" source="Pjesivac-Grbovic 2007, figure 6.3">
 *       <platform name="grig_fast_ethernet"/>
 *       <measure scheme="occ"/>
 *       <sweep collective="bcast" root="0">
 *         <ranks>2..28</ranks>
 *         <sizes>1 2 3 4 ... 384KB</sizes>
 *         <method algorithm="linear" segments="none 1KB 8KB 16KB 32KB"/>
 *         <method name="bcast/chain/8KB/k=4"/>
 *         <method algorithm="native" selector="ompi mpich"/>
 *         <decision name="library:openmpi-4.1"/>
 *       </sweep>
 *     </experiment>
 *
 * <platform> has a name (looked up as tutti_platform_find() does) or a file (relative to the experiment file), or
 * kind="real" with name (a cluster's name) and flavor ("mpich" or "openmpi").
 * <measure> attributes: scheme (occ, window), warmup, repetitions-max, confidence (half width of the 95 % interval of
 * the median over the median), all optional.
 * <ranks> and <sizes> hold numbers, sizes with suffixes, and ranges FROM..TO (step 1) or FROM..TO*FACTOR.
 * <method> has a name, or an algorithm and lists of parameters separated by blanks: segments, k (whatever the algorithm
 * calls it: radix, max_requests, ...), outstanding, selector (of native, in simulation only); all combinations are
 * measured, an absent list standing for the default. A <decision>, which has the name of a library (library.h) or the
 * file of a decision (relative to the experiment file), measures at each point the method that it picks there, if any.
 * A <sweep> without either measures all algorithms of its collective with default parameters; those made of nodes get
 * the platform's ranks per node, and are left out where a node has one rank or the platform is real. Combinations
 * outside the domain of a method are passed over. Sizes are bytes per rank: of the message, or of one rank's block
 * where the collective has a block for, or from, each rank; the irregular forms (scatterv, ...) are measured with equal
 * blocks. An experiment has one or more <sweep>. A barrier sweep has no sizes; only the sweep of a collective that has
 * a root takes one.
 *
 * A sweep has at most 4,096 methods, an experiment 2^22 points.
 *
 * An experiment that builds groups (build.h) has one or more <group> instead of <sweep>:
 *
 *     <group branching="3" seed="7" colours="1" node-ranks="1">
 *       <ranks>2048 8192 32768 131072</ranks>
 *       <fractions>0.001 0.01 0.1 0.3</fractions>
 *       <members>600</members>
 *       <builder name="shrink-hash/no-filler"/>
 *     </group>
 *
 * All attributes are optional (those above, but for seed="1"); branching, seed and colours take lists like <ranks>.
 * There must be <fractions> or <members>; both add up. Without <builder> all builders are measured. What a builder
 * cannot build is passed over. <measure> says how often on a real machine; its scheme has no meaning here.
 *
 * An experiment that sorts, or makes groups of processes and uses them, has one or more <sort>, or <range>, instead:
 *
 *     <sort ranks="1024 32768" count="1..1024*2" layer="ranges create-group/mpich" seed="1..5"/>
 *     <range operation="create" way="ranges split/mpich" ranks="1024..32768*2" size="ranks/2"/>
 *
 * Its attributes are the keys of the results of that kind (result.h), each a list of words or of numbers like <ranks>;
 * all combinations are measured. What is not said has its usual value: <sort> must say ranks and count, and sorts by
 * algorithm="janus"; <range> must say operation, ranks and size. Where a key does not apply (tutti_result_applies())
 * its list is not read. A number can be "ranks" or "ranks/K", too, the number of processes and a K-th of it. <measure>
 * as for groups.
 */
#ifndef TUTTI_EXPERIMENT_H
#define TUTTI_EXPERIMENT_H

#include "tutti/algorithm.h"
#include "tutti/build.h"
#include "tutti/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_scheme {
  TUTTI_SCHEME_OCC,    /**< operation then Bruck barrier, whose own time is subtracted (dissertation, chapter 6) */
  TUTTI_SCHEME_WINDOW, /**< all ranks start at an agreed time of a synchronised clock (SKaMPI) */
  TUTTI_SCHEME_COUNT
} tutti_scheme;

/** "occ", "window"; NULL outside the enumeration. */
const char *tutti_scheme_name(tutti_scheme scheme);

/** TUTTI_ERR_ARGUMENT names the known ones. */
tutti_status tutti_scheme_parse(const char *name, tutti_scheme *scheme, tutti_error *error);

/** How to measure a point. Ignored but for the scheme in simulation, where one repetition is exact. */
typedef struct tutti_measure {
  tutti_scheme scheme;
  int warmup;          /**< repetitions not counted, default 3 */
  int repetitions_max; /**< cap, default 200 */
  double confidence;   /**< default 0.05 */
} tutti_measure;

/** A method at one point of a sweep. */
typedef struct tutti_pick {
  int ranks;
  uint64_t size;
  tutti_method method;
} tutti_pick;

/** One sweep: the product ranks x sizes x methods, and what decisions pick. */
typedef struct tutti_sweep {
  tutti_collective collective;
  int root;
  int ranks_count;
  int *ranks;      /**< ascending, unique */
  int size_count;  /**< 1 for a collective without data, whose one size is 0 */
  uint64_t *sizes; /**< bytes of the message, or of one rank's block, ascending, unique */
  int method_count;
  tutti_method *methods; /**< in file order, or that of the catalogue if the file names none; unique */
  size_t pick_count;
  tutti_pick *picks; /**< by decision in file order, ranks and size; a method may be among methods, too */
} tutti_sweep;

/** One sweep of groups: the product ranks x points. */
typedef struct tutti_group_sweep {
  int ranks_count;
  int *ranks; /**< ascending, unique */
  size_t point_count;
  tutti_build_point *points; /**< the size of the draw is not set */
} tutti_group_sweep;

/** Results to measure; of each only the keys are set. */
typedef struct tutti_result_sweep {
  size_t point_count;
  tutti_result *points;
} tutti_result_sweep;

/** An experiment. Strings and arrays are owned by it. */
typedef struct tutti_experiment {
  char *path;
  char *name;
  char *source; /**< NULL if the file says nothing */
  char *platform_name;
  char *platform_path; /**< NULL on a real machine */
  char *flavor;        /**< "smpi", "mpich" or "openmpi" */
  tutti_measure measure;
  int sweep_count; /**< 0 in an experiment that builds groups */
  tutti_sweep *sweeps;
  int group_count; /**< 0 in an experiment that measures collectives */
  tutti_group_sweep *groups;
  int result_count; /**< 0 in all others; all are of one kind */
  tutti_result_sweep *results;
  tutti_result_kind result_kind; /**< of these */
} tutti_experiment;

/** Read and validate. TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT; the message begins with FILE:LINE where there is a line. */
tutti_status tutti_experiment_read(const char *path, tutti_experiment *experiment, tutti_error *error);

/** What an experiment is measured on, and at, instead of what its file says. */
typedef struct tutti_experiment_setting {
  const char *platform; /**< path of a platform file: simulated, whatever the file says */
  int ranks_count;
  const uint64_t *ranks; /**< [ranks_count] ascending; 0: those of the file. Each sweep, group, ... takes all of them */
  int size_count;
  const uint64_t *sizes; /**< [size_count] ascending, of sweeps that move data; 0: those of the file */
  int room;              /**< numbers of ranks above it are left out */
  int left_out;          /**< the largest number of ranks that was left out, 0 if none was; filled in */
} tutti_experiment_setting;

/**
 * The same for another setting. The platform must have as much room as the setting says.
 * @return as tutti_experiment_read(); TUTTI_ERR_ARGUMENT also where no number of ranks is left
 */
tutti_status tutti_experiment_read_on(const char *path, tutti_experiment_setting *setting, tutti_experiment *experiment,
                                      tutti_error *error);

/** The program that measures it: "tutti-bench", "tutti-group", "tutti-sort" or "tutti-range"; static storage. */
const char *tutti_experiment_program(const tutti_experiment *experiment);

/** Free what tutti_experiment_read() allocated. */
void tutti_experiment_free(tutti_experiment *experiment);

#ifdef __cplusplus
}
#endif
#endif
