/* Trials in a process of their own, so that a crash or a hang ends neither the others nor the report. */
#ifndef TUTTI_FUZZ_WATCH_H
#define TUTTI_FUZZ_WATCH_H

#include <stdint.h>

#include "kinds.h"
#include "mutate.h"

/* What to feed to a kind. */
typedef struct fuzz_run {
  const fuzz_kind *kind;
  const fuzz_seeds *seeds;
  uint64_t seed, first, count;
  unsigned seconds;   /* of processor time that a text may take */
  const char *folder; /* for files */
  const char *kept;   /* for texts that failed; NULL: they are not kept */
} fuzz_run;

/* What came of it. */
typedef struct fuzz_report {
  uint64_t read, refused, failed;
  double seconds;
} fuzz_report;

/* Text @p number of a run, whatever else is in the run: the first ones are the seeds, which must be read. */
void fuzz_text_of(const fuzz_run *run, uint64_t number, fuzz_text *text);

/* Feed all texts. What fails is said on standard error: kind, seed, number and what happened. */
fuzz_report fuzz_watch(const fuzz_run *run);

#endif
