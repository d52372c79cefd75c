/* Tables of calls, measured or asked for: fields between tabs, and headings, of which collective, nodes,
   ranks_per_node, bytes and method must be there, and machine, settings, run, median_ns and simulated_ns may be.
   Methods are named as in PICO's tables, or as everywhere. */
#ifndef TUTTI_CALIBRATE_CALL_TABLE_H
#define TUTTI_CALIBRATE_CALL_TABLE_H

#include "harness/store/import_pico.h"
#include "tutti/passed.h"

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

/* What is read of a table. */
struct call_table {
  const char *path;
  tutti_collective collective; /* TUTTI_COLL_COUNT: all */
  const char *machine;         /* NULL: all */
  bool measured, simulated;    /* which times are read; of other ones `seconds` and `simulated` are NaN */
};

/* Call @p take for each line that is asked for. A line with a time that no call can take is passed over. TUTTI_ERR_IO,
   TUTTI_ERR_ARGUMENT name file and line.
   @param passed  may be NULL if no times are read */
tutti_status tutti_call_table_read(const struct call_table *asked, tutti_passed *passed,
                                   void (*take)(void *context, const struct call_row *row), void *context,
                                   tutti_error *error);

#endif
