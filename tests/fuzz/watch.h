/* Trials in a process of their own, so that a crash or a hang ends neither the others nor the report. */
#ifndef TUTTI_FUZZ_WATCH_H
#define TUTTI_FUZZ_WATCH_H

#include "kinds.h"

/* Parameters of a run of a kind. */
typedef struct fuzz_run {
  const fuzz_kind *kind;
  const fuzz_seeds *seeds;
  uint64_t seed, first, count;
  unsigned seconds;   /* processor time allowed for a text */
  const char *folder; /* for files */
  const char *kept;   /* for texts that failed; NULL: they are not kept */
} fuzz_run;

/* Results of a run. */
typedef struct fuzz_report {
  uint64_t read, refused, failed;
  double seconds;
} fuzz_report;

/* Text @p number of a run, independent of the rest of the run: the first ones are the seeds, which must be read. */
void fuzz_text_of(const fuzz_run *run, uint64_t number, fuzz_text *text);

/* Feed all texts. Failures are reported on standard error: kind, seed, number and event. */
fuzz_report fuzz_watch(const fuzz_run *run);

#endif
