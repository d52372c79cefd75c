/* What a library did in the collectives that were left to it: the messages of each kind of call, as TUTTI_RAN writes
   them and tutti explain --ran compares them with what it says. No MPI. */
#ifndef TUTTI_RESULTS_RAN_FILE_H
#define TUTTI_RESULTS_RAN_FILE_H

#include <stdio.h>

#include "base/splitmix64.h"
#include "base/vector.h"
#include "tutti/algorithm.h"

/* Messages, whatever their order: two methods with the same sums send the same messages to the same ranks. */
struct ran_messages {
  uint64_t count, bytes;
  uint64_t print; /* the sum of a hash of each */
};

/* A message of the rank whose sums these are. */
static inline void tutti_ran_add(struct ran_messages *sent, int to, uint64_t bytes)
{
  sent->count++;
  sent->bytes += bytes;
  sent->print += tutti_splitmix64(tutti_splitmix64((uint64_t)to + 1) + bytes);
}

/* The sums of a rank, as a part of those of all ranks. */
static inline void tutti_ran_join(struct ran_messages *all, int rank, const struct ran_messages *sent)
{
  all->count += sent->count;
  all->bytes += sent->bytes;
  all->print += tutti_splitmix64(tutti_splitmix64((uint64_t)rank + 1) + sent->print);
}

/* Calls with the same arguments. */
struct ran_row {
  tutti_collective collective;
  int ranks, root;
  uint64_t bytes;      /* of the message, or of one rank's block */
  uint64_t type_bytes; /* of an element; 0: a barrier */
  bool ordered;        /* the operation does not commute */
  bool in_place;       /* all send buffers are MPI_IN_PLACE */
  uint64_t calls;
  bool varied; /* not all sent the same messages: the sums are those of the first */
  struct ran_messages sent;
};

enum { RAN_LIBRARY = 64 };

struct ran_rows {
  TUTTI_VECTOR(struct ran_row);
  char library[RAN_LIBRARY]; /* that ran and its version, "OpenMPI-4.1.4"; empty: the file does not say it */
};

/* The first lines of a file: a comment with the library, "# OpenMPI-4.1.4", and the heading, whose fields each further
   line has, with tabs between. */
void tutti_ran_begin_file(FILE *stream, const char *library);

/* The line of a row, with its end. */
void tutti_ran_write(FILE *stream, const struct ran_row *row);

/* Read a file, or of one collective its rows; TUTTI_COLL_COUNT: all. TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT name FILE:LINE.
   Free with tutti_vector_free() in any case. */
tutti_status tutti_ran_read(const char *path, tutti_collective collective, struct ran_rows *rows, tutti_error *error);

#endif
