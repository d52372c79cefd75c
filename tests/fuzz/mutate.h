/* Mutations of texts, drawn by a seed. */
#ifndef TUTTI_FUZZ_MUTATE_H
#define TUTTI_FUZZ_MUTATE_H

#include "text.h"

/* The texts from which mutations start. */
typedef struct fuzz_seeds {
  size_t count;
  fuzz_text *texts;
} fuzz_seeds;

/* One of the seeds, changed in one to four ways, most often in one. The same @p state gives the same text. */
void fuzz_mutate(const fuzz_seeds *seeds, uint64_t *state, fuzz_text *text);

#endif
