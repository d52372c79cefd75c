/**
 * @file result.h
 * @ingroup results
 * Results: measurements of programs beyond collective operations, builds of groups and parameters of models. A result
 * is an array of values, one for each field of its kind. Records (record.h), the tables of the store (store.h), points
 * files and the elements of experiments (experiment.h) follow from the columns of src/decision/results/kinds.def.
 *
 *     tutti-sort v=1 algorithm=janus layer=ranges order=alternating assignment=greedy distribution=uniform type=double
 *         ranks=1024 count=16 seed=1 elements=16384 repetitions=1 minimum_s=... median_s=... mean_s=... maximum_s=...
 *         levels=12 janus_levels=9 groups=14 messages=20412 sent_B=181056 most_sent=9 most_received=11
 *         least_elements=16 most_elements=16                                          (one line)
 *     tutti-range v=1 operation=create way=ranges order=- ranks=1024 size=512 count=0 type_B=8 uses=0 repetitions=1
 *         minimum_s=... median_s=... mean_s=... maximum_s=...
 *     tutti-map v=1 group=primes kind=roaring strategy=- world=1048576 members=966551 map_B=132036 create_s=...
 *         select_all_s=... select_one_s=... rank_one_s=... array_select_all_s=... array_select_one_s=...
 *     tutti-penalty v=1 decision=quadtree/depth=3 collective=bcast basis=occ root=0 points=1862 served=1862
 *         minimum_percent=... mean_percent=... median_percent=... maximum_percent=... decide_s=0 leaves=19 nodes=25
 *         depth_least=1 depth_mean=... depth_most=3
 *     tutti-comparison v=1 before=untuned after=0f3c... collective=bcast scheme=occ ranks=4 root=0 size_B=1024 round=1
 *         first=after before_median_s=... after_median_s=...
 *
 * Fields that are keys identify the measured point; of two results with the same keys, of the same environment, the
 * store keeps the later one.
 */
#ifndef TUTTI_RESULT_H
#define TUTTI_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_result_kind {
  TUTTI_RESULT_SORT,       /**< one way to sort, by tutti-sort */
  TUTTI_RESULT_RANGE,      /**< one operation on groups of processes, by tutti-range */
  TUTTI_RESULT_MAP,        /**< one representation of one group, by tutti-rank-maps */
  TUTTI_RESULT_PENALTY,    /**< one decision function against measurements, by tutti penalty and tutti learn */
  TUTTI_RESULT_COMPARISON, /**< one pair of launches of a library under two tuning files, by tutti compare */
  TUTTI_RESULT_LAUNCH,     /**< one launch of a measuring program on a real machine */
  TUTTI_RESULT_PROGRAM,    /**< one run of a user's program, by the interposer */
  TUTTI_RESULT_CALL,       /**< calls of one collective from one place of that program, by the interposer */
  TUTTI_RESULT_KINDS
} tutti_result_kind;

/** Fields of TUTTI_RESULT_SORT. Counts of messages and bytes are those of the exchanges. */
enum {
  TUTTI_SORT_FIELD_ALGORITHM,    /**< janus, sample, hypercube */
  TUTTI_SORT_FIELD_LAYER,        /**< ranges, create-group, split, create-group/mpich, split/mpich; - */
  TUTTI_SORT_FIELD_ORDER,        /**< alternating, cascaded; - */
  TUTTI_SORT_FIELD_ASSIGNMENT,   /**< greedy, deterministic; - */
  TUTTI_SORT_FIELD_DISTRIBUTION, /**< of the input: uniform, equal, few, sorted, reversed, staggered, single */
  TUTTI_SORT_FIELD_TYPE,         /**< double, int64, struct */
  TUTTI_SORT_FIELD_RANKS,
  TUTTI_SORT_FIELD_COUNT,    /**< elements per process, n / p rounded up */
  TUTTI_SORT_FIELD_SEED,     /**< of the input and of the pivots */
  TUTTI_SORT_FIELD_ELEMENTS, /**< n, all of them; this and what follows is measured */
  TUTTI_SORT_FIELD_REPETITIONS,
  TUTTI_SORT_FIELD_MINIMUM, /**< the slowest process's time, the minimum over the repetitions, ... */
  TUTTI_SORT_FIELD_MEDIAN,
  TUTTI_SORT_FIELD_MEAN,
  TUTTI_SORT_FIELD_MAXIMUM,
  TUTTI_SORT_FIELD_LEVELS,       /**< of recursion with messages, maximum over processes */
  TUTTI_SORT_FIELD_JANUS_LEVELS, /**< on which a process worked on two groups, maximum over processes */
  TUTTI_SORT_FIELD_GROUPS,       /**< created, maximum over processes */
  TUTTI_SORT_FIELD_MESSAGES,     /**< of all processes */
  TUTTI_SORT_FIELD_SENT,         /**< bytes, of all processes */
  TUTTI_SORT_FIELD_MOST_SENT,    /**< messages of one process in one exchange */
  TUTTI_SORT_FIELD_MOST_RECEIVED,
  TUTTI_SORT_FIELD_LEAST_ELEMENTS, /**< of a process afterwards */
  TUTTI_SORT_FIELD_MOST_ELEMENTS,
  TUTTI_SORT_FIELDS
};

/** Fields of TUTTI_RESULT_RANGE. */
enum {
  TUTTI_RANGE_FIELD_OPERATION, /**< create, overlapping, bcast, reduce, scan, gather, subrange-bcast, ... */
  TUTTI_RANGE_FIELD_WAY,       /**< ranges, create-group, split, create-group/mpich, split/mpich, native, ... */
  TUTTI_RANGE_FIELD_ORDER,     /**< of overlapping groups: alternating, cascaded; - */
  TUTTI_RANGE_FIELD_RANKS,
  TUTTI_RANGE_FIELD_SIZE,      /**< processes of a group, <= ranks */
  TUTTI_RANGE_FIELD_COUNT,     /**< elements as in the MPI call; 0 without any */
  TUTTI_RANGE_FIELD_TYPE_SIZE, /**< bytes of an element */
  TUTTI_RANGE_FIELD_USES,      /**< how many times the group is used once it is made, within the time */
  TUTTI_RANGE_FIELD_REPETITIONS,
  TUTTI_RANGE_FIELD_MINIMUM,
  TUTTI_RANGE_FIELD_MEDIAN,
  TUTTI_RANGE_FIELD_MEAN,
  TUTTI_RANGE_FIELD_MAXIMUM,
  TUTTI_RANGE_FIELDS
};

/** Fields of TUTTI_RESULT_MAP. Seconds of processor time. */
enum {
  TUTTI_MAP_FIELD_GROUP,    /**< as tutti-rank-maps names it */
  TUTTI_MAP_FIELD_KIND,     /**< of the representation (map.h) */
  TUTTI_MAP_FIELD_STRATEGY, /**< that chooses this kind for the group (map.h); - whether or not one does */
  TUTTI_MAP_FIELD_WORLD,    /**< processes that members are among */
  TUTTI_MAP_FIELD_MEMBERS,
  TUTTI_MAP_FIELD_BYTES,
  TUTTI_MAP_FIELD_CREATE,
  TUTTI_MAP_FIELD_SELECT_ALL,
  TUTTI_MAP_FIELD_SELECT_ONE,
  TUTTI_MAP_FIELD_RANK_ONE,
  TUTTI_MAP_FIELD_ARRAY_SELECT_ALL, /**< of the array of the same group, in the same run */
  TUTTI_MAP_FIELD_ARRAY_SELECT_ONE,
  TUTTI_MAP_FIELDS
};

/** Fields of TUTTI_RESULT_PENALTY. Fields about a tree are 0 if the decision is not a tree. */
enum {
  TUTTI_PENALTY_FIELD_DECISION, /**< its name: "quadtree/depth=3", "library:openmpi-4.1", "model:hockney" */
  TUTTI_PENALTY_FIELD_COLLECTIVE,
  TUTTI_PENALTY_FIELD_BASIS,  /**< of the comparison: "occ", "occ,noise=NOISE", "library:NAME", "library:NAME,noise" */
  TUTTI_PENALTY_FIELD_ROOT,   /**< of these */
  TUTTI_PENALTY_FIELD_POINTS, /**< points counted: both its choice and the best were measured */
  TUTTI_PENALTY_FIELD_SERVED, /**< points of the map at which it picks a method, measured or not */
  TUTTI_PENALTY_FIELD_MINIMUM,
  TUTTI_PENALTY_FIELD_MEAN,
  TUTTI_PENALTY_FIELD_MEDIAN,
  TUTTI_PENALTY_FIELD_MAXIMUM,
  TUTTI_PENALTY_FIELD_DECIDE, /**< one decision takes; 0: it was not timed */
  TUTTI_PENALTY_FIELD_LEAVES,
  TUTTI_PENALTY_FIELD_NODES, /**< leaves and what branches */
  TUTTI_PENALTY_FIELD_DEPTH_LEAST,
  TUTTI_PENALTY_FIELD_DEPTH_MEAN, /**< over the leaves */
  TUTTI_PENALTY_FIELD_DEPTH_MOST,
  TUTTI_PENALTY_FIELDS
};

/** Fields of TUTTI_RESULT_COMPARISON. */
enum {
  TUTTI_COMPARISON_FIELD_BEFORE, /**< "untuned", or the digest of a tuning file */
  TUTTI_COMPARISON_FIELD_AFTER,  /**< the same */
  TUTTI_COMPARISON_FIELD_COLLECTIVE,
  TUTTI_COMPARISON_FIELD_SCHEME,
  TUTTI_COMPARISON_FIELD_RANKS,
  TUTTI_COMPARISON_FIELD_ROOT,
  TUTTI_COMPARISON_FIELD_SIZE,  /**< bytes of the message, or of one rank's block */
  TUTTI_COMPARISON_FIELD_ROUND, /**< from 1 */
  TUTTI_COMPARISON_FIELD_FIRST, /**< which of both was launched first: before, after */
  TUTTI_COMPARISON_FIELD_BEFORE_MEDIAN,
  TUTTI_COMPARISON_FIELD_AFTER_MEDIAN,
  TUTTI_COMPARISON_FIELDS
};

/** Fields of TUTTI_RESULT_LAUNCH, as in the tutti-run and tutti-end records (record.h). */
enum {
  TUTTI_LAUNCH_FIELD_DATE,
  TUTTI_LAUNCH_FIELD_RANKS,
  TUTTI_LAUNCH_FIELD_HOSTS,
  TUTTI_LAUNCH_FIELD_BINDING,
  TUTTI_LAUNCH_FIELD_LOAD,
  TUTTI_LAUNCH_FIELD_END,      /**< date; "-": it did not end well */
  TUTTI_LAUNCH_FIELD_END_LOAD, /**< 0 then, as the next one */
  TUTTI_LAUNCH_FIELD_ROWS,     /**< number of measured rows */
  TUTTI_LAUNCH_FIELDS
};

/** Fields of TUTTI_RESULT_PROGRAM. */
enum {
  TUTTI_PROGRAM_FIELD_PROGRAM, /**< name of its file */
  TUTTI_PROGRAM_FIELD_RANKS,
  TUTTI_PROGRAM_FIELD_ELAPSED,     /**< from MPI_Init to MPI_Finalize, of the slowest rank */
  TUTTI_PROGRAM_FIELD_COLLECTIVES, /**< in calls of collectives, sum of all ranks */
  TUTTI_PROGRAM_FIELD_CALLS,       /**< of them, sum of all ranks */
  TUTTI_PROGRAM_FIELD_LEFT_OUT,    /**< of these, those of no TUTTI_RESULT_CALL: memory is bounded */
  TUTTI_PROGRAM_FIELDS
};

/** Fields of TUTTI_RESULT_CALL. Communicators of the same name, size and nodes count as one. Sums are of all ranks. */
enum {
  TUTTI_CALL_FIELD_PROGRAM,      /**< name of its file */
  TUTTI_CALL_FIELD_SITE,         /**< address of the call: FILE+0xOFFSET, for addr2line -e FILE */
  TUTTI_CALL_FIELD_COMMUNICATOR, /**< its name; - if it has none */
  TUTTI_CALL_FIELD_RANKS,        /**< of the communicator */
  TUTTI_CALL_FIELD_NODES,        /**< nodes of these */
  TUTTI_CALL_FIELD_COLLECTIVE,
  TUTTI_CALL_FIELD_METHOD, /**< the one that ran; native: the library's own; for another form than a blocking collective
                              its form: nonblocking, persistent, neighborhood, neighborhood,_nonblocking, ... */
  TUTTI_CALL_FIELD_SIZE,   /**< bytes of the message, or of one rank's block; 0 if not every rank knows them */
  TUTTI_CALL_FIELD_TYPE,   /**< MPI's name of the datatype, derived, or - */
  TUTTI_CALL_FIELD_TYPE_SIZE, /**< bytes; 0 of none */
  TUTTI_CALL_FIELD_OPERATION, /**< for a reduction: sum, max, ..., user; else - */
  TUTTI_CALL_FIELD_ROOT_LEAST,
  TUTTI_CALL_FIELD_ROOT_MOST,
  TUTTI_CALL_FIELD_CALLS,
  TUTTI_CALL_FIELD_TOTAL,   /**< seconds in the calls */
  TUTTI_CALL_FIELD_SLOWEST, /**< those of the slowest rank */
  TUTTI_CALL_FIELD_MINIMUM, /**< of one call */
  TUTTI_CALL_FIELD_MAXIMUM,
  TUTTI_CALL_FIELD_BETWEEN, /**< seconds from the end of the previous collective to the beginning of these */
  TUTTI_CALL_FIELD_WAITING, /**< seconds of the calls in which the last rank had not come, from the samples */
  TUTTI_CALL_FIELD_SPREAD,  /**< seconds from the first rank's coming to the last one's, mean of the samples */
  TUTTI_CALL_FIELD_LAST,    /**< rank in MPI_COMM_WORLD that came last most often */
  TUTTI_CALL_FIELD_SAMPLES, /**< operations for which that is known; 0: waiting and spread are not known */
  TUTTI_CALL_FIELDS
};

#define TUTTI_RESULT_FIELDS 24 /**< maximum of a kind */
#define TUTTI_RESULT_WORD   48 /**< maximum bytes of a word, its terminating zero included */

/** The value of a field; its column defines the member in use (src/decision/results/kinds.def). */
typedef union tutti_value {
  char string[TUTTI_RESULT_WORD];
  uint64_t integer;
  double seconds;
  double real;
} tutti_value;

/** One result. Zero-initialize, then set its kind and every field. */
typedef struct tutti_result {
  tutti_result_kind kind;
  int ranks_per_node; /**< a key, too; not in its record: that of the RUN before it. 1 where there is one process */
  tutti_value values[TUTTI_RESULT_FIELDS];
} tutti_result;

/** Set a field that is a word. A longer one is cut short, which the store refuses where words are known. */
void tutti_result_set_word(tutti_result *result, int field, const char *word);

/** Check that its words belong together. TUTTI_ERR_ARGUMENT if an operation on ranges does not exist in this way
   ("bcast has no way 'split': it has ranges, view, native"), or for an unknown method. The store checks it, too. */
tutti_status tutti_result_check_words(const tutti_result *result, tutti_error *error);

/**
 * Check that its keys can be measured together. The rest of it is not read. TUTTI_ERR_ARGUMENT if not: a value out of
 * bounds, a group larger than the number of processes, a hypercube whose size is not a power of two.
 */
tutti_status tutti_result_check_point(const tutti_result *result, tutti_error *error);

/** The number of processes of a result; @p otherwise for kinds without it. */
int tutti_result_ranks(const tutti_result *result, int otherwise);

/** Order: kind, then the keys one after another, then ranks per node; 0 for results of the same point. */
int tutti_result_compare(const tutti_result *left, const tutti_result *right);

/** The same for qsort() and bsearch(). */
int tutti_compare_results(const void *left, const void *right);

/** Longest text of tutti_result_format_point(), terminating zero included. */
#define TUTTI_RESULT_POINT_LENGTH 512

/**
 * The keys as in points files: the first one as it is, the others but the number of processes as NAME=VALUE:
 * "janus layer=ranges order=alternating assignment=greedy distribution=uniform type=double count=16 seed=1",
 * "create way=ranges order=- size=512 count=0 type_B=8 uses=0". Returns @p text.
 */
char *tutti_result_format_point(const tutti_result *result, char *text);

/**
 * Read such a line: the keys of @p result, according to its kind; the number of processes, if it has one, is set to @p
 * ranks. Keys that the line does not name get their default values, or "-" where they do not apply.
 * @return TUTTI_ERR_ARGUMENT naming the faulty word, or the missing key
 */
tutti_status tutti_result_parse_point(const char *line, int ranks, tutti_result *result, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
