/* The check of the result of tutti-sort. */
#ifndef TUTTI_MEASURE_SORT_CHECK_H
#define TUTTI_MEASURE_SORT_CHECK_H

#include "harness/measure/sort/sort_input.h"
#include "tutti/collectives.h"
#include "tutti/sort.h"

/* Small: every rank of a simulation has all of them. */
struct sort_point {
  unsigned char algorithm, distribution, kind;
  signed char layer, order, assignment; /* -1: "-" */
  uint64_t count, seed;
};

/* Input and output of one sort on one process. */
struct sorted {
  const struct sort_point *point;
  const void *input, *output;
  uint64_t input_count, output_count;
  tutti_sort_tally tally;
  double end; /* seconds on the shared clock */
};

/* All processes; valid at rank 0. */
struct sort_report {
  double end; /* the latest */
  uint64_t elements, messages, sent_bytes;
  uint64_t levels, janus_levels, groups, most_sent, most_received, least_elements, most_elements; /* of a process */
};

/* Collective. TUTTI_ERR_FAULT, at rank 0, names the fault and the rank: elements out of order on a process or between
   processes; other elements than those of the input; and with Janus Quicksort, which balances perfectly, another number
   of elements than the process has places. */
tutti_status sort_check(const tutti_view *view, const struct sorted *sorted, struct sort_report *report,
                        tutti_error *error);

#endif
