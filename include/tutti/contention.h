/**
 * @file contention.h
 * @ingroup base
 * Links that lose throughput when many messages meet on them, as a switch with small buffers does. No MPI.
 *
 * The law: a link of bandwidth b that n messages use at the same time carries b bytes a second in all up to n = k, and
 * b max(floor, k / n) beyond. A platform file has "k/floor" for a kind of link (platform.h). The law has the form that
 * SimGrid's links with the sharing policy NONLINEAR take.
 */
#ifndef TUTTI_CONTENTION_H
#define TUTTI_CONTENTION_H

#include "tutti/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** When a link loses throughput, and how much. */
typedef struct tutti_contention {
  int messages; /**< number that it carries without a loss, k: at least 1; 0: any number */
  double floor; /**< minimum part of its bandwidth that remains, above 0 and at most 1 */
} tutti_contention;

/** Read "k/floor", such as "12/0.25". TUTTI_ERR_ARGUMENT names the expected form. */
tutti_status tutti_contention_parse(const char *text, tutti_contention *contention, tutti_error *error);

/** Bytes a second that a link of @p bandwidth carries while @p messages use it. */
double tutti_contention_bandwidth(const tutti_contention *contention, double bandwidth, int messages);

#ifdef __cplusplus
}
#endif
#endif
