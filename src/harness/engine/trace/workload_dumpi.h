/* DUMPI traces as text: what their files share. */
#ifndef TUTTI_ENGINE_WORKLOAD_DUMPI_H
#define TUTTI_ENGINE_WORKLOAD_DUMPI_H

#include "harness/engine/trace/workload_lines.h"

enum { MAX_VALUES = 16, MAX_NAME = 64 };

/* A persistent request: what it starts. */
struct persistent {
  const char *name;
  char *fields[6]; /* owned */
};

struct dumpi {
  char name[MAX_NAME];      /* of the current call; "": none */
  double from;              /* microseconds */
  char *values[MAX_VALUES]; /* "NAME=VALUE"; owned */
  int count;
  char *fields[FIELDS];        /* composed; owned */
  struct workload_pairs types; /* bytes of derived datatypes, and 1 */
  struct workload_pairs kept;  /* persistent requests: their place, from 1 on */
  struct {
    TUTTI_VECTOR(struct persistent);
  } persistent;
};

/* The arguments of a call in MPI's order; "-": a buffer, or another one that is not needed. */
struct arguments {
  const char *name, *as, *arguments;
};

/* Compose the fields of a call; returns how many. Free each. */
int tutti_dumpi_compose(const struct trace_lines *trace, const char *arguments, char **fields);

/* Take a call with these arguments, from and to these times. */
void tutti_dumpi_take(struct trace_lines *trace, const char *name, char **fields, int count, double from, double to);

/* ---- workload_dumpi_values.c ---- */

/* The value of an argument; "" if it is not there. */
const char *tutti_dumpi_value(const struct dumpi *dumpi, const char *name);

/* "7 (MPI_COMM_WORLD)" and "[7]" have 7; false: no number that is not negative. */
bool tutti_dumpi_number(const char *text, uint64_t *number);

/* Bytes of a datatype; UINT64_MAX: not known. */
uint64_t tutti_dumpi_bytes(const struct dumpi *dumpi, const char *text);

/* The field of liballprof that an argument becomes; owned by the caller. */
char *tutti_dumpi_field(const struct trace_lines *trace, const char *name);

/* ---- workload_dumpi_requests.c ---- */

/* Keep what a persistent request starts. */
void tutti_dumpi_keep(struct trace_lines *trace, const struct arguments *call);

/* False: the current call is not about requests. */
bool tutti_dumpi_read_request(struct trace_lines *trace, double to);

#endif
