/**
 * @file experiment.h
 * @ingroup experiments
 * Experiment files: what to measure where, as XML.
 *
 *     <experiment name="pjesivac_figure_6_3" source="Pjesivac-Grbovic 2007, figure 6.3">
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
 * A <sweep> takes lists of arrival patterns (arrival.h) and of noises (noise.h), separated by blanks, too, and all is
 * measured under each pair of them; `none` alone unless there are lists, so one that wants it besides others says so:
 *
 *     <sweep collective="bcast" arrival="none uniform/100us/seed=1 trace/late.txt" noise="none detour/1ms/10us/seed=1">
 *
 * The file of a trace is relative to the experiment file. What is outside the domain of a pattern (rank=7 of 4 ranks)
 * or a noise (native methods) is passed over.
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
 *
 * An experiment can say what comes of it, and what somebody published about that:
 *
 *     <experiment name="table_6_4" source="Pjesivac-Grbovic 2007, table 6.4" takes="20min">
 *       <platform name="frodo_mx"/>
 *       <sweep collective="bcast"> ... </sweep>
 *       <step>learn quadtree bcast --platform frodo_mx --depth 3 --keep</step>
 *       <claim what="mean penalty, depth 3" published="12.43" unit="%" within="50%">
 *         SELECT mean_percent FROM penalties WHERE platform = 'frodo_mx' AND decision = 'quadtree/depth=3'
 *       </claim>
 *       <differs>The simulated network ...</differs>
 *     </experiment>
 *
 * takes: the whole of it, with nothing in the store, on two cores ("30s", "2min", "1.5h").
 * <step>: a command line of tutti, to be run when all points are in the store, one step after the other; words are
 * separated by blanks and may be in quotes. $db is the store, $here the directory of this file, $jobs how many jobs to
 * run at once; --db with the store is added to a line without --db.
 * <claim>: one SELECT of one number (claim.h), and what was published: a number, "> 400" and the like, a range "2..3",
 * "true" or "false". A number is met within="20%" (of it), "2 us" (of the claim's unit), or "2x" (from half to twice);
 * exactly if nothing is said. A claim that does not hold, for the reason in <differs>, is marked differs="true"; if
 * none is marked, the reason is one for all. <not-reproducible> says why an experiment cannot be had here; its claims
 * are about what can. <figure plot="docs/figures/x.svg"/>: a picture of it. An experiment with steps, claims or
 * <not-reproducible> need not have a sweep, and without one needs no platform.
 */
#ifndef TUTTI_EXPERIMENT_H
#define TUTTI_EXPERIMENT_H

#include "tutti/algorithm.h"
#include "tutti/group_run.h"
#include "tutti/measurement.h"
#include "tutti/pattern.h"
#include "tutti/result.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/** One sweep: the product ranks x sizes x methods, and what decisions pick, under each arrival pattern and
    noise. */
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
  tutti_patterns patterns;
  tutti_pick *picks; /**< by decision in file order, ranks and size; a method may be among methods, too */
} tutti_sweep;

/** One sweep of groups: the product ranks x points. */
typedef struct tutti_group_sweep {
  int ranks_count;
  int *ranks; /**< ascending, unique */
  size_t point_count;
  tutti_group_point *points; /**< the size of the draw is not set */
} tutti_group_sweep;

/** Results to measure; of each only the keys are set. */
typedef struct tutti_result_sweep {
  size_t point_count;
  tutti_result *points;
} tutti_result_sweep;

/** How a measured number is compared with a published one. */
typedef enum tutti_comparison {
  TUTTI_CLAIM_EQUAL,    /**< exactly, but for rounding */
  TUTTI_CLAIM_RELATIVE, /**< within a share of it */
  TUTTI_CLAIM_ABSOLUTE, /**< within a distance from it */
  TUTTI_CLAIM_FACTOR,   /**< from a part of it to as many times it */
  TUTTI_CLAIM_LESS,
  TUTTI_CLAIM_AT_MOST,
  TUTTI_CLAIM_MORE,
  TUTTI_CLAIM_AT_LEAST,
  TUTTI_CLAIM_BETWEEN,
  TUTTI_CLAIM_TRUTH, /**< 0 is false, everything else true */
} tutti_comparison;

/** What was published about an experiment. */
typedef struct tutti_claim {
  int line;        /**< in the file */
  char *what;      /**< for a person */
  char *published; /**< as in the file */
  char *unit;      /**< NULL: none */
  char *within;    /**< as in the file; NULL: it says nothing */
  char *sql;
  bool differs; /**< it is known not to hold */
  tutti_comparison comparison;
  double value;     /**< published, in its unit; the lower end of a range; 0 or 1 of a truth */
  double tolerance; /**< share, distance or factor; the upper end of a range */
} tutti_claim;

/** A command line of tutti. */
typedef struct tutti_experiment_step {
  int line;
  char *text;
} tutti_experiment_step;

/** An experiment. Strings and arrays are owned by it. */
typedef struct tutti_experiment {
  char *path;
  char *name;
  char *source;        /**< NULL if the file says nothing */
  char *platform_name; /**< NULL where nothing is measured, as flavor */
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
  double takes;                  /**< seconds; NaN if the file says nothing */
  int step_count;
  tutti_experiment_step *steps;
  int claim_count;
  tutti_claim *claims;
  char *differs;          /**< why some claims do not hold; NULL: nothing is known */
  char *not_reproducible; /**< why; NULL: it is reproducible */
  char *figure;           /**< path of a picture; NULL: none */
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

/** Read a time such as "30s", "2min", "1.5h"; false, and nothing is set, if it is none. */
bool tutti_duration_parse(const char *text, double *seconds);

/** Has it points to measure, not only steps and claims? */
bool tutti_experiment_measures(const tutti_experiment *experiment);

/** The program that measures it: "tutti-bench", "tutti-group", "tutti-sort" or "tutti-range"; static storage. */
const char *tutti_experiment_program(const tutti_experiment *experiment);

/**
 * The folder of experiments: TUTTI_EXPERIMENTS, ./experiments, ../experiments beside the executable (the source tree),
 * or where they were installed; the first that is a folder.
 * @param directory  receives the path, owned by the caller (free())
 */
tutti_status tutti_experiments_find(char **directory, tutti_error *error);

/**
 * Read all *.xml of a folder, in the order of the time that they take, then of their names; those that say no time come
 * last.
 * @param experiments  receives [count], to be given to tutti_experiments_free()
 * @return TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT if one cannot be read, or there is none
 */
tutti_status tutti_experiments_read(const char *directory, tutti_experiment **experiments, int *count,
                                    tutti_error *error);
void tutti_experiments_free(tutti_experiment *experiments, int count);

/** Free what tutti_experiment_read() allocated. */
void tutti_experiment_free(tutti_experiment *experiment);

#ifdef __cplusplus
}
#endif
#endif
