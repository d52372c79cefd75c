/* FILE.RANK: what a rank of an interposed program has recorded for TUTTI_PROFILE=FILE or TUTTI_TRACE=FILE so far. The
 * rank has it mapped, so that what it records is in the file at once, however the process ends; MPI_Finalize() makes
 * FILE of all of them and removes them. Those of a program that ended otherwise are left.
 *
 * A head of RANK_FILE_HEAD bytes, then bytes of the trace (trace_format.h), or the rows of the profile. */
#ifndef TUTTI_RESULTS_RANK_FILE_H
#define TUTTI_RESULTS_RANK_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tutti/error.h"
#include "tutti/result.h"

#define RANK_FILE_MAGIC "tutti-rank 1"

enum { RANK_FILE_HEAD = 4096 };

/* Integers and doubles as this machine has them: it is read where it was written, or on one alike. */
struct rank_file_head {
  char magic[16];
  char kind[16]; /* "profile", "trace" */
  char flavor[16], library[64];
  char program[TUTTI_RESULT_WORD];
  uint32_t ranks, rank, ranks_per_node, cores;
  uint64_t run;           /* the same for all ranks of a run, and another one for the next */
  uint32_t row, seen;     /* for a profile: bytes of a row, and where struct profile_seen begins in it */
  _Atomic uint64_t used;  /* bytes of a trace that are whole records, or rows of a profile */
  _Atomic uint64_t calls; /* in a trace */
  double begun;           /* seconds; of a profile, as the next */
  double ended;           /* end of the last call */
  uint64_t left_out;      /* calls that are in no row */
};

/* The counts of a row of a profile, as members of another structure. Times in seconds of the calls that were timed,
   those that were drawn at random, and of the time before those that followed a timed one. */
#define PROFILE_SEEN                                                                                                   \
  char site[TUTTI_RESULT_WORD], communicator[TUTTI_RESULT_WORD], collective[TUTTI_RESULT_WORD],                        \
      method[TUTTI_RESULT_WORD], type_name[TUTTI_RESULT_WORD], operation[TUTTI_RESULT_WORD];                           \
  int ranks, nodes, type_size, root_least, root_most;                                                                  \
  uint64_t size, calls, skipped, drawn, followed;                                                                      \
  double total, drawn_total, least, most, between

struct profile_seen {
  PROFILE_SEEN;
};

/* The estimates for calls that were not timed, before they are scaled. @{ */
double tutti_profile_estimate_total(const struct profile_seen *row);
double tutti_profile_estimate_between(const struct profile_seen *row);
/* @} */

/* A row as a result, its estimates multiplied by @p scale. */
void tutti_profile_row(const struct profile_seen *row, const char *program, double scale, tutti_result *result);

/* Sort rows, and make those of one key one. Returns how many there are. */
size_t tutti_profile_merge_rows(tutti_result *rows, size_t count);

/* ---- what is left of a program that was cut ---- */

/* True if FILE.0 exists and is younger than FILE: then FILE is not of the last run. */
bool tutti_rank_files_are_left(const char *path, const char *kind);

/* How many ranks left files, and how many calls these have: a sentence without the path, owned by the caller. NULL,
 * with
 * @p error filled in: they are none. */
char *tutti_rank_files_describe(const char *path, const char *kind, tutti_error *error);

/* The records of a profile (tutti/record.h), as far as the ranks came; the name of the program is followed by "(cut)".
 * The caller closes the stream; NULL, with @p error filled in, without files. */
FILE *tutti_rank_files_profile(const char *path, tutti_error *error);

#endif
