/* Cached operations: programs repeat small collectives on the same buffers, and preparing one takes longer than
   many an 8-byte message. */
#ifndef TUTTI_COLLECTIVES_CACHED_OPERATION_H
#define TUTTI_COLLECTIVES_CACHED_OPERATION_H

#include "mpi/collectives/arguments.h"

/* An operation that may be repeated. All zero: none. */
struct cached_operation {
  struct operation *operation;
  struct arguments arguments;
  uint64_t bytes;
  tutti_method wanted, method; /* requested, and used (the substitute outside its domain) */
  tutti_view view;
};

/* Does the cached operation have these arguments? */
bool tutti_cached_operation_fits(const struct cached_operation *cached, const struct arguments *arguments);

/* The same, also of the method and the view. */
bool tutti_cached_operation_fits_all(const struct cached_operation *cached, const tutti_method *method,
                                     const struct arguments *arguments, const tutti_view *view);

/* Have the views the same ranks? A map is the same if its lookup is, so it must be alive. */
bool tutti_same_ranks(const tutti_view *left, const tutti_view *right);

/* Run it once more. After a failure it leaves the cache. */
tutti_status tutti_cached_operation_run(struct cached_operation *cached, tutti_error *error);

/* May it be cached? Only if nothing about it can change behind its handles: datatypes and operations of the program can
   be freed, and their handles be those of others then. And only if it is small. */
bool tutti_operation_is_cacheable(const struct arguments *arguments, uint64_t bytes, int size);

/* Prepare an operation in place of the cached one. A call outside the domain of the method is refused, or served
   by its substitute if `serving` says so. */
tutti_status tutti_cached_operation_prepare(struct cached_operation *cached, const tutti_method *method,
                                            const struct arguments *arguments, uint64_t bytes, const tutti_view *view,
                                            bool serving, tutti_error *error);

void tutti_cached_operation_free(struct cached_operation *cached);

#endif
