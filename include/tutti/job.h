/**
 * @file job.h
 * @ingroup experiments
 * Plans and jobs: the missing points of an experiment, and measuring them, simulated or real.
 *
 * A plan is the list of points that are not in the store yet, cut into chunks of equal ranks (and
 * selectors of native methods). A job is one chunk under
 * way: the measuring program (tutti_experiment_program()) started by the launcher of its flavor in the work directory
 * DATABASE.work, whose records are taken into the store while it runs. Even if a job or this process is killed, a
 * printed record is taken in, now or by the next run.
 */
#ifndef TUTTI_JOB_H
#define TUTTI_JOB_H

#include "tutti/experiment.h"
#include "tutti/library.h"
#include "tutti/platform.h"
#include "tutti/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One point to measure. Its scheme and ranks per node are those of the whole plan. */
typedef struct tutti_point {
  int ranks;
  tutti_group_point
      build; /**< in an experiment that builds groups: builder != NULL, and of the next members only cost is set */
  const tutti_result *result; /**< the same for results: belongs to the experiment; else NULL */
  tutti_method method;
  int root;
  uint64_t count;     /**< elements as in the MPI call: of the message, or of one rank's block */
  uint64_t type_size; /**< bytes per element */
  tutti_arrival arrival;
  tutti_noise noise;
  int launch;  /**< from 0; points of different launches are not started together */
  double cost; /**< expected effort, in messages: ranks times segments, times ranks where all send to all; of a
                    group, what Shrink-and-Hash would send */
} tutti_point;

/** Points that one launch measures: those of plan->points from @c first on. */
typedef struct tutti_chunk {
  int ranks;
  bool native; /**< the library runs all of its methods, or none: in simulation they are launched with other options */
  const char *selector;        /**< of SMPI's algorithms, for the native methods (tutti_selector_name()); NULL: none */
  tutti_directives directives; /**< settings that make the library run its methods, which are all the same one */
  size_t first;
  size_t count;
  double cost; /**< of all its points */
} tutti_chunk;

enum { TUTTI_LARGE_NAMES = 400 };

/** The missing points. Arrays are owned by the plan. */
typedef struct tutti_plan {
  const tutti_experiment *experiment; /**< its traces are used by the points; not owned; NULL: no traces */
  tutti_measure measure;
  int ranks_per_node;  /**< 0: as the launcher places them */
  size_t present;      /**< points of the experiment that were measured before */
  size_t outside;      /**< combinations that the domain of their method excludes */
  size_t library_only; /**< combinations of an experiment of the fast engine that only a library can run */
  size_t pending;      /**< points that are being measured elsewhere */
  size_t large;        /**< points with more messages than wanted */
  char large_names[TUTTI_LARGE_NAMES]; /**< "bcast/scatter-ring on 131072 ranks (about 1.7e+10 messages, 7.2 h or
                                            more), ..." */
  size_t point_count;
  tutti_point *points; /**< chunk after chunk; the costliest point of a chunk first */
  size_t chunk_count;
  tutti_chunk *chunks; /**< in the order in which they should start: the costliest first */
  double cost;         /**< of all points */
} tutti_plan;

/** Default number of points of one chunk. */
#define TUTTI_CHUNK_POINTS 250

/** Who chooses which points of an experiment are measured. {0}: all. */
typedef struct tutti_point_choice {
  /**
   * Called once a plan, of the points that the experiment asks for, each once; launches of the same follow each other.
   * @param measured  [count] of each what the store has of it under the conditions of the plan; NULL: nothing
   * @param library   that measures, as a run names it; NULL: unknown
   * @param wanted    [count] false; those to be true are planned
   */
  tutti_status (*choose)(void *context, const tutti_point *points, const tutti_measurement *const *measured,
                         size_t count, const char *library, bool *wanted, tutti_error *error);
  void *context;
  bool follows; /**< a run by the same choice came before: its warnings are not repeated */
} tutti_point_choice;

/** Processor time in seconds that a simulator takes for a message where links are not crowded, else more; 0: it is a
    real machine. Measured on Blue Gene/P (docs/explanation/engine.md). */
double tutti_message_seconds(const char *flavor);

/** Messages of a point that is simulated within the hour; INFINITY: it is a real machine. */
double tutti_most_messages(const char *flavor);

/** How to cut a plan. */
typedef struct tutti_plan_options {
  const char *library; /**< as a run names it, "MPICH-4.2.1": the settings depend on its version; NULL: unknown */
  int ranks_per_node;  /**< 0: as the launcher places them */
  size_t chunk_points; /**< maximum points of a chunk; 0: TUTTI_CHUNK_POINTS */
  int jobs;            /**< chunks that will run at once; a chunk never has more than its share of all points, so that
                            a small plan keeps all jobs busy; 0: 1 */
  tutti_point_choice choice; /**< of collective operations */
  double most_messages;      /**< points of collective operations with about more are left out; 0: none is */
} tutti_plan_options;

/** Rows of the store of the kind that the experiment measures. Arrays are not owned. */
typedef struct tutti_present {
  const void *rows; /**< [row_count] tutti_measurement, tutti_group_run or tutti_result */
  size_t row_count;
  char *const *pending; /**< [pending_count] points that are being measured: ranks, a blank, and their line as
                             tutti_plan_write_points() writes it; in the order of strcmp() */
  size_t pending_count;
} tutti_present;

/**
 * Plan the points of @p experiment that are not among @p present; only their keys are read. A point of several sweeps
 * is planned once. Takes O((n + m) log(n + m)) steps without queries.
 * @return TUTTI_ERR_ARGUMENT naming the experiment, ranks and method if a combination is malformed (root outside the
 *         group), TUTTI_ERR_MEMORY.
 */
tutti_status tutti_plan_create(const tutti_experiment *experiment, const tutti_plan_options *options,
                               const tutti_present *present, tutti_plan *plan, tutti_error *error);

/** Free what tutti_plan_create() allocated. */
void tutti_plan_free(tutti_plan *plan);

/**
 * Write the points file of @p chunk, which `tutti-bench --points FILE` and the other programs read
 * (docs/reference/points-files.md).
 * @return TUTTI_ERR_IO if @p stream fails.
 */
tutti_status tutti_plan_write_points(const tutti_plan *plan, const tutti_chunk *chunk, FILE *stream,
                                     tutti_error *error);

/** How far a run is. */
typedef struct tutti_progress {
  size_t planned;  /**< points to measure in this run */
  size_t measured; /**< of these, measured so far */
  double cost;     /**< of all planned points */
  double cost_measured;
  double under_way; /**< cost of the largest point that a job is at, times the jobs at once; 0: not known */
  double seconds;   /**< since the first job started */
  double starting;  /**< of these, time without a job that measures, where one job runs at a time: launches take it */
  double starting_left; /**< the same, expected of the launches that are to come; 0: not known */
  size_t noisy;         /**< of the measured ones, those with a larger spread than requested */
  const char
      *point; /**< "bcast/linear with 8 B on 512 ranks, about 511 messages": one that takes long; NULL: none does */
  const char *message; /**< lines that the user should read at once, without the last line end; NULL: none */
} tutti_progress;

/** What starts ranks of one of several installations of MPI (src/harness/experiments/launch/installation.h). */
typedef struct tutti_installation tutti_installation;

/** Where and how jobs are launched. All zero: processes of this machine. See docs/how-to/clusters.md. */
typedef struct tutti_launch_options {
  bool slurm;                /**< elements of arrays in the queue of Slurm */
  bool submit_only;          /**< under Slurm: end when all is queued; the next run takes in the records */
  const char *slurm_options; /**< more options for sbatch, split at blanks; NULL: none */
  const char *command; /**< starts ranks on a real machine: "mpirun", "srun", a path; NULL: mpiexec of the flavor */
  const tutti_installation *installation; /**< of a real machine, which starts ranks then; NULL: none */
  const char *arguments;                  /**< more arguments for it, split at blanks; NULL: none */
  const char *hostfile;       /**< hosts of a real machine, `NAME:RANKS` or `NAME slots=RANKS` a line; NULL: none. Its
                                   ranks on a host are those per node */
  int ranks_per_node;         /**< asked for on a real machine, and of Slurm; 0: 1 under Slurm, else as the launcher
                                   places them */
  bool oversubscribe;         /**< on a real machine: more ranks than cores, which are refused otherwise */
  const char *work_directory; /**< folder of the work directory, which all nodes must see; NULL: beside the store */
} tutti_launch_options;

/** How to run an experiment. */
typedef struct tutti_run_options {
  const char *database; /**< path of the store */
  const char *program;  /**< tutti_experiment_program() of the flavor of the experiment */
  tutti_launch_options launch;
  int jobs; /**< chunks at once, >= 1; always one on a real machine. Under Slurm elements of an array that may run at
               once; 0: no limit */
  size_t chunk_points; /**< 0: TUTTI_CHUNK_POINTS */
  tutti_point_choice choice;
  double most_messages; /**< as in tutti_plan_options */
  bool again;           /**< the machine and the settings were warned of before */
  bool quiet;           /**< hide everything except errors: notes of measuring programs */
  bool unproven;        /**< measure plug-ins whose schedules are not proven */
  bool keep;            /**< leave the files of each chunk in the work directory until the next run */
  bool keep_going;    /**< after a job that failed at a point measure all others; one that fails before its first record
                           ends the run all the same */
  bool transient;     /**< the store and all beside it is removed after the run: messages name no file of it */
  double seconds;     /**< after which jobs are ended; what was measured by then is stored, and all is well; 0: any
                           time. Under Slurm what is queued goes on */
  double job_timeout; /**< seconds without a record after which a job is ended and has failed, INFINITY: never; 0: 3600,
                           and more for a point that is expected to take long. Not under Slurm, which has its own */
  /** Called about ten times a second, and with each message; NULL: never, messages go to standard error. */
  void (*report)(void *context, const tutti_progress *progress);
  void *context;
} tutti_run_options;

/** How well the medians that a run measured are known. */
typedef struct tutti_run_noise {
  size_t points;                         /**< points with a known spread (tutti_measurement): those of real machines */
  size_t noisy;                          /**< of these, points with a larger spread than requested */
  double asked;                          /**< percent */
  double largest;                        /**< percent */
  char point[TUTTI_RESULT_POINT_LENGTH]; /**< the point with this spread, as in points files */
  int ranks;                             /**< of it */
} tutti_run_noise;

/** The results of a run. */
typedef struct tutti_run_summary {
  size_t measured;                     /**< points measured by this run */
  size_t present;                      /**< points that were there already */
  size_t recovered;                    /**< measurements taken in from an earlier run that was killed */
  size_t outside;                      /**< combinations outside the domain of their method */
  size_t library_only;                 /**< combinations that the fast engine leaves to a library */
  size_t large;                        /**< points with more messages than wanted */
  char large_names[TUTTI_LARGE_NAMES]; /**< as in tutti_plan */
  size_t queued;                       /**< points that are left to the queue of Slurm */
  size_t failed;                       /**< jobs that did not complete, where the others continue (Slurm) */
  double seconds;                      /**< wall time */
  char library[64];                    /**< that was measured, as in the store; "" if the run ended before */
  int ranks_per_node;
  tutti_run_noise noise;
  int ranks;  /**< maximum ranks of a launch, if these were more than the available cores; else 0 */
  int cores;  /**< and how many these were */
  int signal; /**< SIGINT, SIGTERM or SIGHUP if one of them ended the run, else 0 */
} tutti_run_summary;

/**
 * Measure the missing points of @p experiment. SIGINT, SIGTERM and SIGHUP (unless ignored) end the run early: jobs are
 * killed, and arrived records are stored. No job outlives this process, even if it is killed. Under Slurm SIGINT
 * cancels the elements; any other end of this process leaves them to the queue, and the next run takes in their
 * records, submits the points that are neither stored nor queued, and waits for all of them.
 * @return TUTTI_ERR_LAUNCH naming the experiment, ranks, point and last words of a job that failed, or after a signal;
 *         TUTTI_ERR_IO if the work directory is in use by another process (which is named) or files fail. @p summary is
 *         filled in every case.
 */
tutti_status tutti_experiment_run(const tutti_experiment *experiment, const tutti_run_options *options,
                                  tutti_run_summary *summary, tutti_error *error);

/** Parameters to measure, and where to store them. */
typedef struct tutti_parameters_request {
  const tutti_platform *platform; /**< to simulate; NULL on a real machine */
  const char *name;               /**< of the platform or the real machine under which values are stored */
  const char *flavor;             /**< "smpi", "mpich", "openmpi" */
  const char *program;            /**< path of tutti-params of that flavor */
  const char *database;           /**< path of the store */
  int ranks;                      /**< to launch on a real machine: enough for two nodes; in simulation not read */
  uint64_t largest;               /**< message, bytes; 0: 1 MB */
  double tolerance;               /**< see tutti_parameters_measure(); 0: 0.1, in simulation 0.01 */
  bool again;                     /**< measure even if the store has parameters of the same environment */
  double job_timeout;             /**< seconds without a record after which it fails, INFINITY: never; 0: 3600 */
  bool oversubscribe;             /**< as in tutti_launch_options */
} tutti_parameters_request;

/** The result of a request. */
typedef struct tutti_parameters_result {
  bool measured;                            /**< false: the store had them */
  bool apart;                               /**< the two processes were on different nodes; true if not measured */
  char library[TUTTI_PLATFORM_NAME_LENGTH]; /**< as in the store; "" if unknown because nothing was run */
  int64_t environment;                      /**< its number in the store */
} tutti_parameters_result;

/**
 * Launch tutti-params and store its records, unless the store has them: message sizes are powers of two and, where
 * linear interpolation between them misses by more than the tolerance, sizes in between.
 * @return TUTTI_ERR_LAUNCH with the last words of a program that failed or ended without its closing record: nothing is
 *         stored then; TUTTI_ERR_ARGUMENT if the platform has one host only; TUTTI_ERR_IO
 */
tutti_status tutti_parameters_measure(const tutti_parameters_request *request, tutti_parameters_result *result,
                                      tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
