/**
 * @file group_run.h
 * @ingroup groups
 * A build: groups drawn at random (draw.h) and constructed (construction.h) by one builder, and what that came to.
 * Everything but the times is counted by the processes themselves.
 *
 * The original tree is the k-ary tree of all processes with the branching factor of the new one, from process 0, as in
 * Langer, Venkataraman, Kale 2012. The times are theirs, too: from the start broadcast on the original tree to the end
 * of the reduction on the new one, of the last group if there are several.
 */
#ifndef TUTTI_GROUP_RUN_H
#define TUTTI_GROUP_RUN_H

#include "tutti/group_protocol.h"
#include "tutti/group_sample.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What to build. */
typedef struct tutti_group_point {
  const tutti_group_builder *builder;
  tutti_group_sample sample; /**< its size is the number of processes */
  int branching;             /**< of both trees, >= 2 */
  int node_ranks;            /**< > 1: inside each node of so many ranks first, then among nodes; 1: no matter */
} tutti_group_point;

/** What is added up over the processes: messages sent by kind (from 0 on, in the order of tutti_message_kind), and: */
enum {
  TUTTI_GROUP_BYTES = TUTTI_MESSAGE_KINDS, /**< of all messages */
  TUTTI_GROUP_MEMBERS,                     /**< processes that are in a group */
  TUTTI_GROUP_GROUPS,                      /**< that have members */
  TUTTI_GROUP_FINGERPRINT, /**< of the members: tutti_group_sample_mark() of each, with the color it took part with */
  TUTTI_GROUP_SUMS
};

/** Of what the largest over the processes is kept. */
enum {
  TUTTI_GROUP_SIZE,          /**< members of the largest group */
  TUTTI_GROUP_HEIGHT,    /**< levels of the highest new tree */
  TUTTI_GROUP_DEGREE,        /**< most children of a member */
  TUTTI_GROUP_CRITICAL_PATH, /**< messages in the longest chain of causes that ends with the last group complete */
  TUTTI_GROUP_LARGEST,       /**< bytes of the largest message */
  TUTTI_GROUP_MEMORY,        /**< bytes that the construction held at most at any moment in one process */
  TUTTI_GROUP_ENDPOINT,      /**< the same of the transport over MPI; 0 where there was none */
  TUTTI_GROUP_MAXIMA
};

/** Counts. Zero-initialize. */
typedef struct tutti_group_counts {
  uint64_t sums[TUTTI_GROUP_SUMS];
  uint64_t maxima[TUTTI_GROUP_MAXIMA];
} tutti_group_counts;

/** One build, measured. Seconds. */
typedef struct tutti_group_run {
  tutti_group_point point;
  int ranks_per_node;                    /**< of the launch, whether or not the builder was told */
  int repetitions;                       /**< that were timed; 0 within one process, where there is no time */
  double minimum, median, mean, maximum; /**< 0 if there is none */
  tutti_group_counts counts;
} tutti_group_run;

/** Names of sums ("upward", "members") and maxima ("memory_B") in records, in the store and in JSON; static storage. */
const char *tutti_group_sum_name(int sum);
const char *tutti_group_maximum_name(int maximum);

/** Messages in the sense of the published counts: all but the start, the reduction, the end and lookups. */
uint64_t tutti_group_counted_messages(const tutti_group_counts *counts);

/** Order: processes, branching factor, fraction or members, colors, nodes, seed, builder; 0 for the same build. */
int tutti_group_point_compare(const tutti_group_point *left, const tutti_group_point *right);

/** Longest text of tutti_group_point_format(), terminating zero included. */
#define TUTTI_GROUP_POINT_LENGTH 192

/** One word per member but the size of the draw, as in points files:
    "shrink-hash/no-filler fraction=0.3 branching=3 seed=7 colours=1 node_ranks=1". Returns @p text. */
char *tutti_group_point_format(const tutti_group_point *point, char *text);

/** Why this cannot be built: TUTTI_ERR_ARGUMENT, by no builder, because a number is out of range;
   TUTTI_ERR_UNSUPPORTED, not by this builder; TUTTI_ERR_MEMORY. */
tutti_status tutti_group_point_check(const tutti_group_point *point, tutti_error *error);

/** The place of @p process in the original tree. */
tutti_status tutti_group_point_tree(const tutti_group_point *point, int process, tutti_tree *tree, tutti_error *error);

/** The actor of the process with place @p tree, which must live as long; as tutti_group_protocol_create(). */
tutti_actor *tutti_group_point_actor(const tutti_group_point *point, const tutti_tree *tree, tutti_transport *transport,
                                     int topic, tutti_error *error);

/** Add what one process counted, whose actor, of tutti_group_protocol_create(), is done. */
void tutti_group_counts_add(tutti_group_counts *counts, const tutti_actor *actor);

/** Are the members that were counted, on all processes together, those of the draw? Takes O(size) time.
    TUTTI_ERR_FAULT: their number or their fingerprint is another one. */
tutti_status tutti_group_counts_check(const tutti_group_counts *counts, const tutti_group_sample *sample,
                                      tutti_error *error);

/** Build among actors of this process, every message taking one unit of time, and count. Takes about 0.6 KB a process.
    @return as tutti_group_point_check(), TUTTI_ERR_MEMORY, TUTTI_ERR_FAULT: the construction went wrong, or built other
    groups than those drawn. */
tutti_status tutti_group_run_in_process(const tutti_group_point *point, tutti_group_counts *counts, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
