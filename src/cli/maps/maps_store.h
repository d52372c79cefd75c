/* What tutti maps measures, on its way into the store. */
#ifndef TUTTI_CLI_MAPS_STORE_H
#define TUTTI_CLI_MAPS_STORE_H

#include <stddef.h>

#include "cli/maps/maps_measure.h"
#include "tutti/store.h"

/* Zero-initialize; maps_results_free(). */
struct maps_results {
  tutti_result *items; /* owned */
  size_t count;
};

/* Append a row that was made: one result, or that of the strategy which chose its kind. @p array is the row of the
 * array of the same group. */
tutti_status maps_results_add(struct maps_results *results, const struct maps_row *row, const struct maps_row *array,
                              const char *strategy, tutti_error *error);

/* Put them into a store: flavor and library "none", as no MPI is in it.
 * @param machine  its name; NULL: what the system calls the processor */
tutti_status maps_results_store(const struct maps_results *results, tutti_store *store, const char *machine,
                                tutti_error *error);

void maps_results_free(struct maps_results *results);

#endif
