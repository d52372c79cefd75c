/* A folder of PICO on its way: files of times, and summaries. */
#ifndef TUTTI_STORE_IMPORT_PICO_FOLDER_H
#define TUTTI_STORE_IMPORT_PICO_FOLDER_H

#include "harness/store/import_folder.h"
#include "harness/store/import_pico.h"
#include "harness/store/import_pico_tests.h"

/* The context of the walk. */
struct pico_folder {
  const tutti_import_how *how;
  struct pico_tests tests;
  size_t files;                  /* of times */
  void *rows;                    /* those that were added, by run, size and method */
  struct import_texts summaries; /* for the end, when it is known what is missing */
};

/* A row whose numbers are given as texts, under what its test says; one of a summary only if there is none yet. */
tutti_status tutti_pico_add_result(struct import_walk *walk, const char *const *test, const char **cells,
                                   uint64_t type_size, bool of_summary, const char *shown);

/* ---- import_pico_summary.c ---- */

/* Keep a table that may be a summary; read all of them, and free them. @{ */
tutti_status tutti_pico_keep_summary(struct pico_folder *folder, const struct import_text *file);
tutti_status tutti_pico_read_summaries(struct import_walk *walk);
/* @} */

#endif
