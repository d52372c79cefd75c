/* Arguments that outlive their call: MPI lets a program free a datatype, and Tutti the arrays, of an operation that has
   begun. */
#ifndef TUTTI_COLLECTIVES_LASTING_H
#define TUTTI_COLLECTIVES_LASTING_H

#include "mpi/collectives/arguments.h"
#include "tutti/counted_memory.h"

struct lasting {
  struct arguments arguments;
  tutti_arena arena; /* of the copied arrays */
  int size;
};

/* Copies the arrays and duplicates the datatypes that are not MPI's own. Free with tutti_lasting_free(). */
tutti_status tutti_lasting_create(struct lasting *lasting, const struct arguments *arguments, const tutti_view *view,
                                  tutti_error *error);
void tutti_lasting_free(struct lasting *lasting);

#endif
