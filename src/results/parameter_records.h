/* Reading what tutti-params printed. */
#ifndef TUTTI_HARNESS_PARAMETER_RECORDS_H
#define TUTTI_HARNESS_PARAMETER_RECORDS_H

#include <stdio.h>

#include "tutti/record.h"

struct parameter_records {
  tutti_record run;       /* the tutti-run record */
  bool apart;             /* the two processes were on different nodes */
  bool ended;             /* the closing record came, with the right number */
  tutti_parameter *items; /* owned, free() */
  size_t count;
};

/* Read to the end of the stream. TUTTI_ERR_LAUNCH names a record that cannot be used; lines that are not records are
   passed over. */
tutti_status tutti_parameter_records_read(FILE *stream, struct parameter_records *records, tutti_error *error);

#endif
