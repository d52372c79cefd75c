/* tutti algorithms: the catalogue, and proofs of it. */
#ifndef TUTTI_CLI_ALGORITHMS_H
#define TUTTI_CLI_ALGORITHMS_H

#include "base/table.h"
#include "cli/options/option.h"
#include "tutti/algorithm.h"

struct algorithms_options {
  unsigned collectives; /* bits; 0: all */
  bool prove;           /* reproducibility */
  unsigned classes;     /* that an algorithm must have (reproducible.h) */
  struct option_numbers ranks;
  tutti_format format;
};

static inline bool algorithms_wanted(const struct algorithms_options *chosen, const tutti_algorithm *algorithm)
{
  return !chosen->collectives || chosen->collectives >> algorithm->collective & 1;
}

/* --reproducible: prove and print. Returns an exit status: EXIT_FOUND if the catalogue claims what is refuted. */
int algorithms_prove(const struct algorithms_options *chosen);

#endif
