/* How often each method ran and how long it took. */
#ifndef TUTTI_INTERPOSE_USAGE_H
#define TUTTI_INTERPOSE_USAGE_H

#include "interpose/settings.h"

/* Who did a call: a method, or the library, and why. */
struct doer {
  tutti_collective collective;
  const char *native; /* NULL: the method; else static storage */
  tutti_method method;
};

struct usage_row {
  struct doer doer;
  uint64_t calls, least, most; /* bytes */
  double seconds;
};

struct usage {
  size_t count;
  struct usage_row *rows;
};

/* Not thread-safe. Out of memory, a call is not counted. */
void tutti_usage_add(struct usage *usage, const struct doer *doer, uint64_t bytes, double seconds);

/* Rank 0 of MPI_COMM_WORLD writes the sum over all ranks on standard error. Collective. */
void tutti_usage_report(const struct usage *usage, const struct settings *settings);

void tutti_usage_free(struct usage *usage);

#endif
