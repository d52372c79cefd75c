/* ReproMPI: its columns and rows. */
#ifndef TUTTI_STORE_IMPORT_REPRO_H
#define TUTTI_STORE_IMPORT_REPRO_H

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

/* Raw times of one point. */
struct repro_series {
  tutti_collective collective;
  tutti_measurement point;
  struct {
    TUTTI_VECTOR(double);
  } times;
  size_t line; /* of its first repetition */
};

/* A row under the header in file->repro.columns. */
tutti_status tutti_import_repro_row(struct import_file *file, const struct import_words *words, tutti_error *error);

/* Repetitions that were gathered, as measurements: minimum, median, mean and maximum. Frees them. */
tutti_status tutti_import_repro_end(struct import_file *file, tutti_error *error);

void tutti_import_repro_free(struct import_file *file);

#endif
