/* Rows of any kind in the store. The functions of tutti/store.h are these, by the struct of the kind. */
#ifndef TUTTI_STORE_ROWS_H
#define TUTTI_STORE_ROWS_H

#include "decision/results/row.h"
#include "tutti/store.h"

/**
 * Add @p count rows, an array of the structs of their kind, in one transaction: all or none. A row with equal keys in
 * the same environment is replaced; of a survey (parameters) all rows of the environment are.
 * @return TUTTI_ERR_ARGUMENT naming the row and the column that cannot be stored; TUTTI_ERR_IO
 */
tutti_status tutti_store_add_rows(tutti_store *store, enum tutti_row kind, int64_t environment, const void *rows,
                                  size_t count, tutti_error *error);

/**
 * Read the selected rows, in the order of tutti_rows_sort().
 * @param rows     receives an array of structs owned by the caller (free()), or NULL
 * @param library  receives the library that was measured, [TUTTI_PLATFORM_NAME_LENGTH]; may be NULL
 * @return TUTTI_ERR_ARGUMENT if the selection spans more than one environment, or scheme: the message lists them
 */
tutti_status tutti_store_read_rows(tutti_store *store, enum tutti_row kind, const tutti_selection *selection,
                                   void **rows, size_t *count, char *library, tutti_error *error);

/**
 * The environment of the selected rows, or 0.
 * @return TUTTI_ERR_ARGUMENT if there is more than one, or more than one scheme
 */
tutti_status tutti_store_environment_of_rows(tutti_store *store, enum tutti_row kind, const tutti_selection *selection,
                                             int64_t *environment, tutti_error *error);

#endif
