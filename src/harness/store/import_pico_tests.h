/* The metadata of each test in a folder of PICO. */
#ifndef TUTTI_STORE_IMPORT_PICO_TESTS_H
#define TUTTI_STORE_IMPORT_PICO_TESTS_H

#include "base/vector.h"
#include "harness/store/import_archive.h"
#include "harness/store/import_file.h"
#include "tutti/error.h"

struct pico_test {
  char *fields[FIELDS]; /* owned; "" for a missing column */
  size_t position;      /* in the metadata */
};

/* Zero-initialize. */
struct pico_tests {
  TUTTI_VECTOR(struct pico_test);
};

/*
 * Append the tests of a metadata file: CSV whose headings are, in any order and among others, machine (or system;
 * without one the file's name up to "_metadata"), timestamp, test_id, nodes (nnodes), ranks_per_node (tasks_per_node,
 * ppn), collective (collective_type), library (mpi_lib), library_version (mpi_lib_version), settings (notes), gpu_lib,
 * gpu_lib_version. Those of
 * the time, the nodes, the collective and the library must be there: a file or a line without them is passed over.
 */
tutti_status tutti_pico_tests_read(const struct import_text *file, struct pico_tests *tests, tutti_passed *passed,
                                   tutti_error *error);
void tutti_pico_tests_free(struct pico_tests *tests);

/* What a field says: "" for NULL, a missing one, and for the word "null". */
const char *tutti_pico_text(const char *cell);

/* Before any is looked for. */
void tutti_pico_tests_sort(struct pico_tests *tests);

/* The test of a file, whose folders have the names of the time and, for numbered tests, of the number; or NULL. */
const struct pico_test *tutti_pico_tests_find(const struct pico_tests *tests, const char *path);

/* A test at the time that one of the folders is named after, or NULL. */
const struct pico_test *tutti_pico_tests_find_time(const struct pico_tests *tests, const char *path);

#endif
