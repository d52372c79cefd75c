/* ReproMPI: its columns and rows. */
#ifndef TUTTI_HARNESS_IMPORT_REPRO_H
#define TUTTI_HARNESS_IMPORT_REPRO_H

#include "store/import_file.h"

enum repro_column {
  REPRO_TEST,
  REPRO_COUNT,
  REPRO_BYTES,
  REPRO_ERROR_CODE,
  REPRO_RUNTIME,
  REPRO_VALID,
  REPRO_MEAN,
  REPRO_MEDIAN,
  REPRO_MINIMUM,
  REPRO_MAXIMUM,
  REPRO_COLUMNS,
  REPRO_OTHER = REPRO_COLUMNS
};

/* A row under the header in file->repro.columns. */
tutti_status tutti_import_repro_row(struct import_file *file, const struct import_words *words, tutti_error *error);

#endif
