/* Operations kept ready: programs repeat small collectives on the same buffers, and to prepare one takes longer than
   many an 8-byte message. */
#ifndef TUTTI_COLLECTIVES_KEPT_H
#define TUTTI_COLLECTIVES_KEPT_H

#include "mpi/collectives/arguments.h"

/* An operation that may be wanted again. All zero: none. */
struct kept {
  struct operation *operation;
  struct arguments arguments;
  uint64_t bytes;
  tutti_method wanted, method; /* asked for, and served by */
  tutti_view view;
};

/* Is the operation kept the one that these arguments ask for? */
bool tutti_kept_fits(const struct kept *kept, const struct arguments *arguments);

/* The same, also of the method and the view. */
bool tutti_kept_fits_all(const struct kept *kept, const tutti_method *method, const struct arguments *arguments,
                         const tutti_view *view);

/* Have the views the same ranks? A map is the same if its lookup is, so it must be alive. */
bool tutti_same_ranks(const tutti_view *left, const tutti_view *right);

/* Run it once more. After a failure it is not kept any longer. */
tutti_status tutti_kept_run(struct kept *kept, tutti_error *error);

/* May it be kept? Only if nothing about it can change behind its handles: datatypes and operations of the program can
   be freed, and their handles be those of others then. And only if it is small. */
bool tutti_may_be_kept(const struct arguments *arguments, uint64_t bytes, int size);

/* Prepare an operation in place of the one kept so far. A call outside the domain of the method is refused, or served
   by its substitute if `serving` says so. */
tutti_status tutti_kept_prepare(struct kept *kept, const tutti_method *method, const struct arguments *arguments,
                                uint64_t bytes, const tutti_view *view, bool serving, tutti_error *error);

void tutti_kept_free(struct kept *kept);

#endif
