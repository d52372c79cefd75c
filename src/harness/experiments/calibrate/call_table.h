/* Tables of calls, measured or asked for: fields between tabs, and headings, of which collective, nodes,
   ranks_per_node, bytes and method must be there, and machine, settings, run, median_ns and simulated_ns may be.
   Methods are named as in PICO's tables, or as everywhere. */
#ifndef TUTTI_CALIBRATE_CALL_TABLE_H
#define TUTTI_CALIBRATE_CALL_TABLE_H

#include "harness/store/import_pico.h"

/* A line. Texts live until the next one. */
struct call_row {
  tutti_collective collective;
  const char *nodes; /* "256", or the sides of a torus, "8x8x8" */
  const char *name;  /* of the method */
  const char *run;   /* "": not said */
  int ranks, ranks_per_node, line;
  uint64_t bytes;            /* of the message or of all blocks */
  double seconds, simulated; /* NaN: not said */
  bool known;                /* Tutti has the method: */
  struct pico_method found;
};

enum { CALL_ELEMENT = 4 }; /* bytes: PICO's integers */

/* Call @p take for each line of the collective (TUTTI_COLL_COUNT: of all), and of the machine unless that is NULL.
   TUTTI_ERR_IO, TUTTI_ERR_ARGUMENT name file and line. */
tutti_status tutti_call_table_read(const char *path, tutti_collective collective, const char *machine,
                                   void (*take)(void *context, const struct call_row *row), void *context,
                                   tutti_error *error);

#endif
