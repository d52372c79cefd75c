/**
 * @file record.h
 * @ingroup results
 * Records: the output of a measuring program, read by the tutti command. One line each, self-describing, with units.
 *
 *     tutti-run v=1 tutti=0.1.0 flavor=smpi library=SimGrid-3.32 ranks=28 ranks_per_node=1
 *         and, on a real machine, build=47d0... hosts=9c3b... cpu=... cores=64 binding=bound:1
 *         date=2026-11-22T18:53:09.123Z load=0.2
 *     tutti-measurement v=1 method=bcast/binomial/8KB scheme=occ ranks=28 root=0 count=8192 type_B=1 repetitions=1
 *         minimum_s=... median_s=... mean_s=... maximum_s=...                                       (one line)
 *         and, before the times, arrival=... (arrival.h) and noise=... (noise.h), where they are not none
 *     tutti-group v=1 builder=shrink-hash/no-filler ranks=2048 fraction=0.3 exact=0 branching=3 seed=7 colours=1
 *         node_ranks=1 repetitions=1 minimum_s=... median_s=... mean_s=... maximum_s=...
 *         messages=... start=... upward=... (the other kinds of messages) sent_B=... members=... groups=...
 *         fingerprint=c7c6e74cdd74f47f size=... height=... degree=... critical_path=...
 *         largest_message_B=... memory_B=... endpoint_B=...
 *     tutti-parameter v=1 quantity=gap of=- bytes=1024 value=8.714e-05 unit=s                    (parameters.h)
 *     tutti-sort v=1 ..., tutti-range v=1 ..., tutti-map v=1 ...                                 (result.h)
 *     tutti-end v=1 measurements=816     and, on a real machine, date and load
 *
 * The fields are the columns of the kind in src/decision/results/kinds.def. In tutti-group, exact=1 means that the
 * number of members was requested, and not the fraction. A tutti-end record counts measurements, groups, parameters and
 * results alike.
 *
 * A program has ended well only if its tutti-end line arrived with the right number. Fields are
 * NAME=VALUE without blanks; readers ignore fields they do not know, which newer versions may print; tutti import names
 * them.
 */
#ifndef TUTTI_RECORD_H
#define TUTTI_RECORD_H

#include <stdio.h>

#include "tutti/group_run.h"
#include "tutti/measurement.h"
#include "tutti/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tutti_record_kind {
  TUTTI_RECORD_NONE, /**< not a record: other output of the program */
  TUTTI_RECORD_RUN,
  TUTTI_RECORD_MEASUREMENT,
  TUTTI_RECORD_GROUP,
  TUTTI_RECORD_PARAMETER,
  TUTTI_RECORD_RESULT,
  TUTTI_RECORD_END
} tutti_record_kind;

#define TUTTI_RECORD_WORD   64
#define TUTTI_RECORD_DIGEST 17

/** One line, read. Which members are set depends on the kind. */
typedef struct tutti_record {
  tutti_record_kind kind;
  char tutti[TUTTI_RECORD_WORD];   /**< RUN */
  char flavor[TUTTI_RECORD_WORD];  /**< RUN */
  char library[TUTTI_RECORD_WORD]; /**< RUN; blanks are written as '-' */
  int ranks;                       /**< RUN */
  int ranks_per_node;              /**< RUN: maximum ranks of one node; in simulation from the platform */
  /** On a real machine, of RUN, date and load also of END; empty or 0 where it is not known. */
  char library_build[TUTTI_RECORD_DIGEST]; /**< digest of the library's description */
  char hosts[TUTTI_RECORD_DIGEST];         /**< digest of the names of the hosts */
  char cpu[TUTTI_RECORD_WORD];             /**< model; "mixed": of several */
  int cores;                               /**< processors of a node that are online */
  char binding[TUTTI_RECORD_DIGEST * 2];   /**< "unbound"; "bound:1", "bound:1-4": to this many processors; followed by
                                              ":shared", if a node has bound ranks that share one */
  char date[TUTTI_RECORD_DIGEST * 2];      /**< "2026-11-22T18:53:09.123Z", of the clock of rank 0, as the next one */
  double load;                             /**< of the last minute */
  union {
    tutti_measurement measurement; /**< MEASUREMENT; ranks_per_node is that of the RUN before it, set by the reader */
    tutti_group_run build;         /**< GROUP; as measurement */
    tutti_parameter parameter;     /**< PARAMETER */
    tutti_result result;           /**< RESULT; as measurement, and 1 until then */
    uint64_t measurements;         /**< END */
  };
} tutti_record;

/** Read one line without its newline. TUTTI_ERR_ARGUMENT on a line that begins like a record but is not one. */
tutti_status tutti_record_parse(const char *line, tutti_record *record, tutti_error *error);

/** Print one record and its newline. Times are printed with twelve significant digits. */
void tutti_record_print(FILE *stream, const tutti_record *record);

/** The launch of a run on a real machine, in its stored form (TUTTI_RESULT_LAUNCH), into @p launch. @p end: NULL as
   long as the run has not ended. False if the run has no date, as in simulation. */
bool tutti_record_launch(const tutti_record *run, const tutti_record *end, tutti_result *launch);

#ifdef __cplusplus
}
#endif
#endif
