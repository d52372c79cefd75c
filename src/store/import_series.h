/* Raw times of ReproMPI, gathered until the run ends. */
#ifndef TUTTI_HARNESS_IMPORT_SERIES_H
#define TUTTI_HARNESS_IMPORT_SERIES_H

#include "store/import_file.h"

/* One repetition of the point that @p measurement says; its times are not read. One that is not valid only makes the
   point known. */
tutti_status tutti_import_series_add(struct import_file *file, tutti_collective collective,
                                     const tutti_measurement *measurement, double seconds, bool valid,
                                     tutti_error *error);

/* What was gathered as measurements: minimum, median, mean and maximum. */
tutti_status tutti_import_series_end(struct import_file *file, tutti_error *error);

void tutti_import_series_free(struct import_file *file);

#endif
