/**
 * @file export.h
 * @ingroup analysis
 * Schedules in the languages of other programs: GOAL for LogGOPSim, DOT for Graphviz.
 *
 * Both are written rank by rank, so that never more than one rank's schedule is in memory; how large a file can be is
 * for the disk to say. The same call writes the same bytes. Writing errors of the stream end the export
 * (TUTTI_ERR_IO), but what the stream still buffers is the caller's to flush and to check.
 */
#ifndef TUTTI_EXPORT_H
#define TUTTI_EXPORT_H

#include <stdio.h>

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What computing costs in a GOAL file, which states durations but knows no operations. */
typedef struct tutti_goal {
  double gamma; /**< seconds per byte of a reduction, >= 0 */
  double delta; /**< seconds per byte of a local copy, >= 0 */
  double unit;  /**< seconds of one unit of time, > 0. LogGOPSim counts whole units and takes L, o, g and G as whole
                     numbers of the same: nanoseconds by custom */
} tutti_goal;

/**
 * Write the schedules of all ranks of @p call under @p method as a GOAL schedule, the textual input of LogGOPSim
 * (T. Hoefler, T. Schneider, A. Lumsdaine: LogGOPSim - Simulating Large-Scale Applications in the LogGOPS Model, 2010)
 * that its txt2bin reads. call->rank is not read.
 *
 * Vertex v of a rank is its operation lv. A wait is `requires`. GOAL matches messages by sender and tag: the i-th
 * message of a pair, from 0 on, has tag i (< TUTTI_MOST_VERTICES), and each waits by `irequires` (started, not
 * complete) for the one before it, so that they are posted in vertex order as everywhere. A reduction is a `calc` of
 * bytes x gamma, a copy one of bytes x delta, rounded to whole units. A message without data has 1 byte, the least that
 * LogGOPSim can take (it charges G for size - 1 bytes, unsigned), and a rank without vertices has a `calc 0`.
 * @return what tutti_method_schedule() returns, TUTTI_ERR_ARGUMENT if a number of @p goal is out of range or a duration
 *         does not fit into 63 bits, TUTTI_ERR_IO.
 */
tutti_status tutti_export_goal(const tutti_method *method, const tutti_call *call, const tutti_goal *goal, FILE *file,
                               tutti_error *error);

/** The part of one rank; before that of rank 0 stands the line "num_ranks SIZE", and the ranks come in order. */
tutti_status tutti_export_goal_rank(const tutti_schedule *schedule, uint64_t type_size, const tutti_goal *goal,
                                    FILE *file, tutti_error *error);

/**
 * Write the schedules of all ranks of @p call under @p method as one directed graph in DOT: a cluster for each rank, a
 * node for each vertex with what it does and with how many bytes, a solid edge for each wait, a dashed one for each
 * message. That messages of a pair are posted in vertex order is not drawn. call->rank is not read.
 * @return what tutti_method_schedule() returns, TUTTI_ERR_IO.
 */
tutti_status tutti_export_dot(const tutti_method *method, const tutti_call *call, FILE *file, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
