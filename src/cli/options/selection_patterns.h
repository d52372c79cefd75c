/* Under which arrival patterns and noises the measurements of a selection were taken. */
#ifndef TUTTI_CLI_SELECTION_PATTERNS_H
#define TUTTI_CLI_SELECTION_PATTERNS_H

#include <argp.h>

#include "cli/options/option.h"
#include "tutti/decision_map.h"
#include "tutti/store.h"

enum { SELECTION_PATTERNS = 16, SELECTION_BASIS = 1280 };

struct selection_patterns {
  int arrival_count, noise_count; /* 0: none */
  tutti_arrival arrivals[SELECTION_PATTERNS];
  tutti_noise noises[SELECTION_PATTERNS];
  bool joins; /* several are joined, as `robust` says */
  tutti_robust robust;
  char basis[TUTTI_SCHEME_COUNT][SELECTION_BASIS]; /* for reports: the scheme, and the patterns unless they are none */
};

/* A child of the argp of the selection; its input is a struct selection_patterns. */
extern const struct argp selection_patterns_argp;

/* Rows for it. */
extern const struct option_row selection_patterns_table[];

/* Neither late nor interrupted, and none joined? */
bool selection_patterns_are_none(const struct selection_patterns *patterns);

/* How many pairs of an arrival pattern and a noise there are, at least 1; and the pair with that number. */
int selection_patterns_count(const struct selection_patterns *patterns);
void selection_patterns_pair(const struct selection_patterns *patterns, int pair, tutti_selection *selection);

#endif
