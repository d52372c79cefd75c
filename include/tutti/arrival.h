/**
 * @file arrival.h
 * @ingroup results
 * Arrival patterns: how late each rank comes to a collective operation. No MPI.
 *
 * A pattern is a word, such as "uniform/100us/seed=1": docs/reference/patterns.md has the words, and what is timed.
 * Times count from the last arrival. Source: Faraj, Patarasuk, Yuan 2008.
 */
#ifndef TUTTI_ARRIVAL_H
#define TUTTI_ARRIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_arrival_kind {
  TUTTI_ARRIVAL_NONE,
  TUTTI_ARRIVAL_UNIFORM,
  TUTTI_ARRIVAL_STRAGGLER,
  TUTTI_ARRIVAL_SORTED,
  TUTTI_ARRIVAL_REVERSED,
  TUTTI_ARRIVAL_TRACE,
  TUTTI_ARRIVAL_KINDS
} tutti_arrival_kind;

/** The longest delay: 1000 s, in nanoseconds. */
#define TUTTI_MAX_DELAY UINT64_C(1000000000000)

/** Longest name of a trace, terminating zero included. */
#define TUTTI_TRACE_NAME 32

/** A pattern. A value; zero-initialized it is `none`. Members that its kind does not have are 0. */
typedef struct tutti_arrival {
  tutti_arrival_kind kind;
  uint32_t sum;                 /**< TRACE: of its delays */
  uint64_t span;                /**< nanoseconds; but of TRACE */
  uint64_t seed;                /**< UNIFORM, and STRAGGLER whose rank is drawn */
  int rank;                     /**< STRAGGLER: 1 + the rank that is late; 0: it is drawn */
  char trace[TUTTI_TRACE_NAME]; /**< TRACE: the name of the file */
} tutti_arrival;

/** The delays of a trace; owned by the caller: tutti_trace_free(). */
typedef struct tutti_trace {
  char name[TUTTI_TRACE_NAME]; /**< of the file, without directories; "" without a trace */
  uint32_t sum;
  size_t count;
  uint64_t *delays; /**< [count] nanoseconds */
} tutti_trace;

/** Longest pattern as text, terminating zero included. */
#define TUTTI_ARRIVAL_LENGTH 64

/**
 * Read a pattern that needs no file: a trace must have its sum.
 * @return TUTTI_ERR_ARGUMENT naming the word and what is wrong with it
 */
tutti_status tutti_arrival_parse(const char *text, tutti_arrival *arrival, tutti_error *error);

/**
 * Read a pattern, and the file if it is a trace, with or without its sum.
 * @param directory  folder of a relative FILE; NULL: the current one
 * @param trace      empty if the pattern is not a trace; tutti_trace_free() in any case
 * @return TUTTI_ERR_ARGUMENT, with FILE:LINE for a line that is not a delay, or if the sum differs; TUTTI_ERR_IO,
 *         TUTTI_ERR_MEMORY
 */
tutti_status tutti_arrival_read(const char *text, const char *directory, tutti_arrival *arrival, tutti_trace *trace,
                                tutti_error *error);

/** The canonical word; returns @p text. */
char *tutti_arrival_format(const tutti_arrival *arrival, char text[TUTTI_ARRIVAL_LENGTH]);

/** A total order, `none` first; 0 for the same pattern. */
int tutti_arrival_compare(const tutti_arrival *left, const tutti_arrival *right);

/** Check that @p ranks ranks can arrive so. TUTTI_ERR_UNSUPPORTED if the straggler is not one of them. */
tutti_status tutti_arrival_check(const tutti_arrival *arrival, int ranks, tutti_error *error);

/**
 * Nanoseconds by which a rank is late, 0 <= rank < ranks. Constant time.
 * @param trace  of a TRACE; read for it alone
 */
uint64_t tutti_arrival_delay(const tutti_arrival *arrival, const tutti_trace *trace, int rank, int ranks);

/** The largest delay of all ranks, in nanoseconds. Takes O(ranks) steps. */
uint64_t tutti_arrival_latest(const tutti_arrival *arrival, const tutti_trace *trace, int ranks);

/** Whether it is the trace of that pattern. */
bool tutti_trace_is_of(const tutti_trace *trace, const tutti_arrival *arrival);

/** Compute the sum of the delays of a trace that was put together by hand. */
uint32_t tutti_trace_sum(const tutti_trace *trace);

void tutti_trace_free(tutti_trace *trace);

#ifdef __cplusplus
}
#endif
#endif
