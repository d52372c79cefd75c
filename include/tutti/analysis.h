/**
 * @file analysis.h
 * @ingroup analysis
 * Operations on the schedules of all ranks together, in one process and without MPI: proof, counts and export to other
 * programs. price.h has their times.
 *
 * **Verify**: proof that the schedules meet the contract of their collective. It has five steps; each names rank and
 * vertex when it fails:
 *  1. every schedule keeps its invariants (tutti_schedule_validate()) and stays within its buffers;
 *  2. the i-th send of a to b has the i-th receive of b from a, with equal counts, and nothing is left over;
 *  3. the graph of all vertices, in which a send and its receive complete together, has no cycle: no deadlock even if
 *     every send waits for its receiver (MPI_Ssend), hence none with buffering either;
 *  4. no two vertices of a rank touch the same element, one of them writing, unless one must wait for the other;
 *  5. by 2 and 4 every order of arrival gives the same result, so one execution on symbolic elements decides whether
 *     the contract of the collective holds (for barrier: no rank leaves before all have entered).
 *
 * **Count**: messages, elements, memory and depth of schedules.
 *
 * **Export**: GOAL for LogGOPSim, DOT for Graphviz, XML for MSCCL. The first two are written rank by rank, so that only
 * one rank's schedule is in memory at a time; only the disk limits the size of the file. The same call writes the same
 * bytes. A write error of the stream ends the export with TUTTI_ERR_IO; the caller flushes the stream and checks it.
 */
#ifndef TUTTI_ANALYSIS_H
#define TUTTI_ANALYSIS_H

#include <stdbool.h>
#include <stdio.h>

#include "tutti/algorithm.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Symbolic content of one element: a word over the contributions of the ranks. Concatenation is associative but not
 * commutative, as a general MPI_Op may be. Two words are equal iff both members are (up to a collision of probability
 * below 2^-50 per comparison).
 */
typedef struct tutti_symbol {
  uint64_t hash;  /**< polynomial hash modulo 2^61 - 1; 0 means the element holds nothing defined */
  uint64_t scale; /**< base to the power of the length of the word */
} tutti_symbol;

/** The one-letter word "element @p index of the contribution of @p rank". */
tutti_symbol tutti_symbol_letter(int rank, uint64_t index);

/** The same letter for an operation that commutes: words of such letters are equal in any order. */
tutti_symbol tutti_symbol_commutative_letter(int rank, uint64_t index);

/** The word @p left followed by @p right. Undefined operands give an undefined result. */
tutti_symbol tutti_symbol_concatenate(tutti_symbol left, tutti_symbol right);

/** Whether two words are equal, length included. */
bool tutti_symbol_equal(tutti_symbol left, tutti_symbol right);

/** The contract of a collective, element by element; functions of the call of a rank (call->rank). */
typedef struct tutti_contract {
  /** Number of elements of TUTTI_INPUT or TUTTI_OUTPUT at this rank. */
  uint64_t (*extent)(const tutti_call *call, tutti_buffer buffer);
  /** Content before the operation; an undefined symbol without content. */
  tutti_symbol (*initial)(const tutti_call *call, tutti_buffer buffer, uint64_t index);
  /** Promised content of TUTTI_OUTPUT afterwards; an undefined symbol where nothing is promised. */
  tutti_symbol (*promised)(const tutti_call *call, uint64_t index);
  /** No rank completes before every rank has started. */
  bool synchronizes;
  /** For a reduction: element @p index of the output combines, in the order of the ranks, one element of the inputs of
     ranks 0 to n - 1; its index there replaces @p index. Returns n; 0: see promised(). NULL: no element does. */
  int (*combines)(const tutti_call *call, uint64_t *index);
} tutti_contract;

/** The contract of a collective; static storage. */
const tutti_contract *tutti_contract_of(tutti_collective collective);

/**
 * Verify the schedules of ranks 0..size-1 against @p contract. calls[r] is the call of rank r, its rank included.
 * @return TUTTI_ERR_FAULT with the first fault found, TUTTI_ERR_MEMORY.
 */
tutti_status tutti_verify(const tutti_schedule *schedules, const tutti_call *calls, const tutti_contract *contract,
                          tutti_error *error);

/** Build the schedules of all ranks under @p method and verify them; calls[r] is the call of rank r. */
tutti_status tutti_verify_calls(const tutti_method *method, const tutti_call *calls, tutti_error *error);

/** The same where all ranks make the call @p call, whose rank is ignored. */
tutti_status tutti_verify_method(const tutti_method *method, const tutti_call *call, tutti_error *error);

/** Called occasionally, by the thread that works, with the current part of a long proof and its completed share. */
typedef struct tutti_watch {
  void (*tell)(void *context, const char *part, double share);
  void *context;
} tutti_watch;

/** The same, and, of a reduction that the method does for any operation, for one that does not commute, too: the order
   of the operands is part of the promise; and, of a plug-in that takes segments and is given none, with small ones,
   too: of the catalogue that is proven. @p watch may be NULL. */
tutti_status tutti_verify_orders(const tutti_method *method, const tutti_call *call, const tutti_watch *watch,
                                 tutti_error *error);

/** Counts of one rank's schedule. Elements are of the datatype of the call. */
typedef struct tutti_count {
  uint64_t vertices;
  uint64_t sends; /**< messages sent */
  uint64_t receives;
  uint64_t elements_sent;
  uint64_t largest_message; /**< elements of the largest message sent */
  uint64_t elements_reduced;
  uint64_t elements_copied;
  uint64_t temporary_elements; /**< all temporaries together */
} tutti_count;

/** Counts of all ranks together. */
typedef struct tutti_total {
  tutti_count sum;     /**< over ranks; largest_message is the maximum */
  tutti_count maximum; /**< per member, over ranks */
  uint64_t depth;      /**< messages on the longest chain of vertices that wait for each other */
} tutti_total;

/** Count one schedule. */
tutti_count tutti_count_schedule(const tutti_schedule *schedule);

/**
 * Count the schedules of ranks 0..size-1 and the depth of the whole.
 * @return TUTTI_ERR_FAULT if they do not match or would deadlock (see tutti_verify()), TUTTI_ERR_MEMORY.
 */
tutti_status tutti_count_all(const tutti_schedule *schedules, int size, tutti_total *total, tutti_error *error);

/** Build the schedules of all ranks of @p call under @p method and count them. */
tutti_status tutti_count_method(const tutti_method *method, const tutti_call *call, tutti_total *total,
                                tutti_error *error);

/**
 * About how many messages all ranks of @p call send together: from the schedules of the root and its neighbor, of the
 * first and the last rank, and of 64 others, 2 to 4 on 131,072 ranks and more. Exact up to 64 ranks, and for methods of
 * which all these others receive, or send, equally many. Takes milliseconds for most methods on 131,072 ranks, and
 * about a second for those whose schedules take longest to build. call->rank is not read.
 * @return the result of tutti_method_schedule().
 */
tutti_status tutti_estimate_messages(const tutti_method *method, const tutti_call *call, double *messages,
                                     tutti_error *error);

/** Called for a message that rank @p from sends. Any result except TUTTI_OK ends tutti_each_message(). */
typedef tutti_status tutti_on_message(void *context, int from, int to, uint64_t elements, tutti_error *error);

/**
 * Build the schedules of all ranks of @p call under @p method, one after the other, and call @p tell for each message:
 * by sender, in the order of its vertices.
 * @return the result of tutti_method_schedule() or @p tell.
 */
tutti_status tutti_each_message(const tutti_method *method, const tutti_call *call, tutti_on_message *tell,
                                void *context, tutti_error *error);

/** The cost of computing in a GOAL file, which states durations but has no operations. */
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
 * message of a pair, from 0 on, has tag i (< TUTTI_MAX_VERTICES), and each waits by `irequires` (started, not
 * complete) for the one before it, so that they are posted in vertex order as everywhere. A reduction is a `calc` of
 * bytes x gamma, a copy one of bytes x delta, rounded to whole units. A message without data has 1 byte, the minimum of
 * LogGOPSim (it charges G for size - 1 bytes, unsigned), and a rank without vertices has a `calc 0`.
 * @return as tutti_method_schedule(), TUTTI_ERR_ARGUMENT if a number of @p goal is out of range or a duration
 *         does not fit into 63 bits, TUTTI_ERR_IO.
 */
tutti_status tutti_export_goal(const tutti_method *method, const tutti_call *call, const tutti_goal *goal, FILE *file,
                               tutti_error *error);

/** The part of one rank; the line "num_ranks SIZE" precedes that of rank 0, and the ranks come in order. */
tutti_status tutti_export_goal_rank(const tutti_schedule *schedule, uint64_t type_size, const tutti_goal *goal,
                                    FILE *file, tutti_error *error);

/**
 * Write the schedules of all ranks of @p call under @p method as one directed graph in DOT: a cluster for each rank, a
 * node for each vertex with what it does and with how many bytes, a solid edge for each wait, a dashed one for each
 * message. That messages of a pair are posted in vertex order is not drawn. call->rank is not read.
 * @return what tutti_method_schedule() returns, TUTTI_ERR_IO.
 */
tutti_status tutti_export_dot(const tutti_method *method, const tutti_call *call, FILE *file, tutti_error *error);

/**
 * Write the schedules of all ranks of @p call under @p method as an algorithm of MSCCL, which RCCL and
 * msccl-executor-nccl run on GPUs. The file is for this number of ranks and this root, and for every size that is a
 * multiple of its chunks, the largest pieces of which all blocks of the schedules consist. It is out of place, a
 * broadcast in place. Copies and reductions stay steps of their own. A method that is a file of MSCCL keeps the form
 * that it has there (tutti_msccl_options). call->rank is not read.
 * @return TUTTI_ERR_UNSUPPORTED says what does not fit: a collective or a message without data, more than 1024 ranks,
 *         128 thread blocks of a rank, 64 steps of one, 32 channels, 32767 chunks; as tutti_method_schedule(),
 * tutti_count_method(), TUTTI_ERR_IO
 */
tutti_status tutti_export_msccl(const tutti_method *method, const tutti_call *call, FILE *file, tutti_error *error);

/** Forms of such a file. */
typedef struct tutti_msccl_options {
  bool unlimited; /**< neither the steps, thread blocks nor channels that readers of MSCCL take are a limit; Tutti reads
                     it */
  int window;     /**< Tutti is to keep so many sends of a rank to another under way, each waiting for the one so many
                       before it, and waits of sends for other sends; MSCCL keeps one in any case. 0: of what it reads only
                       what touches the same memory waits */
  bool summed;    /**< Tutti is to keep the order of the reductions of a rank, each waiting for the one before it */
  bool waits;     /**< Tutti is to keep all waits, each of which becomes one of the file */
  bool numbered;  /**< Tutti is to keep the order of the vertices, in which it posts messages that can begin at the same
                       time */
} tutti_msccl_options;

/** The same in a form of these. */
tutti_status tutti_export_msccl_as(const tutti_method *method, const tutti_call *call,
                                   const tutti_msccl_options *options, FILE *file, tutti_error *error);

#ifdef __cplusplus
}
#endif
#endif
