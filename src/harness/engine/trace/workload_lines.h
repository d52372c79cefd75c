/* Reading the lines of liballprof: what its files share. */
#ifndef TUTTI_ENGINE_WORKLOAD_LINES_H
#define TUTTI_ENGINE_WORKLOAD_LINES_H

#include "base/text.h"
#include "harness/engine/trace/workload_groups.h"
#include "harness/engine/trace/workload_read.h"

enum { FIELDS = 20 };

/* The communicator of the current call. */
struct line_place {
  uint32_t communicator; /* of workload.communicators */
  uint32_t rank, size;
  uint64_t key; /* of its messages */
};

/* A group as a rank has it. */
struct line_group {
  uint32_t base; /* communicator, like creation.parent */
  struct group_list list;
};

struct trace_lines {
  struct tutti_lines lines;
  struct workload *workload;
  tutti_passed *passed;
  struct workload_called *called; /* [ranks] */
  struct workload_pairs channels;
  uint32_t rank;
  bool begun;
  double first, last;   /* beginning of the rank, and end of the call before: microseconds */
  double from, to;      /* of the current call */
  char *fields[FIELDS]; /* its arguments */
  int count;
  struct workload_writer writer;
  struct workload_pairs places; /* of the rank: see workload_calls.c */
  double seconds;               /* the longest */
  bool sends_to_minus_1;        /* some rank */
  struct dumpi *dumpi;          /* NULL: lines of liballprof */
  struct line_place place;
  bool defining; /* what makes communicators is read, and nothing else */
  struct workload_groups groups;
  struct {
    TUTTI_VECTOR(struct line_group);
  } line_groups;                 /* of the rank */
  struct workload_pairs handles; /* of the rank, with 0: a communicator's own number; with 1: a group's place in
                                    line_groups, from 1 on; 0 with 2: the communicator of this rank alone */
  size_t made;                   /* creations of the rank so far */
};

/* Pass over the current line. */
void tutti_lines_pass(struct trace_lines *trace, const char *why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The other rank of a receive whose number is -1 or -2: MPI_ANY_SOURCE and MPI_PROC_NULL, in libraries the one or the
   other. */
#define PEER_MINUS(number) (WORKLOAD_UNKNOWN - (number) + 1)

/* Take the call that is split into its fields, with its times. */
void tutti_lines_take_call(struct trace_lines *trace);

/* ---- workload_calls.c, of the current call: false: passed over, but of a part ---- */

/* Argument `at`, from 0; a whole number; and number `which` of one of several, such as the size of a datatype. */
const char *tutti_lines_field(const struct trace_lines *trace, int at);
bool tutti_lines_number(struct trace_lines *trace, int at, uint64_t most, uint64_t *value);
bool tutti_lines_rank(struct trace_lines *trace, int at, uint64_t *rank); /* one of the communicator */
bool tutti_lines_part(const struct trace_lines *trace, int at, int which, uint64_t most, uint64_t *value);

/* Bytes of the elements whose number is argument `at`, and whose datatype is the next one. */
bool tutti_lines_bytes(struct trace_lines *trace, int at, uint64_t *bytes, uint64_t *type_size);

/* Record the computation since the last call, and that the rank takes part in this one. */
void tutti_lines_begin_call(struct trace_lines *trace, int as);

/* ---- workload_communicators.c ---- */

/* Whether a call may make a communicator or a group, and read it. */
bool tutti_lines_makes(const char *name);
void tutti_lines_read_maker(struct trace_lines *trace);

/* Set trace->place; false: passed over, since the members are not known. */
bool tutti_lines_communicator(struct trace_lines *trace, int at);

/* ---- workload_line_groups.c ---- */

/* "1,2,3" of argument `at`, of which there are that many; false: something else. */
bool tutti_lines_list(struct trace_lines *trace, int at, uint64_t count, struct group_list *list);

/* The group that argument `at` names; NULL: not known. */
const struct line_group *tutti_lines_group(const struct trace_lines *trace, int at);

/* Read a call that makes a group; others are ignored. */
void tutti_lines_read_group(struct trace_lines *trace);

/* The number that the rank itself has given to a communicator, as creation.parent. */
uint32_t tutti_lines_own_number(const struct trace_lines *trace, int at);

/* ---- workload_collectives.c: false: no collective ---- */

bool tutti_lines_read_collective(struct trace_lines *trace);

/* ---- workload_dumpi.c: the same calls as dumpi2ascii writes them, a line an argument ---- */

struct dumpi *tutti_dumpi_new(void);
void tutti_dumpi_free(struct dumpi *dumpi);

/* Begin the file of the current rank; read its current line. */
void tutti_dumpi_begin_rank(struct trace_lines *trace);
void tutti_dumpi_read_line(struct trace_lines *trace);

/* Read a call of the current rank, which is split into its fields. */
void tutti_lines_read_call(struct trace_lines *trace);

/* Add the computation of the rank since the last call. */
void tutti_lines_add_work(struct trace_lines *trace, double microseconds);

#endif
