/* Values by the size of a message, as SimGrid's options have them: "FROM:VALUE;FROM:VALUE". */
#ifndef TUTTI_PLATFORMS_PIECES_H
#define TUTTI_PLATFORMS_PIECES_H

#include <stddef.h>
#include <stdint.h>

#include "tutti/error.h"

struct piece {
  uint64_t from;       /* bytes */
  double value, slope; /* value + slope * bytes */
};

struct pieces {
  struct piece *items; /* by `from`; owned */
  size_t count;
};

enum pieces_kind {
  PIECES_BANDWIDTH_FACTOR, /* BYTES:FACTOR */
  PIECES_LATENCY_FACTOR,   /* BYTES:FACTOR */
  PIECES_OVERHEAD,         /* BYTES:SECONDS:SECONDS_PER_BYTE; either may have a unit of time */
};

/* The kind of an option by its name, such as smpi/bw-factor; -1 if its value has no pieces. */
int tutti_pieces_kind(const char *option);

/* Read @p text into @p pieces, to be freed with tutti_pieces_free(), also after an error, which is the sentence
   alone. Refused is what SimGrid 3.32 ends with, or takes for another value: other forms, times and factors below
   nothing. */
tutti_status tutti_pieces_read(const char *text, enum pieces_kind kind, struct pieces *pieces, tutti_error *error);
void tutti_pieces_free(struct pieces *pieces);

/* A factor: 1 before the first piece; the piece of the largest `from` below @p bytes. */
double tutti_pieces_factor(const struct pieces *pieces, double bytes);

/* An overhead in seconds: the first piece holds for smaller messages, too. */
double tutti_pieces_overhead(const struct pieces *pieces, double bytes);

#endif
