/* Input of tutti-sort: elements of several types, drawn in several ways, the same from the same seed. */
#ifndef TUTTI_MEASURE_SORT_INPUT_H
#define TUTTI_MEASURE_SORT_INPUT_H

#include <stdint.h>

#include "tutti/sort.h"

enum sort_distribution {
  DISTRIBUTION_UNIFORM,
  DISTRIBUTION_EQUAL,     /* one key */
  DISTRIBUTION_FEW,       /* eight keys */
  DISTRIBUTION_SORTED,    /* sorted already */
  DISTRIBUTION_REVERSED,  /* the other way round */
  DISTRIBUTION_STAGGERED, /* each process has keys of one p-th of all: rank i < p / 2 of number 2 i + 1, the others of
                             number 2 i - p (Helman, Bader, JaJa 1998) */
  DISTRIBUTION_SINGLE,    /* uniform, and rank 0 has all of them */
  SORT_DISTRIBUTIONS
};

enum sort_kind {
  KIND_DOUBLE,
  KIND_INT64,
  KIND_STRUCT, /* 24 bytes, ordered by the first eight; the rest is the element's origin */
  SORT_KINDS
};

/* NULL outside; -1 for an unknown name. @{ */
const char *sort_distribution_name(int distribution);
const char *sort_kind_name(int kind);
int sort_distribution_find(const char *name);
int sort_kind_find(const char *name);
/** @} */

/* Elements of one process. */
struct sort_input {
  enum sort_distribution distribution;
  enum sort_kind kind;
  uint64_t seed;
  int size, rank;
  uint64_t count; /* elements for each process, on average */
};

tutti_sort_type sort_kind_type(enum sort_kind kind);

/* How many elements this process has. */
uint64_t sort_input_count(const struct sort_input *input);

/* Write them to data[sort_input_count()]. */
void sort_input_fill(const struct sort_input *input, void *data);

/* A number that is ordered as the elements are. */
uint64_t sort_key_of(enum sort_kind kind, const void *element);

/* A fingerprint: the sum of scrambled elements, independent of their order. */
uint64_t sort_fingerprint(enum sort_kind kind, const void *data, uint64_t count);

#endif
