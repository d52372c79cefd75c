/**
 * @file experiment.h
 * @ingroup experiments
 * Experiments: what to measure where, and what was published about it, read from XML files whose elements
 * docs/reference/experiment-files.md describes. Numbers of ranks and sizes (bytes) are ascending and unique. What is
 * outside the domain of a method, a builder or a pattern stays in the lists; the plan (job.h) leaves it out.
 */
#ifndef TUTTI_EXPERIMENT_H
#define TUTTI_EXPERIMENT_H

#include <stdio.h>

#include "tutti/algorithm.h"
#include "tutti/group_run.h"
#include "tutti/measurement.h"
#include "tutti/pattern.h"
#include "tutti/result.h"

#ifdef __cplusplus
extern "C" {
#endif

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
  tutti_places places;   /**< of the platform: all methods, picked ones too, get them with their ranks */
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
  TUTTI_CLAIM_EQUAL,    /**< exactly, except for rounding */
  TUTTI_CLAIM_RELATIVE, /**< within a share of it */
  TUTTI_CLAIM_ABSOLUTE, /**< within a distance from it */
  TUTTI_CLAIM_FACTOR,   /**< from a fraction of it to the same multiple of it */
  TUTTI_CLAIM_LESS,
  TUTTI_CLAIM_AT_MOST,
  TUTTI_CLAIM_MORE,
  TUTTI_CLAIM_AT_LEAST,
  TUTTI_CLAIM_BETWEEN,
  TUTTI_CLAIM_TRUTH, /**< 0 is false, everything else true */
} tutti_comparison;

/** The test of a claim. */
typedef enum tutti_claim_kind {
  TUTTI_CLAIM_PREDICTION,     /**< the behavior of a machine, real or simulated */
  TUTTI_CLAIM_FORMULA,        /**< a result of published formulas, parameters or data structures, without a machine */
  TUTTI_CLAIM_CALIBRATION,    /**< an input of the platform; this kind and the following ones do not count */
  TUTTI_CLAIM_SELF_CHECK,     /**< two computations of ours against each other; the number is in no paper */
  TUTTI_CLAIM_HOST_TIMING,    /**< times of the processor that runs the command, which no platform predicts */
  TUTTI_CLAIM_NOT_COMPARABLE, /**< the platform fixes the outcome: it has no parameter for what the paper observed */
} tutti_claim_kind;

enum { TUTTI_CLAIM_KINDS = TUTTI_CLAIM_NOT_COMPARABLE + 1 };

/** A published number of an experiment. */
typedef struct tutti_claim {
  int line;        /**< in the file */
  char *what;      /**< for a person */
  char *published; /**< as in the file */
  char *unit;      /**< NULL: none */
  char *within;    /**< as in the file; NULL: absent */
  char *from;      /**< origin of the tolerance, or the threshold; NULL: absent */
  char *sql;
  bool differs; /**< it is known not to hold */
  tutti_claim_kind kind;
  tutti_comparison comparison;
  double value;     /**< published, in its unit; the lower end of a range; 0 or 1 of a truth */
  double tolerance; /**< share, distance or factor; the upper end of a range */
} tutti_claim;

/** A command line of tutti, or of a measuring program that needs no MPI. */
typedef struct tutti_experiment_step {
  int line;
  char *text;
} tutti_experiment_step;

/** An experiment. Strings and arrays are owned by it. */
typedef struct tutti_experiment {
  char *path; /**< of its file; without a file its name, for messages */
  char *name;
  char *source;        /**< NULL if the file has none */
  char *platform_name; /**< NULL where nothing is measured */
  char *platform_path; /**< NULL on a real machine */
  int platform_line;   /**< in the file, of a real machine; 0: the experiment is of no file */
  char *flavor; /**< "smpi", "fast", "flow", "mpich" or "openmpi"; the steps' engine, where nothing is measured */
  tutti_measure measure;
  int sweep_count; /**< 0 in an experiment that builds groups */
  tutti_sweep *sweeps;
  int group_count; /**< 0 in an experiment that measures collectives */
  tutti_group_sweep *groups;
  int result_count; /**< 0 in all others; all are of one kind */
  tutti_result_sweep *results;
  tutti_result_kind result_kind; /**< of these */
  double takes;                  /**< seconds; NaN if the file has none */
  int step_count;
  tutti_experiment_step *steps;
  int claim_count;
  tutti_claim *claims;
  char *differs;          /**< why some claims do not hold; NULL: nothing is known */
  char *not_reproducible; /**< why; NULL: it is reproducible */
} tutti_experiment;

/** Read and validate. TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT; the message begins with FILE:LINE where there is a line. */
tutti_status tutti_experiment_read(const char *path, tutti_experiment *experiment, tutti_error *error);

/** Sweeps given on a command line instead of in a file. Nothing is owned. */
typedef struct tutti_experiment_words {
  unsigned collectives; /**< 1 << tutti_collective each */
  const char *platform; /**< the name or path of a platform, or, with a flavor, the name of a real machine */
  const char *flavor;   /**< "mpich", "openmpi"; NULL: simulated */
  const char *engine;   /**< "smpi", "fast", "flow"; NULL: the default of files, as the next ones */
  const char *scheme;
  const char *arrival, *noise;
  int repetitions; /**< maximum; 0: the default */
  int launches;    /**< the same */
  int orders;      /**< the same */
  int root;
  int ranks_count;
  const uint64_t *ranks; /**< [ranks_count] ascending */
  int size_count;
  const uint64_t *sizes; /**< [size_count] ascending; without a meaning for barrier */
  /** Separated by blanks or commas: "binomial", "chain/8KB/k=2", "native" for each collective, "bcast/binomial" for one
      of them; NULL: all algorithms */
  const char *methods;
  const char *implementation; /**< "openmpi", ...: all algorithms that can be selected in it, and native; NULL: ours */
  const char *segments; /**< the same for all our algorithms with these segments, where they take them; NULL: none */
} tutti_experiment_words;

/** Sweeps with more ranks, by the engine "fast", are measured by the scheme "window", unless another one is asked for:
    the barriers of "occ" would take ten times as long to simulate as the call. */
enum { TUTTI_OCC_RANKS_MAX = 32768 };

/** That of all points of the sweeps: the one asked for, or that of very many ranks; NULL: the default of files. */
const char *tutti_experiment_words_scheme(const tutti_experiment_words *words);

/**
 * The experiment that a file with these sweeps would be.
 * @return as tutti_experiment_read(); messages have no line
 */
tutti_status tutti_experiment_of_words(const tutti_experiment_words *words, tutti_experiment *experiment,
                                       tutti_error *error);

/** Write that file. */
tutti_status tutti_experiment_write_words(const tutti_experiment_words *words, FILE *stream, tutti_error *error);

/** Platform and values that replace those of the file of an experiment. */
typedef struct tutti_experiment_setting {
  const char *platform; /**< path of a platform file: simulated, whatever the file states */
  int ranks_count;
  const uint64_t *ranks; /**< [ranks_count] ascending; 0: those of the file. Each sweep, group, ... takes all of them */
  int size_count;
  const uint64_t *sizes; /**< [size_count] ascending, of sweeps that move data; 0: those of the file */
  int room;              /**< numbers of ranks above it are left out */
  int left_out;          /**< the largest number of ranks that was left out, 0 if none was; filled in */
} tutti_experiment_setting;

/**
 * The same for another setting. The platform must have as many places as the setting needs.
 * @return as tutti_experiment_read(); TUTTI_ERR_ARGUMENT also without any number of ranks left
 */
tutti_status tutti_experiment_read_on(const char *path, tutti_experiment_setting *setting, tutti_experiment *experiment,
                                      tutti_error *error);

/**
 * Simulate it by this engine, a flavor that tutti_flavor_is_simulated(), whatever its file states, and in @p orders
 * orders in which the ranks start. An experiment that measures nothing itself passes this on to its steps.
 * @param engine  NULL: as it is
 * @param orders  0: as it is
 * @return TUTTI_ERR_ARGUMENT for an experiment on a real machine, or orders of the engine "smpi";
 *         TUTTI_ERR_UNSUPPORTED for measurements that the engine does not support
 */
tutti_status tutti_experiment_choose_engine(tutti_experiment *experiment, const char *engine, int orders,
                                            tutti_error *error);

/** Whether it is simulated, if it measures anything, and the engine measures all of it. SMPI alone measures methods of
   MPI libraries, ranges and sorts. */
bool tutti_experiment_suits_engine(const tutti_experiment *experiment, const char *engine);

/** Read a time such as "30s", "2min", "1.5h"; false, and nothing is set, for other text. */
bool tutti_duration_parse(const char *text, double *seconds);

/** Whether it has points to measure, not only steps and claims. */
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
 * The file of an experiment: a path as it is, or, if that file does not exist, the name of one of that folder ("demo").
 * @param path  receives it, owned by the caller (free())
 * @return TUTTI_ERR_IO if both are missing
 */
tutti_status tutti_experiment_find(const char *name, char **path, tutti_error *error);

/**
 * Read all *.xml of a folder, in the order of the time that they take, then of their names; those without a time come
 * last.
 * @param experiments  receives [count], for tutti_experiments_free(); NULL, and a count of 0, on failure
 * @return TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT if one cannot be read, or the folder has none
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
