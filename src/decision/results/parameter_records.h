/* Reading what tutti-params printed. */
#ifndef TUTTI_RESULTS_PARAMETER_RECORDS_H
#define TUTTI_RESULTS_PARAMETER_RECORDS_H

#include <stdio.h>

#include "base/vector.h"
#include "tutti/record.h"

struct parameter_records {
  tutti_record run;              /* the tutti-run record */
  tutti_record end;              /* the tutti-end record */
  bool apart;                    /* the two processes were on different nodes */
  bool ended;                    /* the closing record came, with the right number */
  TUTTI_VECTOR(tutti_parameter); /* owned: tutti_vector_free() */
};

/* Read to the end of the stream. TUTTI_ERR_LAUNCH names a record that cannot be used; lines that are not records are
   passed over. */
tutti_status tutti_parameter_records_read(FILE *stream, struct parameter_records *records, tutti_error *error);

#endif
